//! Overruns: a staff breaks weak defenders during movement (Stalingrad '42, 8.6), and others go through the gap.

use game::{Game, QuickDice, Quiet, Terms};
use verst_players::{Budget, Player, Seat, Staff, Think};

/// What the Axis staff does in its Movement Phase, in the words of the terminal, from the head of a situation.
fn movement(setup: &str) -> Vec<String> {
    let setup: toml::Table = setup.parse().expect("the head of a situation");
    let game = s42::S42::new();
    let mut p = game.situate(&Terms::of("campaign"), None, &setup).unwrap_or_else(|f| panic!("{f}"));
    let mut staffs = [Staff::default(), Staff::default()];
    let mut dice = QuickDice::new(1);
    let mut said = Vec::new();
    while let Some(seat) = Seat::new(&*p).filter(|s| s.view().phase == "Axis Movement Phase") {
        let think = &mut Think::new(dice.bits(), Budget::FREE);
        let c = staffs[seat.side().ix()].choose(&seat, think).expect("an answer");
        said.push(p.lexicon().write(&c));
        p.apply(c, &mut dice, &mut Quiet);
    }
    said
}

/// Three panzer divisions two hexes before a brigade, and one behind them; of the places within reach none is left to take.
const BRIGADE: &str = r#"
[at]
turn = 3
phase = "axis movement"
axis = ["1906", "2013", "2503", "2708", "2800", "2825", "3134", "3300", "3322", "3331", "4004", "4126", "4139", "4503", "5811"]
[[unit]]
counter = "3Pz"
hex = "3405"
[[unit]]
counter = "9Pz"
hex = "3405"
[[unit]]
counter = "11Pz"
hex = "3406"
[[unit]]
counter = "24Pz"
hex = "3305"
[[unit]]
counter = "10TB"
hex = "3605"
"#;

#[test]
fn a_weak_defender_is_broken_while_others_still_move() {
    let said = movement(BRIGADE);
    let at =
        said.iter().position(|s| s == "shatter 3605").unwrap_or_else(|| panic!("no overrun in {said:?}"));
    assert!(said[..at].iter().any(|s| s.starts_with("go ")), "somebody comes up to it first: {said:?}");
    assert!(said[at..].iter().any(|s| s.starts_with("go ")), "and somebody moves after it: {said:?}");
}

#[test]
fn who_is_too_strong_is_not_overrun() {
    let strong =
        "\n[[unit]]\ncounter = \"74RD\"\nhex = \"3605\"\n[[unit]]\ncounter = \"121RD\"\nhex = \"3605\"\n";
    let said = movement(&(BRIGADE.to_string() + strong));
    assert!(!said.iter().any(|s| s.starts_with("shatter")), "{said:?}");
}
