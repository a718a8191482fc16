//! Section 16: Lines of Supply and Isolation.

use crate::map::{Sea, side};
use crate::state::{Cx, Pos, Supplied, flag};
use crate::units::is;
use game::Line;
use hex::{Dir, Hex, HexSet};
use std::cell::RefCell;
use table::{Place, Points, Rule, Side, Sum, Unit};

#[derive(Default)]
struct Room {
    /// By hex and run: cost + 1, 0 when not reached.
    best: Vec<[u8; 2]>,
    queue: Vec<Vec<(u16, u8)>>,
    stack: Vec<u16>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::new(Room::default());
}

/// As far as a line may go when its length has no limit.
const UNLIMITED: u8 = u8::MAX;

impl Pos {
    /// 16.2.4: who controls the Sea of Azov: the holder of Temryuk, if his line reaches it.
    pub fn azov(&self) -> Option<Side> {
        // The line to Temryuk itself is judged from the other sources, or it would hold itself up.
        let temryuk = self.data.map.temryuk;
        let holder = if self.holds_port(temryuk) { Side::One } else { Side::Two };
        if !self.scene().land.contains(temryuk) {
            return None;
        }
        let mut roads = HexSet::empty();
        self.road_flood(holder, &self.sources(holder, false), &mut roads);
        let black: HexSet = self
            .data
            .map
            .ports
            .iter()
            .filter(|(h, sea)| match sea {
                Sea::Black => holder == Side::Two && !self.holds_port(*h),
                Sea::Kerch => holder == Side::One && self.holds_port(*h),
                Sea::Azov => false,
            })
            .map(|(h, _)| *h)
            .collect();
        let mut more = HexSet::empty();
        self.road_flood(holder, &black, &mut more);
        let mut los = HexSet::empty();
        let lines = &self.data.charts.supply;
        let most = if self.soft() { lines.overland_rain } else { lines.overland };
        self.overland_flood(holder, &(&roads | &more), &self.sources(holder, false), most, &mut los);
        los.contains(temryuk).then_some(holder)
    }

    /// 16.2: the sources of a side: hexes of friendly Entry Areas and ports.
    pub fn sources(&self, s: Side, ports: bool) -> HexSet {
        let scene = self.scene();
        let mut out = HexSet::empty();
        for (i, a) in self.data.areas.iter().enumerate() {
            let closed = (self.s.winter && a.name == self.data.charts.weather.winter_closes)
                || (a.name == self.data.charts.victory.baku_area && self.axis_at_baku());
            if scene.friendly[s] >> i & 1 != 0 && !closed {
                out |= &(&a.hexes & &scene.land);
            }
        }
        let west_of = &self.scenario().special.axis_supply_roads_north_edge_west_of;
        if s == Side::One
            && let Some(limit) = self.data.map.grid().find(west_of)
        {
            // S2.2: only roads that lead off the north edge west of that hex.
            let grid = self.data.map.grid();
            let east: Vec<Hex> = out.iter().filter(|&h| grid.column(h) >= grid.column(limit)).collect();
            for h in east {
                out.remove(h);
            }
        }
        if ports {
            let azov = self.azov();
            for &(h, sea) in &self.data.map.ports {
                let axis_port = self.holds_port(h);
                let serves = match sea {
                    Sea::Kerch => s == Side::One && axis_port,
                    Sea::Black => s == Side::Two && !axis_port,
                    Sea::Azov => azov == Some(s) && axis_port == (s == Side::One),
                };
                if serves && scene.land.contains(h) {
                    out.insert(h);
                }
            }
        }
        out
    }

    /// Whether the Axis controls a port: by its marker if it has one, else by who stands there or came last.
    pub fn holds_port(&self, h: Hex) -> bool {
        if self.data.map.held.contains(h) {
            return self.s.axis_held.contains(h);
        }
        self.s.axis_ports.contains(h)
    }

