//! The room that names have: what they must not cover, and what they should not.

use super::hexsides::Course;
use super::pen::{Pt, mid};
use super::places::{reach, vp_spot};
use super::sheet::Sheet;
use std::collections::BTreeMap;

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    pub fn around(at: Pt, half: f64) -> Rect {
        Rect { left: at.0 - half, top: at.1 - half, right: at.0 + half, bottom: at.1 + half }
    }

    /// Whether two rectangles share more than a line.
    pub fn meets(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn within(&self, outer: &Rect) -> bool {
        self.left >= outer.left
            && self.right <= outer.right
            && self.top >= outer.top
            && self.bottom <= outer.bottom
    }
}

/// What names must not and should not cover.
pub(super) struct Room {
    bounds: Rect,
    /// Never covered.
    hard: Vec<Rect>,
    /// Covered only if there is no better spot.
    soft: Vec<Rect>,
    cell: f64,
    /// Indices into `hard` and `soft` by cells of the picture.
    hard_in: BTreeMap<(i32, i32), Vec<usize>>,
    soft_in: BTreeMap<(i32, i32), Vec<usize>>,
}

impl Room {
    /// The room on a sheet before any name is set.
    pub fn new(sheet: &Sheet<'_>, courses: &[Course]) -> Room {
        let (board, s) = (sheet.board, sheet.s());
        let mut room = Room {
            bounds: Rect { left: 0.0, top: 0.0, right: sheet.frame.width, bottom: sheet.frame.height },
            hard: Vec::new(),
            soft: Vec::new(),
            cell: s,
            hard_in: Default::default(),
            soft_in: Default::default(),
        };
        for place in board.places() {
            let centre = sheet.frame.hex_center_px(place.hex);
            match board.place_kinds()[place.kind.ix()].draw.as_str() {
                "fort-line" | "entrenchment" => room.avoid(Rect {
                    left: centre.0 - 0.34 * s,
                    right: centre.0 + 0.34 * s,
                    top: centre.1 + 0.27 * s,
                    bottom: centre.1 + 0.38 * s,
                }),
                // A name may cross the bastions of a fort, but better does not.
                "fort" | "heavy-fort" => room.avoid(Rect::around(centre, 0.28 * s)),
                draw => room.forbid(Rect::around(centre, reach(draw) * s * 0.92)),
            }
            if place.vp.is_some_and(|v| v != 0) {
                room.forbid(Rect::around(vp_spot(centre, s), 0.13 * s));
            }
        }
        for hex in &sheet.style.covered {
            room.forbid(Rect::around(sheet.frame.hex_center_px(hex), super::COUNTER * s));
        }
        for line in board.lines() {
            for pair in line.hexes.windows(2) {
                let (a, b) = (sheet.frame.hex_center_px(pair[0]), sheet.frame.hex_center_px(pair[1]));
                for t in [0.25, 0.5, 0.75] {
                    room.avoid(Rect::around(super::pen::toward(a, b, t), 0.04 * s));
                }
            }
        }
        for pair in courses.iter().flat_map(|c| c.points.windows(2)) {
            room.avoid(Rect::around(mid(pair[0], pair[1]), 0.06 * s));
            room.avoid(Rect::around(pair[0], 0.06 * s));
        }
        let grid = board.grid();
        let lines = board.borders().iter().flat_map(|b| b.edges.iter(grid));
        let marks =
            board.hexsides().iter().filter(|h| board.hexside_kinds()[h.kind.ix()].crosses).map(|h| h.edge);
        for edge in lines.chain(marks) {
            let [p, q] = crate::Corner::ends(grid, edge).map(|c| sheet.frame.corner(c));
            room.avoid(Rect::around(mid(p, q), 0.12 * s));
        }
        if sheet.style.numbers {
            for hex in board.grid().hexes() {
                let (x, y) = sheet.frame.hex_center_px(hex);
                room.avoid(Rect {
                    left: x - 0.16 * s,
                    right: x + 0.16 * s,
                    top: y - 0.48 * s,
                    bottom: y - 0.34 * s,
                });
            }
        }
        room
    }

    fn cells(&self, rect: &Rect) -> impl Iterator<Item = (i32, i32)> + use<> {
        let at = |x: f64| (x / self.cell).floor() as i32;
        let (x0, x1, y0, y1) = (at(rect.left), at(rect.right), at(rect.top), at(rect.bottom));
        (x0..=x1).flat_map(move |x| (y0..=y1).map(move |y| (x, y)))
    }

    /// From now on nothing may cover this.
    pub fn forbid(&mut self, rect: Rect) {
        for cell in self.cells(&rect) {
            self.hard_in.entry(cell).or_default().push(self.hard.len());
        }
        self.hard.push(rect);
    }

    /// From now on this should stay clear.
    pub fn avoid(&mut self, rect: Rect) {
        for cell in self.cells(&rect) {
            self.soft_in.entry(cell).or_default().push(self.soft.len());
        }
        self.soft.push(rect);
    }

    /// Whether nothing forbidden would be covered.
    pub fn free(&self, rect: &Rect) -> bool {
        let near = self.cells(rect).filter_map(|c| self.hard_in.get(&c)).flatten();
        rect.within(&self.bounds) && !near.into_iter().any(|&i| self.hard[i].meets(rect))
    }

    /// How much it covers of what should stay clear.
    pub fn spoils(&self, rect: &Rect) -> usize {
        let mut near: Vec<usize> =
            self.cells(rect).filter_map(|c| self.soft_in.get(&c)).flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        near.into_iter().filter(|&i| self.soft[i].meets(rect)).count()
    }
}
