//! The server as a page meets it: a real server on loopback, real requests, real WebSockets.

extern crate verst_server as server;

mod authority;
mod club;
mod commands;
mod faults;
mod hidden;
mod hotseat;
mod marks;
mod overlays;
mod page;
mod play;
mod postgres;
mod programs;
mod resume;
mod secrets;
mod study;
