//! What is worked out in a hurry comes to the same as the obvious way, all through random games.

use game::{Choice, Game, Held, Object, Position, QuickDice, Quiet, Terms};
use table::{Place, Side, Unit};
use verst_pm::state::{Frame, Pos, Step};
use verst_pm::supply::Army;
use verst_pm::units::Nation;
use verst_pm::{Pm, plain, verbs};

/// Plays a game at random and hands over every position, with the choices of its question.
fn play(scenario: &str, seed: u64, decisions: usize, mut visit: impl FnMut(&Pos, &[Choice])) {
    let start = Pm::new().start(&Terms::of(scenario), None).unwrap();
    let mut p = start.as_any().downcast_ref::<Pos>().unwrap().clone();
    let mut dice = QuickDice::new(seed);
    let mut list = Vec::new();
    for _ in 0..decisions {
        if p.asks().is_none() {
            return;
        }
        list.clear();
        p.choices(&mut list);
        visit(&p, &list);
        let c = list[dice.below(list.len())];
        p.apply(c, &mut dice, &mut Quiet);
    }
}

fn sorted(mut list: Vec<Choice>) -> Vec<Choice> {
    list.sort_unstable();
    list
}

#[test]
fn reach_costs_what_trying_every_step_comes_to() {
    let mut seen = 0;
    for (scenario, seed) in [("june", 1), ("typhoon", 2), ("typhoon", 5), ("historical", 3)] {
        let mut n = 0;
        play(scenario, seed, 2500, |p, _| {
            n += 1;
            if p.s.frames.last() != Some(&Frame::Hand) || n % 9 != 0 {
                return;
            }
            let m = p.mover();
            let wanted = plain::reach(p, &m);
            let mut got = vec![verst_pm::data::NEVER; wanted.len()];
            for node in p.reach(&m) {
                assert_eq!(got[node.hex.ix()], verst_pm::data::NEVER, "a hex is reached twice");
                got[node.hex.ix()] = node.cost;
                assert_eq!(node.way.end(p.data.map.grid()), node.hex);
                // The quick price of a way, its sum and the cost of the hex are one.
                if Some(node.hex) != m.at {
                    let (cost, whole, sum) = p.price(&m, node.way).unwrap();
                    assert_eq!(p.cost_of(&m, node.way), Some((cost, whole)));
                    assert_eq!(cost, node.cost, "{:?}", sum);
                    seen += 1;
                }
            }
            assert_eq!(got, wanted);
        });
    }
    assert!(seen > 5000, "{seen}");
}

#[test]
fn supply_reaches_what_a_line_drawn_hex_by_hex_reaches() {
    let armies = [
        Army::Axis(Nation::German),
        Army::Axis(Nation::Romanian),
        Army::Axis(Nation::Hungarian),
        Army::Soviet,
        Army::Overland,
    ];
    for (scenario, seed) in [("june", 1), ("typhoon", 2), ("historical", 3)] {
        let mut n = 0;
        play(scenario, seed, 4000, |p, _| {
            n += 1;
            if n % 40 != 0 {
                return;
            }
            let sup = p.fresh_supply();
            let kept = [&sup.german, &sup.romanian, &sup.hungarian, &sup.soviet, &sup.overland];
            for (army, kept) in armies.into_iter().zip(kept) {
                assert_eq!(*kept, plain::traced(p, army), "{army:?} in turn {}", p.s.turn);
            }
        });
    }
}

#[test]
fn supply_kept_between_decisions_is_what_it_would_be_worked_out_anew() {
    for (scenario, seed) in [("june", 4), ("typhoon", 6), ("historical", 8)] {
        play(scenario, seed, 3000, |p, _| {
            let mut all = p.clone();
            all.stale_supply();
            all.check_supply(Side::One);
            all.check_supply(Side::Two);
            let (a, b) = (&p.s.supplied, &all.s.supplied);
            if a.fresh[0] {
                assert!(a.german == b.german && a.romanian == b.romanian && a.hungarian == b.hungarian);
            }
            if a.fresh[1] {
                assert!(a.soviet == b.soviet && a.overland == b.overland);
            }
        });
    }
}

#[test]
fn units_ready_to_move_are_those_that_may_be_picked() {
    for (scenario, seed) in [("june", 7), ("typhoon", 8)] {
        let mut n = 0;
        play(scenario, seed, 4000, |p, list| {
            if let Step::Move(side) = p.s.step {
                for u in p.s.stacks.units() {
                    assert_eq!(p.s.ready.begun.contains(u), plain::begun(p, u));
                }
                if p.s.frames.is_empty() {
                    let mut wanted = Vec::new();
                    plain::movement(p, side, &mut wanted);
                    assert_eq!(sorted(list.to_vec()), sorted(wanted));
                    n += 1;
                }
            }
        });
        assert!(n > 100, "{n}");
    }
}

#[test]
fn tokens_go_where_the_strictures_before_and_after_let_them() {
    let mut n = 0;
    play("campaign", 5, 700, |p, list| {
        n += 1;
        if p.s.step != Step::SetUpSoviet || n % 23 != 0 {
            return;
        }
        let grid = p.data.map.grid();
        let listed = |u: Unit, h| list.contains(&Choice::at(verbs::PLACE, u, h));
        let mut reps: Vec<Unit> = list
            .iter()
            .filter_map(|c| match c.object {
                Object::At(u, _) => Some(u),
                _ => None,
            })
            .collect();
        reps.dedup();
        for u in reps {
            for h in grid.hexes().filter(|h| p.data.map.land.contains(*h)) {
                let wanted = plain::token(p, u, h);
                assert_eq!(listed(u, h), wanted, "{} at {}", p.code(u), p.data.map.called(h));
                assert_eq!(p.may_set_up(u, Place::Hex(h)), wanted);
            }
        }
    });
    assert!(n > 200);
}

#[test]
fn a_copy_takes_no_new_memory() {
    let mut from = None;
    play("june", 3, 900, |p, _| from = Some(p.clone()));
    let from = from.unwrap();
    let start = Pm::new().start(&Terms::of("june"), None).unwrap();
    let mut to = start.as_any().downcast_ref::<Pos>().unwrap().clone();
    assert!(to.copy_from(&from));
    let at = |p: &Pos| (p.s.steps.as_ptr(), p.s.flags.as_ptr(), p.s.printed.as_ptr(), p.s.air.as_ptr());
    let before = at(&to);
    assert!(to.copy_from(&from));
    assert_eq!(at(&to), before);
    assert_eq!((to.state(), to.s.supplied.fresh), (from.state(), from.s.supplied.fresh));
    assert!(to.conserved().is_ok());
    let (mut a, mut b) = (Vec::new(), Vec::new());
    to.choices(&mut a);
    from.choices(&mut b);
    assert_eq!(a, b);
}
