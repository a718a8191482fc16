//! Finished games, one for each way to end: each must still be legal choice by choice and end as it did.

use game::{Session, read_journal};
use std::path::PathBuf;

#[test]
fn a_finished_game_of_every_ending_replays_to_that_ending() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("games");
    // The June game was played by hand, both sides, and ran its three turns.
    for (name, kind) in
        [("points", "points"), ("moscow", "moscow"), ("time", "time"), ("june-by-hand", "time")]
    {
        let path = folder.join(format!("{name}.verst"));
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let reading = read_journal(kind, &bytes).unwrap_or_else(|d| panic!("{kind}: {d}"));
        let session = Session::load(&verst_pm::Pm::new(), None, kind, &reading.journal, None)
            .unwrap_or_else(|f| panic!("{kind}: {f}"));
        let outcome = session.position().outcome().unwrap_or_else(|| panic!("{kind}: not over"));
        assert_eq!(outcome.kind, kind);
    }
}
