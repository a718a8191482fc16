//! The same boards in the forms that the peers ask for.

use std::collections::{HashMap, HashSet};

use hex::{Dir, Grid, Hex, HexSet, Parity};
use hexx::{HexOrientation, OffsetHexMode};
use petgraph::Directed;
use petgraph::csr::Csr;

use crate::country::Country;

/// A board as lists of neighbours with the ticks to them: the careful use of a crate for graphs.
pub struct Lists {
    pub to: Vec<Vec<(u16, u32)>>,
    pub graph: Csr<(), u32, Directed, u32>,
}

impl Lists {
    pub fn new(country: &Country) -> Result<Lists, String> {
        let grid = &country.grid;
        let mut to = vec![Vec::new(); grid.len()];
        for hex in grid.hexes() {
            for (dir, next) in grid.neighbours(hex) {
                if let Some(ticks) = country.costs.step(hex, dir) {
                    to[hex.ix()].push((next.0, u32::from(ticks)));
                }
            }
        }
        let all = to.iter().enumerate();
        let mut edges: Vec<(u32, u32, u32)> =
            all.flat_map(|(i, l)| l.iter().map(move |&(n, c)| (i as u32, u32::from(n), c))).collect();
        edges.sort_unstable();
        let mut graph =
            Csr::from_sorted_edges(&edges).map_err(|_| "petgraph refuses the edges".to_owned())?;
        while graph.node_count() < grid.len() {
            graph.add_node(());
        }
        Ok(Lists { to, graph })
    }
}

/// A board as the documentation of the crates shows it: maps from coordinates to tiles, and to the sides that differ.
pub struct Tiles {
    pub ground: HashMap<hexx::Hex, u32>,
    /// The sides that do not cost what the ground does; none if they are closed.
    pub sides: HashMap<(hexx::Hex, hexx::Hex), Option<u32>>,
    pub ours: HashMap<hexx::Hex, Hex>,
}

/// A hex in the coordinates of `hexx`.
pub fn theirs(grid: &Grid, hex: Hex) -> hexx::Hex {
    let mode = if grid.lower() == Parity::Odd { OffsetHexMode::Odd } else { OffsetHexMode::Even };
    let at = [i32::from(grid.column(hex)), i32::from(grid.row(hex))];
    hexx::Hex::from_offset_coordinates(at, mode, HexOrientation::Flat)
}

/// A set in the coordinates of `hexx`.
pub fn their_set(grid: &Grid, set: &HexSet) -> HashSet<hexx::Hex> {
    set.iter().map(|h| theirs(grid, h)).collect()
}

impl Tiles {
    pub fn new(country: &Country) -> Tiles {
        let grid = &country.grid;
        let mut tiles = Tiles { ground: HashMap::new(), sides: HashMap::new(), ours: HashMap::new() };
        for hex in grid.hexes() {
            tiles.ours.insert(theirs(grid, hex), hex);
        }
        for hex in &country.land {
            let price =
                |(dir, from): (Dir, Hex)| (from, country.costs.step(from, dir.opposite()).map(u32::from));
            let prices: Vec<(Hex, Option<u32>)> = grid.neighbours(hex).map(price).collect();
            let times = |p: u32| prices.iter().filter(|(_, q)| *q == Some(p)).count();
            let common = prices.iter().filter_map(|p| p.1).max_by_key(|&p| (times(p), u32::MAX - p));
            let Some(common) = common else { continue };
            tiles.ground.insert(theirs(grid, hex), common);
            for (from, price) in prices.into_iter().filter(|(_, p)| *p != Some(common)) {
                tiles.sides.insert((theirs(grid, from), theirs(grid, hex)), price);
            }
        }
        tiles
    }

    /// The ticks of a step.
    pub fn step(&self, from: hexx::Hex, to: hexx::Hex) -> Option<u32> {
        let ground = *self.ground.get(&to)?;
        self.sides.get(&(from, to)).copied().unwrap_or(Some(ground))
    }
}
