//! Orders as people write them, read as choices of a position.

use game::{Choice, Object, Position, Refusal};
use hex::Route;

/// Reads one order as the position means it: a lone hex where a path is meant is the listed path that ends there.
pub fn read(position: &dyn Position, text: &str) -> Result<Choice, Refusal> {
    let choice = position.lexicon().read(text).map_err(Refusal::Unread)?;
    let Object::Hex(hex) = choice.object else { return Ok(choice) };
    if position.why_not(&choice).is_none() {
        return Ok(choice);
    }
    let stay = Choice { object: Object::Route(Route::from(hex)), ..choice };
    if position.why_not(&stay).is_none() {
        return Ok(stay);
    }
    let mut all = Vec::new();
    position.choices(&mut all);
    let grid = position.lexicon().grid();
    let ends =
        |c: &Choice| matches!(c.object, Object::Route(r) if c.verb == choice.verb && r.end(grid) == hex);
    Ok(all.into_iter().find(ends).unwrap_or(choice))
}

/// The orders in a text: one on a line, or separated by semicolons.
pub fn split(text: &str) -> Vec<String> {
    text.split(['\n', ';']).map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect()
}
