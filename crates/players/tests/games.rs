//! Every level plays every finished game on both sides, without a dead end, and goes by nothing that it may not see.

use game::{Eyes, Game, Position, QuickDice, Quiet, Role, Terms};
use table::Side;
use verst_players::{Budget, Greedy, LEVELS, Player, Seat, Think};

fn games() -> Vec<(Box<dyn Game>, &'static str, u32)> {
    let drill = drill::Drill::new().unwrap_or_else(|f| panic!("{f}"));
    // Scenario, and how many decisions of it are played: enough for a turn of the smaller ones.
    vec![
        (Box::new(drill), "first", 1000),
        (Box::new(pm::Pm::new()), "june", 240),
        (Box::new(pm::Pm::new()), "campaign", 60),
        (Box::new(s42::S42::new()), "blau", 260),
        (Box::new(s42::S42::new()), "caucasus", 70),
        (Box::new(s42::S42::new()), "uranus", 70),
        (Box::new(s42::S42::new()), "campaign", 70),
    ]
}

fn start(game: &dyn Game, scenario: &str) -> Box<dyn Position> {
    game.start(&Terms::of(scenario), None).unwrap_or_else(|f| panic!("{f}"))
}

#[test]
fn every_level_plays_every_game_on_both_sides() {
    for (game, scenario, most) in games() {
        for level in LEVELS {
            let mut p = start(&*game, scenario);
            let mut dice = QuickDice::new(5);
            let mut programs = [level.player(), level.player()];
            let mut n = 0;
            while let Some(seat) = Seat::new(&*p).filter(|_| n < most) {
                let side = seat.side();
                let mut think = Think::new(dice.bits(), Budget::nodes(60));
                let c = programs[side.ix()].choose(&seat, &mut think);
                let c = c.unwrap_or_else(|| panic!("{} has no answer in {scenario}", level.id));
                assert!(p.why_not(&c).is_none(), "{}: {} in {scenario}", level.id, p.lexicon().write(&c));
                p.apply(c, &mut dice, &mut Quiet);
                n += 1;
            }
            p.conserved().unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

#[test]
fn players_choose_alike_where_only_hidden_things_differ() {
    for (game, scenario, most) in games() {
        for level in LEVELS {
            let mut p = start(&*game, scenario);
            let mut dice = QuickDice::new(11);
            let mut driver = verst_players::level("random")
                .map(verst_players::Level::player)
                .expect("there is a random player");
            let (mut n, mut compared) = (0, 0);
            while let Some(seat) = Seat::new(&*p).filter(|_| n < most) {
                if n % 11 == 0 && compared < 12 {
                    let side = seat.side();
                    let other = p.imagine(Eyes::Side(side), &mut dice);
                    let seed = dice.bits();
                    let answer = |p: &dyn Position| {
                        let seat = Seat::new(p)?;
                        level.player().choose(&seat, &mut Think::new(seed, Budget::nodes(60)))
                    };
                    let (here, there) = (answer(&*p), answer(&*other));
                    assert_eq!(
                        here, there,
                        "{} tells two worlds apart at choice {n} of {scenario}",
                        level.id
                    );
                    compared += 1;
                }
                let mut think = Think::new(dice.bits(), Budget::FREE);
                let Some(c) = driver.choose(&seat, &mut think) else { break };
                p.apply(c, &mut dice, &mut Quiet);
                n += 1;
            }
            assert!(compared > 5);
        }
    }
}

#[test]
fn a_player_that_is_stopped_answers_at_once() {
    let game = pm::Pm::new();
    for level in LEVELS {
        let p = start(&game, "june");
        let seat = Seat::new(&*p).expect("the game begins with a question");
        let stopped = || true;
        let mut think = Think::watched(3, Budget::FREE, &stopped, &|_, _| {});
        let c = level.player().choose(&seat, &mut think).expect("an answer");
        assert!(p.why_not(&c).is_none());
        assert!(
            think.looked() < 100,
            "{} looked at {} positions after it was stopped",
            level.id,
            think.looked()
        );
    }
}

#[test]
fn a_seat_is_offered_only_while_somebody_is_asked() {
    let game = drill::Drill::new().unwrap_or_else(|f| panic!("{f}"));
    let mut p = start(&game, "first");
    let mut dice = QuickDice::new(2);
    let mut player =
        verst_players::level("random").map(verst_players::Level::player).expect("there is a random player");
    while let Some(seat) = Seat::new(&*p) {
        assert_eq!(Some(seat.side()), p.asks());
        let c = player.choose(&seat, &mut Think::new(dice.bits(), Budget::FREE)).expect("an answer");
        p.apply(c, &mut dice, &mut Quiet);
    }
    assert!(p.outcome().is_some());
    assert!(Side::BOTH.into_iter().all(|s| p.asks() != Some(s)));
}

#[test]
fn greedy_does_not_begin_an_attack_again_that_it_had_to_call_off() {
    let drill = drill::Drill::new().unwrap_or_else(|f| panic!("{f}"));
    let mut p = start(&drill, "first");
    let mut dice = QuickDice::new(7);
    let mut sides = [Greedy::default(), Greedy::default()];
    let mut begun = 0;
    while let Some(seat) = Seat::new(&*p).filter(|_| begun < 3) {
        let counsel = seat.counsel().expect("the drill has a counsel");
        let (greedy, seed) = (&mut sides[seat.side().ix()], dice.bits());
        let ask = |greedy: &mut Greedy| greedy.choose(&seat, &mut Think::new(seed, Budget::nodes(500)));
        let first = ask(greedy).expect("someone is asked");
        // As if it had been called off: nothing has changed, and the same is asked again.
        if counsel.role(&first) == Role::Target && seat.choices().len() > 1 {
            assert_ne!(ask(greedy), Some(first), "{}", p.lexicon().write(&first));
            begun += 1;
        }
        p.apply(first, &mut dice, &mut Quiet);
    }
    assert!(begun > 0, "attacks were begun");
}
