//! The tables: where things lie.

use super::list;
use super::spec::Spec;
use crate::Terrain;
use crate::{
    Border, BorderKind, EdgeKind, EdgeSet, Flags, Hexside, Label, Line, LineKind, Link, Place, PlaceKind,
    Shape,
};
use hex::{Edge, Grid, Hex, HexSet};
use std::collections::BTreeMap;
use text::{Faults, Files, Row, Tsv, unknown};

/// What the tables say.
pub(super) struct Tables {
    pub terrain: Vec<Terrain>,
    pub flags_of: Vec<(Hex, Flags)>,
    /// The line of hexes.tsv that lists a hex, 0 if none does.
    pub hex_lines: Vec<u32>,
    pub hexsides: Vec<Hexside>,
    pub lines: Vec<Line>,
    pub links: Vec<Link>,
    pub places: Vec<Place>,
    pub borders: Vec<Border>,
    pub zones: Vec<HexSet>,
    pub edges: Vec<HexSet>,
    /// The line of edges.tsv that first puts a hex into an edge.
    pub edge_rows: BTreeMap<(usize, Hex), u32>,
    pub shapes: Vec<Shape>,
    pub labels: Vec<Label>,
}

impl Tables {
    /// Reads all tables; those that the board may do without are empty if their file is missing.
    pub fn read(files: &Files, spec: &Spec, faults: &mut Faults) -> Tables {
        let grid = &spec.grid;
        let mut tables = Tables {
            terrain: vec![spec.default_terrain; grid.len()],
            flags_of: Vec::new(),
            hex_lines: vec![0; grid.len()],
            hexsides: Vec::new(),
            lines: Vec::new(),
            links: Vec::new(),
            places: Vec::new(),
            borders: Vec::new(),
            zones: vec![HexSet::empty(); spec.zones.len()],
            edges: vec![HexSet::empty(); spec.edges.len()],
            edge_rows: BTreeMap::new(),
            shapes: Vec::new(),
            labels: Vec::new(),
        };
        if let Some(tsv) = Tsv::read(files, "hexes.tsv", &["hex", "terrain"], &["flags"], faults) {
            tables.hexes(&tsv, spec, faults);
        }
        let table = |name: &str, required: &[&str], optional: &[&str], faults: &mut Faults| {
            if files.has(name) { Tsv::read(files, name, required, optional, faults) } else { None }
        };
        if let Some(tsv) = table("hexsides.tsv", &["a", "b", "kind"], &["name", "flags"], faults) {
            tables.hexsides(&tsv, spec, faults);
        }
        if let Some(tsv) = table("lines.tsv", &["kind", "hexes"], &["name", "flags"], faults) {
            tables.lines(&tsv, spec, faults);
        }
        if let Some(tsv) = table("links.tsv", &["kind", "a", "b"], &["name", "flags"], faults) {
            tables.links(&tsv, spec, faults);
        }
        let optional = &["name", "name_today", "vp", "flags"];
        if let Some(tsv) = table("places.tsv", &["hex", "kind"], optional, faults) {
            tables.places(&tsv, spec, faults);
        }
        if let Some(tsv) = table("borders.tsv", &["kind", "name", "sides"], &["flags"], faults) {
            tables.borders(&tsv, spec, faults);
        }
        if let Some(tsv) = table("zones.tsv", &["zone", "hexes"], &[], faults) {
            let names: Vec<&str> = spec.zones.iter().map(|z| z.name.as_str()).collect();
            areas(&tsv, "zone", grid, &names, &mut tables.zones, &mut BTreeMap::new(), faults);
        }
        if let Some(tsv) = table("edges.tsv", &["edge", "hexes"], &[], faults) {
            let names: Vec<&str> = spec.edges.iter().map(|e| e.name.as_str()).collect();
            areas(&tsv, "edge", grid, &names, &mut tables.edges, &mut tables.edge_rows, faults);
        }
        if let Some(tsv) = table("shapes.tsv", &["kind", "points"], &["name"], faults) {
            tables.shapes(&tsv, faults);
        }
        if let Some(tsv) = table("labels.tsv", &["text", "style", "hexes"], &["size"], faults) {
            tables.labels(&tsv, grid, faults);
        }
        for (what, entries, lines) in [
            (
                "zone",
                spec.zones.iter().map(|z| &z.name).zip(&tables.zones).collect::<Vec<_>>(),
                &spec.zone_lines,
            ),
            ("edge", spec.edges.iter().map(|e| &e.name).zip(&tables.edges).collect(), &spec.edge_lines),
        ] {
            for ((name, hexes), line) in entries.into_iter().zip(lines) {
                if hexes.is_empty() {
                    let what = format!("the {what} \"{name}\" has no hexes; expected a row in {what}s.tsv");
                    faults.add(&spec.file, *line, what);
                }
            }
        }
        tables
    }

