//! Resuming from a mark: a position kept beside a journal, so that a long game need not be replayed from its beginning.
//!
//! A mark is a cache and never the truth. It names the hash of the journal at its place and is used only where that fits;
//! whatever does not fit is replayed. What was told before the mark is not known to a game resumed from it
//! ([`Session::known_from`]).

use crate::chance::Chance;
use crate::journal::{Deed, Journal};
use crate::load::{Judge, LoadFault};
use crate::{Game, Secret, Session, Told};
use table::Side;
use text::Files;

/// A position in the middle of a journal, at a place behind which nobody can go back any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// How many lines of the journal come before it.
    pub entries: usize,
    /// How many choices stood.
    pub steps: usize,
    /// The hash over those lines.
    pub tip: [u8; 32],
    /// The position, as [`crate::Position::state`] writes it.
    pub state: Vec<u8>,
}

impl Session {
    /// The latest place of this game that a mark can be made of; `None` near its beginning.
    pub fn mark(&self) -> Option<Mark> {
        let firm = Side::BOTH.into_iter().map(|s| self.barrier(s)).min()?;
        let (&steps, position) = self.snapshots.range(..=firm).next_back()?;
        let entries = self.steps().get(steps.checked_sub(1)?)?.number as usize;
        let tip = self.journal.entries().get(entries.checked_sub(1)?)?.hash;
        position.asks()?;
        Some(Mark { entries, steps, tip, state: position.state() })
    }

    /// The first step whose story and position are known: 0, or where the game was resumed.
    pub fn known_from(&self) -> usize {
        self.known_from
    }

    /// As [`Session::resume`], from a mark on. Dice before it are thrown again and compared all the same; that the mark
    /// does not fit is a fault, and the caller then replays the whole.
    pub fn resume_at(
        game: &dyn Game,
        overlay: Option<&Files>,
        file: &str,
        journal: &Journal,
        secret: Option<&Secret>,
        mark: &Mark,
    ) -> Result<Session, Box<LoadFault>> {
        let amiss = |what: &str| LoadFault::early(file, None, format!("the mark does not fit: {what}"));
        Session::fits(game, file, journal)?;
        let head = &journal.header;
        if head.rules != game.info().rules_version || head.setup.is_some() {
            return Err(amiss("the game began under other rules or from a situation"));
        }
        let before = journal.entries().get(..mark.entries).unwrap_or_default();
        if before.last().is_none_or(|e| e.hash != mark.tip) {
            return Err(amiss("the journal is another one there"));
        }
        let position = game.restore(&head.terms, overlay, &mark.state).map_err(|f| amiss(&f.to_string()))?;
        if position.state() != mark.state || position.asks().is_none() {
            return Err(amiss("the position does not read back"));
        }
        let dice = Chance::of(head, secret.or(journal.secret())).map_err(|what| amiss(&what))?;
        let mut session = Session::new(game, Journal::read(head.clone()), position, dice);
        session.snapshots.clear();
        session.known_from = mark.steps;
        for entry in before {
            match (&entry.deed, entry.side) {
                (Deed::Choice(text), Some(side)) => {
                    let choice = session.position.lexicon().read(text).map_err(|what| amiss(&what))?;
                    let rolls = entry.thrown.rolls();
                    session.throw_again(text, rolls).map_err(|what| amiss(&what))?;
                    // Whatever it told is not known; nobody goes back behind the mark.
                    let told = Told { revealed: true, ..Told::default() };
                    session.push_numbered(entry.number, side, choice, text.clone(), rolls.to_vec(), told);
                }
                (Deed::Undo(back), Some(_)) => {
                    let to = session.steps().len().checked_sub(*back as usize);
                    session.forget_after(to.ok_or_else(|| amiss("an undo goes too far"))?);
                }
                _ => return Err(amiss("the game was over before it")),
            }
            session.journal.add(entry.side, entry.deed.clone(), entry.thrown.rolls().to_vec());
        }
        if session.steps().len() != mark.steps {
            return Err(amiss("other choices stand there"));
        }
        session.keep_position();
        session.go_on(file, &journal.entries()[mark.entries..], Judge::None)
    }
}
