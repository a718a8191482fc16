//! What a position asks.

use hex::Hex;
use table::{Rule, Side};

/// A question to one side, under a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Who is asked.
    pub side: Side,
    /// The rule it comes from.
    pub rule: Rule,
    /// A short name that does not change with wording: `movement`, `retreat`; situations and the page use it.
    pub key: &'static str,
    /// What is asked, as a sentence to the player.
    pub prompt: String,
    /// Where it plays, if somewhere.
    pub hexes: Vec<Hex>,
    /// What is still undone in this phase.
    pub todo: Vec<Todo>,
}

/// Something still undone: units not moved, attacks possible, reinforcements waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo {
    /// What, in a few words.
    pub what: String,
    /// How many.
    pub count: u32,
    /// Where; each can be jumped to.
    pub hexes: Vec<Hex>,
}
