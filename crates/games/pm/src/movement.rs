//! Section 12: ground movement, with the sides of it that weather and supply change.

use crate::charts::Weather;
use crate::data::{NEVER, boxes};
use crate::map::{Terrain, side};
use crate::state::{Cx, Frame, Pos, flag, place_code};
use crate::supply::State;
use crate::units::{Class, Nation, trait_};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Dir, Hex, HexSet, Route};
use std::cell::RefCell;
use table::{Place, Points, Rule, Side, Subject, Sum, Unit};

/// As many hexes as any grid has.
const ALL: usize = 88 * 64;

/// A group that moves as one: what it pays and where it may not go.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Whose.
    pub side: Side,
    /// Where it is; none while it waits off the map.
    pub at: Option<Hex>,
    /// Movement points left.
    pub left: u8,
    /// Whether nothing has been spent yet (12.3, 12.16).
    pub fresh: bool,
    /// At most so many hexes (9.20).
    pub hexes: Option<u8>,
    /// Cost by weather zone and terrain.
    cost: [[u8; 6]; 2],
    /// Cost of a river by weather zone; 0 when it is ignored.
    river: [u8; 2],
    /// Cost of forest along the highway, if it helps.
    highway: Option<u8>,
    /// Whether the straits are frozen.
    straits_frozen: bool,
    /// Whether lakes are frozen, by weather zone.
    lakes_frozen: [bool; 2],
    /// Hexes it may enter.
    open: HexSet,
}

/// What a group can reach: for each hex what it costs and the step that leads there.
pub struct Reached {
    cost: [u8; ALL],
    dir: [u8; ALL],
    set: Vec<u16>,
}

thread_local! {
    static BUCKETS: RefCell<Vec<Vec<u16>>> = const { RefCell::new(Vec::new()) };
}

impl Pos {
    /// 5.3: Hungary and Romania are closed during turn 1.
    pub fn border_closed(&self) -> bool {
        self.s.turn == 1 && !self.options.beginner
    }

    /// 12.1, 9.7, 9.18, 13.4: the movement points of a unit that begins in a supply state at a place.
    pub fn allowance(&self, u: Unit, state: State, at: Option<Hex>) -> u8 {
        let n = &self.data.charts.numbers;
        let mut mp = self.movement(u);
        match state {
            State::Out => mp = mp.div_ceil(2),
            State::Aerial | State::AerialEast if self.info(u).class == Class::Mech => {
                mp = mp.min(n.aerial_mech_mp as u8);
            }
            _ => {}
        }
        if self.info(u).side == Side::One {
            let add =
                at.map_or(self.data.charts.condition(self.s.weather[0]), |h| self.condition_at(h)).german_mp;
            mp = mp.saturating_add_signed(add);
        }
        mp
    }

    /// The same as a sum, for those who ask why.
    pub fn allowance_sum(&self, u: Unit, state: State, at: Option<Hex>) -> Sum {
        let mut sum = Sum::new();
        sum.unit(Rule("2.13"), "movement factor", u, self.movement(u).into());
        let total = Points::whole(self.allowance(u, state, at).into());
        match state {
            State::Out => sum.bring_to(Rule("9.7"), "out of supply", total),
            State::Aerial | State::AerialEast => sum.bring_to(Rule("9.18"), "supplied by air", total),
            _ => sum.bring_to(Rule("13.4"), "rain", total),
        };
        sum
    }

    /// The place where a unit began this phase.
    pub fn origin_of(&self, u: Unit) -> u16 {
        if self.s.used[u.ix()] > 0 || self.flagged(u, flag::SPENT) {
            self.s.origin[u.ix()]
        } else {
            place_code(self.s.stacks.place(u))
        }
    }

