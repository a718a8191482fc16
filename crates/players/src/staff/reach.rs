//! Where each unit can go, read off the legal choices of an imagined world: every game moves by `pick` and `go`.

use crate::World;
use game::{Choice, Counsel, Object, QuickDice, Role};
use hex::{Grid, Hex};
use table::Unit;

/// A unit that can move, and where to.
pub(crate) struct Mover {
    /// Which.
    pub unit: Unit,
    /// Hexes where it can end its move, with the choice that leads there.
    pub ends: Vec<(Hex, Choice)>,
}

impl Mover {
    /// Whether it can end there.
    pub fn reaches(&self, h: Hex) -> bool {
        self.ends.binary_search_by_key(&h, |(e, _)| *e).is_ok()
    }
}

/// The unit that a choice picks.
pub(crate) fn picked(counsel: &dyn Counsel, c: &Choice) -> Option<Unit> {
    match c.object {
        Object::Unit(u) if counsel.role(c) == Role::Pick => Some(u),
        _ => None,
    }
}

/// Where a move ends.
pub(crate) fn end_of(grid: &Grid, c: &Choice) -> Option<Hex> {
    match c.object {
        Object::Route(r) => Some(r.end(grid)),
        Object::Hex(h) => Some(h),
        _ => None,
    }
}

/// Every unit that can be picked now, with where it can go alone.
pub(crate) fn movers(counsel: &dyn Counsel, world: &World, list: &[Choice]) -> Vec<Mover> {
    let mut scratch = World::copy_of(world);
    let grid = world.position().lexicon().grid();
    let mut dice = QuickDice::new(1);
    let mut out = Vec::new();
    let mut inner = Vec::new();
    for c in list {
        let Some(unit) = picked(counsel, c) else { continue };
        scratch.become_copy(world);
        scratch.apply(*c, &mut dice);
        scratch.choices(&mut inner);
        let goes = inner.iter().filter(|c| counsel.role(c) == Role::Go);
        let mut ends: Vec<(Hex, Choice)> = goes.filter_map(|c| end_of(grid, c).map(|h| (h, *c))).collect();
        ends.sort_unstable();
        ends.dedup_by_key(|(h, _)| *h);
        out.push(Mover { unit, ends });
    }
    out
}
