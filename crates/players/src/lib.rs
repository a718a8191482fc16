//! The programs that play.
//!
//! A [`Player`] is given a [`Seat`]: the view of its side, the question with its legal answers, and worlds that fit
//! what it sees. It is never given a position, and the types leave no way to one. What only a game knows comes
//! from its [`game::Counsel`].

mod greedy;
mod levels;
mod playout;
mod random;
mod search;
mod seat;
mod staff;
mod think;

pub use greedy::Greedy;
pub use levels::{LEVELS, Level, level};
pub use random::Random;
pub use search::{Search, Tuning};
pub use seat::{Counted, Seat, World};
pub use staff::{Focus, Staff, Style, Task};
pub use think::{Budget, Think};

use game::Choice;

/// A program that holds a side.
pub trait Player: Send {
    /// Its answer; `None` only when there is nothing to choose. Equal views, dice and node budgets give equal
    /// answers.
    fn choose(&mut self, seat: &Seat<'_>, think: &mut Think<'_>) -> Option<Choice>;

    /// What it is about to do, as a sentence.
    fn intention(&self) -> Option<&str>;
}
