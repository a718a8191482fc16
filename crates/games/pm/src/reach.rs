//! Section 12: what a step costs, and how far a group comes. Weather and nations change both.

use crate::costs::{Steps, Terms};
use crate::data::{Data, NEVER, boxes};
use crate::map::side;
use crate::state::{Pos, flag};
use crate::units::Class;
use game::Illegal;
use hex::{Dir, Hex, HexSet, Route};
use std::cell::RefCell;
use table::{Place, Points, Rule, Side, Subject, Sum};
use text::count;

/// A group that moves as one: what it pays and where it may not go.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
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
    /// Why steps cost what they cost.
    pub terms: Terms,
    /// What steps cost.
    pub steps: &'a Steps,
    /// Hexes held by the enemy.
    foes: &'a HexSet,
    /// Hexes closed to its nations (5.3, 7.2-7.4, 8.5).
    barred: &'a HexSet,
}

/// A hex that a group can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Which.
    pub hex: Hex,
    /// What it costs.
    pub cost: u8,
    /// A cheapest way.
    pub way: Route,
}

/// The room in which reach is worked out, kept from one question to the next.
struct Room {
    /// By hex: the cost found so far; [`NEVER`] between two questions.
    cost: Vec<u8>,
    /// By hex: the node and the direction that it was found by.
    via: Vec<(u16, u8)>,
    nodes: Vec<Node>,
    /// By cost: hexes found at that cost.
    buckets: Vec<Vec<u16>>,
}

const START: u16 = u16::MAX;

thread_local! {
    static ROOM: RefCell<Room> = const {
        RefCell::new(Room { cost: Vec::new(), via: Vec::new(), nodes: Vec::new(), buckets: Vec::new() })
    };
}

