//! Overruns: enemies who are broken without a roll while others still move, so that these find the way open.

use super::mass::{Muster, options};
use super::plan::{Draft, Order, Task};
use game::{Piece, Stake};
use hex::{Hex, HexSet};
use std::collections::BTreeMap;

/// What each point of attack costs that an overrun uses up: those who make it do nothing else in the phase.
const PRICE: f64 = 0.08;
/// How much more it costs if it is mobile: others could go through the gap instead.
const FAST: f64 = 1.6;
/// No overrun takes more units than this.
const MOST: usize = 8;
/// How far those who made it come on afterwards, in hexes beyond the one they took.
const THROUGH: f64 = 3.0;
/// What it is worth, in steps, that a step flees.
const SHAKEN: f64 = 0.25;
/// Who has more defence than this, with what the ground adds, is not overrun.
const FIRM: f64 = 9.0;

/// An overrun: whom, and by which moves.
pub(crate) struct Overrun {
    pub target: Hex,
    pub orders: Vec<Order>,
}

/// The best overrun that can be had now, if one is worth what it uses up; `tried` are those that came to nothing.
pub(crate) fn overrun(draft: &Draft<'_>, tried: &[Hex]) -> Option<Overrun> {
    let desk = draft.desk;
    let (none, nowhere) = (BTreeMap::new(), HexSet::empty());
    let mut best: Option<(f64, Overrun)> = None;
    for (target, who) in options(draft) {
        let i = target.ix();
        let firm = f64::from(desk.fields.foe[i] * desk.brief.cover[i]);
        if tried.contains(&target) || firm > FIRM {
            continue;
        }
        let mut free: Vec<(Piece, &Vec<Hex>)> = who
            .iter()
            .filter(|(u, from)| draft.seat.get(u).is_none_or(|s| from.contains(s)))
            .filter_map(|(u, from)| desk.pieces.get(u).map(|q| (*q, from)))
            .collect();
        free.sort_by(|a, b| b.0.attack.total_cmp(&a.0.attack).then(a.0.unit.cmp(&b.0.unit)));
        let (fast, slow): (Vec<_>, Vec<_>) = free.into_iter().partition(|(p, _)| p.mobile);
        // The fewer fast units the better, but tanks may be what it takes.
        for tanks in 0..=fast.len().min(MOST) {
            let mut m = Muster::new(draft, &none, &nowhere, target);
            let group = fast.iter().take(tanks).chain(&slow).take(MOST);
            let mut sure = false;
            for (piece, from) in group {
                let seat = draft.seat.get(&piece.unit).copied();
                let Some(at) = seat.or_else(|| m.seat(piece, from)) else { continue };
                m.add(*piece, at);
                let units: Vec<_> = m.placed.iter().map(|(p, h)| (p.unit, *h)).collect();
                sure = desk.counsel.overruns(desk.world.position(), target, &units);
                if sure {
                    break;
                }
            }
            if !sure {
                continue;
            }
            let steps = f64::from(desk.fields.foe_steps[i]);
            let loss = 1.0 + SHAKEN * (steps - 1.0).max(0.0);
            let stake =
                Stake { attacker_loss: 0.0, defender_loss: loss.min(steps), taken: 1.0, through: THROUGH };
            let price = |p: &Piece| PRICE * p.attack * if p.mobile { FAST } else { 1.0 };
            let cost: f64 = m.placed.iter().map(|(p, _)| price(p)).sum();
            let gain = desk.gain(target, stake, 0.0) - cost;
            if gain > desk.style.least && best.as_ref().is_none_or(|(g, _)| gain > *g) {
                let moves = m.placed.iter().filter(|(p, at)| p.hex != *at);
                let orders = moves
                    .map(|(p, at)| Order { units: vec![p.unit], to: *at, task: Task::Assault, assault: None })
                    .collect();
                best = Some((gain, Overrun { target, orders }));
            }
            break;
        }
    }
    best.map(|(_, o)| o)
}
