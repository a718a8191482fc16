//! `verst situation`: a position of a game as a situation file, to send, to change and to check.

use crate::fail::{Done, Fail};
use crate::{games, store};
use std::path::PathBuf;

/// What `verst situation` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst situation evening.verst --at 40 > dispute.toml
  verst check dispute.toml")]
pub struct Args {
    /// A game's journal, or a situation
    file: PathBuf,
    /// After so many choices [default: the last]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// A folder laid over the game's data
    #[arg(long, value_name = "FOLDER")]
    overlay: Option<PathBuf>,
}

/// Prints the situation.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let files = store::overlay(args.overlay.as_deref())?;
    let (game, session) = store::read(&registry, &args.file, files.as_ref())?;
    let at = args.at.unwrap_or(session.steps().len());
    if at > session.steps().len() {
        return Err(Fail::Usage(format!("--at {at}: the game has {} choices", session.steps().len())));
    }
    let text = game::situation::export(game, &session, at, at).map_err(Fail::Usage)?;
    print!("{text}");
    Ok(())
}
