//! The drill's map, whole or with some of its files changed.
#![allow(dead_code)]

use text::{Faults, Files};
use verst_board::Board;

/// The folder of the drill's map.
pub const DRILL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/drill/data/map");

/// The drill's map as files.
pub fn drill() -> Files {
    Files::folder(DRILL)
}

/// The drill's board.
pub fn board() -> Board {
    Board::load(&drill()).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The text of a file of the drill's map.
pub fn file(name: &str) -> String {
    drill().read(name).unwrap().into_owned()
}

/// The drill's map with some files replaced.
pub fn with(changed: &[(&'static str, String)]) -> Files {
    let pairs: Vec<(&'static str, &'static str)> =
        changed.iter().map(|(name, text)| (*name, &*text.clone().leak())).collect();
    drill().overlaid(Files::embedded(pairs.leak()))
}

/// The faults of the drill's map with one file replaced.
pub fn faults(name: &'static str, text: impl Into<String>) -> Faults {
    Board::load(&with(&[(name, text.into())])).expect_err("the board ought to be refused")
}

/// The one fault of the drill's map with rows added to a file, as "file:line: what" without the line's number, which
/// is checked to be that of the first added row.
pub fn fault_of_added(name: &'static str, rows: &str) -> String {
    let text = file(name);
    let line = text.lines().count() as u32 + 1;
    let faults = faults(name, text + rows + "\n");
    assert_eq!(faults.len(), 1, "{faults}");
    let fault = faults.iter().next().unwrap();
    assert_eq!((fault.file.as_str(), fault.line), (name, Some(line)), "{fault}");
    fault.what.clone()
}
