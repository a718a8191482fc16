//! Section 16 again, written plainly: hex by hex, each question asked anew. The fast floods of [`crate::supply`] are compared
//! with these in random play.

use crate::map::{Sea, side};
use crate::state::{Pos, Supplied, flag};
use crate::ways::bars_overland;
use hex::{Dir, Hex, HexSet};
use table::Side;

/// What a flood works on.
#[derive(Default)]
struct Room {
    /// By hex and run: cost + 1, 0 when not reached.
    best: Vec<[u8; 2]>,
    queue: Vec<Vec<(u16, u8)>>,
}

/// As far as a line may go when its length has no limit.
const UNLIMITED: u8 = u8::MAX;

impl Pos {
    /// Proves that what is kept of supply, and what the fast floods find, is what the plain way finds.
    pub fn supply_holds(&self) -> Result<(), String> {
        let kept = &self.s.supplied.0;
        let mut anew = self.s.supplied.0.clone();
        anew.fresh = [false; 2];
        let anew = self.traced(anew);
        for s in Side::BOTH {
            let i = s.ix();
            let mut plain = Supplied::default();
            self.plain_supply(s, &mut plain);
            let who = ["Axis", "Soviet"][i];
            let sets = |sup: &Supplied| {
                [sup.los[i].clone(), sup.unlimited[i].clone(), sup.road[i].clone(), sup.rail[i].clone()]
            };
            let names = ["Line of Supply", "Unlimited line", "road", "rail"];
            for (((name, want), new), old) in names.iter().zip(sets(&plain)).zip(sets(&anew)).zip(sets(kept))
            {
                let differ = |found: &HexSet| {
                    let hexes: Vec<String> =
                        (&want ^ found).iter().map(|h| self.data.map.called(h)).collect();
                    format!("{who} {name}: the plain way differs in {}", hexes.join(", "))
                };
                if new != want {
                    return Err(differ(&new));
                }
                if kept.fresh[i] && old != want {
                    return Err(format!("kept though it has changed: {}", differ(&old)));
                }
            }
        }
        for u in self.s.stacks.units().filter(|&u| self.flagged(u, flag::ISOLATED)) {
            if let Some(h) = self.on_map(u)
                && self.pocket(self.side(u), h) != self.plain_pocket(self.side(u), h)
            {
                return Err(format!(
                    "the pocket of {} in {} is another",
                    self.code(u),
                    self.data.map.called(h)
                ));
            }
        }
        if self.azov() == self.plain_azov() { Ok(()) } else { Err("the Sea of Azov is another's".into()) }
    }

    fn plain_supply(&self, s: Side, sup: &mut Supplied) {
        let sources = self.plain_sources(s, true);
        let i = s.ix();
        self.plain_roads(s, &sources, &mut sup.road[i]);
        let rain = self.soft();
        let lines = &self.data.charts.supply;
        let most = if rain { lines.overland_rain } else { lines.overland };
        let edge = self.plain_sources(s, false);
        self.plain_overland(s, &sup.road[i], &edge, most, &mut sup.los[i]);
        self.plain_overland(s, &sup.road[i], &edge, UNLIMITED, &mut sup.unlimited[i]);
        self.plain_rails(s, &sources, &mut sup.rail[i]);
    }

    /// 16.2.4: who controls the Sea of Azov: the holder of Temryuk, if his line reaches it.
    fn plain_azov(&self) -> Option<Side> {
        // The line to Temryuk itself is judged from the other sources, or it would hold itself up.
        let temryuk = self.data.map.temryuk;
        let holder = if self.holds_port(temryuk) { Side::One } else { Side::Two };
        if !self.scene().land.contains(temryuk) {
            return None;
        }
        let mut roads = HexSet::empty();
        self.plain_roads(holder, &self.plain_sources(holder, false), &mut roads);
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
        self.plain_roads(holder, &black, &mut more);
        let mut los = HexSet::empty();
        let lines = &self.data.charts.supply;
        let most = if self.soft() { lines.overland_rain } else { lines.overland };
        self.plain_overland(holder, &(&roads | &more), &self.plain_sources(holder, false), most, &mut los);
        los.contains(temryuk).then_some(holder)
    }

