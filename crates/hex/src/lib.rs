//! The hex grid and nothing of war: numbering, neighbours, sets of hexes, fields.
//!
//! A [`Grid`] is built once from a [`GridSpec`] (the text of a board's `grid.toml`). After that a hex is a small
//! integer, [`Hex`], which indexes every array about hexes; a hexside is an [`Edge`]; a path is a [`Route`]; and a
//! set of hexes is a [`HexSet`], in which the number of a hex is the number of its bit.
//!
//! # Layout
//!
//! A row of the grid is one 64-bit word, and a column is a bit in it, so all hexes of a row step to a neighbour with
//! one shift. A grid therefore holds at most 64 columns and 88 rows; what lies between the printed map and that
//! rectangle is simply absent, and no set or field ever contains it.
//!
//! # Fields
//!
//! - [`Reach`] works out a [`March`]: all hexes within a budget of ticks under a table of [`Costs`], with the cost and
//!   the way back of each; [`Reach::path`] finds the cheapest way to one hex; [`Reached::fill`] writes a field of costs.
//! - [`Flood`] works out a [`Trace`]: all hexes that a line from a source reaches, with limits on its length, on closed
//!   [`Sides`] and on rough hexes in a row; [`Traced::fill`] writes a field of distances.
//!
//! `Reach` and `Flood` are rooms that the caller keeps: a query neither hashes nor allocates once they have grown. Equal
//! ways are always decided in the same manner, so the same question gets the same answer on every machine. Beside each
//! field stands a plain one in [`plain`], with which it is compared on random boards.
//!
//! Costs are whole ticks. The game says how many go to a movement point: two, where a road costs half a point.
//!
//! The kernels are plain safe code over four rows at a time. `pulp` picks the instructions that the processor at hand
//! has; without wide ones the same code runs on narrow ones.
//!
//! # Why not `hexx`
//!
//! `hexx` is the kept crate for hex geometry, and our tests use it as the judge of neighbours, distance, lines, rings
//! and ranges. The library itself does without: its coordinates are signed pairs that would have to be turned into
//! our numbers and clipped to the board at each step, its lines are computed in floating point, its fields hash, and
//! its field of movement cannot price a hexside.

mod block;
mod costs;
mod dir;
mod edge;
mod flood;
mod grid;
mod lines;
mod march;
pub mod plain;
mod pocket;
mod reach;
mod route;
mod set;
mod shape;
mod spec;
mod split;
mod sweep;
mod ticks;

pub use costs::{CostError, Costs};
pub use dir::{Dir, Hex};
pub use edge::Edge;
pub use flood::{Flood, Sides, Trace, Traced};
pub use grid::{Grid, HexName};
pub use lines::Lines;
pub use march::March;
pub use reach::{Reach, Reached, Ways};
pub use route::{Route, RouteError};
pub use set::{HexSet, Iter};
pub use spec::{GridError, GridSpec, Parity, Ragged, Sheet, Span};
