//! The kinds of things that a board declares, and small numbers for them.

use serde::{Deserialize, Serialize};

/// Makes a small number that stands for a declared kind.
macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u8);

        impl $name {
            /// The number as an array index.
            #[inline]
            pub const fn ix(self) -> usize {
                self.0 as usize
            }
        }
    };
}

number!(
    /// A terrain, as an index into [`crate::Board::terrains`].
    Terrain
);
number!(
    /// A kind of hexside, as an index into [`crate::Board::hexside_kinds`].
    EdgeKind
);
number!(
    /// A kind of line, as an index into [`crate::Board::line_kinds_declared`].
    LineKind
);
number!(
    /// A kind of place, as an index into [`crate::Board::place_kinds`].
    PlaceKind
);
number!(
    /// A kind of border, as an index into [`crate::Board::border_kinds`].
    BorderKind
);

/// Makes a set of such numbers as the bits of a word.
macro_rules! numbers {
    ($(#[$doc:meta])* $set:ident of $kind:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $set(pub u16);

        impl $set {
            /// None at all.
            pub const EMPTY: $set = $set(0);

            /// Whether it holds the kind.
            #[inline]
            pub const fn has(self, kind: $kind) -> bool {
                self.0 >> kind.0 & 1 != 0
            }

            /// Whether it holds any kind that `other` holds.
            #[inline]
            pub const fn meets(self, other: $set) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether it holds nothing.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// This set with one kind more.
            #[must_use]
            #[inline]
            pub const fn with(self, kind: $kind) -> $set {
                $set(self.0 | 1 << kind.0)
            }

            /// The kinds in it, lowest first.
            pub fn iter(self) -> impl Iterator<Item = $kind> {
                (0..16).map($kind).filter(move |&k| self.has(k))
            }
        }

        impl FromIterator<$kind> for $set {
            fn from_iter<I: IntoIterator<Item = $kind>>(kinds: I) -> $set {
                kinds.into_iter().fold($set::EMPTY, $set::with)
            }
        }

        impl std::ops::BitOr for $set {
            type Output = $set;
            fn bitor(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }
        }
    };
}

numbers!(
    /// What a hexside has: a set of [`EdgeKind`].
    EdgeKinds of EdgeKind
);
numbers!(
    /// Which lines cross a hexside: a set of [`LineKind`].
    LineKinds of LineKind
);

/// The water that fills a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Water {
    /// Salt water.
    Sea,
    /// Fresh water.
    Lake,
}

/// A terrain that the board declares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TerrainEntry {
    /// What rules call it.
    pub name: String,
    /// What the legend calls it.
    pub label: String,
    /// How it is drawn.
    pub draw: String,
    /// Set if a hex of it is all water.
    pub water: Option<Water>,
    /// Whether anything may ever be there.
    pub playable: bool,
}

/// A kind of hexside that the board declares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HexsideEntry {
    /// What rules call it.
    pub name: String,
    /// What the legend calls it.
    pub label: String,
    /// How it is drawn.
    pub draw: String,
    /// Whether it is a watercourse, which must not end in the air.
    pub river: bool,
    /// Whether nobody crosses it.
    pub blocks: bool,
    /// Whether it lets one cross a hexside that blocks.
    pub crosses: bool,
}

/// A kind of line along hexes that the board declares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineEntry {
    /// What rules call it.
    pub name: String,
    /// What the legend calls it.
    pub label: String,
    /// How it is drawn.
    pub draw: String,
    /// Whether it runs on water.
    pub water: bool,
}

/// A kind of place that the board declares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaceEntry {
    /// What rules call it.
    pub name: String,
    /// What the legend calls it.
    pub label: String,
    /// How it is drawn.
    pub draw: String,
}

/// A kind of line along hexsides that the board declares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BorderEntry {
    /// What rules call it.
    pub name: String,
    /// What the legend calls it.
    pub label: String,
    /// How it is drawn.
    pub draw: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_kinds_holds_what_was_put_in() {
        let set: EdgeKinds = [EdgeKind(0), EdgeKind(15)].into_iter().collect();
        assert!(set.has(EdgeKind(0)) && set.has(EdgeKind(15)) && !set.has(EdgeKind(7)));
        assert!(set.meets(EdgeKinds::EMPTY.with(EdgeKind(15))));
        assert!(!set.meets(EdgeKinds::EMPTY.with(EdgeKind(3))));
        assert_eq!(set.iter().collect::<Vec<_>>(), [EdgeKind(0), EdgeKind(15)]);
    }
}
