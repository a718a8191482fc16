//! Section 5: who moves as one, what a route costs, by which kind of movement it is legal.

use crate::map::side;
use crate::state::{Pos, flag};
use crate::steps::{Kind, Steps};
use crate::units::is;
use game::Illegal;
use hex::{Dir, Edge, Hex, HexSet, Route};
use table::{Place, Points, Rule, Side, Subject, Sum, Unit};
use text::count;

/// A step that nobody can take.
pub const NEVER: u8 = u8::MAX;

/// A group that moves as one: what it pays, how far it may go, where it may not.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Whose.
    pub side: Side,
    /// Where it is; none while it waits in an Entry Area.
    pub at: Option<Hex>,
    /// Hexes through which it may enter the map.
    pub entries: HexSet,
    /// Where it began its move (5.5.2).
    pub origin: Hex,
    /// Halves left by normal movement.
    pub normal: u8,
    /// Halves left by Extended Movement; none if it may not (5.3).
    pub extended: Option<u8>,
    /// Hexes left by Tactical Movement (5.4).
    pub tactical: u8,
    /// At most so many hexes more (21.4).
    pub hexes: u8,
    /// What steps cost it, as a place in [`crate::steps::Tables`].
    pub kind: usize,
    /// All are mountain troops (9.6.2).
    mountain: bool,
    /// One of it is a Combat Unit: it builds pontoons (5.5.5).
    pub combat: bool,
    /// It is in Full Retreat (13.3.2).
    pub(crate) fleeing: bool,
    /// It pays nothing to leave a ZOC (13.3.1).
    pub(crate) slips: bool,
    /// Nothing has been spent yet.
    pub fresh: bool,
}

/// How a hex is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Within the MA.
    Normal,
    /// With three points more (5.3).
    Extended,
    /// Hexes counted (5.4).
    Tactical,
}

impl Pos {
    /// 2.3.2, 23.2.4: a unit's MA in halves.
    pub fn allowance(&self, u: Unit) -> u8 {
        let mut ma = self.face(u).movement;
        if self.is(u, is::RESERVE_ARMY) {
            ma = self.reserve_army_allowance(u, ma);
        }
        if self.s.weather == crate::charts::Weather::Snow {
            ma = ma.saturating_add_signed(self.data.charts.weather.snow_movement);
        }
        ma * 2
    }

    /// Whether a unit may use Tactical Movement only (13.2.1, 16.4, 18.6.3, 33.2.3, S1.2, S3.4).
    pub fn tactical_only(&self, u: Unit) -> Option<Rule> {
        let f = self.s.flags[u.ix()];
        let fleeing = f & flag::FULL_RETREAT != 0;
        if f & flag::DISRUPTED != 0 {
            return Some(Rule("13.2.1"));
        }
        if self.is(u, is::SUPPLY) && f & flag::READY != 0 {
            return Some(Rule("18.6.3"));
        }
        if f & flag::OUT != 0 && self.is(u, is::MECH) {
            return Some(Rule("16.4"));
        }
        if self.s.interchange && !fleeing {
            return Some(Rule("33.2.3"));
        }
        let sc = self.scenario();
        let first = self.s.turn == sc.first_turn;
        let side = self.side(u);
        if first && side == Side::One && sc.special.turn_1_axis_tactical_only && self.combat(u) {
            return Some(Rule("S1.2"));
        }
        if first && side == Side::Two && !sc.special.first_turn_soviet_movement.is_empty() {
            return Some(Rule("S3.4"));
        }
        None
    }

    /// 5.3: whether a unit may use Extended Movement.
    pub fn may_extend(&self, u: Unit) -> bool {
        let t = self.traits(u);
        let asu_ready = t & is::ASU != 0 && !self.flagged(u, flag::USED);
        t & is::BOXED == 0 && !asu_ready && self.s.step != crate::state::Step::PreMove
    }

