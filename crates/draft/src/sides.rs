//! Which side of a course a spot lies on, and which hexes a course runs through.

use crate::earth::Spot;
use crate::path::Course;
use crate::sheet::Sheet;
use hex::HexSet;
use std::collections::BTreeMap;

/// True if the spot lies to the right of a course that runs down the map; the course goes on straight up and down
/// beyond its ends.
pub fn east(course: &[Spot], at: Spot) -> bool {
    let (Some(&first), Some(&last)) = (course.first(), course.last()) else { return false };
    let (top, bottom) = if first.y <= last.y { (first, last) } else { (last, first) };
    let mut all = vec![Spot::new(top.x, -1e4)];
    if first.y <= last.y {
        all.extend(course)
    } else {
        all.extend(course.iter().rev())
    }
    all.push(Spot::new(bottom.x, 1e4));
    crossings(&all, at) % 2 == 1
}

/// True if the spot lies below a course that runs across the map; the course goes on level beyond its ends.
pub fn south(course: &[Spot], at: Spot) -> bool {
    let turned: Vec<Spot> = course.iter().map(|s| Spot::new(s.y, s.x)).collect();
    east(&turned, Spot::new(at.y, at.x))
}

/// How often the level ray to the left of the spot crosses the course.
fn crossings(course: &[Spot], at: Spot) -> usize {
    course
        .windows(2)
        .filter(|p| {
            (p[0].y > at.y) != (p[1].y > at.y)
                && (p[1].x - p[0].x) * (at.y - p[0].y) / (p[1].y - p[0].y) + p[0].x < at.x
        })
        .count()
}

/// The hexes that a course runs through for a good part of their width.
pub fn along(sheet: &Sheet, course: &[Spot]) -> HexSet {
    let mut length: BTreeMap<hex::Hex, usize> = BTreeMap::new();
    for spot in Course(course.to_vec()).dense(0.02).0 {
        if let Some(hex) = sheet.hex_at(spot) {
            *length.entry(hex).or_default() += 1;
        }
    }
    let mut out = HexSet::default();
    for (hex, n) in length {
        if n >= 16 {
            out.insert(hex);
        }
    }
    out
}
