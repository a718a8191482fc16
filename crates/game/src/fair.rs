//! Fair dice: a stream that nobody can foresee, that nobody can bend, and that everyone can check afterwards.
//!
//! The house draws a [`Secret`] and publishes its [`Secret::commitment`] before play. Each player then gives a word.
//! Secret and words together key a ChaCha20 stream, so neither the house nor a player alone decides the dice. When
//! the game is over the secret is published, and [`crate::verify`] throws every die again.
//!
//! # The stream, exactly
//!
//! The key is the BLAKE3 hash of `verst dice 1`, the secret and the two words, each preceded by its length in bytes
//! as eight little-endian bytes. The stream is ChaCha20 with that key, nonce and counter zero, read as little-endian
//! 32-bit words. A number below `n` is the next word modulo `n`, where words at or above the largest multiple of
//! `n` that 32 bits can hold are passed over. A die is that number plus one.

use crate::{Dice, Roll};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::fmt;

/// What keys a game's dice, known to the house alone until the game is over.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A secret from the operating system's source of randomness.
    pub fn fresh() -> Result<Secret, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|e| format!("the system gives no random numbers: {e}"))?;
        Ok(Secret(bytes))
    }

    /// A secret of these bytes.
    pub const fn new(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }

    /// Reads what [`Secret::to_hex`] wrote.
    pub fn from_hex(text: &str) -> Result<Secret, String> {
        let fault = || format!("'{text}' is no secret; expected 64 digits from 0 to f");
        if text.len() != 64 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(fault());
        }
        let mut bytes = [0; 32];
        for (i, b) in bytes.iter_mut().enumerate() {
            *b = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| fault())?;
        }
        Ok(Secret(bytes))
    }

    /// The secret in 64 hexadecimal digits.
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// What is published before play: it binds the house to the secret and tells nothing about it.
    pub fn commitment(&self) -> String {
        blake3::hash(&self.0).to_hex().to_string()
    }

    /// Its bytes.
    pub fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// Salt for the hashes of a journal's lines, which must not be guessed from the few lines that are possible.
    pub fn salt(&self) -> [u8; 32] {
        blake3::derive_key("verst journal salt 1", &self.0)
    }
}

/// A secret does not print itself.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Dice keyed by a secret and a word from each player.
#[derive(Clone, Debug)]
pub struct FairDice(ChaCha20Rng);

impl FairDice {
    /// The dice of a game; see the [module](self) for the stream, exactly.
    pub fn new(secret: &Secret, words: &[String; 2]) -> FairDice {
        let mut h = blake3::Hasher::new();
        h.update(b"verst dice 1");
        for part in [&secret.0[..], words[0].as_bytes(), words[1].as_bytes()] {
            h.update(&(part.len() as u64).to_le_bytes());
            h.update(part);
        }
        FairDice(ChaCha20Rng::from_seed(*h.finalize().as_bytes()))
    }

    fn below(&mut self, n: u32) -> u32 {
        let n = u64::from(n.max(1));
        let end = (1 << 32) / n * n;
        loop {
            let word = u64::from(self.0.next_u32());
            if word < end {
                return (word % n) as u32;
            }
        }
    }
}

impl Dice for FairDice {
    fn roll(&mut self, sides: u8) -> u8 {
        1 + self.below(u32::from(sides)) as u8
    }

    fn draw(&mut self, of: u32) -> u32 {
        self.below(of)
    }
}

/// Dice that write down what they show.
pub struct Recorder<'a> {
    dice: &'a mut dyn Dice,
    /// What they showed, in order.
    pub rolls: Vec<Roll>,
}

impl<'a> Recorder<'a> {
    /// Writes down what `dice` show.
    pub fn new(dice: &'a mut dyn Dice) -> Recorder<'a> {
        Recorder { dice, rolls: Vec::new() }
    }
}

impl Dice for Recorder<'_> {
    fn roll(&mut self, sides: u8) -> u8 {
        let face = self.dice.roll(sides);
        self.rolls.push(Roll::Die { sides, face });
        face
    }

    fn draw(&mut self, of: u32) -> u32 {
        let lot = self.dice.draw(of);
        self.rolls.push(Roll::Draw { of, lot });
        lot
    }
}

/// Dice that show again what was written down, and notice when something else is asked of them.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    rolls: &'a [Roll],
    next: usize,
    amiss: Option<String>,
}

impl<'a> Replay<'a> {
    /// Shows these again, in order.
    pub fn new(rolls: &'a [Roll]) -> Replay<'a> {
        Replay { rolls, next: 0, amiss: None }
    }

    /// A sentence on the first thing that did not fit, whether asked for and not written down or the reverse.
    pub fn amiss(mut self) -> Option<String> {
        if self.amiss.is_none() && self.next < self.rolls.len() {
            let left = self.rolls.len() - self.next;
            self.amiss =
                Some(format!("{left} of the {} rolls written down were not asked for", self.rolls.len()));
        }
        self.amiss
    }

    fn take(&mut self, asked: &str, fits: impl Fn(&Roll) -> Option<u32>, low: u32) -> u32 {
        let roll = self.rolls.get(self.next);
        self.next += 1;
        if let Some(n) = roll.and_then(fits) {
            return n;
        }
        if self.amiss.is_none() {
            self.amiss = Some(match roll {
                Some(r) => format!("{asked} was asked for where {r} is written down"),
                None => format!("{asked} was asked for where nothing more is written down"),
            });
        }
        low
    }
}

impl Dice for Replay<'_> {
    fn roll(&mut self, sides: u8) -> u8 {
        let asked = format!("a die of {sides}");
        let fits = |r: &Roll| match *r {
            Roll::Die { sides: s, face } if s == sides && (1..=sides).contains(&face) => {
                Some(u32::from(face))
            }
            _ => None,
        };
        self.take(&asked, fits, 1) as u8
    }

