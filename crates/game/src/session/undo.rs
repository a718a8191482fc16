//! The way back: to the last die, discovery or decision of the other side.

use super::{Played, Session, Step};
use crate::journal::Deed;
use crate::{Position, Refusal, Replay};
use serde::Serialize;
use std::sync::Arc;
use table::Side;

/// Something that undo would take back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UndoView {
    /// How many choices stand after it.
    pub to: usize,
    /// The choice it takes back last.
    pub text: String,
    /// Whether that choice only took something in hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
}

impl Session {
    /// The fewest choices to which that side may go back: to the last die or draw, the last thing revealed, or the
    /// last decision of the other side.
    pub fn barrier(&self, side: Side) -> usize {
        if self.journal.secret().is_some() || self.position.outcome().is_some() {
            return self.steps.len();
        }
        let free = |s: &&Arc<Step>| s.side == side && s.rolls.is_empty() && !s.revealed;
        self.steps.len() - self.steps.iter().rev().take_while(free).count()
    }

    /// What that side could take back, the latest first.
    pub fn undo_list(&self, side: Side) -> Vec<UndoView> {
        let from = self.barrier(side);
        let view = |to: usize| {
            let step = &self.steps[to];
            let held = self.position.lexicon().verb(step.choice.verb).held;
            UndoView { to, text: step.text.clone(), held }
        };
        (from..self.steps.len()).rev().map(view).collect()
    }

    /// Takes back choices until `to` of them stand; the journal records it. Returns the line to be stored.
    pub fn undo(&mut self, side: Side, number: u32, to: usize) -> Result<Played, Refusal> {
        if number != self.question_number() {
            return Err(Refusal::Stale { answered: number, now: self.question_number() });
        }
        let barrier = self.barrier(side);
        if to >= self.steps.len() {
            return Err(Refusal::NoUndo("there is nothing to take back".into()));
        }
        if to < barrier {
            return Err(Refusal::NoUndo(format!(
                "one can go back only to the last die, discovery or decision of the other side: {} of {} choices must stand",
                barrier,
                self.steps.len()
            )));
        }
        let line = self.journal.add(Some(side), Deed::Undo((self.steps.len() - to) as u32), vec![]);
        self.go_back(to);
        Ok(Played { lines: vec![line], step: to })
    }

    /// Puts the position back to where `to` choices stand, and forgets the rest.
    pub(crate) fn go_back(&mut self, to: usize) {
        self.position = self.position_at(to);
        self.steps.truncate(to);
        self.snapshots.retain(|&at, _| at <= to);
    }

    /// The position after the first `step` choices that stand; `step` is not below [`Session::known_from`].
    pub fn position_at(&self, step: usize) -> Box<dyn Position> {
        let step = step.min(self.steps.len());
        if step == self.steps.len() {
            return self.position.clone();
        }
        let (mut at, mut p) = match self.snapshots.range(..=step).next_back() {
            Some((&at, p)) => (at, Box::clone(p)),
            None => return self.position.clone(),
        };
        while at < step {
            let s = &self.steps[at];
            p.apply(s.choice, &mut Replay::new(&s.rolls), &mut crate::Quiet);
            at += 1;
        }
        p
    }
}
