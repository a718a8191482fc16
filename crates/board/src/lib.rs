//! A map: terrain, hexsides, places, lines, zones, edges; its text format; drawing it.
//!
//! [`Board::load`] reads the files that `docs/board-format.md` describes and refuses them with all their faults at
//! once. A [`Board`] never changes after that, and each question that rules ask of it is a look into an array.

mod board;
mod corner;
pub mod draw;
mod edge_set;
mod flags;
mod kinds;
mod read;
mod survey;
mod things;

pub use board::Board;
pub use corner::Corner;
pub use edge_set::EdgeSet;
pub use flags::Flags;
pub use kinds::{
    BorderEntry, BorderKind, EdgeKind, EdgeKinds, HexsideEntry, LineEntry, LineKind, LineKinds, PlaceEntry,
    PlaceKind, Terrain, TerrainEntry, Water,
};
pub use survey::Survey;
pub use things::{
    Border, EdgeArea, Hexside, Label, Line, Link, OffMapBox, Place, PlaceId, Shape, Zone, ZoneId,
};