    fn hexes(&mut self, tsv: &Tsv, spec: &Spec, faults: &mut Faults) {
        let grid = &spec.grid;
        let names: Vec<&str> = spec.terrains.iter().map(|t| t.name.as_str()).collect();
        for row in tsv.rows() {
            if row.need("hex", faults).is_none() {
                continue;
            }
            let set = list::hexes(grid, row.get("hex"), &|_| None, &mut |what| row.fault(faults, what));
            let terrain = match row.get("terrain") {
                "" => Some(spec.default_terrain),
                _ => row.one_of("terrain", &names, faults).map(|i| Terrain(i as u8)),
            };
            let flags = flags(&row, &spec.flags.hex, &["island"], faults);
            for hex in set.iter() {
                let before = self.hex_lines[hex.ix()];
                if before != 0 {
                    row.fault(faults, format!("hex {} is listed already in line {before}", grid.name(hex)));
                    continue;
                }
                self.hex_lines[hex.ix()] = row.line;
                if let Some(terrain) = terrain {
                    self.terrain[hex.ix()] = terrain;
                }
                if !flags.is_empty() {
                    self.flags_of.push((hex, flags.clone()));
                }
            }
        }
        self.flags_of.sort_by_key(|(hex, _)| *hex);
    }

    fn hexsides(&mut self, tsv: &Tsv, spec: &Spec, faults: &mut Faults) {
        let grid = &spec.grid;
        let names: Vec<&str> = spec.hexside_kinds.iter().map(|t| t.name.as_str()).collect();
        // For each kind the line that first names a hexside, to find it listed twice.
        let mut seen = vec![Vec::new(); names.len()];
        for row in tsv.rows() {
            let ends = [find(&row, grid, "a", faults), find(&row, grid, "b", faults)];
            let kind = row.one_of("kind", &names, faults);
            let flags = flags(&row, &spec.flags.hexside, &["source", "mouth"], faults);
            let ([Some(a), Some(b)], Some(kind)) = (ends, kind) else { continue };
            let Some(edge) = Edge::between(grid, a, b) else {
                row.fault(faults, apart(grid, a, b, &format!("the {} lies", names[kind])));
                continue;
            };
            let lines: &mut Vec<u32> = &mut seen[kind];
            lines.resize(grid.edge_len(), 0);
            if lines[edge.ix()] != 0 {
                let (name, before) = (edge.name(grid), lines[edge.ix()]);
                row.fault(faults, format!("{} {name} is listed already in line {before}", names[kind]));
                continue;
            }
            lines[edge.ix()] = row.line;
            let name = row.get("name").to_string();
            self.hexsides.push(Hexside { edge, kind: EdgeKind(kind as u8), name, flags, line: row.line });
        }
    }

    fn lines(&mut self, tsv: &Tsv, spec: &Spec, faults: &mut Faults) {
        let grid = &spec.grid;
        let names: Vec<&str> = spec.line_kinds.iter().map(|t| t.name.as_str()).collect();
        for row in tsv.rows() {
            let kind = row.one_of("kind", &names, faults);
            let flags = flags(&row, &spec.flags.line, &[], faults);
            let Some(chain) = row.need("hexes", faults) else { continue };
            let found: Vec<Result<Hex, String>> =
                chain.split('-').map(|n| list::hex(grid, n.trim())).collect();
            let hexes: Vec<Hex> = found.iter().flatten().copied().collect();
            let whole = hexes.len() == found.len();
            found.into_iter().filter_map(Result::err).for_each(|what| row.fault(faults, what));
            if !whole {
                continue;
            }
            if hexes.len() < 2 {
                row.fault(faults, "a line of one hex leads nowhere; expected a chain such as 0105-0205");
                continue;
            }
            let mut used = EdgeSet::empty(grid);
            for pair in hexes.windows(2) {
                match Edge::between(grid, pair[0], pair[1]) {
                    None => row.fault(faults, apart(grid, pair[0], pair[1], "the chain is broken")),
                    Some(e) if !used.insert(e) => {
                        row.fault(faults, format!("the chain crosses {} twice", e.name(grid)));
                    }
                    Some(_) => {}
                }
            }
            let Some(kind) = kind else { continue };
            if !spec.line_kinds[kind].water {
                for &hex in &hexes {
                    if spec.terrains[self.terrain[hex.ix()].ix()].water.is_some() {
                        let what =
                            format!("the {} enters {}, which is all water", names[kind], grid.name(hex));
                        row.fault(faults, what);
                    }
                }
            }
            let name = row.get("name").to_string();
            self.lines.push(Line { kind: LineKind(kind as u8), name, hexes, flags, line: row.line });
        }
    }

