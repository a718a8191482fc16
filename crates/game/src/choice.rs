//! An answer to a question: a verb and what it is about.

use hex::{Edge, Hex, Route};
use serde::{Deserialize, Serialize};
use table::{BoxId, Unit};

/// What is done, as an index into the game's list of verbs (see [`crate::Lexicon`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Verb(pub u8);

/// A verb as people read and write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerbInfo {
    /// The word in orders and journals: `go`, `attack`, `done`.
    pub word: &'static str,
    /// What the button says.
    pub label: &'static str,
    /// One sentence on what it does.
    pub help: &'static str,
    /// Whether it only takes something in hand: it decides nothing yet, and a page shows what would follow before it
    /// sends it together with the choice that completes it.
    pub held: bool,
}

/// What a choice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Object {
    /// Nothing more to say: a button.
    Nothing,
    /// A unit.
    Unit(Unit),
    /// A hex.
    Hex(Hex),
    /// A hexside.
    Edge(Edge),
    /// A unit and a hex: where it is put.
    At(Unit, Hex),
    /// A unit and a box off the map.
    Into(Unit, BoxId),
    /// A box off the map.
    Box(BoxId),
    /// A path, hex by hex.
    Route(Route),
    /// A number.
    Number(i16),
}

/// One answer: small, `Copy`, ordered, with one line of text that reads back to the same choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// What is done.
    pub verb: Verb,
    /// To what.
    pub object: Object,
}

impl Choice {
    /// A button.
    pub const fn button(verb: Verb) -> Choice {
        Choice { verb, object: Object::Nothing }
    }

    /// A verb about a unit.
    pub const fn unit(verb: Verb, u: Unit) -> Choice {
        Choice { verb, object: Object::Unit(u) }
    }

    /// A verb about a hex.
    pub const fn hex(verb: Verb, h: Hex) -> Choice {
        Choice { verb, object: Object::Hex(h) }
    }

    /// A verb about a unit put on a hex.
    pub const fn at(verb: Verb, u: Unit, h: Hex) -> Choice {
        Choice { verb, object: Object::At(u, h) }
    }

    /// A verb about a unit put into a box.
    pub const fn into(verb: Verb, u: Unit, b: BoxId) -> Choice {
        Choice { verb, object: Object::Into(u, b) }
    }

    /// A verb about a path.
    pub const fn route(verb: Verb, r: Route) -> Choice {
        Choice { verb, object: Object::Route(r) }
    }

    /// A verb about a number.
    pub const fn number(verb: Verb, n: i16) -> Choice {
        Choice { verb, object: Object::Number(n) }
    }
}

/// Declares a game's verbs: a constant for each, and the table `VERBS` in the same order. `held` marks those that only
/// take something in hand; `house::` takes over a verb of the [house](crate::house).
///
/// ```
/// verst_game::verbs! {
///     /// Takes a unit in hand.
///     PICK = house::PICK;
///     /// Names a target.
///     ATTACK = "attack", "Attack", "Attack this hex.", held;
///     /// Ends the phase.
///     DONE = "done", "Done", "End this phase.";
/// }
/// assert_eq!(VERBS[usize::from(DONE.0)].word, "done");
/// assert!(VERBS[usize::from(PICK.0)].held && !VERBS[usize::from(DONE.0)].held);
/// ```
#[macro_export]
macro_rules! verbs {
    ($($(#[$doc:meta])* $name:ident = $word:tt $(:: $of:ident)? $(, $label:literal, $help:literal $(, $held:ident)?)?;)+) => {
        $crate::verbs!(@number 0u8; $($(#[$doc])* $name)+);
        /// Every verb of the game, in the order of its number.
        pub static VERBS: &[$crate::VerbInfo] =
            &[$($crate::verbs!(@info $word $(:: $of)? $(, $label, $help $(, $held)?)?)),+];
    };
    (@info house :: $of:ident) => { $crate::house::$of };
    (@info $word:literal, $label:literal, $help:literal) => {
        $crate::VerbInfo { word: $word, label: $label, help: $help, held: false }
    };
    (@info $word:literal, $label:literal, $help:literal, held) => {
        $crate::VerbInfo { word: $word, label: $label, help: $help, held: true }
    };
    (@number $n:expr; $(#[$doc:meta])* $name:ident $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: $crate::Verb = $crate::Verb($n);
        $crate::verbs!(@number $n + 1; $($rest)*);
    };
    (@number $n:expr;) => {};
}
