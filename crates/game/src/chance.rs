//! Where the dice of a game in play come from.

use crate::journal::{DiceKind, Header};
use crate::{Dice, FairDice, QuickDice, ScriptedDice, Secret};

/// How a new game shall get its dice.
#[derive(Clone, Debug)]
pub enum DiceFrom {
    /// From a secret and a word from each player.
    Fair {
        /// Kept by the house until the game is over.
        secret: Secret,
        /// The word of each side's player; may be empty.
        words: [String; 2],
    },
    /// From a seed.
    Quick(u64),
    /// From whoever plays, by [`crate::Session::script`].
    Scripted,
}

impl DiceFrom {
    /// Fair dice from a fresh secret.
    pub fn fresh(words: [String; 2]) -> Result<DiceFrom, String> {
        Ok(DiceFrom::Fair { secret: Secret::fresh()?, words: words.map(|w| Header::word(&w)) })
    }
}

/// The dice of a game in play.
#[derive(Clone, Debug)]
pub enum Chance {
    /// Fair, with the secret that is published at the end.
    Fair(Box<FairDice>, Secret),
    /// Quick.
    Quick(QuickDice),
    /// Scripted.
    Scripted(ScriptedDice),
    /// Kept elsewhere: a game that was read without its secret.
    Absent {
        /// How often they were asked for.
        asked: u32,
    },
}

impl Chance {
    /// The dice at the beginning of a game with that header, or a sentence when the secret is not its own.
    pub fn of(header: &Header, secret: Option<&Secret>) -> Result<Chance, String> {
        Ok(match (&header.dice, secret) {
            (DiceKind::Fair { commitment }, Some(s)) if s.commitment() == *commitment => {
                Chance::Fair(Box::new(FairDice::new(s, &header.words)), s.clone())
            }
            (DiceKind::Fair { .. }, Some(_)) => {
                return Err(
                    "the secret is not this game's: its hash is not the commitment in the header".into()
                );
            }
            (DiceKind::Fair { .. }, None) => Chance::Absent { asked: 0 },
            (DiceKind::Quick { seed }, _) => Chance::Quick(QuickDice::new(*seed)),
            (DiceKind::Scripted, _) => Chance::Scripted(ScriptedDice::default()),
        })
    }
}

impl Dice for Chance {
    fn roll(&mut self, sides: u8) -> u8 {
        match self {
            Chance::Fair(d, _) => d.roll(sides),
            Chance::Quick(d) => d.roll(sides),
            Chance::Scripted(d) => d.roll(sides),
            Chance::Absent { asked } => {
                *asked += 1;
                1
            }
        }
    }

    fn draw(&mut self, of: u32) -> u32 {
        match self {
            Chance::Fair(d, _) => d.draw(of),
            Chance::Quick(d) => d.draw(of),
            Chance::Scripted(d) => d.draw(of),
            Chance::Absent { asked } => {
                *asked += 1;
                0
            }
        }
    }
}
