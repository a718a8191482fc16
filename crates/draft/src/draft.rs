//! The draft of a board: geography, recipe and patches put together.

mod ground;
mod hexsides;
mod water;
mod ways;
mod zones;

use crate::anchor::{self, Anchor};
use crate::cover::{Shares, Survey};
use crate::patch::{self, Patch};
use crate::places::{self, Place};
use crate::recipe::Recipe;
use crate::sets::{self, Sets};
use crate::sheet::Sheet;
use crate::theatre::Theatre;
use crate::ways::Chain;
use hex::{Edge, Grid, GridSpec, Hex, HexSet};
use serde::Deserialize;
use std::collections::BTreeMap;
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
}
