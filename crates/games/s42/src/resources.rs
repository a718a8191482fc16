//! Section 18: Resource Points, Artillery Support Units, Supply Points; 9.7.2: Fortifications.

use crate::data::boxes;
use crate::state::{Cx, Plan, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, HexSet};
use table::{BoxId, Place, Rule, Side, Unit};

impl Pos {
    /// 18.1, S2.2, S2.3: the Resource Points of a side this turn.
    pub fn resource_points(&self, side: Side) -> u8 {
        let sp = &self.scenario().special;
        let n = match side {
            Side::One if self.s.turn < sp.axis_resource_points_from_turn => Some(0),
            Side::One => sp.axis_resource_points,
            Side::Two => sp.soviet_resource_points,
        };
        n.unwrap_or(self.data.charts.resources.points)
    }

    /// 9.7.2, 9.7.3: hexes where a side may begin a Fortification.
    pub fn fort_sites(&self, side: Side) -> HexSet {
        let r = &self.data.charts.resources;
        let most = if side == Side::One { r.axis_forts } else { r.soviet_forts };
        let i = side.ix();
        let forts = &self.s.forts[i] | &self.s.building[i];
        if forts.count() >= usize::from(most) {
            return HexSet::empty();
        }
        let map = &self.data.map;
        let mut out = &self.s.supplied.los[i] & &map.fortable[usize::from(self.s.wet)];
        for s in &self.s.forts {
            out -= s;
        }
        for s in &self.s.building {
            out -= s;
        }
        for g in (0..3).filter(|&g| !self.s.deactivated[g]) {
            out -= &(&map.printed_forts & &map.fort_groups[g]);
        }
        // Not where the enemy controls the hex (16.3.4), nor in his ZOC without a Combat Unit.
        let enemy = if side == Side::One { &map.held - &self.s.axis_held } else { self.s.axis_held.clone() };
        out -= &enemy;
        let bare = &self.s.zones.zoc[side.foe().ix()] - &self.s.zones.combat[i];
        out -= &bare;
        out -= &self.s.zones.combat[side.foe().ix()];
        out
    }

    /// Choices for Resource Points and Supply Points in an Initial Phase.
    pub fn list_resources(&self, side: Side, out: &mut Vec<Choice>) {
        self.list_spend(side, out);
        if self.s.resources == 0 {
            return;
        }
        out.extend(self.fort_sites(side).iter().map(|h| Choice::hex(verbs::FORTIFY, h)));
        for u in self.s.stacks.units() {
            if self.side(u) != side {
                continue;
            }
            if self.may_ready(u) {
                out.push(Choice::unit(verbs::READY, u));
            }
            if self.may_plan(u) {
                out.push(Choice::unit(verbs::PLAN, u));
            }
        }
        if self.next_supply(side).is_some() {
            for b in self.stock_boxes(side) {
                out.push(Choice { verb: verbs::STOCK, object: Object::Box(b) });
            }
        }
    }

    /// 18.1: an ASU that a Resource Point can turn to its Ready side.
    fn may_ready(&self, u: Unit) -> bool {
        self.is(u, is::ASU)
            && self.flagged(u, flag::USED)
            && self.good_order(u)
            && self.on_map(u).is_some_and(|h| self.s.supplied.rail[self.side(u).ix()].contains(h))
    }

    /// 26.1, 26.2: an HQ that may get a Planned Offensive marker.
    pub fn may_plan(&self, u: Unit) -> bool {
        let side = self.side(u);
        let used = self.s.plans.iter().filter(|p| self.side(p.hq) == side).count();
        self.options.planned
            && self.is(u, is::HQ)
            && self.good_order(u)
            && self.on_map(u).is_some()
            && self.in_supply(u)
            && used < usize::from(self.data.charts.resources.planned_offensives)
    }

    /// 18.6.1, 18.6.8: the Supply Point that would be placed next: a mobile one while the limit allows it.
    pub fn next_supply(&self, side: Side) -> Option<Unit> {
        let mobile = self.mobile_supply(side) < self.mobile_limit(side);
        let pool = |fixed: bool| {
            self.boxed(boxes::SUPPLIES)
                .filter(move |&u| self.side(u) == side && self.is(u, is::IMMOBILE) == fixed)
                .min()
        };
        if mobile { pool(false).or_else(|| pool(true)) } else { pool(true) }
    }

    /// Friendly Entry Areas where Supply Points and replacements may come (18.6.1, 21.3.1).
    pub fn stock_boxes(&self, side: Side) -> Vec<BoxId> {
        let areas = self.data.areas.iter().enumerate();
        areas
            .filter(|(i, a)| {
                self.scene().friendly[side] >> i & 1 != 0
                    && a.name != "caspian-transit"
                    && self.may_enter_area(side, a.in_box)
            })
            .map(|(_, a)| a.in_box)
            .collect()
    }

