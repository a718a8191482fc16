//! The programs one can play against.

use crate::fail::Fail;
use game::{Choice, Position, QuickDice};

/// A program that holds a side.
pub enum Opponent {
    /// Any legal choice, each as likely as the others.
    Random(QuickDice),
}

/// Their names.
pub const NAMES: [&str; 1] = ["random"];

impl Opponent {
    /// A program by its name.
    pub fn find(name: &str, seed: u64) -> Result<Opponent, Fail> {
        match name {
            "random" => Ok(Opponent::Random(QuickDice::new(seed ^ 0x5eed))),
            _ => Err(Fail::Usage(format!(
                "there is no program '{name}'; expected one of {}",
                NAMES.join(", ")
            ))),
        }
    }

    /// Its choice; `None` only when nothing is asked.
    pub fn choose(&mut self, p: &dyn Position) -> Option<Choice> {
        let mut list = Vec::new();
        p.choices(&mut list);
        match self {
            Opponent::Random(dice) => list.get(dice.below(list.len())).copied(),
        }
    }
}