    /// Whether a unit may be moved now; [`Pos::why_not_pick`] says why not, and the oracles prove that they agree.
    pub fn may_pick(&self, side: Side, u: Unit) -> bool {
        let f = self.s.flags[u.ix()];
        if self.data.sides[u.ix()] != side || f & (flag::MOVED | flag::STAYS | flag::NO_MOVE) != 0 {
            return false;
        }
        match self.s.stacks.place(u) {
            Place::Hex(h) => {
                let m = &self.data.map;
                if side == Side::One
                    && self.border_closed()
                    && (m.zomo_hungary.contains(h) || m.zomo_romania.contains(h))
                {
                    return false;
                }
            }
            Place::Box(boxes::OKH_NORTH) => {}
            Place::Box(boxes::OKH_SOUTH) => {
                if self.border_closed() {
                    return false;
                }
            }
            Place::Box(_) => return false,
        }
        let begun = self.s.used[u.ix()] > 0 || f & flag::SPENT != 0;
        !begun
            || (self.s.origin[u.ix()] == self.s.parent
                && self.left_of(u, State::from(self.s.began[u.ix()])) > 0)
    }

    /// Why a unit may not be moved now.
    pub fn why_not_pick(&self, side: Side, u: Unit) -> Option<Illegal> {
        if u.ix() >= self.data.units.ground || self.info(u).side != side {
            return Some(Illegal::new(Rule("12.2"), format!("{} is not yours to move", self.code(u))));
        }
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        let code = self.code(u);
        match self.s.stacks.place(u) {
            Place::Hex(h) => {
                let abroad = self.data.map.zomo_hungary.contains(h) || self.data.map.zomo_romania.contains(h);
                if side == Side::One && self.border_closed() && abroad {
                    return no("5.3", format!("{code} may not move from Hungary or Romania during turn 1"));
                }
            }
            Place::Box(boxes::OKH_NORTH) => {}
            Place::Box(boxes::OKH_SOUTH) => {
                if self.border_closed() {
                    return no("5.3", format!("{code} may not enter Hungary or Romania during turn 1"));
                }
            }
            Place::Box(_) => return no("12.1", format!("{code} is not on the map")),
        }
        if self.flagged(u, flag::MOVED) {
            return no("12.2", format!("{code} has moved"));
        }
        if self.flagged(u, flag::NO_MOVE) && self.is(u, trait_::ARKO) {
            return no("14.41", format!("{code} was called out this turn and stays for its first couplet"));
        }
        if self.flagged(u, flag::STAYS | flag::NO_MOVE) {
            return no("8.20", format!("{code} must stay where it is this turn"));
        }
        let begun = self.s.used[u.ix()] > 0 || self.flagged(u, flag::SPENT);
        if begun && self.s.origin[u.ix()] != self.s.parent {
            return no("12.6", format!("another stack has begun to move since {code} stopped"));
        }
        if begun && self.left_of(u, State::from(self.s.began[u.ix()])) == 0 {
            return no("12.2", format!("{code} has no movement points left"));
        }
        None
    }

    /// Movement points a unit has left, for a supply state at its start.
    pub fn left_of(&self, u: Unit, state: State) -> u8 {
        if self.flagged(u, flag::SPENT) {
            return 0;
        }
        self.allowance(u, state, self.on_map(u)).saturating_sub(self.s.used[u.ix()])
    }

    /// Whether a marker goes with the hand: it was told to, or the whole stack moves (9.18, 10.2).
    pub fn goes_along(&self, marker: usize) -> bool {
        let h = self.s.air[marker];
        if !h.is_some() || self.hand_hex() != Some(h) {
            return false;
        }
        self.s.escort >> marker & 1 != 0 || self.at(h).all(|u| self.s.hand.contains(&u))
    }

    /// The hex of the units in hand.
    pub fn hand_hex(&self) -> Option<Hex> {
        self.s.hand.first().and_then(|&u| self.on_map(u))
    }

    /// 9.8, 9.18: the supply state with which a unit in hand moves.
    pub fn moving_state(&self, u: Unit) -> State {
        if self.s.used[u.ix()] > 0 || self.flagged(u, flag::SPENT) {
            return State::from(self.s.began[u.ix()]);
        }
        match self.on_map(u) {
            Some(h) => {
                let by_air = self.aerial_at(h).is_some_and(|i| self.goes_along(i));
                self.state_in(&self.s.supplied, u, h, by_air)
            }
            None => State::Full,
        }
    }

