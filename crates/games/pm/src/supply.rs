//! Section 9: supply lines and supply states.

use crate::data::AERIAL_CODES;
use crate::map::Fort;
use crate::state::{Pause, Pos, Supplied, flag};
use crate::units::Nation;
use hex::{Flood, Hex, HexSet, Trace};
use std::cell::RefCell;
use table::{Side, Unit};

/// 9.2, 9.3: the supply state of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum State {
    /// In supply.
    Full,
    /// East of the GAS line with a line of supply (9.6).
    Attenuated,
    /// By air, west of the line (9.18).
    Aerial,
    /// By air, east of the line (9.18).
    AerialEast,
    /// Out of supply (9.7).
    Out,
}

impl State {
    /// From its number.
    pub fn from(n: u8) -> State {
        match n {
            0 => State::Full,
            1 => State::Attenuated,
            2 => State::Aerial,
            3 => State::AerialEast,
            _ => State::Out,
        }
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            State::Full => "in supply",
            State::Attenuated => "attenuated supply",
            State::Aerial | State::AerialEast => "supplied by air",
            State::Out => "out of supply",
        }
    }

    /// Whether an attack must consult the GAS table (9.6, 9.18).
    pub fn consults(self) -> bool {
        matches!(self, State::Attenuated | State::AerialEast)
    }
}

thread_local! {
    static ROOM: RefCell<Flood> = RefCell::new(Flood::new());
}

/// Which lines are traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Army {
    /// A nation of the German side.
    Axis(Nation),
    /// Soviet, with lakes (9.4).
    Soviet,
    /// Soviet, without them (9.16).
    Overland,
}

impl Pos {
    /// The sources of an army (9.10, 9.11).
    pub fn sources(&self, army: Army) -> HexSet {
        let m = &self.data.map;
        match army {
            Army::Axis(Nation::Romanian) => &m.german_sources & &m.zomo_romania,
            Army::Axis(Nation::Hungarian) => &m.german_sources & &m.zomo_hungary,
            Army::Axis(_) => m.german_sources.clone(),
            Army::Soviet | Army::Overland => m.soviet_sources.clone(),
        }
    }

    /// The hexes that a line of an army may pass (9.4, 9.14, 14.29, 5.3).
    pub fn passable(&self, army: Army) -> HexSet {
        let m = &self.data.map;
        let mut open = m.land.clone();
        match army {
            Army::Axis(_) => {
                if self.lakes_frozen() {
                    open |= &m.lakes;
                }
                open -= self.s.stacks.occupied(Side::Two);
                open -= &self.intact_forts();
            }
            Army::Soviet | Army::Overland => {
                if army == Army::Soviet {
                    open |= &m.lakes;
                }
                open -= self.s.stacks.occupied(Side::One);
                if self.border_closed() {
                    open -= &m.zomo_hungary;
                    open -= &m.zomo_romania;
                }
            }
        }
        open
    }

    /// 9.14: lakes carry German lines only in snow; all lakes lie in the northern zone.
    fn lakes_frozen(&self) -> bool {
        self.data.charts.condition(self.s.weather[0]).lakes_frozen
    }

    /// 14.29: intact forts and heavy forts, which bar German lines.
    pub fn intact_forts(&self) -> HexSet {
        let m = &self.data.map;
        let mut set = HexSet::empty();
        if self.options.beginner {
            return set;
        }
        for h in &m.forts {
            if matches!(self.intact(h), Fort::Fort | Fort::Heavy) {
                set.insert(h);
            }
        }
        set
    }

    /// Every hex from which an army can trace a line.
    pub fn traced(&self, army: Army) -> HexSet {
        let m = &self.data.map;
        let (sources, open) = (self.sources(army), self.passable(army));
        let lakes = match army {
            Army::Axis(_) => self.lakes_frozen(),
            Army::Soviet => true,
            Army::Overland => false,
        };
        let sides = if lakes { &m.overlake } else { &m.overland };
        let trace = Trace { sides: Some(sides), ..Trace::new(&sources, &open) };
        ROOM.with_borrow_mut(|room| room.fill(m.grid(), &trace).clone())
    }

    /// A line of supply from a hex to its source, hex by hex; none if there is no line (9.4).
    pub fn line_of_supply(&self, army: Army, from: Hex) -> Option<Vec<Hex>> {
        let mut line = None;
        self.trace_over(army, &self.passable(army), |traced| {
            line = traced.set().contains(from).then(|| traced.back(from).collect());
        });
        line
    }

    /// The army of a unit.
    pub fn army_of(&self, u: Unit) -> Army {
        match self.nation(u) {
            Nation::Soviet => Army::Soviet,
            Nation::Italian => Army::Axis(Nation::German),
            nation => Army::Axis(nation),
        }
    }

    /// The lines of several hexes to their sources; each ends where it joins one before it.
    pub fn lines_from(&self, army: Army, hexes: &HexSet) -> Vec<Vec<Hex>> {
        let open = self.passable(army);
        let mut drawn = HexSet::empty();
        let mut out = Vec::new();
        self.trace_over(army, &open, |traced| {
            for from in hexes.iter().filter(|&h| traced.set().contains(h)) {
                let mut line = Vec::new();
                for h in traced.back(from) {
                    line.push(h);
                    if !drawn.insert(h) {
                        break;
                    }
                }
                if line.len() > 1 {
                    out.push(line);
                }
            }
        });
        out
    }

