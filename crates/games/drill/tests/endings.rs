//! Finished games, one for each way the drill can end, replay to that end.

use game::{Game, Session, read_journal};

#[test]
fn there_is_a_finished_game_of_every_ending_and_each_replays() {
    let drill = verst_drill::Drill::new().unwrap();
    for (name, winner, kind) in [
        ("blue-points", Some("blue"), "points"),
        ("red-points", Some("red"), "points"),
        ("draw", None, "draw"),
        ("blue-rout", Some("blue"), "rout"),
        ("red-rout", Some("red"), "rout"),
    ] {
        let path = format!("{}/games/{name}.verst", env!("CARGO_MANIFEST_DIR"));
        let reading = read_journal(&path, &std::fs::read(&path).unwrap()).unwrap();
        assert!(reading.notice.is_none(), "{name}: {:?}", reading.notice);
        let session = Session::load(&drill, None, &path, &reading.journal, None).unwrap();
        let end = session.position().outcome().unwrap();
        assert_eq!((end.winner.map(|s| drill.info().of(s).id), end.kind), (winner, kind), "{name}");
        assert!(session.differences().is_empty(), "{name}");
    }
}
