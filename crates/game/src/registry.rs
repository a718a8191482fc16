//! Games as the house sees them: what each offers, and how one is started.

use crate::{OptionSpec, Position, Terms};
use board::Board;
use serde::Serialize;
use std::sync::Arc;
use table::Side;
use text::{Faults, Files};

/// A side as people read it.
#[derive(Clone, Debug, Serialize)]
pub struct SideInfo {
    /// One word for commands and journals: `german`.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Its colour, `#rrggbb`.
    pub colour: &'static str,
    /// Commands that share it, senior first; one entry when it is not shared.
    pub commands: &'static [&'static str],
}

/// A scenario on offer.
#[derive(Clone, Debug, Serialize)]
pub struct ScenarioInfo {
    /// One word: `june`.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// A line or two on what it is about.
    pub about: String,
    /// How long it lasts, in turns.
    pub turns: u32,
    /// The number of its first turn: a scenario may begin in the middle of a campaign.
    pub first_turn: u32,
    /// Where it comes from: a rule number, or `reconstructed: how`.
    pub source: String,
}

/// Our short wording of a rule, for pop-ups: the ledger's.
#[derive(Clone, Debug, Serialize)]
pub struct RuleText {
    /// The number in the rulebook.
    pub rule: String,
    /// Our words.
    pub text: String,
}

/// A chart or table that a player can look at.
#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    /// One word.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Where its values come from: a rule number, or `reconstructed: how`.
    pub source: String,
    /// Heads of the columns; the first is the head of the rows.
    pub head: Vec<String>,
    /// The rows, each as long as `head`.
    pub rows: Vec<Vec<String>>,
    /// Notes beneath it.
    pub notes: Vec<String>,
}

/// What a game offers.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// One word: `pm`.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// A paragraph on it.
    pub about: &'static str,
    /// The version of our implementation of its rules; raised when a change makes old choices illegal.
    pub rules_version: u32,
    /// The two sides, [`Side::One`] first.
    pub sides: [SideInfo; 2],
    /// What can be played.
    pub scenarios: Vec<ScenarioInfo>,
    /// What can be agreed on.
    pub options: Vec<OptionSpec>,
    /// The layers that [`Position::overlay`] knows: name and what it shows.
    pub overlays: &'static [(&'static str, &'static str)],
    /// Our wording of each rule.
    pub rules: Vec<RuleText>,
}

impl Info {
    /// The side of an id.
    pub fn side(&self, id: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|s| self.sides[s.ix()].id == id)
    }

    /// A side as people read it.
    pub fn of(&self, s: Side) -> &SideInfo {
        &self.sides[s.ix()]
    }
}

/// A boxed game. `overlay` is an owner's folder laid over our data; pass `None` for ours alone.
pub trait Game: Send + Sync {
    /// What it offers.
    fn info(&self) -> &Info;

    /// The map, to look at and to draw.
    fn board(&self, overlay: Option<&Files>) -> Result<Arc<Board>, Faults>;

    /// The charts, to look at.
    fn charts(&self, overlay: Option<&Files>) -> Result<Vec<Chart>, Faults>;

    /// A game from its beginning. Unknown scenarios and options are faults of [`Terms::FILE`] that name the valid ones.
    fn start(&self, terms: &Terms, overlay: Option<&Files>) -> Result<Box<dyn Position>, Faults>;

    /// A position read back from [`Position::state`].
    fn restore(
        &self,
        terms: &Terms,
        overlay: Option<&Files>,
        state: &[u8],
    ) -> Result<Box<dyn Position>, Faults>;

    /// A position set up from the head of a situation file: its `at` table and its `unit` entries, in the terms
    /// that the game documents.
    fn situate(
        &self,
        terms: &Terms,
        overlay: Option<&Files>,
        setup: &toml::Table,
    ) -> Result<Box<dyn Position>, Faults>;

    /// The head of a situation file that sets this position up again with [`Game::situate`].
    fn describe(&self, position: &dyn Position) -> Option<toml::Table>;
}

/// The games of the house.
#[derive(Default)]
pub struct Registry {
    games: Vec<Box<dyn Game>>,
}

impl Registry {
    /// No games yet.
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Adds a game.
    #[must_use]
    pub fn with(mut self, game: Box<dyn Game>) -> Registry {
        self.games.push(game);
        self
    }

    /// All games, in the order they were added.
    pub fn games(&self) -> impl Iterator<Item = &dyn Game> {
        self.games.iter().map(|g| &**g)
    }

    /// The game of an id, or a sentence that names the ones there are.
    pub fn find(&self, id: &str) -> Result<&dyn Game, String> {
        self.games().find(|g| g.info().id == id).ok_or_else(|| {
            let ids: Vec<_> = self.games().map(|g| g.info().id).collect();
            format!("there is no game '{id}'; expected one of {}", ids.join(", "))
        })
    }
}
