//! How many random decisions a second one core makes, with every choice listed at each step, and where the time goes.

use game::{Game, Position, QuickDice, Quiet, Terms};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let only = std::env::args().nth(1);
    let seconds: u64 = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(3);
    let pm = verst_pm::Pm::new();
    for scenario in ["campaign", "historical", "june", "typhoon"] {
        if only.as_ref().is_some_and(|o| o != scenario) {
            continue;
        }
        let start = pm.start(&Terms::of(scenario), None)?;
        let mut p = start.clone();
        let mut dice = QuickDice::new(1);
        let mut list = Vec::new();
        let (mut decisions, mut games, mut listed) = (0u64, 0u64, 0u64);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(seconds) || games == 0 {
            p.copy_from(&*start);
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
        println!(
            "pm {scenario}: {:.0} decisions a second, {:.1} a game of {:.0} ms, {:.1} choices each",
            decisions as f64 / spent,
            decisions as f64 / games as f64,
            spent * 1e3 / games as f64,
            listed as f64 / decisions as f64
        );
        breakdown(&*start);
    }
    Ok(())
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
    println!(
        "  listing: median {} ns, p99 {} ns, most {} ns",
        all[all.len() / 2],
        all[all.len() * 99 / 100],
        all[all.len() - 1]
    );
    for (key, (n, l, t, c)) in by {
        println!(
            "  {key:12} {n:7} times, listing {:7} ns of {:6} choices, playing {:7} ns; share {:9} us",
            l / n,
            c / n,
            t / n,
            (l + t) / 1000
        );
    }
}