    /// The units in hand as one mover (12.7: the slowest decides).
    pub fn mover(&self) -> Mover {
        let first = self.s.hand[0];
        let side = self.info(first).side;
        let at = self.on_map(first);
        let charts = &self.data.charts;
        let map = &self.data.map;
        let weather = self.s.weather;
        let conditions = weather.map(|w| charts.condition(w));
        let mut m = Mover {
            side,
            at,
            left: u8::MAX,
            fresh: true,
            hexes: None,
            cost: [[0; 6]; 2],
            river: [0; 2],
            highway: None,
            straits_frozen: self.straits_frozen(),
            lakes_frozen: conditions.map(|c| c.lakes_frozen),
            open: map.land.clone(),
        };
        let rivers = !(side == Side::One && self.s.turn == 1);
        let mut nations = [false; 5];
        let mut mech = false;
        for &u in &self.s.hand {
            let info = self.info(u);
            let class = info.class as usize;
            mech |= info.class == Class::Mech;
            nations[info.nation as usize] = true;
            m.left = m.left.min(self.left_of(u, self.moving_state(u)));
            m.fresh &= self.s.used[u.ix()] == 0 && !self.flagged(u, flag::SPENT);
            let bound = side == Side::One && self.s.concentrated && !self.flagged(u, flag::CHOSEN);
            if bound {
                m.hexes = Some(charts.numbers.unconcentrated_hexes as u8);
            }
            for z in 0..2 {
                for t in 0..6 {
                    m.cost[z][t] = m.cost[z][t].max(self.data.cost[class][weather[z].ix()][t]);
                }
                if rivers && !conditions[z].rivers_frozen {
                    m.river[z] = m.river[z].max(self.data.river[class]);
                }
            }
        }
        if mech && !self.s.highway_over && !self.options.beginner {
            let foot = self.s.hand.iter().filter(|&&u| self.info(u).class != Class::Mech);
            let foot = foot.map(|&u| self.data.cost[self.info(u).class as usize][weather[0].ix()][1]).max();
            m.highway = Some(self.data.highway.max(foot.unwrap_or(0)));
        }
        if m.hexes.is_some() && !m.fresh {
            m.left = 0;
        }
        if m.lakes_frozen.contains(&true) {
            m.open |= &map.lakes;
        }
        m.open -= self.s.stacks.occupied(side.foe());
        self.bar_nations(&mut m.open, side, &nations);
        m
    }

    /// 5.3, 7.2-7.4, 8.5: hexes closed to nations.
    fn bar_nations(&self, open: &mut HexSet, side: Side, nations: &[bool; 5]) {
        let map = &self.data.map;
        if side == Side::Two {
            if self.border_closed() {
                *open -= &map.zomo_hungary;
                *open -= &map.zomo_romania;
            }
            return;
        }
        if self.options.beginner {
            return;
        }
        let (ro, hu) = (nations[Nation::Romanian as usize], nations[Nation::Hungarian as usize]);
        if ro || hu || nations[Nation::Italian as usize] {
            *open -= &map.north_sheet;
        }
        if ro {
            *open -= &map.zomo_hungary;
        }
        if hu {
            *open -= &map.zomo_romania;
        }
    }

    /// Hexes through which the units in hand may come from an OKH area (8.2, 8.3).
    fn entries(&self, m: &Mover) -> HexSet {
        let map = &self.data.map;
        match self.s.hand.first().map(|&u| self.s.stacks.place(u)) {
            Some(Place::Box(boxes::OKH_NORTH)) => &map.okh_north & &m.open,
            Some(Place::Box(boxes::OKH_SOUTH)) => &map.okh_south & &m.open,
            _ => HexSet::empty(),
        }
    }

