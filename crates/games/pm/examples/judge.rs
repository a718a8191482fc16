//! Plays random games with every oracle of the house: `judge june 20000 1`.

use game::oracle::{Plan, run_planned};
use game::{Game, Terms};

fn main() {
    let mut args = std::env::args().skip(1);
    let scenario = args.next().unwrap_or_else(|| "june".into());
    let decisions: u64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(2000);
    let seed: u64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(1);
    let pm = verst_pm::Pm::new();
    let mut terms = Terms::of(&scenario);
    if let Ok(b) = std::env::var("BEGINNER") {
        terms.options.insert("beginner".into(), b);
    }
    let turns = pm.info().scenarios.iter().find(|s| s.id == scenario).map_or(12, |s| s.turns);
    let usual = Plan::of(turns);
    let plan = Plan { list: 40, copy: 80, look: 120, ..usual };
    match run_planned(&pm, &terms, &plan, seed, decisions, &mut |_| {}) {
        Ok(stats) => println!("{stats}"),
        Err(f) => {
            println!("{f}");
            let _ = std::fs::write("/tmp/pm-failure.verst", &f.journal);
        }
    }
}
