//! Exact fractions of a point: quarters are the finest unit that any of the rulebooks uses.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A number of points (strength, movement, stacking) in exact quarters.
///
/// ```
/// use verst_table::Points;
/// assert_eq!(Points::whole(5).half_up(), Points::whole(3));
/// assert_eq!((Points::whole(2) + Points::quarters(2)).to_string(), "2½");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Points(i32);

impl Points {
    /// Nothing.
    pub const ZERO: Points = Points(0);

    /// `n` whole points.
    pub const fn whole(n: i32) -> Points {
        Points(4 * n)
    }

    /// `n` quarters of a point.
    pub const fn quarters(n: i32) -> Points {
        Points(n)
    }

    /// `n` halves of a point.
    pub const fn halves(n: i32) -> Points {
        Points(2 * n)
    }

    /// The number of quarters.
    pub const fn in_quarters(self) -> i32 {
        self.0
    }

    /// Whole points, a remainder dropped towards minus infinity.
    pub const fn floor(self) -> i32 {
        self.0.div_euclid(4)
    }

    /// Whole points, a remainder counted as one more.
    pub const fn ceil(self) -> i32 {
        -(-self.0).div_euclid(4)
    }

    /// Half of it, rounded up to a whole point: how the rulebooks halve.
    pub const fn half_up(self) -> Points {
        Points::whole(Points::ceil_of_halves(self.0))
    }

    const fn ceil_of_halves(quarters: i32) -> i32 {
        -(-quarters).div_euclid(8)
    }

    /// Exactly half of it; a quarter that cannot be halved is an eighth, which no rulebook has, so it rounds up.
    pub const fn half(self) -> Points {
        Points(-(-self.0).div_euclid(2))
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, o: Points) -> Points {
        Points(self.0 + o.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, o: Points) {
        self.0 += o.0;
    }
}

impl Sub for Points {
    type Output = Points;
    fn sub(self, o: Points) -> Points {
        Points(self.0 - o.0)
    }
}

impl SubAssign for Points {
    fn sub_assign(&mut self, o: Points) {
        self.0 -= o.0;
    }
}

impl Neg for Points {
    type Output = Points;
    fn neg(self) -> Points {
        Points(-self.0)
    }
}

impl iter::Sum for Points {
    fn sum<I: Iterator<Item = Points>>(it: I) -> Points {
        it.fold(Points::ZERO, Add::add)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, q) = if self.0 < 0 { ("-", -self.0) } else { ("", self.0) };
        let part = ["", "¼", "½", "¾"][(q % 4) as usize];
        match (q / 4, part) {
            (0, "") => f.write_str("0"),
            (0, part) => write!(f, "{sign}{part}"),
            (n, part) => write!(f, "{sign}{n}{part}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_up_to_whole_points() {
        assert_eq!(Points::whole(5).half_up(), Points::whole(3));
        assert_eq!(Points::whole(4).half_up(), Points::whole(2));
        assert_eq!(Points::whole(1).half_up(), Points::whole(1));
        assert_eq!(Points::halves(1).half_up(), Points::whole(1));
    }

    #[test]
    fn fractions_are_written_as_a_player_writes_them() {
        assert_eq!(Points::quarters(10).to_string(), "2½");
        assert_eq!(Points::quarters(-1).to_string(), "-¼");
        assert_eq!(Points::ZERO.to_string(), "0");
        assert_eq!(Points::whole(-3).to_string(), "-3");
    }

    #[test]
    fn floor_and_ceil_agree_on_whole_points_and_differ_by_one_else() {
        for q in -20..20 {
            let p = Points::quarters(q);
            assert_eq!(p.ceil() - p.floor(), i32::from(q.rem_euclid(4) != 0));
        }
    }
}
