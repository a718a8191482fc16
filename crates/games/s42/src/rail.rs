//! Sections 5.6 and 17: Rail Movement, Railheads, Connecting Rail Hexes.

use crate::map::side;
use crate::state::{Cx, Pos, Railhead, flag};
use crate::units::is;
use crate::verbs;
use crate::ways;
use game::{Choice, Illegal, Line, Object};
use hex::{Dir, Hex, HexSet, Route};
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// Whether a finished railroad joins a hex to its neighbour (17.5).
    #[inline]
    pub fn rail_joins(&self, h: Hex, d: Dir) -> bool {
        let bits = self.data.map.sides[h.ix()][d.ix()];
        bits & side::RAIL != 0
            || (bits & side::UNFINISHED != 0 && self.s.turn >= self.data.map.unfinished_turn)
    }

    /// Directions in which finished railroads leave a hex (17.5).
    #[inline]
    fn rails_out(&self, h: Hex) -> u8 {
        self.rails()[h.ix()]
    }

    /// By hex: the directions of railroads, with the unfinished one when it has opened (17.5).
    fn rails(&self) -> &[u8] {
        &self.data.map.ways.rails[usize::from(self.s.turn >= self.data.map.unfinished_turn)]
    }

    /// Whether a railroad passes a hex.
    #[inline]
    pub fn rail_hex(&self, h: Hex) -> bool {
        self.rails_out(h) != 0
    }

    /// 5.5.7: whether a unit of a side can board or leave a train in a hex: the ends of the rail ferry serve the Soviets.
    fn station(&self, s: Side, h: Hex) -> bool {
        let (a, b) = self.data.map.rail_ferry;
        self.rail_hex(h) || s == Side::Two && (h == a || h == b)
    }

    /// 17.1: rail hexes that a side may use: all for the Soviets, the repaired ones for the Axis.
    pub fn usable_rail(&self, s: Side) -> HexSet {
        let map = &self.data.map;
        let land = &self.scene().land;
        if s == Side::Two {
            return land.clone();
        }
        let mut out = &(&map.west & land) | &self.s.repaired;
        let mut more = true;
        while more {
            more = false;
            for b in &map.branches {
                let (Some(&a), Some(&z)) = (b.hexes.first(), b.hexes.last()) else { continue };
                if out.contains(a) && out.contains(z) {
                    for &h in &b.hexes {
                        more |= out.insert(h);
                    }
                }
            }
        }
        out
    }

    /// 17.4: Connecting Rail Hexes of a side.
    pub fn rail_flood(&self, s: Side, sources: &HexSet, out: &mut HexSet) {
        out.clear();
        let usable = self.usable_rail(s);
        let z = &self.s.zones;
        let (own, foe) = (s.ix(), s.foe().ix());
        let open = &(usable - &z.combat[foe]) - &(&z.zoc[foe] - &z.combat[own]);
        let starts = sources & &open;
        let mut queue: Vec<Hex> = starts.iter().filter(|&h| self.rail_hex(h)).collect();
        for &h in &queue {
            out.insert(h);
        }
        self.along_rails(s == Side::Two, &mut queue, out, &open);
    }

    /// Follows railroads over open hexes, the rail ferry among them if it serves (5.5.7).
    fn along_rails(&self, ferry: bool, queue: &mut Vec<Hex>, out: &mut HexSet, open: &HexSet) {
        let map = &self.data.map;
        let over = ferry.then_some(map.rail_ferry);
        ways::follow(map.grid(), self.rails(), over, open, queue, out);
    }

    /// 5.6.3: the rail hexes that the unit in hand can come to, and those it would start from.
    fn rail_reach(&self, u: Unit, ferry: bool) -> HexSet {
        let s = self.side(u);
        let usable = self.usable_rail(s);
        let z = &self.s.zones;
        let mut open = &(usable - &z.combat[s.foe().ix()]) - &z.zoc[s.foe().ix()];
        if s == Side::Two {
            for r in &self.s.railheads {
                open.remove(r.hex);
            }
        }
        let mut queue: Vec<Hex> = match self.s.stacks.place(u) {
            Place::Hex(h) => vec![h],
            Place::Box(b) => {
                let Some(a) = self.data.area_of(b) else { return HexSet::empty() };
                let mut edge = &self.data.areas[a].hexes & &self.scene().land;
                if s == Side::Two {
                    for name in &self.scenario().special.soviet_entrained_edges {
                        if let Some(a) = self.data.area(name) {
                            edge |= &self.data.areas[a].hexes;
                        }
                    }
                }
                edge.iter().filter(|&h| self.scene().land.contains(h)).collect()
            }
        };
        queue.retain(|&h| self.station(s, h) && open.contains(h));
        let mut out = HexSet::empty();
        for &h in &queue {
            out.insert(h);
        }
        self.along_rails(ferry && s == Side::Two, &mut queue, &mut out, &open);
        out
    }

    /// 5.6.2, 5.6.3: why the unit in hand may not use Rail Movement at all.
    fn why_no_train(&self) -> Option<Illegal> {
        let no = |rule: &'static str, why: &str| Some(Illegal::new(Rule(rule), why.to_string()));
        let u = self.s.hand[0];
        if self.s.hand.len() != 1 || !self.hand_fresh() {
            return no("5.6.3", "one unit at a time moves by rail, and does nothing else");
        }
        if self.s.interchange || self.s.step == crate::state::Step::PreMove {
            return no("33.2.3", "no Rail Movement now");
        }
        if !self.good_order(u) {
            return no("5.6.3", "only units in Good Order move by rail");
        }
        if self.flagged(u, flag::REPLACED) {
            return no("21.4", "a unit that got a replacement does not move by rail");
        }
        if self.is(u, is::RESERVE_ARMY) && !self.army_empty(u) {
            return no("34.3.2", "a Reserve Army moves by rail only when its box is empty");
        }
        let sp = &self.scenario().special;
        let reserve = |v: Unit| self.data.reserves.iter().any(|&(a, w)| a == 5 && w == v);
        if sp.fifth_reserve_by_rail > 0 && reserve(u) && self.on_map(u).is_none() {
            let used = self.s.stacks.units().filter(|&v| reserve(v) && self.flagged(v, flag::TRAIN)).count();
            if used >= usize::from(sp.fifth_reserve_by_rail) {
                return no("S1.2", "one unit of the 5th Reserve Army enters by rail");
            }
        }
        let c = &self.data.charts.movement;
        if self.is(u, is::LEADER) {
            return None;
        }
        if self.s.railed[0] >= c.rail_units {
            return no("5.6.2", "four units have moved by rail this turn");
        }
        if self.on_map(u).is_some() && self.s.railed[1] >= c.rail_from_map {
            return no("5.6.2", "one unit has moved by rail from the map this turn");
        }
        if let Some(h) = self.on_map(u)
            && (!self.station(self.side(u), h) || self.in_ezoc(self.side(u), h))
        {
            return no("5.6.3", "Rail Movement starts in a rail hex outside enemy ZOC");
        }
        None
    }

    /// Destinations by rail of the unit in hand.
    pub fn list_rail(&self, out: &mut Vec<Choice>) {
        if self.why_no_train().is_some() {
            return;
        }
        let u = self.s.hand[0];
        let ferry = self.s.rail_ferried < self.data.charts.movement.vladimirovka_units;
        let reach = self.rail_reach(u, ferry);
        for h in &reach {
            if self.why_not_detrain(u, h).is_none() {
                out.push(Choice::hex(verbs::RAIL, h));
            }
        }
        for a in self.rail_areas(u, &reach) {
            out.push(Choice { verb: verbs::RAIL, object: Object::Box(self.data.areas[a].in_box) });
        }
    }

    /// 5.6.1: friendly Entry Areas that can be reached by rail.
    fn rail_areas(&self, u: Unit, reach: &HexSet) -> Vec<usize> {
        let s = self.side(u);
        let here = self.s.stacks.place(u);
        (0..self.data.areas.len())
            .filter(|&a| {
                self.scene().friendly[s] >> a & 1 != 0
                    && here != Place::Box(self.data.areas[a].in_box)
                    && self.on_map(u).is_some()
                    && self.data.areas[a].hexes.meets(reach)
            })
            .collect()
    }

    fn why_not_detrain(&self, u: Unit, h: Hex) -> Option<Illegal> {
        let s = self.side(u);
        if self.on_map(u) == Some(h) {
            return Some(Illegal::new(Rule("5.6.3"), "the unit is there already"));
        }
        let train = |v: Unit| self.combat(v) && self.flagged(v, flag::TRAIN);
        if self.combat(u) && self.of_side(s, h).any(train) {
            let why = format!("another Combat Unit has come to {} by rail", self.data.map.called(h));
            return Some(Illegal::new(Rule("5.6.3"), why));
        }
        None
    }

    /// Why the unit in hand may not go somewhere by rail.
    pub fn why_not_rail(&self, to: Object) -> Option<Illegal> {
        if let Some(i) = self.why_no_train() {
            return Some(i);
        }
        let u = self.s.hand[0];
        let ferry = self.s.rail_ferried < self.data.charts.movement.vladimirovka_units;
        let reach = self.rail_reach(u, ferry);
        match to {
            Object::Hex(h) if reach.contains(h) => self.why_not_detrain(u, h),
            Object::Hex(h) => {
                let why = format!("no open railroad leads to {}", self.data.map.called(h));
                Some(Illegal::new(Rule("5.6.3"), why))
            }
            Object::Box(b) => {
                let a = self.data.area_of(b);
                if a.is_some_and(|a| self.rail_areas(u, &reach).contains(&a)) {
                    return None;
                }
                let why = format!("no open railroad leads to {}", self.data.box_label(b));
                Some(Illegal::new(Rule("5.6.1"), why))
            }
            _ => Some(Illegal::new(Rule("5.6.1"), "name a hex or an Entry Area")),
        }
    }

    /// 5.6.1: the unit in hand moves by rail.
    pub fn rail(&mut self, to: Object, cx: &mut Cx<'_>) {
        let u = self.s.hand[0];
        let from_map = self.on_map(u).is_some();
        let leader = self.is(u, is::LEADER);
        if !leader {
            self.s.railed[0] += 1;
            self.s.railed[1] += u8::from(from_map);
        }
        let ferry = self.s.rail_ferried < self.data.charts.movement.vladimirovka_units;
        let place = match to {
            Object::Hex(h) => {
                if ferry && !self.rail_reach(u, false).contains(h) {
                    self.s.rail_ferried += 1;
                }
                Place::Hex(h)
            }
            Object::Box(b) => Place::Box(b),
            _ => return,
        };
        self.put(u, place);
        if let Place::Hex(h) = place {
            // 16.3.4: the train takes the city where it ends.
            self.enter(u, h);
        }
        self.unmark(u, flag::WAITED);
        let mark = if leader { flag::USED } else { flag::TRAIN };
        self.mark(u, flag::MOVED | mark | flag::SHIPPED);
        if place.hex().is_none() {
            self.unmark(u, flag::TRAIN);
            self.mark(u, flag::JUST_IN);
        }
        let where_ = match place {
            Place::Hex(h) => self.data.map.called(h),
            Place::Box(b) => self.data.box_label(b),
        };
        let text = format!("{} moves by rail to {where_}.", self.code(u));
        cx.say(|| Line::new("rail", Rule("5.6.1"), text));
        self.s.plans.retain(|p| p.hq != u);
        self.stop(cx);
    }

    /// 17.2.1: routes that a Railhead may take, of one or two hexes.
    pub fn list_railheads(&self, out: &mut Vec<Choice>) {
        let most = self.data.charts.railheads.moved;
        let moved = self.s.railheads.iter().filter(|r| r.moved).count();
        if moved < usize::from(most) {
            let mut seen = HexSet::empty();
            for r in self.s.railheads.iter().filter(|r| !r.moved && !r.placed) {
                if self.s.supplied.rail[0].contains(r.hex) && seen.insert(r.hex) {
                    self.rail_ways(Route::from(r.hex), r.hex, out);
                }
            }
        }
        out.push(Choice::button(verbs::DONE));
    }

    fn rail_ways(&self, so_far: Route, at: Hex, out: &mut Vec<Choice>) {
        let grid = self.data.map.grid();
        if so_far.len() >= usize::from(self.data.charts.railheads.hexes) {
            return;
        }
        for (d, n) in grid.neighbours(at) {
            if self.repairable(at, d, n)
                && let Some(next) = so_far.push(d)
            {
                out.push(Choice::route(verbs::REPAIR, next));
                self.rail_ways(next, n, out);
            }
        }
    }

    /// Whether a step along the green line leads forward: east of the start line, or towards it.
    fn forward(&self, at: Hex, n: Hex) -> bool {
        let map = &self.data.map;
        !map.west.contains(n) || (map.west.contains(at) && map.rail_east[n.ix()] < map.rail_east[at.ix()])
    }

    /// Whether a Railhead may go on to a hex: along a green line, not yet repaired, free of the enemy.
    fn repairable(&self, at: Hex, d: Dir, n: Hex) -> bool {
        let green = self.data.map.sides[at.ix()][d.ix()] & side::GREEN != 0;
        green
            && self.scene().land.contains(n)
            && !self.s.repaired.contains(n)
            && self.forward(at, n)
            && !self.has_combat(Side::Two, n)
            && (!self.in_ezoc(Side::One, n) || self.has_combat(Side::One, n))
    }

    /// 17.2.2: the green lines that lead on from a hex and are not repaired yet.
    fn lines_on(&self, h: Hex) -> usize {
        let map = &self.data.map;
        let on = |&(d, n): &(Dir, Hex)| {
            map.sides[h.ix()][d.ix()] & side::GREEN != 0
                && !self.s.repaired.contains(n)
                && !map.west.contains(n)
                && self.scene().land.contains(n)
        };
        map.grid().neighbours(h).filter(on).count()
    }

    /// 17.2: a Railhead moves forward; each junction it reaches gets a marker for every other line.
    pub fn repair(&mut self, route: Route, cx: &mut Cx<'_>) {
        let data = self.data.clone();
        let grid = data.map.grid();
        let path: Vec<Hex> = route.hexes(grid).collect();
        let Some(&end) = path.last() else { return };
        let ready = |r: &Railhead| r.hex == route.start() && !r.moved && !r.placed;
        let Some(i) = self.s.railheads.iter().position(ready) else { return };
        self.s.railheads[i] = Railhead { moved: true, ..Railhead::at(end) };
        for &h in &path[1..] {
            self.s.repaired.insert(h);
        }
        for &h in &path {
            let there = self.s.railheads.iter().filter(|r| r.hex == h).count();
            for _ in there..self.lines_on(h) {
                self.s.railheads.push(Railhead { placed: true, ..Railhead::at(h) });
            }
        }
        self.s.supplied.fresh[0] = false;
        self.check_supply(Side::One);
        cx.say(|| {
            let text = format!("The Railhead reaches {}.", data.map.called(end));
            Line::new("railhead", Rule("17.2.1"), text).at(end)
        });
    }

    /// S2.2: the first Railhead of the Caucasus scenario appears on its fourth turn.
    pub fn place_railheads(&mut self, cx: &mut Cx<'_>) {
        let sp = &self.scenario().special;
        if sp.railhead_turn != self.s.turn {
            return;
        }
        if let Some(hex) = self.data.map.grid().find(&sp.railhead_hex) {
            self.s.railheads.push(Railhead::at(hex));
            self.s.repaired.insert(hex);
            self.s.supplied.fresh[0] = false;
            cx.say(|| Line::new("railhead", Rule("S2.2"), "A Railhead appears.").at(hex));
        }
    }

    /// 17.3.1: Railheads with Soviet units or their ZOC on them go back along the line; only in a Soviet player turn.
    pub fn push_railheads(&mut self, cx: &mut Cx<'_>) {
        let data = self.data.clone();
        for i in 0..self.s.railheads.len() {
            let start = self.s.railheads[i].hex;
            let mut h = start;
            while self.rail_threatened(h) {
                let back = data.map.rail_back[h.ix()];
                self.s.repaired.remove(h);
                if !back.is_some() || !self.scene().land.contains(back) {
                    break;
                }
                h = back;
            }
            if h != start {
                self.s.railheads[i].hex = h;
                self.s.supplied.fresh[0] = false;
                cx.say(|| {
                    let text = format!("The Railhead is pushed back to {}.", data.map.called(h));
                    Line::new("railhead", Rule("17.3.1"), text).at(h)
                });
            }
        }
        // Markers that meet are one again, except at a junction that needs them.
        let mut kept: Vec<Railhead> = Vec::with_capacity(self.s.railheads.len());
        for r in std::mem::take(&mut self.s.railheads) {
            let there = kept.iter().filter(|k| k.hex == r.hex).count();
            if there < self.lines_on(r.hex).max(1) {
                kept.push(r);
            }
        }
        self.s.railheads = kept;
    }

    fn rail_threatened(&self, h: Hex) -> bool {
        let entrained = |u: Unit| self.flagged(u, flag::TRAIN);
        let held = self.of_side(Side::Two, h).any(|u| self.combat(u) && !entrained(u));
        held || (self.in_ezoc(Side::One, h) && !self.has_combat(Side::One, h))
    }
}
