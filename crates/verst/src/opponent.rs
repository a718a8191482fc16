//! The programs one can play against, at the terminal and in the page.

use crate::fail::Fail;
use game::{Choice, Position, QuickDice};
use players::{Budget, LEVELS, Level, Player, Seat, Think};
use server::{OpponentInfo, Watch};
use std::time::Duration;
use table::Side;

/// Their names.
pub fn names() -> Vec<&'static str> {
    LEVELS.iter().map(|l| l.id).collect()
}

/// A program that holds a side.
pub struct Opponent {
    player: Box<dyn Player>,
    dice: QuickDice,
    budget: Budget,
}

impl Opponent {
    /// A program by its name.
    pub fn find(name: &str, seed: u64) -> Result<Opponent, Fail> {
        let level = players::level(name).ok_or_else(|| {
            Fail::Usage(format!("there is no program '{name}'; expected one of {}", names().join(", ")))
        })?;
        Ok(Opponent { player: level.player(), dice: QuickDice::new(seed ^ 0x5eed), budget: level.budget() })
    }

    /// Its choice; `None` only when nothing is asked. It is given a seat, not the position.
    pub fn choose(&mut self, p: &dyn Position) -> Option<Choice> {
        let seat = Seat::new(p)?;
        let mut think = Think::new(self.dice.bits(), self.budget);
        self.player.choose(&seat, &mut think)
    }

    /// What it intends, as a sentence.
    pub fn intention(&self) -> Option<&str> {
        self.player.intention()
    }
}

/// A level as the page's server asks for it.
pub struct Seated {
    level: &'static Level,
    time: Duration,
}

/// Every level but the random one, which the server has itself.
pub fn all() -> server::Opponents {
    let mut out = server::Opponents::random();
    for level in LEVELS.iter().filter(|l| l.id != "random") {
        out = out.with(std::sync::Arc::new(Seated { level, time: Duration::from_secs(10) }));
    }
    out
}

impl server::Opponent for Seated {
    fn about(&self) -> OpponentInfo {
        let l = self.level;
        OpponentInfo { id: l.id.into(), name: l.name.into(), about: l.about.into() }
    }

    fn choose(&self, position: &dyn Position, side: Side, seed: u64, watch: &Watch) -> Option<Choice> {
        let seat = Seat::new(position).filter(|s| s.side() == side)?;
        let stopped = || watch.stopped();
        let report = |share: f64, text: &str| watch.report(share, text);
        let mut think = Think::watched(seed, Budget::time(self.time), &stopped, &report);
        self.level.player().choose(&seat, &mut think)
    }
}
