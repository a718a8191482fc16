//! Whole games of random choices.

use game::{Choice, Eyes, Game, Position, QuickDice, Quiet, Terms, Told};
use table::Side;

fn drill() -> verst_drill::Drill {
    verst_drill::Drill::new().unwrap()
}

/// Plays random choices to the end; gives the position and how many decisions it took.
fn play(p: &mut dyn Position, seed: u64, mut look: impl FnMut(&dyn Position, &[Choice])) -> u32 {
    let mut lots = QuickDice::new(seed);
    let mut dice = QuickDice::new(!seed);
    let mut choices = Vec::new();
    let mut n = 0;
    while p.asks().is_some() {
        choices.clear();
        p.choices(&mut choices);
        assert!(!choices.is_empty(), "nothing to choose at {:?}", p.question());
        look(p, &choices);
        let c = choices[lots.below(choices.len())];
        p.play(c, &mut dice, &mut Quiet).unwrap();
        n += 1;
        assert!(n < 2_000, "the drill does not end");
    }
    n
}

#[test]
fn every_random_game_ends_with_an_outcome_and_every_counter_in_one_place() {
    let game = drill();
    for scenario in ["first", "free"] {
        for seed in 0..200 {
            let mut p = game.start(&Terms::of(scenario), None).unwrap();
            play(&mut *p, seed, |p, _| p.conserved().unwrap());
            assert!(p.outcome().is_some());
        }
    }
}

#[test]
fn every_listed_choice_is_accepted_and_reads_back_from_its_line() {
    let game = drill();
    for seed in 0..20 {
        let mut p = game.start(&Terms::of("first"), None).unwrap();
        play(&mut *p, seed, |p, choices| {
            for c in choices {
                assert_eq!(p.why_not(c), None);
                let line = p.lexicon().write(c);
                assert_eq!(p.lexicon().read(&line), Ok(*c), "{line}");
            }
        });
    }
}

#[test]
fn a_state_is_read_back_and_a_described_position_is_set_up_again() {
    let game = drill();
    let terms = Terms::of("first");
    for seed in 0..20 {
        let mut p = game.start(&terms, None).unwrap();
        play(&mut *p, seed, |p, _| {
            let again = game.restore(&terms, None, &p.state()).unwrap();
            assert_eq!(again.state(), p.state());
            let head = game.describe(p).unwrap();
            let again = game.situate(&terms, None, &head).unwrap();
            assert_eq!(again.view(Eyes::Referee), p.view(Eyes::Referee), "{head}");
            assert_eq!(again.question(), p.question(), "{head}");
        });
    }
}

#[test]
fn what_blue_cannot_see_makes_no_difference_to_what_blue_is_shown() {
    let game = drill();
    let blue = Eyes::Side(Side::One);
    for seed in 0..40 {
        let mut p = game.start(&Terms::of("first"), None).unwrap();
        let mut dice = QuickDice::new(seed);
        play(&mut *p, seed, |p, choices| {
            let other = p.imagine(blue, &mut dice);
            assert_eq!(p.view(blue), other.view(blue));
            assert_eq!(p.forecast(blue), other.forecast(blue));
            for name in ["supply", "zoc", "control", "threat"] {
                assert_eq!(p.overlay(blue, name), other.overlay(blue, name));
            }
            if p.asks() == Some(Side::One) {
                let mut theirs = Vec::new();
                other.choices(&mut theirs);
                assert_eq!(choices, theirs);
                assert_eq!(p.question(), other.question());
            }
        });
    }
}

#[test]
fn a_copy_into_old_memory_equals_the_original() {
    let game = drill();
    let mut copy = game.start(&Terms::of("free"), None).unwrap();
    let mut p = game.start(&Terms::of("first"), None).unwrap();
    play(&mut *p, 7, |p, _| {
        assert!(copy.copy_from(p));
        assert_eq!(copy.state(), p.state());
    });
}

#[test]
fn the_story_of_a_game_is_told() {
    let game = drill();
    let mut p = game.start(&Terms::of("first"), None).unwrap();
    let mut told = Told::default();
    let mut dice = QuickDice::new(3);
    let mut choices = Vec::new();
    while p.asks().is_some() {
        choices.clear();
        p.choices(&mut choices);
        let c = choices[dice.below(choices.len())];
        p.apply(c, &mut dice, &mut told);
    }
    for key in ["turn", "move", "battle", "end"] {
        assert!(told.lines.iter().any(|l| l.key == key), "no line of {key}");
    }
}
