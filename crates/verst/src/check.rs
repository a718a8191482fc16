//! `verst check`: runs situations and says what differed.

use crate::fail::{Done, Fail};
use crate::games;
use std::path::PathBuf;

/// What `verst check` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst check crates/games/drill/situations
  verst check dispute.toml --json

Exits with 1 when anything differs.")]
pub struct Args {
    /// Situations, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Name each situation that passed too
    #[arg(long, short)]
    verbose: bool,
}

/// Runs them all.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let report = game::situation::check(&registry, &args.paths);
    if args.json {
        let text = serde_json::to_string_pretty(&report);
        println!("{}", text.map_err(|e| Fail::File(format!("cannot be written as JSON: {e}")))?);
    } else {
        for c in report.files.iter().filter(|c| args.verbose && c.differs.is_empty()) {
            println!("{}: {} ({})", c.file, c.about, c.rules.join(", "));
        }
        println!("{report}");
    }
    if report.files.is_empty() {
        return Err(Fail::Usage("there are no situations there".into()));
    }
    if report.passed() { Ok(()) } else { Err(Fail::Amiss(String::new())) }
}
