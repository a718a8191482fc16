//! Sets of hexsides.

use hex::{Dir, Edge, Grid, Hex};

/// A set of hexsides, a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeSet {
    bits: Vec<u64>,
}

impl EdgeSet {
    /// An empty set for a grid.
    pub fn empty(grid: &Grid) -> EdgeSet {
        EdgeSet { bits: vec![0; grid.edge_len().div_ceil(64)] }
    }

    /// Puts a hexside in; true if it was not there before.
    pub fn insert(&mut self, edge: Edge) -> bool {
        let (word, bit) = (edge.ix() / 64, 1 << (edge.ix() % 64));
        match self.bits.get_mut(word) {
            Some(w) if *w & bit == 0 => {
                *w |= bit;
                true
            }
            _ => false,
        }
    }

    /// Whether a hexside is in.
    #[inline]
    pub fn contains(&self, edge: Edge) -> bool {
        self.bits.get(edge.ix() / 64).is_some_and(|w| w >> (edge.ix() % 64) & 1 != 0)
    }

    /// Whether the side of a hex in a direction is in.
    pub fn crossed(&self, grid: &Grid, hex: Hex, dir: Dir) -> bool {
        Edge::new(grid, hex, dir).is_some_and(|e| self.contains(e))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.bits.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|&w| w == 0)
    }

    /// The hexsides in order of their index.
    pub fn iter<'a>(&'a self, grid: &'a Grid) -> impl Iterator<Item = Edge> + 'a {
        grid.hexes().flat_map(move |hex| {
            Dir::ALL[..3]
                .iter()
                .filter_map(move |&dir| Edge::new(grid, hex, dir))
                .filter(|&e| self.contains(e))
        })
    }
}
