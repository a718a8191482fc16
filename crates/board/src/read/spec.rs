//! `board.toml`: grid, kinds, zones, edges, boxes.

use super::list;
use crate::{
    BorderEntry, EdgeArea, Flags, HexsideEntry, LineEntry, OffMapBox, PlaceEntry, Terrain, TerrainEntry,
    Water, Zone,
};
use hex::{Grid, GridSpec, HexSet};
use serde::Deserialize;
use std::ops::Range;
use text::{Faults, Files, Source, Spanned, Toml, read_toml, unknown};

const TERRAIN: &[&str] = &[
    "clear",
    "forest",
    "woods",
    "hills",
    "rough",
    "wooded-rough",
    "marsh",
    "seasonal-marsh",
    "mountain",
    "alpine",
    "desert",
    "steppe",
    "city",
    "sea",
    "lake",
    "off",
];
const HEXSIDE: &[&str] = &[
    "river",
    "river-major",
    "river-great",
    "sea",
    "lake",
    "strait",
    "alpine",
    "escarpment",
    "wall",
    "bridge",
    "rail-bridge",
    "ferry",
    "none",
];
const LINE: &[&str] =
    &["road", "road-minor", "highway", "track", "rail", "rail-minor", "rail-unfinished", "shipping", "none"];
const PLACE: &[&str] = &[
    "village",
    "town",
    "large-town",
    "city",
    "major-city",
    "fort",
    "heavy-fort",
    "fort-line",
    "entrenchment",
    "port",
    "airfield",
    "oil",
    "hq",
    "factory",
    "landmark",
    "objective",
    "peak",
    "none",
];
const BORDER: &[&str] = &[
    "border",
    "border-minor",
    "front",
    "start-line",
    "supply-line",
    "weather-line",
    "sector-line",
    "fort-line",
    "limit",
    "none",
];
const ZONE: &[&str] = &["tint-1", "tint-2", "tint-3", "tint-4", "tint-5", "tint-6", "outline"];

/// The words that may stand under `flags`, per table.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct FlagWords {
    pub hex: Vec<String>,
    pub hexside: Vec<String>,
    pub line: Vec<String>,
    pub place: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    source: Source,
    default_terrain: Spanned<String>,
    grid: Spanned<GridSpec>,
    #[serde(default)]
    flags: FlagWords,
    #[serde(default)]
    terrain: Vec<KindRow>,
    #[serde(default)]
    hexside: Vec<KindRow>,
    #[serde(default)]
    line: Vec<KindRow>,
    #[serde(default)]
    place: Vec<KindRow>,
    #[serde(default)]
    border: Vec<KindRow>,
    #[serde(default)]
    zone: Vec<AreaRow>,
    #[serde(default)]
    edge: Vec<AreaRow>,
    #[serde(default, rename = "box")]
    boxes: Vec<AreaRow>,
}

/// One kind; which of the switches mean something depends on what it is a kind of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindRow {
    name: Spanned<String>,
    draw: Spanned<String>,
    label: Option<String>,
    water: Option<Spanned<WaterSwitch>>,
    playable: Option<Spanned<bool>>,
    river: Option<Spanned<bool>>,
    blocks: Option<Spanned<bool>>,
    crosses: Option<Spanned<bool>>,
}

/// `water = "sea"` for a terrain, `water = true` for a line.
#[derive(Deserialize)]
#[serde(untagged)]
enum WaterSwitch {
    Fills(Water),
    On(bool),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaRow {
    name: Spanned<String>,
    #[serde(default)]
    kind: String,
    label: Option<String>,
    draw: Option<Spanned<String>>,
    #[serde(rename = "box")]
    leads_to: Option<Spanned<String>>,
    hexes: Option<Spanned<String>>,
    at: Option<Spanned<[f64; 4]>>,
    #[serde(default)]
    flags: Vec<String>,
}

/// What `board.toml` says, checked.
pub(super) struct Spec {
    pub name: String,
    pub source: Source,
    pub grid: Grid,
    pub default_terrain: Terrain,
    pub flags: FlagWords,
    pub terrains: Vec<TerrainEntry>,
    pub hexside_kinds: Vec<HexsideEntry>,
    pub line_kinds: Vec<LineEntry>,
    pub place_kinds: Vec<PlaceEntry>,
    pub border_kinds: Vec<BorderEntry>,
    pub zones: Vec<Zone>,
    pub edges: Vec<EdgeArea>,
    pub boxes: Vec<OffMapBox>,
    /// The lines where zones and edges are declared, for faults about their hexes.
    pub zone_lines: Vec<Option<u32>>,
    pub edge_lines: Vec<Option<u32>>,
    /// The file as faults show it.
    pub file: String,
}

/// Notes faults of `board.toml` with their lines.
struct Critic<'a> {
    toml: &'a Toml<File>,
    faults: &'a mut Faults,
}