    /// 16.3.4: a city or VP hex that the enemy controls and nobody of ours stands in.
    #[inline]
    fn closed_town(&self, s: Side, h: Hex) -> bool {
        self.data.map.held.contains(h)
            && self.s.axis_held.contains(h) != (s == Side::One)
            && !self.has_combat(s, h)
    }

    /// Whether enemy Combat Units bar a line in a hex: not where both sides share a city (29).
    #[inline]
    fn foe_bars(&self, s: Side, h: Hex) -> bool {
        self.s.zones.combat[s.foe().ix()].contains(h) && !self.contested(h)
    }

    /// Whether an enemy ZOC counts against a line in a hex: units of the side negate it.
    #[inline]
    fn zoc_bars(&self, s: Side, h: Hex) -> bool {
        self.in_ezoc(s, h) && !self.s.zones.combat[s.ix()].contains(h)
    }

    /// Works out what supply reaches for a side, if it is not known.
    pub fn check_supply(&mut self, s: Side) {
        if !self.s.supplied.fresh[s.ix()] {
            let mut sup = std::mem::take(&mut self.s.supplied);
            self.trace_supply(s, &mut sup);
            sup.fresh[s.ix()] = true;
            self.s.supplied = sup;
        }
    }

    /// What supply reaches for both sides, worked out anew if need be.
    pub fn fresh_supply(&self) -> Supplied {
        let mut sup = self.s.supplied.0.clone();
        for s in Side::BOTH {
            if !sup.fresh[s.ix()] {
                self.trace_supply(s, &mut sup);
                sup.fresh[s.ix()] = true;
            }
        }
        sup
    }

    fn trace_supply(&self, s: Side, sup: &mut Supplied) {
        let sources = self.sources(s, true);
        let i = s.ix();
        self.road_flood(s, &sources, &mut sup.road[i]);
        let rain = self.soft();
        let lines = &self.data.charts.supply;
        let most = if rain { lines.overland_rain } else { lines.overland };
        let edge = self.sources(s, false);
        self.overland_flood(s, &sup.road[i], &edge, most, &mut sup.los[i]);
        self.overland_flood(s, &sup.road[i], &edge, UNLIMITED, &mut sup.unlimited[i]);
        self.rail_flood(s, &sources, &mut sup.rail[i]);
    }

    /// 16.3.3: road hexes from which a source is reached along roads.
    pub fn road_flood(&self, s: Side, sources: &HexSet, out: &mut HexSet) {
        out.clear();
        let map = &self.data.map;
        let grid = map.grid();
        let open = |h: Hex| {
            self.scene().land.contains(h)
                && !self.foe_bars(s, h)
                && !self.zoc_bars(s, h)
                && !self.closed_town(s, h)
        };
        ROOM.with_borrow_mut(|room| {
            room.stack.clear();
            for h in sources {
                if (map.roads[h.ix()] != 0 || map.ports.iter().any(|(p, _)| *p == h)) && open(h) {
                    out.insert(h);
                    room.stack.push(h.0);
                }
            }
            while let Some(h) = room.stack.pop() {
                let h = Hex(h);
                for (d, n) in grid.neighbours(h) {
                    let bits = map.sides[h.ix()][d.ix()];
                    let ferry = (bits & side::FERRY != 0 || self.flotilla_at(s, h, d))
                        && map.roads[h.ix()] != 0
                        && map.roads[n.ix()] != 0;
                    let crossing = bits & side::VOLGA == 0 || ferry || bits & side::ROAD_BRIDGE != 0;
                    if (bits & side::ROAD == 0 && !ferry) || !crossing {
                        continue;
                    }
                    let alpine = bits & side::ALPINE != 0 && self.s.winter;
                    if !alpine && !out.contains(n) && open(n) {
                        out.insert(n);
                        room.stack.push(n.0);
                    }
                }
            }
        });
    }

