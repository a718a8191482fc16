//! Sections 6 and 7: Zones of Control and ZOC Bonds, kept current with every unit that moves.
//!
//! A hexside has two ends, and at each end lies one hex that touches both its hexes. A Hexside Bond over it can only run
//! between those two, so a bit for each hexside and side is all there is to know; likewise three bits for each hex,
//! one for each pair of opposite neighbours, tell its Hex Bonds.

use crate::map::side;
use crate::state::{Pos, flag};
use crate::units::is;
use hex::{Dir, Hex, HexSet};
use table::Side;

table::copied! {
    /// ZOC and bonds of both sides.
    #[derive(Debug, Default, PartialEq)]
    pub struct Zones {
        /// By side: hexes with a Combat Unit.
        pub combat: [HexSet; 2],
        /// By side: hexes that have a ZOC (6.1).
        pub strong: [HexSet; 2],
        /// By side: hexes that can form a bond (7.1).
        pub former: [HexSet; 2],
        /// By side: hexes with a Combat Unit that is not in Full Retreat.
        pub steady: [HexSet; 2],
        /// By side and hex: how many ZOC reach it.
        count: [Vec<u8>; 2],
        /// By side: hexes in its ZOC.
        pub zoc: [HexSet; 2],
        /// By side: hexes of its Hex Bonds.
        pub hex_bonds: [HexSet; 2],
        /// By side and axis: hexes through which a Hex Bond runs on it.
        axes: [[HexSet; 3]; 2],
        /// By side and direction: hexes with a Hexside Bond on the hexside there.
        pub side_bonds: [[HexSet; 6]; 2],
        /// By side: hexes with a Hexside Bond on some hexside.
        pub sided: [HexSet; 2],
        /// By side and hex: how many hexes with a Combat Unit of the side are adjacent to it.
        close: [Vec<u8>; 2],
        /// By side: hexes beside a Combat Unit of the side (2.2.3).
        pub beside: [HexSet; 2],
    }
}

impl Zones {
    fn new(len: usize) -> Zones {
        let zero = || [vec![0u8; len], vec![0u8; len]];
        Zones { count: zero(), close: zero(), ..Zones::default() }
    }
}

impl Pos {
    /// 2.2.3: whether a hexside keeps units apart: not adjacent, no ZOC, no bond. The Volga does too.
    #[inline]
    pub fn apart(&self, bits: u16) -> bool {
        bits & (side::SEA | side::VOLGA) != 0
            || (bits & side::LAKE != 0 && !self.ice(bits))
            || (bits & side::ALPINE != 0 && self.s.winter)
    }

    /// 23.4: whether the river or lake of a hexside is frozen.
    #[inline]
    pub fn ice(&self, bits: u16) -> bool {
        self.s.winter && bits & side::FREEZES != 0
    }

    /// Whether two neighbouring hexes are adjacent for the rules (2.2.3).
    #[inline]
    pub fn adjacent(&self, h: Hex, d: Dir) -> bool {
        !self.apart(self.data.map.sides[h.ix()][d.ix()])
    }

    /// 6.1, 7.1: what the units of a side in a hex amount to: Combat Unit, ZOC, bond, not all in Full Retreat.
    fn weigh(&self, s: Side, h: Hex) -> (bool, bool, bool, bool) {
        let (mut combat, mut strong, mut full, mut free, mut steady) = (false, false, false, 0, false);
        for u in self.s.stacks.at(h) {
            if self.data.sides[u.ix()] != s || !self.combat(u) {
                continue;
            }
            combat = true;
            let f = self.s.flags[u.ix()];
            if f & flag::FULL_RETREAT != 0 {
                continue;
            }
            steady = true;
            if f & flag::TRAIN != 0 {
                continue;
            }
            strong = true;
            if f & flag::DISRUPTED != 0 {
                continue;
            }
            if self.is(u, is::FREE | is::ASU) { free += 1 } else { full = true }
        }
        let shared = combat && self.shared_city(h);
        (combat, strong && !shared, (full || free >= 2) && !shared, steady)
    }

    /// 29.1.1: a contested city hex has neither ZOC nor bonds.
    fn shared_city(&self, h: Hex) -> bool {
        self.options.contested && self.s.city_battles.iter().any(|c| c.hex == h) && {
            let mut has = [false; 2];
            for u in self.s.stacks.at(h) {
                has[self.data.sides[u.ix()].ix()] |= self.combat(u);
            }
            has == [true; 2]
        }
    }