    /// Why such a choice is refused.
    pub fn reason_resources(&self, side: Side, c: &Choice) -> Option<Illegal> {
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        let spends = matches!(c.verb, verbs::FORTIFY | verbs::READY | verbs::PLAN | verbs::STOCK);
        if spends && self.s.resources == 0 {
            return no("18.1", "no Resource Point is left".into());
        }
        match (c.verb, c.object) {
            (verbs::FORTIFY, Object::Hex(h)) => Some(self.why_not_fortify(side, h)),
            (verbs::READY, Object::Unit(u)) => {
                no("18.1", format!("{} is no used ASU in Good Order on a Connecting Rail Hex", self.code(u)))
            }
            (verbs::PLAN, Object::Unit(u)) => no(
                "26.2",
                format!("{} is no HQ in Good Order and supply, or two plans are laid", self.code(u)),
            ),
            (verbs::STOCK, _) => no("18.6.1", "Supply Points come to friendly Entry Areas".into()),
            (verbs::SPEND, Object::Unit(u)) => {
                no("18.6.4", format!("{} is no used ASU in Good Order with a Supply Point", self.code(u)))
            }
            _ => None,
        }
    }

    fn why_not_fortify(&self, side: Side, h: Hex) -> Illegal {
        let name = self.data.map.called(h);
        let no = |rule: &'static str, why: String| Illegal::new(Rule(rule), why);
        if !self.data.map.fortable[usize::from(self.s.wet)].contains(h) {
            return no("9.7.3", format!("no Fortification can be built in the terrain of {name}"));
        }
        if !self.has_los(side, h) {
            return no("9.7.2", format!("{name} is out of supply"));
        }
        let bare = self.in_ezoc(side, h) && !self.has_combat(side, h);
        if bare || self.has_combat(side.foe(), h) {
            return no("9.7.3", format!("{name} lies in an enemy ZOC and no Combat Unit is there"));
        }
        if self.fort_sites(side).is_empty() {
            return no("9.7.3", "all Fortification markers are in play".into());
        }
        no("9.7.3", format!("{name} has a Fortification, or the enemy controls it"))
    }

    /// Plays one; false if it is none of these.
    pub fn play_resources(&mut self, side: Side, c: Choice, cx: &mut Cx<'_>) -> bool {
        let (rule, text) = match (c.verb, c.object) {
            (verbs::FORTIFY, Object::Hex(h)) => {
                self.s.building[side.ix()].insert(h);
                ("9.7.2", format!("A Fortification is begun in {}.", self.data.map.called(h)))
            }
            (verbs::READY, Object::Unit(u)) => {
                self.unmark(u, flag::USED);
                ("18.1", format!("{} is Ready.", self.code(u)))
            }
            (verbs::PLAN, Object::Unit(hq)) => {
                self.s.plans.push(Plan { hq, ready: false });
                ("26.2", format!("{} plans an offensive.", self.code(hq)))
            }
            (verbs::STOCK, Object::Box(b)) => {
                let Some(u) = self.next_supply(side) else { return true };
                self.s.flags[u.ix()] = 0;
                self.put(u, Place::Box(b));
                ("18.6.1", format!("{} comes to {}.", self.code(u), self.data.box_label(b)))
            }
            (verbs::SPEND, Object::Unit(u)) => {
                self.spend_supply(u, cx);
                return true;
            }
            _ => return false,
        };
        self.s.resources = self.s.resources.saturating_sub(1);
        cx.say(|| Line::new("resource", Rule(rule), text));
        true
    }

    /// 18.6.4: ASUs that a Supply Point stacked with them could turn to their Ready side.
    pub fn list_spend(&self, side: Side, out: &mut Vec<Choice>) {
        for u in self.s.stacks.units() {
            if self.side(u) == side && self.may_spend(u) {
                out.push(Choice::unit(verbs::SPEND, u));
            }
        }
    }

    fn may_spend(&self, u: Unit) -> bool {
        self.is(u, is::ASU)
            && self.flagged(u, flag::USED)
            && self.good_order(u)
            && self.in_play(u)
            && self.supply_with(u).is_some()
    }

    /// The Supply Point stacked with an ASU that would be spent: not under a Train marker (18.6.7).
    pub fn supply_with(&self, u: Unit) -> Option<Unit> {
        let place = self.s.stacks.place(u);
        self.s
            .stacks
            .of(place)
            .filter(|&v| {
                self.side(v) == self.side(u) && self.is(v, is::SUPPLY) && !self.flagged(v, flag::TRAIN)
            })
            .min()
    }

    /// Choices of the end of a Supply Phase.
    pub fn list_supply(&self, side: Side, out: &mut Vec<Choice>) {
        self.list_spend(side, out);
        out.push(Choice::button(verbs::DONE));
    }

    /// 18.6.4: spends a Supply Point to ready an ASU.
    pub fn spend_supply(&mut self, u: Unit, cx: &mut Cx<'_>) {
        if let Some(sp) = self.supply_with(u) {
            self.s.flags[sp.ix()] = 0;
            self.put(sp, Place::Box(boxes::SUPPLIES));
            self.unmark(u, flag::USED);
            let text = format!("{} is Ready again; {} is spent.", self.code(u), self.code(sp));
            cx.say(|| Line::new("spend", Rule("18.6.4"), text));
        }
    }
}