    fn links(&mut self, tsv: &Tsv, spec: &Spec, faults: &mut Faults) {
        let lines = spec.line_kinds.iter().map(|t| t.name.as_str());
        let names: Vec<&str> = lines.chain(spec.hexside_kinds.iter().map(|t| t.name.as_str())).collect();
        for row in tsv.rows() {
            let kind = row.one_of("kind", &names, faults);
            let ends = [find(&row, &spec.grid, "a", faults), find(&row, &spec.grid, "b", faults)];
            let flags = flags(&row, &spec.flags.line, &[], faults);
            let ([Some(a), Some(b)], Some(kind)) = (ends, kind) else { continue };
            if a == b {
                row.fault(faults, "both ends of the link are the same hex; expected two");
            }
            self.links.push(Link { kind: names[kind].into(), name: row.get("name").into(), a, b, flags });
        }
    }

    fn places(&mut self, tsv: &Tsv, spec: &Spec, faults: &mut Faults) {
        let grid = &spec.grid;
        let names: Vec<&str> = spec.place_kinds.iter().map(|t| t.name.as_str()).collect();
        for row in tsv.rows() {
            let hex = find(&row, grid, "hex", faults);
            let kind = row.one_of("kind", &names, faults);
            let vp = row.parse_or_none("vp", "a whole number or nothing", faults);
            let flags = flags(&row, &spec.flags.place, &[], faults);
            let (Some(hex), Some(kind)) = (hex, kind) else { continue };
            let place = Place {
                hex,
                kind: PlaceKind(kind as u8),
                name: row.get("name").to_string(),
                name_today: row.get("name_today").to_string(),
                vp,
                flags,
                line: row.line,
            };
            if let Some(other) = self.places.iter().find(|p| p.hex == hex && p.kind == place.kind) {
                let (kind, name, before) = (names[kind], grid.name(hex), other.line);
                row.fault(faults, format!("a {kind} in {name} is listed already in line {before}"));
                continue;
            }
            self.places.push(place);
        }
    }

    fn borders(&mut self, tsv: &Tsv, spec: &Spec, faults: &mut Faults) {
        let grid = &spec.grid;
        let names: Vec<&str> = spec.border_kinds.iter().map(|t| t.name.as_str()).collect();
        for row in tsv.rows() {
            let kind = row.one_of("kind", &names, faults);
            row.need("sides", faults);
            let mut sides = Vec::new();
            for side in row.get("sides").split(' ').filter(|s| !s.is_empty()) {
                let Some((a, others)) = side.split_once('/') else {
                    row.fault(
                        faults,
                        format!("\"{side}\" is no hexside; expected two hexes such as 0406/0407"),
                    );
                    continue;
                };
                for b in others.split(',') {
                    match (list::hex(grid, a), list::hex(grid, b)) {
                        (Ok(a), Ok(b)) => match Edge::between(grid, a, b) {
                            Some(edge) => sides.push(edge),
                            None => row.fault(faults, apart(grid, a, b, "the line runs")),
                        },
                        (a, b) => {
                            let wrong = [a.err(), b.err()];
                            wrong.into_iter().flatten().for_each(|what| row.fault(faults, what));
                        }
                    }
                }
            }
            let (Some(kind), name) = (kind, row.get("name")) else { continue };
            let kind = BorderKind(kind as u8);
            let at = self.borders.iter().position(|b| b.kind == kind && b.name == name);
            let at = at.unwrap_or_else(|| {
                let flags = Flags::new(row.words("flags"));
                self.borders.push(Border { kind, name: name.into(), edges: EdgeSet::empty(grid), flags });
                self.borders.len() - 1
            });
            for edge in sides {
                if !self.borders[at].edges.insert(edge) {
                    row.fault(faults, format!("{} is listed twice in the line \"{name}\"", edge.name(grid)));
                }
            }
        }
    }

