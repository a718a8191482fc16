//! Which hexes and hexsides are water.

use super::{Maker, Water};
use crate::cover::{Shares, Survey};
use crate::patch::Patch;
use crate::places::Place;
use crate::sheet::Sheet;
use hex::{Dir, Edge, Grid, Hex};
use std::collections::BTreeMap;

impl Maker<'_> {
    pub(super) fn water(
        &self,
        sheet: &Sheet,
        survey: &Survey<'_>,
        shares: &BTreeMap<Hex, Shares>,
        places: &[Place],
        patches: &[Patch],
    ) -> Water {
        let rule = &self.recipe.water;
        let mut hex: BTreeMap<Hex, &'static str> = BTreeMap::new();
        for (h, s) in shares {
            let (sea, lake) = (s.get("sea").copied().unwrap_or(0.0), s.get("lake").copied().unwrap_or(0.0));
            if lake >= rule.lake && lake > sea {
                hex.insert(*h, "lake");
            } else if sea + lake >= rule.sea {
                hex.insert(*h, if lake > sea { "lake" } else { "sea" });
            }
        }
        for place in places {
            hex.remove(&place.hex);
        }
        for patch in patches {
            match patch {
                Patch::Land(h) => {
                    hex.remove(h);
                }
                Patch::Sea(h) => {
                    hex.insert(*h, "sea");
                }
                Patch::Lake(h) => {
                    hex.insert(*h, "lake");
                }
                _ => {}
            }
        }
        let mut side = BTreeMap::new();
        for h in sheet.grid.hexes().filter(|h| !hex.contains_key(h)) {
            for dir in [Dir::N, Dir::Ne, Dir::Se] {
                let Some(edge) = Edge::new(&sheet.grid, h, dir) else { continue };
                let (a, b) = edge.hexes(&sheet.grid);
                if hex.contains_key(&a) || hex.contains_key(&b) {
                    continue;
                }
                let wet = |x: Hex| 1.0 - shares[&x].get("land").copied().unwrap_or(1.0);
                if wet(a) + wet(b) < 0.15 {
                    continue;
                }
                let (sea, lake) = survey.side(sheet, h, dir);
                if sea + lake >= rule.side {
                    side.insert(edge, if lake > sea { "lake" } else { "sea" });
                }
            }
        }
        for patch in patches {
            match patch {
                Patch::Side(edge, kind, _) if *kind == rule.sea_side => {
                    side.insert(*edge, "sea");
                }
                Patch::Side(edge, kind, _) if *kind == rule.lake_side => {
                    side.insert(*edge, "lake");
                }
                Patch::Bare(edge, kind)
                    if kind == "*" || *kind == rule.sea_side || *kind == rule.lake_side =>
                {
                    side.remove(edge);
                }
                _ => {}
            }
        }
        Water { hex, side }
    }

    pub(super) fn land(&self, grid: &Grid, water: &Water) -> Vec<bool> {
        let mut land = vec![false; grid.len()];
        for h in grid.hexes() {
            land[h.ix()] = !water.hex.contains_key(&h);
        }
        land
    }
}
