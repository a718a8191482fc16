//! The terms of a move.

use crate::{Costs, Dir, Grid, Hex, HexSet, Route};

static NOWHERE: HexSet = HexSet::empty();

/// One move to be worked out: from where, with how many ticks, and what stands in the way.
///
/// Starts are exempt from `blocked` and may leave `stop`. Hexes of `zoc` cost `zoc_enter` ticks more to enter and
/// `zoc_leave` more to leave, and if `zoc_to_zoc` is false no step leads from one of them straight into another.
#[derive(Clone, Copy, Debug)]
pub struct March<'a> {
    /// Where the move begins; the nearest of several counts.
    pub starts: &'a [Hex],
    /// The ticks to spend.
    pub budget: u16,
    /// Hexes that may not be entered.
    pub blocked: &'a HexSet,
    /// Hexes that may be entered but not left.
    pub stop: &'a HexSet,
    /// Hexes with the surcharges below.
    pub zoc: &'a HexSet,
    /// Ticks more to enter a hex of `zoc`.
    pub zoc_enter: u16,
    /// Ticks more to leave a hex of `zoc`.
    pub zoc_leave: u16,
    /// True if a step may lead from a hex of `zoc` into another.
    pub zoc_to_zoc: bool,
}

impl<'a> March<'a> {
    /// A move with nothing in the way.
    pub fn new(starts: &'a [Hex], budget: u16) -> March<'a> {
        March {
            starts,
            budget,
            blocked: &NOWHERE,
            stop: &NOWHERE,
            zoc: &NOWHERE,
            zoc_enter: 0,
            zoc_leave: 0,
            zoc_to_zoc: true,
        }
    }

    /// True if hexes of `zoc` are treated unlike others.
    pub(crate) fn surcharge(&self) -> bool {
        self.zoc_enter > 0 || self.zoc_leave > 0 || !self.zoc_to_zoc
    }

    /// The ticks of one step of this move, or none if it is not allowed.
    pub fn step(&self, grid: &Grid, costs: &Costs, from: Hex, dir: Dir) -> Option<u16> {
        let to = grid.neighbour(from, dir)?;
        let (out, into) = (self.zoc.contains(from), self.zoc.contains(to));
        let stuck = self.stop.contains(from) && !self.starts.contains(&from);
        if stuck || self.blocked.contains(to) || (out && into && !self.zoc_to_zoc) {
            return None;
        }
        let extra = if out { self.zoc_leave } else { 0 } + if into { self.zoc_enter } else { 0 };
        Some(costs.step(from, dir)? + extra)
    }

    /// The ticks of a whole route under the terms of this move, or none if a step is not allowed or it begins
    /// elsewhere. The budget is not asked.
    pub fn price(&self, grid: &Grid, costs: &Costs, route: Route) -> Option<u16> {
        if !self.starts.contains(&route.start()) {
            return None;
        }
        let mut at = route.start();
        let mut sum = 0u16;
        for (i, dir) in route.dirs().enumerate() {
            if i > 0 && self.stop.contains(at) {
                return None;
            }
            sum = sum.checked_add(self.step(grid, costs, at, dir)?)?;
            at = grid.neighbour(at, dir)?;
        }
        Some(sum)
    }
}
