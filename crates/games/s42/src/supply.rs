//! Section 16: Lines of Supply and Isolation.

use crate::map::Sea;
use crate::state::{Cx, Pos, Supplied, flag};
use crate::units::is;
use crate::ways;
use game::Line;
use hex::{Dir, Hex, HexSet, Lines};
use table::{Place, Points, Rule, Side, Sum, Unit};

/// What bars the lines of a side, put together once for all of them.
struct Bars {
    /// The enemy.
    foe: Side,
    /// Land that no enemy Combat Unit and no enemy city bars.
    open: HexSet,
    /// Hexes where an enemy ZOC counts: units of the side negate it.
    zoc: HexSet,
    /// By direction, away from a source: hexes whose overland line may run back over that hexside.
    ways: [HexSet; 6],
}

impl Pos {
    /// 16.2.4: who controls the Sea of Azov: the holder of Temryuk, if his line reaches it.
    pub fn azov(&self) -> Option<Side> {
        let temryuk = self.data.map.temryuk;
        if !self.scene().land.contains(temryuk) {
            return None;
        }
        let s = if self.holds_port(temryuk) { Side::One } else { Side::Two };
        let (bars, edge) = (self.bars(s), self.edge_sources(s));
        let mut roads = HexSet::empty();
        self.follow_roads(s, &bars, &(&edge | &self.port_sources(s, false)), &mut roads);
        self.line_to_temryuk(&bars, &edge, &roads).then_some(s)
    }

    /// 16.2.4: whether a line runs to Temryuk, given the roads of its holder. Ports of its own sea are left out of them, or
    /// the line would hold itself up.
    fn line_to_temryuk(&self, bars: &Bars, edge: &HexSet, roads: &HexSet) -> bool {
        if roads.contains(self.data.map.temryuk) {
            return true;
        }
        let mut los = HexSet::empty();
        self.lines(bars, edge, roads).within(self.data.map.grid(), self.overland(), &mut los);
        los.contains(self.data.map.temryuk)
    }

    /// 16.2: where a side's supply comes from: hexes of friendly Entry Areas and ports.
    pub fn sources(&self, s: Side) -> HexSet {
        let azov = self.azov() == Some(s);
        let mut out = &self.edge_sources(s) | &self.port_sources(s, false);
        if azov {
            out |= &self.port_sources(s, true);
        }
        out
    }

    /// 16.2.1, 16.2.2: the hexes of friendly Entry Areas.
    pub(crate) fn edge_sources(&self, s: Side) -> HexSet {
        let scene = self.scene();
        let winter = self.data.winter_area.filter(|_| self.s.winter);
        let baku = self.data.baku.filter(|_| self.axis_at_baku());
        let closed = [winter, baku].into_iter().flatten().fold(0u32, |bits, a| bits | 1 << a);
        if scene.friendly[s] & closed == 0 {
            return scene.edges[s].clone();
        }
        scene.edges_but(s, closed, &self.data.areas)
    }

    /// 16.2.3, 16.2.4: the ports that serve a side; those of the Sea of Azov if it controls that.
    fn port_sources(&self, s: Side, azov: bool) -> HexSet {
        let mut out = HexSet::empty();
        for &(h, sea) in &self.data.map.ports {
            let own = self.holds_port(h) == (s == Side::One);
            let serves = match sea {
                Sea::Kerch => s == Side::One,
                Sea::Black => s == Side::Two,
                Sea::Azov => azov,
            };
            if own && serves {
                out.insert(h);
            }
        }
        out &= &self.scene().land;
        out
    }

    /// Whether the Axis controls a port: by its marker if it has one, else by who stands there or came last.
    pub fn holds_port(&self, h: Hex) -> bool {
        if self.data.map.held.contains(h) {
            return self.s.axis_held.contains(h);
        }
        self.s.axis_ports.contains(h)
    }

    /// What bars the lines of a side now (16.3.2, 16.3.4, 29).
    fn bars(&self, s: Side) -> Bars {
        let z = &self.s.zones;
        let map = &self.data.map;
        let (own, foe) = (&z.combat[s.ix()], &z.combat[s.foe().ix()]);
        let mut open = self.scene().land.clone();
        if self.options.contested {
            open -= &(foe - own);
        } else {
            open -= foe;
        }
        let theirs =
            if s == Side::One { &map.held - &self.s.axis_held } else { &map.held & &self.s.axis_held };
        open -= &(theirs - own);
        let mut ways = map.ways.overland[usize::from(self.s.winter)].clone();
        if s == Side::Two
            && let Some((a, b, d)) = self.ferried()
        {
            ways[d.ix()].insert(b);
            ways[d.opposite().ix()].insert(a);
        }
        // The line runs against the direction in which it is followed: out of a hex, over the hexside behind it.
        for d in Dir::ALL {
            ways[d.ix()] -= &z.side_bonds[s.foe().ix()][d.opposite().ix()];
        }
        Bars { foe: s.foe(), open, zoc: &z.zoc[s.foe().ix()] - own, ways }
    }

