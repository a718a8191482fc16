//! `verst verify`: whether a game was played with honest dice.

use crate::fail::{Done, Fail};
use crate::{games, store};
use game::JournalFile;
use std::path::PathBuf;

/// What `verst verify` takes.
#[derive(clap::Args)]
#[command(after_help = "Example:
  verst verify evening.verst

Exits with 1 when a roll, a choice or the secret is not as it should be.")]
pub struct Args {
    /// A game's journal
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// A folder laid over the game's data
    #[arg(long, value_name = "FOLDER")]
    overlay: Option<PathBuf>,
}

/// Throws every die again and says in a sentence what was found.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let files = store::overlay(args.overlay.as_deref())?;
    let reading = JournalFile::load(&args.file).map_err(|d| Fail::File(d.fault.to_string()))?;
    if let Some(notice) = &reading.notice {
        eprintln!("verst: {notice}");
    }
    let game = store::named(&registry, &args.file, &reading.journal.header.game)?;
    let verdict = game::verify(game, files.as_ref(), &args.file.display().to_string(), &reading.journal);
    if args.json {
        let text = serde_json::to_string(&verdict);
        println!("{}", text.map_err(|e| Fail::File(format!("cannot be written as JSON: {e}")))?);
    } else {
        println!("{}", verdict.sentence);
    }
    if verdict.honest { Ok(()) } else { Err(Fail::Amiss(String::new())) }
}
