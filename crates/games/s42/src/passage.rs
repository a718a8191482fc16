//! Sections 5.5, 8.1, 12.2 and 14.5: which hexsides units cross in combat, retreat and advance.

use crate::map::side;
use crate::state::Pos;
use crate::units::is;
use hex::{Dir, Edge, Hex};
use table::{Side, Unit};

impl Pos {
    /// 8.1, 12.2, 14.5: whether a hexside and the hex behind it are open to a unit in movement, enemies apart.
    pub fn passable(&self, u: Unit, from: Hex, d: Dir, to: Hex) -> bool {
        if !self.scene().land.contains(to) {
            return false;
        }
        let bits = self.data.map.sides[from.ix()][d.ix()];
        if bits & (side::SEA | side::LAKE | side::ALPINE | side::VOLGA) == 0 {
            return true;
        }
        if bits & side::SEA != 0 || bits & side::LAKE != 0 && self.apart(bits) {
            return false;
        }
        if bits & side::ALPINE != 0 && (self.s.winter || bits & side::ROAD == 0 && !self.is(u, is::MOUNTAIN))
        {
            return false;
        }
        bits & side::VOLGA == 0 || self.over_volga(self.side(u), from, d)
    }

    /// 5.5.3, 9.5.3: whether a side may cross the Volga at a hexside.
    fn over_volga(&self, own: Side, from: Hex, d: Dir) -> bool {
        let bits = self.data.map.sides[from.ix()][d.ix()];
        bits & side::FERRY != 0
            || own == Side::Two && (bits & side::RAIL_BRIDGE != 0 || self.flotilla_at(own, from, d))
    }

    /// 5.5.3: whether the Volga Flotilla serves a side at a hexside.
    pub(crate) fn flotilla_at(&self, own: Side, from: Hex, d: Dir) -> bool {
        own == Side::Two
            && self.s.flotilla.is_some()
            && Edge::new(self.data.map.grid(), from, d) == self.s.flotilla
    }

    /// 5.5.4-5.5.6, 23.4: whether a Major River can be crossed without having begun next to it.
    pub fn bridged(&self, own: Side, from: Hex, d: Dir, to: Hex, mover_counts: bool) -> bool {
        let bits = self.data.map.sides[from.ix()][d.ix()];
        if bits & (side::MAJOR | side::VOLGA) == 0 {
            return true;
        }
        if bits & side::VOLGA != 0 {
            return self.over_volga(own, from, d);
        }
        self.ice(bits)
            || bits & (side::ROAD_BRIDGE | side::RAIL_BRIDGE | side::FERRY) != 0
            || self.has_combat(own, to) && (mover_counts || self.has_combat(own, from))
    }
}
