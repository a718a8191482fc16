//! A game's grid laid on the earth: every place has a spot, every spot a hex.

use crate::anchor::{Anchor, Target};
use crate::earth::{Fit, Geo, Spot};
use crate::spline::Spline;
use hex::{Dir, Grid, Hex};

/// Half the width of a hex from corner to corner, where opposite sides are 1 apart.
pub const CORNER: f64 = 0.577_350_269_189_625_8;

/// A grid on the earth.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The grid.
    pub grid: Grid,
    fit: Fit,
    spline: Spline,
}

/// A corner of hexes, in whole steps of a sixth of a hex's width and half its height.
pub type Corner = (i32, i32);

impl Sheet {
    /// Lays the grid so that every anchor falls into its own hex.
    ///
    /// An anchor that the fit already puts inside (the hex drawn in to nine tenths) stays; the others move to the
    /// nearest point of that smaller hex, and the spline carries their surroundings along.
    pub fn lay(grid: Grid, fit: Fit, anchors: &[Anchor]) -> Sheet {
        let mut moves: Vec<(Spot, Spot)> = Vec::new();
        for anchor in anchors {
            let (Some(at), Target::Hex { column, row }) = (anchor.at, anchor.target) else { continue };
            let from = fit.spot(at);
            if moves.iter().any(|m| m.0.distance(from) < 0.2) {
                continue;
            }
            let half = if grid.lower().has(column) { 0.5 } else { 0.0 };
            let centre = Spot::new(f64::from(column) * 0.75f64.sqrt(), f64::from(row) + half);
            moves.push((from, pulled_in(from, centre, 0.9)));
        }
        Sheet { grid, fit, spline: Spline::through(&moves) }
    }

    /// Where a place lies on the map.
    pub fn spot(&self, at: Geo) -> Spot {
        self.spline.warp(self.fit.spot(at))
    }

    /// The place at a spot of the map.
    pub fn geo(&self, spot: Spot) -> Geo {
        self.fit.geo(self.spline.unwarp(spot))
    }

    /// The centre of a hex.
    pub fn centre(&self, hex: Hex) -> Spot {
        let (x, y) = self.grid.center(hex);
        Spot::new(x, y)
    }

    /// The column and row whose hex holds a spot, on the grid or off it.
    pub fn column_row(&self, spot: Spot) -> (i16, i16) {
        let column = (spot.x / 0.75f64.sqrt()).round() as i16;
        let mut best = (f64::MAX, 0, 0);
        for c in column - 1..=column + 1 {
            let half = if self.grid.lower().has(c) { 0.5 } else { 0.0 };
            let r = (spot.y - half).round();
            let d = spot.distance(Spot::new(f64::from(c) * 0.75f64.sqrt(), r + half));
            if d < best.0 {
                best = (d, c, r as i16);
            }
        }
        (best.1, best.2)
    }

    /// The hex that holds a spot.
    pub fn hex_at(&self, spot: Spot) -> Option<Hex> {
        let (column, row) = self.column_row(spot);
        self.grid.at(u16::try_from(column).ok()?, row)
    }

    /// The hex that holds a place.
    pub fn hex_of(&self, at: Geo) -> Option<Hex> {
        self.hex_at(self.spot(at))
    }

    /// The local change of area by the warp at a hex.
    pub fn stretch(&self, hex: Hex) -> f64 {
        self.spline.stretch(self.spline.unwarp(self.centre(hex)))
    }

    /// The two corners at the ends of a side of a hex.
    pub fn side(&self, hex: Hex, dir: Dir) -> (Corner, Corner) {
        let c = i32::from(self.grid.column(hex)) * 3;
        let r = i32::from(self.grid.row(hex)) * 2 + i32::from(self.grid.is_lower(hex));
        let ring = [(c - 1, r - 1), (c + 1, r - 1), (c + 2, r), (c + 1, r + 1), (c - 1, r + 1), (c - 2, r)];
        (ring[dir.ix()], ring[(dir.ix() + 1) % 6])
    }

    /// The spot of a corner.
    pub fn corner(&self, corner: Corner) -> Spot {
        Spot::new(f64::from(corner.0) * CORNER / 2.0, f64::from(corner.1) / 2.0)
    }
}

/// The nearest point to `p` of the hex about `centre` drawn in to `share`.
pub fn pulled_in(p: Spot, centre: Spot, share: f64) -> Spot {
    let half = 0.5 * share;
    let (mut x, mut y) = (p.x - centre.x, p.y - centre.y);
    // Clamping to the three pairs of sides in turn settles within a few rounds.
    for _ in 0..60 {
        for (nx, ny) in [(0.0, 1.0), (0.75f64.sqrt(), 0.5), (0.75f64.sqrt(), -0.5)] {
            let along = x * nx + y * ny;
            let over = along - along.clamp(-half, half);
            x -= over * nx;
            y -= over * ny;
        }
    }
    Spot::new(centre.x + x, centre.y + y)
}
