//! `verst fuzz`: random play under the oracles.

use crate::fail::{Done, Fail};
use crate::games;
use crate::store::TermsArgs;
use game::oracle::Trial;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// What `verst fuzz` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst fuzz drill --decisions 10000000
  verst fuzz drill --scenario free --seed 77
  verst fuzz pm --scenario june --games 100
  verst fuzz drill --overlay my-drill

A fault is written as a journal that loads to the position in which it lies; exits with 1.")]
pub struct Args {
    /// The game
    game: String,
    #[command(flatten)]
    terms: TermsArgs,
    /// How many decisions
    #[arg(long, default_value_t = 100_000)]
    decisions: u64,
    /// How many games to their end, in place of a number of decisions
    #[arg(long, conflicts_with = "decisions")]
    games: Option<u64>,
    /// The first game's seed; each further game has the next
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the journal of a fault
    #[arg(long, default_value = "target/fuzz", value_name = "FOLDER")]
    out: PathBuf,
}

/// Plays until a fault or the end.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let game = games::find(&registry, &args.game)?;
    let scenarios: Vec<String> = match &args.terms.scenario {
        Some(s) => vec![s.clone()],
        None => game.info().scenarios.iter().map(|s| s.id.clone()).collect(),
    };
    let overlay = args.terms.overlay()?;
    let drawn = std::io::stderr().is_terminal();
    let share = args.decisions.div_ceil(scenarios.len().max(1) as u64);
    for scenario in &scenarios {
        let mut terms = args.terms.terms(game)?;
        terms.scenario.clone_from(scenario);
        game.start(&terms, overlay.as_ref())?;
        let trial = Trial::of(game, terms, overlay.as_ref())?;
        let aim = match args.games {
            Some(n) => format!("of {n} games"),
            None => format!("of {share} decisions"),
        };
        let mut next = 0;
        // A line that is drawn anew where someone looks on, a line each where it is kept.
        let mut progress = |s: &game::oracle::Stats| {
            if s.decisions >= next {
                next = s.decisions + 100_000;
                let lead = if drawn { "\r" } else { "" };
                let end = if drawn { " " } else { "\n" };
                eprint!(
                    "{lead}{} {scenario}: {} games, {} decisions, {aim}{end}",
                    args.game, s.games, s.decisions
                );
                let _ = std::io::stderr().flush();
            }
        };
        let done = match args.games {
            Some(games) => trial.run_games(args.seed, games, &mut progress),
            None => trial.run(args.seed, share, &mut progress),
        };
        if drawn {
            eprintln!();
        }
        match done {
            Ok(stats) => println!("{} {scenario}: {stats}", args.game),
            Err(failure) => {
                let name = format!("{}-{scenario}-{}-{}.verst", failure.game, failure.seed, failure.decision);
                let path = args.out.join(name);
                let written =
                    std::fs::create_dir_all(&args.out).and_then(|()| std::fs::write(&path, &failure.journal));
                let kept = match written {
                    Ok(()) => format!("its journal is {}", path.display()),
                    Err(e) => format!("its journal could not be written to {}: {e}", path.display()),
                };
                return Err(Fail::Amiss(format!("{failure}; {kept}")));
            }
        }
    }
    Ok(())
}
