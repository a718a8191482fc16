//! What a hex is made of: shares of sea, lake, forest, marsh, hills and the rest, by sampling its area.

use crate::earth::{Geo, Spot};
use crate::sheet::{CORNER, Sheet};
use crate::theatre::{Shape, Theatre};
use hex::{Dir, Hex};
use std::collections::BTreeMap;

/// Shares of a hex between 0 and 1, by name.
///
/// `sea` and `lake` are shares of the whole hex, all others shares of its land: `forest` and `open` from the land
/// cover, `wood` (forest, half of open woodland, and the regions called woods; half of it where there were fields), each kind of region by its name,
/// `upland` (hills, mountain or alpine), and each state by its name.
pub type Shares = BTreeMap<&'static str, f64>;

struct Ring<'a> {
    shape: &'a Shape,
    limits: [f64; 4],
}

/// Looks up what lies at a point.
pub struct Survey<'a> {
    theatre: &'a Theatre,
    seas: Vec<Ring<'a>>,
    lakes: Vec<Ring<'a>>,
    regions: Vec<Ring<'a>>,
    lands: Vec<Ring<'a>>,
}

fn rings<'a>(shapes: impl Iterator<Item = &'a Shape>) -> Vec<Ring<'a>> {
    shapes.map(|shape| Ring { shape, limits: shape.limits() }).collect()
}

fn holding<'a>(rings: &'a [Ring<'a>], at: Geo) -> impl Iterator<Item = &'a Shape> + 'a {
    rings
        .iter()
        .filter(move |r| {
            let [w, s, e, n] = r.limits;
            at.lon >= w && at.lon <= e && at.lat >= s && at.lat <= n && r.shape.holds(at)
        })
        .map(|r| r.shape)
}

const KINDS: [&str; 8] =
    ["marsh", "seasonal-marsh", "hills", "mountain", "alpine", "desert", "woods", "fields"];
const LANDS: [&str; 8] =
    ["germany", "hungary", "romania", "slovakia", "bulgaria", "finland", "turkey", "iran"];

impl<'a> Survey<'a> {
    /// A survey that sees the named lakes and no others.
    pub fn new(theatre: &'a Theatre, lakes: &[String]) -> Survey<'a> {
        Survey {
            theatre,
            seas: rings(theatre.seas.iter()),
            lakes: rings(theatre.lakes.iter().filter(|l| lakes.contains(&l.name))),
            regions: rings(theatre.regions.iter()),
            lands: rings(theatre.lands.iter()),
        }
    }

    /// True if the point is at sea.
    pub fn at_sea(&self, at: Geo) -> bool {
        holding(&self.seas, at).count() % 2 == 1
    }

    /// True if the point is in a lake.
    pub fn in_lake(&self, at: Geo) -> bool {
        holding(&self.lakes, at).count() % 2 == 1
    }

    /// True if the point lies in a region of this kind.
    pub fn in_region(&self, at: Geo, kind: &str) -> bool {
        holding(&self.regions, at).any(|r| r.class == kind)
    }

    /// The shares of a hex.
    pub fn shares(&self, sheet: &Sheet, hex: Hex) -> Shares {
        let centre = sheet.centre(hex);
        let mut out = Shares::new();
        let (mut all, mut land) = (0.0, 0.0);
        let mut height = 0.0;
        for spot in samples(centre) {
            let at = sheet.geo(spot);
            all += 1.0;
            let mut add = |name, share| *out.entry(name).or_insert(0.0) += share;
            if self.at_sea(at) {
                add("sea", 1.0);
                continue;
            }
            if self.in_lake(at) {
                add("lake", 1.0);
                continue;
            }
            land += 1.0;
            let mut wood: f64 = match self.theatre.cover.at(at) {
                Some(b'f') => 1.0,
                Some(b'o') => 0.5,
                _ => 0.0,
            };
            if wood == 1.0 {
                add("forest", 1.0);
            } else if wood > 0.0 {
                add("open", 1.0);
            }
            let mut seen = [false; KINDS.len()];
            for region in holding(&self.regions, at) {
                if let Some(i) = KINDS.iter().position(|k| *k == region.class) {
                    seen[i] = true;
                }
            }
            for (kind, _) in KINDS.iter().zip(seen).filter(|k| k.1) {
                add(kind, 1.0);
            }
            if seen[6] {
                wood = 1.0;
            }
            if seen[7] {
                wood *= 0.5;
            }
            if seen[2] || seen[3] || seen[4] {
                add("upland", 1.0);
            }
            add("wood", wood);
            if let Some(state) = holding(&self.lands, at).find_map(|l| LANDS.iter().find(|k| **k == l.name)) {
                add(state, 1.0);
            }
            height += self.theatre.height.at(at).flatten().map_or(0.0, f64::from);
        }
        for (name, share) in &mut out {
            *share /= if matches!(*name, "sea" | "lake") { all } else { land };
        }
        out.insert("land", land / all);
        out.insert("metres", if land > 0.0 { height / land } else { 0.0 });
        out
    }

    /// The shares of sea and lake along a side of a hex, and a little to each hand of it.
    pub fn side(&self, sheet: &Sheet, hex: Hex, dir: Dir) -> (f64, f64) {
        let (a, b) = sheet.side(hex, dir);
        let (a, b, c) = (sheet.corner(a), sheet.corner(b), sheet.centre(hex));
        let mid = Spot::new((a.x + b.x) / 2.0, (a.y + b.y) / 2.0);
        let out = (mid.x - c.x, mid.y - c.y);
        let (mut sea, mut lake, mut all) = (0.0, 0.0, 0.0);
        for along in 0..9 {
            for across in [-0.16, -0.08, 0.0, 0.08, 0.16] {
                let t = (f64::from(along) + 0.5) / 9.0;
                let spot =
                    Spot::new(a.x + (b.x - a.x) * t + out.0 * across, a.y + (b.y - a.y) * t + out.1 * across);
                let at = sheet.geo(spot);
                all += 1.0;
                if self.at_sea(at) {
                    sea += 1.0;
                } else if self.in_lake(at) {
                    lake += 1.0;
                }
            }
        }
        (sea / all, lake / all)
    }
}

/// Spots spread evenly over the hex about a centre.
fn samples(centre: Spot) -> impl Iterator<Item = Spot> {
    const STEPS: i32 = 7;
    (-STEPS..=STEPS).flat_map(move |i| {
        (-STEPS..=STEPS).filter_map(move |j| {
            let (x, y) =
                (f64::from(i) / f64::from(STEPS) * CORNER * 0.97, f64::from(j) / f64::from(STEPS) * 0.485);
            let inside = y.abs() <= 0.5 && (x.abs() * 0.75f64.sqrt() + y.abs() * 0.5) <= 0.5;
            inside.then(|| Spot::new(centre.x + x, centre.y + y))
        })
    })
}
