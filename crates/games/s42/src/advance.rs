//! Section 14: advance after combat: who may, how far, and the air unit that goes along.

use crate::battle::{Advancing, At, Kind, Scope, Shattered, Stage, Strider};
use crate::charts::Weather;
use crate::combat::no;
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::{Nation, is};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{BoxId, Rule, Side, Unit};

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
    pub(crate) fn ways_off(&self, a: &Advancing, s: &Strider) -> Vec<BoxId> {
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
}
