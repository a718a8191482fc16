//! A few units as the bits of a word.

use serde::{Deserialize, Serialize};
use table::Unit;

/// A set of units; the drill has at most 32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Units(pub u32);

impl Units {
    /// As many units as fit.
    pub const MOST: usize = 32;
    /// None.
    pub const NONE: Units = Units(0);

    /// The first `n` units.
    pub fn all(n: usize) -> Units {
        Units(u32::MAX.checked_shr(32 - n.min(32) as u32).unwrap_or(0))
    }

    pub fn one(u: Unit) -> Units {
        Units(1 << (u.0 & 31))
    }

    pub fn has(self, u: Unit) -> bool {
        u.ix() < Units::MOST && self.0 & Units::one(u).0 != 0
    }

    #[must_use]
    pub fn with(self, u: Unit) -> Units {
        Units(self.0 | Units::one(u).0)
    }

    #[must_use]
    pub fn without(self, u: Unit) -> Units {
        Units(self.0 & !Units::one(u).0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The lowest unit.
    pub fn first(self) -> Option<Unit> {
        (self.0 != 0).then(|| Unit(self.0.trailing_zeros() as u16))
    }

    /// The units, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Unit> {
        let mut left = self;
        std::iter::from_fn(move || {
            let u = left.first()?;
            left = left.without(u);
            Some(u)
        })
    }
}

impl FromIterator<Unit> for Units {
    fn from_iter<I: IntoIterator<Item = Unit>>(units: I) -> Units {
        units.into_iter().fold(Units::NONE, Units::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_was_put_in_lowest_first() {
        let set: Units = [Unit(31), Unit(0), Unit(7)].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Unit(0), Unit(7), Unit(31)]);
        assert!(!set.without(Unit(7)).has(Unit(7)));
        assert!(!set.has(Unit(32)), "a unit beyond the set is not in it");
    }
}
