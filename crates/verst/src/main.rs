//! The command `verst`.

fn main() {}
