//! Where things lie in the picture.

use super::Style;
use super::pen::Pt;
use crate::{Board, Corner};
use hex::{Dir, Grid, Hex};

/// From the coordinates of the grid to pixels.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    grid: &'a Grid,
    /// Pixels between two opposite sides of a hex.
    pub hex_px: f64,
    origin: Pt,
    offset: Pt,
    /// The width of the map in pixels, margins included.
    pub width: f64,
    /// The height of the map in pixels, title included, legend not.
    pub height: f64,
}

impl<'a> Frame<'a> {
    /// The frame of a board in a style.
    pub fn new(board: &'a Board, style: &Style) -> Frame<'a> {
        let grid = board.grid();
        let mut low = (f64::MAX, f64::MAX);
        let mut high = (f64::MIN, f64::MIN);
        let mut reach = |p: Pt| {
            low = (low.0.min(p.0), low.1.min(p.1));
            high = (high.0.max(p.0), high.1.max(p.1));
        };
        for hex in grid.hexes() {
            Dir::ALL.iter().for_each(|&d| reach(Corner::of(grid, hex, d).at()));
        }
        for [x, y, w, h] in board.boxes().iter().filter_map(|b| b.at) {
            reach((x, y));
            reach((x + w, y + h));
        }
        // Below four pixels nothing can be told apart, and nought would make nothing of everything.
        let s = if style.hex_px.is_finite() { style.hex_px.clamp(4.0, 10_000.0) } else { 44.0 };
        let margin = 0.7 * s;
        let title = if style.legend { title_height(s) } else { 0.0 };
        Frame {
            grid,
            hex_px: s,
            origin: low,
            offset: (margin, margin + title),
            width: (high.0 - low.0) * s + 2.0 * margin,
            height: (high.1 - low.1) * s + 2.0 * margin + title,
        }
    }

    /// A point of the grid's coordinates in pixels.
    pub fn px(&self, p: (f64, f64)) -> (f64, f64) {
        let s = self.hex_px;
        ((p.0 - self.origin.0) * s + self.offset.0, (p.1 - self.origin.1) * s + self.offset.1)
    }

    /// The centre of a hex in pixels.
    pub fn hex_center_px(&self, hex: Hex) -> (f64, f64) {
        self.px(self.grid.center(hex))
    }

    /// The corners of a hex in pixels, clockwise from the north-east.
    pub fn hex_polygon_px(&self, hex: Hex) -> [(f64, f64); 6] {
        Dir::ALL.map(|d| self.corner(Corner::of(self.grid, hex, d)))
    }

    /// A corner in pixels.
    pub fn corner(&self, corner: Corner) -> (f64, f64) {
        self.px(corner.at())
    }
}

/// The height of the strip with the title: legible also on a small map.
pub(super) fn title_height(hex_px: f64) -> f64 {
    (hex_px * 0.9).max(34.0)
}
