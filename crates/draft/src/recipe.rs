//! The recipe of a board: `games/GAME/draft.toml` in the theatre.

use crate::earth::Fit;
use serde::Deserialize;
use std::collections::BTreeMap;

/// How a game's board is drafted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// What the tables say about their origin.
    pub source: String,
    /// The projection and the fitted grid.
    pub fit: Fit,
    /// The anchors that hold the warp.
    pub anchors: Vec<AnchorFile>,
    /// When a hex is water.
    pub water: WaterRule,
    /// Terrains in the order in which they are tried; a hex that none fits is of the default.
    #[serde(default)]
    pub terrain: Vec<TerrainRule>,
    /// Which towns become which places.
    pub places: PlaceRule,
    /// Which rivers are drawn.
    pub rivers: RiverRule,
    /// Hexsides that lie in a region, such as a high crest.
    #[serde(default)]
    pub crests: Vec<Crest>,
    /// Roads and railways.
    #[serde(default)]
    pub ways: Vec<WayRule>,
    /// Courses in the numbering of the grid, `column:row` with fractions.
    #[serde(default)]
    pub courses: Vec<Course>,
    /// Areas on the earth: the hexes whose centre lies in the ring.
    #[serde(default)]
    pub areas: Vec<Area>,
    /// Hexes that the printed map leaves blank; a list that may use sets.
    #[serde(default)]
    pub blank: String,
    /// Sets for use in the lists below, in order.
    #[serde(default)]
    pub sets: Vec<Named>,
    /// Zones, in order; a later one may name an earlier one.
    #[serde(default)]
    pub zones: Vec<Named>,
    /// Edges.
    #[serde(default)]
    pub edges: Vec<Named>,
    /// Lines along the hexsides between two sets.
    #[serde(default)]
    pub borders: Vec<BorderRule>,
    /// Fortified hexes.
    #[serde(default)]
    pub works: Vec<Works>,
    /// Flags on hexes.
    #[serde(default)]
    pub marks: Vec<Mark>,
}

/// An anchor file, with the whole columns and rows to add to come to this grid.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorFile {
    /// The game it belongs to.
    pub game: String,
    /// Columns to add.
    #[serde(default)]
    pub columns: i16,
    /// Rows to add.
    #[serde(default)]
    pub rows: i16,
    /// The row of the whole map on which the south sheet begins.
    #[serde(default)]
    pub south: i16,
    /// Anchors, by hex, that do not hold the warp: their place is not a point.
    #[serde(default)]
    pub skip: Vec<String>,
}

/// When a hex counts as water.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaterRule {
    /// The terrain of an all-sea hex.
    pub sea_terrain: String,
    /// The terrain of an all-lake hex.
    pub lake_terrain: String,
    /// Share of the hex from which it is all sea.
    pub sea: f64,
    /// Share of the hex from which it is all lake.
    pub lake: f64,
    /// Share of a hexside from which it is all water.
    pub side: f64,
    /// The kind of an all-sea hexside.
    pub sea_side: String,
    /// The kind of an all-lake hexside.
    pub lake_side: String,
    /// Lakes of the theatre that this scale shows.
    pub lakes: Vec<String>,
}

/// A terrain and the least shares of a hex that make it so.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainRule {
    /// The terrain.
    pub name: String,
    /// All of these shares must be reached.
    pub least: BTreeMap<String, f64>,
    /// None of these may be reached.
    #[serde(default)]
    pub below: BTreeMap<String, f64>,
}

/// Which towns become which places.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceRule {
    /// `size` or `fine`: the column of the towns that counts.
    pub by: String,
    /// From a class of town to a kind of place; a class left out is not shown. Earlier kinds win a shared hex.
    pub kinds: Vec<(String, String)>,
    /// Towns whose class here differs from the file's; an empty class leaves the town out.
    #[serde(default)]
    pub class: BTreeMap<String, String>,
    /// Towns in hexes that the geography alone would not give.
    #[serde(default)]
    pub at: BTreeMap<String, String>,
    /// Names as the game writes them.
    #[serde(default)]
    pub rename: BTreeMap<String, String>,
    /// Victory points.
    #[serde(default)]
    pub vp: BTreeMap<String, i32>,
    /// From a mark of the towns file to a flag; `port:SEA` stands for a port of that sea.
    #[serde(default)]
    pub flags: BTreeMap<String, String>,
    /// Further flags for single towns.
    #[serde(default)]
    pub more: BTreeMap<String, Vec<String>>,
    /// Flags that only these towns keep.
    #[serde(default)]
    pub only: BTreeMap<String, Vec<String>>,
    /// The terrain under each kind of place, where that is fixed.
    #[serde(default)]
    pub terrain: BTreeMap<String, String>,
    /// A list of hexes outside which no town is shown; empty: all.
    #[serde(default)]
    pub within: String,
    /// Least spacing in hexes for the lowest kind; a lesser town nearer to another town is left out.
    #[serde(default)]
    pub spacing: u32,
}

