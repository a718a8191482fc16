//! Why a choice is not legal, as a value.

use std::fmt;
use table::{Rule, Sum};

/// A choice refused: the rule that forbids it, a sentence a player understands, and the sum that failed, if one did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The rule.
    pub rule: Rule,
    /// The sentence, without the rule number.
    pub why: String,
    /// The sum that failed.
    pub sum: Option<Box<Sum>>,
}

impl Illegal {
    /// A refusal by a rule.
    pub fn new(rule: Rule, why: impl Into<String>) -> Illegal {
        Illegal { rule, why: why.into(), sum: None }
    }

    /// With the sum that failed.
    #[must_use]
    pub fn because(mut self, sum: Sum) -> Illegal {
        self.sum = Some(Box::new(sum));
        self
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.why, self.rule)?;
        if let Some(sum) = &self.sum {
            let mut sep = ": ";
            for t in sum.terms() {
                write!(f, "{sep}{} {}", t.what, t.n)?;
                sep = ", ";
            }
            write!(f, ", in all {}", sum.total())?;
        }
        Ok(())
    }
}

impl std::error::Error for Illegal {}
