//! Which places a staff puts above all others, and which places the fight is about.

use super::field::{FAR, ways};
use game::Brief;
use hex::{Grid, Hex};

/// As many places as this may be put above the others: more are no focus.
const MOST: usize = 3;
/// How far a unit presses on a place, in hexes: from so much farther it counts about a third.
const PRESSES: f64 = 6.0;

/// Places above all others, and by how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Focus {
    places: [Hex; MOST],
    above: f64,
}

impl Focus {
    /// Every place by its worth.
    pub const NONE: Focus = Focus { places: [Hex::NONE; MOST], above: 1.0 };

    /// The first of some places, so many times their worth.
    pub fn on(places: &[Hex], above: f64) -> Focus {
        let mut focus = Focus { above, ..Focus::NONE };
        for (seat, place) in focus.places.iter_mut().zip(places) {
            *seat = *place;
        }
        focus
    }

    /// Whether a place is one of them.
    pub fn has(&self, h: Hex) -> bool {
        h.is_some() && self.places.contains(&h)
    }

    /// The places.
    pub fn places(&self) -> impl Iterator<Item = Hex> {
        self.places.into_iter().filter(|h| h.is_some())
    }

    /// Makes them dearer in a brief.
    pub(super) fn raise(&self, brief: &mut Brief) {
        for g in brief.goals.iter_mut().filter(|g| self.has(g.hex)) {
            g.worth *= self.above;
        }
    }
}

/// Places of the side that waits, those first against which most can be brought.
pub(crate) fn contested(grid: &Grid, brief: &Brief) -> Vec<Hex> {
    let attackers = || brief.pieces.iter().filter(|p| p.side == brief.attacker && p.hex.is_some());
    let ways = ways(grid, &brief.land, brief.goals.iter().map(|g| g.hex));
    let mut pressed: Vec<(f64, Hex)> = brief
        .goals
        .iter()
        .zip(&ways)
        .filter(|(g, _)| g.held != brief.attacker && g.worth > 0.0)
        .map(|(g, to)| {
            let near = attackers().filter(|p| to[p.hex.ix()] != FAR);
            (near.map(|p| p.attack * (-f64::from(to[p.hex.ix()]) / PRESSES).exp()).sum(), g.hex)
        })
        .collect();
    pressed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    pressed.into_iter().map(|(_, h)| h).collect()
}