    /// What a step costs, [`NEVER`] if it is not possible. Straits are not steps (12.16).
    #[inline]
    fn step(&self, m: &Mover, from: Hex, dir: usize, to: Hex) -> u8 {
        let map = &self.data.map;
        let s = map.sides[from.ix()][dir];
        let z = usize::from(map.south_weather.contains(to));
        if s & (side::SEA | side::STRAIT | side::LAKE) != 0 {
            let frozen =
                (s & side::STRAIT != 0 && m.straits_frozen) || (s & side::LAKE != 0 && m.lakes_frozen[z]);
            if s & side::SEA != 0 || !frozen {
                return NEVER;
            }
        }
        let t = map.terrain[to.ix()];
        let mut c = m.cost[z][t as usize];
        if c == NEVER {
            return NEVER;
        }
        if s & side::HIGHWAY != 0
            && t == Terrain::Forest
            && let Some(h) = m.highway
        {
            c = c.min(h);
        }
        if s & side::RIVER != 0 {
            c += m.river[z];
        }
        c
    }

    /// Whether a step crosses a strait that can be crossed with a whole move (12.16).
    fn strait(&self, m: &Mover, from: Hex, dir: usize) -> bool {
        self.data.map.sides[from.ix()][dir] & side::STRAIT != 0 && !m.straits_frozen
    }

    /// 12.1: all that the units in hand can reach.
    pub fn reach(&self, m: &Mover) -> Reached {
        let grid = self.data.map.grid();
        let mut r = Reached { cost: [NEVER; ALL], dir: [6; ALL], set: Vec::with_capacity(256) };
        BUCKETS.with_borrow_mut(|buckets| {
            buckets.resize(usize::from(m.left) + 1, Vec::new());
            buckets.iter_mut().for_each(Vec::clear);
            match m.at {
                Some(h) => {
                    r.cost[h.ix()] = 0;
                    buckets[0].push(h.0);
                }
                None => {
                    for h in &self.entries(m) {
                        let c = self.entry_cost(m, h);
                        if c <= m.left {
                            r.cost[h.ix()] = c;
                            r.set.push(h.0);
                            buckets[usize::from(c)].push(h.0);
                        } else if m.fresh {
                            r.cost[h.ix()] = m.left;
                            r.set.push(h.0);
                        }
                    }
                }
            }
            let deep = m.hexes.is_none();
            for c in 0..=m.left {
                let mut i = 0;
                while let Some(&h) = buckets[usize::from(c)].get(i) {
                    i += 1;
                    let from = Hex(h);
                    if r.cost[from.ix()] != c || (!deep && Some(from) != m.at) {
                        continue;
                    }
                    for (d, &to) in grid.six(from).iter().enumerate() {
                        if !to.is_some() || !m.open.contains(to) {
                            continue;
                        }
                        let step = self.step(m, from, d, to);
                        let total = c.saturating_add(step);
                        if step == NEVER || total > m.left || total >= r.cost[to.ix()] {
                            continue;
                        }
                        if r.cost[to.ix()] == NEVER {
                            r.set.push(to.0);
                        }
                        r.cost[to.ix()] = total;
                        r.dir[to.ix()] = d as u8;
                        buckets[usize::from(total)].push(to.0);
                    }
                }
            }
        });
        // 12.3 and 12.16: one hex for all there is, at the beginning of a move only.
        if let Some(at) = m.at
            && m.fresh
        {
            for (d, &to) in grid.six(at).iter().enumerate() {
                if to.is_some() && m.open.contains(to) && r.cost[to.ix()] == NEVER {
                    let whole = self.strait(m, at, d) || self.step(m, at, d, to) != NEVER;
                    if whole {
                        r.cost[to.ix()] = m.left;
                        r.dir[to.ix()] = d as u8;
                        r.set.push(to.0);
                    }
                }
            }
        }
        r.set.sort_unstable();
        r
    }

    /// 8.3: what the first hex costs a unit that comes from an OKH area.
    fn entry_cost(&self, m: &Mover, h: Hex) -> u8 {
        let z = usize::from(self.data.map.south_weather.contains(h));
        m.cost[z][self.data.map.terrain[h.ix()] as usize]
    }

    /// The way to a hex that was reached.
    fn way(&self, r: &Reached, m: &Mover, to: Hex) -> Option<Route> {
        let grid = self.data.map.grid();
        let mut dirs = [Dir::N; Route::MOST];
        let mut n = 0;
        let mut at = to;
        while Some(at) != m.at && r.dir[at.ix()] < 6 {
            if n == Route::MOST {
                return None;
            }
            let d = Dir::from_ix(usize::from(r.dir[at.ix()]));
            dirs[n] = d;
            n += 1;
            at = grid.neighbour(at, d.opposite())?;
        }
        Route::of(at, dirs[..n].iter().rev().copied())
    }

