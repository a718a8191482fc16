//! The boards that are measured on.

use hex::{Costs, Dir, Edge, Grid, GridSpec, Hex, HexSet, Parity, Span};

/// A board with the costs of one class of units.
pub struct Country {
    pub grid: Grid,
    pub costs: Costs,
    /// Ticks to the movement point.
    pub point: u16,
    /// Hexes that can be entered at all.
    pub land: HexSet,
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
        Ok(Country { grid, costs, point, land })
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

/// The board of each game.
pub fn games() -> Result<Vec<(&'static str, Country)>, String> {
    Ok(Vec::new())
}