    /// The units in hand as one mover: the slowest decides (5.1).
    pub fn mover(&self) -> Mover {
        let m = &self.s.march;
        let first = self.s.hand[0];
        let s = self.side(first);
        let c = &self.data.charts.movement;
        let at = self.on_map(first);
        let mut mv = Mover {
            side: s,
            at,
            entries: HexSet::empty(),
            origin: m.origin,
            normal: u8::MAX,
            extended: Some(0),
            tactical: c.tactical_hexes.saturating_sub(m.hexes),
            hexes: u8::MAX,
            kind: 0,
            mountain: true,
            combat: false,
            fleeing: false,
            slips: true,
            fresh: m.hexes == 0 && !m.entered,
        };
        let (mut foot, mut mech) = (false, false);
        for &u in &self.s.hand {
            let t = self.traits(u);
            mech |= t & is::MECH != 0;
            foot |= t & is::MECH == 0;
            let f = self.s.flags[u.ix()];
            let ma = self.allowance(u);
            let bound = self.tactical_only(u).is_some();
            mv.normal = mv.normal.min(if bound { 0 } else { ma });
            if bound || !self.may_extend(u) {
                mv.extended = None;
            }
            if self.face(u).movement == 0 {
                mv.tactical = 0;
            }
            if f & flag::REPLACED != 0 || (t & is::RESERVE_ARMY != 0 && self.army_replaced(u)) {
                mv.hexes = c.replaced_hexes;
            }
            mv.mountain &= t & is::MOUNTAIN != 0;
            mv.combat |= t & is::COMBAT != 0;
            mv.fleeing |= f & flag::FULL_RETREAT != 0;
            mv.slips &= f & flag::VOLUNTARY != 0;
        }
        mv.kind = Kind {
            foot,
            mech,
            mountain: mv.mountain,
            soviet: s == Side::Two,
            soft: self.soft(),
            wet: self.s.wet,
            winter: self.s.winter,
        }
        .ix();
        if let Some(e) = mv.extended {
            let all = mv.normal.saturating_add(2 * c.extended).saturating_add(e);
            mv.extended = (!m.near).then(|| all.saturating_sub(m.spent));
        }
        mv.normal = mv.normal.saturating_sub(m.spent);
        mv.hexes = mv.hexes.saturating_sub(m.hexes);
        if m.ended {
            (mv.normal, mv.extended, mv.tactical) = (0, None, 0);
        }
        // 29.1.2: a contested city is left by Tactical Movement alone.
        if at.is_some_and(|h| self.contested(h)) {
            (mv.normal, mv.extended) = (0, None);
            if m.hexes > 0 {
                mv.tactical = 0;
            }
        }
        if at.is_none() {
            mv.entries = self.entry_hexes(first);
        }
        mv
    }

    /// 22.1.2: the hexes through which a unit in an Entry Area may come onto the map.
    pub fn entry_hexes(&self, u: Unit) -> HexSet {
        let Place::Box(b) = self.s.stacks.place(u) else { return HexSet::empty() };
        let Some(a) = self.data.area_of(b) else { return HexSet::empty() };
        // 20.7: Plan Blücher leaves its area by the strait alone.
        if self.is(u, is::BLUCHER) || self.flagged(u, flag::JUST_IN | flag::DISRUPTED | flag::FULL_RETREAT) {
            return HexSet::empty();
        }
        let mut open = &self.data.areas[a].hexes & &self.scene().land;
        let sc = self.scenario();
        if self.s.turn == sc.first_turn
            && self.side(u) == Side::One
            && let Some(z) = self.data.map.board.zone(&sc.special.axis_entry_first_turn)
        {
            open = &open & z;
        }
        open -= &self.s.zones.combat[self.side(u).foe().ix()];
        open -= &self.s.zones.hex_bonds[self.side(u).foe().ix()];
        open
    }

    /// What steps cost a mover.
    #[inline]
    pub fn steps(&self, m: &Mover) -> &Steps {
        self.data.steps.of(m.kind, &self.data.map, &self.data.charts)
    }

    /// 5.5.5: whether a pontoon bridge lies between two hexes for a mover.
    #[inline]
    pub(crate) fn pontoon(&self, m: &Mover, from: Hex, to: Hex) -> bool {
        let own = &self.s.zones.combat[m.side.ix()];
        own.contains(to) && Some(to) != m.at && (m.combat || own.contains(from))
    }

