//! 3.3 and 3.4: what the Soviet set-up owes to the border, the towns and the hexrows.

use crate::state::Pos;
use crate::units::Comes;
use hex::{Hex, HexSet};
use table::{Side, Unit};

/// What a zone still owes (3.3, 3.4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owed {
    /// How many units the strictures still need.
    pub units: usize,
    /// Where they could go.
    pub hexes: HexSet,
}

/// What a zone owes, and enough beside it to say of any hex whether a unit there pays some of it.
#[derive(Clone, Debug, Default)]
pub struct Strictures {
    /// What is owed.
    pub owed: Owed,
    interior: bool,
    /// Hexes that must each have a unit.
    must: HexSet,
    /// Frontier: hexes held, or to be held because they must.
    held: HexSet,
    /// Frontier: units owed to pairs of border hexes.
    pairs: usize,
}

impl Pos {
    /// The zone of a Soviet token in the set-up.
    pub fn zone_of(&self, u: Unit) -> Option<&HexSet> {
        match self.info(u).comes {
            Comes::Frontier => Some(&self.data.map.frontier),
            Comes::Interior => Some(&self.data.map.interior),
            _ => None,
        }
    }

    /// What a zone owes, with one more unit on a hex.
    pub fn strictures(&self, interior: bool, more: Option<Hex>) -> Strictures {
        if interior { self.interior_owed(more) } else { self.frontier_owed(more) }
    }

    /// 3.3: hexes of the Frontier Zone that still need a unit.
    fn frontier_owed(&self, more: Option<Hex>) -> Strictures {
        let m = &self.data.map;
        let mut there = self.s.stacks.occupied(Side::Two).clone();
        if let Some(h) = more {
            there.insert(h);
        }
        let must = &(&m.border | &(&m.held & &m.frontier)) - &there;
        let held = &there | &must;
        let mut owed = Owed { units: must.count(), hexes: must.clone() };
        let pairs = self.open_pairs(held.clone(), |a, b| {
            owed.hexes.insert(a);
            owed.hexes.insert(b);
        });
        owed.units += pairs;
        Strictures { owed, interior: false, must, held, pairs }
    }

    /// Every other hex: of two neighbours along the border one must be held. Taking the later of each open pair in order needs
    /// the fewest units on a line.
    fn open_pairs(&self, mut held: HexSet, mut visit: impl FnMut(Hex, Hex)) -> usize {
        let mut units = 0;
        for &(a, b) in &self.data.map.alternate_pairs {
            if !held.contains(a) && !held.contains(b) {
                units += 1;
                visit(a, b);
                held.insert(b);
            }
        }
        units
    }

    /// 3.4: hexrows and towns of the Interior Zone that still need units.
    fn interior_owed(&self, more: Option<Hex>) -> Strictures {
        let m = &self.data.map;
        let grid = m.grid();
        let there = self.s.stacks.occupied(Side::Two);
        let mut count = [0usize; 64];
        let mut open = [0usize; 64];
        for h in &(there & &m.interior) {
            count[usize::from(grid.column(h))] += self.s.stacks.height(h);
        }
        if let Some(h) = more {
            count[usize::from(grid.column(h))] += 1;
        }
        let mut towns = HexSet::empty();
        for h in &(&m.held & &m.interior) {
            if !there.contains(h) && more != Some(h) {
                open[usize::from(grid.column(h))] += 1;
                towns.insert(h);
            }
        }
        let least = self.data.charts.numbers.interior_units_in_a_hexrow as usize;
        let mut owed = Owed { units: 0, hexes: towns.clone() };
        for (column, hexes) in &m.interior_rows {
            let c = usize::from(*column);
            let row = least.saturating_sub(count[c]);
            owed.units += row.max(open[c]);
            if row > open[c] {
                owed.hexes |= hexes;
            }
        }
        Strictures { owed, interior: true, must: towns, ..Strictures::default() }
    }

    /// Whether one more unit fits on a hex.
    pub fn has_room(&self, u: Unit, h: Hex) -> bool {
        let load = self.load_of(std::iter::once(u));
        self.fits(&self.load_with(h, &load, &[]), h)
    }

    /// Whether a token may go to a hex while so many of its zone are left: anywhere with room while units are to spare, else
    /// only where one is owed.
    pub fn may_hold_token(&self, u: Unit, h: Hex, left: usize) -> bool {
        let strictures = self.strictures(self.info(u).comes == Comes::Interior, None);
        self.zone_of(u).is_some_and(|z| z.contains(h))
            && self.has_room(u, h)
            && (left > strictures.owed.units || strictures.helps(self, h))
    }

    /// All hexes where a token may go.
    pub fn token_hexes(&self, u: Unit, left: usize) -> HexSet {
        let Some(zone) = self.zone_of(u) else { return HexSet::empty() };
        let strictures = self.strictures(self.info(u).comes == Comes::Interior, None);
        let there = self.s.stacks.occupied(Side::Two);
        if left > strictures.owed.units {
            let mut set = zone - there;
            for h in (zone & there).iter().filter(|&h| self.has_room(u, h)) {
                set.insert(h);
            }
            return set;
        }
        let owed = &strictures.owed.hexes & zone;
        owed.iter().filter(|&h| self.has_room(u, h) && strictures.helps(self, h)).collect()
    }
}

impl Strictures {
    /// Whether a unit on a hex would leave less owed.
    pub fn helps(&self, p: &Pos, h: Hex) -> bool {
        if self.interior || self.must.contains(h) {
            // A town that stands empty, or a hexrow that is short of more units than its empty towns take.
            return self.owed.hexes.contains(h);
        }
        if !self.owed.hexes.contains(h) {
            return false;
        }
        let mut held = self.held.clone();
        held.insert(h);
        p.open_pairs(held, |_, _| {}) < self.pairs
    }
}
