//! A hex as a number, and the six ways out of it.

use serde::{Deserialize, Serialize};

/// A hex: the index of its place in every array and of its bit in every [`HexSet`](crate::HexSet).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hex(pub u16);

impl Hex {
    /// No hex at all; never on a grid.
    pub const NONE: Hex = Hex(u16::MAX);

    /// The hex as an array index.
    #[inline]
    pub const fn ix(self) -> usize {
        self.0 as usize
    }

    /// False for [`Hex::NONE`].
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != u16::MAX
    }
}

/// The six directions of a flat-topped grid, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Dir {
    /// Up the column.
    N,
    /// Up and to the right.
    Ne,
    /// Down and to the right.
    Se,
    /// Down the column.
    S,
    /// Down and to the left.
    Sw,
    /// Up and to the left.
    Nw,
}

impl Dir {
    /// All six, clockwise from north.
    pub const ALL: [Dir; 6] = [Dir::N, Dir::Ne, Dir::Se, Dir::S, Dir::Sw, Dir::Nw];

    /// The direction as an array index, 0 for north to 5 for north-west.
    #[inline]
    pub const fn ix(self) -> usize {
        self as usize
    }

    /// The direction with that index, counted round the clock (6 is north again).
    #[inline]
    pub const fn from_ix(ix: usize) -> Dir {
        Dir::ALL[ix % 6]
    }

    /// The way back.
    #[inline]
    pub const fn opposite(self) -> Dir {
        Dir::from_ix(self.ix() + 3)
    }

    /// The next direction clockwise.
    #[inline]
    pub const fn clockwise(self) -> Dir {
        Dir::from_ix(self.ix() + 1)
    }

    /// The next direction anticlockwise.
    #[inline]
    pub const fn anticlockwise(self) -> Dir {
        Dir::from_ix(self.ix() + 5)
    }

    /// The usual abbreviation: N, NE, SE, S, SW, NW.
    pub const fn abbreviation(self) -> &'static str {
        ["N", "NE", "SE", "S", "SW", "NW"][self.ix()]
    }
}

impl std::fmt::Display for Dir {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.abbreviation())
    }
}