    /// 5.5.3: the two hexes that the Volga Flotilla joins, and the direction from the first to the second.
    pub(crate) fn ferried(&self) -> Option<(Hex, Hex, Dir)> {
        let grid = self.data.map.grid();
        let (a, b) = self.s.flotilla?.hexes(grid);
        Some((a, b, grid.dir(a, b)?))
    }

    /// 16.3.2, 23.2.3: how many hexes an overland line may have.
    pub(crate) fn overland(&self) -> usize {
        let lines = &self.data.charts.supply;
        usize::from(if self.soft() { lines.overland_rain } else { lines.overland })
    }

    /// 16.3.2: the overland lines to roads that lead to a source and to Entry Areas: neither into an enemy bond nor across
    /// one, and not through two hexes in a row where an enemy ZOC counts.
    fn lines<'a>(&'a self, bars: &'a Bars, edge: &'a HexSet, roads: &'a HexSet) -> Lines<'a> {
        Lines {
            ends: roads,
            beyond: edge,
            open: &bars.open,
            shut: &self.s.zones.hex_bonds[bars.foe.ix()],
            ways: &bars.ways,
            dear: &self.data.map.ways.dear[usize::from(self.s.wet)],
            rough: &bars.zoc,
        }
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
        self.traced(self.s.supplied.0.clone())
    }

    /// The same with what is not known traced.
    pub(crate) fn traced(&self, mut sup: Supplied) -> Supplied {
        for s in Side::BOTH {
            if !sup.fresh[s.ix()] {
                self.trace_supply(s, &mut sup);
                sup.fresh[s.ix()] = true;
            }
        }
        sup
    }

    fn trace_supply(&self, s: Side, sup: &mut Supplied) {
        let i = s.ix();
        let map = &self.data.map;
        let (bars, edge) = (self.bars(s), self.edge_sources(s));
        let mut sources = &edge | &self.port_sources(s, false);
        sup.road[i].clear();
        self.follow_roads(s, &bars, &sources, &mut sup.road[i]);
        // Only the holder of Temryuk can control the Sea of Azov.
        let holder = self.holds_port(map.temryuk) == (s == Side::One);
        if holder
            && self.scene().land.contains(map.temryuk)
            && self.line_to_temryuk(&bars, &edge, &sup.road[i])
        {
            let ports = self.port_sources(s, true);
            self.follow_roads(s, &bars, &ports, &mut sup.road[i]);
            sources |= &ports;
        }
        let lines = self.lines(&bars, &edge, &sup.road[i]);
        lines.trace(map.grid(), self.overland(), &mut sup.los[i], &mut sup.unlimited[i]);
        self.rail_flood(s, &sources, &mut sup.rail[i]);
    }

    /// 16.3.3: adds the road hexes from which one of these sources is reached along roads.
    fn follow_roads(&self, s: Side, bars: &Bars, sources: &HexSet, out: &mut HexSet) {
        let map = &self.data.map;
        let open = &bars.open - &bars.zoc;
        let roads = &map.ways.roads[usize::from(self.s.winter)];
        let ferry = self.ferried().map(|(a, b, _)| (a, b));
        let ferry = ferry.filter(|(a, b)| s == Side::Two && map.roads[a.ix()] != 0 && map.roads[b.ix()] != 0);
        let mut stack: Vec<Hex> = Vec::with_capacity(64);
        let starts = &(sources & &map.ways.road_ends) & &open;
        stack.extend(starts.iter().filter(|h| out.insert(*h)));
        ways::follow(map.grid(), roads, ferry, &open, &mut stack, out);
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
            let far = u32::from(c.airfield_far_beyond);
            let mut within = self.s.supplied.rail[s.ix()].clone();
            for _ in 0..far {
                within |= within.dilate(map.grid());
            }
            if !(&pocket & &within).iter().any(|p| self.airfield(s, p)) {
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
    pub(crate) fn pocket(&self, s: Side, from: Hex) -> HexSet {
        let grid = self.data.map.grid();
        let Bars { open, zoc, ways, .. } = self.bars(s);
        let open = open - &self.s.zones.hex_bonds[s.foe().ix()];
        let mut seen = HexSet::empty();
        seen.insert(from);
        let mut queue = vec![from];
        while let Some(h) = queue.pop() {
            // Its own hex is not entered; a second hex in a row where an enemy ZOC counts bars the line.
            let run = h != from && zoc.contains(h);
            for (d, &n) in grid.six(h).iter().enumerate() {
                if open.contains(n) && ways[d].contains(n) && !(run && zoc.contains(n)) && seen.insert(n) {
                    queue.push(n);
                }
            }
        }
        seen
    }
}
