//! Plays random games until there is a finished one for each ending, and writes their journals to a folder:
//! `cargo run --release -p verst-drill --example endings -- crates/games/drill/games`.

use game::{DiceFrom, Game, QuickDice, Session, Terms, oracle};
use std::collections::BTreeSet;

const ENDINGS: [&str; 5] = ["blue-points", "red-points", "draw", "blue-rout", "red-rout"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder to write to")?;
    let drill = verst_drill::Drill::new()?;
    let mut found: BTreeSet<String> = BTreeSet::new();
    for seed in 1.. {
        let mut s = Session::start(&drill, &Terms::of("first"), None, DiceFrom::Quick(seed))?;
        let mut lots = QuickDice::new(seed);
        while let Some(side) = s.position().asks() {
            let Some(c) = oracle::any(&s.choices(), &mut lots) else { break };
            s.play(side, s.question_number(), c)?;
        }
        let Some(end) = s.position().outcome() else { continue };
        let name = match end.winner {
            Some(w) => format!("{}-{}", drill.info().of(w).id, end.kind),
            None => end.kind.to_string(),
        };
        if found.insert(name.clone()) {
            std::fs::write(format!("{folder}/{name}.verst"), s.journal().text())?;
            println!("{name}: seed {seed}, {} choices", s.steps().len());
        }
        if ENDINGS.iter().all(|e| found.contains(*e)) {
            break;
        }
    }
    Ok(())
}
