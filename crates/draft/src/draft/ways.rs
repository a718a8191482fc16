//! Roads, railways and bridges of a board.

use super::{Maker, Side, Water};
use crate::patch::Patch;
use crate::places::Place;
use crate::sheet::Sheet;
use crate::ways::{Chain, Roads};
use hex::{Edge, Hex};
use std::collections::{BTreeMap, BTreeSet};

impl Maker<'_> {
    pub(super) fn ways(
        &mut self,
        sheet: &Sheet,
        water: &Water,
        places: &[Place],
        patches: &[Patch],
        sides: &mut Vec<Side>,
    ) -> Vec<Chain> {
        let land = self.land(&sheet.grid, water);
        let wet: BTreeSet<Edge> = water.side.keys().copied().collect();
        let homes: BTreeMap<&str, Hex> =
            places.iter().filter_map(|p| Some((p.town.as_deref()?, p.hex))).collect();
        let mut out = Vec::new();
        for rule in self.recipe.ways.clone() {
            let mut barred = wet.clone();
            barred.extend(patches.iter().filter_map(|p| match p {
                Patch::NoLine(edge, kind) if *kind == rule.kind => Some(*edge),
                _ => None,
            }));
            for side in sides.iter().filter(|s| rule.not_over.contains(&s.kind)) {
                if !sides.iter().any(|s| s.edge == side.edge && rule.unless.contains(&s.kind)) {
                    barred.insert(side.edge);
                }
            }
            let rivers: BTreeSet<Edge> = sides
                .iter()
                .filter(|s| self.recipe.rivers.kinds.values().any(|k| *k == s.kind))
                .map(|s| s.edge)
                .collect();
            let mut sea = vec![false; land.len()];
            for (hex, _) in water.hex.iter().filter(|w| *w.1 == "sea") {
                sea[hex.ix()] = true;
            }
            if rule.water {
                barred.clear();
            }
            let mut roads =
                Roads::new(sheet, if rule.water { &sea } else { &land }, &barred, &rivers, rule.crossing);
            for name in &rule.ways {
                if !self.theatre.ways.iter().any(|w| w.name == *name) {
                    let known: Vec<&String> = self.theatre.ways.iter().map(|w| &w.name).collect();
                    self.fault(format!("ways: {}", text::unknown("way", name, &known)));
                }
            }
            // Marked ways first: where two run together, the mark stays.
            let (marked, plain): (Vec<_>, Vec<_>) =
                self.theatre.ways.iter().partition(|w| !w.marks.is_empty());
            for way in marked.into_iter().chain(plain) {
                if !rule.ways.contains(&way.name) && !rule.classes.contains(&way.class) {
                    continue;
                }
                let at = |town: &str| way.stations.iter().position(|s| s.town.as_deref() == Some(town));
                let first = at(&rule.from).unwrap_or(0);
                let last = at(&rule.to).unwrap_or(way.stations.len() - 1);
                let stations: Vec<_> = way.stations[first.min(last)..=last.max(first)]
                    .iter()
                    .filter_map(|s| {
                        let spot = sheet.spot(s.at);
                        let home = s.town.as_deref().and_then(|t| homes.get(t).copied());
                        let on = sheet.hex_at(spot);
                        // A station in the water of the map is passed over; one off the map shows the direction.
                        let hex = home.or_else(|| on.filter(|h| land[h.ix()]));
                        (hex.is_some() || on.is_none()).then(|| (hex, home.map_or(spot, |h| sheet.centre(h))))
                    })
                    .collect();
                for hexes in roads.lay(&rule.kind, &stations) {
                    let (name, flags) = (way.name.clone(), way.marks.clone());
                    out.push(Chain { kind: rule.kind.clone(), name, hexes, flags });
                }
            }
            for patch in patches {
                if let Patch::Line(kind, name, hexes) = patch
                    && *kind == rule.kind
                {
                    out.push(Chain {
                        kind: kind.clone(),
                        name: name.clone(),
                        hexes: hexes.clone(),
                        flags: Vec::new(),
                    });
                }
            }
            if !rule.bridge.is_empty() {
                self.bridge(sheet, &rule, &out, sides);
            }
        }
        out
    }

    pub(super) fn bridge(
        &self,
        sheet: &Sheet,
        rule: &crate::recipe::WayRule,
        lines: &[Chain],
        sides: &mut Vec<Side>,
    ) {
        let mut built = Vec::new();
        for chain in lines.iter().filter(|c| c.kind == rule.kind) {
            for pair in chain.hexes.windows(2) {
                let Some(edge) = Edge::between(&sheet.grid, pair[0], pair[1]) else { continue };
                let over = sides.iter().any(|s| {
                    s.edge == edge
                        && (rule.over.contains(&s.kind)
                            || (rule.over.is_empty()
                                && self.recipe.rivers.kinds.values().any(|k| *k == s.kind)))
                });
                if over && !sides.iter().chain(&built).any(|s| s.edge == edge && s.kind == rule.bridge) {
                    built.push(Side {
                        edge,
                        kind: rule.bridge.clone(),
                        name: String::new(),
                        flags: Vec::new(),
                    });
                }
            }
        }
        sides.extend(built);
    }
}
