//! Programs that can hold a seat.

use game::{Choice, Position, QuickDice};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use table::Side;

/// A program that plays. It is given a position in which everything that its side may not know was drawn anew, so it
/// cannot peek.
pub trait Opponent: Send + Sync {
    /// What the page shows of it.
    fn about(&self) -> OpponentInfo;

    /// Chooses an answer to the question that `side` is asked; it reports to `watch` and hurries when told to stop.
    /// `None` only when there is nothing to choose.
    fn choose(&self, position: &dyn Position, side: Side, seed: u64, watch: &Watch) -> Option<Choice>;
}

/// A program as the page shows it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct OpponentInfo {
    /// One word.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// A sentence on how it plays.
    pub about: String,
}

/// How far a program has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// From 0 to 1.
    pub share: f64,
    /// A few words.
    pub text: String,
}

/// The line between a thinking program and those who wait for it.
pub struct Watch {
    stop: AtomicBool,
    report: Box<dyn Fn(Progress) + Send + Sync>,
}

impl Watch {
    /// Reports go to `report`.
    pub fn new(report: impl Fn(Progress) + Send + Sync + 'static) -> Arc<Watch> {
        Arc::new(Watch { stop: AtomicBool::new(false), report: Box::new(report) })
    }

    /// Whether it shall choose now.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells it to choose now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Says how far it has come.
    pub fn report(&self, share: f64, text: impl Into<String>) {
        (self.report)(Progress { share, text: text.into() });
    }
}

/// Chooses any legal answer with equal chance.
pub struct Random;

impl Opponent for Random {
    fn about(&self) -> OpponentInfo {
        OpponentInfo {
            id: "random".into(),
            name: "Random".into(),
            about: "Makes any legal choice with equal chance. For trying things out.".into(),
        }
    }

    fn choose(&self, position: &dyn Position, side: Side, seed: u64, _: &Watch) -> Option<Choice> {
        if position.asks() != Some(side) {
            return None;
        }
        let mut all = Vec::new();
        position.choices(&mut all);
        let at = QuickDice::new(seed).below(all.len());
        all.get(at).copied()
    }
}

/// The programs of the house.
#[derive(Clone, Default)]
pub struct Opponents(Vec<Arc<dyn Opponent>>);

impl Opponents {
    /// Only the random one.
    pub fn random() -> Opponents {
        Opponents(vec![Arc::new(Random)])
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, one: Arc<dyn Opponent>) -> Opponents {
        self.0.push(one);
        self
    }

    /// The program of an id.
    pub fn find(&self, id: &str) -> Option<&Arc<dyn Opponent>> {
        self.0.iter().find(|o| o.about().id == id)
    }

    /// All of them, as the page shows them.
    pub fn all(&self) -> Vec<OpponentInfo> {
        self.0.iter().map(|o| o.about()).collect()
    }
}
