//! Sections 6 and 7: how many units a hex holds, and which may share it.

use crate::state::Pos;
use game::Illegal;
use hex::Hex;
use table::{Points, Rule, Side, Subject, Sum, Unit};
use text::count;

/// What lies or would lie on a hex, counted for the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// In quarters of a unit (6.3).
    pub quarters: u16,
    /// Battalions and regiments (6.3).
    pub small: u16,
    /// German units, those of 7.5 included.
    pub germans: u16,
    /// Romanians.
    pub romanians: u16,
    /// Hungarians.
    pub hungarians: u16,
    /// Italians.
    pub italians: u16,
}

impl Load {
    /// This load and another together.
    pub fn and(&self, o: &Load) -> Load {
        Load {
            quarters: self.quarters + o.quarters,
            small: self.small + o.small,
            germans: self.germans + o.germans,
            romanians: self.romanians + o.romanians,
            hungarians: self.hungarians + o.hungarians,
            italians: self.italians + o.italians,
        }
    }
}

impl Pos {
    /// Counts a unit into a load.
    #[inline]
    pub fn load_unit(&self, load: &mut Load, u: Unit) {
        let add = &self.data.badges[u.ix()].load;
        load.quarters += if self.options.beginner { 4 } else { add.quarters };
        load.small += add.small;
        load.germans += add.germans;
        load.romanians += add.romanians;
        load.hungarians += add.hungarians;
        load.italians += add.italians;
    }

    /// The load of some units.
    pub fn load_of(&self, units: impl Iterator<Item = Unit>) -> Load {
        let mut load = Load::default();
        for u in units {
            self.load_unit(&mut load, u);
        }
        load
    }

    /// 6.1, 6.5: the limit of a hex in quarters.
    #[inline]
    pub fn limit(&self, h: Hex) -> u16 {
        if self.options.beginner { self.data.limit } else { self.data.limits[h.ix()] }
    }

    /// Whether a load may lie on a hex.
    #[inline]
    pub fn fits(&self, load: &Load, h: Hex) -> bool {
        load.quarters <= self.limit(h) && self.allied(load)
    }

    /// 6.3 and 7.1-7.4 without the size of the hex.
    pub fn allied(&self, l: &Load) -> bool {
        if self.options.beginner {
            return true;
        }
        let n = &self.data.charts.numbers;
        let kinds = u16::from(l.romanians > 0) + u16::from(l.hungarians > 0) + u16::from(l.italians > 0);
        l.small <= n.small_units_in_a_hex as u16
            && kinds <= 1
            && (l.romanians == 0 || l.germans <= n.germans_with_romanians as u16)
            && (l.italians == 0 || l.germans <= n.germans_with_italians as u16)
    }

    /// The load of a hex with units added to those of the same side that lie there already.
    pub fn load_with(&self, h: Hex, add: &Load, skip: &[Unit]) -> Load {
        let mut load = *add;
        for u in self.at(h) {
            if !skip.contains(&u) {
                self.load_unit(&mut load, u);
            }
        }
        load
    }

    /// Why a load may not lie on a hex.
    pub fn why_overfull(&self, load: &Load, h: Hex) -> Option<Illegal> {
        if self.fits(load, h) {
            return None;
        }
        let name = self.data.map.called(h);
        let limit = self.limit(h);
        if load.quarters > limit {
            let mut sum = Sum::new();
            sum.add(Rule("6.1"), "units in the hex", Subject::Hex(h), Points::quarters(load.quarters.into()));
            let (rule, limit) = (if limit > 20 { "6.5" } else { "6.1" }, Points::quarters(limit.into()));
            return Some(
                Illegal::new(Rule(rule), format!("{name} holds at most {}", count(limit, "unit")))
                    .because(sum),
            );
        }
        let n = &self.data.charts.numbers;
        if load.small > n.small_units_in_a_hex as u16 {
            let why = format!("{name} holds at most {} battalions and regiments", n.small_units_in_a_hex);
            return Some(Illegal::new(Rule("6.3"), why));
        }
        let (rule, why) = if load.romanians > 0 && load.germans > n.germans_with_romanians as u16 {
            ("7.3", "only one German unit may stack with Romanians")
        } else if load.italians > 0 && load.germans > n.germans_with_italians as u16 {
            ("7.2", "only one German unit may stack with Italians")
        } else {
            ("7.1", "Romanians, Hungarians and Italians do not stack together")
        };
        Some(Illegal::new(Rule(rule), format!("{name}: {why}")))
    }

    /// 6.2: a hex of a side that is over its limit, if any.
    pub fn overfull(&self, side: Side) -> Option<Hex> {
        let full = |h: &Hex| {
            let load = self.load_of(self.at(*h));
            !self.fits(&load, *h)
        };
        self.s.stacks.occupied(side).iter().find(full)
    }
}