    /// 16.3.2: all hexes from which an overland line of at most `most` hexes comes to such a road or to an Entry Area.
    fn overland_flood(&self, s: Side, roads: &HexSet, edge: &HexSet, most: u8, out: &mut HexSet) {
        out.clear();
        let map = &self.data.map;
        let grid = map.grid();
        let wet = self.s.wet;
        let land = &self.scene().land;
        let limited = most != UNLIMITED;
        ROOM.with_borrow_mut(|room| {
            room.best.clear();
            room.best.resize(grid.len(), [0; 2]);
            room.queue.resize(usize::from(most.min(8)) + 1, Vec::new());
            room.queue.iter_mut().for_each(Vec::clear);
            // The line is followed from its end: a hex of the road, or one beside an Entry Area.
            let start = |room: &mut Room, h: Hex, cost: u8| {
                if !land.contains(h) || self.foe_bars(s, h) || self.closed_town(s, h) {
                    return;
                }
                let run = u8::from(self.zoc_bars(s, h));
                let best = &mut room.best[h.ix()][usize::from(run)];
                if *best == 0 || *best > cost + 1 {
                    *best = cost + 1;
                    room.queue[usize::from(cost)].push((h.0, run));
                }
            };
            for h in roads {
                start(room, h, 0);
            }
            for h in edge {
                start(room, h, u8::from(limited));
            }
            let levels = room.queue.len();
            for now in 0..levels {
                let mut i = 0;
                while i < room.queue[now].len() {
                    let (h, run) = room.queue[now][i];
                    i += 1;
                    let h = Hex(h);
                    out.insert(h);
                    for (d, n) in grid.neighbours(h) {
                        if !land.contains(n) || self.foe_bars(s, n) || self.closed_town(s, n) {
                            continue;
                        }
                        let bits = map.sides[h.ix()][d.ix()];
                        if self.apart_for_supply(s, h, d, bits) {
                            continue;
                        }
                        // The line runs from `n` to `h`: neither into an enemy bond nor across one.
                        if self.bonded(s, n, d.opposite(), h) {
                            continue;
                        }
                        let step = if limited && bits & side::ROAD == 0 {
                            map.ground(h, wet).supply
                        } else {
                            u8::from(limited)
                        };
                        let total = now + usize::from(step);
                        if total >= levels {
                            continue;
                        }
                        let barred = self.zoc_bars(s, n);
                        // A unit's own hex is not entered: it may stand in a ZOC at the end of such a run.
                        if barred && run == 1 {
                            out.insert(n);
                            continue;
                        }
                        let next = u8::from(barred);
                        let best = room.best[n.ix()];
                        let cost = (total + 1) as u8;
                        let clean = best[0] != 0 && best[0] <= cost;
                        let dirty = next == 1 && best[1] != 0 && best[1] <= cost;
                        if clean || dirty {
                            continue;
                        }
                        room.best[n.ix()][usize::from(next)] = cost;
                        room.queue[total].push((n.0, next));
                    }
                }
            }
        });
    }

    /// 16.3.2: hexsides that a line cannot cross. The Volga is crossed at ferries, with the Flotilla and by the bridge.
    fn apart_for_supply(&self, s: Side, h: Hex, d: Dir, bits: u16) -> bool {
        if bits & side::VOLGA != 0 {
            return bits & (side::FERRY | side::RAIL_BRIDGE) == 0 && !self.flotilla_at(s, h, d);
        }
        bits & side::SEA != 0
            || (bits & side::LAKE != 0 && !self.ice(bits))
            || (bits & side::ALPINE != 0 && (self.s.winter || bits & side::ROAD == 0))
    }

    /// Whether a hex has a Line of Supply for a side. [`Pos::check_supply`] must have been called.
    #[inline]
    pub fn has_los(&self, s: Side, h: Hex) -> bool {
        self.s.supplied.los[s.ix()].contains(h)
    }

    /// Whether a unit is in supply at this instant (16.1); units in friendly Entry Areas are.
    pub fn in_supply(&self, u: Unit) -> bool {
        match self.s.stacks.place(u) {
            Place::Hex(h) => self.has_los(self.side(u), h),
            Place::Box(b) if self.at_baku(u) => {
                self.data.area_of(b).is_some_and(|a| self.data.areas[a].hexes.meets(&self.s.supplied.road[0]))
            }
            Place::Box(b) => match self.army_of(b) {
                Some(army) => self.in_supply(army),
                None => self.friendly_area(self.side(u), b),
            },
        }
    }

