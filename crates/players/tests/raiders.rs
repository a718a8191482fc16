//! Raiders in ground that must stay free are hunted from afar where units have no zones.

use game::{Counsel, Game, Position, QuickDice, Quiet, Terms};
use hex::Hex;
use table::{Side, Unit};
use verst_players::{Budget, Player, Seat, Staff, Think};

fn counsel(p: &dyn Position) -> &'static dyn Counsel {
    p.counsel().expect("pm has counsel")
}

/// Staffs play on for as long as a position is wanted.
fn play(mut p: Box<dyn Position>, go_on: impl Fn(&Seat<'_>) -> bool) -> Box<dyn Position> {
    let mut dice = QuickDice::new(3);
    let mut staffs = [Staff::default(), Staff::default()];
    while let Some(seat) = Seat::new(&*p).filter(&go_on) {
        let think = &mut Think::new(1, Budget::FREE);
        let c = staffs[seat.side().ix()].choose(&seat, think).expect("an answer");
        p.apply(c, &mut dice, &mut Quiet);
    }
    p
}

/// A Soviet division in Greater Germany, a German one far to the east of it, and the front farther still.
const RAIDER: &str = r#"
[at]
turn = 5
phase = "german movement"
german = ["2310N", "2512N", "2705N", "2817N", "3323N", "3514N", "3817N"]
[[unit]]
counter = "RD1"
hex = "1717N"
printed = "3-3-5"
[[unit]]
counter = "5ID"
hex = "3017N"
[[unit]]
counter = "RD2"
hex = "4617N"
printed = "3-3-5"
"#;

#[test]
fn a_raider_is_hunted_from_afar() {
    let setup = RAIDER.parse().expect("the head of a situation");
    let p = pm::Pm::new().situate(&Terms::of("campaign"), None, &setup).unwrap_or_else(|f| panic!("{f}"));
    let far = |p: &dyn Position| {
        let at = |side: Side| -> Vec<(Unit, Hex)> {
            let pieces = counsel(p).brief(p, Side::One).pieces;
            pieces.iter().filter(|q| q.side == side && q.hex.is_some()).map(|q| (q.unit, q.hex)).collect()
        };
        let raider = p.lexicon().grid().find("1717N").expect("a hex of the map");
        p.lexicon().grid().distance(at(Side::One)[0].1, raider)
    };
    let before = far(&*p);
    assert!(before > 9, "{before} hexes away");
    let after = far(&*play(p, |seat| seat.view().phase.starts_with("German movement")));
    assert!(after < before, "{after} hexes away, {before} before");
}
