//! Random play with oracles: what must hold of every game, tried on positions that nobody thought of.

use crate::{Choice, Object, QuickDice};

/// One of the choices. Buttons such as `done` are taken less often than their share, so that random play does
/// something before it ends a phase.
pub fn any(list: &[Choice], dice: &mut QuickDice) -> Option<Choice> {
    let mut pick = || list.get(dice.below(list.len())).copied();
    let first = pick()?;
    let again = if first.object == Object::Nothing { pick() } else { None };
    Some(again.unwrap_or(first))
}
