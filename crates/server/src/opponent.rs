//! Programs that can hold a seat.

use game::{Choice, Position, QuickDice};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use table::Side;

/// A program that plays, as the house knows it.
pub trait Opponent: Send + Sync {
    /// What the page shows of it.
    fn about(&self) -> OpponentInfo;

    /// Sits down at a match. What it remembers from one choice to the next stays with the seat, and may be lost when
    /// the match rests: it must be able to go on from any position.
    fn sit(&self) -> Box<dyn Seated>;
}

/// A program in a seat.
pub trait Seated: Send {
    /// Chooses an answer to the question that `side` is asked. It is given a position in which everything that its side
    /// may not know was drawn anew, so it cannot peek; it keeps to the time that `watch` gives, says how far it has come,
    /// and hurries when told to stop. `None` only when there is nothing to choose.
    fn choose(&mut self, position: &dyn Position, side: Side, seed: u64, watch: &Watch) -> Option<Choice>;
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
    /// Seconds that it thinks about a choice if nobody says otherwise; none when it answers at once.
    pub seconds: Option<u32>,
}

/// The longest that a program may be given for a choice, in seconds.
pub const LONGEST_THOUGHT: u32 = 600;

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
    time: Option<Duration>,
    last: Mutex<Option<Instant>>,
    report: Box<dyn Fn(Progress) + Send + Sync>,
}

/// Reports that follow each other faster than this are dropped: people read them.
const BETWEEN_REPORTS: Duration = Duration::from_millis(150);

impl Watch {
    /// Reports go to `report`; the program has `time` for its choice, or as much as it likes.
    pub fn new(time: Option<Duration>, report: impl Fn(Progress) + Send + Sync + 'static) -> Arc<Watch> {
        let (stop, last) = (AtomicBool::new(false), Mutex::new(None));
        Arc::new(Watch { stop, time, last, report: Box::new(report) })
    }

    /// The time for this choice.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Whether it shall choose now.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells it to choose now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Says how far it has come and what it intends; a program may call this as often as it likes.
    pub fn report(&self, share: f64, text: impl Into<String>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|at| at.elapsed() >= BETWEEN_REPORTS) {
            *last = Some(Instant::now());
            drop(last);
            (self.report)(Progress { share: share.clamp(0.0, 1.0), text: text.into() });
        }
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
            seconds: None,
        }
    }

    fn sit(&self) -> Box<dyn Seated> {
        Box::new(Random)
    }
}

impl Seated for Random {
    fn choose(&mut self, position: &dyn Position, side: Side, seed: u64, _: &Watch) -> Option<Choice> {
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
