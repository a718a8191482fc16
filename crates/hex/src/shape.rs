//! Distance, lines, rings and ranges, in whole numbers.

use crate::{Dir, Grid, Hex, Parity};

/// Three coordinates that sum to zero; a step changes two of them by one.
type Cube = [i64; 3];

impl Grid {
    fn cube(&self, hex: Hex) -> Cube {
        let q = i64::from(self.column(hex));
        let drop = i64::from(self.is_lower(hex)) - i64::from(self.lower() == Parity::Even);
        let r = i64::from(self.row(hex)) + (drop - q).div_euclid(2);
        [q, r, -q - r]
    }

    fn uncube(&self, [q, r, _]: Cube) -> Option<Hex> {
        let low = i64::from(self.lower().has(q as i16)) - i64::from(self.lower() == Parity::Even);
        let row = r - (low - q).div_euclid(2);
        self.at(u16::try_from(q).ok()?, i16::try_from(row).ok()?)
    }

    /// How many steps lie between two hexes, were every hex between them there.
    pub fn distance(&self, a: Hex, b: Hex) -> u32 {
        // In rows of half a hex: each column crossed gives half a hex of height for nothing.
        let height = |h| 2 * i32::from(self.row(h)) + i32::from(self.is_lower(h));
        let across = self.column(a).abs_diff(self.column(b)).into();
        let along = (height(a) - height(b)).unsigned_abs();
        across + along.saturating_sub(across) / 2
    }

    /// The hexes on the straight line between two hexes, both included. Where the line runs along a hexside it always
    /// takes the same of the two hexes, whichever end one begins from, and along the edge of the grid the one that is
    /// there. Hexes that the grid lacks are left out.
    pub fn line(&self, a: Hex, b: Hex) -> Vec<Hex> {
        let steps = i64::from(self.distance(a, b));
        if steps == 0 {
            return vec![a];
        }
        // Sixteenths of a step's fraction leave room to push the line off every hexside, exactly.
        let (from, to, unit) = (self.cube(a), self.cube(b), 16 * steps);
        let pushed = |side: i64| -> Vec<Hex> {
            let point = |i: i64| {
                let mix = |k: usize, push: i64| 16 * (from[k] * (steps - i) + to[k] * i) + side * push;
                round([mix(0, 1), mix(1, 2), mix(2, -3)], unit)
            };
            (0..=steps).filter_map(|i| self.uncube(point(i))).collect()
        };
        let line = pushed(1);
        if line.len() as i64 > steps {
            return line;
        }
        let other = pushed(-1);
        if other.len() > line.len() { other } else { line }
    }

    /// The hexes at exactly a distance, clockwise from the one due north.
    pub fn ring(&self, hex: Hex, radius: u32) -> Vec<Hex> {
        if radius == 0 {
            return vec![hex];
        }
        // Each side of the ring is walked by turning 120 degrees from the direction of its first corner.
        let step = |[q, r, s]: Cube, dir: Dir, n: i64| {
            let [dq, dr, ds] =
                [[0, -1, 1], [1, -1, 0], [1, 0, -1], [0, 1, -1], [-1, 1, 0], [-1, 0, 1]][dir.ix()];
            [q + dq * n, r + dr * n, s + ds * n]
        };
        let centre = self.cube(hex);
        let mut out = Vec::with_capacity(6 * radius as usize);
        for dir in Dir::ALL {
            let corner = step(centre, dir, radius.into());
            let along = dir.clockwise().clockwise();
            out.extend((0..i64::from(radius)).filter_map(|i| self.uncube(step(corner, along, i))));
        }
        out
    }

    /// The hexes at most a distance away, itself included, nearest first.
    pub fn range(&self, hex: Hex, radius: u32) -> Vec<Hex> {
        (0..=radius).flat_map(|r| self.ring(hex, r)).collect()
    }
}

/// The hex whose centre is nearest to a point given in fractions of `unit`.
fn round(point: Cube, unit: i64) -> Cube {
    let near = |n: i64| (2 * n + unit).div_euclid(2 * unit);
    let mut cube = point.map(near);
    let off = |k: usize| (point[k] - cube[k] * unit).abs();
    // The coordinate that was rounded furthest is the one that must give way for the sum to be zero.
    let worst = if off(0) > off(1) && off(0) > off(2) {
        0
    } else if off(1) > off(2) {
        1
    } else {
        2
    };
    cube[worst] = 0;
    cube[worst] = -cube.iter().sum::<i64>();
    cube
}
