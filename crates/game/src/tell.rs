//! What a position tells while a choice is played: the log as a story, with the figures behind it.

use crate::Dice;
use hex::Hex;
use table::{Rule, Side, Sum};

/// Who may read a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone.
    All,
    /// One side (and the referee).
    Only(Side),
}

/// One line of the story.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Who may read it.
    pub to: Audience,
    /// A short name of what happened: `phase`, `move`, `battle`, `loss`; the page styles by it.
    pub key: &'static str,
    /// The rule it follows from.
    pub rule: Rule,
    /// The sentence.
    pub text: String,
    /// Where it happened.
    pub hexes: Vec<Hex>,
    /// Named values that situations expect and the page shows: `odds`, `column`, `die`, `result`.
    pub facts: Vec<(&'static str, String)>,
    /// Sums behind it, each named.
    pub sums: Vec<(&'static str, Sum)>,
    /// What chance gave and what it might have, for the luck ledger.
    pub luck: Option<Luck>,
}

/// Expected and actual outcome of one throw, from one side's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// Who threw.
    pub side: Side,
    /// Expected gain in steps (enemy's lost less own).
    pub expected: f64,
    /// What it was.
    pub actual: f64,
}

impl Line {
    /// A line for everyone.
    pub fn new(key: &'static str, rule: Rule, text: impl Into<String>) -> Line {
        Line {
            to: Audience::All,
            key,
            rule,
            text: text.into(),
            hexes: Vec::new(),
            facts: Vec::new(),
            sums: Vec::new(),
            luck: None,
        }
    }

    /// Only for one side.
    #[must_use]
    pub fn only(mut self, side: Side) -> Line {
        self.to = Audience::Only(side);
        self
    }

    /// With a hex.
    #[must_use]
    pub fn at(mut self, h: Hex) -> Line {
        self.hexes.push(h);
        self
    }

    /// With a named value.
    #[must_use]
    pub fn fact(mut self, name: &'static str, value: impl ToString) -> Line {
        self.facts.push((name, value.to_string()));
        self
    }

    /// With the die that was thrown; 0 stands for a result that needed none, of which nothing is told.
    #[must_use]
    pub fn die(self, die: impl Into<u32>) -> Line {
        match die.into() {
            0 => self,
            n => self.fact("die", n),
        }
    }

    /// With a named sum.
    #[must_use]
    pub fn sum(mut self, name: &'static str, sum: Sum) -> Line {
        self.sums.push((name, sum));
        self
    }

    /// With its luck.
    #[must_use]
    pub fn luck(mut self, luck: Luck) -> Line {
        self.luck = Some(luck);
        self
    }
}

/// Where a position tells its story. A position asks [`Teller::listening`] before it builds a line, so that search
/// pays nothing for words.
pub trait Teller {
    /// Whether anyone listens.
    fn listening(&self) -> bool;
    /// Takes a line.
    fn tell(&mut self, line: Line);
    /// Something hidden was shown: nothing before this moment can be taken back. To be called whenever a side learns
    /// what it could not see, even where dice were thrown too: the oracle of hiding goes by it.
    fn reveal(&mut self);
}

/// Chance and the story, handed through everything that plays.
pub struct Cx<'a> {
    /// Chance.
    pub dice: &'a mut dyn Dice,
    /// The story.
    pub tell: &'a mut dyn Teller,
}

impl Cx<'_> {
    /// Tells a line, if anyone listens.
    pub fn say(&mut self, line: impl FnOnce() -> Line) {
        if self.tell.listening() {
            self.tell.tell(line());
        }
    }

    /// A die.
    pub fn d6(&mut self) -> u8 {
        self.dice.roll(6)
    }
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Teller for Quiet {
    fn listening(&self) -> bool {
        false
    }
    fn tell(&mut self, _: Line) {}
    fn reveal(&mut self) {}
}

/// Keeps every line.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// Whether something hidden was shown.
    pub revealed: bool,
}

impl Teller for Told {
    fn listening(&self) -> bool {
        true
    }
    fn tell(&mut self, line: Line) {
        self.lines.push(line);
    }
    fn reveal(&mut self) {
        self.revealed = true;
    }
}
