//! Any legal choice, each as likely as the others.

use crate::{Player, Seat, Think};
use game::Choice;

/// The uniform player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Player for Random {
    fn choose(&mut self, seat: &Seat<'_>, think: &mut Think<'_>) -> Option<Choice> {
        let list = seat.choices();
        list.get(think.dice.below(list.len())).copied()
    }

    fn intention(&self) -> Option<&str> {
        None
    }
}
