//! What the rules ask of a unit by the million, in a few bytes: printed facts drawn together from the counters.

use crate::stacking::Load;
use crate::units::{Class, Info, Nation, trait_};
use table::{Side, Unit};

/// Printed facts of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Badge {
    /// Whose.
    pub side: Side,
    /// Nation for the rules.
    pub nation: Nation,
    /// Movement class.
    pub class: Class,
    /// Whether its face is drawn from a pool (2.15).
    pub drawn: bool,
    /// Bits, see [`trait_`].
    pub traits: u32,
    /// What it adds to a stack (6.3, 7.1).
    pub load: Load,
    /// Movement factor by steps left; for a unit whose face is drawn, that of its untried side.
    mp: [u8; 5],
}

impl Badge {
    /// The badge of a unit; `untried` is the movement factor of its pool.
    pub fn of(info: &Info, untried: u8) -> Badge {
        let drawn = info.faces.is_empty();
        let mut mp = [untried; 5];
        if !drawn {
            for (steps, mp) in mp.iter_mut().enumerate() {
                let lost = info.faces.len().saturating_sub(steps);
                *mp = info.faces.get(lost).map_or(0, |f| f.movement);
            }
        }
        let nation = |n: Nation| u16::from(info.nation == n);
        let load = Load {
            quarters: info.quarters.into(),
            small: u16::from(info.traits & trait_::SMALL != 0),
            germans: nation(Nation::German),
            romanians: nation(Nation::Romanian),
            hungarians: nation(Nation::Hungarian),
            italians: nation(Nation::Italian),
        };
        let Info { nation, class, traits, .. } = *info;
        Badge { side: info.side, nation, class, drawn, traits, load, mp }
    }

    /// 2.13: the movement factor with so many steps left.
    #[inline]
    pub fn movement(&self, steps: u8) -> u8 {
        self.mp[usize::from(steps).min(4)]
    }
}

/// Units as bits, for lists that are asked for at every decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSet {
    words: Vec<u64>,
}

impl UnitSet {
    /// An empty set with room for so many units.
    pub fn new(units: usize) -> UnitSet {
        UnitSet { words: vec![0; units.div_ceil(64)] }
    }

    /// Adds a unit or takes it out.
    #[inline]
    pub fn set(&mut self, u: Unit, present: bool) {
        if let Some(word) = self.words.get_mut(u.ix() / 64) {
            let bit = 1 << (u.ix() % 64);
            *word = if present { *word | bit } else { *word & !bit };
        }
    }

    /// Whether a unit is in the set.
    #[inline]
    pub fn contains(&self, u: Unit) -> bool {
        self.words.get(u.ix() / 64).is_some_and(|w| w >> (u.ix() % 64) & 1 != 0)
    }

    /// Takes all units out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Its units in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Unit> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(Unit((i * 64) as u16 + bit as u16))
            })
        })
    }

    /// Becomes a copy of another set in the memory that is there.
    pub fn copy(&mut self, o: &UnitSet) {
        self.words.clone_from(&o.words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_lists_what_was_put_in_and_not_taken_out() {
        let mut s = UnitSet::new(200);
        for n in [0, 63, 64, 130, 199] {
            s.set(Unit(n), true);
        }
        s.set(Unit(64), false);
        assert_eq!(s.iter().map(|u| u.0).collect::<Vec<_>>(), [0, 63, 130, 199]);
        assert_eq!((s.count(), s.contains(Unit(130)), s.contains(Unit(64))), (4, true, false));
    }
}
