//! Every end of a battle has the chance that the panel shows: held against battles that are played.

use game::{End, Eyes, Forecast, Game, Position, QuickDice, Quiet, Terms, Trial};
use verst_drill::Drill;

/// A situation after some choices.
fn after(at: &str, units: &[(&str, &str, u8)], choices: &[&str]) -> Box<dyn Position> {
    let mut text = format!("[at]\n{at}\n");
    for (counter, hex, steps) in units {
        text.push_str(&format!("[[unit]]\ncounter = \"{counter}\"\nhex = \"{hex}\"\nsteps = {steps}\n"));
    }
    let head: toml::Table = toml::from_str(&text).expect("the head of a situation");
    let game = Drill::new().expect("the drill");
    let mut p = game.situate(&Terms::of("first"), None, &head).unwrap_or_else(|f| panic!("{f}"));
    for c in choices {
        let c = p.lexicon().read(c).unwrap_or_else(|e| panic!("{c}: {e}"));
        p.play(c, &mut QuickDice::new(1), &mut Quiet).unwrap_or_else(|i| panic!("{i}"));
    }
    p
}

/// How many battles are played: some thousands, or as many as `make odds` asks for.
fn battles() -> u64 {
    std::env::var("VERST_BATTLES").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000)
}

/// Holds the forecast against play, and gives it.
fn holds(what: &str, p: &dyn Position) -> Forecast {
    let eyes = Eyes::Side(p.asks().expect("someone is asked"));
    let f = p.forecast(eyes).expect("a forecast");
    let sum: f64 = f.ends.iter().map(|e| e.chance).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{what}: the chances add up to {sum}");
    let mut trial = Trial::new(what.bytes().map(u64::from).sum());
    assert!(trial.play(p, eyes, battles()));
    let v = trial.against(&f.ends);
    println!(
        "drill: {what}\t{} ends\t{:.3}%\tz {:.2}\tp {:.3}",
        f.ends.len(),
        100.0 * v.difference,
        v.z,
        v.p
    );
    assert!(v.z < 4.5 && v.p > 1e-5, "{what}: {v:?}");
    f
}

const BLUE: &str = "turn = 2\nphase = \"blue combat\"";

#[test]
fn an_attack_on_a_town_ends_as_foretold() {
    let units = [("2Inf", "0506", 2), ("5Arm", "0506", 2), ("11Inf", "0606", 2)];
    let f = holds("town", &*after(BLUE, &units, &["attack 0606", "add 2Inf", "add 5Arm"]));
    let gone = End { retreat: true, taken: true, ..End::default() };
    assert!((f.ends.of(gone) - 1.0 / 3.0).abs() < 1e-12, "{:?}", f.ends);
}

#[test]
fn a_stack_of_two_shares_its_losses_as_foretold() {
    let units = [
        ("5Arm", "0506", 2),
        ("6Arm", "0506", 2),
        ("4Mot", "0605", 2),
        ("11Inf", "0606", 1),
        ("13Inf", "0606", 2),
    ];
    holds("two defenders", &*after(BLUE, &units, &["attack 0606", "add 5Arm", "add 6Arm", "add 4Mot"]));
}

#[test]
fn who_cannot_retreat_is_foretold_to_be_lost() {
    let units = [
        ("5Arm", "0506", 2),
        ("6Arm", "0506", 2),
        ("1Inf", "0604", 2),
        ("2Inf", "0604", 2),
        ("12Inf", "0605", 2),
        ("13Inf", "1009", 2),
    ];
    let f = holds("cut off", &*after(BLUE, &units, &["attack 0605", "add 5Arm", "add 6Arm", "add 1Inf"]));
    assert!(f.ends.retreat() == 0.0 && f.ends.chance(|e| e.taken && e.defender == 2) > 0.3, "{:?}", f.ends);
}

#[test]
fn a_decoy_is_foretold_by_its_chance() {
    let units = [("5Arm", "0602", 2), ("K2", "0703", 2), ("K1", "0907", 2)];
    let at = "turn = 1\nphase = \"blue combat\"\nguards = \"K1\"";
    let f = holds("concealed", &*after(at, &units, &["attack 0703", "add 5Arm"]));
    let empty = End { taken: true, ..End::default() };
    assert!(f.ends.of(empty) >= 0.5, "{:?}", f.ends);
}

#[test]
fn below_the_table_there_is_one_end() {
    let units = [("1Inf", "0506", 1), ("5Arm", "0304", 2), ("11Inf", "0606", 2), ("13Inf", "0606", 2)];
    let f = holds("below the table", &*after(BLUE, &units, &["attack 0606", "add 1Inf"]));
    assert_eq!(f.ends.len(), 1);
    assert!(f.ends.of(End { attacker: 1, ..End::default() }) == 1.0, "{:?}", f.ends);
}
