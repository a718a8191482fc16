//! Zones, works and borders.

use super::{Maker, Side, Water};
use crate::places::Place;
use crate::sets::Sets;
use hex::{Dir, Edge, Grid, Hex, HexSet};

impl Maker<'_> {
    /// The zones; the lists may use `@at-TOWN`, `@kind-PLACE` and `@by-RIVER` besides the sets.
    pub(super) fn zones(
        &mut self,
        grid: &Grid,
        sets: &mut Sets,
        sides: &[Side],
        places: &mut Vec<Place>,
    ) -> Vec<(String, HexSet)> {
        let mut out = Vec::new();
        let slug = |name: &str| name.to_lowercase().replace(' ', "-");
        for side in sides.iter().filter(|s| !s.name.is_empty()) {
            let (a, b) = side.edge.hexes(grid);
            let set = sets.entry(format!("by-{}", slug(&side.name))).or_default();
            set.insert(a);
            set.insert(b);
        }
        for place in places.iter() {
            sets.entry(format!("at-{}", slug(&place.name))).or_default().insert(place.hex);
            sets.entry(format!("kind-{}", place.kind)).or_default().insert(place.hex);
        }
        for works in self.recipe.works.clone() {
            let list = if works.along.is_empty() {
                works.hexes.clone()
            } else {
                let without: Vec<String> =
                    works.without.split_whitespace().map(|w| format!("!{w}")).collect();
                format!("@along-{} {} {}", works.along, works.hexes, without.join(" "))
            };
            let set = self.set(grid, sets, &works.name, &list);
            let mut hexes: Vec<Hex> = set.iter().collect();
            hexes.sort_by_key(|h| (grid.column(*h), grid.row(*h)));
            places.extend(hexes.into_iter().map(|hex| Place {
                hex,
                kind: works.kind.clone(),
                name: if set.count() == 1 { works.name.clone() } else { String::new() },
                now: String::new(),
                vp: None,
                flags: works.flags.clone(),
                at: None,
                town: None,
            }));
            if !works.zone.is_empty() {
                sets.entry(works.zone.clone()).or_default();
                let all = set.iter().collect::<Vec<_>>();
                if let Some(zone) = sets.get_mut(&works.zone) {
                    for hex in all {
                        zone.insert(hex);
                    }
                }
                out.retain(|(name, _)| *name != works.zone);
                out.push((works.zone.clone(), sets[&works.zone].clone()));
            }
        }
        for named in self.recipe.zones.clone() {
            let set = self.set(grid, sets, &named.name, &named.hexes);
            sets.insert(named.name.clone(), set.clone());
            out.push((named.name.clone(), set));
        }
        out
    }

    pub(super) fn borders(
        &mut self,
        grid: &Grid,
        sets: &Sets,
        water: &Water,
    ) -> Vec<(String, String, Vec<Edge>)> {
        let mut out = Vec::new();
        for rule in self.recipe.borders.clone() {
            let a = self.set(grid, sets, &rule.name, &rule.a);
            let b = self.set(grid, sets, &rule.name, &rule.b);
            let mut sides = Vec::new();
            for hex in grid.hexes() {
                for dir in [Dir::N, Dir::Ne, Dir::Se] {
                    let Some(edge) = Edge::new(grid, hex, dir) else { continue };
                    let (p, q) = edge.hexes(grid);
                    let all = rule.b.is_empty();
                    let parts =
                        |p: Hex, q: Hex| a.contains(p) && if all { !a.contains(q) } else { b.contains(q) };
                    // A line is drawn over land; where it would run out to sea it ends.
                    let dry = !water.hex.contains_key(&p) && !water.hex.contains_key(&q);
                    if dry && (parts(p, q) || parts(q, p)) {
                        sides.push(edge);
                    }
                }
            }
            out.push((rule.kind.clone(), rule.name.clone(), sides));
        }
        out
    }
}
