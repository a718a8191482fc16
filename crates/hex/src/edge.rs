//! Hexsides, each with one name.

use serde::{Deserialize, Serialize};

use crate::{Dir, Grid, Hex};

/// The side between two hexes of the grid, stored on the hex that has it to its N, NE or SE, so that it has one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edge {
    hex: Hex,
    dir: Dir,
}

impl Edge {
    /// The side of a hex in a direction, or none if there is no hex beyond it.
    pub fn new(grid: &Grid, hex: Hex, dir: Dir) -> Option<Edge> {
        let beyond = grid.neighbour(hex, dir)?;
        Some(if dir.ix() < 3 { Edge { hex, dir } } else { Edge { hex: beyond, dir: dir.opposite() } })
    }

    /// The side between two hexes, or none if they do not touch.
    pub fn between(grid: &Grid, a: Hex, b: Hex) -> Option<Edge> {
        Edge::new(grid, a, grid.dir(a, b)?)
    }

    /// Reads `2608N/2707N`, in either order.
    pub fn read(grid: &Grid, text: &str) -> Option<Edge> {
        let (a, b) = text.split_once('/')?;
        Edge::between(grid, grid.find(a.trim())?, grid.find(b.trim())?)
    }

    /// The hex on which the side is stored.
    #[inline]
    pub const fn hex(self) -> Hex {
        self.hex
    }

    /// The direction of the side from [`Edge::hex`]: N, NE or SE.
    #[inline]
    pub const fn dir(self) -> Dir {
        self.dir
    }

    /// The two hexes that share the side, the one of [`Edge::hex`] first.
    pub fn hexes(self, grid: &Grid) -> (Hex, Hex) {
        (self.hex, grid.neighbour(self.hex, self.dir).unwrap_or(Hex::NONE))
    }

    /// A dense index for arrays of [`Grid::edge_len`] places.
    #[inline]
    pub const fn ix(self) -> usize {
        self.hex.ix() * 3 + self.dir.ix()
    }

    /// The name of the side: its two hexes, the lower number first, as in `2608N/2707N`.
    pub fn name(self, grid: &Grid) -> String {
        let (a, b) = self.hexes(grid);
        let (a, b) = (grid.name(a), grid.name(b));
        if a <= b { format!("{a}/{b}") } else { format!("{b}/{a}") }
    }
}
