//! `verst ledger`: every rule of a game, where it lives and what tests it.

use crate::fail::{Done, Fail};
use crate::games;
use game::ledger::{Status, ledger};
use std::path::PathBuf;

/// What `verst ledger` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst ledger                 all games, one line each
  verst ledger drill --rules   each rule in our words
  verst ledger drill --json

Exits with 1 when a number is missing, a test does not exist or a rule has no words of ours.")]
pub struct Args {
    /// The game [default: all]
    game: Option<String>,
    /// Print each rule
    #[arg(long)]
    rules: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The folder with a folder for each game
    #[arg(long, default_value = "crates/games")]
    folder: PathBuf,
}

/// Checks the ledgers.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let ids: Vec<&str> = match &args.game {
        Some(id) => vec![games::find(&registry, id)?.info().id],
        None => registry.games().map(|g| g.info().id).collect(),
    };
    let mut bad = false;
    let mut all = Vec::new();
    for id in ids {
        let folder = args.folder.join(id);
        if !folder.is_dir() {
            let what = format!(
                "{}: there is no such folder; give --folder, or run it in the repository",
                folder.display()
            );
            return Err(Fail::File(what));
        }
        match ledger(id, &folder) {
            Ok(l) => {
                if !args.json {
                    println!("{l}");
                }
                for r in l.rows.iter().filter(|_| args.rules && !args.json) {
                    let status = match &r.status {
                        Status::Done => "done".to_string(),
                        Status::ToDo => "to do".into(),
                        Status::Nothing(why) => format!("nothing to implement: {why}"),
                    };
                    println!("  {:<7}{} [{status}; {}]", r.rule, r.what, r.tests.join(", "));
                }
                all.push(l);
            }
            Err(faults) => {
                eprintln!("{faults}");
                bad = true;
            }
        }
    }
    if args.json {
        let text = serde_json::to_string_pretty(&all);
        println!("{}", text.map_err(|e| Fail::File(format!("cannot be written as JSON: {e}")))?);
    }
    if bad { Err(Fail::Amiss(String::new())) } else { Ok(()) }
}
