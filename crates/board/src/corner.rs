//! The corners of hexes, where hexsides meet.

use hex::{Dir, Edge, Grid, Hex};

/// A corner of hexes. Whole numbers, so that each corner has one name: x in half sides, y in half heights of a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Corner {
    /// Half sides to the right.
    pub x: i32,
    /// Half heights downwards.
    pub y: i32,
}

/// From the centre to the corner between each direction and the next one clockwise.
const FROM_CENTRE: [(i32, i32); 6] = [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)];

impl Corner {
    /// The corner of a hex between a direction and the next one clockwise.
    pub fn of(grid: &Grid, hex: Hex, dir: Dir) -> Corner {
        let (dx, dy) = FROM_CENTRE[dir.ix()];
        let y = 2 * i32::from(grid.row(hex)) + i32::from(grid.is_lower(hex));
        Corner { x: 3 * i32::from(grid.column(hex)) + dx, y: y + dy }
    }

    /// The two ends of a hexside.
    pub fn ends(grid: &Grid, edge: Edge) -> [Corner; 2] {
        [Corner::of(grid, edge.hex(), edge.dir().anticlockwise()), Corner::of(grid, edge.hex(), edge.dir())]
    }

    /// Where it lies, in the coordinates of [`Grid::center`].
    pub fn at(self) -> (f64, f64) {
        (f64::from(self.x) / 12f64.sqrt(), f64::from(self.y) / 2.0)
    }

    /// The hexes around the corner of a hex between a direction and the next, those that there are.
    pub fn hexes(grid: &Grid, hex: Hex, dir: Dir) -> impl Iterator<Item = Hex> {
        [Some(hex), grid.neighbour(hex, dir), grid.neighbour(hex, dir.clockwise())].into_iter().flatten()
    }

    /// The hexsides that meet at the corner of a hex between a direction and the next, those that there are.
    pub fn edges(grid: &Grid, hex: Hex, dir: Dir) -> impl Iterator<Item = Edge> {
        let beyond = grid.neighbour(hex, dir).zip(grid.neighbour(hex, dir.clockwise()));
        [
            Edge::new(grid, hex, dir),
            Edge::new(grid, hex, dir.clockwise()),
            beyond.and_then(|(a, b)| Edge::between(grid, a, b)),
        ]
        .into_iter()
        .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let spec: hex::GridSpec =
            serde_json::from_str(r#"{"columns":[1,12],"rows":[1,10],"lower":"even"}"#).unwrap();
        Grid::new(&spec).unwrap()
    }

    #[test]
    fn three_hexes_agree_on_the_name_of_their_corner() {
        let grid = grid();
        let hex = |n| grid.find(n).unwrap();
        let corner = Corner::of(&grid, hex("0505"), Dir::Ne);
        assert_eq!(grid.name(grid.neighbour(hex("0505"), Dir::Ne).unwrap()).to_string(), "0604");
        assert_eq!(Corner::of(&grid, hex("0604"), Dir::S), corner);
        assert_eq!(Corner::of(&grid, hex("0605"), Dir::Nw), corner);
        assert_eq!(Corner::edges(&grid, hex("0505"), Dir::Ne).count(), 3);
    }

    #[test]
    fn the_ends_of_a_hexside_lie_half_a_side_from_its_middle() {
        let grid = grid();
        let (a, b) = (grid.find("0505").unwrap(), grid.find("0605").unwrap());
        let [p, q] = Corner::ends(&grid, Edge::between(&grid, a, b).unwrap()).map(Corner::at);
        let ((ax, ay), (bx, by)) = (grid.center(a), grid.center(b));
        assert!(((p.0 + q.0) - (ax + bx)).abs() < 1e-9 && ((p.1 + q.1) - (ay + by)).abs() < 1e-9);
        assert!(((p.0 - q.0).hypot(p.1 - q.1) - 1.0 / 3f64.sqrt()).abs() < 1e-9);
    }
}
