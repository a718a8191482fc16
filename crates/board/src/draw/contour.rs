//! Soft areas: where a quantity that is known at the middles of hexes and hexsides and at corners is above nought.
//!
//! Each hex is cut into twelve triangles between its centre, the middles of its sides and its corners. Within a
//! triangle the quantity is taken to change evenly, so its outline there is a straight piece; the pieces join to closed
//! lines, which are drawn softly.

use super::pen::Pt;
use hex::{Dir, Grid, Hex};

/// The hexes of the grid and two rings of imagined ones around, so that every outline closes.
pub(super) struct Cells<'a> {
    grid: &'a Grid,
    first: (i32, i32),
    columns: usize,
    rows: usize,
}

/// Index of a cell.
pub(super) type Cell = usize;

const RINGS: i32 = 3;

impl<'a> Cells<'a> {
    pub fn new(grid: &'a Grid) -> Cells<'a> {
        let (c, r) = (grid.spec().columns, grid.spec().rows);
        Cells {
            grid,
            first: (i32::from(c.first) - RINGS, i32::from(r.first) - RINGS),
            columns: (i32::from(c.last) - i32::from(c.first) + 1 + 2 * RINGS) as usize,
            rows: (i32::from(r.last) - i32::from(r.first) + 1 + 2 * RINGS) as usize,
        }
    }

    pub fn len(&self) -> usize {
        self.columns * self.rows
    }

    fn place(&self, cell: Cell) -> (i32, i32) {
        (self.first.0 + (cell % self.columns) as i32, self.first.1 + (cell / self.columns) as i32)
    }

    /// The hex of a cell, if it is not imagined.
    pub fn hex(&self, cell: Cell) -> Option<Hex> {
        let (c, r) = self.place(cell);
        self.grid.at(u16::try_from(c).ok()?, r as i16)
    }

    fn is_lower(&self, column: i32) -> bool {
        self.grid.lower().has(column as i16)
    }

    pub fn neighbour(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        let (c, r) = self.place(cell);
        let low = i32::from(self.is_lower(c));
        let (dc, dr) = match dir {
            Dir::N => (0, -1),
            Dir::Ne => (1, low - 1),
            Dir::Se => (1, low),
            Dir::S => (0, 1),
            Dir::Sw => (-1, low),
            Dir::Nw => (-1, low - 1),
        };
        let (c, r) = (c + dc - self.first.0, r + dr - self.first.1);
        let inside = c >= 0 && r >= 0 && (c as usize) < self.columns && (r as usize) < self.rows;
        inside.then(|| r as usize * self.columns + c as usize)
    }

    fn centre(&self, cell: Cell) -> Pt {
        let (c, r) = self.place(cell);
        let half = if self.is_lower(c) { 0.5 } else { 0.0 };
        (f64::from(c) * 0.75f64.sqrt(), f64::from(r) + half)
    }

    /// For each cell a value: the hex's own, or for a cell that touches the board that of the first hex it touches,
    /// so that areas run over the rim; none farther out.
    pub fn spread<T: Copy>(&self, of: impl Fn(Hex) -> T) -> Vec<Option<T>> {
        (0..self.len())
            .map(|cell| {
                let touching = || {
                    let near = |d: Dir| self.neighbour(cell, d).and_then(|n| self.hex(n));
                    Dir::ALL.into_iter().find_map(near)
                };
                self.hex(cell).or_else(touching).map(&of)
            })
            .collect()
    }
}

/// The quantity at the nodes of the triangles: six for each cell, namely its centre, its sides to the N, NE and SE, its
/// corners to the E and W; a node that two cells share is kept with one of them.
pub(super) struct Nodes<'a> {
    cells: &'a Cells<'a>,
    values: Vec<f64>,
}

