//! The draft of a board: geography, recipe and patches put together.

use crate::anchor::{self, Anchor};
use crate::cover::{Shares, Survey};
use crate::patch::{self, Patch};
use crate::path::Course;
use crate::places::{self, Place};
use crate::recipe::Recipe;
use crate::rivers::{Reach, Streams};
use crate::sets::{self, Sets};
use crate::sheet::Sheet;
use crate::theatre::Theatre;
use crate::ways::{Chain, Roads};
use hex::{Dir, Edge, Grid, GridSpec, Hex, HexSet};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use text::{Faults, Files};

/// A hexside feature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    /// The hexside.
    pub edge: Edge,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its flags.
    pub flags: Vec<String>,
}

/// A finished draft, ready to be written.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The recipe it was made by.
    pub recipe: Recipe,
    /// The text of the board's `board.toml`, with the blank hexes filled in.
    pub board_toml: String,
    /// The grid on the earth.
    pub sheet: Sheet,
    /// The shares of each hex.
    pub shares: BTreeMap<Hex, Shares>,
    /// Terrain of each hex that is not of the default.
    pub terrain: BTreeMap<Hex, String>,
    /// Flags of hexes.
    pub marks: BTreeMap<Hex, Vec<String>>,
    /// Places, chief one of a hex first.
    pub places: Vec<Place>,
    /// Hexsides.
    pub sides: Vec<Side>,
    /// Roads and railways.
    pub lines: Vec<Chain>,
    /// Links: kind, name and the two hexes.
    pub links: Vec<(String, String, Hex, Hex)>,
    /// Borders: kind, name and sides.
    pub borders: Vec<(String, String, Vec<Edge>)>,
    /// Zones by name, in the order of the recipe.
    pub zones: Vec<(String, HexSet)>,
    /// Edges by name.
    pub edges: Vec<(String, HexSet)>,
    /// What the drafter should look at: rivers without a way, towns that lost their hex.
    pub remarks: Vec<String>,
}

#[derive(Deserialize)]
struct Head {
    default_terrain: String,
    grid: GridSpec,
}

/// The hexes and hexsides of water.
struct Water {
    hex: BTreeMap<Hex, &'static str>,
    side: BTreeMap<Edge, &'static str>,
}

/// Reads a game's recipe.
pub fn recipe(files: &Files, game: &str) -> Result<Recipe, Faults> {
    let mut faults = Faults::new();
    let toml = text::read_toml::<Recipe>(files, &format!("games/{game}/draft.toml"), &mut faults);
    faults.check()?;
    toml.map(|t| t.value).ok_or_else(Faults::new)
}

/// The anchors that hold a game's warp, those of the game itself first.
pub fn anchors(files: &Files, recipe: &Recipe) -> Result<Vec<Anchor>, Faults> {
    let mut faults = Faults::new();
    let mut out = Vec::new();
    for file in &recipe.anchors {
        let mut these = anchor::read(files, &file.game, (file.columns, file.rows), file.south, &mut faults);
        for anchor in these.iter_mut().filter(|a| file.skip.contains(&a.written)) {
            anchor.at = None;
        }
        out.extend(these);
    }
    faults.check()?;
    Ok(out)
}

/// The grid of a game before hexes are left blank.
pub fn whole_grid(files: &Files, game: &str) -> Result<(Grid, String, String), Faults> {
    let file = format!("games/{game}/board.toml");
    let mut faults = Faults::new();
    let text = files.read(&file).map_err(|fault| {
        let mut all = Faults::new();
        all.push(fault);
        all
    })?;
    match toml::from_str::<Head>(&text) {
        Ok(head) => match Grid::new(&head.grid) {
            Ok(grid) => return Ok((grid, head.default_terrain, text.into_owned())),
            Err(fault) => faults.add(files.shown(&file), None, fault.to_string()),
        },
        Err(fault) => faults.add(files.shown(&file), None, fault.to_string()),
    }
    faults.check()?;
    Err(Faults::new())
}

impl Draft {
    /// Drafts a game's board. `files` is the folder `theatre`.
    pub fn make(files: &Files, theatre: &Theatre, game: &str) -> Result<Draft, Faults> {
        let recipe = recipe(files, game)?;
        let anchors = anchors(files, &recipe)?;
        let (grid, default_terrain, board_toml) = whole_grid(files, game)?;
        Maker { files, theatre, game, recipe, anchors, default_terrain, faults: Faults::new() }
            .make(grid, board_toml)
    }
}