impl Pos {
    /// The units in hand as one mover (12.7: the slowest decides).
    pub fn mover(&self) -> Mover<'_> {
        let first = self.s.hand[0];
        let data = &*self.data;
        let side = data.badges[first.ix()].side;
        let (mut classes, mut bar, mut left, mut fresh, mut hexes) = (0, 0, NEVER - 1, true, None);
        for &u in &self.s.hand {
            let badge = &data.badges[u.ix()];
            classes |= 1 << (badge.class as u8);
            bar |= Data::bar_of(badge.nation);
            left = left.min(self.left_of(u, self.moving_state(u)));
            fresh &= self.s.used[u.ix()] == 0 && !self.flagged(u, flag::SPENT);
            if side == Side::One && self.s.concentrated && !self.flagged(u, flag::CHOSEN) {
                hexes = Some(data.charts.numbers.unconcentrated_hexes as u8);
            }
        }
        if hexes.is_some() && !fresh {
            left = 0;
        }
        let mech = classes >> (Class::Mech as u8) & 1 != 0;
        let terms = Terms {
            classes,
            weather: self.s.weather,
            rivers: !(side == Side::One && self.s.turn == 1),
            highway: mech && !self.s.highway_over && !self.options.beginner,
        };
        // 5.3, 7.2-7.4, 8.5
        let bar = match side {
            Side::Two if self.border_closed() => 8,
            Side::One if !self.options.beginner => bar,
            _ => 0,
        };
        Mover {
            side,
            at: self.on_map(first),
            left,
            fresh,
            hexes,
            terms,
            steps: data.costs.steps(&data.map, &data.charts, &terms),
            foes: self.s.stacks.occupied(side.foe()),
            barred: data.barred(bar),
        }
    }

    /// Hexes through which the units in hand may come from an OKH area (8.2, 8.3).
    fn entries(&self, m: &Mover<'_>) -> HexSet {
        let map = &self.data.map;
        let area = match self.s.hand.first().map(|&u| self.s.stacks.place(u)) {
            Some(Place::Box(boxes::OKH_NORTH)) => &map.okh_north,
            Some(Place::Box(boxes::OKH_SOUTH)) => &map.okh_south,
            _ => return HexSet::empty(),
        };
        &(&(area & &map.land) - m.foes) - m.barred
    }

    /// Whether a hex is open to a mover, whatever it costs.
    pub fn open(&self, m: &Mover<'_>, h: Hex) -> bool {
        let map = &self.data.map;
        (map.land.contains(h) || (m.steps.lakes && map.lakes.contains(h)))
            && !m.foes.contains(h)
            && !m.barred.contains(h)
    }

    /// Whether a step crosses a strait that can be crossed with a whole move (12.16).
    pub fn strait(&self, m: &Mover<'_>, from: Hex, dir: usize) -> bool {
        self.data.map.sides[from.ix()][dir] & side::STRAIT != 0 && !m.steps.straits_frozen
    }

    /// 12.1: hands over all that the units in hand can reach, where they stand among it, in a fixed order.
    pub fn each_reached(&self, m: &Mover<'_>, visit: impl FnMut(&Node)) {
        ROOM.with_borrow_mut(|room| {
            room.work_out(self, m);
            room.nodes.iter().for_each(visit);
        });
    }

    /// The same as a list.
    pub fn reach(&self, m: &Mover<'_>) -> Vec<Node> {
        let mut all = Vec::new();
        self.each_reached(m, |n| all.push(*n));
        all
    }

    /// 8.3: what the first hex costs a unit that comes from an OKH area.
    pub fn entry_cost(&self, m: &Mover<'_>, h: Hex) -> u8 {
        let z = usize::from(self.data.map.south_weather.contains(h));
        m.steps.enter[z][self.data.map.terrain[h.ix()] as usize]
    }

    /// What a path known to be legal costs, and whether it takes the whole move; [`Pos::price`] gives the sum.
    pub fn cost_of(&self, m: &Mover<'_>, route: Route) -> Option<(u8, bool)> {
        let mut at = route.start();
        let mut total = 0u8;
        let mut whole = m.hexes.is_some();
        if m.at.is_none() {
            total = self.entry_cost(m, at);
        }
        for dir in route.dirs() {
            if self.strait(m, at, dir.ix()) {
                return Some((m.left, true));
            }
            total = total.saturating_add(m.steps.step(at, dir.ix()));
            at = self.data.map.grid().neighbour(at, dir)?;
        }
        if total > m.left {
            (total, whole) = (m.left, true);
        }
        Some((total, whole))
    }

    /// 12.21: the cost of a path as a sum, and whether the units in hand can take it.
    pub fn price(&self, m: &Mover<'_>, route: Route) -> Result<(u8, bool, Sum), Illegal> {
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
            if !self.open(m, to) {
                return Err(self.why_closed(m, to));
            }
            let step = m.steps.step(at, dir.ix());
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
                let why = format!("that needs more than the {} left", count(m.left, "movement point"));
                return Err(Illegal::new(Rule("12.1"), why).because(sum));
            }
            at = to;
        }
        Ok((total, whole || m.hexes.is_some(), sum))
    }

    /// Why a hex is closed to a mover.
    pub fn why_closed(&self, m: &Mover<'_>, h: Hex) -> Illegal {
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

impl Room {
    /// Settles hexes by cost, cheapest first.
    fn work_out(&mut self, p: &Pos, m: &Mover<'_>) {
        let grid = p.data.map.grid();
        if self.cost.len() < grid.len() {
            self.cost.resize(grid.len(), NEVER);
            self.via.resize(grid.len(), (START, 0));
        }
        let most = usize::from(m.left) + 1;
        if self.buckets.len() < most {
            self.buckets.resize(most, Vec::new());
        }
        self.nodes.clear();
        match m.at {
            Some(h) => self.find(h, 0, (START, 0)),
            None => {
                for h in &p.entries(m) {
                    let c = p.entry_cost(m, h);
                    if c <= m.left {
                        self.find(h, c, (START, 0));
                    }
                }
            }
        }
        let deep = m.hexes.is_none();
        for c in 0..=m.left {
            let mut i = 0;
            while let Some(&h) = self.buckets[usize::from(c)].get(i) {
                i += 1;
                let from = Hex(h);
                if self.cost[from.ix()] != c || !self.settle(from, c) {
                    continue;
                }
                if c == m.left || (!deep && Some(from) != m.at) {
                    continue;
                }
                let (node, row) = (self.nodes.len() as u16 - 1, m.steps.row(from));
                for (d, &to) in grid.six(from).iter().enumerate() {
                    // NEVER is beyond every budget.
                    let total = c.saturating_add(row[d]);
                    if total > m.left
                        || total >= self.cost[to.ix()]
                        || m.foes.contains(to)
                        || m.barred.contains(to)
                    {
                        continue;
                    }
                    self.find(to, total, (node, d as u8));
                }
            }
            self.buckets[usize::from(c)].clear();
        }
        if m.fresh {
            self.whole_moves(p, m);
        }
        for n in &self.nodes {
            self.cost[n.hex.ix()] = NEVER;
        }
    }

    #[inline]
    fn find(&mut self, h: Hex, cost: u8, via: (u16, u8)) {
        self.cost[h.ix()] = cost;
        self.via[h.ix()] = via;
        self.buckets[usize::from(cost)].push(h.0);
    }

    /// Makes a node of a hex whose cost is known for good; false if its way has too many steps to be written.
    #[inline]
    fn settle(&mut self, hex: Hex, cost: u8) -> bool {
        let (node, dir) = self.via[hex.ix()];
        let way = match self.nodes.get(usize::from(node)) {
            None => Some(Route::from(hex)),
            Some(n) => n.way.push(Dir::from_ix(dir.into())),
        };
        match way {
            Some(way) => self.nodes.push(Node { hex, cost, way }),
            None => self.cost[hex.ix()] = NEVER,
        }
        way.is_some()
    }

    /// 12.3, 12.16, 8.3: one hex for all there is, at the beginning of a move only.
    fn whole_moves(&mut self, p: &Pos, m: &Mover<'_>) {
        let Some(at) = m.at else {
            for hex in &p.entries(m) {
                if self.cost[hex.ix()] == NEVER {
                    self.nodes.push(Node { hex, cost: m.left, way: Route::from(hex) });
                }
            }
            return;
        };
        for (d, &to) in p.data.map.grid().six(at).iter().enumerate() {
            let new = to.is_some() && self.cost[to.ix()] == NEVER && p.open(m, to);
            if new
                && (p.strait(m, at, d) || m.steps.step(at, d) != NEVER)
                && let Some(way) = Route::from(at).push(Dir::from_ix(d))
            {
                self.nodes.push(Node { hex: to, cost: m.left, way });
            }
        }
    }
}
