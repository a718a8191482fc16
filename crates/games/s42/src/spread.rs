//! Section 5: how far a group comes by each kind of movement.

use crate::reach::{Mode, Mover, NEVER};
use crate::state::Pos;
use crate::steps::{RIVER, Steps};
use hex::{Dir, Hex, HexSet, Route};
use std::cell::RefCell;
use table::Side;

/// What a spread works on, kept between queries.
#[derive(Default)]
struct Room {
    /// By hex: halves or hexes spent, [`NEVER`] when not reached.
    cost: Vec<u8>,
    /// By hex: the direction of the last step; 6 where a way begins.
    dir: Vec<u8>,
    /// By hex: its place in `settled`.
    place: Vec<u16>,
    /// Hexes in the order in which their cost became known, and their ways.
    settled: Vec<(Hex, Option<Route>)>,
    /// Every hex with a cost.
    touched: Vec<u16>,
    buckets: Vec<Vec<u16>>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::new(Room::default());
}

/// Where a group may go now, put together once for all kinds of movement.
struct Field<'a> {
    m: &'a Mover,
    steps: &'a Steps,
    /// Hexes that it may enter: no enemy, no enemy bond (7.2), nothing that Full Retreat forbids (13.3.2).
    open: HexSet,
    /// Contested cities: entered by Tactical Movement alone (29.1.2).
    contested: HexSet,
    /// Hexes beside an enemy (5.3).
    near: &'a HexSet,
    /// Hexes that end a move: enemy ZOC (6.2).
    zoc: &'a HexSet,
    /// 5.5.3: the hexes that the Flotilla joins, and the direction from the first to the second.
    ferried: Option<(Hex, Hex, Dir)>,
    /// 29.1.2: the group begins in a contested city.
    caught: bool,
}

/// One kind of movement in such a field.
#[derive(Clone, Copy)]
struct Run {
    /// Halves, or hexes.
    budget: u8,
    /// What lies beyond this may not be beside an enemy.
    free: u8,
    /// Hexes are counted.
    tactical: bool,
    /// No hex beside an enemy at all.
    shy: bool,
}

impl Room {
    fn clear(&mut self, len: usize) {
        for &h in &self.touched {
            self.cost[usize::from(h)] = NEVER;
        }
        self.touched.clear();
        self.settled.clear();
        self.cost.resize(len, NEVER);
        self.dir.resize(len, 6);
        self.place.resize(len, 0);
    }

    #[inline]
    fn label(&mut self, h: Hex, total: u8, dir: u8) {
        if self.cost[h.ix()] == NEVER {
            self.touched.push(h.0);
        }
        self.cost[h.ix()] = total;
        self.dir[h.ix()] = dir;
        self.buckets[usize::from(total)].push(h.0);
    }
}

impl Pos {
    fn field<'a>(&'a self, m: &'a Mover) -> Field<'a> {
        let z = &self.s.zones;
        let (own, foe) = (m.side.ix(), m.side.foe().ix());
        let mut open = self.scene().land.clone();
        let mut contested = HexSet::empty();
        if self.options.contested {
            contested = &z.combat[own] & &z.combat[foe];
            open -= &(&z.combat[foe] - &z.combat[own]);
        } else {
            open -= &z.combat[foe];
        }
        open -= &z.hex_bonds[foe];
        if m.fleeing {
            open -= &(&z.zoc[foe] - &z.steady[own]);
            let cities = &self.data.map.cities;
            open -=
                &if m.side == Side::One { cities - &self.s.axis_held } else { cities & &self.s.axis_held };
        }
        let ferried = if m.side == Side::Two { self.ferried() } else { None };
        Field {
            m,
            steps: self.steps(m),
            open,
            near: &z.beside[foe],
            zoc: &z.zoc[foe],
            ferried,
            caught: !self.s.city_battles.is_empty() && m.at.is_some_and(|h| contested.contains(h)),
            contested,
        }
    }

    /// Every hex that a mover can reach, each once by its cheapest way: the route and how.
    pub fn reach(&self, m: &Mover, mut each: impl FnMut(Hex, Route, Mode)) {
        let f = self.field(m);
        ROOM.with_borrow_mut(|room| {
            let mut told = HexSet::empty();
            told.extend(m.at);
            let mut tell = |room: &Room, mode: &dyn Fn(u8) -> Mode| {
                for &(h, route) in &room.settled {
                    if let Some(route) = route
                        && told.insert(h)
                    {
                        each(h, route, mode(room.cost[h.ix()]));
                    }
                }
            };
            let normal = Run { budget: m.normal, free: m.normal, tactical: false, shy: false };
            let far = m.extended.unwrap_or(0).max(m.normal);
            if far > 0 {
                // Extended Movement goes on where normal movement ends, unless a way leads past an enemy that has no ZOC.
                if self.spread_out(&f, Run { budget: far, ..normal }, room) {
                    let mode = |cost| if cost <= m.normal { Mode::Normal } else { Mode::Extended };
                    tell(room, &mode);
                } else {
                    self.spread_out(&f, normal, room);
                    tell(room, &|_| Mode::Normal);
                    self.spread_out(&f, Run { budget: far, free: far, shy: true, ..normal }, room);
                    tell(room, &|_| Mode::Extended);
                }
            }
            if m.tactical > 0 {
                let hexes = m.tactical;
                self.spread_out(&f, Run { budget: hexes, free: hexes, tactical: true, shy: false }, room);
                tell(room, &|_| Mode::Tactical);
            }
        });
    }

