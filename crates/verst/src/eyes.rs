//! Sides and eyes as words on the command line.

use crate::fail::Fail;
use game::{Eyes, Info};
use table::Side;

/// The side of a word, or a sentence with the valid ones.
pub fn side(info: &Info, word: &str) -> Result<Side, Fail> {
    info.side(word).ok_or_else(|| {
        let ids = info.sides.each_ref().map(|s| s.id).join(" or ");
        Fail::Usage(format!("'{word}' is no side of {}; expected {ids}", info.id))
    })
}

/// The eyes of a word: a side, `spectator` or `referee`.
pub fn eyes(info: &Info, word: &str) -> Result<Eyes, Fail> {
    match word {
        "spectator" => Ok(Eyes::Spectator),
        "referee" => Ok(Eyes::Referee),
        _ => info.side(word).map(Eyes::Side).ok_or_else(|| {
            let ids = info.sides.each_ref().map(|s| s.id).join(", ");
            Fail::Usage(format!("'{word}' are no eyes of {}; expected {ids}, spectator or referee", info.id))
        }),
    }
}
