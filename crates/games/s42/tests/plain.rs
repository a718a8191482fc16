//! The fast fields of supply and movement beside the plain ones, at positions that random play comes to.

use game::{Game, QuickDice, Quiet, Terms};
use verst_s42::S42;
use verst_s42::state::Pos;

/// Plays a scenario at random. Every so often, and whenever both sides' lines are known, what supply reaches is compared; what
/// the units in hand reach, at each fourth decision.
fn plays(scenario: &str, seed: u64, decisions: usize) {
    let game = S42::new();
    let mut p = game.start(&Terms::of(scenario), None).expect("the scenario starts");
    let mut dice = QuickDice::new(seed);
    let mut list = Vec::new();
    let (mut supplies, mut reaches) = (0, 0);
    for n in 0..decisions {
        if p.asks().is_none() {
            break;
        }
        list.clear();
        p.choices(&mut list);
        let c = list[dice.below(list.len())];
        p.apply(c, &mut dice, &mut Quiet);
        let here = p.as_any().downcast_ref::<Pos>().expect("a position of this game");
        let fault = |why: String| panic!("{scenario}, seed {seed}, after {n} decisions: {why}");
        if n % 25 == 0 || here.s.supplied.fresh == [true; 2] && n % 4 == 0 {
            supplies += 1;
            here.supply_holds().unwrap_or_else(fault);
            here.lines_hold().unwrap_or_else(fault);
        }
        if n % 4 == 0 && !here.s.hand.is_empty() {
            reaches += 1;
            here.reach_holds().unwrap_or_else(fault);
        }
    }
    assert!(supplies > 50 && reaches > 200, "{scenario}: {supplies} and {reaches} comparisons");
}

#[test]
fn fall_blau_by_the_fast_fields_and_the_plain_ones() {
    plays("blau", 11, 5000);
}

#[test]
fn the_caucasus_by_the_fast_fields_and_the_plain_ones() {
    plays("caucasus", 12, 8000);
}

#[test]
fn uranus_by_the_fast_fields_and_the_plain_ones() {
    plays("uranus", 13, 8000);
}

#[test]
fn the_campaign_by_the_fast_fields_and_the_plain_ones() {
    plays("campaign", 14, 6000);
    plays("campaign", 15, 6000);
}
