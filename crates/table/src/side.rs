//! The two sides of a game, and the number of a rule.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Index, IndexMut};

/// One of the two sides of a game; which nation that is, the game says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that moves first in the ordinary sequence.
    One,
    /// Its opponent.
    Two,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::One, Side::Two];

    /// The other side.
    pub fn foe(self) -> Side {
        match self {
            Side::One => Side::Two,
            Side::Two => Side::One,
        }
    }

    /// 0 or 1, for arrays.
    pub fn ix(self) -> usize {
        self as usize
    }
}

/// One value for each side, indexed by [`Side`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sided<T>(pub [T; 2]);

impl<T> Index<Side> for Sided<T> {
    type Output = T;
    fn index(&self, s: Side) -> &T {
        &self.0[s.ix()]
    }
}

impl<T> IndexMut<Side> for Sided<T> {
    fn index_mut(&mut self, s: Side) -> &mut T {
        &mut self.0[s.ix()]
    }
}

/// The number of a rule in its rulebook: what a player looks up when he disputes something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Rule(pub &'static str);

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {}", self.0)
    }
}
