//! The draft: one body of geography, laid under the grid of each game, becomes that game's board.
//!
//! `theatre/` holds the geography as text; `theatre/games/GAME` holds the recipe of a board (`draft.toml`), its kinds
//! (`board.toml`) and the hand corrections (`patch.tsv`). [`Draft::make`] puts them together, [`write::files`] turns
//! the draft into the files that the crate `board` reads.

pub mod anchor;
pub mod cover;
pub mod draft;
pub mod earth;
pub mod patch;
pub mod path;
pub mod places;
pub mod recipe;
pub mod rivers;
pub mod sets;
pub mod sheet;
pub mod sides;
pub mod spline;
pub mod theatre;
pub mod ways;
pub mod write;

pub use draft::Draft;
pub use theatre::Theatre;
