//! Stalingrad '42, after its rulebook.
//!
//! The rules live in rooms that follow the book: [`sequence`] 3, [`stacking`] 4, [`movement`], [`reach`], [`steps`], [`spread`], [`rail`] and [`sea`] 5,
//! [`zones`] 6 and 7, [`combat`], [`targets`] 8 to 10, [`determined`] 11, [`retreat`], [`falling`] 12 and 13, [`advance`], [`stride`] 14, [`breakthrough`] 15, [`supply`] 16,
//! [`rail`] 17, [`resources`] 18, [`special`] 20, [`initial`] 21 and 22, [`areas`] 22, [`weather`] 23, [`victory`] 24, [`owed`] 32 and 33,
//! [`maskirovka`] 34. Values are in `data/`.

pub mod advance;
pub mod answers;
pub mod areas;
pub mod battle;
pub mod breakthrough;
mod chart_view;
pub mod charts;
pub mod cities;
pub mod combat;
mod counsel;
pub mod data;
pub mod determined;
pub mod disengage;
pub mod disruption;
pub mod ends;
pub mod falling;
pub mod forecast;
pub mod forecast_stand;
pub mod initial;
pub mod losses;
pub mod map;
pub mod maskirovka;
pub mod movement;
mod offer;
pub mod owed;
pub mod passage;
pub mod pieces;
pub mod play;
mod position;
pub mod rail;
pub mod reach;
pub mod reach_plain;
pub mod replacements;
pub mod reserves;
pub mod resolve;
pub mod resources;
pub mod retreat;
pub mod scenario;
pub mod sea;
pub mod sequence;
pub mod setup;
pub mod shifts;
pub mod situate;
pub mod special;
pub mod spread;
pub mod stacking;
pub mod state;
pub mod steps;
pub mod stride;
pub mod supply;
mod supply_lines;
pub mod supply_plain;
pub mod support;
pub mod targets;
pub mod units;
pub mod verbs;
pub mod victory;
pub mod view;
pub mod ways;
pub mod weather;
pub mod zones;

pub use offer::S42;