    /// Something about the units in a hex has changed: brings ZOC and bonds up to date.
    pub fn touch(&mut self, h: Hex) {
        if self.s.zones.count[0].is_empty() {
            return;
        }
        for s in Side::BOTH {
            let (combat, strong, former, steady) = self.weigh(s, h);
            let z = &mut self.s.zones;
            let i = s.ix();
            z.steady[i].set(h, steady);
            if z.combat[i].contains(h) != combat {
                z.combat[i].set(h, combat);
                // Its own lines feel it where it opens a city, negates a ZOC or shares a hex; bonds tell for themselves.
                let own = z.zoc[s.foe().ix()].contains(h)
                    || z.combat[s.foe().ix()].contains(h)
                    || self.data.map.held.contains(h);
                self.s.supplied.fresh[s.foe().ix()] = false;
                self.s.supplied.fresh[i] &= !own;
                // 2.2.3: the first Combat Unit of the side came into the hex, or the last one went.
                self.count_around(h, combat, |z| (&mut z.close[i], &mut z.beside[i]));
                self.rebond_through(s.foe(), h);
            }
            let z = &mut self.s.zones;
            if z.strong[i].contains(h) != strong {
                z.strong[i].set(h, strong);
                // 6.1: a ZOC comes or goes.
                if self.count_around(h, strong, |z| (&mut z.count[i], &mut z.zoc[i])) {
                    self.s.supplied.fresh[s.foe().ix()] = false;
                }
            }
            let z = &mut self.s.zones;
            if z.former[i].contains(h) != former {
                z.former[i].set(h, former);
                self.rebond_from(s, h);
            }
        }
    }

    /// One more or one fewer counts in the hexes adjacent to a hex; whether that makes a difference anywhere.
    #[inline]
    fn count_around(
        &mut self,
        h: Hex,
        comes: bool,
        tally: impl Fn(&mut Zones) -> (&mut Vec<u8>, &mut HexSet),
    ) -> bool {
        let data = self.data.clone();
        let mut differs = false;
        for (d, n) in data.map.grid().neighbours(h) {
            if self.adjacent(h, d) {
                let (count, any) = tally(&mut self.s.zones);
                let c = &mut count[n.ix()];
                *c = if comes { *c + 1 } else { c.saturating_sub(1) };
                let some = *c > 0;
                differs |= any.contains(n) != some;
                any.set(n, some);
            }
        }
        differs
    }

    /// The bonds that have a hex as one of their ends.
    fn rebond_from(&mut self, s: Side, h: Hex) {
        let data = self.data.clone();
        let grid = data.map.grid();
        for d in Dir::ALL {
            let Some(m) = grid.neighbour(h, d) else { continue };
            self.set_axis(s, m, d.ix() % 3);
            // The hexside between two neighbours of `h`: its end here is `h`.
            if let Some(n) = grid.neighbour(h, d.clockwise())
                && let Some(e) = grid.dir(m, n)
            {
                self.set_side(s, m, e);
            }
        }
    }

    /// The bonds of a side that enemy units in a hex can negate or push aside.
    fn rebond_through(&mut self, s: Side, h: Hex) {
        for d in Dir::ALL {
            self.set_side(s, h, d);
        }
        for axis in 0..3 {
            self.set_axis(s, h, axis);
        }
    }

    /// 7.6.1: whether a bond may run from a hex through a neighbour to that one's neighbour.
    fn runs(&self, a: u16, b: u16) -> bool {
        let major = |x: u16| x & side::MAJOR != 0 && !self.ice(x);
        let loops = major(a) && major(b);
        !(self.apart(a) || self.apart(b) || loops)
    }

    /// 7.1, 7.3, 7.6: a Hex Bond through `m` between its two neighbours on an axis.
    fn axis_bond(&self, s: Side, m: Hex, axis: usize) -> bool {
        let grid = self.data.map.grid();
        let (d, e) = (Dir::from_ix(axis), Dir::from_ix(axis + 3));
        let z = &self.s.zones;
        let (Some(a), Some(c)) = (grid.neighbour(m, d), grid.neighbour(m, e)) else { return false };
        let sides = &self.data.map.sides[m.ix()];
        z.former[s.ix()].contains(a)
            && z.former[s.ix()].contains(c)
            && !z.combat[s.foe().ix()].contains(m)
            && self.runs(sides[d.ix()], sides[e.ix()])
    }

