//! The boards of the games, for tests of the drawing.

use crate::Board;
use text::Files;

/// Each game's board that there is, with the game's name.
pub(super) fn boards() -> Vec<(String, Board)> {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    let mut names: Vec<String> = std::fs::read_dir(&games)
        .expect("the folder of games")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| games.join(n).join("data/map/board.toml").is_file())
        .collect();
    names.sort();
    assert!(names.iter().any(|n| n == "drill"));
    names
        .into_iter()
        .map(|n| {
            let board = Board::load(&Files::folder(games.join(&n).join("data/map")));
            let board = board.unwrap_or_else(|faults| panic!("{n}: {faults}"));
            (n, board)
        })
        .collect()
}