    /// Choices of a movement phase with nothing in hand.
    pub fn movement_choices(&self, side: Side, out: &mut Vec<Choice>) {
        for i in 0..self.data.units.ground as u16 {
            let u = Unit(i);
            if self.data.sides[u.ix()] != side {
                continue;
            }
            if self.may_pick(side, u) {
                out.push(Choice::unit(verbs::PICK, u));
            }
            let okh = matches!(self.s.stacks.place(u), Place::Box(boxes::OKH_NORTH | boxes::OKH_SOUTH));
            if okh && self.why_not_shift(u).is_none() {
                out.push(Choice::unit(verbs::SHIFT, u));
            }
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// 8.3, 8.5, 5.3: why a unit may not be sent to the other OKH area.
    pub fn why_not_shift(&self, u: Unit) -> Option<Illegal> {
        let code = self.code(u);
        let waits = |u: Unit| {
            matches!(self.s.stacks.place(u), Place::Box(boxes::OKH_NORTH | boxes::OKH_SOUTH))
                && self.info(u).side == Side::One
        };
        if u.ix() >= self.data.units.ground || !waits(u) {
            return Some(Illegal::new(Rule("8.3"), format!("{code} is in no OKH area")));
        }
        if self.border_closed() {
            return Some(Illegal::new(Rule("5.3"), "nothing moves between the OKH areas during turn 1"));
        }
        if self.nation(u) != Nation::German {
            return Some(Illegal::new(Rule("8.5"), format!("{code} may never enter the northern OKH area")));
        }
        None
    }

    /// Picks a unit up (12.5), ending the movement of another parent stack (12.6).
    pub fn pick(&mut self, u: Unit) {
        let origin = self.origin_of(u);
        if origin != self.s.parent {
            for i in 0..self.s.used.len() {
                if self.s.used[i] > 0 || self.s.flags[i] & flag::SPENT != 0 {
                    self.s.flags[i] |= flag::MOVED;
                }
            }
            self.s.parent = origin;
        }
        self.check_supply(self.info(u).side);
        self.s.hand.clear();
        self.s.hand.push(u);
        self.s.escort = 0;
        self.s.frames.push(Frame::Hand);
    }

    /// Whether a unit may be added to the hand (12.5).
    pub fn may_add(&self, u: Unit) -> bool {
        let first = self.s.hand[0];
        self.may_pick(self.info(first).side, u)
            && !self.s.hand.contains(&u)
            && self.s.stacks.place(u) == self.s.stacks.place(first)
            && self.origin_of(u) == self.s.parent
    }

    /// Why a unit may not be added to the hand (12.5).
    pub fn why_not_add(&self, u: Unit) -> Option<Illegal> {
        let first = self.s.hand[0];
        if let Some(i) = self.why_not_pick(self.info(first).side, u) {
            return Some(i);
        }
        let code = self.code(u);
        if self.s.hand.contains(&u) {
            return Some(Illegal::new(Rule("12.5"), format!("{code} is in hand already")));
        }
        if self.s.stacks.place(u) != self.s.stacks.place(first) || self.origin_of(u) != self.s.parent {
            let why = format!("{code} did not begin this phase stacked with {}", self.code(first));
            return Some(Illegal::new(Rule("12.5"), why));
        }
        None
    }

    /// Choices with units in hand.
    pub fn hand_choices(&self, out: &mut Vec<Choice>) {
        let first = self.s.hand[0];
        let place = self.s.stacks.place(first);
        let before = out.len();
        out.extend(self.s.stacks.of(place).filter(|&u| self.may_add(u)).map(|u| Choice::unit(verbs::ADD, u)));
        if out.len() > before + 1 {
            out.push(Choice::button(verbs::ADDALL));
        }
        if let Some(h) = place.hex() {
            for i in 0..self.s.air.len() {
                if self.s.air[i] == h && self.air_side(i) == self.info(first).side && !self.goes_along(i) {
                    out.push(Choice::unit(verbs::ESCORT, self.air_unit(i)));
                }
            }
        }
        let m = self.mover();
        if !m.fresh && self.s.hand.len() > 1 {
            out.extend(self.s.hand.iter().map(|&u| Choice::unit(verbs::DROP, u)));
        }
        let r = self.reach(&m);
        let load = self.load_of(self.s.hand.iter().copied());
        for &h in &r.set {
            let h = Hex(h);
            if Some(h) == m.at || !self.data.map.land.contains(h) {
                continue;
            }
            let load = self.load_with(h, &load, &[]);
            if self.fits(&load, h)
                && let Some(route) = self.way(&r, &m, h)
            {
                out.push(Choice::route(verbs::GO, route));
            }
        }
        self.assault_choices(&m, out);
        out.push(Choice::button(verbs::STOP));
    }

    /// 12.21: the cost of a path as a sum, and whether the units in hand can take it.
    pub fn price(&self, m: &Mover, route: Route) -> Result<(u8, bool, Sum), Illegal> {
        let grid = self.data.map.grid();
        let map = &self.data.map;
        let mut sum = Sum::new();
        let mut at = route.start();
        let mut total = 0u8;
        let mut whole = false;
        match m.at {
            Some(h) if h != at => {
                let why = format!("the units in hand are in {}, not in {}", map.called(h), map.called(at));
                return Err(Illegal::new(Rule("12.1"), why));
            }
            Some(_) if route.is_empty() => {
                return Err(Illegal::new(Rule("12.1"), "a move leads to another hex"));
            }
            None => {
                if !self.entries(m).contains(at) {
                    let why = format!("{} is no hex where these units enter", map.called(at));
                    return Err(Illegal::new(Rule("8.3"), why));
                }
                total = self.entry_cost(m, at);
                sum.add(Rule("8.3"), "enter", Subject::Hex(at), Points::whole(total.into()));
                if total > m.left {
                    whole = true;
                    total = m.left;
                }
            }
            _ => {}
        }
        for (i, dir) in route.dirs().enumerate() {
            let Some(to) = grid.neighbour(at, dir) else {
                return Err(Illegal::new(Rule("12.22"), "the path leaves the map"));
            };
            if !m.open.contains(to) {
                return Err(self.why_closed(m, to));
            }
            let step = self.step(m, at, dir.ix(), to);
            let first = i == 0 && m.at.is_some() && m.fresh;
            if whole || (m.hexes.is_some() && (i > 0 || m.at.is_none())) {
                let rule = if m.hexes.is_some() { "9.20" } else { "12.3" };
                return Err(Illegal::new(Rule(rule), "these units may move only one hex"));
            }
            if self.strait(m, at, dir.ix()) {
                if !first || route.len() > 1 {
                    let why = "a strait is crossed only by units that begin beside it, with their whole move";
                    return Err(Illegal::new(Rule("12.16"), why));
                }
                return Ok((m.left, true, sum));
            }
            if step == NEVER {
                let why = format!("nobody can cross from {} to {}", map.called(at), map.called(to));
                return Err(Illegal::new(Rule("12.14"), why));
            }
            sum.add(Rule("12.8"), "enter", Subject::Hex(to), Points::whole(step.into()));
            total = total.saturating_add(step);
            if total > m.left {
                if first && route.len() == 1 {
                    return Ok((m.left, true, sum));
                }
                let why = format!("that needs more than the {} movement points left", m.left);
                return Err(Illegal::new(Rule("12.1"), why).because(sum));
            }
            at = to;
        }
        Ok((total, whole || m.hexes.is_some(), sum))
    }

    /// 7.2-7.4: the rule that keeps a unit of an ally on the southern sheet.
    pub fn sheet_rule(&self, u: Unit) -> Option<Rule> {
        match self.nation(u) {
            Nation::Italian => Some(Rule("7.2")),
            Nation::Romanian => Some(Rule("7.3")),
            Nation::Hungarian => Some(Rule("7.4")),
            Nation::German | Nation::Soviet => None,
        }
    }

    /// Why a hex is closed to a mover.
    fn why_closed(&self, m: &Mover, h: Hex) -> Illegal {
        let map = &self.data.map;
        let name = map.called(h);
        if self.enemy_at(m.side, h) {
            return Illegal::new(Rule("12.4"), format!("the enemy holds {name}"));
        }
        if !map.land.contains(h) {
            return Illegal::new(Rule("12.14"), format!("{name} cannot be entered"));
        }
        if m.side == Side::Two {
            return Illegal::new(Rule("5.3"), format!("{name} is closed during turn 1"));
        }
        if map.north_sheet.contains(h) {
            let rule = self.s.hand.iter().find_map(|&u| self.sheet_rule(u)).unwrap_or(Rule("7.2"));
            return Illegal::new(rule, format!("{name} lies on the northern map, closed to these allies"));
        }
        Illegal::new(Rule("8.5"), format!("{name} lies in the other ally's country"))
    }

    /// Why a path may not be taken.
    pub fn why_not_go(&self, route: Route) -> Option<Illegal> {
        let m = self.mover();
        match self.price(&m, route) {
            Err(i) => Some(i),
            Ok(_) => {
                let to = route.end(self.data.map.grid());
                if Some(to) == m.at {
                    return Some(Illegal::new(Rule("12.1"), "a move leads to another hex"));
                }
                if !self.data.map.land.contains(to) {
                    let why = format!("no move ends in {}", self.data.map.called(to));
                    return Some(Illegal::new(Rule("13.7"), why));
                }
                if m.at.is_none() && !route.is_empty() {
                    // Where units enter matters only as far as it brings them nearer; any other way is two moves.
                    let best = self.way(&self.reach(&m), &m, to).map(|w| w.start());
                    if best != Some(route.start()) {
                        let why = "enter at that hex first, then move on";
                        return Some(Illegal::new(Rule("8.3"), why));
                    }
                }
                let load = self.load_of(self.s.hand.iter().copied());
                self.why_overfull(&self.load_with(to, &load, &[]), to)
            }
        }
    }

    /// Records with what supply the units in hand begin (9.8, 15.4).
    pub fn begin_move(&mut self) {
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            if self.s.used[u.ix()] == 0 && !self.flagged(u, flag::SPENT) {
                let state = self.moving_state(u);
                self.s.origin[u.ix()] = place_code(self.s.stacks.place(u));
                self.s.began[u.ix()] = state as u8;
            }
        }
    }

    /// Moves the units in hand along a path known to be legal.
    pub fn go(&mut self, route: Route, cx: &mut Cx<'_>) {
        let m = self.mover();
        let Ok((cost, whole, sum)) = self.price(&m, route) else { return };
        let markers: Vec<usize> = (0..self.s.air.len()).filter(|&i| self.goes_along(i)).collect();
        self.begin_move();
        let data = self.data.clone();
        let grid = data.map.grid();
        let to = route.end(grid);
        if cx.tell.listening() {
            // The other side sees counters move, but not which lie beneath the top one (14.7).
            let path = route.name(grid);
            let names: Vec<&str> = self.s.hand.iter().map(|&u| self.code(u)).collect();
            let text = format!("{} moves {path}.", names.join(", "));
            let own = Line::new("move", Rule("12.1"), text).at(to).fact("cost", cost).sum("cost", sum);
            cx.tell.tell(own.only(m.side));
            let text = format!("{} units move {path}.", names.len());
            cx.tell.tell(Line::new("move", Rule("12.1"), text).at(to).only(m.side.foe()));
        }
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            self.s.used[u.ix()] += cost;
            if whole {
                self.mark(u, flag::SPENT);
            }
            self.put(u, Place::Hex(to));
        }
        for i in markers {
            self.carry(i, to);
        }
        let entered = route.hexes(grid).skip(usize::from(m.at.is_some()));
        for h in entered {
            self.enter(m.side, h, cx);
            if self.s.end.is_some() {
                return;
            }
        }
        self.settle_hand();
    }

