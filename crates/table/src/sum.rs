//! A sum of named terms, each with its rule: the one thing behind every strength, cost, shift and die modifier.
//!
//! The rule computes with it, the log prints it, the tooltip shows it, the programs read it. All terms add up; an
//! effect that multiplies (half for want of supply) enters as the difference it makes, so that a player can check
//! the column of figures with a pencil.

use crate::{Points, Rule, Unit};
use hex::Hex;
use smallvec::SmallVec;

/// What a term is about, if one thing in particular.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Nothing in particular.
    None,
    /// A unit.
    Unit(Unit),
    /// A hex.
    Hex(Hex),
    /// A number of things.
    Count(u16),
}

/// One line of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// The rule that adds it.
    pub rule: Rule,
    /// What it is, in our words.
    pub what: &'static str,
    /// Whom or what it is about.
    pub of: Subject,
    /// How much it adds.
    pub n: Points,
}

/// Named terms and their total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    terms: SmallVec<[Term; 8]>,
    total: Points,
}

impl Sum {
    /// An empty sum.
    pub fn new() -> Sum {
        Sum::default()
    }

    /// Adds a term.
    pub fn add(&mut self, rule: Rule, what: &'static str, of: Subject, n: Points) -> &mut Sum {
        self.total += n;
        self.terms.push(Term { rule, what, of, n });
        self
    }

    /// Adds a term of whole points about nothing in particular; a zero is left out.
    pub fn and(&mut self, rule: Rule, what: &'static str, n: i32) -> &mut Sum {
        if n != 0 {
            self.add(rule, what, Subject::None, Points::whole(n));
        }
        self
    }

    /// Adds a term about a unit.
    pub fn unit(&mut self, rule: Rule, what: &'static str, unit: Unit, n: i32) -> &mut Sum {
        self.add(rule, what, Subject::Unit(unit), Points::whole(n))
    }

    /// Brings the total to `to` with a term that says why; nothing is added when it is there already.
    pub fn bring_to(&mut self, rule: Rule, what: &'static str, to: Points) -> &mut Sum {
        let n = to - self.total;
        if n != Points::ZERO {
            self.add(rule, what, Subject::None, n);
        }
        self
    }

    /// Takes over all terms of another sum.
    pub fn append(&mut self, other: &Sum) -> &mut Sum {
        self.terms.extend_from_slice(&other.terms);
        self.total += other.total;
        self
    }

    /// The terms, in the order they were added.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// What they add up to.
    pub fn total(&self) -> Points {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_that_halves_shows_as_the_difference_it_makes() {
        let mut s = Sum::new();
        s.and(Rule("14.8"), "attack", 5);
        let half = s.total().half_up();
        s.bring_to(Rule("9.7"), "out of supply", half);
        assert_eq!(s.total(), Points::whole(3));
        assert_eq!(s.terms()[1].n, Points::whole(-2));
    }

    #[test]
    fn the_total_is_always_what_the_terms_add_up_to() {
        let mut s = Sum::new();
        s.and(Rule("1"), "a", 3).and(Rule("2"), "nothing", 0).and(Rule("3"), "b", -1);
        assert_eq!(s.terms().len(), 2);
        assert_eq!(s.total(), s.terms().iter().map(|t| t.n).sum());
    }
}