impl<'a> Nodes<'a> {
    pub fn new(cells: &'a Cells<'a>) -> Nodes<'a> {
        Nodes { cells, values: vec![-1.0; cells.len() * 6] }
    }

    pub fn set_centre(&mut self, cell: Cell, value: f64) {
        self.values[cell * 6] = value;
    }

    /// Sets the side to the N, NE or SE.
    pub fn set_side(&mut self, cell: Cell, dir: Dir, value: f64) {
        debug_assert!(dir.ix() < 3);
        self.values[cell * 6 + 1 + dir.ix()] = value;
    }

    /// Sets the corner to the east (after [`Dir::Ne`]) or to the west (after [`Dir::Sw`]).
    pub fn set_corner(&mut self, cell: Cell, dir: Dir, value: f64) {
        self.values[cell * 6 + if dir == Dir::Ne { 4 } else { 5 }] = value;
    }

    fn side(&self, cell: Cell, dir: Dir) -> Option<usize> {
        if dir.ix() < 3 {
            return Some(cell * 6 + 1 + dir.ix());
        }
        Some(self.cells.neighbour(cell, dir)? * 6 + 1 + dir.opposite().ix())
    }

    /// The corner between a direction and the next.
    fn corner(&self, cell: Cell, dir: Dir) -> Option<usize> {
        let of = |d, at| self.cells.neighbour(cell, d).map(|n| n * 6 + at);
        match dir {
            Dir::N => of(Dir::Ne, 5),
            Dir::Ne => Some(cell * 6 + 4),
            Dir::Se => of(Dir::Se, 5),
            Dir::S => of(Dir::Sw, 4),
            Dir::Sw => Some(cell * 6 + 5),
            Dir::Nw => of(Dir::Nw, 4),
        }
    }

    fn at(&self, node: usize) -> Pt {
        let (x, y) = self.cells.centre(node / 6);
        let (dx, dy) = match node % 6 {
            1 => (0.0, -0.5),
            2 => (0.1875f64.sqrt(), -0.25),
            3 => (0.1875f64.sqrt(), 0.25),
            4 => (1.0 / 3f64.sqrt(), 0.0),
            5 => (-1.0 / 3f64.sqrt(), 0.0),
            _ => (0.0, 0.0),
        };
        (x + dx, y + dy)
    }

    /// The closed outlines of where the quantity is above nought.
    ///
    /// Where it is not plain (1 or -1 all round), each triangle is cut finer `depth` times, and `bend` may change the
    /// quantity at the new points: it is given the point and what an even change would make of it.
    pub fn outlines(&self, depth: u32, bend: &dyn Fn(Pt, f64) -> f64) -> Vec<Vec<Pt>> {
        let mut steps: Vec<(Step, Step, Pt)> = Vec::new();
        for cell in 0..self.cells.len() {
            let mut fan: Vec<[usize; 3]> = Vec::new();
            for dir in Dir::ALL {
                let nodes = (self.side(cell, dir), self.corner(cell, dir), self.side(cell, dir.clockwise()));
                let (Some(a), Some(b), Some(c)) = nodes else { continue };
                fan.extend([[cell * 6, a, b], [cell * 6, b, c]]);
            }
            let plain = |value: f64| fan.iter().flatten().all(|&node| self.values[node] == value);
            if plain(1.0) || plain(-1.0) {
                continue;
            }
            for nodes in fan {
                cut(nodes.map(|node| (self.at(node), self.values[node])), depth, bend, &mut steps);
            }
        }
        super::outline::joined(steps)
    }
}

/// The side of a triangle on which an outline crosses, named by its two ends in hundred-thousandths of a hex.
type Step = [(i64, i64); 2];

/// A corner of a triangle: where it lies, and the quantity there by even change.
type Knot = (Pt, f64);

fn cut(t: [Knot; 3], depth: u32, bend: &dyn Fn(Pt, f64) -> f64, steps: &mut Vec<(Step, Step, Pt)>) {
    if depth == 0 {
        let bent = t.map(|(p, even)| (p, if even.abs() < 1.0 { bend(p, even) } else { even }));
        steps.extend(piece(bent));
        return;
    }
    let half = |i: usize, j: usize| (super::pen::mid(t[i].0, t[j].0), (t[i].1 + t[j].1) / 2.0);
    let (ab, bc, ca) = (half(0, 1), half(1, 2), half(2, 0));
    for small in [[t[0], ab, ca], [ab, t[1], bc], [ca, bc, t[2]], [ab, bc, ca]] {
        cut(small, depth - 1, bend, steps);
    }
}

/// The piece of outline in a triangle: from the side where the quantity falls to the side where it rises, and where it
/// crosses the first.
fn piece(t: [Knot; 3]) -> Option<(Step, Step, Pt)> {
    let above = t.map(|(_, value)| value > 0.0);
    let name = |p: Pt| ((p.0 * 1e5).round() as i64, (p.1 * 1e5).round() as i64);
    let key = |i: usize| {
        let (a, b) = (name(t[i].0), name(t[(i + 1) % 3].0));
        [a.min(b), a.max(b)]
    };
    let falls = (0..3).find(|&i| above[i] && !above[(i + 1) % 3])?;
    let rises = (0..3).find(|&i| !above[i] && above[(i + 1) % 3])?;
    let ((p, from), (q, to)) = (t[falls], t[(falls + 1) % 3]);
    // Kept off the ends, so that no piece has length nought.
    let share = (from / (from - to)).clamp(0.04, 0.96);
    Some((key(falls), key(rises), super::pen::toward(p, q, share)))
}