    /// 7.1, 7.3, 7.5, 7.6: a Hexside Bond between the two hexes at the ends of a hexside, one of which may be the map edge.
    fn side_bond(&self, s: Side, m: Hex, d: Dir) -> bool {
        let grid = self.data.map.grid();
        let Some(n) = grid.neighbour(m, d) else { return false };
        let scene = self.scene();
        if !scene.inside.contains(m) || !scene.inside.contains(n) {
            return false;
        }
        let z = &self.s.zones;
        let anchors = scene.anchors[s][m.ix()];
        let end = |e: Dir, i: usize| -> Option<bool> {
            match grid.neighbour(m, e).filter(|x| scene.inside.contains(*x)) {
                Some(x) if z.former[s.ix()].contains(x) => Some(true),
                Some(_) => None,
                None => (anchors[i] >> d.ix() & 1 != 0).then_some(false),
            }
        };
        let (Some(a), Some(c)) = (end(d.anticlockwise(), 0), end(d.clockwise(), 1)) else { return false };
        if !a && !c {
            return false;
        }
        let foe = &z.combat[s.foe().ix()];
        let (em, en) = (foe.contains(m), foe.contains(n));
        if em && en {
            return false;
        }
        // The bond is pushed to one side of the hexside, not into a hex with an enemy.
        let way = |via: Hex, from: Dir, to: Dir| {
            let sides = &self.data.map.sides[via.ix()];
            let one = if a { sides[from.ix()] } else { 0 };
            let two = if c { sides[to.ix()] } else { 0 };
            self.runs(one, two)
        };
        let back = d.opposite();
        (!em && way(m, d.anticlockwise(), d.clockwise()))
            || (!en && way(n, back.clockwise(), back.anticlockwise()))
    }

    fn set_axis(&mut self, s: Side, m: Hex, axis: usize) {
        let on = self.axis_bond(s, m, axis);
        let z = &mut self.s.zones;
        let axes = &mut z.axes[s.ix()];
        if axes[axis].contains(m) == on {
            return;
        }
        axes[axis].set(m, on);
        let any = axes.iter().any(|a| a.contains(m));
        z.hex_bonds[s.ix()].set(m, any);
        self.s.supplied.fresh[s.foe().ix()] = false;
    }

    fn set_side(&mut self, s: Side, m: Hex, d: Dir) {
        let Some(n) = self.data.map.grid().neighbour(m, d) else { return };
        let on = self.side_bond(s, m, d);
        let bonds = &mut self.s.zones.side_bonds[s.ix()];
        if bonds[d.ix()].contains(m) != on {
            bonds[d.ix()].set(m, on);
            bonds[d.opposite().ix()].set(n, on);
            let any = |h: Hex| bonds.iter().any(|b| b.contains(h));
            let (here, there) = (any(m), any(n));
            self.s.zones.sided[s.ix()].set(m, here);
            self.s.zones.sided[s.ix()].set(n, there);
            self.s.supplied.fresh[s.foe().ix()] = false;
        }
    }

    /// All ZOC and bonds worked out anew: at the start, and when winter closes hexsides.
    pub fn rebuild_zones(&mut self) {
        *self.s.zones = self.fresh_zones();
        self.s.supplied.fresh = [false; 2];
    }

    fn fresh_zones(&self) -> Zones {
        let mut p = Pos {
            data: self.data.clone(),
            options: self.options,
            scenario: self.scenario,
            s: self.s.clone(),
        };
        *p.s.zones = Zones::new(p.data.map.grid().len());
        let all: Vec<Hex> =
            (p.s.stacks.occupied(Side::One) | p.s.stacks.occupied(Side::Two)).iter().collect();
        for h in all {
            p.touch(h);
        }
        p.s.zones.0
    }

    /// Proves that what is kept current is what the plain way finds.
    pub fn zones_hold(&self) -> Result<(), String> {
        if self.fresh_zones() == *self.s.zones {
            Ok(())
        } else {
            Err("ZOC or bonds are not what the units make them".into())
        }
    }

    /// Whether a hex lies in the ZOC of the enemy of a side.
    #[inline]
    pub fn in_ezoc(&self, side: Side, h: Hex) -> bool {
        self.s.zones.zoc[side.foe().ix()].contains(h)
    }

    /// Whether a step enters or crosses an enemy bond (7.2).
    #[inline]
    pub fn bonded(&self, side: Side, from: Hex, d: Dir, to: Hex) -> bool {
        let z = &self.s.zones;
        let e = side.foe().ix();
        z.hex_bonds[e].contains(to) || z.side_bonds[e][d.ix()].contains(from)
    }

    /// Whether a hex is beside an enemy Combat Unit (2.2.3).
    #[inline]
    pub fn near_enemy(&self, side: Side, h: Hex) -> bool {
        self.s.zones.beside[side.foe().ix()].contains(h)
    }
}
