//! Roads and railways: real lines snapped to chains of hexes.

use crate::earth::Spot;
use crate::path::{Course, cheapest};
use crate::sheet::Sheet;
use hex::{Edge, Hex};
use std::collections::{BTreeMap, BTreeSet};

/// How much a hex costs for each squared hex between its centre and the true line.
const STRAY: f64 = 3.0;

/// A chain of hexes of a road or railway.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The kind of line.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its hexes in order.
    pub hexes: Vec<Hex>,
    /// Its flags.
    pub flags: Vec<String>,
}

/// Lays ways on the grid one after another; later ones join earlier ones where they run side by side.
pub struct Roads<'a> {
    sheet: &'a Sheet,
    open: &'a [bool],
    barred: &'a BTreeSet<Edge>,
    rivers: &'a BTreeSet<Edge>,
    crossing: f64,
    used: BTreeMap<Edge, String>,
}

impl<'a> Roads<'a> {
    /// A network over the open hexes, never over the barred hexsides; each river crossed costs so many
    /// hexes more.
    pub fn new(
        sheet: &'a Sheet,
        open: &'a [bool],
        barred: &'a BTreeSet<Edge>,
        rivers: &'a BTreeSet<Edge>,
        crossing: f64,
    ) -> Roads<'a> {
        Roads { sheet, open, barred, rivers, crossing, used: BTreeMap::new() }
    }

    /// The chains of a way through stations, each with its hex; more than one where it leaves the map or runs along
    /// an earlier way of its kind.
    pub fn lay(&mut self, kind: &str, stations: &[(Option<Hex>, Spot)]) -> Vec<Vec<Hex>> {
        let mut full: Vec<Hex> = Vec::new();
        let mut runs: Vec<Vec<Hex>> = Vec::new();
        for pair in stations.windows(2) {
            let (Some(a), Some(b)) = (pair[0].0, pair[1].0) else {
                if full.len() > 1 {
                    runs.push(std::mem::take(&mut full));
                }
                full.clear();
                self.to_rim(pair, &mut runs);
                continue;
            };
            if a == b {
                continue;
            }
            let Some(path) = self.follow(kind, &Course(vec![pair[0].1, pair[1].1]), a, b) else { continue };
            if full.last() != path.first() {
                if full.len() > 1 {
                    runs.push(std::mem::take(&mut full));
                }
                full.clear();
                full.push(path[0]);
            }
            full.extend(&path[1..]);
        }
        if full.len() > 1 {
            runs.push(full);
        }
        let mut out = Vec::new();
        for run in runs {
            out.extend(self.fresh(kind, &run));
        }
        out
    }

    /// A way that leaves the map goes on to the rim in its direction.
    fn to_rim(&self, pair: &[(Option<Hex>, Spot)], runs: &mut Vec<Vec<Hex>>) {
        let (from, inside, outside) = match (pair[0].0, pair[1].0) {
            (Some(h), None) => (h, pair[0].1, pair[1].1),
            (None, Some(h)) => (h, pair[1].1, pair[0].1),
            _ => return,
        };
        let course = Course(vec![inside, outside]).dense(0.1);
        let Some(last) = course
            .0
            .iter()
            .map_while(|s| self.sheet.hex_at(*s).filter(|h| *h == from || self.open[h.ix()]))
            .last()
        else {
            return;
        };
        if last != from
            && let Some(path) = self.follow("", &course, from, last)
        {
            runs.push(path);
        }
    }

    fn follow(&self, kind: &str, course: &Course, a: Hex, b: Hex) -> Option<Vec<Hex>> {
        let grid = &self.sheet.grid;
        cheapest(&BTreeMap::from([(a, 0.0)]), &BTreeMap::from([(b, 0.0)]), |hex, out| {
            for (_, next) in grid.neighbours(hex) {
                let Some(edge) = Edge::between(grid, hex, next) else { continue };
                if (!self.open[next.ix()] && next != b) || self.barred.contains(&edge) {
                    continue;
                }
                let stray = course.nearest(self.sheet.centre(next)).1;
                let worn = if self.used.get(&edge).is_some_and(|k| k == kind) { 0.55 } else { 1.0 };
                let bridge = if self.rivers.contains(&edge) { self.crossing } else { 0.0 };
                out.push((next, worn * (1.0 + STRAY * stray * stray + bridge)));
            }
        })
    }

    /// The parts of a run that no earlier way of the kind has, and marks them as used.
    fn fresh(&mut self, kind: &str, run: &[Hex]) -> Vec<Vec<Hex>> {
        let mut out: Vec<Vec<Hex>> = Vec::new();
        let mut part: Vec<Hex> = Vec::new();
        for pair in run.windows(2) {
            let Some(edge) = Edge::between(&self.sheet.grid, pair[0], pair[1]) else { continue };
            if self.used.contains_key(&edge) {
                if part.len() > 1 {
                    out.push(std::mem::take(&mut part));
                }
                part.clear();
                continue;
            }
            self.used.insert(edge, kind.to_string());
            if part.last() != Some(&pair[0]) {
                part = vec![pair[0]];
            }
            part.push(pair[1]);
        }
        if part.len() > 1 {
            out.push(part);
        }
        out
    }
}
