//! The server as a page meets it: a real server on loopback, real requests, real WebSockets.

extern crate verst_server as server;

mod authority;
mod club;
mod faults;
mod hidden;
mod hotseat;
mod overlays;
mod page;
mod play;
mod postgres;
mod resume;
mod study;
