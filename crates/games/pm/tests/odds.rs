//! Every end of an assault has the chance that the panel shows: held against assaults that are played, over what is hidden and
//! what is not drawn yet.

use game::{
    Eyes, Forecast, Game, Position, QuickDice, Quiet, ScriptedDice, Session, Terms, Trial, read_journal,
};
use verst_pm::Pm;

/// A counter, its hex, and what it turned out to be (empty: untried, or printed on it).
type Placed = (&'static str, &'static str, &'static str);

/// A situation after some choices, or the first that is refused.
fn tried(at: &str, units: &[Placed], choices: &[&str], die: u32) -> Result<Box<dyn Position>, String> {
    let mut text = format!("[at]\n{at}\n");
    for (counter, hex, printed) in units {
        text.push_str(&format!("[[unit]]\ncounter = \"{counter}\"\nhex = \"{hex}\"\n"));
        if !printed.is_empty() {
            text.push_str(&format!("printed = \"{printed}\"\n"));
        }
    }
    let head: toml::Table = toml::from_str(&text).expect("the head of a situation");
    let game = Pm::new();
    let terms = Terms::of(&game.info().scenarios[0].id);
    let mut p = game.situate(&terms, None, &head).map_err(|f| f.to_string())?;
    let mut dice = ScriptedDice::new([die]);
    for c in choices {
        let c = p.lexicon().read(c)?;
        p.play(c, &mut dice, &mut Quiet).map_err(|i| i.to_string())?;
    }
    Ok(p)
}

/// A situation after some choices.
fn after(at: &str, units: &[Placed], choices: &[&str]) -> Box<dyn Position> {
    tried(at, units, choices, 1).unwrap_or_else(|e| panic!("{e}"))
}

/// How many battles are played: some thousands, or as many as `make odds` asks for.
fn battles() -> u64 {
    std::env::var("VERST_BATTLES").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000)
}

/// Holds the forecast against play, and gives it.
fn holds(what: &str, p: &dyn Position) -> Forecast {
    let eyes = Eyes::Side(p.asks().expect("someone is asked"));
    let f = p.forecast(eyes).expect("a forecast");
    for (name, sum) in [
        ("ends", f.ends.iter().map(|e| e.chance).sum::<f64>()),
        ("columns", f.columns.iter().map(|c| c.chance).sum()),
        ("results", f.results.iter().map(|r| r.chance).sum()),
    ] {
        assert!((sum - 1.0).abs() < 1e-9, "{what}: the chances of {name} add up to {sum}");
    }
    // Another world that looks the same has the same forecast.
    let other = p.imagine(eyes, &mut QuickDice::new(5));
    assert_eq!(other.forecast(eyes).as_ref(), Some(&f), "{what}");
    let mut trial = Trial::new(what.bytes().map(u64::from).sum());
    assert!(trial.play(p, eyes, battles()), "{what} cannot be played");
    let v = trial.against(&f.ends);
    println!("pm: {what}\t{} ends\t{:.3}%\tz {:.2}\tp {:.3}", f.ends.len(), 100.0 * v.difference, v.z, v.p);
    assert!(v.z < 4.5 && v.p > 1e-5, "{what}: {v:?}");
    f
}

const GERMAN: &str = "turn = 4\ncouplet = 1\nphase = \"german combat\"";
const SOVIET: &str = "turn = 4\ncouplet = 1\nphase = \"soviet combat\"";

#[test]
fn known_units_have_the_ends_of_the_table() {
    let units =
        [("6ID", "2501S", ""), ("7ID", "2501S", ""), ("RD1", "2502S", "3-4-5"), ("RD2", "2502S", "1-1-5")];
    holds("known units", &*after(GERMAN, &units, &["attack 2502S", "add 6ID", "add 7ID"]));
}

#[test]
fn brigades_pay_half_as_foretold() {
    let units = [
        ("6ID", "2501S", ""),
        ("7ID", "2501S", ""),
        ("RB1", "2502S", "1-2-5"),
        ("RB2", "2502S", "1-2-5"),
        ("RD3", "2502S", "1-1-5"),
    ];
    let f = holds("brigades", &*after(GERMAN, &units, &["attack 2502S", "add 6ID", "add 7ID"]));
    assert_eq!(f.ends.retreat(), 0.0, "Soviet units do not retreat: {:?}", f.ends);
}

