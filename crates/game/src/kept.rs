//! A few things that were worked out of positions, kept by a thread because the next position asks for them again.

use std::cell::RefCell;
use std::rc::Rc;

/// As many as are kept: trying a move that changes what they rest on must not forget the one before.
const FEW: usize = 6;

/// What was worked out last, the newest first. Lives in a `thread_local!`.
#[derive(Debug)]
pub struct Kept<T>(RefCell<Vec<Rc<T>>>);

impl<T> Kept<T> {
    /// Nothing yet.
    pub const fn new() -> Kept<T> {
        Kept(RefCell::new(Vec::new()))
    }

    /// The kept one that is the same, or a new one. `read` must not ask for another of the same kind.
    pub fn of(&self, same: impl Fn(&T) -> bool, read: impl FnOnce() -> T) -> Rc<T> {
        let mut kept = self.0.borrow_mut();
        if let Some(known) = kept.iter().find(|t| same(t)) {
            return Rc::clone(known);
        }
        let fresh = Rc::new(read());
        kept.insert(0, Rc::clone(&fresh));
        kept.truncate(FEW);
        fresh
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_worked_out_again_and_the_oldest_is_forgotten() {
        let kept = Kept::new();
        let ask = |n: usize| {
            let mut made = false;
            let got = kept.of(
                |m| *m == n,
                || {
                    made = true;
                    n
                },
            );
            assert_eq!(*got, n);
            made
        };
        assert!((0..=FEW).all(ask), "each is new");
        assert!((1..=FEW).all(|n| !ask(n)), "the last few are known");
        assert!(ask(0), "the first was forgotten");
    }
}
