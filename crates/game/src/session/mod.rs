//! A game in play: a position with its journal, its dice, its story and the way back.

mod preview;
mod story;
#[cfg(test)]
mod tests;
mod undo;

pub use preview::Preview;
pub use story::{LuckLine, LuckSum};
pub use undo::UndoView;

use crate::ask::{self, AskView};
use crate::chance::{Chance, DiceFrom};
use crate::journal::{Deed, DiceKind, Header, Journal};
use crate::{
    Choice, Command, Eyes, Game, Line, Position, Recorder, Refusal, Roll, SideInfo, Terms, Told, View,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use table::Side;
use text::{Faults, Files};

/// A copy of the position is kept after each so many choices: near enough that going back is quick.
const SNAPSHOT_EVERY: usize = 64;

/// A choice that was made and stands.
#[derive(Debug)]
pub struct Step {
    /// The number of its line in the journal.
    pub number: u32,
    /// Who made it.
    pub side: Side,
    /// What it was.
    pub choice: Choice,
    /// In notation.
    pub text: String,
    /// The dice it rolled.
    pub rolls: Vec<Roll>,
    /// What it told.
    pub told: Vec<Line>,
    /// Whether it showed something hidden.
    pub revealed: bool,
}

/// Where a rule mended since makes a choice of an old journal illegal, or rolls other dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The line of the journal's play.
    pub number: u32,
    /// The choice.
    pub text: String,
    /// What is different now.
    pub what: String,
}

/// What a choice brought.
#[derive(Clone, Debug)]
pub struct Played {
    /// The journal's new lines, to be stored.
    pub lines: Vec<String>,
    /// How many choices stand now.
    pub step: usize,
}

/// A game in play.
pub struct Session {
    pub(crate) game: &'static str,
    pub(crate) rules_version: u32,
    sides: [SideInfo; 2],
    pub(crate) journal: Journal,
    pub(crate) position: Box<dyn Position>,
    pub(crate) dice: Chance,
    steps: Vec<Arc<Step>>,
    pub(crate) snapshots: BTreeMap<usize, Arc<Box<dyn Position>>>,
    /// The first step whose story and position are known.
    pub(crate) known_from: usize,
    pub(crate) differences: Vec<Difference>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({} {}, {} choices)", self.game, self.terms().scenario, self.steps.len())
    }
}

impl Session {
    /// A new game of a scenario.
    pub fn start(
        game: &dyn Game,
        terms: &Terms,
        overlay: Option<&Files>,
        dice: DiceFrom,
    ) -> Result<Session, Faults> {
        let terms = with_digest(terms, overlay)?;
        let position = game.start(&terms, overlay)?;
        Ok(Session::of(game, terms, None, position, dice))
    }

    /// A new game from the head of a situation file.
    pub fn situate(
        game: &dyn Game,
        terms: &Terms,
        overlay: Option<&Files>,
        setup: &toml::Table,
        dice: DiceFrom,
    ) -> Result<Session, Faults> {
        let terms = with_digest(terms, overlay)?;
        let position = game.situate(&terms, overlay, setup)?;
        let json = serde_json::to_string(setup).map_err(|e| {
            let mut f = Faults::new();
            f.add("situation", None, format!("the set-up cannot be written to a journal: {e}"));
            f
        })?;
        Ok(Session::of(game, terms, Some(json), position, dice))
    }

    fn of(
        game: &dyn Game,
        terms: Terms,
        setup: Option<String>,
        position: Box<dyn Position>,
        dice: DiceFrom,
    ) -> Session {
        let info = game.info();
        let (kind, words, salt) = match &dice {
            DiceFrom::Fair { secret, words } => (
                DiceKind::Fair { commitment: secret.commitment() },
                [Header::word(&words[0]), Header::word(&words[1])],
                Some(secret.salt()),
            ),
            DiceFrom::Quick(seed) => (DiceKind::Quick { seed: *seed }, Default::default(), None),
            DiceFrom::Scripted => (DiceKind::Scripted, Default::default(), None),
        };
        let header = Header { setup, words, salt, ..Header::new(info, terms, kind) };
        let secret = match &dice {
            DiceFrom::Fair { secret, .. } => Some(secret),
            _ => None,
        };
        // The header was made from this very secret, so it cannot be another's.
        let dice = Chance::of(&header, secret).unwrap_or(Chance::Absent { asked: 0 });
        Session::new(game, Journal::new(header), position, dice)
    }

