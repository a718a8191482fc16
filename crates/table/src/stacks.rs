//! Where every unit lies: on a hex or in a box, in exactly one place, in the order of its stack.
//!
//! One writer: [`Stacks::put`]. Stacks are linked lists in two flat arrays, so a copy is a memory copy and a move
//! costs a few stores; which hexes a side occupies is kept as bits.

use crate::Side;
use hex::{Hex, HexSet};
use serde::{Deserialize, Serialize};

/// A unit as a small integer: index into the game's counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Unit(pub u16);

impl Unit {
    /// For arrays.
    pub fn ix(self) -> usize {
        usize::from(self.0)
    }
}

/// A box off the map as a small integer: a pool, the dead pile, a reserve, a turn of the track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BoxId(pub u16);

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Place {
    /// On the map.
    Hex(Hex),
    /// In a box off the map.
    Box(BoxId),
}

impl Place {
    /// The hex, if it is one.
    pub fn hex(self) -> Option<Hex> {
        match self {
            Place::Hex(h) => Some(h),
            Place::Box(_) => None,
        }
    }
}

const NONE: u16 = u16::MAX;

/// The place of every unit, and every stack from top to bottom.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stacks {
    place: Vec<Place>,
    side: Vec<Side>,
    /// By slot (hexes first, then boxes): the top unit.
    top: Vec<u16>,
    /// By unit: the one beneath it.
    below: Vec<u16>,
    /// By hex: how many units lie there.
    height: Vec<u8>,
    hexes: u16,
    occupied: [HexSet; 2],
}

impl Clone for Stacks {
    fn clone(&self) -> Stacks {
        Stacks {
            place: self.place.clone(),
            side: self.side.clone(),
            top: self.top.clone(),
            below: self.below.clone(),
            height: self.height.clone(),
            hexes: self.hexes,
            occupied: self.occupied.clone(),
        }
    }

    /// Copies into the memory that is there: a search copies positions by the thousand.
    fn clone_from(&mut self, o: &Stacks) {
        self.place.clone_from(&o.place);
        self.side.clone_from(&o.side);
        self.top.clone_from(&o.top);
        self.below.clone_from(&o.below);
        self.height.clone_from(&o.height);
        self.hexes = o.hexes;
        self.occupied.clone_from(&o.occupied);
    }
}

impl Stacks {
    /// All units in one box to begin with. `hexes` is the grid's index capacity.
    pub fn new(sides: &[Side], hexes: usize, boxes: usize, start: BoxId) -> Stacks {
        let mut s = Stacks {
            place: vec![Place::Box(start); sides.len()],
            side: sides.to_vec(),
            top: vec![NONE; hexes + boxes],
            below: vec![NONE; sides.len()],
            height: vec![0; hexes],
            hexes: hexes as u16,
            occupied: [HexSet::empty(), HexSet::empty()],
        };
        for u in (0..sides.len() as u16).rev() {
            s.link(Unit(u), Place::Box(start));
        }
        s
    }

    fn slot(&self, p: Place) -> usize {
        match p {
            Place::Hex(h) => usize::from(h.0),
            Place::Box(b) => usize::from(self.hexes) + usize::from(b.0),
        }
    }

    fn link(&mut self, u: Unit, p: Place) {
        let slot = self.slot(p);
        self.below[u.ix()] = self.top[slot];
        self.top[slot] = u.0;
        self.place[u.ix()] = p;
        if let Place::Hex(h) = p {
            self.height[usize::from(h.0)] += 1;
            self.occupied[self.side[u.ix()].ix()].insert(h);
        }
    }

    fn unlink(&mut self, u: Unit) {
        let p = self.place[u.ix()];
        let slot = self.slot(p);
        if self.top[slot] == u.0 {
            self.top[slot] = self.below[u.ix()];
        } else {
            let mut at = self.top[slot];
            while self.below[usize::from(at)] != u.0 {
                at = self.below[usize::from(at)];
            }
            self.below[usize::from(at)] = self.below[u.ix()];
        }
        if let Place::Hex(h) = p {
            self.height[usize::from(h.0)] -= 1;
            let side = self.side[u.ix()];
            if !self.at(h).any(|v| self.side[v.ix()] == side) {
                self.occupied[side.ix()].remove(h);
            }
        }
    }

    /// Puts a unit on top of the stack at `p`: the only way a unit changes its place.
    pub fn put(&mut self, u: Unit, p: Place) {
        self.unlink(u);
        self.link(u, p);
    }

    /// Brings a unit to the top of its stack.
    pub fn raise(&mut self, u: Unit) {
        self.put(u, self.place[u.ix()]);
    }

    /// Where a unit is.
    pub fn place(&self, u: Unit) -> Place {
        self.place[u.ix()]
    }

    /// The hex a unit is on, if it is on the map.
    pub fn hex(&self, u: Unit) -> Option<Hex> {
        self.place[u.ix()].hex()
    }

