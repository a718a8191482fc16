//! What all the games put on a table.
//!
//! Sides and counters, where each counter lies, the sums behind every strength and cost, odds, results tables and
//! pools. Nothing here knows a rule of any one game: small functions and plain data that games call.

mod counters;
mod derived;
mod odds;
mod points;
mod pool;
mod results;
mod side;
mod stacks;
mod sum;

pub use counters::{Counter, Face, Size, steps_left};
pub use derived::Derived;
pub use odds::{Column, Odds, Rounding};
pub use points::Points;
pub use pool::Pool;
pub use results::ResultsTable;
pub use side::{Rule, Side, Sided};
pub use stacks::{BoxId, Place, Stacks, Unit};
pub use sum::{Subject, Sum, Term};