    pub(crate) fn new(
        game: &dyn Game,
        journal: Journal,
        position: Box<dyn Position>,
        dice: Chance,
    ) -> Session {
        let info = game.info();
        let snapshots = BTreeMap::from([(0, Arc::new(position.clone()))]);
        Session {
            game: info.id,
            rules_version: info.rules_version,
            sides: info.sides.clone(),
            journal,
            position,
            dice,
            steps: Vec::new(),
            snapshots,
            known_from: 0,
            differences: Vec::new(),
        }
    }

    /// The game's id.
    pub fn game(&self) -> &'static str {
        self.game
    }

    /// The sides as people read them.
    pub fn sides(&self) -> &[SideInfo; 2] {
        &self.sides
    }

    /// What was agreed.
    pub fn terms(&self) -> &Terms {
        &self.journal.header.terms
    }

    /// The journal so far.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The position now. It knows everything: show [`Session::view`] to people and programs.
    pub fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// The choices that stand.
    pub fn steps(&self) -> &[Arc<Step>] {
        &self.steps
    }

    /// The number of the question now asked: it rises with each choice and each undo and never comes again.
    pub fn question_number(&self) -> u32 {
        self.journal.entries().len() as u32 + 1
    }

    /// What an older journal did that the rules of today would not.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.position.asks().is_none()
    }

    /// Every legal answer to the question now asked.
    pub fn choices(&self) -> Vec<Choice> {
        let mut out = Vec::new();
        if !self.is_over() {
            self.position.choices(&mut out);
        }
        out
    }

    /// The question with its choices, for eyes that may see it; others are not told what is asked.
    pub fn ask(&self, eyes: Eyes, command: Option<Command>) -> Option<AskView> {
        let side = self.position.asks()?;
        if eyes.sees(side) { ask::ask(&*self.position, self.question_number(), command) } else { None }
    }

    /// The question as it is sent to one who may make every choice of his side, with long lists folded at once.
    pub fn ask_folded(&self, eyes: Eyes) -> Option<AskView> {
        let side = self.position.asks()?;
        if eyes.sees(side) { ask::ask_folded(&*self.position, self.question_number()) } else { None }
    }

    /// What those eyes see.
    pub fn view(&self, eyes: Eyes) -> View {
        self.position.view(eyes)
    }

    /// The dice that a scripted game shall show next.
    pub fn script(&mut self, numbers: impl IntoIterator<Item = u32>) {
        if let Chance::Scripted(d) = &mut self.dice {
            d.add(numbers);
        }
    }

    /// Drops what is left of the script.
    pub(crate) fn forget_script(&mut self) {
        if let Chance::Scripted(d) = &mut self.dice {
            d.forget();
        }
    }

    /// How many numbers of the script are left, and how many rolls it had no fitting number for.
    pub fn script_left(&self) -> (usize, u32) {
        match &self.dice {
            Chance::Scripted(d) => (d.left(), d.amiss),
            _ => (0, 0),
        }
    }

    /// Answers the question of that number. Whoever stores the game stores [`Played::lines`] before he says that
    /// the choice was accepted; see [`Session::attempt`].
    pub fn play(&mut self, side: Side, number: u32, choice: Choice) -> Result<Played, Refusal> {
        match self.position.asks() {
            None => return Err(Refusal::Over),
            Some(_) if number != self.question_number() => {
                return Err(Refusal::Stale { answered: number, now: self.question_number() });
            }
            Some(asked) if asked != side => return Err(Refusal::NotAsked(asked)),
            Some(_) => {}
        }
        if let Some(illegal) = self.position.why_not(&choice) {
            return Err(Refusal::Illegal(illegal));
        }
        let text = self.position.lexicon().write(&choice);
        let before = matches!(self.dice, Chance::Absent { .. }).then(|| self.position.clone());
        let (rolls, told) = self.apply(choice);
        if let (Chance::Absent { asked }, Some(before)) = (&mut self.dice, before)
            && *asked > 0
        {
            *asked = 0;
            self.position = before;
            return Err(Refusal::NoDice);
        }
        let mut lines = vec![self.journal.add(Some(side), Deed::Choice(text.clone()), rolls.clone())];
        self.push(side, choice, text, rolls, told);
        lines.extend(self.close());
        Ok(Played { lines, step: self.steps.len() })
    }

    /// Writes the end of a game that is over, and the secret of its dice, where the journal does not have them yet.
    /// Playing does this by itself; a game loaded from a journal that was cut off right before may need it.
    pub fn close(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let Some(end) = self.position.outcome() else { return lines };
        if !self.journal.entries().iter().any(|e| matches!(e.deed, Deed::End(..))) {
            let winner = end.winner.map_or("draw", |s| self.sides[s.ix()].id);
            lines.push(self.journal.add(None, Deed::End(winner.into(), end.kind.into()), vec![]));
        }
        if let Chance::Fair(_, secret) = &self.dice
            && self.journal.secret().is_none()
        {
            lines.push(self.journal.add(None, Deed::Secret(secret.clone()), vec![]));
        }
        lines
    }

    fn apply(&mut self, choice: Choice) -> (Vec<Roll>, Told) {
        let mut told = Told::default();
        let mut dice = Recorder::new(&mut self.dice);
        self.position.apply(choice, &mut dice, &mut told);
        (dice.rolls, told)
    }

    /// Notes a choice that was just applied.
    pub(crate) fn push(&mut self, side: Side, choice: Choice, text: String, rolls: Vec<Roll>, told: Told) {
        let number = self.journal.entries().len() as u32;
        self.push_numbered(number, side, choice, text, rolls, told);
    }

    pub(crate) fn push_numbered(
        &mut self,
        number: u32,
        side: Side,
        choice: Choice,
        text: String,
        rolls: Vec<Roll>,
        told: Told,
    ) {
        let Told { lines: told, revealed } = told;
        self.steps.push(Arc::new(Step { number, side, choice, text, rolls, told, revealed }));
        if self.steps.len().is_multiple_of(SNAPSHOT_EVERY) && self.steps.len() > self.known_from {
            self.keep_position();
        }
    }

    /// Keeps a copy of the position as it stands after the choices so far.
    pub(crate) fn keep_position(&mut self) {
        self.snapshots.insert(self.steps.len(), Arc::new(self.position.clone()));
    }

    /// Forgets the choices after the first `to` without touching the position.
    pub(crate) fn forget_after(&mut self, to: usize) {
        self.steps.truncate(to);
    }

    /// Does something, and if it fails leaves everything as it was: for several orders in a row, all or none, and
    /// for storing what was played.
    pub fn attempt<T, E>(&mut self, f: impl FnOnce(&mut Session) -> Result<T, E>) -> Result<T, E> {
        let (position, dice, steps) = (self.position.clone(), self.dice.clone(), self.steps.clone());
        let (entries, snapshots) = (self.journal.entries().len(), self.snapshots.clone());
        let done = f(self);
        if done.is_err() {
            self.position = position;
            self.dice = dice;
            self.steps = steps;
            self.journal.truncate(entries);
            self.snapshots = snapshots;
        }
        done
    }
}

/// Terms with the digest of the overlay that is laid over our data; terms that name another are refused.
pub(crate) fn with_digest(terms: &Terms, overlay: Option<&Files>) -> Result<Terms, Faults> {
    let found = overlay.map(Files::digest).transpose()?;
    match (&terms.overlay, &found) {
        (Some(wanted), got) if got.as_ref() != Some(wanted) => {
            let mut f = Faults::new();
            let got = got.as_deref().unwrap_or("none");
            f.add(
                "overlay",
                None,
                format!("the game was begun with the overlay {wanted}, and the one given is {got}"),
            );
            Err(f)
        }
        _ => Ok(Terms { overlay: found, ..terms.clone() }),
    }
}