    /// 5.5: what a hexside adds, in halves, [`NEVER`] if it cannot be crossed.
    #[inline]
    fn crossing(&self, m: &Mover, from: Hex, d: usize, to: Hex, bits: u16) -> u8 {
        if bits & (side::RIVER | side::LAKE | side::SEA | side::ALPINE) == 0 {
            return 0;
        }
        if bits & side::SEA != 0 {
            return NEVER;
        }
        if bits & side::ALPINE != 0 && (self.s.winter || (!m.mountain && bits & side::ROAD == 0)) {
            return NEVER;
        }
        let rate = &self.steps(m).rates;
        if bits & side::LAKE != 0 {
            return if self.ice(bits) { rate.frozen } else { NEVER };
        }
        if bits & side::VOLGA != 0 {
            let flotilla = m.side == Side::Two
                && self
                    .s
                    .flotilla
                    .is_some_and(|e| Edge::new(self.data.map.grid(), from, Dir::from_ix(d)) == Some(e));
            return if bits & side::FERRY != 0 || flotilla {
                rate.major
            } else if bits & side::RAIL_BRIDGE != 0 && m.side == Side::Two {
                rate.rail_bridge
            } else {
                NEVER
            };
        }
        if bits & side::MAJOR != 0 {
            if bits & side::ROAD_BRIDGE != 0 {
                return 0;
            }
            if bits & side::RAIL_BRIDGE != 0 {
                return rate.rail_bridge;
            }
            if self.ice(bits) {
                return rate.frozen;
            }
            let may = bits & side::FERRY != 0 || from == m.origin || self.pontoon(m, from, to);
            return if may { rate.major } else { NEVER };
        }
        if bits & side::MINOR != 0 && bits & (side::ROAD | side::RAIL) == 0 {
            return rate.minor;
        }
        0
    }

    /// Whether a mover may be in a hex at all.
    #[inline]
    pub(crate) fn open_to(&self, m: &Mover, to: Hex) -> bool {
        let held = self.s.zones.combat[m.side.foe().ix()].contains(to);
        if !self.scene().land.contains(to) || (held && !self.contested(to)) {
            return false;
        }
        if m.fleeing {
            // 13.3.2: not into a ZOC without company, nor into a city of the enemy.
            if self.in_ezoc(m.side, to) && !self.s.zones.steady[m.side.ix()].contains(to) {
                return false;
            }
            let held =
                self.data.map.cities.contains(to) && self.s.axis_held.contains(to) != (m.side == Side::One);
            if held {
                return false;
            }
        }
        true
    }

    /// What a step costs in halves, [`NEVER`] if it is not possible; leaving a ZOC included (6.2).
    #[inline]
    pub fn step_cost(&self, m: &Mover, from: Hex, d: Dir, to: Hex) -> u8 {
        if !self.open_to(m, to) || self.bonded(m.side, from, d, to) {
            return NEVER;
        }
        // 29.1.2: out of a contested city not into an enemy ZOC, unless a friend is there.
        if !self.s.city_battles.is_empty()
            && self.contested(from)
            && self.in_ezoc(m.side, to)
            && !self.has_combat(m.side, to)
        {
            return NEVER;
        }
        let map = &self.data.map;
        let bits = map.sides[from.ix()][d.ix()];
        let over = self.crossing(m, from, d.ix(), to, bits);
        if over == NEVER {
            return NEVER;
        }
        let t = if self.s.wet { map.terrain_wet[to.ix()] } else { map.terrain[to.ix()] };
        let mut c = self.steps(m).rates.enter(t, bits);
        c += over;
        if self.in_ezoc(m.side, from) && !m.slips {
            c += 2 * self.data.charts.movement.leave_zoc;
        }
        c
    }

    /// 22.1.2, 22.3.1: what the first hex costs a mover that comes from an Entry Area.
    pub(crate) fn entry_cost(&self, m: &Mover, h: Hex) -> u8 {
        let map = &self.data.map;
        let t = if self.s.wet { map.terrain_wet[h.ix()] } else { map.terrain[h.ix()] };
        let road = (0..6).fold(0, |a, d| a | map.sides[h.ix()][d]) & side::ROAD;
        self.steps(m).rates.enter(t, road)
    }

