//! Lanes: which place each unit of the side that comes forward is meant for, so that not everyone runs to the same.

use super::field::Fields;
use game::{Brief, Piece};
use hex::Hex;
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

/// By unit of the side: the goal (its number in the brief) that it is meant for. Stacks stay together; the strong choose first, and what
/// is sent to a place makes it draw the others less.
pub(crate) fn lanes(brief: &Brief, fields: &Fields) -> BTreeMap<Unit, usize> {
    let wanted: Vec<usize> = (0..brief.goals.len()).filter(|&i| brief.goals[i].held != brief.side).collect();
    let needs: Vec<f64> = wanted
        .iter()
        .map(|&i| {
            let near = |h: &Hex| fields.to_goal[i][h.ix()] <= NEAR;
            let there: f64 = fields.foe_at.iter().filter(near).map(|h| f64::from(fields.foe[h.ix()])).sum();
            let h = brief.goals[i].hex.ix();
            let holds = f64::from(fields.foe[h] * brief.cover[h]);
            (NEEDS * there + GARRISON * holds).max(AT_LEAST)
        })
        .collect();
    let mut stacks: BTreeMap<(bool, Hex), Vec<&Piece>> = BTreeMap::new();
    for p in brief.pieces.iter().filter(|p| p.side == brief.side && p.hex.is_some() && p.attack > 0.0) {
        stacks.entry((p.mobile, p.hex)).or_default().push(p);
    }
    let mut order: Vec<((bool, Hex), f64)> =
        stacks.iter().map(|(k, s)| (*k, s.iter().map(|p| p.attack).sum())).collect();
    order.sort_by(|a, b| b.0.0.cmp(&a.0.0).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
    let mut sent = vec![0.0; wanted.len()];
    let mut out = BTreeMap::new();
    for (key, attack) in order {
        let depth = if key.0 { FAST * DEPTH } else { DEPTH };
        let draws = |k: usize| fields.draw(brief, wanted[k], key.1, depth) / (1.0 + sent[k] / needs[k]);
        let best =
            (0..wanted.len()).map(|k| (draws(k), k)).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((_, k)) = best.filter(|(v, _)| *v > 0.0) {
            sent[k] += attack;
            out.extend(stacks[&key].iter().map(|p| (p.unit, wanted[k])));
        }
    }
    out
}
