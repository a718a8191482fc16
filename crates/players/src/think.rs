//! How long a player may think, how it is stopped, and what it says meanwhile.

use game::{Choice, QuickDice};
use std::time::{Duration, Instant};

/// How much a player may think about one decision. Nodes (positions looked at) give the same answer on every
/// machine; time does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// At most this long.
    pub time: Option<Duration>,
    /// At most so many positions.
    pub nodes: Option<u64>,
}

impl Budget {
    /// As long as the player likes.
    pub const FREE: Budget = Budget { time: None, nodes: None };

    /// A time.
    pub fn time(limit: Duration) -> Budget {
        Budget { time: Some(limit), nodes: None }
    }

    /// A number of positions.
    pub fn nodes(limit: u64) -> Budget {
        Budget { time: None, nodes: Some(limit) }
    }
}

/// One decision being thought about: dice of its own, the budget, the best answer so far, and the line to whoever
/// waits.
pub struct Think<'a> {
    /// The player's own dice, for sampling.
    pub dice: QuickDice,
    budget: Budget,
    began: Instant,
    nodes: u64,
    best: Option<Choice>,
    stopped: &'a dyn Fn() -> bool,
    report: &'a dyn Fn(f64, &str),
}

impl<'a> Think<'a> {
    /// Thinks with dice from a seed.
    pub fn new(seed: u64, budget: Budget) -> Think<'static> {
        Think {
            dice: QuickDice::new(seed),
            budget,
            began: Instant::now(),
            nodes: 0,
            best: None,
            stopped: &|| false,
            report: &|_, _| {},
        }
    }

    /// The same, with a way to stop it and to hear from it.
    pub fn watched(
        seed: u64,
        budget: Budget,
        stopped: &'a dyn Fn() -> bool,
        report: &'a dyn Fn(f64, &str),
    ) -> Think<'a> {
        Think { stopped, report, ..Think::new(seed, budget) }
    }

    /// The same decision without a budget: it can still be stopped.
    pub fn unbound(&mut self) -> Think<'a> {
        let dice = QuickDice::new(self.dice.bits());
        Think { dice, budget: Budget::FREE, nodes: 0, best: None, ..*self }
    }

    /// Counts a position looked at; false when it is time to answer.
    pub fn node(&mut self) -> bool {
        self.nodes += 1;
        // The clock and the flag are asked every few nodes: a node takes microseconds, an answer may wait a millisecond.
        !(self.budget.nodes.is_some_and(|n| self.nodes >= n)
            || (self.nodes.is_multiple_of(16) && self.spent()))
    }

    /// Whether it is time to answer.
    pub fn spent(&self) -> bool {
        self.budget.nodes.is_some_and(|n| self.nodes >= n)
            || (self.stopped)()
            || self.budget.time.is_some_and(|t| self.began.elapsed() >= t)
    }

    /// How much of the budget is used, from 0 to 1.
    pub fn share(&self) -> f64 {
        let nodes = self.budget.nodes.map_or(0.0, |n| self.nodes as f64 / n.max(1) as f64);
        let time =
            self.budget.time.map_or(0.0, |t| self.began.elapsed().as_secs_f64() / t.as_secs_f64().max(1e-9));
        nodes.max(time).min(1.0)
    }

    /// The budget.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Positions looked at so far.
    pub fn looked(&self) -> u64 {
        self.nodes
    }

    /// Keeps the best answer so far.
    pub fn hold(&mut self, c: Choice) {
        self.best = Some(c);
    }

    /// The best answer so far.
    pub fn best(&self) -> Option<Choice> {
        self.best
    }

    /// Says how far it has come, and what it intends.
    pub fn say(&self, share: f64, text: &str) {
        (self.report)(share, text);
    }
}
