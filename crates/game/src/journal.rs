//! The journal: the game as text, one line for each choice with the dice it rolled.
//!
//! ```text
//! verst journal 1
//! game drill
//! rules 1
//! sides blue red
//! scenario crossing
//! option fog on
//! word one tulip
//! word two anvil
//! dice fair 5f0c...
//! salt 91d2... 07aa...
//! begin 3b1f0c7d9a2e4f60
//! 1 <tab> blue <tab> pick 1Bd <tab> - <tab> 0d4e3c5f7a1b2c3d
//! 2 <tab> blue <tab> attack 0504 <tab> d6=4 <tab> 9a8b7c6d5e4f3a2b
//! 3 <tab> - <tab> !secret 77ab... <tab> - <tab> 1f2e3d4c5b6a7988
//! ```
//!
//! Each line ends in a hash over itself and all before it, so that damage is located to its line. Within a line the
//! deed and the dice are hashed apart, each with a salt, so that a line can be shown to somebody with either of them
//! sealed and the chain still holds. [`Journal::text`] writes; [`crate::journal_text`] reads.

use crate::{Info, Roll, Secret, Terms};
use std::fmt;
use table::Side;

/// The version of this format; raised when a reader of the old one could not read the new.
pub const FORMAT: u32 = 1;

/// Where a game's dice come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiceKind {
    /// From a secret of which this is the commitment, and a word from each player.
    Fair {
        /// What [`Secret::commitment`] gave.
        commitment: String,
    },
    /// Quick ones from a seed known to all, for simulations and fuzzing.
    Quick {
        /// The seed.
        seed: u64,
    },
    /// As somebody said: a situation, or real dice on a real table.
    Scripted,
}

impl fmt::Display for DiceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiceKind::Fair { commitment } => write!(f, "fair {commitment}"),
            DiceKind::Quick { seed } => write!(f, "quick {seed}"),
            DiceKind::Scripted => f.write_str("scripted"),
        }
    }
}

/// What a journal begins with: all that is needed to start the same game again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game's id.
    pub game: String,
    /// The version of its rules that the game began under.
    pub rules: u32,
    /// The ids of its sides.
    pub sides: [String; 2],
    /// What was agreed.
    pub terms: Terms,
    /// The set-up of a situation, as JSON on one line, when the game did not begin with a scenario.
    pub setup: Option<String>,
    /// A word from each player.
    pub words: [String; 2],
    /// Where the dice come from.
    pub dice: DiceKind,
    /// What keeps sealed lines from being guessed; absent in a journal with sealed lines.
    pub salt: Option<[u8; 32]>,
}

impl Header {
    /// The header of a game from its scenario's beginning, with dice that need no secret.
    pub fn new(info: &Info, terms: Terms, dice: DiceKind) -> Header {
        Header {
            game: info.id.into(),
            rules: info.rules_version,
            sides: info.sides.each_ref().map(|s| s.id.to_string()),
            terms,
            setup: None,
            words: Default::default(),
            dice,
            salt: None,
        }
    }

    /// The lines that the first hash covers.
    pub fn text(&self) -> String {
        let one = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut out = format!("verst journal {FORMAT}\ngame {}\nrules {}\n", one(&self.game), self.rules);
        out.push_str(&format!("sides {} {}\n", one(&self.sides[0]), one(&self.sides[1])));
        out.push_str(&format!("scenario {}\n", one(&self.terms.scenario)));
        for (k, v) in &self.terms.options {
            out.push_str(&format!("option {} {}\n", one(k), one(v)));
        }
        if let Some(digest) = &self.terms.overlay {
            out.push_str(&format!("overlay {}\n", one(digest)));
        }
        if let Some(setup) = &self.setup {
            out.push_str(&format!("setup {}\n", setup.replace(['\n', '\r'], " ")));
        }
        for (name, word) in ["one", "two"].iter().zip(&self.words) {
            if !word.is_empty() {
                out.push_str(&format!("word {name} {}\n", one(word)));
            }
        }
        out.push_str(&format!("dice {}\n", self.dice));
        out
    }

    /// A word as a header keeps it: on one line, no longer than a reasonable word.
    pub fn word(word: &str) -> String {
        let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
        word.chars().take(64).collect()
    }

    /// The id of a side in this game.
    pub fn side_id(&self, s: Option<Side>) -> &str {
        s.map_or("-", |s| &self.sides[s.ix()])
    }
}

