//! Why a session does not do what it was asked.

use crate::Illegal;
use std::fmt;
use table::Side;

/// Why a choice, an undo or a preview was refused; nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game is over.
    Over,
    /// The answer is to a question that is no longer asked.
    Stale {
        /// The number that came.
        answered: u32,
        /// The number of the question now asked.
        now: u32,
    },
    /// It is the other side that is asked.
    NotAsked(Side),
    /// A rule forbids it.
    Illegal(Illegal),
    /// It could not be read as an order.
    Unread(String),
    /// The dice of this game are kept elsewhere.
    NoDice,
    /// A preview would roll dice or reveal something.
    Chance,
    /// There is nothing to take back, or not so far.
    NoUndo(String),
}

impl Refusal {
    /// A word for machines, as in docs/protocol.md.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Over => "over",
            Refusal::Stale { .. } => "stale",
            Refusal::NotAsked(_) => "not_asked",
            Refusal::Illegal(_) => "illegal",
            Refusal::Unread(_) => "malformed",
            Refusal::NoDice | Refusal::Chance | Refusal::NoUndo(_) => "forbidden",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Over => f.write_str("the game is over"),
            Refusal::Stale { answered, now } => {
                write!(f, "this answers question {answered}, and question {now} is now asked")
            }
            Refusal::NotAsked(_) => f.write_str("it is the other side that is asked"),
            Refusal::Illegal(i) => write!(f, "{i}"),
            Refusal::Unread(what) | Refusal::NoUndo(what) => f.write_str(what),
            Refusal::NoDice => {
                f.write_str("this needs dice, and the secret of this game's dice is kept elsewhere")
            }
            Refusal::Chance => f.write_str("what follows depends on dice or on what is hidden"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Illegal> for Refusal {
    fn from(i: Illegal) -> Refusal {
        Refusal::Illegal(i)
    }
}
