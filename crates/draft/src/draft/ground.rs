//! The terrain of hexes, and the sets that lists may name.

use super::{Maker, Water};
use crate::cover::Shares;
use crate::patch::Patch;
use crate::places::Place;
use crate::sets::Sets;
use crate::sheet::Sheet;
use hex::{Dir, Grid, Hex};
use std::collections::BTreeMap;

impl Maker<'_> {
    pub(super) fn terrain(
        &self,
        shares: &BTreeMap<Hex, Shares>,
        water: &Water,
        places: &[Place],
        patches: &[Patch],
    ) -> BTreeMap<Hex, String> {
        let mut out = BTreeMap::new();
        for (hex, s) in shares {
            if let Some(kind) = water.hex.get(hex) {
                let rule = &self.recipe.water;
                let name = if *kind == "sea" { &rule.sea_terrain } else { &rule.lake_terrain };
                out.insert(*hex, name.clone());
                continue;
            }
            let share = |name: &String| s.get(name.as_str()).copied().unwrap_or(0.0);
            let fits = self.recipe.terrain.iter().find(|t| {
                t.least.iter().all(|(n, v)| share(n) >= *v) && t.below.iter().all(|(n, v)| share(n) < *v)
            });
            if let Some(rule) = fits {
                out.insert(*hex, rule.name.clone());
            }
        }
        for place in places {
            if let Some(terrain) = self.recipe.places.terrain.get(&place.kind) {
                out.insert(place.hex, terrain.clone());
            }
        }
        for patch in patches {
            if let Patch::Terrain(hex, name) = patch {
                out.insert(*hex, name.clone());
            }
            if let Patch::Place(hex, kind, _) = patch
                && let Some(terrain) = self.recipe.places.terrain.get(kind)
            {
                out.insert(*hex, terrain.clone());
            }
        }
        out.retain(|_, name| *name != self.default_terrain);
        out
    }

    pub(super) fn marks(&mut self, grid: &Grid, sets: &Sets) -> BTreeMap<Hex, Vec<String>> {
        let mut out: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
        for mark in self.recipe.marks.clone() {
            for hex in self.set(grid, sets, &mark.flag, &mark.hexes).iter() {
                out.entry(hex).or_default().push(mark.flag.clone());
            }
        }
        out
    }

    /// Land, water and states; the hexes beyond each line and course.
    pub(super) fn base_sets(&mut self, sheet: &Sheet, shares: &BTreeMap<Hex, Shares>, water: &Water) -> Sets {
        let grid = &sheet.grid;
        let mut out = Sets::new();
        for (hex, s) in shares {
            let mut put = |name: &str| out.entry(name.to_string()).or_default().insert(*hex);
            if Dir::ALL.into_iter().any(|dir| grid.neighbour(*hex, dir).is_none()) {
                put("rim");
            }
            match water.hex.get(hex) {
                Some(kind) => {
                    put(kind);
                }
                None => {
                    put("land");
                    let states = [
                        "germany", "hungary", "romania", "slovakia", "bulgaria", "finland", "turkey", "iran",
                    ];
                    let share = |n: &str| s.get(n).copied().unwrap_or(0.0);
                    let abroad: f64 = states.iter().map(|n| share(n)).sum();
                    if abroad < 0.5 {
                        put("ussr");
                    } else {
                        let state = states.into_iter().max_by(|a, b| share(a).total_cmp(&share(b)));
                        put(state.unwrap_or("germany"));
                    }
                    if grid.neighbours(*hex).any(|(_, n)| water.hex.get(&n) == Some(&"sea")) {
                        put("coast");
                    }
                }
            }
        }
        for name in [
            "land", "sea", "lake", "coast", "ussr", "germany", "hungary", "romania", "finland", "bulgaria",
            "slovakia", "turkey", "iran", "rim",
        ] {
            out.entry(name.to_string()).or_default();
        }
        let mut courses: BTreeMap<String, Vec<crate::earth::Spot>> = BTreeMap::new();
        for line in &self.theatre.lines {
            courses.entry(line.name.clone()).or_default().extend(line.points.iter().map(|p| sheet.spot(*p)));
        }
        for course in self.recipe.courses.clone() {
            let mut spots = Vec::new();
            for word in course.spots.split_whitespace() {
                match word
                    .split_once(':')
                    .and_then(|(c, r)| Some((c.parse::<f64>().ok()?, r.parse::<f64>().ok()?)))
                {
                    Some((c, r)) => spots.push(crate::earth::Spot::new(c * 0.75f64.sqrt(), r)),
                    None => self.fault(format!("courses: {word:?} is not column:row")),
                }
            }
            courses.insert(course.name.clone(), spots);
        }
        for (name, course) in courses {
            for hex in grid.hexes() {
                let c = sheet.centre(hex);
                if crate::sides::east(&course, c) {
                    out.entry(format!("east-of-{name}")).or_default().insert(hex);
                }
                if crate::sides::south(&course, c) {
                    out.entry(format!("south-of-{name}")).or_default().insert(hex);
                }
            }
            out.insert(format!("along-{name}"), crate::sides::along(sheet, &course));
        }
        for area in self.recipe.areas.clone() {
            match crate::theatre::ring(&area.ring) {
                Some(shape) => {
                    let set = out.entry(area.name.clone()).or_default();
                    for hex in grid.hexes().filter(|h| shape.holds(sheet.geo(sheet.centre(*h)))) {
                        set.insert(hex);
                    }
                }
                None => self.fault(format!("areas: {} is not a ring of longitude,latitude", area.name)),
            }
        }
        for named in self.recipe.sets.clone() {
            let set = self.set(grid, &out, &named.name, &named.hexes);
            out.insert(named.name.clone(), set);
        }
        out
    }
}