impl Critic<'_> {
    fn fault(&mut self, span: Range<usize>, what: String) {
        self.faults.add(&self.toml.file, self.toml.line(span), what);
    }

    /// Names are not used twice, draw words are known, there are not too many.
    fn kinds(&mut self, what: &str, rows: &[KindRow], words: &[&str], most: usize, switches: [bool; 5]) {
        for (i, row) in rows.iter().enumerate() {
            if rows[..i].iter().any(|r| r.name.get_ref() == row.name.get_ref()) {
                self.fault(
                    row.name.span(),
                    format!("the {what} \"{}\" is declared twice", row.name.get_ref()),
                );
            }
            if !words.contains(&row.draw.get_ref().as_str()) {
                let draw = row.draw.get_ref();
                self.fault(row.draw.span(), unknown(&format!("draw of a {what}"), draw, words));
            }
            if i == most {
                self.fault(
                    row.name.span(),
                    format!("more than {most} kinds of {what}; expected at most {most}"),
                );
            }
            let given = [
                ("water", row.water.as_ref().map(Spanned::span)),
                ("playable", row.playable.as_ref().map(Spanned::span)),
                ("river", row.river.as_ref().map(Spanned::span)),
                ("blocks", row.blocks.as_ref().map(Spanned::span)),
                ("crosses", row.crosses.as_ref().map(Spanned::span)),
            ];
            for ((key, span), allowed) in given.into_iter().zip(switches) {
                if let (Some(span), false) = (span, allowed) {
                    self.fault(span, format!("the key {key} means nothing for a {what}; take it out"));
                }
            }
        }
    }

    fn areas(&mut self, what: &str, rows: &[AreaRow], others: &[AreaRow]) {
        for (i, row) in rows.iter().enumerate() {
            let name = row.name.get_ref();
            if rows[..i].iter().chain(others).any(|r| r.name.get_ref() == name) {
                self.fault(row.name.span(), format!("the {what} \"{name}\" shares its name with another"));
            }
            if let Some(draw) = &row.draw
                && (what != "zone" || !ZONE.contains(&draw.get_ref().as_str()))
            {
                let words = if what == "zone" { ZONE } else { &[] };
                self.fault(draw.span(), unknown(&format!("draw of a {what}"), draw.get_ref(), words));
            }
            if let Some(leads_to) = &row.leads_to {
                let boxes: Vec<&str> =
                    self.toml.value.boxes.iter().map(|b| b.name.get_ref().as_str()).collect();
                if !boxes.contains(&leads_to.get_ref().as_str()) {
                    self.fault(leads_to.span(), unknown("box", leads_to.get_ref(), &boxes));
                }
            }
        }
    }
}

