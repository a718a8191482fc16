//! A staff that puts a place above all others brings more there.

use game::{Counsel, Game, Position, QuickDice, Quiet, Role, Terms};
use hex::Hex;
use table::Side;
use verst_players::{Budget, Focus, Player, Search, Seat, Staff, Style, Think};

/// June 1941 until the German side moves for the second time, the Soviet side led by a program.
fn moved(soviet: &mut dyn Player) -> Box<dyn Position> {
    let mut p = pm::Pm::new().start(&Terms::of("june"), None).unwrap_or_else(|f| panic!("{f}"));
    let mut dice = QuickDice::new(3);
    let mut german = Staff::default();
    let mut gone = false;
    while let Some(seat) = Seat::new(&*p) {
        let (side, counsel) = (seat.side(), seat.counsel().expect("pm has counsel"));
        let moves = seat.choices().iter().any(|c| counsel.role(c) == Role::Pick);
        if gone && side == Side::One && moves {
            break;
        }
        gone |= side == Side::Two && moves;
        let mut think = Think::new(1, Budget::nodes(50));
        let asked: &mut dyn Player = if side == Side::One { &mut german } else { &mut *soviet };
        let c = asked.choose(&seat, &mut think).expect("there is an answer");
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
    let plain = moved(&mut Staff::default());
    let place = minsk(&*plain);
    let focused = moved(&mut Staff::new(Style { focus: Focus::on(&[place], 3.0), ..Style::DEFEND }));
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

#[test]
fn a_search_says_which_places_it_puts_above_all_others() {
    let mut search = Search::default();
    moved(&mut search);
    // With hardly any time it does what is usual for who waits: the two most contested places.
    let said = search.intention().expect("it has moved").to_string();
    let (_, above) = said.split_once(", above all ").unwrap_or_else(|| panic!("{said}"));
    assert_eq!(above.split(" and ").count(), 2, "{said}");
}
