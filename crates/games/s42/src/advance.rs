//! Section 14: advance after combat, and the Reserves that advance without one (25.2.3).

use crate::battle::{Advancing, At, Kind, Scope, Shattered, Stage, Strider};
use crate::charts::Weather;
use crate::combat::no;
use crate::map::side;
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::{Nation, is};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Dir, Hex, HexSet, Route};
use table::{BoxId, Place, Rule, Side, Unit};
use text::count;

impl Pos {
    /// 23.2.3, 23.2.4: what the weather leaves of an advance.
    pub(crate) fn weathered(&self, n: u8) -> u8 {
        let w = &self.data.charts.weather;
        if n == 0 {
            return 0;
        }
        let n = if self.soft() { n.div_ceil(2) } else { n };
        if self.s.weather == Weather::Snow {
            n.saturating_add_signed(w.snow_advance).max(w.snow_advance_least)
        } else {
            n
        }
    }

    /// 14.2.2, 16.4: how far a unit can advance at all.
    pub fn advance_rate(&self, u: Unit) -> u8 {
        let a = &self.data.charts.advance;
        let rate = if self.is(u, is::GUARDS_OR_SHOCK) {
            a.slow_army_hq
        } else if self.is(u, is::MECH | is::TANK_ARMY) {
            a.mech
        } else if self.is(u, is::CAVALRY) {
            a.cavalry
        } else {
            a.others
        };
        if self.flagged(u, flag::OUT) { rate.min(a.out_of_supply) } else { rate }
    }

    /// The advance under way.
    pub(crate) fn advancing(&self) -> Option<&Advancing> {
        self.s.fight.advances.last()
    }

    pub(crate) fn advancing_mut(&mut self) -> Option<&mut Advancing> {
        self.s.fight.advances.last_mut()
    }

    /// A unit's part in the advance.
    pub(crate) fn strider(&self, u: Unit) -> Option<Strider> {
        self.advancing()?.units.iter().find(|s| s.unit == u).copied()
    }

    pub(crate) fn strider_mut(&mut self, u: Unit) -> Option<&mut Strider> {
        self.advancing_mut()?.units.iter_mut().find(|s| s.unit == u)
    }

    /// 9.3.7: a German air unit that supported the attack finds the stack it stays with.
    pub(crate) fn offer_escort(&mut self) {
        let Some(b) = self.battle() else { return };
        let german = |u: Unit| self.nation(u) == Nation::German;
        let stays = b.kind == Kind::Regular && b.side == Side::One && b.air.is_some_and(german);
        self.set_at(At::Contest);
        if stays {
            self.s.frames.push(Frame::Fight(Stage::Escort));
        }
    }

    /// The units that an air unit may stay with: it goes where that unit goes.
    fn escortable(&self) -> Vec<Unit> {
        let Some(b) = self.battle() else { return Vec::new() };
        let may = |&u: &Unit| self.alive(u) && self.on_map(u).is_some();
        b.attackers.iter().copied().filter(may).collect()
    }

    pub(crate) fn forced_escort(&mut self) -> bool {
        let all = self.escortable();
        let Some(air) = self.battle().and_then(|b| b.air) else {
            self.s.frames.pop();
            return true;
        };
        match all[..] {
            [] => {
                self.s.frames.pop();
                self.spend_air(air);
                true
            }
            [u] => {
                self.s.frames.pop();
                self.s.fight.escorts.push((air, u));
                true
            }
            _ => false,
        }
    }

    pub(crate) fn escort_choices(&self, out: &mut Vec<Choice>) {
        out.extend(self.escortable().into_iter().map(|u| Choice::unit(verbs::ESCORT, u)));
    }

