//! Proud Monster (1994), complete.
//!
//! The rules live in rooms that follow the book: [`setup`] and [`strictures`] 3, [`victory`] 4, [`sequence`] 5, [`stacking`] 6 and 7,
//! [`arrivals`] and [`refits`] 8, [`supply`] and [`orders`] 9, [`air`] 10, [`sea`] 11, [`movement`], [`hand`], [`reach`] and [`costs`] 12, [`weather`] 13,
//! [`combat`], [`prepared`] and [`losses`] 14, [`mobile`] 15. Values are in `data/`.

pub mod air;
pub mod arrivals;
pub mod badge;
mod chart_view;
pub mod charts;
pub mod combat;
pub mod costs;
pub mod counsel;
pub mod data;
mod ends;
mod facing;
pub mod forecast;
pub mod hand;
mod layers;
pub mod losses;
pub mod map;
pub mod mobile;
pub mod movement;
mod offer;
pub mod options;
pub mod orders;
pub mod pieces;
pub mod plain;
pub mod play;
mod position;
mod position_file;
pub mod prepared;
pub mod reach;
pub mod refits;
pub mod sea;
pub mod sequence;
pub mod setup;
mod setup_file;
pub mod situate;
pub mod stacking;
mod stake;
pub mod state;
pub mod strictures;
pub mod supply;
pub mod units;
pub mod verbs;
pub mod victory;
pub mod view;
pub mod weather;

pub use offer::Pm;