    /// What a route costs in halves, how many hexes it enters, by which kinds of movement it is legal: or why by none.
    pub fn price(&self, m: &Mover, route: Route) -> Result<(u8, u8, Sum), Illegal> {
        let map = &self.data.map;
        let grid = map.grid();
        let mut sum = Sum::new();
        let mut at = route.start();
        let (mut cost, mut hexes, mut near) = (0u8, 0u8, false);
        let halves = |n: u8| Points::halves(n.into());
        match m.at {
            Some(h) if h != at => {
                return Err(Illegal::new(Rule("5.1"), "a route begins where the units in hand are"));
            }
            Some(_) => {}
            None => {
                if !m.entries.contains(at) || !self.open_to(m, at) {
                    let why = format!("the units cannot come onto the map at {}", map.called(at));
                    return Err(Illegal::new(Rule("22.1.2"), why));
                }
                cost = self.entry_cost(m, at);
                hexes = 1;
                near = self.near_enemy(m.side, at);
                sum.add(Rule("22.3.1"), "enter", Subject::Hex(at), halves(cost));
            }
        }
        for d in route.dirs() {
            let Some(to) = grid.neighbour(at, d) else {
                return Err(Illegal::new(Rule("5.1"), "the route leaves the map"));
            };
            if hexes > 0 && self.contested(at) {
                let why = format!("{} is contested: a move that enters it ends there", map.called(at));
                return Err(Illegal::new(Rule("29.1.2"), why));
            }
            if hexes > 0 && self.in_ezoc(m.side, at) {
                let why =
                    format!("{} lies in an enemy ZOC: a move that enters it ends there", map.called(at));
                return Err(Illegal::new(Rule("6.2"), why));
            }
            let c = self.step_cost(m, at, d, to);
            if c == NEVER {
                return Err(self.why_never(m, at, d, to));
            }
            cost = cost.saturating_add(c);
            hexes += 1;
            near |= self.near_enemy(m.side, to);
            sum.add(Rule("5.1"), "enter", Subject::Hex(to), halves(c));
            at = to;
        }
        if hexes == 0 {
            return Err(Illegal::new(Rule("5.1"), "a move leads to another hex"));
        }
        if hexes > m.hexes {
            return Err(Illegal::new(Rule("21.4"), "a unit that got a replacement moves one hex at most"));
        }
        if self.contested(at) && hexes > m.tactical {
            let why = format!("{} is contested: it is entered by Tactical Movement alone", map.called(at));
            return Err(Illegal::new(Rule("29.1.2"), why));
        }
        let extended = !near && m.extended.is_some_and(|e| cost <= e);
        if cost <= m.normal || extended || hexes <= m.tactical {
            return Ok((cost, hexes, sum));
        }
        if let Some(rule) = self.s.hand.iter().find_map(|&u| self.tactical_only(u)) {
            let why = format!("these units may use Tactical Movement only: {} more hexes", m.tactical);
            return Err(Illegal::new(rule, why));
        }
        if near && m.extended.is_some_and(|e| cost <= e) {
            let why = "Extended Movement may not lead beside an enemy unit";
            return Err(Illegal::new(Rule("5.3"), why).because(sum));
        }
        let why = format!("that costs {}, {} left", count(halves(cost), "movement point"), halves(m.normal));
        Err(Illegal::new(Rule("5.1"), why).because(sum))
    }

    /// Why a step is not possible.
    fn why_never(&self, m: &Mover, from: Hex, d: Dir, to: Hex) -> Illegal {
        let map = &self.data.map;
        let name = map.called(to);
        if self.s.zones.combat[m.side.foe().ix()].contains(to) {
            return Illegal::new(Rule("5.1"), format!("an enemy Combat Unit holds {name}"));
        }
        if !self.scene().land.contains(to) {
            return Illegal::new(Rule("2.2.3"), format!("{name} cannot be entered"));
        }
        if !self.open_to(m, to) {
            let why = format!("units in Full Retreat may not enter {name}");
            return Illegal::new(Rule("13.3.2"), why);
        }
        if self.bonded(m.side, from, d, to) {
            let what = if self.s.zones.hex_bonds[m.side.foe().ix()].contains(to) {
                "into"
            } else {
                "over the way to"
            };
            return Illegal::new(Rule("7.2"), format!("an enemy ZOC Bond lies {what} {name}"));
        }
        let bits = map.sides[from.ix()][d.ix()];
        let rule = if bits & side::VOLGA != 0 {
            "5.5.3"
        } else if bits & side::ALPINE != 0 {
            "9.6.2"
        } else if bits & (side::SEA | side::LAKE) != 0 {
            "2.2.3"
        } else {
            "5.5.2"
        };
        Illegal::new(Rule(rule), format!("these units cannot cross from {} to {name}", map.called(from)))
    }
}