    pub(crate) fn why_not_escort(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::ESCORT, Object::Unit(u)) if self.escortable().contains(&u) => None,
            _ => no("9.3.7", "the air unit stays with a unit that took part"),
        }
    }

    pub(crate) fn play_escort(&mut self, c: Choice) {
        self.s.frames.pop();
        if let (Object::Unit(u), Some(air)) = (c.object, self.battle().and_then(|b| b.air)) {
            self.s.fight.escorts.push((air, u));
        }
    }

    /// 14.1: what a combat earns its attackers.
    pub(crate) fn offer_advance(&mut self, cx: &mut Cx<'_>) {
        let Some(b) = self.battle() else { return };
        let (hex, side, kind, gone) = (b.hex, b.side, b.kind, b.gone);
        let units: Vec<Unit> = b.attackers.iter().copied().filter(|&u| self.alive(u)).collect();
        let (limited, delay, advance, guns) = (b.limited, b.delay, b.advance, b.guns.clone());
        self.set_at(At::Over);
        match kind {
            Kind::Automatic => {
                if gone && !units.is_empty() {
                    self.s.fight.shattered.push(Shattered { hex, units });
                }
            }
            Kind::Breakthrough => self.after_breakthrough(hex, gone, cx),
            Kind::Regular => {
                self.s.fight.vacated = gone.then_some(hex);
                if !gone || units.is_empty() {
                    return;
                }
                let (scope, n) = if delay {
                    (Scope::Delay, self.data.charts.advance.delay)
                } else if limited {
                    (Scope::Limited, 1)
                } else {
                    (Scope::Full, advance)
                };
                if n > 0 {
                    self.begin_advance(side, hex, scope, n, &units, Some(&guns));
                }
            }
        }
    }

    /// 14.1: sets out an advance of these units and of those stacked with them.
    pub(crate) fn begin_advance(
        &mut self,
        side: Side,
        hex: Hex,
        scope: Scope,
        allowance: u8,
        fighters: &[Unit],
        guns: Option<&[Unit]>,
    ) {
        let mut units: Vec<Strider> = Vec::new();
        let add = |u: Unit, fought: bool, units: &mut Vec<Strider>| {
            let left = allowance.min(self.advance_rate(u));
            if !units.iter().any(|s| s.unit == u) {
                units.push(Strider { unit: u, left, fought, begun: false });
            }
        };
        for &u in fighters {
            add(u, true, &mut units);
        }
        if scope != Scope::Reserve {
            let barred = flag::ATTACKED
                | flag::ADVANCED
                | flag::REPLACED
                | flag::TRAIN
                | flag::RESERVE
                | flag::AUTO_DS
                | flag::TRIED
                | flag::RETREATED;
            for &u in fighters {
                let Some(h) = self.on_map(u) else { continue };
                for v in self.of_side(side, h) {
                    let fired = guns.is_some_and(|g| g.contains(&v));
                    let may = self.good_order(v)
                        && !self.flagged(v, barred)
                        && !self.is(v, is::IMMOBILE | is::RESERVE_ARMY)
                        && !fired;
                    if may {
                        add(v, false, &mut units);
                    }
                }
            }
        }
        self.s.fight.advances.push(Advancing {
            side,
            hex,
            scope,
            units,
            hand: None,
            may_group: scope == Scope::Full && allowance >= 2,
            group: Vec::new(),
            turned: false,
            stuck: false,
            cleared: Hex::NONE,
            ended: false,
        });
        self.s.frames.push(Frame::Fight(Stage::Advance));
    }

    /// 14.2-14.5: why a unit may not take a hex of its advance.
    pub(crate) fn why_no_stride(
        &self,
        a: &Advancing,
        u: Unit,
        from: Hex,
        d: Dir,
        to: Hex,
        first: bool,
    ) -> Option<Illegal> {
        let own = a.side;
        let code = self.code(u);
        if self.has_combat(own.foe(), to) && !self.contested(to) {
            return no("14.3", format!("{} holds an enemy", self.called(to)));
        }
        if !self.passable(u, from, d, to) {
            return no("14.5", format!("{code} cannot move into {}", self.called(to)));
        }
        let into = to == a.hex;
        if a.scope == Scope::Limited && !into {
            return no("14.2.3", "a Limited Advance leads into the vacated hex and no farther");
        }
        if !into && self.bonded(own, from, d, to) {
            return no("14.4.1", format!("{} lies in or behind an enemy bond", self.called(to)));
        }
        let river_first = into && first && a.scope != Scope::Reserve;
        if !river_first && !self.bridged(own, from, d, to, self.combat(u)) {
            return no(
                "14.5",
                "an unbridged Major River is crossed only with the first hex, into the vacated one",
            );
        }
        let bits = self.data.map.sides[from.ix()][d.ix()];
        let ground = self.data.map.ground(to, self.s.wet);
        if ground.mech_advance_by_road_only && self.is(u, is::MECH) && bits & side::ROAD == 0 {
            return no("14.5", format!("{code} advances into mountains by road only"));
        }
        None
    }

    /// 14.4.2, 14.5: whether an advance ends in the hex it enters.
    pub(crate) fn halts(&self, a: &Advancing, from: Hex, d: Dir, to: Hex) -> bool {
        let bits = self.data.map.sides[from.ix()][d.ix()];
        let ground = self.data.map.ground(to, self.s.wet);
        let zoc = self.in_ezoc(a.side, to) && to != a.hex;
        zoc || a.scope == Scope::Limited || ground.stops_advance && bits & side::ROAD == 0
    }

    /// Whether a unit fits into a hex where its advance ends (14.1).
    pub(crate) fn room(&self, own: Side, h: Hex, units: &[Unit]) -> bool {
        self.fits(own, &self.load_with(own, h, units))
    }

    /// Every hex that a unit, or a group, can advance to with so many hexes left.
    pub(crate) fn strides(&self, a: &Advancing, units: &[Unit], left: u8, begun: bool) -> Vec<(Hex, Route)> {
        self.strides_by(a, units, left, begun, None)
    }

    /// The same by ways whose first hex is this one, if one is named.
    pub(crate) fn strides_by(
        &self,
        a: &Advancing,
        units: &[Unit],
        left: u8,
        begun: bool,
        by: Option<Hex>,
    ) -> Vec<(Hex, Route)> {
        let Some(from) = units.first().and_then(|&u| self.on_map(u)) else { return Vec::new() };
        let grid = self.data.map.grid();
        let mut seen = HexSet::empty();
        seen.insert(from);
        let mut out = Vec::new();
        let mut layer = vec![(from, Route::from(from))];
        for n in 0..left {
            let mut next = Vec::new();
            for &(h, route) in &layer {
                for (d, to) in grid.neighbours(h) {
                    let first = n == 0 && !begun;
                    if seen.contains(to)
                        || n == 0 && by.is_some_and(|b| b != to)
                        || units.iter().any(|&u| self.why_no_stride(a, u, h, d, to, first).is_some())
                    {
                        continue;
                    }
                    let Some(route) = route.push(d) else { continue };
                    seen.insert(to);
                    if self.room(a.side, to, units) {
                        out.push((to, route));
                    }
                    if !self.halts(a, h, d, to) {
                        next.push((to, route));
                    }
                }
            }
            layer = next;
        }
        out
    }

    /// Why a way may not be taken in an advance.
    pub(crate) fn why_not_stride_route(
        &self,
        a: &Advancing,
        units: &[Unit],
        left: u8,
        begun: bool,
        r: Route,
    ) -> Option<Illegal> {
        let grid = self.data.map.grid();
        let Some(from) = units.first().and_then(|&u| self.on_map(u)) else {
            return no("14.1", "those units are not on the map");
        };
        if r.start() != from || r.is_empty() {
            return no("14.3", "an advance begins where the units are");
        }
        if r.len() > usize::from(left) {
            return no("14.2.1", format!("the advance has {} left", count(left, "hex")));
        }
        let mut at = from;
        let mut halted = false;
        for (n, d) in r.dirs().enumerate() {
            let Some(to) = grid.neighbour(at, d) else { return no("14.3", "that way leads off the map") };
            if halted {
                return no("14.4.2", format!("the advance ends in {}", self.called(at)));
            }
            for &u in units {
                if let Some(i) = self.why_no_stride(a, u, at, d, to, n == 0 && !begun) {
                    return Some(i);
                }
            }
            halted = self.halts(a, at, d, to);
            at = to;
        }
        if at == from {
            return no("14.3", "an advance leads to another hex");
        }
        (!self.room(a.side, at, units))
            .then(|| Illegal::new(Rule("14.1"), format!("{} would hold too many units", self.called(at))))
    }

    /// Units that have a hex of their advance left and somewhere to go.
    fn may_stride(&self, a: &Advancing, s: &Strider) -> bool {
        if s.left == 0 || !self.alive(s.unit) || a.group.contains(&s.unit) {
            return false;
        }
        if self.on_map(s.unit).is_none() {
            return self.may_come_in(a, s.unit);
        }
        !self.strides(a, &[s.unit], s.left, s.begun).is_empty() || !self.ways_off(a, s).is_empty()
    }

    /// 22.3.1: friendly Entry Areas that a unit can advance into; its advance ends there.
    fn ways_off(&self, a: &Advancing, s: &Strider) -> Vec<BoxId> {
        let Some(h) = self.on_map(s.unit).filter(|_| s.left > 0 && a.scope != Scope::Limited) else {
            return Vec::new();
        };
        let near = self.scene().borders[h.ix()] & self.scene().friendly[a.side];
        let areas = self.data.areas.iter().enumerate().filter(|(i, _)| near >> i & 1 != 0);
        areas.map(|(_, e)| e.in_box).filter(|&b| self.may_enter_area(a.side, b)).collect()
    }

    /// 22.7: whether a unit that attacked from an Entry Area can follow into the vacated hex.
    pub(crate) fn may_come_in(&self, a: &Advancing, u: Unit) -> bool {
        a.hex.is_some() && !self.has_combat(a.side.foe(), a.hex) && self.room(a.side, a.hex, &[u])
    }

    /// Whether nobody can advance any more.
    pub(crate) fn advance_settled(&mut self) -> bool {
        let Some(a) = self.advancing() else {
            self.s.frames.pop();
            return true;
        };
        if a.units.iter().any(|s| self.may_stride(a, s)) || !self.group_hexes(a).is_empty() {
            return false;
        }
        self.end_advance();
        true
    }

    /// Ends an advance: ASUs that went are Disrupted (18.2.2).
    fn end_advance(&mut self) {
        self.s.frames.pop();
        let Some(a) = self.s.fight.advances.pop() else { return };
        for s in a.units {
            if s.begun && self.is(s.unit, is::ASU) && self.good_order(s.unit) && self.alive(s.unit) {
                self.mark(s.unit, flag::DISRUPTED);
            }
            if s.begun && self.alive(s.unit) {
                self.mark(s.unit, flag::ADVANCED);
            }
        }
        self.check_city_battles();
    }

    pub(crate) fn ask_advance(&self, hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        let Some(a) = self.advancing() else { return ("14.1", "advance", String::new()) };
        hexes.clear();
        if a.hex.is_some() {
            hexes.push(a.hex);
        }
        let text = match a.scope {
            Scope::Full if a.may_group => "Name the Breakthrough Group, or advance unit by unit.".to_string(),
            Scope::Full => "Which unit advances?".to_string(),
            Scope::Limited => format!("Who enters {}? The advance ends there.", self.called(a.hex)),
            Scope::Delay => "Which unit advances one hex?".to_string(),
            Scope::Reserve => "Which unit of the Reserve advances?".to_string(),
        };
        ("14.1", "advance", text)
    }

    pub(crate) fn advance_choices(&self, out: &mut Vec<Choice>) {
        let Some(a) = self.advancing() else { return };
        out.extend(self.group_hexes(a).into_iter().map(|h| Choice::hex(verbs::GROUP, h)));
        out.extend(
            a.units.iter().filter(|s| self.may_stride(a, s)).map(|s| Choice::unit(verbs::PICK, s.unit)),
        );
        out.push(Choice::button(verbs::DONE));
    }

    pub(crate) fn why_not_advance(&self, c: &Choice) -> Option<Illegal> {
        let Some(a) = self.advancing() else { return no("14.1", "nobody advances") };
        match (c.verb, c.object) {
            (verbs::DONE, Object::Nothing) => None,
            (verbs::GROUP, Object::Hex(h)) => self.why_not_group_at(a, h),
            (verbs::PICK, Object::Unit(u)) => match a.units.iter().find(|s| s.unit == u) {
                Some(s) if self.may_stride(a, s) => None,
                Some(s) if s.left == 0 => {
                    no("14.2.1", format!("{} has no hex of its advance left", self.code(u)))
                }
                Some(_) => no("14.4", format!("{} has nowhere to advance to", self.code(u))),
                None => no("14.1", "only units that attacked, and those stacked with them, advance"),
            },
            _ => no("14.1", "name who advances, or end the advance"),
        }
    }

    pub(crate) fn play_advance(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::GROUP, Object::Hex(h)) => self.name_group(h, cx),
            (verbs::PICK, Object::Unit(u)) => {
                if self.on_map(u).is_none() {
                    self.come_in(u, cx);
                    return;
                }
                if let Some(a) = self.advancing_mut() {
                    a.hand = Some(u);
                }
                self.s.frames.push(Frame::Fight(Stage::Stride));
            }
            _ => self.end_advance(),
        }
    }

    /// 22.7: out of the Entry Area into the vacated hex.
    fn come_in(&mut self, u: Unit, cx: &mut Cx<'_>) {
        let Some(hex) = self.advancing().map(|a| a.hex) else { return };
        self.stride_into(&[u], hex, cx);
        if let Some(s) = self.strider_mut(u) {
            s.left = s.left.saturating_sub(1);
            s.begun = true;
        }
        let (code, name) = (self.code(u).to_string(), self.called(hex));
        cx.say(|| {
            Line::new("advance", Rule("22.7"), format!("{code} advances onto the map into {name}.")).at(hex)
        });
    }

    /// Units enter a hex in an advance, with all that this brings; true if somebody is asked first.
    pub(crate) fn stride_into(&mut self, units: &[Unit], to: Hex, cx: &mut Cx<'_>) -> bool {
        let Some(&first) = units.first() else { return false };
        let own = self.side(first);
        for &u in units {
            self.put(u, Place::Hex(to));
        }
        for &u in units {
            self.enter(u, to);
        }
        if !units.iter().any(|&u| self.combat(u)) {
            return false;
        }
        self.overrun_non_combat(own, to, cx);
        self.alarm(own, to, cx);
        let before = self.s.frames.len();
        self.push_automatic(own, to);
        self.s.frames.len() > before
    }

    pub(crate) fn ask_stride(&self, hexes: &mut Vec<Hex>) -> (&'static str, &'static str, String) {
        hexes.clear();
        let Some(u) = self.advancing().and_then(|a| a.hand) else { return ("14.3", "stride", String::new()) };
        hexes.extend(self.on_map(u));
        let left = self.strider(u).map_or(0, |s| s.left);
        ("14.3", "stride", format!("Advance {}: {} left.", self.code(u), count(left, "hex")))
    }

    /// Whether the unit in hand has come to an end.
    pub(crate) fn stride_settled(&mut self) -> bool {
        let Some((a, u)) = self.advancing().and_then(|a| Some((a, a.hand?))) else {
            self.s.frames.pop();
            return true;
        };
        let goes = self.strider(u).is_some_and(|s| {
            let off = || !self.ways_off(a, &s).is_empty();
            self.alive(u) && (!self.strides(a, &[u], s.left, s.begun).is_empty() || off())
        });
        if !goes {
            self.put_down();
        }
        !goes
    }

    fn put_down(&mut self) {
        self.s.frames.pop();
        if let Some(a) = self.advancing_mut() {
            a.hand = None;
        }
    }

    pub(crate) fn stride_choices(&self, out: &mut Vec<Choice>) {
        let Some((a, u)) = self.advancing().and_then(|a| Some((a, a.hand?))) else { return };
        if let Some(s) = self.strider(u) {
            let all = self.strides(a, &[u], s.left, s.begun);
            out.extend(all.into_iter().map(|(_, r)| Choice::route(verbs::GO, r)));
            let off = self.ways_off(a, &s).into_iter();
            out.extend(off.map(|b| Choice { verb: verbs::EXIT, object: Object::Box(b) }));
        }
        out.push(Choice::button(verbs::STOP));
    }

    pub(crate) fn why_not_stride(&self, c: &Choice) -> Option<Illegal> {
        let Some((a, u)) = self.advancing().and_then(|a| Some((a, a.hand?))) else {
            return no("14.3", "nothing is in hand");
        };
        match (c.verb, c.object, self.strider(u)) {
            (verbs::STOP, Object::Nothing, _) => None,
            (verbs::GO, Object::Route(r), Some(s)) => self.why_not_stride_route(a, &[u], s.left, s.begun, r),
            (verbs::EXIT, Object::Box(b), Some(s)) if self.ways_off(a, &s).contains(&b) => None,
            (verbs::EXIT, ..) => no("22.3.1", "no friendly Entry Area lies beside the unit"),
            _ => no("14.3", "advance the unit in hand along a way, or put it down"),
        }
    }

    pub(crate) fn play_stride(&mut self, c: Choice, cx: &mut Cx<'_>) {
        let Some(u) = self.advancing().and_then(|a| a.hand) else { return };
        if let Object::Box(b) = c.object {
            self.advance_off(u, b, cx);
            return;
        }
        let Object::Route(r) = c.object else {
            self.put_down();
            return;
        };
        let end = self.walk(&[u], r, cx);
        if end == r.start() {
            return;
        }
        let (code, name) = (self.code(u).to_string(), self.called(end));
        cx.say(|| Line::new("advance", Rule("14.3"), format!("{code} advances to {name}.")).at(end));
    }

    /// 22.3.1: a unit ends its advance in a friendly Entry Area.
    fn advance_off(&mut self, u: Unit, b: BoxId, cx: &mut Cx<'_>) {
        self.put(u, Place::Box(b));
        self.mark(u, flag::JUST_IN);
        if let Some(s) = self.strider_mut(u) {
            (s.left, s.begun) = (0, true);
        }
        let text = format!("{} advances into {}.", self.code(u), self.data.box_label(b));
        cx.say(|| Line::new("advance", Rule("22.3.1"), text));
    }

    /// Takes units along a way of an advance, hex by hex, until it ends or somebody must be asked.
    pub(crate) fn walk(&mut self, units: &[Unit], r: Route, cx: &mut Cx<'_>) -> Hex {
        let data = self.data.clone();
        let grid = data.map.grid();
        let mut at = r.start();
        for d in r.dirs() {
            let Some(to) = grid.neighbour(at, d) else { break };
            // 34.6.2: what looked like an empty army may not be.
            let axis = units.first().is_some_and(|&u| self.side(u) == Side::One);
            if axis && units.iter().any(|&u| self.combat(u)) && self.army_stands(to, cx) {
                if self.advancing().is_some_and(|a| a.hex != at) {
                    self.halt(units);
                }
                break;
            }
            let halted = self.advancing().is_some_and(|a| self.halts(a, at, d, to));
            let asked = self.stride_into(units, to, cx);
            at = to;
            for &u in units {
                if let Some(s) = self.strider_mut(u) {
                    s.left = s.left.saturating_sub(1);
                    s.begun = true;
                }
            }
            if halted {
                self.halt(units);
            }
            if asked || halted {
                break;
            }
        }
        at
    }

    /// An advance ends where it stands; a Breakthrough Group may still fight its way out (15.2.6).
    fn halt(&mut self, units: &[Unit]) {
        let group = self.advancing().is_some_and(|a| units.iter().all(|u| a.group.contains(u)));
        if group {
            if let Some(a) = self.advancing_mut() {
                a.stuck = true;
            }
            return;
        }
        for &u in units {
            if let Some(s) = self.strider_mut(u) {
                s.left = 0;
            }
        }
    }

    /// 25.2.3: Reserves that may be committed.
    pub(crate) fn commit_choices(&self, side: Side, out: &mut Vec<Choice>) {
        if !self.options.reserves {
            return;
        }
        let mut seen = HexSet::empty();
        for u in self.s.stacks.units() {
            if self.why_not_commit(side, u).is_none()
                && let Some(h) = self.on_map(u)
                && seen.insert(h)
            {
                out.push(Choice::unit(verbs::COMMIT, u));
            }
        }
    }

    pub(crate) fn why_not_commit(&self, side: Side, u: Unit) -> Option<Illegal> {
        if !self.options.reserves {
            return no("25.1", "Reserves are not in play");
        }
        if u.ix() >= self.data.sides.len() || self.side(u) != side || !self.flagged(u, flag::RESERVE) {
            return no("25.2.3", "that unit is not in Reserve");
        }
        None
    }

    /// 25.2.3: a Reserve stack leaves its marker and advances up to two hexes.
    pub(crate) fn commit(&mut self, side: Side, u: Unit, cx: &mut Cx<'_>) {
        let Some(h) = self.on_map(u) else { return };
        let units: Vec<Unit> = self.of_side(side, h).filter(|&v| self.flagged(v, flag::RESERVE)).collect();
        for &v in &units {
            self.unmark(v, flag::RESERVE);
            self.mark(v, flag::ATTACKED);
        }
        let names = self.codes(&units);
        cx.say(|| Line::new("reserve", Rule("25.2.3"), format!("{names} are committed from Reserve.")).at(h));
        let hex = self.s.fight.vacated.unwrap_or(Hex::NONE);
        let far = self.data.charts.advance.reserve;
        self.begin_advance(side, hex, Scope::Reserve, far, &units, None);
    }
}
