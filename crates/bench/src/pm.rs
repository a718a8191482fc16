//! Proud Monster beside the time we allow it: listing choices, supply, copies, whole campaigns, random decisions.

use game::{Choice, Game, Position, QuickDice, Quiet, Terms};
use pm::state::Pos;
use table::{Side, Unit};

use crate::contest::{Timed, now};
use crate::report::Report;

/// How many campaigns are played for the figures of listing.
const CAMPAIGNS: u64 = 3;

/// Adds the rows of the game.
pub fn run(report: &mut Report) -> Result<(), String> {
    if !report.wants("pm ") {
        return Ok(());
    }
    let game = pm::Pm::new();
    let start = |scenario: &str| game.start(&Terms::of(scenario), None).map_err(|f| f.to_string());
    let campaign = start("campaign")?;
    let mut listing = Vec::new();
    let mut middle = None;
    for seed in 1..=CAMPAIGNS {
        let mut n = 0;
        play(&*campaign, seed, |p, list| {
            let begin = now();
            p.choices(list);
            listing.push(now() - begin);
            n += 1;
            // Some time in autumn: both armies on the map, the front broken.
            if n == 9_000 {
                middle = Some(p.boxed());
            }
        });
    }
    listing.sort_by(f64::total_cmp);
    let share = |part: f64| listing[((listing.len() - 1) as f64 * part) as usize];
    within(report, "pm campaign, all choices of a decision, median", share(0.5), 50e3);
    within(report, "pm campaign, all choices of a decision, 99 in 100", share(0.99), 1e6);
    let middle = middle.ok_or("no campaign lasted long enough to be measured")?;
    let p = middle.as_any().downcast_ref::<Pos>().ok_or("another game's position")?;
    within(report, "pm campaign, supply of every unit of both sides", supply(report.rounds, p), 200e3);
    within(
        report,
        "pm campaign, a copy",
        median(report.rounds, || u64::from(middle.boxed().asks().is_some())),
        10e3,
    );
    let mut other = campaign.clone();
    let into = median(report.rounds, || u64::from(other.copy_from(&*middle)));
    within(report, "pm campaign, a copy into old memory", into, 10e3);
    let mut seed = 100;
    let whole = median(report.rounds.min(5), || {
        seed += 1;
        play(&*campaign, seed, |p, list| p.choices(list))
    });
    within(report, "pm campaign, a random game of twelve turns", whole, 2e9);
    for scenario in ["campaign", "historical", "june", "typhoon"] {
        let start = start(scenario)?;
        let (begin, mut decisions, mut seed) = (now(), 0, 0);
        while now() - begin < 1.5e9 {
            seed += 1;
            decisions += play(&*start, seed, |p, list| p.choices(list));
        }
        let each = (now() - begin) / decisions as f64;
        let name =
            format!("pm {scenario}, a random decision with all choices listed ({:.0} a second)", 1e9 / each);
        within(report, &name, each, 1e9 / 300e3);
    }
    Ok(())
}

/// Plays a game at random to its end; says how many decisions it took.
fn play(start: &dyn Position, seed: u64, mut list_all: impl FnMut(&dyn Position, &mut Vec<Choice>)) -> u64 {
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

/// Traces all lines anew and asks every unit on the map for its state.
fn supply(rounds: usize, p: &Pos) -> f64 {
    let mut p = p.clone();
    let units: Vec<Unit> = p.s.stacks.units().filter(|&u| p.on_map(u).is_some()).collect();
    median(rounds, || {
        p.stale_supply();
        p.check_supply(Side::One);
        p.check_supply(Side::Two);
        units.iter().map(|&u| u64::from(p.state_of(u) as u8)).sum::<u64>() + 1
    })
}

fn median(rounds: usize, mut work: impl FnMut() -> u64) -> f64 {
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

fn within(report: &mut Report, name: &str, ours: f64, allowed: f64) {
    let limit = match allowed {
        a if a >= 1e9 => format!("allowed: {} s", a / 1e9),
        a if a >= 1e6 => format!("allowed: {} ms", a / 1e6),
        a => format!("allowed: {:.1} us", a / 1e3),
    };
    let rows = [Timed { name: "ours".into(), median: ours }, Timed { name: limit, median: allowed }];
    report.add(name, &rows, &|_| Some(1.0));
}