    /// 16.1, 16.5: checks the supply of a side's units, marks them, and rolls for Isolation Attrition.
    pub fn supply_phase(&mut self, s: Side, cx: &mut Cx<'_>) {
        self.check_supply(s);
        let units: Vec<Unit> = self.s.stacks.units().filter(|&u| self.side(u) == s).collect();
        for &u in &units {
            let Some(h) = self.on_map(u) else {
                self.unmark(u, flag::OUT | flag::ISOLATED);
                self.baku_attrition(u, cx);
                continue;
            };
            let i = s.ix();
            let out = !self.s.supplied.los[i].contains(h);
            let isolated = !self.s.supplied.unlimited[i].contains(h);
            let was = self.flagged(u, flag::OUT);
            self.s.flags[u.ix()] &= !(flag::OUT | flag::ISOLATED);
            if out || isolated {
                self.s.flags[u.ix()] |= flag::OUT;
            }
            if isolated {
                self.s.flags[u.ix()] |= flag::ISOLATED;
            }
            if (out || isolated) != was {
                let what = if was { "is in supply again" } else { "is out of supply" };
                let text = format!("{} {what}.", self.code(u));
                cx.say(|| Line::new("supply", Rule("16.1"), text).at(h));
            }
        }
        for &u in &units {
            self.attrition(u, cx);
        }
    }

    /// 16.5.1-16.5.3: a unit that is Isolated beside an enemy rolls.
    fn attrition(&mut self, u: Unit, cx: &mut Cx<'_>) {
        let Some(h) = self.on_map(u) else { return };
        let s = self.side(u);
        let hit = self.flagged(u, flag::ISOLATED) && self.combat(u) && !self.is(u, is::ASU);
        if !hit || !self.near_enemy(s, h) {
            return;
        }
        let die = cx.d6();
        let mods = self.isolation_sum(u, h);
        let roll = (i32::from(die) + mods.total().floor()).clamp(1, 6);
        let lost = self.data.charts.isolation.results[roll as usize - 1] == "step";
        let what = if lost { "loses a step" } else { "holds out" };
        let text = format!("{} is Isolated in {} and {what}.", self.code(u), self.data.map.called(h));
        cx.say(|| {
            Line::new("attrition", Rule("16.5.3"), text)
                .at(h)
                .fact("die", die)
                .fact("roll", roll)
                .fact("result", if lost { "step" } else { "none" })
                .sum("attrition", mods)
        });
        if lost {
            self.lose_step(u);
        }
    }

    /// Whether an Axis unit is on the way to Baku (24.1.2).
    fn at_baku(&self, u: Unit) -> bool {
        let Place::Box(b) = self.s.stacks.place(u) else { return false };
        self.side(u) == Side::One
            && self.scenario().campaign_rules
            && self.data.lexicon.boxed(b) == self.data.charts.victory.baku_area
    }

    /// 24.1.2: units on the way to Baku feel want of supply; Isolated ones roll, with an airfield.
    fn baku_attrition(&mut self, u: Unit, cx: &mut Cx<'_>) {
        if !self.at_baku(u) || self.in_supply(u) {
            return;
        }
        self.mark(u, flag::OUT | flag::ISOLATED);
        if !self.combat(u) || self.is(u, is::ASU) {
            return;
        }
        let c = &self.data.charts.isolation;
        let snow = self.s.weather == crate::charts::Weather::Snow;
        let add = if snow { c.airfield_axis_snow } else { c.airfield_axis };
        let die = cx.d6();
        let roll = (i32::from(die) + add).clamp(1, 6);
        let lost = c.results[roll as usize - 1] == "step";
        let what = if lost { "loses a step" } else { "holds out" };
        let text = format!("{} is Isolated before Baku and {what}.", self.code(u));
        cx.say(|| Line::new("attrition", Rule("24.1.2"), text).fact("die", die).fact("roll", roll));
        if lost {
            self.lose_step(u);
        }
    }

