//! Dice as a game sees them. The fair, committed dice of a real game are in [`crate::fair`]; here is the interface,
//! dice that follow a script, and quick ones for search and fuzzing.

use serde::{Deserialize, Serialize};

/// One thing decided by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Roll {
    /// A die of so many sides showed `face`, from 1.
    Die {
        /// How many sides it has.
        sides: u8,
        /// What it showed.
        face: u8,
    },
    /// One of `of` equal lots was drawn, from 0.
    Draw {
        /// How many lots there were.
        of: u32,
        /// Which one came.
        lot: u32,
    },
}

/// Where chance comes from.
pub trait Dice {
    /// A die: 1 to `sides`.
    fn roll(&mut self, sides: u8) -> u8;
    /// A lot: 0 to `of - 1`; `of` is above zero.
    fn draw(&mut self, of: u32) -> u32;
}

/// Fast dice for search and fuzzing: a SplitMix64 stream. Not for games between people, which need dice that can be
/// checked; here for its one multiplication a roll, and because a seed must give the same game on every machine
/// and in every later version, which `rand`'s small generators do not promise.
#[derive(Clone, Debug)]
pub struct QuickDice(u64);

impl QuickDice {
    /// Dice from a seed.
    pub fn new(seed: u64) -> QuickDice {
        QuickDice(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (zero when `n` is zero).
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }
}

impl Dice for QuickDice {
    fn roll(&mut self, sides: u8) -> u8 {
        1 + self.below(usize::from(sides)) as u8
    }

    fn draw(&mut self, of: u32) -> u32 {
        self.below(of as usize) as u32
    }
}

/// Dice that show what a script says, in order; when it runs out they show their lowest face and say so.
#[derive(Clone, Debug, Default)]
pub struct ScriptedDice {
    script: std::collections::VecDeque<u32>,
    /// How many rolls came after the end of the script or did not fit the die asked for.
    pub amiss: u32,
}

impl ScriptedDice {
    /// Dice that will show these numbers.
    pub fn new(script: impl IntoIterator<Item = u32>) -> ScriptedDice {
        ScriptedDice { script: script.into_iter().collect(), amiss: 0 }
    }

    /// Adds to the end of the script.
    pub fn add(&mut self, more: impl IntoIterator<Item = u32>) {
        self.script.extend(more);
    }

    /// Drops what is still unused.
    pub fn forget(&mut self) {
        self.script.clear();
    }

    /// How many numbers are still unused.
    pub fn left(&self) -> usize {
        self.script.len()
    }

    fn next(&mut self, low: u32, high: u32) -> u32 {
        match self.script.pop_front() {
            Some(n) if (low..=high).contains(&n) => n,
            _ => {
                self.amiss += 1;
                low
            }
        }
    }
}

impl Dice for ScriptedDice {
    fn roll(&mut self, sides: u8) -> u8 {
        self.next(1, u32::from(sides)) as u8
    }

    fn draw(&mut self, of: u32) -> u32 {
        self.next(0, of.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_dice_show_every_face_about_equally() {
        let mut d = QuickDice::new(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[usize::from(d.roll(6)) - 1] += 1;
        }
        assert!(seen.iter().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
    }

    #[test]
    fn a_script_that_runs_out_or_does_not_fit_is_counted() {
        let mut d = ScriptedDice::new([4, 9]);
        assert_eq!((d.roll(6), d.roll(6), d.roll(6)), (4, 1, 1));
        assert_eq!(d.amiss, 2);
    }
}