impl Spec {
    /// Reads `board.toml`; none if the tables cannot be read for want of it.
    pub fn read(files: &Files, faults: &mut Faults) -> Option<Spec> {
        let toml: Toml<File> = read_toml(files, "board.toml", faults)?;
        let file = &toml.value;
        let mut critic = Critic { toml: &toml, faults };
        //                                                       water, playable, river, blocks, crosses
        critic.kinds("terrain", &file.terrain, TERRAIN, 32, [true, true, false, false, false]);
        critic.kinds("hexside", &file.hexside, HEXSIDE, 16, [false, false, true, true, true]);
        critic.kinds("line", &file.line, LINE, 16, [true, false, false, false, false]);
        critic.kinds("place", &file.place, PLACE, 64, [false; 5]);
        critic.kinds("border", &file.border, BORDER, 32, [false; 5]);
        critic.areas("zone", &file.zone, &[]);
        critic.areas("edge", &file.edge, &file.zone);
        critic.areas("box", &file.boxes, &[]);
        for row in &file.terrain {
            if let Some(w) = &row.water
                && matches!(w.get_ref(), WaterSwitch::On(true))
            {
                critic.fault(w.span(), "a terrain says which water; expected \"sea\" or \"lake\"".into());
            }
        }
        let names: Vec<&String> = file.terrain.iter().map(|t| t.name.get_ref()).collect();
        let default = names.iter().position(|n| *n == file.default_terrain.get_ref());
        if default.is_none() {
            let name = file.default_terrain.get_ref();
            critic.fault(file.default_terrain.span(), unknown("terrain", name, &names));
        }
        let grid = Grid::new(file.grid.get_ref())
            .map_err(|e| critic.fault(file.grid.span(), format!("the grid cannot be built: {e}")))
            .ok()?;
        let lines = |rows: &[AreaRow]| rows.iter().map(|r| toml.line(r.name.span())).collect();
        let (zone_lines, edge_lines) = (lines(&file.zone), lines(&file.edge));
        let mut boxes = Vec::new();
        for row in &file.boxes {
            let mut wrong = Vec::new();
            let words = row.hexes.as_ref().map_or("", |h| h.get_ref().as_str());
            let hexes = list::hexes(&grid, words, &|_| None, &mut |what| wrong.push(what));
            for what in wrong {
                critic.fault(row.hexes.as_ref().map_or(0..0, Spanned::span), what);
            }
            // A map is at most a hundred hexes wide; a box far from it would make the picture boundless.
            if let Some(at) = &row.at
                && !at.get_ref().iter().all(|x| x.abs() <= 200.0)
            {
                critic.fault(
                    at.span(),
                    "a box so far off cannot be drawn; expected numbers from -200 to 200".into(),
                );
            }
            boxes.push(OffMapBox {
                name: row.name.get_ref().clone(),
                kind: row.kind.clone(),
                label: label(&row.label, row.name.get_ref()),
                hexes,
                at: row.at.as_ref().map(|at| *at.get_ref()),
                flags: Flags::new(row.flags.iter().cloned()),
            });
        }
        let default_terrain = Terrain(default? as u8);
        let (shown, source) = (toml.file.clone(), toml.source.clone());
        let file = toml.value;
        debug_assert_eq!(file.source, source);
        Some(Spec {
            grid,
            default_terrain,
            zone_lines,
            edge_lines,
            boxes,
            file: shown,
            terrains: file.terrain.into_iter().take(32).map(terrain).collect(),
            hexside_kinds: file.hexside.into_iter().take(16).map(hexside).collect(),
            line_kinds: file.line.into_iter().take(16).map(line).collect(),
            place_kinds: file.place.into_iter().take(64).map(place).collect(),
            border_kinds: file.border.into_iter().take(32).map(border).collect(),
            zones: file.zone.into_iter().map(zone).collect(),
            edges: file.edge.into_iter().map(edge).collect(),
            name: file.name,
            source,
            flags: file.flags,
        })
    }
}

/// The label given, or the name as a label: a capital first, spaces for hyphens.
fn label(given: &Option<String>, name: &str) -> String {
    given.clone().unwrap_or_else(|| {
        let words = name.replace('-', " ");
        let mut letters = words.chars();
        letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
    })
}

fn terrain(row: KindRow) -> TerrainEntry {
    let water = match row.water.map(Spanned::into_inner) {
        Some(WaterSwitch::Fills(w)) => Some(w),
        _ => None,
    };
    TerrainEntry {
        label: label(&row.label, row.name.get_ref()),
        name: row.name.into_inner(),
        draw: row.draw.into_inner(),
        water,
        playable: row.playable.is_none_or(Spanned::into_inner),
    }
}

fn hexside(row: KindRow) -> HexsideEntry {
    let draw = row.draw.into_inner();
    let given = |switch: Option<Spanned<bool>>, default| switch.map_or(default, Spanned::into_inner);
    HexsideEntry {
        label: label(&row.label, row.name.get_ref()),
        name: row.name.into_inner(),
        river: given(row.river, draw.starts_with("river")),
        blocks: given(row.blocks, matches!(draw.as_str(), "sea" | "lake")),
        crosses: given(row.crosses, matches!(draw.as_str(), "bridge" | "rail-bridge" | "ferry" | "strait")),
        draw,
    }
}

fn line(row: KindRow) -> LineEntry {
    LineEntry {
        label: label(&row.label, row.name.get_ref()),
        name: row.name.into_inner(),
        draw: row.draw.into_inner(),
        water: row.water.is_some_and(|w| !matches!(w.into_inner(), WaterSwitch::On(false))),
    }
}

fn place(row: KindRow) -> PlaceEntry {
    let label = label(&row.label, row.name.get_ref());
    PlaceEntry { label, name: row.name.into_inner(), draw: row.draw.into_inner() }
}

fn border(row: KindRow) -> BorderEntry {
    let label = label(&row.label, row.name.get_ref());
    BorderEntry { label, name: row.name.into_inner(), draw: row.draw.into_inner() }
}

fn zone(row: AreaRow) -> Zone {
    Zone {
        label: label(&row.label, row.name.get_ref()),
        name: row.name.into_inner(),
        kind: row.kind,
        draw: row.draw.map(Spanned::into_inner).unwrap_or_default(),
        hexes: HexSet::empty(),
        flags: Flags::new(row.flags),
    }
}

fn edge(row: AreaRow) -> EdgeArea {
    EdgeArea {
        label: label(&row.label, row.name.get_ref()),
        name: row.name.into_inner(),
        kind: row.kind,
        hexes: HexSet::empty(),
        leads_to: row.leads_to.map(Spanned::into_inner),
        flags: Flags::new(row.flags),
    }
}
