//! How many random decisions a second one core makes, with every choice listed at each step, and where the time goes:
//! `cargo run --release -p verst-bench --example speed -- s42 blau 3` (a game, a scenario or `all`, seconds).

use game::{Position, QuickDice, Quiet, Registry, Terms};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let id = args.next().unwrap_or_else(|| "drill".into());
    let only = args.next().filter(|s| s != "all");
    let seconds: u64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(3);
    let registry = Registry::new()
        .with(Box::new(drill::Drill::new()?))
        .with(Box::new(pm::Pm::new()))
        .with(Box::new(s42::S42::new()));
    let game = registry.find(&id)?;
    for scenario in game.info().scenarios.iter().filter(|s| only.as_ref().is_none_or(|o| *o == s.id)) {
        let start = game.start(&Terms::of(&scenario.id), None)?;
        println!("{id} {}: {}", scenario.id, whole_games(&*start, Duration::from_secs(seconds)));
        breakdown(&*start);
    }
    Ok(())
}

/// Plays games at random for a while.
fn whole_games(start: &dyn Position, time: Duration) -> String {
    let mut p = start.boxed();
    let mut dice = QuickDice::new(1);
    let mut list = Vec::new();
    let (mut decisions, mut games, mut listed) = (0u64, 0u64, 0u64);
    let begun = Instant::now();
    while begun.elapsed() < time || games == 0 {
        p.copy_from(start);
        while p.asks().is_some() {
            list.clear();
            p.choices(&mut list);
            let c = list[dice.below(list.len())];
            p.apply(c, &mut dice, &mut Quiet);
            decisions += 1;
            listed += list.len() as u64;
        }
        games += 1;
    }
    let spent = begun.elapsed().as_secs_f64();
    format!(
        "{:.0} decisions a second, {:.1} a game of {:.1} ms, {:.1} choices each",
        decisions as f64 / spent,
        decisions as f64 / games as f64,
        spent * 1e3 / games as f64,
        listed as f64 / decisions as f64
    )
}

/// One game with the clock looked at after every call.
fn breakdown(start: &dyn Position) {
    let mut p = start.boxed();
    let mut dice = QuickDice::new(7);
    let mut list = Vec::new();
    let mut by: BTreeMap<&str, (u64, u64, u64, u64)> = BTreeMap::new();
    let mut all = Vec::new();
    while p.asks().is_some() {
        list.clear();
        let key = p.question().key;
        let a = Instant::now();
        p.choices(&mut list);
        let b = Instant::now();
        let c = list[dice.below(list.len())];
        p.apply(c, &mut dice, &mut Quiet);
        let e = by.entry(key).or_default();
        let (l, t) = ((b - a).as_nanos() as u64, b.elapsed().as_nanos() as u64);
        *e = (e.0 + 1, e.1 + l, e.2 + t, e.3 + list.len() as u64);
        all.push(l);
    }
    all.sort_unstable();
    let part = |share: f64| all.get(((all.len() - 1) as f64 * share) as usize).copied().unwrap_or(0);
    println!("  listing: median {} ns, p99 {} ns, most {} ns", part(0.5), part(0.99), part(1.0));
    let mut rows: Vec<_> = by.into_iter().collect();
    rows.sort_by_key(|(_, (_, listing, playing, _))| std::cmp::Reverse(listing + playing));
    for (key, (n, l, t, c)) in rows {
        println!(
            "  {key:12} {n:7} times, listing {:7} ns of {:6} choices, playing {:7} ns; share {:9} us",
            l / n,
            c / n,
            t / n,
            (l + t) / 1000
        );
    }
}
