//! Games in files: opening, going on, starting anew.

use crate::fail::Fail;
use crate::games;
use game::journal_file::{JournalFile, keep_secret, kept_secret};
use game::{DiceFrom, Game, Registry, Secret, Session, Terms};
use std::path::{Path, PathBuf};
use text::Files;

/// What was agreed, as the command line says it.
#[derive(clap::Args)]
pub struct TermsArgs {
    /// The scenario [default: the game's first]
    #[arg(long, short = 'S')]
    pub scenario: Option<String>,
    /// An option of the game, NAME=VALUE; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// A folder of your own values, laid over the game's data
    #[arg(long, value_name = "FOLDER")]
    pub overlay: Option<PathBuf>,
}

impl TermsArgs {
    /// The terms for a game.
    pub fn terms(&self, game: &dyn Game) -> Result<Terms, Fail> {
        let first = game.info().scenarios.first().map(|s| s.id.clone()).unwrap_or_default();
        let mut terms = Terms::of(self.scenario.as_deref().unwrap_or(&first));
        for o in &self.options {
            let Some((name, value)) = o.split_once('=') else {
                return Err(Fail::Usage(format!("'{o}' is no option; expected NAME=VALUE")));
            };
            terms.options.insert(name.into(), value.into());
        }
        Ok(terms)
    }

    /// The overlay, if one was named.
    pub fn overlay(&self) -> Result<Option<Files>, Fail> {
        overlay(self.overlay.as_deref())
    }
}

/// The files of an overlay folder.
pub fn overlay(path: Option<&Path>) -> Result<Option<Files>, Fail> {
    match path {
        Some(p) if !p.is_dir() => Err(Fail::File(format!("{}: there is no such folder", p.display()))),
        p => Ok(p.map(Files::folder)),
    }
}

/// A new game; with a seed its dice follow from that, else from a fresh secret.
pub fn start(
    game: &dyn Game,
    args: &TermsArgs,
    seed: Option<u64>,
) -> Result<(Session, Option<Secret>), Fail> {
    let secret = match seed {
        Some(_) => None,
        None => Some(Secret::fresh().map_err(Fail::File)?),
    };
    let dice = match (&secret, seed) {
        (Some(secret), _) => DiceFrom::Fair { secret: secret.clone(), words: Default::default() },
        (None, seed) => DiceFrom::Quick(seed.unwrap_or_default()),
    };
    let files = args.overlay()?;
    let session = Session::start(game, &args.terms(game)?, files.as_ref(), dice);
    Ok((session?, secret))
}

/// Writes a game to a new file, its secret beside it until it is published.
pub fn create(path: &Path, session: &Session, secret: Option<&Secret>) -> Result<JournalFile, Fail> {
    let file = JournalFile::create(path, session.journal())?;
    if let (Some(secret), None) = (secret, session.journal().secret()) {
        keep_secret(path, secret)?;
    }
    Ok(file)
}

/// Opens a game to go on with it.
pub fn resume(
    registry: &Registry,
    path: &Path,
    files: Option<&Files>,
) -> Result<(Session, JournalFile), Fail> {
    let (file, reading) = JournalFile::open(path).map_err(|d| Fail::File(d.fault.to_string()))?;
    if let Some(notice) = &reading.notice {
        eprintln!("verst: {notice}");
    }
    let game = named(registry, path, &reading.journal.header.game)?;
    let secret = kept_secret(path)?;
    let shown = path.display().to_string();
    let session = Session::load(game, files, &shown, &reading.journal, secret.as_ref());
    Ok((session.map_err(|e| Fail::File(e.to_string()))?, file))
}

/// Reads a game without touching its file: a journal, or a situation before its first order.
pub fn read<'a>(
    registry: &'a Registry,
    path: &Path,
    files: Option<&Files>,
) -> Result<(&'a dyn Game, Session), Fail> {
    let shown = path.display().to_string();
    if path.extension().is_some_and(|e| e == "toml") {
        return situation(registry, path, files);
    }
    let reading = JournalFile::load(path).map_err(|d| Fail::File(d.fault.to_string()))?;
    if let Some(notice) = &reading.notice {
        eprintln!("verst: {notice}");
    }
    let game = named(registry, path, &reading.journal.header.game)?;
    let session = Session::load(game, files, &shown, &reading.journal, None);
    Ok((game, session.map_err(|e| Fail::File(e.to_string()))?))
}

/// The game that a file names.
pub fn named<'a>(registry: &'a Registry, path: &Path, id: &str) -> Result<&'a dyn Game, Fail> {
    games::find(registry, id).map_err(|e| Fail::File(format!("{}: {e}", path.display())))
}

fn situation<'a>(
    registry: &'a Registry,
    path: &Path,
    files: Option<&Files>,
) -> Result<(&'a dyn Game, Session), Fail> {
    let shown = path.display().to_string();
    let bad = |what: String| Fail::File(format!("{shown}: {what}"));
    let text = std::fs::read_to_string(path).map_err(|e| bad(format!("cannot be read: {e}")))?;
    let table: toml::Table = toml::from_str(&text).map_err(|e| bad(e.message().to_string()))?;
    let id = table.get("game").and_then(toml::Value::as_str).unwrap_or_default();
    let game = named(registry, path, id)?;
    let mut terms = Terms::of(game.info().scenarios.first().map_or("", |s| &s.id));
    if let Some(s) = table.get("scenario").and_then(toml::Value::as_str) {
        terms.scenario = s.into();
    }
    for (k, v) in table.get("options").and_then(toml::Value::as_table).into_iter().flatten() {
        terms.options.insert(k.clone(), v.as_str().unwrap_or_default().into());
    }
    let mut setup = table.clone();
    setup.retain(|k, _| !game::situation::OURS.contains(&k));
    let session =
        Session::situate(game, &terms, files, &setup, DiceFrom::Scripted).map_err(|f| bad(f.to_string()))?;
    Ok((game, session))
}