    fn draw(&mut self, of: u32) -> u32 {
        let asked = format!("one of {of} lots");
        let fits = |r: &Roll| match *r {
            Roll::Draw { of: o, lot } if o == of && lot < of => Some(lot),
            _ => None,
        };
        self.take(&asked, fits, 0)
    }
}

impl fmt::Display for Roll {
    /// `d6=4` for a die, `lot12=3` for a draw: as in a journal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Roll::Die { sides, face } => write!(f, "d{sides}={face}"),
            Roll::Draw { of, lot } => write!(f, "lot{of}={lot}"),
        }
    }
}

impl std::str::FromStr for Roll {
    type Err = String;

    /// Reads `d6=4` and `lot12=3`; a number that the die or draw cannot show is refused.
    fn from_str(s: &str) -> Result<Roll, String> {
        let fault = || format!("'{s}' is no roll; expected a die such as d6=4 or a draw such as lot12=3");
        let (what, shown) = s.split_once('=').ok_or_else(fault)?;
        if let Some(of) = what.strip_prefix("lot") {
            let (of, lot) = (of.parse().map_err(|_| fault())?, shown.parse().map_err(|_| fault())?);
            return if lot < of { Ok(Roll::Draw { of, lot }) } else { Err(fault()) };
        }
        let sides = what.strip_prefix('d').and_then(|n| n.parse().ok()).ok_or_else(fault)?;
        let face = shown.parse().map_err(|_| fault())?;
        if (1..=sides).contains(&face) { Ok(Roll::Die { sides, face }) } else { Err(fault()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(byte: u8, one: &str, two: &str) -> FairDice {
        FairDice::new(&Secret::new([byte; 32]), &[one.into(), two.into()])
    }

    fn ten(mut d: FairDice) -> Vec<u8> {
        (0..10).map(|_| d.roll(6)).collect()
    }

    #[test]
    fn the_same_secret_and_words_throw_the_same_dice_and_any_change_throws_others() {
        let rolls = ten(dice(1, "tulip", "anvil"));
        assert_eq!(rolls, ten(dice(1, "tulip", "anvil")));
        assert_ne!(rolls, ten(dice(2, "tulip", "anvil")));
        assert_ne!(rolls, ten(dice(1, "tulipa", "nvil")));
        assert_ne!(rolls, ten(dice(1, "anvil", "tulip")));
    }

    #[test]
    fn the_stream_is_the_published_one_on_every_machine_and_in_every_version() {
        // Games already played depend on these numbers: a change here makes them unverifiable.
        let mut d = dice(7, "a", "b");
        let shown: Vec<String> =
            (0..4).flat_map(|_| [format!("d6={}", d.roll(6)), format!("lot100={}", d.draw(100))]).collect();
        assert_eq!(shown.join(" "), "d6=4 lot100=49 d6=5 lot100=87 d6=2 lot100=98 d6=3 lot100=53");
    }

    #[test]
    fn every_face_and_every_lot_comes_about_equally_often() {
        let mut d = dice(3, "x", "y");
        let mut seen = [0u32; 10];
        for _ in 0..100_000 {
            seen[usize::from(d.roll(10)) - 1] += 1;
        }
        assert!(seen.iter().all(|n| (9_600..10_400).contains(n)), "{seen:?}");
        // Three quarters of 2^32: without rejection the lower third would come twice as often.
        let n = 3 << 30;
        let low = (0..9_000).filter(|_| d.draw(n) < n / 3).count();
        assert!((2_800..3_200).contains(&low), "{low}");
    }

    #[test]
    fn a_secret_is_written_and_read_and_bound_by_its_commitment() {
        let s = Secret::fresh().unwrap();
        assert_eq!(Secret::from_hex(&s.to_hex()).unwrap(), s);
        assert_ne!(s.commitment(), Secret::fresh().unwrap().commitment());
        assert!(!format!("{s:?}").contains(&s.to_hex()[..8]));
        for bad in ["", "zz", &"g".repeat(64), &"é".repeat(32)] {
            assert!(Secret::from_hex(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn rolls_read_back_and_impossible_ones_are_refused() {
        for r in [Roll::Die { sides: 6, face: 4 }, Roll::Draw { of: 12, lot: 0 }] {
            assert_eq!(r.to_string().parse::<Roll>().unwrap(), r);
        }
        for bad in ["d6=7", "d6=0", "lot3=3", "d6", "x6=1", "d=1", "lot=0", "d6=-1"] {
            assert!(bad.parse::<Roll>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_replay_notices_dice_that_differ_from_what_was_written_down() {
        let rolls = [Roll::Die { sides: 6, face: 4 }];
        let mut good = Replay::new(&rolls);
        assert_eq!(good.roll(6), 4);
        assert_eq!(good.amiss(), None);
        let mut other = Replay::new(&rolls);
        other.draw(9);
        assert!(other.amiss().unwrap().contains("one of 9 lots was asked for where d6=4"));
        assert!(Replay::new(&rolls).amiss().unwrap().contains("not asked for"));
    }
}
