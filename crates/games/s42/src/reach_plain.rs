//! The reach of a group again, written plainly: each kind of movement for itself, each step priced by the rules that judge a
//! route. The fast field of [`crate::spread`] is compared with it in random play.

use crate::reach::{Mode, Mover, NEVER};
use crate::state::Pos;
use hex::{Dir, Hex, HexSet, Route};

#[derive(Default)]
struct Room {
    cost: Vec<u8>,
    dir: Vec<u8>,
    set: Vec<u16>,
    buckets: Vec<Vec<u16>>,
}

impl Pos {
    /// Proves that the units in hand reach by the fast field what they reach by the plain one, at the same cost.
    pub fn reach_holds(&self) -> Result<(), String> {
        if self.s.hand.is_empty() {
            return Ok(());
        }
        let m = self.mover();
        let priced = |r: Route| self.price(&m, r).map(|p| p.0).map_err(|i| i.to_string());
        let mut plain = Vec::new();
        self.plain_reach(&m, |h, r, mode| plain.push((h, mode, priced(r))));
        let mut fast = Vec::new();
        self.reach(&m, |h, r, mode| fast.push((h, mode, priced(r))));
        plain.sort_by_key(|x| x.0);
        fast.sort_by_key(|x| x.0);
        if plain == fast {
            return Ok(());
        }
        let odd =
            plain.iter().find(|x| !fast.contains(x)).or_else(|| fast.iter().find(|x| !plain.contains(x)));
        let at = odd.map(|x| self.data.map.called(x.0)).unwrap_or_default();
        Err(format!("{}: the plain reach differs at {at}: {odd:?}", self.codes(&self.s.hand)))
    }

    /// Every hex that a mover can reach, each once by its cheapest way: the route and how.
    fn plain_reach(&self, m: &Mover, mut each: impl FnMut(Hex, Route, Mode)) {
        let room = &mut Room::default();
        {
            room.cost.resize(self.data.map.grid().len(), NEVER);
            room.dir.resize(self.data.map.grid().len(), 6);
            let mut told = HexSet::empty();
            if let Some(h) = m.at {
                told.insert(h);
            }
            let mut run = |budget: u8, mode: Mode, room: &mut Room| {
                self.plain_spread(m, budget, mode, room);
                for i in 0..room.set.len() {
                    let h = Hex(room.set[i]);
                    if told.insert(h)
                        && let Some(route) = self.plain_way(m, h, room)
                    {
                        each(h, route, mode);
                    }
                }
                for &h in &room.set {
                    room.cost[usize::from(h)] = NEVER;
                    room.dir[usize::from(h)] = 6;
                }
            };
            run(m.normal, Mode::Normal, room);
            if let Some(e) = m.extended {
                run(e, Mode::Extended, room);
            }
            run(m.tactical, Mode::Tactical, room);
        }
    }

    fn plain_spread(&self, m: &Mover, budget: u8, mode: Mode, room: &mut Room) {
        let grid = self.data.map.grid();
        room.set.clear();
        let most = usize::from(budget) + 1;
        if room.buckets.len() < most {
            room.buckets.resize(most, Vec::new());
        }
        room.buckets.iter_mut().for_each(Vec::clear);
        let tactical = mode == Mode::Tactical;
        let most_hexes = m.hexes;
        match m.at {
            Some(h) => {
                room.cost[h.ix()] = 0;
                room.set.push(h.0);
                room.buckets[0].push(h.0);
            }
            None => {
                for h in &m.entries {
                    let c = if tactical { 1 } else { self.entry_cost(m, h) };
                    let near = mode == Mode::Extended && self.near_enemy(m.side, h);
                    if c <= budget && !near && self.open_to(m, h) && most_hexes > 0 {
                        room.cost[h.ix()] = c;
                        room.set.push(h.0);
                        room.buckets[usize::from(c)].push(h.0);
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
                // 6.2: a ZOC ends the move that enters it; 21.4: one hex is all.
                if !start && (self.in_ezoc(m.side, h) || most_hexes <= 1 || self.contested(h)) {
                    continue;
                }
                if start && most_hexes == 0 {
                    continue;
                }
                for (d, n) in grid.neighbours(h) {
                    let c = self.step_cost(m, h, d, n);
                    if c == NEVER {
                        continue;
                    }
                    let total = now + if tactical { 1 } else { usize::from(c) };
                    if total >= most || total >= usize::from(room.cost[n.ix()]) {
                        continue;
                    }
                    if mode == Mode::Extended && self.near_enemy(m.side, n) {
                        continue;
                    }
                    if !tactical && self.contested(n) {
                        continue;
                    }
                    if room.cost[n.ix()] == NEVER {
                        room.set.push(n.0);
                    }
                    room.cost[n.ix()] = total as u8;
                    room.dir[n.ix()] = d.ix() as u8;
                    room.buckets[total].push(n.0);
                }
            }
        }
    }

    fn plain_way(&self, m: &Mover, to: Hex, room: &Room) -> Option<Route> {
        let grid = self.data.map.grid();
        let mut dirs = [Dir::N; Route::MOST];
        let (mut n, mut at) = (0, to);
        while Some(at) != m.at && room.dir[at.ix()] < 6 {
            let d = Dir::from_ix(room.dir[at.ix()].into());
            *dirs.get_mut(n)? = d;
            n += 1;
            at = grid.neighbour(at, d.opposite())?;
        }
        Route::of(at, dirs[..n].iter().rev().copied())
    }
}
