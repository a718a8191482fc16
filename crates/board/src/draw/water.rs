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
                (false, false) if water_side(cells.hex(cell), hex(other)) => 0.8 + 0.12 * wobble,
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
    let truth = Truth::new(board);
    // Half way between what the tables fix, the true outline has its say; where there is none, a little chance.
    nodes.outlines(2, &|p, even| {
        let room = 1.0 - even.abs();
        even + room * if truth.is_empty() { 0.35 * rugged(p) } else { truth.depth(p) }
    })
}

/// Chance that changes smoothly from place to place, from -1 to 1.
fn rugged((x, y): Pt) -> f64 {
    let mesh = 4.0;
    let (x, y) = (x * mesh, y * mesh);
    let (cx, cy) = (x.floor(), y.floor());
    let (fx, fy) = (x - cx, y - cy);
    let at = |dx: i64, dy: i64| noise(cx as i64 + dx, cy as i64 + dy, 31);
    let ease = |t: f64| t * t * (3.0 - 2.0 * t);
    let (fx, fy) = (ease(fx), ease(fy));
    let north = at(0, 0) * (1.0 - fx) + at(1, 0) * fx;
    let south = at(0, 1) * (1.0 - fx) + at(1, 1) * fx;
    north * (1.0 - fy) + south * fy
}

/// The true outlines, laid out so that a point near them is found quickly.
struct Truth {
    /// Whether each shape is water.
    water: Vec<bool>,
    /// The sides of all outlines with the number of their shape, by strips of the map from north to south.
    strips: Vec<Vec<(u32, Pt, Pt)>>,
    top: f64,
}

/// The height of a strip, and how near an outline must be to be felt, in hexes.
const STRIP: f64 = 0.25;

impl Truth {
    fn new(board: &Board) -> Truth {
        let all = || board.shapes().iter().flat_map(|s| &s.points);
        let top = all().map(|p| p.1).fold(f64::MAX, f64::min) - 2.0 * STRIP;
        let bottom = all().map(|p| p.1).fold(f64::MIN, f64::max) + 2.0 * STRIP;
        // No map is higher than a hundred hexes; a shape far beyond it is not drawn to its end.
        let count = if bottom > top { ((bottom - top) / STRIP).min(4000.0) as usize + 1 } else { 0 };
        let mut truth = Truth {
            water: board.shapes().iter().map(|s| s.water).collect(),
            strips: vec![Vec::new(); count],
            top,
        };
        for (i, shape) in board.shapes().iter().enumerate() {
            for (k, &a) in shape.points.iter().enumerate() {
                let b = shape.points[(k + 1) % shape.points.len()];
                let (from, to) = (truth.strip(a.1.min(b.1) - STRIP), truth.strip(a.1.max(b.1) + STRIP));
                for strip in from..=to {
                    if let Some(strip) = truth.strips.get_mut(strip) {
                        strip.push((i as u32, a, b));
                    }
                }
            }
        }
        truth
    }

    fn is_empty(&self) -> bool {
        self.water.is_empty()
    }

    fn strip(&self, y: f64) -> usize {
        ((y - self.top) / STRIP).max(0.0) as usize
    }

    /// 1 well out in the water, -1 well inland, in between near a true coast.
    fn depth(&self, p: Pt) -> f64 {
        let mut inside = vec![false; self.water.len()];
        let mut nearest = STRIP;
        for &(shape, a, b) in self.strips.get(self.strip(p.1)).map_or(&[][..], Vec::as_slice) {
            if (a.1 > p.1) != (b.1 > p.1) && p.0 < a.0 + (p.1 - a.1) / (b.1 - a.1) * (b.0 - a.0) {
                inside[shape as usize] ^= true;
            }
            nearest = nearest.min(distance(p, a, b));
        }
        // Later shapes lie over earlier ones.
        let water = inside.iter().rposition(|&i| i).is_some_and(|i| self.water[i]);
        nearest / STRIP * if water { 1.0 } else { -1.0 }
    }
}

/// From a point to a side.
fn distance(p: Pt, a: Pt, b: Pt) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = (dx * dx + dy * dy).max(1e-12);
    let t = (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length).clamp(0.0, 1.0);
    (p.0 - a.0 - t * dx).hypot(p.1 - a.1 - t * dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::testing;

    /// Whether a point lies inside an odd number of outlines.
    fn inside(lines: &[Vec<Pt>], p: Pt) -> bool {
        let crossed =
            |a: Pt, b: Pt| (a.1 > p.1) != (b.1 > p.1) && p.0 < a.0 + (p.1 - a.1) / (b.1 - a.1) * (b.0 - a.0);
        lines
            .iter()
            .map(|l| (0..l.len()).filter(|&i| crossed(l[i], l[(i + 1) % l.len()])).count())
            .sum::<usize>()
            % 2
            == 1
    }

    #[test]
    fn the_middle_of_every_hex_shows_what_it_is() {
        for (name, board) in testing::boards() {
            let lines = outlines(&board, &Cells::new(board.grid()));
            for hex in board.grid().hexes() {
                // A hair off the centre, which is a corner of the triangles and may lie on a line by chance.
                let (x, y) = board.grid().center(hex);
                let at = (x + 0.003, y + 0.0017);
                assert_eq!(
                    inside(&lines, at),
                    board.water().contains(hex),
                    "{name} {}",
                    board.grid().name(hex)
                );
            }
        }
    }

    #[test]
    fn the_middle_of_every_hexside_between_land_shows_what_it_is() {
        for (name, board) in testing::boards() {
            let grid = board.grid();
            let lines = outlines(&board, &Cells::new(grid));
            for hex in grid.hexes().filter(|&h| !board.water().contains(h)) {
                for (dir, other) in
                    grid.neighbours(hex).filter(|&(d, n)| d.ix() < 3 && !board.water().contains(n))
                {
                    let wet = board.edge(hex, dir).iter().any(|k| board.hexside_kinds()[k.ix()].is_water());
                    let (x, y) = super::super::pen::mid(grid.center(hex), grid.center(other));
                    let at = (x + 0.003, y + 0.0017);
                    assert_eq!(inside(&lines, at), wet, "{name} {}/{}", grid.name(hex), grid.name(other));
                }
            }
        }
    }
}
