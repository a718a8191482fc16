//! The verbs of the house: what every game with moves and battles has, in the same words, so that they are learnt once.
//! A game names them in its table, `PICK = house::PICK;`; orders in shorthand go by their words.

use crate::VerbInfo;

const fn verb(word: &'static str, label: &'static str, help: &'static str) -> VerbInfo {
    VerbInfo { word, label, help, held: false }
}

const fn held(word: &'static str, label: &'static str, help: &'static str) -> VerbInfo {
    VerbInfo { word, label, help, held: true }
}

/// Puts a unit on a hex or into a box.
pub const PLACE: VerbInfo = verb("place", "Place", "Put this unit here.");
/// Takes a unit in hand.
pub const PICK: VerbInfo = held("pick", "Pick", "Take this unit in hand to move it.");
/// Takes everything that can go along.
pub const ALL: VerbInfo = held("all", "Add all", "Everything that can goes along.");
/// Moves what is in hand.
pub const GO: VerbInfo = verb("go", "Move", "Move along this path.");
/// Leaves a unit of those in hand behind.
pub const DROP: VerbInfo = verb("drop", "Leave here", "This unit stays here.");
/// Ends the move of what is in hand.
pub const STOP: VerbInfo = verb("stop", "Stop", "The units in hand stay here.");
/// Moves a unit by sea.
pub const SAIL: VerbInfo = verb("sail", "Sail", "Move this unit by sea.");
/// Rolls.
pub const RESOLVE: VerbInfo =
    verb("resolve", "Resolve", "Compute the odds and roll; there is no going back.");
/// Takes a step loss.
pub const LOSS: VerbInfo = verb("loss", "Lose a step", "This unit loses a step.");
/// Ends what is being done.
pub const DONE: VerbInfo = verb("done", "Done", "Go on.");
