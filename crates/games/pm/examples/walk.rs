//! Plays random games of a scenario and says how they went: `walk june 3 1`.

use game::{Game, QuickDice, Quiet, Terms};
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let scenario = args.next().unwrap_or_else(|| "june".into());
    let games: u64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(1);
    let seed: u64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(1);
    let pm = verst_pm::Pm::new();
    for g in 0..games {
        let mut terms = Terms::of(&scenario);
        if let Ok(b) = std::env::var("BEGINNER") {
            terms.options.insert("beginner".into(), b);
        }
        let mut p = match pm.start(&terms, None) {
            Ok(p) => p,
            Err(f) => {
                println!("{f}");
                return;
            }
        };
        let mut dice = QuickDice::new(seed + g);
        let mut pick = QuickDice::new(seed * 77 + g);
        let mut list = Vec::new();
        let mut n = 0u64;
        let mut most = 0;
        let start = Instant::now();
        while p.asks().is_some() {
            list.clear();
            p.choices(&mut list);
            most = most.max(list.len());
            if list.is_empty() {
                println!("dead end after {n}: {:?}", p.question());
                return;
            }
            let c = game::oracle::any(&list, &mut pick).unwrap_or(list[0]);
            if std::env::var("CHECK").is_ok() {
                for c in &list {
                    if let Some(i) = p.why_not(c) {
                        println!("listed but refused: {} : {i} in {:?}", p.lexicon().write(c), p.question());
                        return;
                    }
                }
                if let Err(e) = p.conserved() {
                    println!("after {n}: {e}; {:?}", p.question());
                    return;
                }
            }
            p.apply(c, &mut dice, &mut Quiet);
            n += 1;
            if n > 3_000_000 {
                println!("endless: {:?}", p.question());
                return;
            }
        }
        let t = start.elapsed();
        println!("{n} decisions in {t:?}, most choices {most}: {:?}", p.outcome().map(|o| o.text));
        if let Err(e) = p.conserved() {
            println!("not conserved: {e}");
        }
    }
}
