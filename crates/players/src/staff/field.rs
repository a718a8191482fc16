//! The situation as fields over the map: who is strong where, what threatens what, how far it is to every place.

use game::{Brief, Piece};
use hex::{Grid, Hex, HexSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Farther than any path.
pub(crate) const FAR: u16 = u16::MAX;

/// Fields by hex, for the side of the brief.
pub(crate) struct Fields {
    /// Own defence on a hex.
    pub own: Vec<f32>,
    /// Enemy defence on a hex, before the ground helps.
    pub foe: Vec<f32>,
    /// Steps and strength of the enemy on a hex.
    pub foe_steps: Vec<f32>,
    /// Enemy defence on a hex that is in supply.
    pub foe_fed: Vec<f32>,
    /// Enemy attack that could be brought against a hex next time, with less counted from afar.
    pub threat: Vec<f32>,
    /// Hexes with own and with enemy units.
    pub own_at: HexSet,
    /// See above.
    pub foe_at: HexSet,
    /// Steps on land from the nearest enemy.
    pub from_foe: Vec<u16>,
    /// By goal of the brief: steps on land to it.
    pub to_goal: Vec<Rc<[u16]>>,
}

impl Fields {
    /// Reads a brief.
    pub fn read(grid: &Grid, brief: &Brief) -> Fields {
        let n = grid.len();
        let mut f = Fields {
            own: vec![0.0; n],
            foe: vec![0.0; n],
            foe_steps: vec![0.0; n],
            foe_fed: vec![0.0; n],
            threat: vec![0.0; n],
            own_at: HexSet::empty(),
            foe_at: HexSet::empty(),
            from_foe: Vec::new(),
            to_goal: Vec::new(),
        };
        for p in brief.pieces.iter().filter(|p| p.hex.is_some()) {
            let i = p.hex.ix();
            if p.side == brief.side {
                f.own[i] += p.defence as f32;
                f.own_at.insert(p.hex);
            } else {
                f.foe[i] += p.defence as f32;
                f.foe_steps[i] += p.steps as f32;
                f.foe_at.insert(p.hex);
                if p.supplied {
                    f.foe_fed[i] += p.defence as f32;
                }
            }
        }
        // Stacks spread their threat once, by their slower and their faster part.
        let mut stacks: BTreeMap<(Hex, u8), f64> = BTreeMap::new();
        for p in brief.pieces.iter().filter(|p| p.side != brief.side && p.hex.is_some()) {
            *stacks.entry((p.hex, p.speed.round() as u8)).or_default() += p.attack;
        }
        for ((hex, speed), attack) in stacks {
            let reach = u32::from(speed.max(1)) + 1;
            for h in grid.range(hex, reach) {
                let d = grid.distance(hex, h) as f32;
                f.threat[h.ix()] += attack as f32 * (1.0 - 0.6 * d / (reach as f32 + 1.0));
            }
        }
        f.from_foe = steps_from(grid, &brief.land, &f.foe_at);
        f.to_goal = ways(grid, &brief.land, brief.goals.iter().map(|g| g.hex));
        f
    }
}

/// Steps on land to single hexes. Land does not change while a game is played, so each thread keeps them.
struct Ways {
    grid: *const Grid,
    land: HexSet,
    to: BTreeMap<Hex, Rc<[u16]>>,
}

thread_local! {
    static WAYS: RefCell<Option<Ways>> = const { RefCell::new(None) };
}

/// For each of some hexes, the steps on land to it.
pub(crate) fn ways(grid: &Grid, land: &HexSet, goals: impl Iterator<Item = Hex>) -> Vec<Rc<[u16]>> {
    WAYS.with_borrow_mut(|kept| {
        let same = |w: &Ways| std::ptr::eq(w.grid, grid) && w.land == *land;
        if !kept.as_ref().is_some_and(same) {
            *kept = Some(Ways { grid, land: land.clone(), to: BTreeMap::new() });
        }
        let Some(kept) = kept else { return Vec::new() };
        let read = |h: Hex| {
            let mut one = HexSet::empty();
            one.insert(h);
            Rc::from(steps_from(grid, land, &one))
        };
        goals.map(|h| Rc::clone(kept.to.entry(h).or_insert_with(|| read(h)))).collect()
    })
}

impl Fields {
    /// How much a goal of a brief draws who stands on a hex: the root of its worth, falling with the distance.
    pub fn draw(&self, brief: &Brief, goal: usize, h: Hex, depth: f64) -> f64 {
        let far = self.to_goal[goal][h.ix()];
        let worth = brief.goals[goal].worth.max(0.0).sqrt();
        if far == FAR { 0.0 } else { worth * (-f64::from(far) / depth).exp() }
    }
}

/// Steps on land from the nearest hex of a set.
pub(crate) fn steps_from(grid: &Grid, land: &HexSet, from: &HexSet) -> Vec<u16> {
    let mut out = vec![FAR; grid.len()];
    let mut queue = VecDeque::new();
    for h in from {
        out[h.ix()] = 0;
        queue.push_back(h);
    }
    while let Some(h) = queue.pop_front() {
        let d = out[h.ix()] + 1;
        for (_, n) in grid.neighbours(h) {
            if out[n.ix()] == FAR && land.contains(n) {
                out[n.ix()] = d;
                queue.push_back(n);
            }
        }
    }
    out
}

/// The strength that a step of some units is worth: half of attack and defence, by step.
pub(crate) fn step_worth<'a>(pieces: impl Iterator<Item = &'a Piece>) -> f64 {
    let (mut worth, mut steps) = (0.0, 0.0);
    for p in pieces {
        worth += (p.attack + p.defence) / 2.0;
        steps += p.steps;
    }
    if steps > 0.0 { worth / steps } else { 0.0 }
}
