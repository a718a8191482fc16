//! What lies on a board, each thing as its table names it.

use crate::{BorderKind, EdgeKind, EdgeSet, Flags, LineKind, PlaceKind};
use hex::{Edge, Hex, HexSet};
use serde::Serialize;

/// A place, as an index into [`crate::Board::places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PlaceId(pub u16);

/// A zone, as an index into [`crate::Board::zones`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ZoneId(pub u16);

/// A feature between two hexes.
#[derive(Clone, Debug)]
pub struct Hexside {
    /// Where it lies.
    pub edge: Edge,
    /// What it is.
    pub kind: EdgeKind,
    /// The name of the river or bridge; may be empty.
    pub name: String,
    /// Its flags.
    pub flags: Flags,
    pub(crate) line: u32,
}

/// A road, railway or other chain of hexes.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is.
    pub kind: LineKind,
    /// Its name; may be empty.
    pub name: String,
    /// The hexes, each touching the next.
    pub hexes: Vec<Hex>,
    /// Its flags.
    pub flags: Flags,
    pub(crate) line: u32,
}

/// Two hexes joined although they need not touch.
#[derive(Clone, Debug)]
pub struct Link {
    /// The name of the line kind or hexside kind that it is like.
    pub kind: String,
    /// Its name; may be empty.
    pub name: String,
    /// One end.
    pub a: Hex,
    /// The other end.
    pub b: Hex,
    /// Its flags.
    pub flags: Flags,
}

/// A town, fort, port or landmark.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it lies.
    pub hex: Hex,
    /// What it is.
    pub kind: PlaceKind,
    /// What the game's time called it; empty for a nameless fort.
    pub name: String,
    /// What it is called today, where that differs.
    pub name_today: String,
    /// Victory points, if any are printed.
    pub vp: Option<i16>,
    /// Its flags.
    pub flags: Flags,
    pub(crate) line: u32,
}

/// A line along hexsides: a frontier, a start line.
#[derive(Clone, Debug)]
pub struct Border {
    /// What it is.
    pub kind: BorderKind,
    /// Its name.
    pub name: String,
    /// Its hexsides.
    pub edges: EdgeSet,
    /// Free words for the game.
    pub flags: Flags,
}

/// A named set of hexes: weather zone, sector, deployment area.
#[derive(Clone, Debug)]
pub struct Zone {
    /// What rules call it.
    pub name: String,
    /// What sort of zone it is.
    pub kind: String,
    /// What the map calls it.
    pub label: String,
    /// How it is drawn; empty: not at all.
    pub draw: String,
    /// Its hexes.
    pub hexes: HexSet,
    /// Free words for the game.
    pub flags: Flags,
}

/// Hexes at the rim: a supply source, an entry area.
#[derive(Clone, Debug)]
pub struct EdgeArea {
    /// What rules call it.
    pub name: String,
    /// What sort of edge it is.
    pub kind: String,
    /// What the map calls it.
    pub label: String,
    /// Its hexes.
    pub hexes: HexSet,
    /// The box it leads to, if any.
    pub leads_to: Option<String>,
    /// Free words for the game.
    pub flags: Flags,
}

/// A place off the map.
#[derive(Clone, Debug)]
pub struct OffMapBox {
    /// What rules call it.
    pub name: String,
    /// What sort of box it is.
    pub kind: String,
    /// What the map calls it.
    pub label: String,
    /// The hexes it touches.
    pub hexes: HexSet,
    /// Where it is drawn: left, top, width, height in hexes.
    pub at: Option<[f64; 4]>,
    /// Free words for the game.
    pub flags: Flags,
}

/// A true outline of water or land, which only the picture uses.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Water inside, or land.
    pub water: bool,
    /// Its name.
    pub name: String,
    /// The outline in the coordinates of [`hex::Grid::center`], closed.
    pub points: Vec<(f64, f64)>,
}

/// Lettering for a sea, lake or land, which only the picture uses.
#[derive(Clone, Debug)]
pub struct Label {
    /// The words.
    pub text: String,
    /// `sea`, `lake`, `country`, `mountains` or `region`.
    pub style: String,
    /// Where the lettering begins.
    pub from: Hex,
    /// Where it ends.
    pub to: Hex,
    /// The size of the letters in hexes, if not that of the style.
    pub size: Option<f64>,
}
