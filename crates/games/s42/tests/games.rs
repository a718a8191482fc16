//! Finished games: each is played again from its journal, and every way to end is among them.

use game::{Session, read_journal};
use std::collections::BTreeSet;
use table::Side;
use verst_s42::S42;

#[test]
fn every_finished_game_replays_to_its_end_and_every_ending_is_there() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/games");
    let game = S42::new();
    let mut seen = BTreeSet::new();
    for file in std::fs::read_dir(folder).expect("the folder of finished games").flatten() {
        if file.path().is_dir() {
            continue;
        }
        let name = file.file_name().to_string_lossy().to_string();
        let bytes = std::fs::read(file.path()).expect("a game that can be read");
        let reading = read_journal(&name, &bytes).unwrap_or_else(|f| panic!("{f}"));
        let scenario = reading.journal.header.terms.scenario.clone();
        let s = Session::load(&game, None, &name, &reading.journal, None).unwrap_or_else(|f| panic!("{f}"));
        let o = s.position().outcome().unwrap_or_else(|| panic!("{name} is not over"));
        seen.insert((scenario, o.kind, if o.winner == Some(Side::One) { "axis" } else { "soviet" }));
    }
    for (scenario, kind, winner) in [
        ("blau", "points", "axis"),
        ("blau", "time", "soviet"),
        ("caucasus", "time", "axis"),
        ("caucasus", "time", "soviet"),
        ("uranus", "time", "axis"),
        ("uranus", "time", "soviet"),
        ("uranus", "stalingrad", "soviet"),
        ("campaign", "benchmark", "axis"),
        ("campaign", "benchmark", "soviet"),
        ("campaign", "winter", "soviet"),
        ("campaign", "time", "axis"),
    ] {
        assert!(
            seen.contains(&(scenario.to_string(), kind, winner)),
            "no finished game of {scenario} ends by {kind} for the {winner} side; there are {seen:?}"
        );
    }
}

#[test]
fn the_game_played_by_hand_replays_on_the_values_of_its_day() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/games/older");
    let name = "fall-blau-by-hand.verst";
    let bytes = std::fs::read(format!("{folder}/{name}")).expect("a game that can be read");
    let reading = read_journal(name, &bytes).unwrap_or_else(|f| panic!("{f}"));
    let values = text::Files::folder(format!("{folder}/data"));
    let s = Session::load(&S42::new(), Some(&values), name, &reading.journal, None)
        .unwrap_or_else(|f| panic!("{f}"));
    let o = s.position().outcome().expect("it was played to its end");
    assert_eq!((o.kind, o.winner), ("time", Some(Side::Two)));
}