/// What a line records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A choice, in notation.
    Choice(String),
    /// So many choices taken back.
    Undo(u32),
    /// The game ended: winner's side id or `draw`, and the kind of ending.
    End(String, String),
    /// The secret of the dice, published.
    Secret(Secret),
    /// Hidden from the reader; its hash stands for it.
    Sealed([u8; 32]),
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deed::Choice(c) => f.write_str(c),
            Deed::Undo(n) => write!(f, "!undo {n}"),
            Deed::End(winner, kind) => write!(f, "!end {winner} {kind}"),
            Deed::Secret(s) => write!(f, "!secret {}", s.to_hex()),
            Deed::Sealed(h) => write!(f, "#{}", to_hex(h)),
        }
    }
}

/// The dice of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thrown {
    /// What they showed, in order.
    Shown(Vec<Roll>),
    /// Hidden from the reader; their hash stands for them.
    Sealed([u8; 32]),
}

impl Thrown {
    /// The rolls, unless sealed.
    pub fn rolls(&self) -> &[Roll] {
        match self {
            Thrown::Shown(r) => r,
            Thrown::Sealed(_) => &[],
        }
    }
}

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thrown::Shown(rolls) if rolls.is_empty() => f.write_str("-"),
            Thrown::Shown(rolls) => {
                f.write_str(&rolls.iter().map(Roll::to_string).collect::<Vec<_>>().join(" "))
            }
            Thrown::Sealed(h) => write!(f, "#{}", to_hex(h)),
        }
    }
}

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from 1.
    pub number: u32,
    /// Who did it; `None` for the house.
    pub side: Option<Side>,
    /// What was done.
    pub deed: Deed,
    /// The dice it rolled.
    pub thrown: Thrown,
    /// The hash over all lines so far.
    pub hash: [u8; 32],
    /// The salts of the deed and of the dice, where the header has none and they are not sealed.
    pub salts: [Option<[u8; 32]>; 2],
}

/// A game as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    /// What it begins with.
    pub header: Header,
    entries: Vec<Entry>,
}

impl Journal {
    /// A journal with no lines yet. A header without salt is given one.
    pub fn new(mut header: Header) -> Journal {
        if header.salt.is_none() {
            header.salt = Some(*blake3::hash(header.text().as_bytes()).as_bytes());
        }
        Journal { header, entries: Vec::new() }
    }

    /// A journal of what was read, with or without salt.
    pub(crate) fn read(header: Header) -> Journal {
        Journal { header, entries: Vec::new() }
    }

    /// The lines.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The hash over all lines so far.
    pub fn tip(&self) -> [u8; 32] {
        match self.entries.last() {
            Some(e) => e.hash,
            None => *blake3::hash(self.header.text().as_bytes()).as_bytes(),
        }
    }

    /// The line of the file on which an entry stands, from 1.
    pub fn line_of(&self, number: u32) -> u32 {
        self.head().lines().count() as u32 + number
    }

    /// Adds a line and returns it as it is to be stored.
    pub fn add(&mut self, side: Option<Side>, deed: Deed, rolls: Vec<Roll>) -> String {
        let number = self.entries.len() as u32 + 1;
        let entry =
            Entry { number, side, deed, thrown: Thrown::Shown(rolls), hash: [0; 32], salts: [None; 2] };
        let entry = Entry { hash: self.chain(&entry), ..entry };
        let line = self.line(&entry);
        self.entries.push(entry);
        line
    }

    /// Adds a line that was read, if its hash is the one it should have.
    pub(crate) fn add_read(&mut self, mut entry: Entry, short: &str) -> bool {
        entry.hash = self.chain(&entry);
        let sound = to_short(&entry.hash) == short;
        if sound {
            self.entries.push(entry);
        }
        sound
    }

    /// Drops all lines after the first `n`.
    pub fn truncate(&mut self, n: usize) {
        self.entries.truncate(n);
    }

    /// The hash that a line must have as the next of this journal.
    fn chain(&self, e: &Entry) -> [u8; 32] {
        let [for_deed, for_dice] = self.salts_of(e);
        let deed = match &e.deed {
            Deed::Sealed(h) => *h,
            open => part(&for_deed, &open.to_string()),
        };
        let thrown = match &e.thrown {
            Thrown::Sealed(h) => *h,
            open => part(&for_dice, &open.to_string()),
        };
        let mut h = blake3::Hasher::new();
        h.update(&self.tip());
        h.update(&e.number.to_le_bytes());
        h.update(&[e.side.map_or(2, |s| s.ix() as u8)]);
        h.update(&deed);
        h.update(&thrown);
        *h.finalize().as_bytes()
    }