    /// 16.2: the sources of a side: hexes of friendly Entry Areas and ports.
    fn plain_sources(&self, s: Side, ports: bool) -> HexSet {
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
            let azov = self.plain_azov();
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

    /// 16.3.4: a city or VP hex that the enemy controls and nobody of ours stands in.
    #[inline]
    pub(crate) fn closed_town(&self, s: Side, h: Hex) -> bool {
        self.data.map.held.contains(h)
            && self.s.axis_held.contains(h) != (s == Side::One)
            && !self.has_combat(s, h)
    }

    /// Whether enemy Combat Units bar a line in a hex: not where both sides share a city (29).
    #[inline]
    pub(crate) fn foe_bars(&self, s: Side, h: Hex) -> bool {
        self.s.zones.combat[s.foe().ix()].contains(h) && !self.contested(h)
    }

    /// Whether an enemy ZOC counts against a line in a hex: units of the side negate it.
    #[inline]
    pub(crate) fn zoc_bars(&self, s: Side, h: Hex) -> bool {
        self.in_ezoc(s, h) && !self.s.zones.combat[s.ix()].contains(h)
    }

    /// 16.3.3: road hexes from which a source is reached along roads.
    fn plain_roads(&self, s: Side, sources: &HexSet, out: &mut HexSet) {
        out.clear();
        let map = &self.data.map;
        let grid = map.grid();
        let open = |h: Hex| {
            self.scene().land.contains(h)
                && !self.foe_bars(s, h)
                && !self.zoc_bars(s, h)
                && !self.closed_town(s, h)
        };
        let mut stack: Vec<u16> = Vec::new();
        for h in sources {
            if (map.roads[h.ix()] != 0 || map.ports.iter().any(|(p, _)| *p == h)) && open(h) {
                out.insert(h);
                stack.push(h.0);
            }
        }
        while let Some(h) = stack.pop() {
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
                    stack.push(n.0);
                }
            }
        }
    }

    /// 16.3.2: all hexes from which an overland line of at most `most` hexes comes to such a road or to an Entry Area.
    fn plain_overland(&self, s: Side, roads: &HexSet, edge: &HexSet, most: u8, out: &mut HexSet) {
        out.clear();
        let map = &self.data.map;
        let grid = map.grid();
        let wet = self.s.wet;
        let land = &self.scene().land;
        let limited = most != UNLIMITED;
        let room = &mut Room::default();
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
    }

    /// 16.3.2: hexsides that a line cannot cross. The Volga is crossed at ferries, with the Flotilla and by the bridge.
    pub(crate) fn apart_for_supply(&self, s: Side, h: Hex, d: Dir, bits: u16) -> bool {
        bars_overland(bits, self.s.winter) && (bits & side::VOLGA == 0 || !self.flotilla_at(s, h, d))
    }

    /// The hexes to which an Unlimited line runs from a hex, overland.
    fn plain_pocket(&self, s: Side, from: Hex) -> HexSet {
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

    /// 17.4: Connecting Rail Hexes of a side.
    fn plain_rails(&self, s: Side, sources: &HexSet, out: &mut HexSet) {
        out.clear();
        let usable = self.usable_rail(s);
        let open = |h: Hex| {
            usable.contains(h)
                && !self.has_combat(s.foe(), h)
                && (!self.in_ezoc(s, h) || self.has_combat(s, h))
        };
        let grid = self.data.map.grid();
        let (a, b) = self.data.map.rail_ferry;
        let mut queue: Vec<Hex> = sources.iter().filter(|&h| self.rail_hex(h) && open(h)).collect();
        while let Some(h) = queue.pop() {
            out.insert(h);
            let joined = grid.neighbours(h).filter(|&(d, _)| self.rail_joins(h, d)).map(|(_, n)| n);
            let ferry = [(a, b), (b, a)].into_iter().filter(|x| x.0 == h && s == Side::Two).map(|x| x.1);
            let next: Vec<Hex> = joined.chain(ferry).filter(|&n| !out.contains(n) && open(n)).collect();
            queue.extend(next);
        }
    }
}