    /// 16.5.4: the modifiers of a unit's roll.
    pub fn isolation_sum(&self, u: Unit, h: Hex) -> Sum {
        let c = &self.data.charts.isolation;
        let s = self.side(u);
        let pocket = self.pocket(s, h);
        let mut sum = Sum::new();
        let map = &self.data.map;
        let field = pocket.iter().find(|&p| self.airfield(s, p));
        if field.is_some() {
            let snow = self.s.weather == crate::charts::Weather::Snow;
            let mut n = match s {
                Side::One if snow => c.airfield_axis_snow,
                Side::One => c.airfield_axis,
                Side::Two => c.airfield_soviet,
            };
            let near = &self.s.supplied.rail[s.ix()];
            let far = u32::from(c.airfield_far_beyond);
            let reach = |p: Hex| near.iter().any(|r| map.grid().distance(p, r) <= far);
            if !pocket.iter().any(|p| self.airfield(s, p) && reach(p)) {
                n += c.airfield_far;
            }
            sum.and(Rule("16.5.4"), "airfield", n);
        }
        let own = |p: Hex| self.s.axis_held.contains(p) == (s == Side::One) || self.has_combat(s, p);
        if pocket.iter().any(|p| map.cities.contains(p) && own(p)) {
            sum.and(Rule("16.5.4"), "city", c.city);
        }
        let hq = self.s.stacks.units().any(|v| {
            self.side(v) == s && self.is(v, is::HQ) && self.on_map(v).is_some_and(|p| pocket.contains(p))
        });
        if hq {
            sum.and(Rule("16.5.4"), "HQ", c.hq);
        }
        if map.desert.contains(h) {
            sum.and(Rule("16.5.4"), "desert", c.desert);
        }
        let most = Points::whole(c.most);
        if sum.total() > most {
            sum.bring_to(Rule("16.5.4"), "at most", most);
        }
        sum
    }

    /// 16.5.4: a hex where a pocket can have its airfield.
    fn airfield(&self, s: Side, h: Hex) -> bool {
        let map = &self.data.map;
        let town = matches!(map.town[h.ix()], crate::map::Town::Town | crate::map::Town::Landmark);
        (town || map.ground(h, self.s.wet).airfield && map.town[h.ix()] == crate::map::Town::None)
            && !self.near_enemy_outside_cities(s, h)
    }

    /// Whether an enemy Combat Unit is beside a hex; those in a contested city do not count (29.1.1).
    fn near_enemy_outside_cities(&self, s: Side, h: Hex) -> bool {
        let foe = &self.s.zones.combat[s.foe().ix()];
        self.data
            .map
            .grid()
            .neighbours(h)
            .any(|(d, n)| foe.contains(n) && self.adjacent(h, d) && !self.contested(n))
    }

    /// The hexes to which an Unlimited line runs from a hex, overland.
    fn pocket(&self, s: Side, from: Hex) -> HexSet {
        let map = &self.data.map;
        let grid = map.grid();
        let land = &self.scene().land;
        let mut seen = [HexSet::empty(), HexSet::empty()];
        let mut queue = vec![(from, false)];
        seen[0].insert(from);
        while let Some((h, run)) = queue.pop() {
            for d in Dir::ALL {
                let Some(n) = grid.neighbour(h, d) else { continue };
                let bits = map.sides[h.ix()][d.ix()];
                if !land.contains(n)
                    || self.foe_bars(s, n)
                    || self.apart_for_supply(s, h, d, bits)
                    || self.bonded(s, h, d, n)
                    || self.closed_town(s, n)
                {
                    continue;
                }
                let barred = self.zoc_bars(s, n);
                if (barred && run) || seen[0].contains(n) {
                    continue;
                }
                if seen[usize::from(barred)].insert(n) {
                    queue.push((n, barred));
                }
            }
        }
        &seen[0] | &seen[1]
    }
}