    fn salts_of(&self, e: &Entry) -> [[u8; 32]; 2] {
        let Some(all) = self.header.salt else { return e.salts.map(Option::unwrap_or_default) };
        [b"deed", b"dice"].map(|label| {
            let mut h = blake3::Hasher::new();
            h.update(&all);
            h.update(&e.number.to_le_bytes());
            h.update(label);
            *h.finalize().as_bytes()
        })
    }

    /// A line as it is stored, without its line end.
    pub fn line(&self, e: &Entry) -> String {
        let side = self.header.side_id(e.side);
        let hash = to_short(&e.hash);
        let line = format!("{}\t{side}\t{}\t{}\t{hash}", e.number, e.deed, e.thrown);
        if self.header.salt.is_some() {
            return line;
        }
        let [deed, dice] = e.salts.map(|s| s.map_or("-".into(), |s| to_hex(&s)));
        format!("{line}\t{deed}\t{dice}")
    }

    /// The header as it is stored.
    pub fn head(&self) -> String {
        let text = self.header.text();
        let begin = to_short(blake3::hash(text.as_bytes()).as_bytes());
        let salt = match &self.header.salt {
            Some(s) => format!("salt {} {}\n", to_hex(s), to_short(blake3::hash(s).as_bytes())),
            None => String::new(),
        };
        format!("{text}{salt}begin {begin}\n")
    }

    /// The whole journal as it is stored.
    pub fn text(&self) -> String {
        let mut out = self.head();
        for e in &self.entries {
            out.push_str(&self.line(e));
            out.push('\n');
        }
        out
    }

    /// The secret, once published.
    pub fn secret(&self) -> Option<&Secret> {
        self.entries.iter().rev().find_map(|e| match &e.deed {
            Deed::Secret(s) => Some(s),
            _ => None,
        })
    }

    /// Whether any line is sealed, or could not be added to for want of its salt.
    pub fn is_sealed(&self) -> bool {
        let sealed = |e: &Entry| matches!(e.deed, Deed::Sealed(_)) || matches!(e.thrown, Thrown::Sealed(_));
        self.header.salt.is_none() || self.entries.iter().any(sealed)
    }

    /// The journal as `side` may read it during play (`None`: a spectator): what others chose is sealed, and so are
    /// draws, which may be known to one side alone. Once the secret is published nothing is sealed.
    pub fn sealed_for(&self, side: Option<Side>) -> Journal {
        if self.secret().is_some() || self.header.salt.is_none() {
            return self.clone();
        }
        let mut header = self.header.clone();
        header.salt = None;
        let entries = self.entries.iter().map(|e| {
            let [for_deed, for_dice] = self.salts_of(e);
            let mine = e.side.is_none() || e.side == side || !matches!(e.deed, Deed::Choice(_));
            let rolls = e.thrown.rolls();
            let seen = rolls.is_empty() || (mine && !rolls.iter().any(|r| matches!(r, Roll::Draw { .. })));
            Entry {
                deed: if mine { e.deed.clone() } else { Deed::Sealed(part(&for_deed, &e.deed.to_string())) },
                thrown: if seen {
                    e.thrown.clone()
                } else {
                    Thrown::Sealed(part(&for_dice, &e.thrown.to_string()))
                },
                salts: [mine.then_some(for_deed), seen.then_some(for_dice)],
                ..e.clone()
            }
        });
        Journal { header, entries: entries.collect() }
    }

    /// Whether this is the same game as `whole` as far as it goes, every sealed line included; else the number of
    /// the first line that is not.
    pub fn agrees_with(&self, whole: &Journal) -> Result<(), u32> {
        if self.header.text() != whole.header.text() {
            return Err(0);
        }
        for (i, e) in self.entries.iter().enumerate() {
            if whole.entries.get(i).is_none_or(|w| w.hash != e.hash) {
                return Err(e.number);
            }
        }
        Ok(())
    }
}

/// The hash of one part of a line.
fn part(salt: &[u8; 32], text: &str) -> [u8; 32] {
    let mut h = blake3::Hasher::new();
    h.update(salt);
    h.update(text.as_bytes());
    *h.finalize().as_bytes()
}

/// A hash in full.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A hash as the end of a line shows it.
pub(crate) fn to_short(hash: &[u8; 32]) -> String {
    to_hex(&hash[..8])
}
