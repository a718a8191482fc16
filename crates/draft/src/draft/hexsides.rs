//! Rivers and crests on hexsides.

use super::{Maker, Side, Water};
use crate::cover::Survey;
use crate::patch::Patch;
use crate::path::Course;
use crate::places::Place;
use crate::rivers::{Reach, Streams};
use crate::sets::Sets;
use crate::sheet::{Corner, Sheet};
use hex::{Dir, Edge, Grid};
use std::collections::{BTreeMap, BTreeSet};

impl Maker<'_> {
    pub(super) fn rivers(
        &mut self,
        sheet: &Sheet,
        water: &Water,
        places: &[Place],
        patches: &[Patch],
        remarks: &mut Vec<String>,
    ) -> Vec<Side> {
        let land = self.land(&sheet.grid, water);
        let wet: BTreeSet<Edge> = water.side.keys().copied().collect();
        let mut barred = BTreeSet::new();
        let mut prefer = BTreeSet::new();
        for patch in patches {
            match patch {
                Patch::NoRiver(edge) => {
                    barred.insert(*edge);
                }
                Patch::River(edge) => {
                    prefer.insert(*edge);
                }
                _ => {}
            }
        }
        let mut streams = Streams::new(sheet, &land, &wet, &barred);
        streams.prefer = prefer;
        streams.towns =
            places.iter().filter_map(|p| p.at.map(|at| (sheet.spot(at), sheet.centre(p.hex)))).collect();
        let rule = self.recipe.rivers.clone();
        for name in &rule.list {
            let Some(river) = self.theatre.rivers.iter().find(|r| r.name == *name) else {
                let known: Vec<&String> = self.theatre.rivers.iter().map(|r| &r.name).collect();
                self.fault(format!("rivers: {}", text::unknown("river", name, &known)));
                continue;
            };
            let class = rule.class.get(name).unwrap_or(&river.class);
            let Some(kind) = rule.kinds.get(class) else {
                self.fault(format!("rivers: no kind is given for the class {class:?} of {name}"));
                continue;
            };
            let course = Course(river.points.iter().map(|p| sheet.spot(*p)).collect());
            streams.draw(name, kind, &course, rule.heads.get(name).copied().unwrap_or(rule.headwater));
        }
        remarks.extend(streams.lost.iter().map(|name| format!("the river {name} found no way")));
        let mut out: Vec<Side> = streams
            .sides
            .into_iter()
            .map(|(edge, Reach { kind, name })| Side { edge, kind, name, flags: Vec::new() })
            .collect();
        for (edge, kind) in &water.side {
            let kind =
                if *kind == "sea" { &self.recipe.water.sea_side } else { &self.recipe.water.lake_side };
            out.push(Side { edge: *edge, kind: kind.clone(), name: String::new(), flags: Vec::new() });
        }
        for patch in patches {
            match patch {
                Patch::Bare(edge, kind) => {
                    out.retain(|s| s.edge != *edge || (kind != "*" && s.kind != *kind))
                }
                Patch::Side(edge, kind, name) => {
                    let rule = &self.recipe.water;
                    out.retain(|s| {
                        s.edge != *edge
                            || (s.kind != *kind && s.kind != rule.sea_side && s.kind != rule.lake_side)
                    });
                    out.push(Side { edge: *edge, kind: kind.clone(), name: name.clone(), flags: Vec::new() });
                }
                _ => {}
            }
        }
        out
    }

    pub(super) fn reclass(&mut self, grid: &Grid, sets: &Sets, sides: &mut [Side]) {
        for part in self.recipe.rivers.reclass.clone() {
            let within = self.set(grid, sets, &part.river, &part.within);
            for side in sides.iter_mut().filter(|s| s.name == part.river) {
                let (a, b) = side.edge.hexes(grid);
                if within.contains(a) && within.contains(b) {
                    side.kind = part.kind.clone();
                    if !part.name.is_empty() {
                        side.name = part.name.clone();
                    }
                }
            }
        }
    }

    /// Puts the kind of a crest on the hexsides whose middle lies in its region.
    pub(super) fn crests(&self, sheet: &Sheet, survey: &Survey<'_>, water: &Water, sides: &mut Vec<Side>) {
        for crest in &self.recipe.crests {
            for hex in sheet.grid.hexes() {
                for dir in [Dir::N, Dir::Ne, Dir::Se] {
                    let Some(edge) = Edge::new(&sheet.grid, hex, dir) else { continue };
                    let (p, q) = edge.hexes(&sheet.grid);
                    let (a, b) = sheet.side(hex, dir);
                    let middle = crate::path::between(sheet.corner(a), sheet.corner(b), 0.5);
                    let dry = !water.hex.contains_key(&p) && !water.hex.contains_key(&q);
                    if dry && survey.in_region(sheet.geo(middle), &crest.region) {
                        sides.push(Side {
                            edge,
                            kind: crest.kind.clone(),
                            name: String::new(),
                            flags: Vec::new(),
                        });
                    }
                }
            }
        }
    }

    /// Flags the hexsides at which a river rises or ends without meeting water, another river or the rim.
    pub(super) fn mark_ends(&self, sheet: &Sheet, water: &Water, sides: &mut [Side]) {
        let mut dry: BTreeMap<Corner, usize> = BTreeMap::new();
        for hex in sheet.grid.hexes().filter(|h| !water.hex.contains_key(h)) {
            for dir in Dir::ALL {
                *dry.entry(sheet.side(hex, dir).0).or_default() += 1;
            }
        }
        let river = |s: &Side| self.recipe.rivers.kinds.values().any(|k| *k == s.kind);
        let wet = |s: &Side| s.kind == self.recipe.water.sea_side || s.kind == self.recipe.water.lake_side;
        let ends = |edge: Edge| sheet.side(edge.hex(), edge.dir());
        let mut met: BTreeMap<Corner, BTreeSet<Edge>> = BTreeMap::new();
        let mut shore: BTreeSet<Corner> = BTreeSet::new();
        for side in sides.iter() {
            let (a, b) = ends(side.edge);
            if river(side) {
                met.entry(a).or_default().insert(side.edge);
                met.entry(b).or_default().insert(side.edge);
            } else if wet(side) {
                shore.extend([a, b]);
            }
        }
        for side in sides.iter_mut().filter(|s| river(s)) {
            let (a, b) = ends(side.edge);
            let free = |c: &Corner| met[c].len() < 2 && dry.get(c) == Some(&3) && !shore.contains(c);
            side.flags.retain(|f| f != "source");
            if free(&a) || free(&b) {
                side.flags.push("source".to_string());
            }
        }
    }
}
