//! The oracles pass a sound game, and each finds the fault planted for it.

use super::*;
use crate::skirmish::SkirmishGame;
use crate::{Session, read_journal};

fn play(game: &SkirmishGame, decisions: u64) -> Result<Stats, Box<Failure>> {
    Trial::of(game, Terms::of("field"), None).unwrap().run(1, decisions, &mut |_| {})
}

#[test]
fn a_sound_game_passes_and_every_oracle_looked() {
    let stats = play(&SkirmishGame::new(), 20_000).unwrap_or_else(|f| panic!("{f}\n{}", f.journal));
    assert!(stats.decisions >= 20_000 && stats.games > 50 && stats.rolls > 100, "{stats}");
    for oracle in [
        "always",
        "list",
        "copy",
        "describe",
        "look",
        "played alike",
        "chosen unseen",
        "session",
        "undo",
        "replay",
    ] {
        assert!(stats.looked.get(oracle).is_some_and(|&n| n > 10), "{oracle}: {stats}");
    }
    assert!(stats.endings.len() >= 2, "{stats}");
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let game = SkirmishGame::new();
    assert_eq!(play(&game, 3_000).unwrap(), play(&game, 3_000).unwrap());
}

#[test]
fn games_that_begin_in_the_midst_of_another_are_tried_and_replay_from_its_beginning() {
    let game = SkirmishGame::new();
    let mut trial = Trial::of(&game, Terms::of("field"), None).unwrap();
    let whole = trial.run_games(1, 40, &mut |_| {}).unwrap();
    let mut p = game.start(&trial.terms, None).unwrap();
    let (mut dice, mut pick, mut list) = (QuickDice::new(5), QuickDice::new(6), Vec::new());
    while let Some(side) = p.asks() {
        list.clear();
        p.choices(&mut list);
        let c = list[pick.below(list.len())];
        let mut rec = Recorder::new(&mut dice);
        p.apply(c, &mut rec, &mut Quiet);
        trial.opening.push((side, c, rec.rolls));
    }
    let late = trial.run_games(1, 40, &mut |_| {}).unwrap_or_else(|f| panic!("{f}\n{}", f.journal));
    assert_eq!(late.games, 40);
    assert!(late.looked.get("replay").is_some_and(|&n| n > 2), "{late}");
    assert!(late.decisions < whole.decisions, "{late}\n{whole}");
}

#[test]
fn each_planted_fault_is_found_by_its_oracle_and_leaves_a_journal_that_loads() {
    for (bug, oracle) in [
        ("list", "list"),
        ("lost", "conserved"),
        ("view", "hidden"),
        ("log", "hidden"),
        ("state", "state"),
        ("unlisted", "list"),
        ("touch", "door"),
        ("twice", "list"),
        ("endless", "bound"),
        ("silent", "choices"),
        ("forgetful", "copy"),
        ("why", "hidden"),
        ("panic", "panic"),
    ] {
        let mut game = SkirmishGame::new();
        game.bug = Some(bug);
        let mut trial = Trial::of(&game, Terms::of("field"), None).unwrap();
        trial.plan.bound = 300;
        let f = trial.run(1, 60_000, &mut |_| {}).err().unwrap_or_else(|| panic!("{bug} was not found"));
        assert_eq!(f.oracle, oracle, "{bug}: {f}");
        let j = read_journal("failure", f.journal.as_bytes()).unwrap().journal;
        let back = Session::load(&game, None, "failure", &j, None).unwrap_or_else(|e| panic!("{bug}: {e}"));
        assert_eq!(back.steps().len(), f.decision, "{bug}");
    }
}
