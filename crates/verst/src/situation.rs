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
    let p = session.position_at(at);
    let head = game.describe(&*p).ok_or_else(|| {
        Fail::Usage(format!("{} cannot describe this moment as a situation", game.info().name))
    })?;
    let mut table = toml::Table::new();
    table.insert("game".into(), game.info().id.into());
    table.insert("about".into(), format!("{} after {at} choices", args.file.display()).into());
    table.insert("scenario".into(), session.terms().scenario.clone().into());
    if !session.terms().options.is_empty() {
        let options = session.terms().options.iter().map(|(k, v)| (k.clone(), v.clone().into()));
        table.insert("options".into(), toml::Value::Table(options.collect()));
    }
    table.extend(head);
    print!("{}", toml::to_string(&table).map_err(|e| Fail::File(format!("cannot be written: {e}")))?);
    Ok(())
}