    /// Whose unit it is.
    pub fn side(&self, u: Unit) -> Side {
        self.side[u.ix()]
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Whether there are no units at all.
    pub fn is_empty(&self) -> bool {
        self.place.is_empty()
    }

    /// All units.
    pub fn units(&self) -> impl Iterator<Item = Unit> + use<> {
        (0..self.place.len() as u16).map(Unit)
    }

    /// The units of a place, top first.
    pub fn of(&self, p: Place) -> impl Iterator<Item = Unit> + '_ {
        let mut at = self.top[self.slot(p)];
        std::iter::from_fn(move || {
            (at != NONE).then(|| {
                let u = Unit(at);
                at = self.below[u.ix()];
                u
            })
        })
    }

    /// The units on a hex, top first.
    pub fn at(&self, h: Hex) -> impl Iterator<Item = Unit> + '_ {
        self.of(Place::Hex(h))
    }

    /// The units in a box, top first.
    pub fn boxed(&self, b: BoxId) -> impl Iterator<Item = Unit> + '_ {
        self.of(Place::Box(b))
    }

    /// The top unit on a hex.
    pub fn top(&self, h: Hex) -> Option<Unit> {
        let t = self.top[usize::from(h.0)];
        (t != NONE).then_some(Unit(t))
    }

    /// How many units lie on a hex.
    pub fn height(&self, h: Hex) -> usize {
        usize::from(self.height[usize::from(h.0)])
    }

    /// Whose stack lies on a hex: the side of its top unit.
    pub fn holder(&self, h: Hex) -> Option<Side> {
        self.top(h).map(|u| self.side(u))
    }

    /// The hexes where a side has a unit, as bits.
    pub fn occupied(&self, s: Side) -> &HexSet {
        &self.occupied[s.ix()]
    }

    /// Proves that every unit is in exactly one place and that what is derived agrees with it.
    pub fn conserved(&self) -> Result<(), String> {
        let mut seen = vec![0u32; self.place.len()];
        for slot in 0..self.top.len() {
            let p = if slot < usize::from(self.hexes) {
                Place::Hex(Hex(slot as u16))
            } else {
                Place::Box(BoxId((slot - usize::from(self.hexes)) as u16))
            };
            let mut height = 0;
            let mut held = [false; 2];
            for u in self.of(p) {
                height += 1;
                held[self.side(u).ix()] = true;
                seen[u.ix()] += 1;
                if seen[u.ix()] > 1 {
                    return Err(format!("unit {} lies in two places", u.0));
                }
                if self.place(u) != p {
                    return Err(format!("unit {} lies in {p:?} but is recorded in {:?}", u.0, self.place(u)));
                }
            }
            if let Place::Hex(h) = p {
                if height != self.height(h) {
                    return Err(format!("hex {} holds {height} units, recorded {}", h.0, self.height(h)));
                }
                for s in Side::BOTH {
                    if held[s.ix()] != self.occupied(s).contains(h) {
                        return Err(format!("hex {} is wrongly recorded as held by side {s:?}", h.0));
                    }
                }
            }
        }
        match seen.iter().position(|&n| n == 0) {
            Some(u) => Err(format!("unit {u} lies nowhere")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Stacks {
        Stacks::new(&[Side::One, Side::One, Side::Two], 10, 2, BoxId(0))
    }

    #[test]
    fn a_unit_moved_is_on_top_and_nowhere_else() {
        let mut s = three();
        s.put(Unit(0), Place::Hex(Hex(3)));
        s.put(Unit(1), Place::Hex(Hex(3)));
        assert_eq!(s.at(Hex(3)).collect::<Vec<_>>(), [Unit(1), Unit(0)]);
        s.raise(Unit(0));
        assert_eq!(s.top(Hex(3)), Some(Unit(0)));
        assert_eq!(s.boxed(BoxId(0)).collect::<Vec<_>>(), [Unit(2)]);
        s.conserved().unwrap();
    }

    #[test]
    fn a_copy_into_old_memory_is_the_same_as_a_new_one() {
        let mut s = three();
        s.put(Unit(0), Place::Hex(Hex(3)));
        let mut copy = Stacks::new(&[Side::Two], 4, 1, BoxId(0));
        copy.clone_from(&s);
        assert_eq!(copy, s.clone());
        copy.conserved().unwrap();
    }

    #[test]
    fn a_hex_is_held_until_the_last_unit_leaves() {
        let mut s = three();
        s.put(Unit(0), Place::Hex(Hex(3)));
        s.put(Unit(1), Place::Hex(Hex(3)));
        s.put(Unit(0), Place::Box(BoxId(1)));
        assert!(s.occupied(Side::One).contains(Hex(3)));
        s.put(Unit(1), Place::Hex(Hex(4)));
        assert!(!s.occupied(Side::One).contains(Hex(3)));
        assert_eq!(s.holder(Hex(3)), None);
        s.conserved().unwrap();
    }
}
