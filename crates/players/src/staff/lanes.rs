//! Lanes: which place each unit of the side that comes forward is meant for, so that not everyone runs to the same.

use super::field::{FAR, Fields, steps_from};
use game::{Brief, Piece};
use hex::{Grid, Hex};
use std::collections::BTreeMap;
use table::Unit;

/// How far places draw when lanes are chosen, in hexes.
const DEPTH: f64 = 11.0;
/// Attack that a place needs, against the defence that stands at it and near it.
const NEEDS: f64 = 0.7;
/// The same once more for who stands in it, with what the ground adds: who is to throw him out must come in strength.
const GARRISON: f64 = 1.5;
/// Attack that it needs at least.
const AT_LEAST: f64 = 25.0;
/// How near, in hexes, enemies count as a place's defenders.
const NEAR: u16 = 3;
/// How much more a unit counts that is fast, when it is asked who is sent far.
const FAST: f64 = 1.5;

/// How far a unit comes in a turn against the enemy, of its speed.
const AGAINST: f64 = 0.6;
/// What is farther than so many turns is not planned for.
const AHEAD: f64 = 6.0;
/// In so many turns a goal counts less by e.
const PATIENCE: f64 = 2.5;

/// What is sent to a place beyond so many times its need does not come: others are meant for places farther on.
const ENOUGH: f64 = 1.5;
/// What such a place still draws who finds no other.
const LAST_RESORT: f64 = 1e-6;

/// So near to where the enemy comes onto the map, in hexes, a place is defended by whoever arrives.
const AT_THE_DOOR: u16 = 4;
/// In so many turns more than the last ones, those who arrive there add as much again to what it needs.
const ARRIVALS: f64 = 3.0;
/// As many turns before the end places draw and wait as above; who has longer looks farther.
const NEAR_END: f64 = 8.0;
/// As many times as far he looks at most.
const FARTHEST: f64 = 2.8;

/// How much farther one looks than at the end of a game: with time left, places are made for that are far away.
pub(crate) fn foresight(brief: &Brief) -> f64 {
    (brief.turns_left / NEAR_END).clamp(1.0, FARTHEST)
}

/// A stack: whether its units are mobile, and where they stand.
type Stack = (bool, Hex);

/// By unit of the side: the goal (its number in the brief) that it is meant for. Who was meant for a place before stays so while it is
/// wanted: an army that chooses anew each turn arrives nowhere. Stacks stay together; the strong choose first, and what is sent to a
/// place makes it draw the others less.
pub(crate) fn lanes(
    grid: &Grid,
    brief: &Brief,
    fields: &Fields,
    before: &BTreeMap<Unit, Hex>,
) -> BTreeMap<Unit, usize> {
    let far = foresight(brief);
    let door = steps_from(grid, &brief.land, &brief.doors);
    let wanted: Vec<usize> = (0..brief.goals.len()).filter(|&i| brief.goals[i].held != brief.side).collect();
    let needs: Vec<f64> = wanted
        .iter()
        .map(|&i| {
            let near = |h: &Hex| fields.to_goal[i][h.ix()] <= NEAR;
            let there: f64 = fields.foe_at.iter().filter(near).map(|h| f64::from(fields.foe[h.ix()])).sum();
            let h = brief.goals[i].hex.ix();
            let holds = f64::from(fields.foe[h] * brief.cover[h]);
            let arrive = if door[h] <= AT_THE_DOOR {
                1.0 + (brief.turns_left - NEAR_END).max(0.0) / ARRIVALS
            } else {
                1.0
            };
            arrive * (NEEDS * there + GARRISON * holds).max(AT_LEAST)
        })
        .collect();
    let mut stacks: BTreeMap<Stack, Vec<&Piece>> = BTreeMap::new();
    for p in brief.pieces.iter().filter(|p| p.side == brief.side && p.hex.is_some() && p.attack > 0.0) {
        stacks.entry((p.mobile, p.hex)).or_default().push(p);
    }
    let mut order: Vec<(Stack, f64)> =
        stacks.iter().map(|(k, s)| (*k, s.iter().map(|p| p.attack).sum())).collect();
    order.sort_by(|a, b| b.0.0.cmp(&a.0.0).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
    let mut sent = vec![0.0; wanted.len()];
    let mut out = BTreeMap::new();
    // Goals choose first, those that bring most for what they need, and each gets all that it needs or nothing.
    let mut left = order;
    let mut open: Vec<usize> = (0..wanted.len()).collect();
    // Who is on his way goes on while the place is wanted.
    left.retain(|(key, attack)| {
        let kept = stacks[key]
            .iter()
            .filter_map(|p| before.get(&p.unit))
            .find_map(|h| wanted.iter().position(|&i| brief.goals[i].hex == *h));
        if let Some(k) = kept {
            sent[k] += attack;
            out.extend(stacks[key].iter().map(|p| (p.unit, wanted[k])));
        }
        kept.is_none()
    });
    open.retain(|&k| sent[k] < needs[k]);
    loop {
        let score = |&k: &usize| {
            let (turns, who) = force(brief, fields, wanted[k], needs[k], &stacks, &left)?;
            let worth = brief.goals[wanted[k]].worth.max(0.0);
            Some((worth / needs[k] * (-turns / (far * PATIENCE)).exp(), k, who))
        };
        let best = open.iter().filter_map(score).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, k, mut who)) = best else { break };
        open.retain(|&o| o != k);
        who.sort_unstable_by(|a, b| b.cmp(a));
        for i in who {
            let (key, attack) = left.remove(i);
            sent[k] += attack;
            out.extend(stacks[&key].iter().map(|p| (p.unit, wanted[k])));
        }
    }
    // The others go where they are drawn; a place that needs much draws less.
    for (key, attack) in left {
        let depth = far.sqrt() * if key.0 { FAST * DEPTH } else { DEPTH };
        let draws = |k: usize| {
            if sent[k] > ENOUGH * needs[k] {
                return LAST_RESORT;
            }
            let draw = fields.draw(brief, wanted[k], key.1, depth);
            draw * AT_LEAST / needs[k] / (1.0 + sent[k] / needs[k])
        };
        let best =
            (0..wanted.len()).map(|k| (draws(k), k)).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((_, k)) = best.filter(|(v, _)| *v > 0.0) {
            sent[k] += attack;
            out.extend(stacks[&key].iter().map(|p| (p.unit, wanted[k])));
        }
    }
    out
}

