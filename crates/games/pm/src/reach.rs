//! Section 12: what a step costs, and how far a group comes. Weather and nations change both.

use crate::data::{NEVER, boxes};
use crate::map::{Terrain, side};
use crate::state::{Pos, flag};
use crate::units::{Class, Nation};
use game::Illegal;
use hex::{Dir, Hex, HexSet, Route};
use std::cell::RefCell;
use table::{Place, Points, Rule, Side, Subject, Sum};

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
    pub fn way(&self, r: &Reached, m: &Mover, to: Hex) -> Option<Route> {
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