    /// For hexes without a line: the way that a line would take if nobody stood in it, up to the first hex that bars it. Empty if
    /// there would be none even then.
    pub fn cuts(&self, army: Army, hexes: &HexSet) -> Vec<(Hex, Vec<Hex>)> {
        if hexes.is_empty() {
            return Vec::new();
        }
        let (open, m) = (self.passable(army), &self.data.map);
        let mut free = &open | self.s.stacks.occupied(Side::One);
        free |= self.s.stacks.occupied(Side::Two);
        free |= &(&m.forts & &m.land);
        let mut out = Vec::new();
        self.trace_over(army, &free, |traced| {
            for from in hexes {
                let mut way = Vec::new();
                for h in traced.back(from).skip(1) {
                    way.push(h);
                    if !open.contains(h) {
                        break;
                    }
                }
                out.push((from, way));
            }
        });
        out
    }

    fn trace_over(&self, army: Army, open: &HexSet, work: impl FnOnce(hex::Traced<'_>)) {
        let m = &self.data.map;
        let sources = self.sources(army);
        let lakes = army == Army::Soviet || (army != Army::Overland && self.lakes_frozen());
        let sides = if lakes { &m.overlake } else { &m.overland };
        let trace = Trace { sides: Some(sides), ..Trace::new(&sources, open) };
        ROOM.with_borrow_mut(|room| work(room.trace(m.grid(), &trace)));
    }

    /// What supply reaches, worked out anew where it is stale.
    pub fn fresh_supply(&self) -> Supplied {
        let mut sup = self.s.supplied.0.clone();
        self.refresh(&mut sup, Side::One);
        self.refresh(&mut sup, Side::Two);
        sup
    }

    fn refresh(&self, sup: &mut Supplied, side: Side) {
        if sup.fresh[side.ix()] {
            return;
        }
        sup.fresh[side.ix()] = true;
        match side {
            Side::One => {
                sup.german = self.traced(Army::Axis(Nation::German));
                sup.romanian = self.traced(Army::Axis(Nation::Romanian));
                sup.hungarian = self.traced(Army::Axis(Nation::Hungarian));
            }
            Side::Two => {
                sup.soviet = self.traced(Army::Soviet);
                sup.overland = self.traced(Army::Overland);
            }
        }
    }

    /// 9.8: brings the supply of a side up to date before it is checked.
    pub fn check_supply(&mut self, side: Side) {
        if self.options.beginner || self.s.supplied.fresh[side.ix()] {
            return;
        }
        let mut sup = std::mem::take(&mut self.s.supplied);
        self.refresh(&mut sup, side);
        self.s.supplied = sup;
    }

    /// Everything must be traced anew: weather or forts have changed.
    pub fn stale_supply(&mut self) {
        self.s.supplied.fresh = [false; 2];
    }

    /// The supply state of a unit on a hex, markers of aerial supply counted if `by_air`.
    pub fn state_in(&self, sup: &Supplied, u: Unit, h: Hex, by_air: bool) -> State {
        if self.options.beginner {
            return State::Full;
        }
        let m = &self.data.map;
        match self.nation(u) {
            Nation::Soviet => {
                if self.soviet_supplied(sup, h) {
                    State::Full
                } else {
                    State::Out
                }
            }
            nation => {
                let set = match nation {
                    Nation::Romanian => &sup.romanian,
                    Nation::Hungarian => &sup.hungarian,
                    _ => &sup.german,
                };
                let east = m.gas_east.contains(h) && self.s.pause != Pause::Done;
                let chosen = self.s.concentrated && self.flagged(u, flag::CHOSEN);
                if set.contains(h) {
                    return if east && !chosen { State::Attenuated } else { State::Full };
                }
                match (by_air, east) {
                    (true, false) => State::Aerial,
                    (true, true) => State::AerialEast,
                    _ => State::Out,
                }
            }
        }
    }

    /// 9.2, 9.13, 9.17: whether Soviet units on a hex are in supply.
    pub fn soviet_supplied(&self, sup: &Supplied, h: Hex) -> bool {
        let m = &self.data.map;
        if self.options.beginner || sup.soviet.contains(h) {
            return true;
        }
        if m.ports.contains(h) && !self.s.german_held.contains(h) {
            return true;
        }
        h == m.oranienbaum && !self.s.german_held.contains(m.leningrad) && sup.soviet.contains(m.leningrad)
    }

    /// 9.16: Leningrad's only line runs over the lake.
    pub fn lake_supply(&self, sup: &Supplied) -> bool {
        let h = self.data.map.leningrad;
        sup.soviet.contains(h) && !sup.overland.contains(h)
    }

    /// The supply state of a unit where it stands, with a set already up to date.
    pub fn state_with(&self, sup: &Supplied, u: Unit) -> State {
        match self.on_map(u) {
            Some(h) => self.state_in(sup, u, h, self.aerial_at(h).is_some()),
            None => State::Full,
        }
    }

    /// The supply state of a unit where it stands, from the kept sets: callers have called [`Pos::check_supply`].
    pub fn state_of(&self, u: Unit) -> State {
        self.state_with(&self.s.supplied, u)
    }

    /// 9.18: the aerial supply marker on a hex, as an index into `air`.
    pub fn aerial_at(&self, h: Hex) -> Option<usize> {
        let first = self.airs();
        (first..first + AERIAL_CODES.len()).find(|&i| self.s.air[i] == h && h.is_some())
    }
}
