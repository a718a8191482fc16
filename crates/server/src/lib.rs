//! HTTP and WebSocket, accounts, the store.
//!
//! [`serve`] runs a server; [`House`] is all that it shares. A request goes through [`guard`] (is it our own page, who
//! asks), then to the documents, the accounts, the matches or a match's WebSocket. A choice goes one way: the number of the
//! question, the seat, the rules, the store, the viewers.

pub mod account;
mod body;
mod chance;
mod config;
mod desk;
pub mod documents;
mod door;
mod fault;
pub mod guard;
mod house;
pub mod limits;
pub mod live;
pub mod matches;
pub mod message;
pub mod notice;
pub mod openapi;
pub mod opponent;
pub mod overlays;
mod packed;
mod page;
pub mod patch;
mod router;
pub mod socket;
pub mod store;
pub mod study;

pub use body::{Body, ClockTerms, Holder, SeatId, Summary, Watching};
pub use config::{Config, Mail};
pub use fault::{Code, Fault, FaultBody};
pub use house::House;
pub use opponent::{Opponent, OpponentInfo, Opponents, Progress, Seated, Watch};
pub use router::{Serving, router, serve};
