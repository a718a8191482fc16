//! The chances of every end that the battle panel shows are those that play brings about.

use game::{Choice, Eyes, Forecast, Game, Position, QuickDice, Quiet, Session, Terms, Trial, read_journal};
use table::Side;
use verst_s42::S42;
use verst_s42::state::{Cx, Frame, Pos};
use verst_s42::verbs;

/// A battle ready to be resolved.
fn ready(phase: &str, turn: u8, more: &str, units: &[(&str, &str)], target: &str) -> Pos {
    let mut text = format!("[at]\nturn = {turn}\nphase = \"{phase}\"\n{more}\n");
    for (counter, hex) in units {
        text.push_str(&format!("[[unit]]\ncounter = \"{counter}\"\nhex = \"{hex}\"\n"));
    }
    let head: toml::Table = toml::from_str(&text).expect("the head of a situation");
    let game = S42::new();
    let p = game.situate(&Terms::of("campaign"), None, &head).unwrap_or_else(|f| panic!("{f}"));
    let mut p = p.as_any().downcast_ref::<Pos>().expect("a position of this game").clone();
    let hex = p.data.map.grid().find(target).expect("a hex");
    let mut dice = QuickDice::new(1);
    for c in [Choice::hex(verbs::ATTACK, hex), Choice::button(verbs::ALL)] {
        p.play(c, &mut dice, &mut Quiet).unwrap_or_else(|i| panic!("{i}"));
    }
    p
}

/// How many battles are played: some thousands, or as many as `make odds` asks for.
fn battles() -> u64 {
    std::env::var("VERST_BATTLES").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000)
}

/// Holds a forecast against battles that are played, and gives it.
fn compare(what: &str, p: &Pos) -> Forecast {
    let eyes = Eyes::Side(p.asks().expect("someone is asked"));
    let f = p.forecast(eyes).expect("a forecast");
    let total: f64 = f.results.iter().map(|r| r.chance).sum();
    assert!((total - 1.0).abs() < 1e-9, "chances add up to {total}");
    let total: f64 = f.ends.iter().map(|e| e.chance).sum();
    assert!((total - 1.0).abs() < 1e-9, "{what}: chances of all ends add up to {total}");
    let mut trial = Trial::new(what.bytes().map(u64::from).sum());
    assert!(trial.play(p, eyes, battles()));
    let v = trial.against(&f.ends);
    println!("s42: {what}\t{} ends\t{:.3}%\tz {:.2}\tp {:.3}", f.ends.len(), 100.0 * v.difference, v.z, v.p);
    assert!(v.z < 4.5 && v.p > 1e-5, "{what}: {v:?}");
    f
}

/// What the programs reckon with is the mean of the ends, where no retreat costs a step.
fn agrees(p: &Pos, f: &Forecast) {
    let s = p.stake(p.battle().expect("a battle")).expect("a stake");
    for (quick, whole) in
        [(s.attacker_loss, f.attacker_loss), (s.defender_loss, f.defender_loss), (s.taken, f.taken)]
    {
        assert!((quick - whole).abs() < 1e-9, "{s:?} and {f:?}");
    }
}

/// Plays on to the question of a stand, with such dice that one is offered.
fn stand(p: Pos) -> Pos {
    for seed in 0..200 {
        let mut dice = QuickDice::new(seed);
        let mut q = p.clone();
        while let Some(c) = q.sensible() {
            if matches!(q.s.frames.last(), Some(Frame::Fight(verst_s42::battle::Stage::Stand))) {
                return q;
            }
            q.play_choice(c, &mut Cx { dice: &mut dice, tell: &mut Quiet });
        }
    }
    panic!("no stand was offered");
}

#[test]
fn the_forecast_of_an_offered_stand_is_what_play_brings() {
    let p = stand(ready("axis combat", 9, "", &with(&[("74RD", "3505"), ("121RD", "3505")]), "3505"));
    let f = p.forecast(Eyes::Side(Side::Two)).expect("a forecast");
    assert_eq!(f.title, "Determined Defense");
    compare("an offered stand", &p);
    // Each lead has its own chances, and the question shows those of the best.
    let mut list = Vec::new();
    p.choices(&mut list);
    let each: Vec<f64> =
        list.iter().filter_map(|c| p.forecast_of(Eyes::Side(Side::Two), c)).map(|f| f.taken).collect();
    assert!(each.len() >= 2 && each.iter().all(|&t| t >= f.taken - 1e-9), "{each:?} and {}", f.taken);
}

#[test]
fn the_forecast_of_an_offered_desperate_defence_is_what_play_brings() {
    let units =
        with(&[("168ID", "3404"), ("75ID", "3604"), ("88ID", "3506"), ("74RD", "3505"), ("13GRD", "3505")]);
    let p = stand(ready("axis combat", 9, "", &units, "3505"));
    let f = p.forecast(Eyes::Side(Side::Two)).expect("a forecast");
    assert_eq!(f.title, "Desperate Defense");
    compare("an offered desperate defence", &p);
}