    /// Takes a marker along; the Soviet aircraft stay behind beyond their range (10.4).
    pub fn carry(&mut self, i: usize, to: Hex) {
        let far = i < self.airs() && self.air_side(i) == Side::Two && !self.near_moscow(to);
        self.s.air[i] = if far { Hex::NONE } else { to };
        self.s.escort |= 1 << i;
    }

    /// Puts the hand down when nothing in it can go on.
    pub fn settle_hand(&mut self) {
        if self.s.hand.iter().all(|&u| self.left_of(u, self.moving_state(u)) == 0) {
            self.stop();
        }
    }

    /// Ends the movement of the units in hand.
    pub fn stop(&mut self) {
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            self.mark(u, flag::MOVED);
        }
        self.s.hand.clear();
        self.s.escort = 0;
        if self.s.frames.last() == Some(&Frame::Hand) {
            self.s.frames.pop();
        }
    }

    /// Why a choice is not legal while units are in hand.
    pub fn why_not_hand(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::ADD, Object::Unit(u)) => self.why_not_add(u),
            (verbs::ADDALL, Object::Nothing) => {
                let place = self.s.stacks.place(self.s.hand[0]);
                let n = self.s.stacks.of(place).filter(|&u| self.why_not_add(u).is_none()).count();
                (n < 2).then(|| Illegal::new(Rule("12.5"), "there are not several units left to add"))
            }
            (verbs::ESCORT, Object::Unit(u)) => {
                let here = self.air_index(u).is_some_and(|i| {
                    self.hand_hex() == Some(self.s.air[i])
                        && self.air_side(i) == self.info(self.s.hand[0]).side
                        && !self.goes_along(i)
                });
                (!here)
                    .then(|| Illegal::new(Rule("10.2"), format!("{} is not here to be taken", self.code(u))))
            }
            (verbs::DROP, Object::Unit(u)) => {
                if !self.s.hand.contains(&u) || self.s.hand.len() < 2 {
                    return Some(Illegal::new(
                        Rule("12.6"),
                        format!("{} cannot be left behind", self.code(u)),
                    ));
                }
                self.mover().fresh.then(|| Illegal::new(Rule("12.6"), "the units in hand have not moved yet"))
            }
            (verbs::GO, Object::Route(r)) => self.why_not_go(r),
            (verbs::GO, Object::Hex(h)) => {
                let why = format!("name the path to {}", self.data.map.called(h));
                Some(Illegal::new(Rule("12.1"), why))
            }
            (verbs::ASSAULT, Object::Hex(h)) => self.why_not_assault(&self.mover(), h),
            (verbs::STOP, Object::Nothing) => None,
            _ => Some(Illegal::new(Rule("12.2"), "finish the move in hand first")),
        }
    }

    /// Plays a choice while units are in hand.
    pub fn play_hand(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::ADD, Object::Unit(u)) => self.s.hand.push(u),
            (verbs::ADDALL, _) => {
                let place = self.s.stacks.place(self.s.hand[0]);
                let all: Vec<Unit> =
                    self.s.stacks.of(place).filter(|&u| self.why_not_add(u).is_none()).collect();
                self.s.hand.extend(all);
            }
            (verbs::ESCORT, Object::Unit(u)) => {
                if let Some(i) = self.air_index(u) {
                    self.s.escort |= 1 << i;
                }
            }
            (verbs::DROP, Object::Unit(u)) => self.s.hand.retain(|&v| v != u),
            (verbs::GO, Object::Route(r)) => self.go(r, cx),
            (verbs::ASSAULT, Object::Hex(h)) => self.assault(h, cx),
            _ => self.stop(),
        }
    }

    /// The weather code of a zone, for words.
    pub fn weather_word(&self, w: Weather) -> &str {
        &self.data.charts.condition(w).name
    }
}

impl Mover {
    /// What a river costs in a weather zone.
    pub fn river_cost(&self, south: bool) -> u8 {
        self.river[usize::from(south)]
    }
}

impl Reached {
    /// What it costs to reach a hex, if it can be reached.
    pub fn cost(&self, h: Hex) -> Option<u8> {
        (self.cost[h.ix()] != NEVER).then_some(self.cost[h.ix()])
    }

    /// The hexes reached.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + '_ {
        self.set.iter().map(|&h| Hex(h))
    }
}
