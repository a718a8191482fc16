//! Odds: two strengths made into a column of a table.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a ratio below one to one is rounded. Above it all our rulebooks drop the remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rounding {
    /// Always in the defender's favour: 5 to 11 is one to three.
    Defender,
    /// To the nearest column that the ratio reaches counted in halves: 9 to 6 is three to two.
    DefenderWithThreeToTwo,
}

/// A ratio as a step on an endless row of columns: 0 is 1:1, 1 is 2:1, -1 is 1:2.
///
/// With a 3:2 column the row has one step more between 1:1 and 2:1. Shifts are applied on the endless row, before it
/// is cut to the table's ends, as the rulebooks demand (20:1 shifted two left is 18:1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Odds {
    step: i16,
    three_to_two: bool,
}

/// A column of a results table, or what lies beyond its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Worse than the first column.
    Below,
    /// The column of that index.
    At(usize),
    /// Better than the last column.
    Above,
}

impl Odds {
    /// Odds of `attack` to `defence`, both above zero (a zero counts as the smallest strength there is).
    ///
    /// ```
    /// use verst_table::{Odds, Rounding};
    /// assert_eq!(Odds::of(26, 7, Rounding::Defender).to_string(), "3:1");
    /// assert_eq!(Odds::of(5, 11, Rounding::Defender).to_string(), "1:3");
    /// ```
    pub fn of(attack: i32, defence: i32, rounding: Rounding) -> Odds {
        let (a, d) = (attack.max(1), defence.max(1));
        let three_to_two = rounding == Rounding::DefenderWithThreeToTwo;
        let step = if a >= d {
            let whole = a / d;
            match (three_to_two, whole) {
                (true, 1) => i32::from(2 * a >= 3 * d),
                (true, n) => n,
                (false, n) => n - 1,
            }
        } else {
            1 - (d + a - 1) / a
        };
        Odds { step: step.clamp(-999, 999) as i16, three_to_two }
    }

    /// Shifted `columns` to the right (left if negative).
    #[must_use]
    pub fn shift(self, columns: i32) -> Odds {
        Odds { step: (i32::from(self.step) + columns).clamp(-2000, 2000) as i16, ..self }
    }

    /// Columns between these odds and 1:1; negative to its left.
    pub fn step(self) -> i32 {
        i32::from(self.step)
    }

    /// The column of a table whose first column lies at `first` (as from [`Odds::step`]) and that has `columns`.
    pub fn column(self, first: i32, columns: usize) -> Column {
        let i = self.step() - first;
        match usize::try_from(i) {
            Err(_) => Column::Below,
            Ok(i) if i >= columns => Column::Above,
            Ok(i) => Column::At(i),
        }
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.step(), self.three_to_two) {
            (s, _) if s < 0 => write!(f, "1:{}", 1 - s),
            (0, _) => f.write_str("1:1"),
            (1, true) => f.write_str("3:2"),
            (s, true) => write!(f, "{s}:1"),
            (s, false) => write!(f, "{}:1", s + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(a: i32, d: i32, r: Rounding) -> String {
        Odds::of(a, d, r).to_string()
    }

    #[test]
    fn the_worked_examples_of_the_rulebooks() {
        use Rounding::*;
        for (a, d, r, expected) in [
            (26, 7, Defender, "3:1"),
            (5, 11, Defender, "1:3"),
            (7, 2, Defender, "3:1"),
            (9, 4, Defender, "2:1"),
            (6, 4, Defender, "1:1"),
            (5, 6, Defender, "1:2"),
            (3, 4, DefenderWithThreeToTwo, "1:2"),
            (5, 2, DefenderWithThreeToTwo, "2:1"),
            (9, 6, DefenderWithThreeToTwo, "3:2"),
            (11, 8, DefenderWithThreeToTwo, "1:1"),
        ] {
            assert_eq!(text(a, d, r), expected, "{a} to {d}");
        }
    }

    #[test]
    fn shifts_count_on_the_endless_row_before_it_is_cut() {
        let o = Odds::of(20, 1, Rounding::Defender).shift(-2);
        assert_eq!(o.to_string(), "18:1");
        assert_eq!(o.column(-2, 9), Column::Above);
        assert_eq!(Odds::of(1, 4, Rounding::Defender).column(-2, 9), Column::Below);
        assert_eq!(Odds::of(1, 3, Rounding::Defender).column(-2, 9), Column::At(0));
        assert_eq!(Odds::of(7, 1, Rounding::Defender).column(-2, 9), Column::At(8));
    }

    #[test]
    fn more_attackers_never_make_worse_odds() {
        for r in [Rounding::Defender, Rounding::DefenderWithThreeToTwo] {
            for d in 1..30 {
                for a in 1..60 {
                    assert!(Odds::of(a + 1, d, r) >= Odds::of(a, d, r));
                    assert!(Odds::of(a, d + 1, r) <= Odds::of(a, d, r));
                }
            }
        }
    }
}
