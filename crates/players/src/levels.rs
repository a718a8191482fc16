//! The players by name and strength.

use crate::{Budget, Greedy, Player, Random, Search, Staff};
use std::time::Duration;

/// A player on offer.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// One word.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// A sentence on how it plays.
    pub about: &'static str,
    make: fn() -> Box<dyn Player>,
    budget: Budget,
}

impl Level {
    /// A new player of this level.
    pub fn player(&self) -> Box<dyn Player> {
        (self.make)()
    }

    /// What it may think about one decision when nobody says otherwise.
    pub fn budget(&self) -> Budget {
        self.budget
    }
}

/// All levels, the weakest first.
pub static LEVELS: &[Level] = &[
    Level {
        id: "random",
        name: "Random",
        about: "Makes any legal choice with equal chance. For trying things out.",
        make: || Box::new(Random),
        budget: Budget::FREE,
    },
    Level {
        id: "greedy",
        name: "Greedy",
        about: "Looks one choice ahead and takes what looks best at once. A first opponent.",
        make: || Box::<Greedy>::default(),
        budget: Budget::FREE,
    },
    Level {
        id: "staff",
        name: "Staff",
        about: "Plans each turn: what to take and hold, who attacks where, which pockets to close. A real fight.",
        make: || Box::<Staff>::default(),
        budget: Budget::FREE,
    },
    Level {
        id: "search",
        name: "Search",
        about: "Plays out several plans in worlds that fit what it sees, and follows the best. Stronger the longer it thinks.",
        make: || Box::<Search>::default(),
        budget: Budget { time: Some(Duration::from_secs(5)), nodes: None },
    },
];

/// The level of an id.
pub fn level(id: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|l| l.id == id)
}
