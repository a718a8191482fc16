//! The boards that are measured on.

use std::path::Path;

use board::Board;
use hex::{Costs, Dir, Edge, Grid, GridSpec, Hex, HexSet, Parity, Sides, Span};
use text::Files;

use crate::chart::{Chart, POINT};

/// A board with the costs of one class of units.
pub struct Country {
    pub grid: Grid,
    pub costs: Costs,
    /// Ticks to the movement point.
    pub point: u16,
    /// Hexes that can be entered at all.
    pub land: HexSet,
    /// The hexsides that nobody crosses.
    pub sides: Sides,
}

/// A small generator of lots, the same on every machine.
#[derive(Clone, Debug)]
pub struct Lots(pub u64);

impl Lots {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % n
    }

    /// A hex of a set.
    pub fn hex(&mut self, set: &HexSet) -> Hex {
        let count = set.count().max(1);
        set.nth(self.below(count)).unwrap_or(Hex::NONE)
    }

    /// About so many in a hundred of the hexes of a set.
    pub fn share(&mut self, set: &HexSet, percent: usize) -> HexSet {
        set.iter().filter(|_| self.below(100) < percent).collect()
    }
}

impl Country {
    /// A board from its grid and the ticks of each step.
    pub fn new(
        grid: Grid,
        point: u16,
        ticks: impl FnMut(Hex, Dir, Hex) -> Option<u16>,
    ) -> Result<Country, String> {
        let costs = Costs::new(&grid, ticks).map_err(|e| e.to_string())?;
        let enters = |h: &Hex| grid.neighbours(*h).any(|(dir, n)| costs.step(n, dir.opposite()).is_some());
        let land = grid.hexes().filter(enters).collect();
        let sides = Sides::new(&grid, |edge| {
            let ((a, b), dir) = (edge.hexes(&grid), edge.dir());
            costs.step(a, dir).is_none() && costs.step(b, dir.opposite()).is_none()
        });
        Ok(Country { grid, costs, point, land, sides })
    }
}

/// Four boards of 60 by 70 drawn by lot: open ground at 1 point, woods 2, hills 3, marsh 4, one hex in twenty closed,
/// and a river on one side in eight for 2 points more.
pub fn random() -> Vec<Country> {
    (1..=4).filter_map(|seed| one_random(seed).ok()).collect()
}

fn one_random(seed: u64) -> Result<Country, String> {
    let spec = GridSpec::rectangle(Span::new(0, 59), Span::new(0, 69), Parity::Odd);
    let grid = Grid::new(&spec).map_err(|e| e.to_string())?;
    let mut lots = Lots(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let ground: Vec<u16> = (0..grid.len())
        .map(|_| match lots.below(100) {
            0..5 => 0,
            5..50 => 1,
            50..75 => 2,
            75..90 => 3,
            _ => 4,
        })
        .collect();
    let river: Vec<bool> = (0..grid.edge_len()).map(|_| lots.below(100) < 12).collect();
    let ticks = |from: Hex, dir: Dir, to: Hex| {
        let side = Edge::new(&grid, from, dir)?;
        let extra = if river[side.ix()] { 2 } else { 0 };
        (ground[from.ix()] > 0 && ground[to.ix()] > 0).then(|| ground[to.ix()] + extra)
    };
    Country::new(grid.clone(), 1, ticks)
}

/// The board of each game that has one, by the name of its folder.
pub fn games() -> Result<Vec<(String, Country)>, String> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    let entries = std::fs::read_dir(&games).map_err(|e| format!("cannot list {}: {e}", games.display()))?;
    let mut names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.retain(|name| games.join(name).join("data/map/board.toml").is_file());
    names.sort();
    names.into_iter().map(|name| Ok((name.clone(), of_board(&games.join(&name).join("data/map"))?))).collect()
}

fn of_board(folder: &Path) -> Result<Country, String> {
    let board = Board::load(&Files::folder(folder)).map_err(|faults| faults.to_string())?;
    let chart = Chart::load(folder.parent().unwrap_or(folder), &board)?;
    let grid = board.grid().clone();
    let step = |from, dir, to| chart.step(&board, from, dir, to);
    // A chart without halves needs only a tick to the point.
    let halves = grid
        .hexes()
        .any(|h| grid.neighbours(h).any(|(dir, to)| step(h, dir, to).is_some_and(|t| t % 2 != 0)));
    let share = if halves { 1 } else { POINT };
    Country::new(grid.clone(), POINT / share, |from, dir, to| step(from, dir, to).map(|t| t / share))
}
