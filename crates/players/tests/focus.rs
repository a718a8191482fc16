//! A staff that puts a place above all others brings more there.

use game::{Counsel, Game, Position, QuickDice, Quiet, Role, Terms};
use hex::Hex;
use table::Side;
use verst_players::{Budget, Focus, Player, Seat, Staff, Style, Think};

/// June 1941 up to the Soviet side's combat phase of the first couplet, led by a staff of an inclination.
fn moved(soviet: Style) -> Box<dyn Position> {
    let mut p = pm::Pm::new().start(&Terms::of("june"), None).unwrap_or_else(|f| panic!("{f}"));
    let mut dice = QuickDice::new(3);
    let mut staffs = [Staff::default(), Staff::new(soviet)];
    let mut gone = false;
    while let Some(seat) = Seat::new(&*p) {
        let (side, counsel) = (seat.side(), seat.counsel().expect("pm has counsel"));
        let moves = seat.choices().iter().any(|c| counsel.role(c) == Role::Pick);
        if gone && side == Side::One && moves {
            break;
        }
        gone |= side == Side::Two && moves;
        let mut think = Think::new(1, Budget::FREE);
        let c = staffs[side.ix()].choose(&seat, &mut think).expect("a staff has an answer");
        p.apply(c, &mut dice, &mut Quiet);
    }
    p
}

fn counsel(p: &dyn Position) -> &'static dyn Counsel {
    p.counsel().expect("pm has counsel")
}

fn minsk(p: &dyn Position) -> Hex {
    let goals = counsel(p).brief(p, Side::Two).goals;
    goals.iter().map(|g| g.hex).find(|h| counsel(p).called(p, *h) == "Minsk").expect("Minsk is on the map")
}

/// The Soviet defence on a hex and on those around it.
fn defence(p: &dyn Position, h: Hex) -> f64 {
    let near = |at: Hex| at.is_some() && p.lexicon().grid().distance(at, h) <= 1;
    let pieces = counsel(p).brief(p, Side::Two).pieces;
    pieces.iter().filter(|q| q.side == Side::Two && near(q.hex)).map(|q| q.defence).sum()
}

#[test]
fn who_holds_a_place_above_all_others_mans_it_and_the_ground_around_it() {
    let plain = moved(Style::DEFEND);
    let place = minsk(&*plain);
    let focused = moved(Style { focus: Focus::on(&[place], 3.0), ..Style::DEFEND });
    let (before, after) = (defence(&*plain, place), defence(&*focused, place));
    assert!(after > before + 5.0, "{before} and with Minsk above all {after}");
}

#[test]
fn a_focus_says_what_it_is_on() {
    let places = [Hex(4), Hex(9)];
    let focus = Focus::on(&places, 2.0);
    assert!(places.iter().all(|h| focus.has(*h)));
    assert_eq!(focus.places().collect::<Vec<_>>(), places);
    assert!(!focus.has(Hex(5)) && !focus.has(Hex::NONE) && !Focus::NONE.has(Hex(4)));
}