const THREE: [(&str, &str); 3] = [("45ID", "3405"), ("95ID", "3405"), ("57ID", "3405")];

fn with(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    THREE.iter().chain(more).copied().collect()
}

#[test]
fn the_forecast_of_a_stand_in_the_open_is_what_play_brings() {
    let p = ready("axis combat", 9, "", &with(&[("74RD", "3505")]), "3505");
    let f = compare("a stand in the open", &p);
    agrees(&p, &f);
    assert!(f.ends.retreat() > 0.2 && f.ends.chance(|e| !e.taken && e.attacker > 0) > 0.1, "{:?}", f.ends);
}

#[test]
fn the_forecast_before_order_227_knows_that_nobody_stands() {
    let p = ready("axis combat", 3, "", &with(&[("74RD", "3505"), ("121RD", "3505")]), "3505");
    let f = compare("before Order 227", &p);
    agrees(&p, &f);
    assert!(
        f.results.iter().any(|r| r.code.starts_with("DS") || r.code.starts_with("DR")),
        "{:?}",
        f.results
    );
}

#[test]
fn the_forecast_counts_support_and_walls() {
    let units = with(&[("168ID", "3404"), ("74RD", "3505"), ("13GRD", "3505"), ("Bryansk", "3706")]);
    compare("support and walls", &ready("axis combat", 9, "forts = { soviet = [\"3505\"] }", &units, "3505"));
}

#[test]
fn the_forecast_of_a_city_counts_city_battles() {
    let units = [
        ("45ID", "1210"),
        ("95ID", "1210"),
        ("57ID", "1210"),
        ("168ID", "1111"),
        ("75ID", "1111"),
        ("74RD", "1211"),
    ];
    let f = compare("a city", &ready("axis combat", 9, "", &units, "1211"));
    assert!(f.ends.chance(|e| !e.taken) > 0.3, "{:?}", f.ends);
}

#[test]
fn the_forecast_of_a_cornered_stack_is_that_of_a_desperate_defence() {
    let units =
        with(&[("168ID", "3404"), ("75ID", "3604"), ("88ID", "3506"), ("74RD", "3505"), ("13GRD", "3505")]);
    let f = compare("a cornered stack", &ready("axis combat", 9, "", &units, "3505"));
    // Nobody gets away: the hex holds, or all are lost.
    assert!(
        f.ends.retreat() == 0.0 && f.ends.iter().all(|e| !e.end.taken || e.end.defender >= 4),
        "{:?}",
        f.ends
    );
}

#[test]
fn the_forecast_of_a_cornered_stack_before_order_227_is_that_all_are_lost_or_stay() {
    let units =
        with(&[("168ID", "3404"), ("75ID", "3604"), ("88ID", "3506"), ("74RD", "3505"), ("121RD", "3505")]);
    let f = compare("cornered before Order 227", &ready("axis combat", 3, "", &units, "3505"));
    assert_eq!(f.ends.retreat(), 0.0, "{:?}", f.ends);
}

#[test]
fn the_forecast_of_poor_odds_knows_what_the_attacker_loses() {
    let units = [("45ID", "3405"), ("95ID", "3405"), ("74RD", "3505"), ("121RD", "3505")];
    let p = ready("axis combat", 9, "forts = { soviet = [\"3505\"] }", &units, "3505");
    let f = compare("poor odds", &p);
    agrees(&p, &f);
    assert!(f.ends.chance(|e| e.attacker > 0 && e.defender == 0 && !e.taken) > 0.1, "{:?}", f.ends);
}

#[test]
fn the_forecast_knows_that_a_stack_beyond_its_limit_leaves_a_unit_out() {
    let units = [("45ID", "3405"), ("95ID", "3405"), ("74RD", "3505"), ("121RD", "3505"), ("13GRD", "3505")];
    compare("beyond the stacking limit", &ready("axis combat", 9, "", &units, "3505"));
}

/// Battles of recorded games, some of each: what was foretold of them before they were fought is what they bring.
fn battles_of(name: &str, every: usize, most: usize) -> usize {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("games/{name}.verst"));
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let reading = read_journal(name, &bytes).unwrap_or_else(|d| panic!("{name}: {d}"));
    let session = Session::load(&S42::new(), None, name, &reading.journal, None)
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
    let held: usize =
        [("fall-blau-opened-by-hand", 1), ("campaign-winter-soviet", 2), ("uranus-time-axis", 1)]
            .map(|(name, every)| battles_of(name, every, 100))
            .iter()
            .sum();
    println!("{held} battles of recorded games");
    assert!(held >= 100, "only {held} battles were found");
}
