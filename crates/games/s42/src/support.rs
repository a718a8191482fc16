//! 9.3, 9.4, 18.2-18.6, 26, 28: what supports a combat from afar, and how far it reaches.

use crate::battle::{Battle, Kind};
use crate::combat::no;
use crate::data::boxes;
use crate::map::{Town, side};
use crate::state::{Cx, Pos, flag};
use crate::units::{Nation, is};
use crate::verbs;
use game::{Choice, Illegal, Line};
use hex::{Hex, HexSet};
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// 18.4: the hexes within a range: not through enemies, enemy bonds or two hexes of enemy ZOC in a row, nor over
    /// impassable or roadless Alpine hexsides. Friends undo an enemy ZOC in their hex.
    pub fn in_range(&self, own: Side, from: Hex, range: u8) -> HexSet {
        let map = &self.data.map;
        let grid = map.grid();
        let zoc = |h: Hex| self.in_ezoc(own, h) && !self.has_combat(own, h);
        let mut seen = HexSet::empty();
        seen.insert(from);
        // Hexes reached free of enemy ZOC, and those reached inside one: from there only a free hex follows.
        let (mut free, mut held) = (HexSet::empty(), HexSet::empty());
        if zoc(from) {
            held.insert(from);
        } else {
            free.insert(from);
        }
        let mut now = vec![(from, zoc(from))];
        for _ in 0..range {
            let mut next = Vec::new();
            for (h, bound) in now {
                for (d, n) in grid.neighbours(h) {
                    let s = map.sides[h.ix()][d.ix()];
                    if !self.scene().land.contains(n)
                        || self.has_combat(own.foe(), n) && !self.has_combat(own, n)
                        || self.bonded(own, h, d, n)
                        || s & side::SEA != 0
                        || s & side::LAKE != 0 && self.apart(s)
                        || s & side::ALPINE != 0 && (s & side::ROAD == 0 || self.s.winter)
                    {
                        continue;
                    }
                    let z = zoc(n);
                    if bound && z {
                        continue;
                    }
                    let fresh = if z { !free.contains(n) && held.insert(n) } else { free.insert(n) };
                    if fresh {
                        seen.insert(n);
                        next.push((n, z));
                    }
                }
            }
            now = next;
        }
        seen
    }

    /// Whether an ASU or leader reaches one of these hexes; from an Entry Area only hexes at its edge (18.3.3).
    fn reaches(&self, u: Unit, hexes: &[Hex]) -> bool {
        let own = self.side(u);
        let range = self.info(u).range;
        match self.s.stacks.place(u) {
            Place::Hex(h) => {
                let grid = self.data.map.grid();
                let near = |t: &&Hex| t.is_some() && grid.distance(h, **t) <= u32::from(range);
                if !hexes.iter().any(|t| near(&t)) {
                    return false;
                }
                let set = self.in_range(own, h, range);
                hexes.iter().filter(near).any(|&t| set.contains(t))
            }
            Place::Box(b) => {
                let Some(i) = self.data.areas.iter().position(|a| a.in_box == b) else { return false };
                hexes.iter().any(|t| t.is_some() && self.scene().borders[t.ix()] >> i & 1 != 0)
            }
        }
    }

    /// Whether an ASU stands in the Entry Area from which an attack comes, or reaches one of its hexes.
    fn reaches_attack(&self, b: &Battle, u: Unit) -> bool {
        let here = |&v: &Unit| self.on_map(v).is_none() && self.s.stacks.place(v) == self.s.stacks.place(u);
        if self.on_map(u).is_none() {
            return b.attackers.iter().any(here) || self.reaches(u, &[b.hex]);
        }
        self.reaches(u, &b.from)
    }

    /// 18.2.3: whether an ASU can support at all, ready or not.
    fn able_asu(&self, u: Unit) -> bool {
        self.is(u, is::ASU) && self.good_order(u) && !self.flagged(u, flag::TRAIN | flag::REPLACED)
    }

    /// 18.3.3: whether an HQ of an ally of the Axis has one of its own nation among these.
    fn own_kind(&self, hq: Unit, units: &[Unit]) -> bool {
        match self.nation(hq) {
            Nation::German | Nation::Soviet => true,
            n => units.iter().any(|&u| self.nation(u) == n),
        }
    }

    /// The ASU of its hex that lets a Supply Point shoot for an attack (18.6.5).
    fn gun_of(&self, b: &Battle, sp: Unit) -> Option<Unit> {
        let place = self.s.stacks.place(sp);
        self.s.stacks.of(place).find(|&u| {
            self.able_asu(u)
                && self.side(u) == b.side
                && self.own_kind(u, &b.attackers)
                && self.reaches_attack(b, u)
        })
    }

    /// 18.3.1, 18.5, 18.6.5: why an ASU or a Supply Point may not shift a column.
    pub(crate) fn why_not_guns(&self, b: &Battle, u: Unit) -> Option<Illegal> {
        if self.side(u) != b.side {
            return no("18.3.1", "that unit is not yours");
        }
        let code = self.code(u);
        if self.is(u, is::SUPPLY) {
            if !self.ready_supply(u) {
                return no("18.6.5", format!("{code} is not a Supply Point on its Ready side"));
            }
            if b.shells.is_some() || !b.guns.is_empty() {
                return no("18.5", "a Supply Point gives one shift, alone");
            }
            return match self.gun_of(b, u) {
                Some(_) => None,
                None => no("18.6.5", format!("{code} is not with a Good Order ASU in range of the attack")),
            };
        }
        if !self.is(u, is::ASU) {
            return no("18.3.1", format!("{code} is neither an ASU nor a Supply Point"));
        }
        if !self.able_asu(u) {
            return no(
                "18.2.3",
                format!("{code} is Disrupted, in Full Retreat, entrained or being replaced"),
            );
        }
        if self.flagged(u, flag::USED) {
            return no("18.2.1", format!("{code} is on its Used side"));
        }
        if b.guns.contains(&u) {
            return no("18.3.1", format!("{code} supports this attack already"));
        }
        let division = |v: Unit| self.is(v, is::BARRAGE);
        let massive = b.guns.len() == 1 && (division(u) || division(b.guns[0]));
        if b.shells.is_some() || b.guns.len() > 1 || b.guns.len() == 1 && !massive {
            return no("18.5", "a second shift needs an Artillery Division");
        }
        if !self.own_kind(u, &b.attackers) {
            return no("18.3.3", format!("{code} needs a unit of its nation in the attack"));
        }
        if !self.reaches_attack(b, u) {
            return no(
                "18.4",
                format!("{code} has no attacking unit in its range of {}", self.info(u).range),
            );
        }
        None
    }

    /// 18.6.2, 18.6.7, 18.6.8: whether a Supply Point can be used for a shift.
    fn ready_supply(&self, u: Unit) -> bool {
        self.is(u, is::SUPPLY)
            && (self.flagged(u, flag::READY) || self.is(u, is::IMMOBILE))
            && !self.flagged(u, flag::TRAIN | flag::SHIPPED)
    }

    /// 9.3.5: whether air can be placed at a hex.
    pub fn air_reaches(&self, h: Hex) -> bool {
        let map = &self.data.map;
        let grid = map.grid();
        let far = u32::from(self.data.charts.shifts.air_range);
        let imagined = &self.scenario().special.air_base_imagined;
        if !imagined.is_empty()
            && let Some(b) = grid.find(imagined)
            && grid.distance(b, h) <= far
        {
            return true;
        }
        let rail = &self.s.supplied.rail[Side::One.ix()];
        rail.iter().any(|b| {
            map.town[b.ix()] >= Town::Landmark
                && grid.distance(b, h) <= far
                && (!map.held.contains(b) || self.s.axis_held.contains(b))
        })
    }

    /// Whether an air unit is ready in its box: available, neither used nor with a stack (9.3.1).
    fn air_waits(&self, u: Unit) -> bool {
        self.is(u, is::AIR)
            && self.s.stacks.place(u) == Place::Box(boxes::AIR)
            && !self.s.fight.escorts.iter().any(|e| e.0 == u)
    }

    /// 9.3.3, 9.3.5, 9.3.8: why an air unit may not support an attack.
    pub(crate) fn why_not_air(&self, b: &Battle, u: Unit) -> Option<Illegal> {
        if !self.is(u, is::AIR) || b.side != Side::One {
            return no("9.3.1", "only the Axis has air units");
        }
        let code = self.code(u);
        if b.air.is_some() {
            return no("9.3.3", "one air unit supports a combat");
        }
        if !self.air_waits(u) {
            return no("9.3.6", format!("{code} is not ready in its Holding Box"));
        }
        if self.nation(u) == Nation::Romanian && !self.mostly_romanian(&b.attackers) {
            return no("9.3.8", format!("{code} supports only attacks of mostly Romanian strength"));
        }
        if !self.air_reaches(b.hex) {
            let why = format!(
                "{} lies more than 15 hexes from every base on a connected railroad",
                self.called(b.hex)
            );
            return no("9.3.5", why);
        }
        None
    }

    /// 26.2: why a Planned Offensive may not be used in an attack.
    pub(crate) fn why_not_offensive(&self, b: &Battle, hq: Unit) -> Option<Illegal> {
        let code = self.code(hq);
        let ready = self.s.plans.iter().filter(|p| p.hq == hq && p.ready).count();
        if !self.options.planned || self.side(hq) != b.side || ready == 0 {
            return no("26.2", format!("{code} has no Planned Offensive that is ready"));
        }
        if b.plans.iter().filter(|&&p| p == hq).count() >= ready {
            return no("26.2", format!("{code} has no other Planned Offensive"));
        }
        if !b.attackers.iter().any(|&u| self.nation(u) == self.nation(hq)) {
            return no("26.2", format!("{code} needs a unit of its nation in the attack"));
        }
        if !self.reaches_attack(b, hq) {
            return no(
                "26.2",
                format!("{code} has no attacking unit in its range of {}", self.info(hq).range),
            );
        }
        None
    }

    /// Every counter that could fire in support: ASUs and Supply Points.
    fn guns(&self) -> impl Iterator<Item = Unit> + '_ {
        self.s.stacks.units().filter(|&u| self.info(u).traits & (is::ASU | is::SUPPLY) != 0)
    }

    /// What may still support an attack in the making.
    pub(crate) fn support_choices(&self, b: &Battle, out: &mut Vec<Choice>) {
        if b.side == Side::One && b.air.is_none() {
            for u in self.boxed(boxes::AIR) {
                if self.why_not_air(b, u).is_none() {
                    out.push(Choice::unit(verbs::AIR, u));
                }
            }
        }
        if b.shells.is_none() && b.guns.len() < 2 {
            for u in self.guns() {
                if self.side(u) == b.side && self.why_not_guns(b, u).is_none() {
                    out.push(Choice::unit(verbs::SUPPORT, u));
                }
            }
        }
        let mut last = None;
        for p in &self.s.plans {
            if last != Some(p.hq) && self.why_not_offensive(b, p.hq).is_none() {
                out.push(Choice::unit(verbs::OFFENSIVE, p.hq));
            }
            last = Some(p.hq);
        }
    }

    /// Uses up what supported an attack (9.3.6, 18.3.1, 18.5, 18.6.5, 26.2).
    pub(crate) fn use_support(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let (guns, shells, plans, air, hex) = (b.guns.clone(), b.shells, b.plans.clone(), b.air, b.hex);
        for u in guns {
            if self.is(u, is::BARRAGE) {
                self.put(u, Place::Box(boxes::GONE));
                self.s.flags[u.ix()] = 0;
            } else {
                self.mark(u, flag::USED);
            }
            let code = self.code(u).to_string();
            cx.say(|| Line::new("support", Rule("18.3.1"), format!("{code} fires in support.")).at(hex));
        }
        if let Some(u) = shells {
            let code = self.code(u).to_string();
            cx.say(|| Line::new("support", Rule("18.6.5"), format!("{code} is spent on a barrage.")).at(hex));
            self.eliminate(u);
        }
        for hq in plans {
            if let Some(i) = self.s.plans.iter().position(|p| p.hq == hq && p.ready) {
                self.s.plans.remove(i);
            }
            let code = self.code(hq).to_string();
            cx.say(|| {
                Line::new("support", Rule("26.2"), format!("The offensive planned by {code} begins.")).at(hex)
            });
        }
        if let Some(u) = air
            && self.nation(u) == Nation::Romanian
        {
            self.spend_air(u);
        }
    }

    /// 9.3.6: an air unit goes back to its box on its Used side.
    pub(crate) fn spend_air(&mut self, u: Unit) {
        self.s.fight.escorts.retain(|e| e.0 != u);
        self.put(u, Place::Box(boxes::AIR_USED));
    }

    /// 9.3.7: air units leave a unit that retreats or dies, and return to their box.
    pub(crate) fn ground_air(&mut self, u: Unit) {
        let gone: Vec<Unit> = self.s.fight.escorts.iter().filter(|e| e.1 == u).map(|e| e.0).collect();
        for a in gone {
            self.spend_air(a);
        }
    }

    /// 9.3.4, 9.3.7: the air units that can help a defence at a hex.
    pub fn cover(&self, h: Hex) -> Vec<Unit> {
        let grid = self.data.map.grid();
        let near = u32::from(self.data.charts.shifts.air_escort_range);
        let mut out: Vec<Unit> = Vec::new();
        for &(a, with) in &self.s.fight.escorts {
            if self.on_map(with).is_some_and(|w| grid.distance(w, h) <= near) {
                out.push(a);
            }
        }
        let waiting: Vec<Unit> = self.boxed(boxes::AIR).filter(|&u| self.air_waits(u)).collect();
        if !waiting.is_empty() && self.air_reaches(h) {
            out.extend(waiting);
        }
        out
    }

    /// The same for the shift of a combat (9.3.8).
    pub(crate) fn cover_for(&self, b: &Battle) -> Vec<Unit> {
        let mut all = self.cover(b.hex);
        let defenders = self.defending(b);
        all.retain(|&u| self.nation(u) != Nation::Romanian || self.mostly_romanian(&defenders));
        all
    }

    /// 11.3, 18.3.2: what can support a stand under a lead unit.
    pub(crate) fn backing(&self, b: &Battle, lead: Unit) -> Vec<Unit> {
        let Some(h) = self.on_map(lead) else { return Vec::new() };
        let own = self.side(lead);
        let mut out = Vec::new();
        if own == Side::One && b.air.is_none() && b.kind != Kind::Automatic {
            let fits =
                |u: &Unit| self.nation(*u) != Nation::Romanian || self.nation(lead) == Nation::Romanian;
            out.extend(self.cover(h).into_iter().filter(fits));
        }
        for u in self.guns() {
            if self.side(u) != own {
                continue;
            }
            let gun = if self.is(u, is::SUPPLY) {
                if !self.ready_supply(u) {
                    continue;
                }
                let place = self.s.stacks.place(u);
                self.s.stacks.of(place).find(|&g| self.able_asu(g) && self.side(g) == own)
            } else {
                (self.able_asu(u) && !self.flagged(u, flag::USED)).then_some(u)
            };
            if let Some(g) = gun
                && self.own_kind(g, &[lead])
                && self.reaches(g, &[h])
            {
                out.push(u);
            }
        }
        out
    }

    /// Uses what supports a stand (11.3).
    pub(crate) fn use_backing(&mut self, u: Unit) {
        if self.is(u, is::AIR) {
            self.spend_air(u);
        } else if self.is(u, is::SUPPLY) {
            self.eliminate(u);
        } else {
            self.mark(u, flag::USED);
        }
    }

    /// 28.1: the leader of a side who could have a die rolled again near these hexes.
    pub(crate) fn leader_near(&self, own: Side, hexes: &[Hex]) -> Option<Unit> {
        if !self.options.leaders {
            return None;
        }
        self.s.stacks.units().find(|&u| {
            self.side(u) == own
                && self.info(u).traits & is::LEADER != 0
                && self.on_map(u).is_some()
                && !self.flagged(u, flag::USED | flag::TRAIN)
                && self.reaches(u, hexes)
        })
    }
}
