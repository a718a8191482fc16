//! `verst fuzz`: random play under the oracles.

use crate::fail::{Done, Fail};
use crate::store::TermsArgs;
use crate::{games, store};
use game::oracle::{Move, Trial};
use game::{Game, Registry, Terms};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use text::Files;

/// What `verst fuzz` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst fuzz drill --decisions 10000000
  verst fuzz drill --scenario free --seed 77
  verst fuzz pm --scenario june --games 100
  verst fuzz drill --overlay my-drill
  verst fuzz s42 --from crates/games/s42/games/campaign-time-axis.verst --games 100

With --from each game begins somewhere in a game that was played, so that late turns come up too. A fault is written as a journal that loads to the position in which it lies; exits with 1.")]
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
    /// Begin each game somewhere in this journal, with its terms
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scenario", "options"])]
    from: Option<PathBuf>,
    /// The first game's seed; each further game has the next
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the journal of a fault
    #[arg(long, default_value = "target/fuzz", value_name = "FOLDER")]
    out: PathBuf,
}

/// The terms and the moves of a game that was played from its scenario's beginning.
fn opening(
    registry: &Registry,
    game: &dyn Game,
    file: &Path,
    overlay: Option<&Files>,
) -> Result<(Terms, Vec<Move>), Fail> {
    let (found, session) = store::read(registry, file, overlay)?;
    let bad = |what: &str| Fail::File(format!("{}: {what}", file.display()));
    if found.info().id != game.info().id {
        return Err(bad(&format!("a game of {}, not of {}", found.info().id, game.info().id)));
    }
    let header = &session.journal().header;
    if header.setup.is_some() {
        return Err(bad("it began with a situation; --from takes a game from its scenario's beginning"));
    }
    let moves: Vec<Move> = session.steps().iter().map(|s| (s.side, s.choice, s.rolls.clone())).collect();
    if moves.is_empty() {
        return Err(bad("nothing was played in it"));
    }
    Ok((header.terms.clone(), moves))
}

/// Plays until a fault or the end.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let game = games::find(&registry, &args.game)?;
    let overlay = args.terms.overlay()?;
    let opening =
        args.from.as_deref().map(|file| opening(&registry, game, file, overlay.as_ref())).transpose()?;
    let scenarios: Vec<String> = match (&opening, &args.terms.scenario) {
        (Some((terms, _)), _) => vec![terms.scenario.clone()],
        (None, Some(s)) => vec![s.clone()],
        (None, None) => game.info().scenarios.iter().map(|s| s.id.clone()).collect(),
    };
    let drawn = std::io::stderr().is_terminal();
    let share = args.decisions.div_ceil(scenarios.len().max(1) as u64);
    for scenario in &scenarios {
        let terms = match &opening {
            Some((terms, _)) => terms.clone(),
            None => Terms { scenario: scenario.clone(), ..args.terms.terms(game)? },
        };
        game.start(&terms, overlay.as_ref())?;
        let mut trial = Trial::of(game, terms, overlay.as_ref())?;
        if let Some((_, moves)) = &opening {
            trial.opening.clone_from(moves);
        }
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
