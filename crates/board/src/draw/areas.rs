//! Terrain as soft areas over plain land.

use super::contour::{Cells, Nodes};
use super::noise::noise;
use super::pen::Pt;
use hex::{Dir, Hex};

/// What a hex is to the area being drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It belongs to the area.
    In,
    /// It does not.
    Out,
    /// It is hidden by something drawn later, so the area may run on under it.
    Hidden,
}

/// The outlines of the area that some hexes make up, in the coordinates of the grid.
pub(super) fn outlines(cells: &Cells<'_>, salt: u64, part: impl Fn(Hex) -> Part) -> Vec<Vec<Pt>> {
    let parts: Vec<Part> = cells.spread(part).into_iter().map(|p| p.unwrap_or(Part::Out)).collect();
    let worth = |p: Part| match p {
        Part::In => Some(1.0),
        Part::Out => Some(-1.0),
        Part::Hidden => None,
    };
    // The middle between parts; a hidden one has no say.
    let between = |some: &[Part]| {
        let known: Vec<f64> = some.iter().filter_map(|&p| worth(p)).collect();
        if known.is_empty() { -1.0 } else { known.iter().sum::<f64>() / known.len() as f64 }
    };
    let mut nodes = Nodes::new(cells);
    for cell in 0..cells.len() {
        let part = |d: Dir| cells.neighbour(cell, d).map_or(Part::Out, |n| parts[n]);
        let own = parts[cell];
        nodes.set_centre(cell, worth(own).unwrap_or(-1.0));
        for dir in [Dir::N, Dir::Ne, Dir::Se] {
            let value = between(&[own, part(dir)]);
            let wobble =
                if value.abs() < 0.5 { 0.38 * noise(cell as i64, dir.ix() as i64, salt) } else { 0.0 };
            nodes.set_side(cell, dir, value + wobble + 1e-4);
        }
        for dir in [Dir::Ne, Dir::Sw] {
            let value = between(&[own, part(dir), part(dir.clockwise())]);
            let wobble =
                if value.abs() < 0.9 { 0.2 * noise(cell as i64, 7 + dir.ix() as i64, salt) } else { 0.0 };
            nodes.set_corner(cell, dir, value + wobble);
        }
    }
    nodes.outlines(0, &|_, even| even)
}
