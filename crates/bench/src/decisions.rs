//! Random decisions, each after listing every legal choice, beside a chess library that is known for its speed.
//!
//! The games differ: a drill decision has some twenty choices, many of them whole paths; a chess position has some
//! thirty moves. The figure beside ours says what a fast library for another game takes for one of its decisions; the
//! ratio we want is of the time we allow.

use cozy_chess::{Board, GameStatus, Move};
use game::{Choice, Game, Position, QuickDice, Quiet, Terms};

use crate::contest::{Timed, now};
use crate::openspiel::OpenSpiel;
use crate::report::Report;

/// What a decision of the drill may take: a million a second.
const ALLOWED: f64 = 1000.0;
/// Nanoseconds of a turn at playing.
const TURN: f64 = 20e6;

/// Adds a row for each scenario of the drill.
pub fn run(report: &mut Report) -> Result<(), String> {
    let mut openspiel: Option<Option<OpenSpiel>> = None;
    let game = drill::Drill::new().map_err(|faults| faults.to_string())?;
    for scenario in game.info().scenarios.iter().map(|s| s.id.clone()) {
        let name = format!("drill {scenario}, a random decision with all choices listed");
        if !report.wants(&name) {
            continue;
        }
        let start = game.start(&Terms::of(&scenario), None).map_err(|faults| faults.to_string())?;
        let mut room = start.clone();
        let (mut list, mut moves) = (Vec::new(), Vec::new());
        let (mut ours, mut chess, mut spiel) = (Vec::new(), Vec::new(), Vec::new());
        let other = openspiel.get_or_insert_with(OpenSpiel::start);
        for round in 0..report.rounds.max(1) as u64 {
            ours.push(each(round, |seed| play(&*start, &mut *room, seed, &mut list)));
            chess.push(each(round, |seed| play_chess(seed, &mut moves)));
            spiel.extend(other.as_mut().and_then(|o| o.each(round)));
        }
        let ours = middle(ours);
        let shown = format!("{name} ({:.0} a second)", 1e9 / ours);
        let mut rows = vec![
            Timed { name: "ours".into(), median: ours },
            Timed { name: "allowed: 1 us".into(), median: ALLOWED },
            Timed { name: "cozy-chess, a move of chess".into(), median: middle(chess) },
        ];
        if !spiel.is_empty() {
            rows.push(Timed { name: "OpenSpiel from Python, a move of chess".into(), median: middle(spiel) });
        }
        report.add(&shown, &rows, &|peer| peer.starts_with("allowed").then_some(1.0));
    }
    Ok(())
}

/// Nanoseconds of a decision, over games from a seed on.
fn each(round: u64, mut one: impl FnMut(u64) -> u64) -> f64 {
    let (begin, mut decisions, mut seed) = (now(), 0, round << 32);
    while now() - begin < TURN {
        seed += 1;
        decisions += one(seed);
    }
    (now() - begin) / decisions.max(1) as f64
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A game of ours at random to its end; says how many decisions it took.
fn play(start: &dyn Position, room: &mut dyn Position, seed: u64, list: &mut Vec<Choice>) -> u64 {
    room.copy_from(start);
    let mut dice = QuickDice::new(seed);
    let mut n = 0;
    while room.asks().is_some() {
        list.clear();
        room.choices(list);
        let choice = list[dice.below(list.len())];
        room.apply(choice, &mut dice, &mut Quiet);
        n += 1;
    }
    n
}

/// A game of chess at random to its end, or for two hundred moves of each side.
fn play_chess(seed: u64, moves: &mut Vec<Move>) -> u64 {
    let mut board = Board::default();
    let mut dice = QuickDice::new(seed);
    for n in 0..400 {
        moves.clear();
        board.generate_moves(|some| {
            moves.extend(some);
            false
        });
        if moves.is_empty() || board.status() != GameStatus::Ongoing {
            return n;
        }
        board.play_unchecked(moves[dice.below(moves.len())]);
    }
    400
}
