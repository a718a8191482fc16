//! Sets of hexes as bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::block::wide;
use crate::{Dir, Grid, Hex};

/// Rows a grid may have: one word of a set each.
pub(crate) const ROWS: usize = 88;
/// Columns a grid may have: the bits of a word.
pub(crate) const COLUMNS: usize = 64;

/// A set of hexes, one bit each, held inline: cloning it copies 704 bytes and never allocates.
///
/// The operators `&`, `|`, `^` and `-` work on references, and in place with `&=`, `|=`, `^=` and `-=`.
///
/// ```
/// use hex::{Hex, HexSet};
/// # use verst_hex as hex;
/// let a: HexSet = [Hex(1), Hex(2)].into_iter().collect();
/// let b: HexSet = [Hex(2), Hex(3)].into_iter().collect();
/// assert_eq!((&a & &b).iter().collect::<Vec<_>>(), [Hex(2)]);
/// assert_eq!((&a | &b).count(), 3);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct HexSet {
    pub(crate) words: [u64; ROWS],
}

impl Default for HexSet {
    fn default() -> Self {
        Self::empty()
    }
}

impl HexSet {
    /// The set without hexes.
    pub const fn empty() -> HexSet {
        HexSet { words: [0; ROWS] }
    }

    /// Adds a hex; true if it was not there before. [`Hex::NONE`] is never added.
    #[inline]
    pub fn insert(&mut self, hex: Hex) -> bool {
        let Some(word) = self.words.get_mut(hex.ix() / COLUMNS) else { return false };
        let bit = 1 << (hex.ix() % COLUMNS);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes a hex out; true if it was there.
    #[inline]
    pub fn remove(&mut self, hex: Hex) -> bool {
        let Some(word) = self.words.get_mut(hex.ix() / COLUMNS) else { return false };
        let bit = 1 << (hex.ix() % COLUMNS);
        let old = *word & bit != 0;
        *word &= !bit;
        old
    }

    /// Adds or takes out a hex.
    #[inline]
    pub fn set(&mut self, hex: Hex, present: bool) {
        if present {
            self.insert(hex);
        } else {
            self.remove(hex);
        }
    }

    /// True if the hex is in the set.
    #[inline]
    pub fn contains(&self, hex: Hex) -> bool {
        self.words.get(hex.ix() / COLUMNS).is_some_and(|w| w >> (hex.ix() % COLUMNS) & 1 != 0)
    }

    /// How many hexes are in the set.
    pub fn count(&self) -> usize {
        wide(Count(&self.words))
    }

    /// True if no hex is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().fold(0, |a, w| a | w) == 0
    }

    /// Takes out all hexes.
    pub fn clear(&mut self) {
        self.words = [0; ROWS];
    }

    /// True if the two sets share a hex.
    pub fn meets(&self, other: &HexSet) -> bool {
        self.words.iter().zip(&other.words).fold(0, |a, (x, y)| a | (x & y)) != 0
    }

    /// True if every hex of this set is in the other.
    pub fn is_subset(&self, other: &HexSet) -> bool {
        self.words.iter().zip(&other.words).fold(0, |a, (x, y)| a | (x & !y)) == 0
    }

    /// The hexes in order of their number.
    pub fn iter(&self) -> Iter<'_> {
        Iter { words: &self.words, at: 0, word: self.words[0] }
    }

    /// The hex with the lowest number.
    pub fn first(&self) -> Option<Hex> {
        self.iter().next()
    }

    /// The hex at a place in the order of [`HexSet::iter`], for a fair draw among the hexes of a set.
    pub fn nth(&self, mut place: usize) -> Option<Hex> {
        for (row, &word) in self.words.iter().enumerate() {
            let here = word.count_ones() as usize;
            if place < here {
                let mut word = word;
                for _ in 0..place {
                    word &= word - 1;
                }
                return Some(Hex((row * COLUMNS) as u16 + word.trailing_zeros() as u16));
            }
            place -= here;
        }
        None
    }

    /// All neighbours on the grid of the hexes of this set; a hex of the set is in the answer only if a neighbour of
    /// it is in the set too. The zone of control of a set of units.
    pub fn dilate(&self, grid: &Grid) -> HexSet {
        let mut out = HexSet::empty();
        self.dilate_into(grid, &mut out);
        out
    }

    /// As [`HexSet::dilate`], into a set that the caller keeps.
    pub fn dilate_into(&self, grid: &Grid, out: &mut HexSet) {
        // A lower column touches its own row and the next one in the columns beside it; an upper one its own row
        // and the one before.
        let lower = grid.lower_bits();
        let spread = |w: u64| (w << 1) | (w >> 1);
        let all = &grid.all().words;
        let mut padded = [0; ROWS + 2];
        padded[1..=ROWS].copy_from_slice(&self.words);
        for (row, (out, all)) in out.words.iter_mut().zip(all).enumerate() {
            let (above, here, below) = (padded[row], padded[row + 1], padded[row + 2]);
            *out = (above | below | spread(here | (above & lower) | (below & !lower))) & all;
        }
    }

    /// The hexes one step away in one direction; steps off the grid are lost.
    pub fn step(&self, grid: &Grid, dir: Dir) -> HexSet {
        let lower = grid.lower_bits();
        let at = |row: usize| self.words.get(row).copied().unwrap_or(0);
        let mut out = HexSet::empty();
        for row in 0..ROWS {
            let (above, here, below) = (at(row.wrapping_sub(1)), at(row), at(row + 1));
            let northward = (below & !lower) | (here & lower);
            let southward = (here & !lower) | (above & lower);
            let word = match dir {
                Dir::N => below,
                Dir::Ne => northward << 1,
                Dir::Se => southward << 1,
                Dir::S => above,
                Dir::Sw => southward >> 1,
                Dir::Nw => northward >> 1,
            };
            out.words[row] = word & grid.all().words[row];
        }
        out
    }

    #[inline]
    fn zip(mut self, other: &HexSet, f: impl Fn(u64, u64) -> u64) -> HexSet {
        self.zip_in(other, f);
        self
    }

    #[inline]
    fn zip_in(&mut self, other: &HexSet, f: impl Fn(u64, u64) -> u64) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a = f(*a, *b);
        }
    }
}

