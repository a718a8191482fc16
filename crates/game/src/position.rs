//! The trait that a game implements.

use crate::{Choice, Counsel, Dice, End, Forecast, Illegal, Lexicon, Overlay, Question, Teller, View};
use serde::{Deserialize, Serialize};
use std::any::Any;
use table::{Rule, Side};

/// Whose eyes look at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eyes {
    /// A side.
    Side(Side),
    /// Someone who sees only what both sides see.
    Spectator,
    /// Someone who sees everything.
    Referee,
}

impl Eyes {
    /// Whether what belongs to a side alone may be seen.
    pub fn sees(self, side: Side) -> bool {
        matches!(self, Eyes::Referee) || self == Eyes::Side(side)
    }
}

/// A command on a side that several people share: the senior commander, or one of those with a part of the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Command(pub u8);

impl Command {
    /// Decides what is common, and whatever no one else commands.
    pub const SENIOR: Command = Command(0);
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// By which rule.
    pub rule: Rule,
    /// A short name of the kind of ending, for fixtures and studies: `points`, `moscow`, `time`.
    pub kind: &'static str,
    /// A sentence.
    pub text: String,
}

/// A game at one moment. It can be cloned, hashed, saved and sent at any point; where it is in the rules is data.
pub trait Position: Held + Send + Sync {
    /// Who owes a decision; `None` when the game is over.
    fn asks(&self) -> Option<Side>;

    /// What is asked. Called only while [`Position::asks`] is `Some`.
    fn question(&self) -> Question;

    /// Every legal answer, appended to `out` in a fixed order. A move is listed once for each destination, by its
    /// cheapest path; any other legal path is accepted too.
    fn choices(&self, out: &mut Vec<Choice>);

    /// The rule and sum that forbid a choice; `None` if it is legal. Judged from what the asked side may know.
    fn why_not(&self, c: &Choice) -> Option<Illegal>;

    /// Plays a choice known to be legal. Playing any other is a fault of the caller, and may leave any position but
    /// never panics; [`Position::play`] is the door for what comes from outside.
    fn apply(&mut self, c: Choice, dice: &mut dyn Dice, tell: &mut dyn Teller);

    /// Plays a choice, or leaves the position untouched and says why.
    fn play(&mut self, c: Choice, dice: &mut dyn Dice, tell: &mut dyn Teller) -> Result<(), Illegal> {
        match self.why_not(&c) {
            Some(illegal) => Err(illegal),
            None => {
                self.apply(c, dice, tell);
                Ok(())
            }
        }
    }

    /// How it ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// What those eyes see. It holds nothing that they may not see.
    fn view(&self, eyes: Eyes) -> View;

    /// The battle in the making as those eyes may know it: sums, column, chances, expected losses.
    fn forecast(&self, eyes: Eyes) -> Option<Forecast>;

    /// The battle that a choice would begin and roll for at once, as those eyes may know it.
    fn forecast_of(&self, _: Eyes, _: &Choice) -> Option<Forecast> {
        None
    }

    /// How the battle in the making ends when sensible players fight it out, in a world that fits what those eyes see; `None`
    /// where none is in the making. [`Forecast::ends`] has the chances of what it gives.
    fn fought(&self, _: Eyes, _: &mut dyn Dice) -> Option<End> {
        None
    }

    /// A layer of knowledge over the map, by name (see [`crate::Info::overlays`]); `None` for an unknown name.
    fn overlay(&self, eyes: Eyes, name: &str) -> Option<Overlay>;

    /// A few words beside a choice: what it costs, what is left.
    fn note(&self, c: &Choice) -> Option<String>;

    /// Who of the asked side may make this choice when the side is shared.
    fn command(&self, c: &Choice) -> Command;

    /// Another position that looks the same to `eyes`: everything they cannot see is drawn anew among what is
    /// possible.
    fn imagine(&self, eyes: Eyes, dice: &mut dyn Dice) -> Box<dyn Position>;

    /// What the game tells the programs that play it; `None` while it has nothing to tell.
    fn counsel(&self) -> Option<&'static dyn Counsel> {
        None
    }

    /// Names for everything in play.
    fn lexicon(&self) -> &Lexicon;

    /// The whole state as bytes, the same on every machine; [`crate::Game::restore`] reads it back.
    fn state(&self) -> Vec<u8>;

    /// A hash of the whole state.
    fn fingerprint(&self) -> u64 {
        let h = blake3::hash(&self.state());
        u64::from_le_bytes(h.as_bytes()[..8].try_into().unwrap_or_default())
    }

    /// Proves what must always hold: each counter in exactly one place, derived data true.
    fn conserved(&self) -> Result<(), String>;
}

/// What a position can do behind a pointer, whichever game it is of. Every position that is `Clone` has it by itself.
pub trait Held: Any {
    /// A copy.
    fn boxed(&self) -> Box<dyn Position>;

    /// Becomes a copy of another position of the same game without new memory; of another game, nothing happens
    /// and `false` is returned.
    fn copy_from(&mut self, other: &dyn Position) -> bool;

    /// The way back to the game's own type.
    fn as_any(&self) -> &dyn Any;
}

impl<P: Position + Clone> Held for P {
    fn boxed(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn Position) -> bool {
        match other.as_any().downcast_ref::<P>() {
            Some(o) => {
                self.clone_from(o);
                true
            }
            None => false,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}
