//! Rivers: real courses snapped to chains of hexsides.

use crate::earth::Spot;
use crate::path::{Course, cheapest};
use crate::sheet::{Corner, Sheet};
use hex::{Dir, Edge, Hex};
use std::collections::{BTreeMap, BTreeSet};

/// How much a hexside costs for each squared hex between it and the true course.
const STRAY: f64 = 16.0;

/// A hexside of a river.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The kind of hexside.
    pub kind: String,
    /// The river.
    pub name: String,
}

/// How a piece of a river ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    /// In a sea or lake.
    Water,
    /// At the rim of the map.
    Rim,
    /// In another river.
    River,
    /// In the land.
    Free,
}

/// The network of hexsides on which rivers can run.
pub struct Streams<'a> {
    sheet: &'a Sheet,
    near: BTreeMap<Corner, Vec<(Corner, Edge)>>,
    water: BTreeSet<Corner>,
    rim: BTreeSet<Corner>,
    taken: BTreeSet<Corner>,
    land: Vec<bool>,
    /// Hexsides that cost next to nothing, because a rule says that a river runs there.
    pub prefer: BTreeSet<Edge>,
    /// Towns on the map: their true spot and the centre of their hex.
    pub towns: Vec<(Spot, Spot)>,
    /// The rivers drawn so far.
    pub sides: BTreeMap<Edge, Reach>,
    /// Rivers that found no way.
    pub lost: Vec<String>,
}

