//! What a game may take: random play with the clock at hand, and rows that set our time beside the time allowed.

use game::{Choice, Position, QuickDice, Quiet};

use crate::contest::{Timed, now};
use crate::report::Report;

/// Plays a game at random to its end; says how many decisions it took.
pub fn play(
    start: &dyn Position,
    seed: u64,
    mut list_all: impl FnMut(&dyn Position, &mut Vec<Choice>),
) -> u64 {
    let mut p = start.boxed();
    let mut dice = QuickDice::new(seed);
    let mut list = Vec::new();
    let mut n = 0;
    while p.asks().is_some() {
        list.clear();
        list_all(&*p, &mut list);
        let c = list[dice.below(list.len())];
        p.apply(c, &mut dice, &mut Quiet);
        n += 1;
    }
    n
}

/// Rows for the time that listing takes, median and 99 in 100, over some random games. Gives back the position after
/// so many decisions of the last game that lasted so long.
pub fn listing(
    report: &mut Report,
    name: &str,
    start: &dyn Position,
    games: u64,
    allowed: [f64; 2],
    middle: usize,
) -> Option<Box<dyn Position>> {
    let mut times = Vec::new();
    let mut kept = None;
    for seed in 1..=games {
        let mut n = 0;
        play(start, seed, |p, list| {
            let begin = now();
            p.choices(list);
            times.push(now() - begin);
            n += 1;
            if n == middle {
                kept = Some(p.boxed());
            }
        });
    }
    times.sort_by(f64::total_cmp);
    let share = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    within(report, &format!("{name}, all choices of a decision, median"), share(0.5), allowed[0]);
    within(report, &format!("{name}, all choices of a decision, 99 in 100"), share(0.99), allowed[1]);
    kept
}

/// A row for a random decision with all choices listed, over a second and a half of play.
pub fn decisions(report: &mut Report, name: &str, start: &dyn Position, allowed: f64) {
    let (begin, mut decisions, mut seed) = (now(), 0, 0);
    while now() - begin < 1.5e9 {
        seed += 1;
        decisions += play(start, seed, |p, list| p.choices(list));
    }
    let each = (now() - begin) / decisions as f64;
    let name = format!("{name}, a random decision with all choices listed ({:.0} a second)", 1e9 / each);
    within(report, &name, each, allowed);
}

/// A row for a whole random game.
pub fn whole_game(report: &mut Report, name: &str, start: &dyn Position, allowed: f64) {
    let mut seed = 100;
    let whole = median(report.rounds.min(5), || {
        seed += 1;
        play(start, seed, |p, list| p.choices(list))
    });
    within(report, name, whole, allowed);
}

/// The median time of some work, which must give something.
pub fn median(rounds: usize, mut work: impl FnMut() -> u64) -> f64 {
    let mut times: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            let start = now();
            assert!(std::hint::black_box(work()) > 0);
            now() - start
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A row: our time beside the time allowed.
pub fn within(report: &mut Report, name: &str, ours: f64, allowed: f64) {
    let limit = match allowed {
        a if a >= 1e9 => format!("allowed: {} s", a / 1e9),
        a if a >= 1e6 => format!("allowed: {} ms", a / 1e6),
        a => format!("allowed: {:.1} us", a / 1e3),
    };
    let rows = [Timed { name: "ours".into(), median: ours }, Timed { name: limit, median: allowed }];
    report.add(name, &rows, &|_| Some(1.0));
}