/// The nearest of the stacks still free that together have what a goal needs, and in how many turns the last of them is there.
fn force(
    brief: &Brief,
    fields: &Fields,
    goal: usize,
    needs: f64,
    stacks: &BTreeMap<Stack, Vec<&Piece>>,
    left: &[(Stack, f64)],
) -> Option<(f64, Vec<usize>)> {
    let turns = |key: &Stack| {
        let far = fields.to_goal[goal][key.1.ix()];
        let speed = stacks[key].iter().map(|p| p.speed).fold(f64::MAX, f64::min).max(1.0);
        if far == FAR { f64::MAX } else { f64::from(far) / (AGAINST * speed) }
    };
    let mut near: Vec<(f64, usize)> = left.iter().enumerate().map(|(i, (key, _))| (turns(key), i)).collect();
    near.retain(|(turns, _)| *turns <= brief.turns_left.min(foresight(brief) * AHEAD));
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut sum = 0.0;
    let mut who = Vec::new();
    for (turns, i) in near {
        sum += left[i].1;
        who.push(i);
        if sum >= needs {
            return Some((turns, who));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Terms};
    use std::collections::BTreeSet;
    use table::Side;

    /// The Axis before Fall Blau, and whom its lanes send where.
    fn blau() -> (Grid, Brief, Fields, BTreeMap<Unit, usize>) {
        let p = s42::S42::new().start(&Terms::of("blau"), None).unwrap_or_else(|f| panic!("{f}"));
        let counsel = p.counsel().expect("the game has a counsel");
        let brief = counsel.brief(&*p, Side::One);
        let grid = p.lexicon().grid().clone();
        let fields = Fields::read(&grid, &brief);
        let lanes = lanes(&grid, &brief, &fields, &BTreeMap::new());
        (grid, brief, fields, lanes)
    }

    #[test]
    fn who_stands_together_is_meant_for_the_same_place_and_it_is_the_enemys() {
        let (_, brief, _, lanes) = blau();
        let mut by_stack: BTreeMap<Stack, usize> = BTreeMap::new();
        for p in brief.pieces.iter().filter(|p| p.side == Side::One && p.hex.is_some()) {
            let Some(&goal) = lanes.get(&p.unit) else { continue };
            assert_eq!(brief.goals[goal].held, Side::Two);
            assert_eq!(*by_stack.entry((p.mobile, p.hex)).or_insert(goal), goal, "a stack is torn apart");
        }
        assert!(by_stack.len() > 10, "most of the army has a lane");
    }

    #[test]
    fn who_was_meant_for_a_place_stays_so_while_it_is_wanted() {
        let (grid, brief, fields, first) = blau();
        // Everyone who was meant for the first place is now meant for the last that anyone makes for.
        let (&from, &to) = (first.values().min().expect("lanes"), first.values().max().expect("lanes"));
        let before =
            first.iter().map(|(u, &g)| (*u, brief.goals[if g == from { to } else { g }].hex)).collect();
        let again = lanes(&grid, &brief, &fields, &before);
        assert!(first.iter().all(|(u, g)| again[u] == if *g == from { to } else { *g }));
        // A place that is taken is made for no longer.
        let mut taken = brief.clone();
        taken.goals[to].held = brief.side;
        assert!(lanes(&grid, &taken, &fields, &before).values().all(|g| *g != to));
    }

    #[test]
    fn an_army_does_not_run_to_one_place() {
        let (.., lanes) = blau();
        let places: BTreeSet<usize> = lanes.values().copied().collect();
        let most = places.iter().map(|g| lanes.values().filter(|l| *l == g).count()).max().unwrap_or(0);
        assert!(places.len() >= 4, "only {} places are made for", places.len());
        assert!(2 * most < lanes.len(), "{most} of {} units make for the same place", lanes.len());
    }
}