    fn shapes(&mut self, tsv: &Tsv, faults: &mut Faults) {
        for row in tsv.rows() {
            let kind = row.one_of("kind", &["water", "land"], faults);
            let mut points = Vec::new();
            for word in row.get("points").split(' ').filter(|w| !w.is_empty()) {
                let pair = word.split_once(',').and_then(|(x, y)| x.parse().ok().zip(y.parse().ok()));
                match pair.filter(|(x, y): &(f64, f64)| x.is_finite() && y.is_finite()) {
                    Some(p) => points.push(p),
                    None => {
                        row.fault(faults, format!("\"{word}\" is no point; expected x,y such as 12.5,7.25"))
                    }
                }
            }
            if points.len() < 3 {
                row.fault(faults, format!("{} points; expected at least 3", points.len()));
                continue;
            }
            let Some(kind) = kind else { continue };
            self.shapes.push(Shape { water: kind == 0, name: row.get("name").into(), points });
        }
    }
}

impl Tables {
    fn labels(&mut self, tsv: &Tsv, grid: &Grid, faults: &mut Faults) {
        for row in tsv.rows() {
            let text = row.need("text", faults);
            let styles = ["sea", "lake", "country", "mountains", "region"];
            let style = row.one_of("style", &styles, faults);
            let size = row.parse_or_none("size", "a size in hexes such as 0.5, or nothing", faults);
            let Some(words) = row.need("hexes", faults) else { continue };
            let (from, to) = words.split_once('-').unwrap_or((words, words));
            match (list::hex(grid, from), list::hex(grid, to), text, style) {
                (Ok(from), Ok(to), Some(text), Some(style)) => {
                    let size = size.filter(|s: &f64| s.is_finite() && *s > 0.0 && *s < 5.0);
                    self.labels.push(Label {
                        text: text.into(),
                        style: styles[style].into(),
                        from,
                        to,
                        size,
                    });
                }
                (from, to, _, _) => {
                    [from.err(), to.err()].into_iter().flatten().for_each(|what| row.fault(faults, what));
                }
            }
        }
    }
}

/// Zones or edges: rows of the same name add up.
fn areas(
    tsv: &Tsv,
    what: &str,
    grid: &Grid,
    names: &[&str],
    sets: &mut [HexSet],
    rows: &mut BTreeMap<(usize, Hex), u32>,
    faults: &mut Faults,
) {
    for row in tsv.rows() {
        let name = row.one_of(what, names, faults);
        row.need("hexes", faults);
        let above =
            |z: &str| names.iter().position(|n| *n == z).map(|i| sets[i].clone()).filter(|s| !s.is_empty());
        let set = list::hexes(grid, row.get("hexes"), &above, &mut |fault| row.fault(faults, fault));
        if let Some(at) = name {
            set.iter().for_each(|h| {
                sets[at].insert(h);
                rows.entry((at, h)).or_insert(row.line);
            });
        }
    }
}

/// The hex under a column.
fn find(row: &Row<'_>, grid: &Grid, column: &str, faults: &mut Faults) -> Option<Hex> {
    let name = row.need(column, faults)?;
    list::hex(grid, name).map_err(|what| row.fault(faults, what)).ok()
}

/// The flags of a row; a word that is not allowed is a fault.
fn flags(row: &Row<'_>, declared: &[String], always: &[&str], faults: &mut Faults) -> Flags {
    let valid: Vec<&str> = declared.iter().map(String::as_str).chain(always.iter().copied()).collect();
    let mut kept = Vec::new();
    for flag in row.words("flags") {
        let word = Flags::word(flag);
        if valid.contains(&word) {
            kept.push(flag);
        } else {
            row.fault(faults, unknown("flag", word, &valid));
        }
    }
    Flags::new(kept)
}

/// The sentence for two hexes that ought to touch.
fn apart(grid: &Grid, a: Hex, b: Hex, what: &str) -> String {
    let n = grid.distance(a, b);
    let (a, b) = (grid.name(a), grid.name(b));
    if n == 0 {
        format!("{what} between {a} and itself; expected two hexes that touch")
    } else {
        format!("{what} between {a} and {b}, which do not touch but lie {n} hexes apart")
    }
}
