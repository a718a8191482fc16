//! What was told, and how lucky both sides were, for each pair of eyes.

use super::Session;
use crate::Eyes;
use crate::ask::{self, LineView};
use serde::Serialize;
use table::Side;

/// One throw in the luck ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LuckLine {
    /// The choice during which it was thrown.
    pub step: usize,
    /// Who threw.
    pub side: Side,
    /// Expected gain in steps.
    pub expected: f64,
    /// What it was.
    pub actual: f64,
    /// What it was about.
    pub text: String,
}

/// The luck of one side over a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LuckSum {
    /// Who.
    pub side: Side,
    /// How many throws.
    pub throws: usize,
    /// Expected gain in steps, over all throws.
    pub expected: f64,
    /// What it was.
    pub actual: f64,
}

impl Session {
    /// What those eyes may read of the story told by the choices from `from` (counted from 0) to before `to`.
    pub fn story(&self, eyes: Eyes, from: usize, to: usize) -> Vec<LineView> {
        let lex = self.position.lexicon();
        let to = to.min(self.steps.len());
        let told = |i: usize| self.steps[i].told.iter().filter_map(move |l| ask::line(lex, eyes, i + 1, l));
        (from.min(to)..to).flat_map(told).collect()
    }

    /// Every throw whose chances were reckoned, as far as those eyes may know, and the sum for each side.
    pub fn luck(&self, eyes: Eyes) -> (Vec<LuckLine>, [LuckSum; 2]) {
        let mut lines = Vec::new();
        let mut sums = Side::BOTH.map(|side| LuckSum { side, throws: 0, expected: 0.0, actual: 0.0 });
        for l in self.story(eyes, 0, usize::MAX) {
            let Some(luck) = l.luck else { continue };
            let s = &mut sums[luck.side.ix()];
            s.throws += 1;
            s.expected += luck.expected;
            s.actual += luck.actual;
            lines.push(LuckLine {
                step: l.step,
                side: luck.side,
                expected: luck.expected,
                actual: luck.actual,
                text: l.text,
            });
        }
        (lines, sums)
    }

    /// The journal as those eyes may read it now: whole for the referee and once the secret is published.
    pub fn journal_for(&self, eyes: Eyes) -> String {
        match eyes {
            Eyes::Referee => self.journal.text(),
            Eyes::Side(s) => self.journal.sealed_for(Some(s)).text(),
            Eyes::Spectator => self.journal.sealed_for(None).text(),
        }
    }
}