/// Which rivers are drawn and how.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiverRule {
    /// From a class of river to a kind of hexside.
    pub kinds: BTreeMap<String, String>,
    /// The rivers, greater ones first: lesser ones end on those drawn before.
    pub list: Vec<String>,
    /// Hexes by which a free upper end is shortened.
    pub headwater: f64,
    /// Rivers whose class here differs from the file's.
    #[serde(default)]
    pub class: BTreeMap<String, String>,
    /// Rivers with another headwater than the rest.
    #[serde(default)]
    pub heads: BTreeMap<String, f64>,
    /// Parts of rivers that are of another kind.
    #[serde(default)]
    pub reclass: Vec<Reclass>,
}

/// A part of a river that is of another kind than the rest.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reclass {
    /// The river.
    pub river: String,
    /// Where: hexsides with both hexes in this list.
    pub within: String,
    /// The kind there.
    pub kind: String,
    /// The name there; empty: unchanged.
    #[serde(default)]
    pub name: String,
}

/// Roads or railways of a kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WayRule {
    /// The kind of line.
    pub kind: String,
    /// Ways of the theatre, by name.
    #[serde(default)]
    pub ways: Vec<String>,
    /// All ways of the theatre of these classes.
    #[serde(default)]
    pub classes: Vec<String>,
    /// Only from this town.
    #[serde(default)]
    pub from: String,
    /// Only to this town.
    #[serde(default)]
    pub to: String,
    /// A path over the sea, from port to port.
    #[serde(default)]
    pub water: bool,
    /// Kinds of hexside that it does not cross.
    #[serde(default)]
    pub not_over: Vec<String>,
    /// Kinds on the same hexside that let it cross nevertheless, such as a ferry that the patch puts there.
    #[serde(default)]
    pub unless: Vec<String>,
    /// What crossing a river costs, in hexes of way: with more than nothing, a road does not go to and fro.
    #[serde(default = "crossing")]
    pub crossing: f64,
    /// The kind of hexside put where it crosses a river, or nothing.
    #[serde(default)]
    pub bridge: String,
    /// Over which kinds of hexside a bridge is put; all rivers if empty.
    #[serde(default)]
    pub over: Vec<String>,
}

fn crossing() -> f64 {
    1.5
}

/// Hexsides in a region.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crest {
    /// The kind of hexside.
    pub kind: String,
    /// The kind of region.
    pub region: String,
}

/// A course in the numbering of the grid.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// Its name.
    pub name: String,
    /// `column:row` with fractions, separated by spaces.
    pub spots: String,
}

/// An area on the earth.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Its name.
    pub name: String,
    /// Its ring, `longitude,latitude` separated by spaces; two points are opposite corners.
    pub ring: String,
}

/// A list of hexes with a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// The hexes; see the module `sets`.
    pub hexes: String,
}

/// A line along the hexsides that part two sets.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BorderRule {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// One set.
    pub a: String,
    /// The other set; empty: whatever is not in the first.
    #[serde(default)]
    pub b: String,
}

/// Fortified hexes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Works {
    /// The kind of place.
    pub kind: String,
    /// Its name: that of the line.
    pub name: String,
    /// The hexes, or nothing if `along` is given.
    #[serde(default)]
    pub hexes: String,
    /// A line of the theatre whose hexes these are.
    #[serde(default)]
    pub along: String,
    /// Hexes of that line to leave out.
    #[serde(default)]
    pub without: String,
    /// Flags of the places.
    #[serde(default)]
    pub flags: Vec<String>,
    /// A zone for the hexes, so that rules can ask for the line by name.
    #[serde(default)]
    pub zone: String,
}

/// A flag on hexes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The flag.
    pub flag: String,
    /// The hexes.
    pub hexes: String,
}