/// Counts bits, which recent processors do in one instruction.
struct Count<'a>(&'a [u64; ROWS]);

impl pulp::NullaryFnOnce for Count<'_> {
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let mut sum = 0;
        for word in self.0 {
            sum += word.count_ones() as usize;
        }
        sum
    }
}

macro_rules! operator {
    ($trait:ident $fn:ident, $in:ident $fn_in:ident, $f:expr) => {
        impl $trait<&HexSet> for &HexSet {
            type Output = HexSet;
            fn $fn(self, other: &HexSet) -> HexSet {
                self.clone().zip(other, $f)
            }
        }
        impl $trait<&HexSet> for HexSet {
            type Output = HexSet;
            fn $fn(self, other: &HexSet) -> HexSet {
                self.zip(other, $f)
            }
        }
        impl $trait for HexSet {
            type Output = HexSet;
            fn $fn(self, other: HexSet) -> HexSet {
                self.zip(&other, $f)
            }
        }
        impl $in<&HexSet> for HexSet {
            fn $fn_in(&mut self, other: &HexSet) {
                self.zip_in(other, $f);
            }
        }
        impl $in for HexSet {
            fn $fn_in(&mut self, other: HexSet) {
                self.zip_in(&other, $f);
            }
        }
    };
}
operator!(BitAnd bitand, BitAndAssign bitand_assign, |a, b| a & b);
operator!(BitOr bitor, BitOrAssign bitor_assign, |a, b| a | b);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, |a, b| a ^ b);
operator!(Sub sub, SubAssign sub_assign, |a, b| a & !b);

impl FromIterator<Hex> for HexSet {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> HexSet {
        let mut set = HexSet::empty();
        set.extend(hexes);
        set
    }
}

impl Extend<Hex> for HexSet {
    fn extend<I: IntoIterator<Item = Hex>>(&mut self, hexes: I) {
        for hex in hexes {
            self.insert(hex);
        }
    }
}

impl<'a> IntoIterator for &'a HexSet {
    type Item = Hex;
    type IntoIter = Iter<'a>;
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl std::fmt::Debug for HexSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(|h| h.0)).finish()
    }
}

/// The hexes of a set in order of their number.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    words: &'a [u64; ROWS],
    at: usize,
    word: u64,
}

impl Iterator for Iter<'_> {
    type Item = Hex;

    #[inline]
    fn next(&mut self) -> Option<Hex> {
        while self.word == 0 {
            self.at += 1;
            self.word = *self.words.get(self.at)?;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(Hex((self.at * COLUMNS + bit) as u16))
    }
}

/// Written as the list of its hexes, so that a saved set can be read by eye.
impl Serialize for HexSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The count is written first: the compact formats need the length in advance.
        use serde::ser::SerializeSeq;
        let mut seq = serializer.serialize_seq(Some(self.count()))?;
        for hex in self {
            seq.serialize_element(&hex)?;
        }
        seq.end()
    }
}

impl<'de> Deserialize<'de> for HexSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HexSet, D::Error> {
        let mut set = HexSet::empty();
        for hex in Vec::<Hex>::deserialize(deserializer)? {
            if hex.ix() >= ROWS * COLUMNS {
                return Err(D::Error::custom(format!(
                    "{} is not the number of a hex: at most {}",
                    hex.0,
                    ROWS * COLUMNS - 1
                )));
            }
            set.insert(hex);
        }
        Ok(set)
    }
}
