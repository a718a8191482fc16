//! Sea and lakes, with a coast that runs through the hexes as it does on a printed map.

use super::contour::{Cells, Nodes};
use super::noise::noise;
use super::pen::Pt;
use crate::Board;
use hex::{Dir, Edge, Hex};

/// The outlines of all water, in the coordinates of the grid.
pub(super) fn outlines(board: &Board, cells: &Cells<'_>) -> Vec<Vec<Pt>> {
    let wet: Vec<bool> =
        cells.spread(|h: Hex| board.water().contains(h)).into_iter().map(|w| w.unwrap_or(false)).collect();
    let grid = board.grid();
    let water_side = |a: Option<Hex>, b: Option<Hex>| {
        let edge = a.zip(b).and_then(|(a, b)| Edge::between(grid, a, b));
        edge.is_some_and(|e| board.kinds_at(e).iter().any(|k| board.hexside_kinds()[k.ix()].is_water()))
    };
    let mut nodes = Nodes::new(cells);
    for cell in 0..cells.len() {
        let at = |d: Dir| cells.neighbour(cell, d);
        let is_wet = |c: Option<usize>| c.is_some_and(|c| wet[c]);
        let hex = |c: Option<usize>| c.and_then(|c| cells.hex(c));
        nodes.set_centre(cell, if wet[cell] { 1.0 } else { -1.0 });
        for dir in [Dir::N, Dir::Ne, Dir::Se] {
            let other = at(dir);
            let wobble = noise(cell as i64, dir.ix() as i64, 11);
            let value = match (wet[cell], is_wet(other)) {
                (true, true) => 1.0,
                (false, false) if water_side(cells.hex(cell), hex(other)) => 0.5 + 0.12 * wobble,
                (false, false) => -1.0,
                _ => 0.3 * wobble + 1e-4,
            };
            nodes.set_side(cell, dir, value);
        }
        for dir in [Dir::Ne, Dir::Sw] {
            let around = [Some(cell), at(dir), at(dir.clockwise())];
            let wet_hexes = around.iter().filter(|&&c| is_wet(c)).count();
            let wet_sides = (0..3).filter(|&i| water_side(hex(around[i]), hex(around[(i + 1) % 3]))).count();
            let wobble = noise(cell as i64, 7 + dir.ix() as i64, 11);
            let value = match (wet_hexes, wet_sides) {
                (0, 0) => -1.0,
                (0, 1) => -0.25,
                // Two wet sides meet here, or one opens into open water.
                (0, _) | (1, 1..) => 0.45 + 0.1 * wobble,
                (n, _) => n as f64 * 2.0 / 3.0 - 1.0 + 0.18 * wobble,
            };
            nodes.set_corner(cell, dir, value);
        }
    }
    nodes.outlines()
}