    /// Settles hexes by their cost. False if a way beyond what is free would lead on from a hex beside an enemy.
    fn spread_out(&self, f: &Field<'_>, run: Run, room: &mut Room) -> bool {
        let grid = self.data.map.grid();
        room.clear(grid.len());
        let most = usize::from(run.budget) + 1;
        if room.buckets.len() < most {
            room.buckets.resize(most, Vec::new());
        }
        room.buckets.iter_mut().for_each(Vec::clear);
        let m = f.m;
        match m.at {
            Some(h) => room.label(h, 0, 6),
            None => {
                for h in &(&m.entries & &f.open) {
                    let cost = if run.tactical { 1 } else { self.entry_cost(m, h) };
                    let barred = f.near.contains(h) && (run.shy || cost > run.free);
                    if cost <= run.budget && !barred && m.hexes > 0 {
                        room.label(h, cost, 6);
                    }
                }
            }
        }
        for now in 0..most {
            let mut i = 0;
            while i < room.buckets[now].len() {
                let h = Hex(room.buckets[now][i]);
                i += 1;
                if usize::from(room.cost[h.ix()]) != now {
                    continue;
                }
                let start = Some(h) == m.at;
                room.settle(h, grid);
                // 6.2: a ZOC ends the move that enters it; 21.4: one hex is all.
                let ends = f.zoc.contains(h) || m.hexes <= 1 || f.contested.contains(h);
                if if start { m.hexes == 0 } else { ends } {
                    continue;
                }
                if !start && run.free < run.budget && f.near.contains(h) {
                    return false;
                }
                self.steps_from(f, run, h, now, room);
            }
        }
        true
    }

    /// Labels what one step leads to from a hex.
    #[inline]
    fn steps_from(&self, f: &Field<'_>, run: Run, h: Hex, now: usize, room: &mut Room) {
        let z = &self.s.zones;
        let (own, foe) = (f.m.side.ix(), f.m.side.foe().ix());
        let costs = &f.steps.cost[h.ix()];
        let bonded = z.sided[foe].contains(h);
        let leave = if f.zoc.contains(h) && !f.m.slips { 2 * self.data.charts.movement.leave_zoc } else { 0 };
        for (d, &n) in self.data.map.grid().six(h).iter().enumerate() {
            let mut cost = costs[d];
            if cost == NEVER {
                // 5.5.3: the Flotilla carries over one hexside of the Volga.
                match f.ferried {
                    Some((a, b, way)) if (a, way.ix()) == (h, d) || (b, way.opposite().ix()) == (h, d) => {
                        cost = self.ferry_cost(f.m, h, d, n);
                    }
                    _ => continue,
                }
            }
            if !f.open.contains(n) || bonded && z.side_bonds[foe][d].contains(h) {
                continue;
            }
            if cost & RIVER != 0 {
                if h != f.m.origin && !self.pontoon(f.m, h, n) {
                    continue;
                }
                cost &= !RIVER;
            }
            if f.caught && Some(h) == f.m.at && f.zoc.contains(n) && !z.combat[own].contains(n) {
                continue;
            }
            let total = now + if run.tactical { 1 } else { usize::from(cost + leave) };
            if total > usize::from(run.budget) || total >= usize::from(room.cost[n.ix()]) {
                continue;
            }
            if f.near.contains(n) && (run.shy || total > usize::from(run.free)) {
                continue;
            }
            if !run.tactical && f.contested.contains(n) {
                continue;
            }
            room.label(n, total as u8, d as u8);
        }
    }

    /// 5.5.3: what a step with the Flotilla costs: as over a Major River.
    fn ferry_cost(&self, m: &Mover, h: Hex, d: usize, n: Hex) -> u8 {
        let map = &self.data.map;
        let rows = if self.s.wet { &map.terrain_wet } else { &map.terrain };
        let rates = &self.steps(m).rates;
        rates.enter(rows[n.ix()], map.sides[h.ix()][d]) + rates.major
    }
}

impl Room {
    /// The cost of a hex is known: its way is that of the hex before it, and one step.
    #[inline]
    fn settle(&mut self, h: Hex, grid: &hex::Grid) {
        let d = usize::from(self.dir[h.ix()]);
        let route = if d < 6 {
            let before = grid.six(h)[Dir::from_ix(d).opposite().ix()];
            self.settled[usize::from(self.place[before.ix()])].1.and_then(|r| r.push(Dir::from_ix(d)))
        } else {
            Some(Route::from(h))
        };
        self.place[h.ix()] = self.settled.len() as u16;
        self.settled.push((h, route));
    }
}