struct Maker<'a> {
    files: &'a Files,
    theatre: &'a Theatre,
    game: &'a str,
    recipe: Recipe,
    anchors: Vec<Anchor>,
    default_terrain: String,
    faults: Faults,
}

impl Maker<'_> {
    fn fault(&mut self, what: impl Into<String>) {
        let file = self.files.shown(&format!("games/{}/draft.toml", self.game));
        self.faults.add(file, None, what);
    }

    fn set(&mut self, grid: &Grid, sets: &Sets, what: &str, list: &str) -> HexSet {
        sets::read(grid, sets, list).unwrap_or_else(|fault| {
            self.fault(format!("{what}: {fault}"));
            HexSet::default()
        })
    }

    fn make(mut self, grid: Grid, board_toml: String) -> Result<Draft, Faults> {
        let (sheet, board_toml) = self.blank_out(grid, board_toml)?;
        let grid = sheet.grid.clone();
        let survey = Survey::new(self.theatre, &self.recipe.water.lakes);
        let file = format!("games/{}/patch.tsv", self.game);
        let patches = patch::read(self.files, &file, &grid, &mut self.faults);
        let shares: BTreeMap<Hex, Shares> = grid.hexes().map(|h| (h, survey.shares(&sheet, h))).collect();
        let (mut places, mut remarks) =
            places::put(&self.recipe.places, self.theatre, &sheet, &self.anchors, &mut self.faults);
        let water = self.water(&sheet, &survey, &shares, &places, &patches);
        let mut all = self.base_sets(&sheet, &shares, &water);
        if !self.recipe.places.within.is_empty() {
            let list = self.recipe.places.within.clone();
            let within = self.set(&grid, &all, "places.within", &list);
            places.retain(|p| within.contains(p.hex));
        }
        let mut sides = self.rivers(&sheet, &water, &places, &patches, &mut remarks);
        let terrain = self.terrain(&shares, &water, &places, &patches);
        self.reclass(&grid, &all, &mut sides);
        self.mark_ends(&sheet, &water, &mut sides);
        self.crests(&sheet, &survey, &water, &mut sides);
        let lines = self.ways(&sheet, &water, &places, &patches, &mut sides);
        places::patch(&self.recipe.places, &mut places, &patches);
        let zones = self.zones(&grid, &mut all, &sides, &mut places);
        let named = std::mem::take(&mut self.recipe.edges);
        let edges =
            named.iter().map(|e| (e.name.clone(), self.set(&grid, &all, &e.name, &e.hexes))).collect();
        self.recipe.edges = named;
        let borders = self.borders(&grid, &all, &water);
        let marks = self.marks(&grid, &all);
        let links = patches
            .iter()
            .filter_map(|p| match p {
                Patch::Link(a, b, kind, name) => Some((kind.clone(), name.clone(), *a, *b)),
                _ => None,
            })
            .collect();
        let recipe = self.recipe.clone();
        self.faults.check()?;
        sides.sort();
        sides.dedup();
        Ok(Draft {
            recipe,
            board_toml,
            sheet,
            shares,
            terrain,
            marks,
            places,
            sides,
            lines,
            links,
            borders,
            zones,
            edges,
            remarks,
        })
    }

    /// Leaves blank the hexes that the recipe says, and writes them into `board.toml`.
    fn blank_out(&mut self, grid: Grid, board_toml: String) -> Result<(Sheet, String), Faults> {
        let sheet = Sheet::lay(grid, self.recipe.fit, &self.anchors);
        let list = self.recipe.blank.clone();
        if list.trim().is_empty() {
            return Ok((sheet, board_toml));
        }
        let survey = Survey::new(self.theatre, &self.recipe.water.lakes);
        let shares: BTreeMap<Hex, Shares> =
            sheet.grid.hexes().map(|h| (h, survey.shares(&sheet, h))).collect();
        let file = format!("games/{}/patch.tsv", self.game);
        let patches = patch::read(self.files, &file, &sheet.grid, &mut Faults::new());
        let water = self.water(&sheet, &survey, &shares, &[], &patches);
        let all = self.base_sets(&sheet, &shares, &water);
        let blank = self.set(&sheet.grid, &all, "blank", &list);
        let mut names: Vec<(u16, i16, String)> = blank
            .iter()
            .map(|h| (sheet.grid.column(h), sheet.grid.row(h), sheet.grid.name(h).to_string()))
            .collect();
        names.sort();
        let mut spec = sheet.grid.spec().clone();
        spec.absent.extend(names.iter().map(|n| n.2.clone()));
        let mut words = String::from("absent = [");
        for (i, (.., name)) in names.iter().enumerate() {
            words.push_str(if i % 12 == 0 { "\n    " } else { " " });
            words.push_str(&format!("\"{name}\","));
        }
        words.push_str("\n]");
        match Grid::new(&spec) {
            Ok(grid) => Ok((
                Sheet::lay(grid, self.recipe.fit, &self.anchors),
                board_toml.replacen("absent = []", &words, 1),
            )),
            Err(fault) => {
                self.fault(format!("blank: {fault}"));
                Err(std::mem::take(&mut self.faults))
            }
        }
    }

    fn water(
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

    fn land(&self, grid: &Grid, water: &Water) -> Vec<bool> {
        let mut land = vec![false; grid.len()];
        for h in grid.hexes() {
            land[h.ix()] = !water.hex.contains_key(&h);
        }
        land
    }

    fn rivers(
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

    fn reclass(&mut self, grid: &Grid, sets: &Sets, sides: &mut [Side]) {
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
    fn crests(&self, sheet: &Sheet, survey: &Survey<'_>, water: &Water, sides: &mut Vec<Side>) {
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
    fn mark_ends(&self, sheet: &Sheet, water: &Water, sides: &mut [Side]) {
        let mut dry: BTreeMap<crate::sheet::Corner, usize> = BTreeMap::new();
        for hex in sheet.grid.hexes().filter(|h| !water.hex.contains_key(h)) {
            for dir in Dir::ALL {
                *dry.entry(sheet.side(hex, dir).0).or_default() += 1;
            }
        }
        let river = |s: &Side| self.recipe.rivers.kinds.values().any(|k| *k == s.kind);
        let wet = |s: &Side| s.kind == self.recipe.water.sea_side || s.kind == self.recipe.water.lake_side;
        let ends = |edge: Edge| sheet.side(edge.hex(), edge.dir());
        let mut met: BTreeMap<crate::sheet::Corner, BTreeSet<Edge>> = BTreeMap::new();
        let mut shore: BTreeSet<crate::sheet::Corner> = BTreeSet::new();
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
            let free =
                |c: &crate::sheet::Corner| met[c].len() < 2 && dry.get(c) == Some(&3) && !shore.contains(c);
            side.flags.retain(|f| f != "source");
            if free(&a) || free(&b) {
                side.flags.push("source".to_string());
            }
        }
    }

    fn terrain(
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

    fn ways(
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
                if !sides.iter().any(|s| s.edge == side.edge && s.kind != side.kind) {
                    barred.insert(side.edge);
                }
            }
            let mut sea = vec![false; land.len()];
            for (hex, _) in water.hex.iter().filter(|w| *w.1 == "sea") {
                sea[hex.ix()] = true;
            }
            if rule.water {
                barred.clear();
            }
            let mut roads = Roads::new(sheet, if rule.water { &sea } else { &land }, &barred);
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

    fn bridge(&self, sheet: &Sheet, rule: &crate::recipe::WayRule, lines: &[Chain], sides: &mut Vec<Side>) {
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

    /// Land, water and states; the hexes beyond each line and course.
    fn base_sets(&mut self, sheet: &Sheet, shares: &BTreeMap<Hex, Shares>, water: &Water) -> Sets {
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

    /// The zones; the lists may use `@at-TOWN`, `@kind-PLACE` and `@by-RIVER` besides the sets.
    fn zones(
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

    fn borders(&mut self, grid: &Grid, sets: &Sets, water: &Water) -> Vec<(String, String, Vec<Edge>)> {
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

    fn marks(&mut self, grid: &Grid, sets: &Sets) -> BTreeMap<Hex, Vec<String>> {
        let mut out: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
        for mark in self.recipe.marks.clone() {
            for hex in self.set(grid, sets, &mark.flag, &mark.hexes).iter() {
                out.entry(hex).or_default().push(mark.flag.clone());
            }
        }
        out
    }
}