#[test]
fn a_city_doubles_what_is_foretold() {
    let units = [
        ("1Pz", "2818N", ""),
        ("6Pz", "2818N", ""),
        ("5ID", "2818N", ""),
        ("RD1", "2817N", "3-3-5"),
        ("RD2", "2817N", ""),
    ];
    let f = holds("a city", &*after(GERMAN, &units, &["attack 2817N", "add 1Pz", "add 6Pz", "add 5ID"]));
    assert!(f.ends.iter().all(|e| e.end.attacker > 0), "no zero in a city: {:?}", f.ends);
}

#[test]
fn untried_and_hidden_defenders_are_drawn_without_being_put_back() {
    let units = [
        ("3Pz", "2501S", ""),
        ("17Pz", "2501S", ""),
        ("RD1", "2502S", "6-7-5"),
        ("RD2", "2502S", ""),
        ("TD1", "2502S", ""),
        ("RD3", "2702S", "1-1-5"),
        ("RB1", "2702S", ""),
        ("CD1", "2702S", ""),
        ("RD4", "2702S", ""),
    ];
    let f = holds("untried and hidden", &*after(GERMAN, &units, &["attack 2502S", "add 3Pz", "add 17Pz"]));
    assert!(f.columns.len() > 3 && f.notes.iter().any(|n| n.contains("2 units beneath")), "{f:?}");
}

#[test]
fn untried_attackers_against_a_stack_with_flak_perhaps_are_foretold() {
    let units = [
        ("TD1", "2602S", ""),
        ("TD2", "2602S", ""),
        ("RD1", "2602S", ""),
        ("RD2", "2602S", "6-7-5"),
        ("FlakI", "2502S", ""),
        ("5ID", "2502S", ""),
        ("6ID", "2305S", ""),
        ("MG4", "2305S", ""),
        ("7ID", "2305S", ""),
    ];
    let choices = ["attack 2502S", "add TD1", "add TD2", "add RD1", "add RD2"];
    let f = holds("untried attackers, flak perhaps", &*after(SOVIET, &units, &choices));
    assert!(f.ends.retreat() > 0.0 && f.notes.iter().any(|n| n.contains("flak beneath")), "{f:?}");
}

#[test]
fn a_lone_division_retreats_rather_than_be_destroyed() {
    let units = [
        ("RD1", "2602S", "6-7-5"),
        ("RD2", "2602S", "6-6-5"),
        ("TD1", "2602S", "5-4-7"),
        ("RD5", "2602S", ""),
        ("5ID", "2502S", ""),
    ];
    let choices = ["attack 2502S", "add RD1", "add RD2", "add TD1", "add RD5"];
    let f = holds("a way back", &*after(SOVIET, &units, &choices));
    assert!(f.ends.chance(|e| e.retreat && e.taken && e.defender == 1) > 0.05, "{:?}", f.ends);
}

#[test]
fn those_who_fled_into_a_hex_are_foretold_to_share_its_fate() {
    let units = [
        ("RD1", "2602S", "6-7-5"),
        ("RD2", "2602S", "6-6-5"),
        ("TD1", "2602S", "5-4-7"),
        ("5ID", "2502S", ""),
        ("7ID", "2502S", ""),
        ("6ID", "2503S", ""),
        ("RD3", "2504S", "6-6-5"),
        ("RD4", "2504S", "5-6-5"),
        ("RD6", "2504S", ""),
        ("8ID", "2305S", ""),
        ("MG4", "2305S", ""),
    ];
    let choices = [
        "attack 2502S",
        "add RD1",
        "add RD2",
        "add TD1",
        "resolve",
        "retreat 2503S",
        "done",
        "attack 2503S",
        "add RD3",
        "add RD4",
        "add RD6",
    ];
    // Whichever die makes them flee.
    let mut dice = (1..=6).map(|die| tried(SOVIET, &units, &choices, die));
    let p = dice.find_map(Result::ok).expect("a die that makes them flee");
    let f = holds("those who fled", &*p);
    assert!(f.ends.chance(|e| e.defender > 3) > 0.1, "{:?}", f.ends);
}

