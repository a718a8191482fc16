//! The server as a page meets it: a real server on loopback, real requests, real WebSockets.

extern crate verst_server as server;

/// As in the command itself: the tests that search whole games make and drop millions of small things.
#[global_allocator]
static MEMORY: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

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
