//! A number and what it counts, in agreement.

use std::fmt::Display;

/// A number with its noun: `1 point`, `2 points`, `3 hexes`.
///
/// ```
/// assert_eq!(verst_text::count(1, "point"), "1 point");
/// assert_eq!(verst_text::count(0, "point"), "0 points");
/// assert_eq!(verst_text::count(2, "hex"), "2 hexes");
/// ```
pub fn count(n: impl Display, noun: &str) -> String {
    let n = n.to_string();
    if n.trim_start_matches('-') == "1" {
        return format!("{n} {noun}");
    }
    let ending = if noun.ends_with(['s', 'x']) { "es" } else { "s" };
    format!("{n} {noun}{ending}")
}