#[test]
fn the_gas_table_is_part_of_what_is_foretold() {
    let at = "turn = 12\ncouplet = 1\nphase = \"german combat\"\nweather = [\"S\", \"S\"]";
    let units = [("6ID", "4326N", ""), ("7ID", "4326N", ""), ("RD1", "4325N", "3-3-5"), ("RD2", "4325N", "")];
    let f = holds("the GAS table", &*after(at, &units, &["attack 4325N", "add 6ID", "add 7ID"]));
    assert!(f.notes.iter().any(|n| n.contains("GAS")), "{:?}", f.notes);
}

#[test]
fn a_mobile_assault_spends_cavalry_whatever_comes() {
    let at = "turn = 4\ncouplet = 1\nphase = \"soviet movement\"";
    let units = [
        ("CD1", "2501S", "4-2-7"),
        ("TB1", "2501S", ""),
        ("MG4", "2502S", ""),
        ("5ID", "2502S", ""),
        ("6ID", "2305S", ""),
        ("7ID", "2305S", ""),
    ];
    let f = holds("cavalry on the move", &*after(at, &units, &["pick CD1", "add TB1"]));
    assert!(f.ends.iter().all(|e| e.end.attacker >= 1 && !e.end.retreat), "{:?}", f.ends);
}

#[test]
fn a_landing_that_fails_costs_all_who_land() {
    let at = "turn = 5\ncouplet = 1\nphase = \"sea\"";
    let units = [("RD20", "2919S", "2-3-5"), ("RD21", "2919S", ""), ("5ID", "3018S", "")];
    let choices = ["invade RD20 3018S", "invade RD21 3018S", "done", "done"];
    let f = holds("a landing", &*after(at, &units, &choices));
    assert!(f.ends.iter().all(|e| e.end.taken || e.end.attacker == 2), "{:?}", f.ends);
}

#[test]
fn the_panel_does_not_tell_which_of_the_hidden_units_lie_beneath() {
    let with = |beneath: &'static str, elsewhere: &'static str| {
        let units = [
            ("3Pz", "2501S", ""),
            ("17Pz", "2501S", ""),
            (beneath, "2502S", ""),
            ("RD1", "2502S", "6-7-5"),
            (elsewhere, "2702S", ""),
            ("RD4", "2702S", "3-3-5"),
        ];
        let p = after(GERMAN, &units, &["attack 2502S", "add 3Pz", "add 17Pz"]);
        p.forecast(Eyes::Side(p.asks().expect("someone is asked"))).expect("a forecast")
    };
    // A tank division in one world, cavalry in the other.
    assert_eq!(with("TD1", "CD1"), with("CD1", "TD1"));
}

/// Battles of recorded games, some of each: what was foretold of them before they were fought is what they bring.
fn battles_of(name: &str, every: usize, most: usize) -> usize {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("games/{name}.verst"));
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let reading = read_journal(name, &bytes).unwrap_or_else(|d| panic!("{name}: {d}"));
    let session = Session::load(&Pm::new(), None, name, &reading.journal, None)
        .unwrap_or_else(|f| panic!("{name}: {f}"));
    let mut held = 0;
    for step in (0..session.steps().len()).step_by(every) {
        let p = session.position_at(step);
        let Some(eyes) = p.asks().map(Eyes::Side) else { break };
        let Some(f) = p.forecast(eyes).filter(|f| !f.ends.is_empty()) else { continue };
        let sum: f64 = f.ends.iter().map(|e| e.chance).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{name}, step {step}: the chances add up to {sum}");
        let mut trial = Trial::new(step as u64);
        if trial.play(&*p, eyes, 150) {
            let v = trial.against(&f.ends);
            assert!(v.z < 5.0 && v.p > 1e-6, "{name}, step {step}, {}: {v:?}", f.hex);
            held += 1;
        }
        if held == most {
            break;
        }
    }
    held
}

#[test]
fn battles_of_recorded_games_end_as_foretold() {
    let held: usize = [("june-by-hand", 1), ("moscow", 2), ("time", 3)]
        .map(|(name, every)| battles_of(name, every, 100))
        .iter()
        .sum();
    println!("{held} battles of recorded games");
    assert!(held >= 100, "only {held} battles were found");
}