impl<'a> Streams<'a> {
    /// All hexsides between land hexes, save those in `barred` (water, or where a rule wants none).
    pub fn new(
        sheet: &'a Sheet,
        land: &[bool],
        wet: &BTreeSet<Edge>,
        barred: &BTreeSet<Edge>,
    ) -> Streams<'a> {
        let mut out = Streams {
            sheet,
            near: BTreeMap::new(),
            water: BTreeSet::new(),
            rim: BTreeSet::new(),
            taken: BTreeSet::new(),
            land: land.to_vec(),
            prefer: BTreeSet::new(),
            towns: Vec::new(),
            sides: BTreeMap::new(),
            lost: Vec::new(),
        };
        for hex in sheet.grid.hexes() {
            for dir in Dir::ALL {
                let (a, b) = sheet.side(hex, dir);
                let Some(edge) = Edge::new(&sheet.grid, hex, dir) else {
                    if land[hex.ix()] {
                        out.rim.extend([a, b]);
                    }
                    continue;
                };
                let (p, q) = edge.hexes(&sheet.grid);
                if !land[hex.ix()] || wet.contains(&edge) {
                    out.water.extend([a, b]);
                }
                if edge.hex() == hex
                    && land[p.ix()]
                    && land[q.ix()]
                    && !wet.contains(&edge)
                    && !barred.contains(&edge)
                {
                    out.near.entry(a).or_default().push((b, edge));
                    out.near.entry(b).or_default().push((a, edge));
                }
            }
        }
        out
    }

    fn on_land(&self, spot: Spot) -> Option<bool> {
        self.sheet.hex_at(spot).map(|h: Hex| self.land[h.ix()])
    }

    /// Moves a course with the towns on its banks: as each town goes to the centre of its hex, the river beside it
    /// goes along and keeps to its side.
    fn beside_towns(&self, course: &Course) -> Course {
        let mut spots = course.dense(0.1).0;
        let raw = Course(spots.clone());
        let banks: Vec<_> = self
            .towns
            .iter()
            .filter_map(|&(town, centre)| {
                let (near, d) = raw.nearest(town);
                (d < 0.6).then_some((town, centre, near, d))
            })
            .collect();
        for spot in &mut spots {
            let (mut dx, mut dy, mut sum) = (0.0, 0.0, 0.0);
            for (town, centre, ..) in &banks {
                let r = spot.distance(*town);
                if r < 1.0 {
                    let w = (1.0 - r * r).powi(2);
                    dx += w * (centre.x - town.x);
                    dy += w * (centre.y - town.y);
                    sum += w;
                }
            }
            let norm = f64::max(sum, 1.0);
            *spot = Spot::new(spot.x + dx / norm, spot.y + dy / norm);
        }
        for (town, centre, near, d) in &banks {
            if *d < 0.004 {
                continue;
            }
            let (nx, ny) = ((near.x - town.x) / d, (near.y - town.y) / d);
            for spot in &mut spots {
                let r = spot.distance(*centre);
                if r < 0.8 {
                    let along = (spot.x - centre.x) * nx + (spot.y - centre.y) * ny;
                    let push = (0.5 - along).max(0.0) * (1.0 - (r / 0.8).powi(2));
                    *spot = Spot::new(spot.x + nx * push, spot.y + ny * push);
                }
            }
        }
        Course(spots)
    }

    /// The pieces of a course that run over the land of the map, with their ends.
    fn pieces(&self, course: &Course) -> Vec<(Course, End, End)> {
        let mut out = Vec::new();
        let mut run: Vec<Spot> = Vec::new();
        let mut start = End::Free;
        let mut gap: Vec<Spot> = Vec::new();
        let mut end = End::Free;
        for &spot in &course.0 {
            if self.on_land(spot) == Some(true) {
                if !gap.is_empty() && Course(gap.clone()).length() > 0.5 {
                    if run.len() > 1 {
                        out.push((Course(std::mem::take(&mut run)), start, end));
                    }
                    run.clear();
                    start = end;
                }
                run.append(&mut gap);
                run.push(spot);
            } else {
                end = if self.on_land(spot).is_some() { End::Water } else { End::Rim };
                if run.is_empty() {
                    start = end;
                } else {
                    gap.push(spot);
                }
            }
        }
        if run.len() > 1 {
            let last = if gap.is_empty() { End::Free } else { end };
            out.push((Course(run), start, last));
        }
        out.retain(|p| p.0.length() > 0.5);
        out
    }

    fn nearest_of(&self, set: &BTreeSet<Corner>, spot: Spot) -> f64 {
        set.iter().map(|c| self.sheet.corner(*c).distance(spot)).fold(f64::MAX, f64::min)
    }

    fn ends(&self, spot: Spot, end: End) -> BTreeMap<Corner, f64> {
        for reach in [1.3, 2.5, 4.0] {
            let out: BTreeMap<Corner, f64> = self
                .near
                .keys()
                .filter(|c| match end {
                    End::Water => self.water.contains(c),
                    End::Rim => self.rim.contains(c),
                    End::River => self.taken.contains(c),
                    End::Free => true,
                })
                .map(|c| (*c, self.sheet.corner(*c).distance(spot)))
                .filter(|(_, d)| *d < reach)
                .map(|(c, d)| (c, 4.0 * d * d))
                .collect();
            if !out.is_empty() {
                return out;
            }
        }
        BTreeMap::new()
    }

    fn settle(&self, spot: Spot, end: End) -> End {
        if end == End::Free {
            if self.nearest_of(&self.taken, spot) < 0.75 {
                return End::River;
            }
            if self.nearest_of(&self.water, spot) < 0.6 {
                return End::Water;
            }
        }
        end
    }

    /// Draws one river; a free upper end is shortened by `headwater` hexes.
    pub fn draw(&mut self, name: &str, kind: &str, course: &Course, headwater: f64) {
        let course = self.beside_towns(course);
        let mut drawn: BTreeSet<Corner> = BTreeSet::new();
        let mut found = false;
        for (piece, a, b) in self.pieces(&course) {
            let (first, last) = (piece.0[0], piece.0[piece.0.len() - 1]);
            let (a, b) = (self.settle(first, a), self.settle(last, b));
            let mut piece = piece;
            if a == End::Free && piece.length() > headwater + 1.5 {
                piece = piece.without_head(headwater);
            }
            if b == End::Free && a != End::Free && piece.length() > headwater + 1.5 {
                piece = piece.reversed().without_head(headwater).reversed();
            }
            let (first, last) = (piece.0[0], piece.0[piece.0.len() - 1]);
            let (starts, goals) = (self.ends(first, a), self.ends(last, b));
            let Some(path) = self.follow(&piece, &starts, &goals) else { continue };
            if path.len() < 2 {
                continue;
            }
            found = true;
            for pair in path.windows(2) {
                let Some((_, edge)) = self.near[&pair[0]].iter().find(|n| n.0 == pair[1]) else { continue };
                self.sides.entry(*edge).or_insert(Reach { kind: kind.into(), name: name.into() });
            }
            drawn.extend(path);
        }
        self.taken.extend(drawn);
        if !found {
            self.lost.push(name.to_string());
        }
    }

    fn follow(
        &self,
        course: &Course,
        starts: &BTreeMap<Corner, f64>,
        goals: &BTreeMap<Corner, f64>,
    ) -> Option<Vec<Corner>> {
        let mut strays: BTreeMap<Edge, f64> = BTreeMap::new();
        cheapest(starts, goals, |corner, out| {
            // A river ends where it meets another or the water.
            if !starts.contains_key(&corner) && (self.taken.contains(&corner) || self.water.contains(&corner))
            {
                return;
            }
            let here = self.sheet.corner(corner);
            for (next, edge) in &self.near[&corner] {
                if self.sides.contains_key(edge) {
                    continue;
                }
                let there = self.sheet.corner(*next);
                let stray = *strays.entry(*edge).or_insert_with(|| {
                    [0.2, 0.5, 0.8]
                        .map(|t| course.nearest(crate::path::between(here, there, t)).1.powi(2))
                        .iter()
                        .sum::<f64>()
                        / 3.0
                });
                if stray > 6.0 {
                    continue;
                }
                let cost = if self.prefer.contains(edge) { 0.02 } else { 0.577 * (1.0 + STRAY * stray) };
                out.push((*next, cost));
            }
        })
    }
}
