//! How a battle may end: every end with its chance, and dice that show every face in turn to find them all.
//!
//! An end is counted when all that the battle itself asks is settled: losses, stands, retreats. What follows it (an advance, a
//! breakthrough, another round) is another matter. Where players choose, they choose as a game's sensible player does; each
//! game says in its forecast what that is.

use crate::Dice;
use serde::{Deserialize, Serialize};

/// How a battle ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct End {
    /// Steps that the attacker lost.
    pub attacker: u16,
    /// Steps that the defender lost.
    pub defender: u16,
    /// Defenders went back, and live.
    pub retreat: bool,
    /// No defender is left in the hex.
    pub taken: bool,
}

/// An end with its chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndChance {
    /// How it ends.
    #[serde(flatten)]
    pub end: End,
    /// From 0 to 1.
    pub chance: f64,
}

/// Every end that a battle may have, each once, by losses; nothing where no battle can be fought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ends(Vec<EndChance>);

impl Ends {
    /// One end for sure.
    pub fn sure(end: End) -> Ends {
        Ends(vec![EndChance { end, chance: 1.0 }])
    }

    /// Adds to the chance of an end.
    pub fn add(&mut self, end: End, chance: f64) {
        if chance <= 0.0 {
            return;
        }
        match self.0.binary_search_by(|e| e.end.cmp(&end)) {
            Ok(i) => self.0[i].chance += chance,
            Err(i) => self.0.insert(i, EndChance { end, chance }),
        }
    }

    /// Adds all ends of another list, each by a share of its chance.
    pub fn blend(&mut self, share: f64, other: &Ends) {
        for e in &other.0 {
            self.add(e.end, share * e.chance);
        }
    }

    /// The ends, by losses.
    pub fn iter(&self) -> impl Iterator<Item = &EndChance> {
        self.0.iter()
    }

    /// Whether there are none: no battle can be fought.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The chance of an end.
    pub fn of(&self, end: End) -> f64 {
        self.0.iter().find(|e| e.end == end).map_or(0.0, |e| e.chance)
    }

    /// The chance of all ends of a kind.
    pub fn chance(&self, kind: impl Fn(&End) -> bool) -> f64 {
        self.0.iter().filter(|e| kind(&e.end)).map(|e| e.chance).sum()
    }

    /// Steps that the attacker loses on average.
    pub fn attacker_loss(&self) -> f64 {
        self.0.iter().map(|e| e.chance * f64::from(e.end.attacker)).sum()
    }

    /// Steps that the defender loses on average.
    pub fn defender_loss(&self) -> f64 {
        self.0.iter().map(|e| e.chance * f64::from(e.end.defender)).sum()
    }

    /// Chance that the hex is taken.
    pub fn taken(&self) -> f64 {
        self.chance(|e| e.taken)
    }

    /// Chance that defenders go back and live.
    pub fn retreat(&self) -> f64 {
        self.chance(|e| e.retreat)
    }
}

/// Dice that show, one playing after another, everything that dice can show. Play with them, take [`EveryDice::chance`] for
/// what came, and [`EveryDice::turn`] to the next until there is none.
#[derive(Clone, Debug, Default)]
pub struct EveryDice {
    /// What each throw of this playing shows, from 0, and of how many.
    script: Vec<(u32, u32)>,
    at: usize,
}

impl EveryDice {
    /// Dice before their first playing.
    pub fn new() -> EveryDice {
        EveryDice::default()
    }

    /// The chance of what they showed in this playing.
    pub fn chance(&self) -> f64 {
        self.script[..self.at].iter().map(|&(_, of)| 1.0 / f64::from(of)).product()
    }

    /// Turns them to the next playing; false when all have been shown.
    pub fn turn(&mut self) -> bool {
        self.script.truncate(self.at);
        self.at = 0;
        while let Some((face, of)) = self.script.last_mut() {
            if *face + 1 < *of {
                *face += 1;
                return true;
            }
            self.script.pop();
        }
        false
    }

    fn next(&mut self, of: u32) -> u32 {
        if self.at == self.script.len() {
            self.script.push((0, of.max(1)));
        }
        self.at += 1;
        self.script[self.at - 1].0
    }
}

impl Dice for EveryDice {
    fn roll(&mut self, sides: u8) -> u8 {
        1 + self.next(sides.into()) as u8
    }

    fn draw(&mut self, of: u32) -> u32 {
        self.next(of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(attacker: u16, defender: u16, taken: bool) -> End {
        End { attacker, defender, retreat: false, taken }
    }

    #[test]
    fn equal_ends_are_one_and_means_are_those_of_the_list() {
        let mut e = Ends::default();
        e.add(end(1, 0, false), 0.25);
        e.add(end(0, 2, true), 0.5);
        e.add(end(1, 0, false), 0.25);
        assert_eq!(e.len(), 2);
        assert_eq!((e.attacker_loss(), e.defender_loss(), e.taken()), (0.5, 1.0, 0.5));
        let mut both = Ends::default();
        both.blend(0.5, &e);
        both.blend(0.5, &Ends::sure(end(0, 2, true)));
        assert_eq!(both.of(end(0, 2, true)), 0.75);
    }

    #[test]
    fn every_dice_show_each_way_once_and_their_chances_add_up_to_one() {
        // A second die is thrown only after a six; a lot is drawn after a one.
        let mut dice = EveryDice::new();
        let (mut all, mut ways) = (0.0, Vec::new());
        loop {
            let first = dice.roll(6);
            let way = match first {
                6 => (first, u32::from(dice.roll(6))),
                1 => (first, dice.draw(3)),
                _ => (first, 9),
            };
            all += dice.chance();
            ways.push(way);
            if !dice.turn() {
                break;
            }
        }
        assert_eq!(ways.len(), 3 + 4 + 6);
        let mut once = ways.clone();
        once.dedup();
        assert_eq!(once, ways);
        assert!((all - 1.0).abs() < 1e-12);
    }
}
