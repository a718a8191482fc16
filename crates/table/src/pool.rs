//! Draws without replacement. What lies in a pool is known to all; what comes out next is decided when it is drawn,
//! so nobody can know it before.

use serde::{Deserialize, Serialize};

/// How many of each kind are left in a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pool {
    left: Vec<u16>,
}

impl Pool {
    /// A pool with so many of each kind.
    pub fn new(counts: Vec<u16>) -> Pool {
        Pool { left: counts }
    }

    /// How many are left in all.
    pub fn len(&self) -> u32 {
        self.left.iter().map(|&n| u32::from(n)).sum()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.left.iter().all(|&n| n == 0)
    }

    /// How many of a kind are left.
    pub fn of(&self, kind: usize) -> u16 {
        self.left.get(kind).copied().unwrap_or(0)
    }

    /// What is left of each kind, in order.
    pub fn counts(&self) -> &[u16] {
        &self.left
    }

    /// Takes the `n`th of all that is left, counted kind by kind; `None` if there are not so many.
    pub fn take(&mut self, n: u32) -> Option<usize> {
        let mut n = n;
        for (kind, left) in self.left.iter_mut().enumerate() {
            if n < u32::from(*left) {
                *left -= 1;
                return Some(kind);
            }
            n -= u32::from(*left);
        }
        None
    }

    /// Takes one of a given kind, if there is one.
    pub fn take_kind(&mut self, kind: usize) -> bool {
        match self.left.get_mut(kind) {
            Some(n) if *n > 0 => {
                *n -= 1;
                true
            }
            _ => false,
        }
    }

    /// Puts one of a kind back.
    pub fn give(&mut self, kind: usize) {
        if self.left.len() <= kind {
            self.left.resize(kind + 1, 0);
        }
        self.left[kind] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_one_of_a_pool_is_drawn_exactly_once() {
        let mut p = Pool::new(vec![2, 0, 3]);
        let drawn: Vec<_> = std::iter::from_fn(|| p.take(0)).collect();
        assert_eq!(drawn, [0, 0, 2, 2, 2]);
        assert!(p.is_empty());
    }

    #[test]
    fn the_nth_is_counted_kind_by_kind() {
        let mut p = Pool::new(vec![2, 0, 3]);
        assert_eq!(p.take(4), Some(2));
        assert_eq!(p.take(4), None);
        assert_eq!(p.len(), 4);
    }
}
