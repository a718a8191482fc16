//! How many random decisions a second one core makes, with every choice listed at each step.

use game::{Game, QuickDice, Quiet, Terms};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let drill = verst_drill::Drill::new()?;
    for scenario in ["first", "free"] {
        let start = drill.start(&Terms::of(scenario), None)?;
        let mut p = start.clone();
        let mut dice = QuickDice::new(1);
        let mut list = Vec::new();
        let (mut decisions, mut games, mut listed) = (0u64, 0u64, 0u64);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(3) {
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
        let per_second = decisions as f64 / begun.elapsed().as_secs_f64();
        println!(
            "drill {scenario}: {per_second:.0} decisions a second, {:.1} a game, {:.1} choices each",
            decisions as f64 / games as f64,
            listed as f64 / decisions as f64
        );
    }
    Ok(())
}
