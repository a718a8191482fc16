//! Section 27: Disengagement.

use crate::battle::{Cause, Falling, Stage, Thrown};
use crate::combat::no;
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, HexSet};
use table::{Rule, Side, Sum, Unit};

impl Pos {
    /// Whether Disengagement is in play: the option, or an Interchange Turn (33.2.3).
    fn disengaging(&self) -> bool {
        self.options.disengagement || self.s.interchange
    }

    /// 27.2.1: why a unit may not try to disengage.
    fn why_not_leave(&self, side: Side, u: Unit) -> Option<Illegal> {
        if !self.disengaging() {
            return no("27.1", "Disengagement is not in play");
        }
        if u.ix() >= self.data.sides.len() || self.side(u) != side || !self.combat(u) {
            return no("27.2.1", "that is no Combat Unit of yours");
        }
        let code = self.code(u);
        let Some(h) = self.on_map(u) else { return no("27.2.1", format!("{code} is not on the map")) };
        if self.flagged(u, flag::ATTACKED | flag::AUTO_DS) {
            return no("27.2.1", format!("{code} has attacked"));
        }
        if self.flagged(u, flag::TRIED) {
            return no("27.2.1", format!("{code} has tried already"));
        }
        if self.flagged(u, flag::REPLACED) {
            return no("21.4", format!("{code} took a Replacement"));
        }
        if self.flagged(u, flag::TRAIN | flag::RESERVE) {
            return no("27.2.1", format!("{code} is entrained or in Reserve"));
        }
        if self.flagged(u, flag::FULL_RETREAT) && !self.s.zones.steady[side.ix()].contains(h) {
            return no("27.2.1", format!("{code} is in Full Retreat and alone"));
        }
        if !self.near_enemy(side, h) && !self.contested(h) {
            return no("27.2.1", format!("{code} is not beside an enemy"));
        }
        let f = self.way_out(side, h, vec![u]);
        if !self.can_fall(&f, &[u]) {
            return no("27.2.3", format!("{code} has no hex to go to"));
        }
        None
    }

    fn way_out(&self, side: Side, from: Hex, units: Vec<Unit>) -> Falling {
        let most = self.data.charts.retreat.disengage_most;
        Falling {
            side,
            from,
            cause: Cause::Disengagement,
            least: 1,
            most,
            rout: false,
            units,
            hand: Vec::new(),
        }
    }

    /// The units of a stack that may try.
    fn leavers(&self, side: Side, h: Hex) -> Vec<Unit> {
        self.of_side(side, h).filter(|&u| self.why_not_leave(side, u).is_none()).collect()
    }

    pub(crate) fn disengage_choices(&self, side: Side, out: &mut Vec<Choice>) {
        if !self.disengaging() {
            return;
        }
        let mut seen = HexSet::empty();
        for h in &self.s.zones.combat[side.ix()] {
            if !self.near_enemy(side, h) && !self.contested(h) || !seen.insert(h) {
                continue;
            }
            let all = self.leavers(side, h);
            out.extend(all.iter().map(|&u| Choice::unit(verbs::DISENGAGE, u)));
            if all.len() > 1 {
                out.push(Choice::hex(verbs::DISENGAGE, h));
            }
        }
    }

    pub(crate) fn why_not_disengage(&self, side: Side, o: Object) -> Option<Illegal> {
        match o {
            Object::Unit(u) => self.why_not_leave(side, u),
            Object::Hex(h) => {
                if !self.disengaging() {
                    return no("27.1", "Disengagement is not in play");
                }
                (self.leavers(side, h).len() < 2)
                    .then(|| Illegal::new(Rule("27.2.1"), "a stack of two or more that may try is needed"))
            }
            _ => no("27.2.1", "name a unit, or the hex of a stack"),
        }
    }

    /// 27.2.2: the modifiers of an attempt.
    pub fn disengage_sum(&self, units: &[Unit]) -> Sum {
        let d = &self.data.charts.disengagement;
        let mut sum = Sum::new();
        if units.iter().all(|&u| self.is(u, is::CAVALRY | is::MECH)) {
            sum.and(Rule("27.2.2"), "cavalry or mechanized", d.mobile);
        }
        if units.iter().any(|&u| self.flagged(u, flag::DISRUPTED)) {
            sum.and(Rule("27.2.2"), "disrupted", d.disrupted);
        }
        sum
    }

    /// 27.2.1: rolls for a unit or a stack.
    pub(crate) fn disengage(&mut self, side: Side, o: Object, cx: &mut Cx<'_>) {
        let units = match o {
            Object::Unit(u) => vec![u],
            Object::Hex(h) => self.leavers(side, h),
            _ => return,
        };
        for &u in &units {
            self.mark(u, flag::TRIED);
        }
        let hexes: Vec<Hex> = units.iter().filter_map(|&u| self.on_map(u)).collect();
        self.s.fight.leaving = units;
        self.s.fight.leaving_die = cx.d6();
        if side == Side::One && self.leader_near(Side::One, &hexes).is_some() {
            let die = self.s.fight.leaving_die;
            cx.say(|| Line::new("dice", Rule("27.2.1"), format!("The attempt to disengage rolls {die}.")));
            self.s.frames.push(Frame::Fight(Stage::Reroll(Thrown::Disengagement)));
        } else {
            self.read_disengagement(cx);
        }
    }

    /// 27.2.3: what the attempt brings.
    pub(crate) fn read_disengagement(&mut self, cx: &mut Cx<'_>) {
        let units = std::mem::take(&mut self.s.fight.leaving);
        let die = self.s.fight.leaving_die;
        self.s.fight.leaving_die = 0;
        let Some(h) = units.first().and_then(|&u| self.on_map(u)) else { return };
        let side = self.side(units[0]);
        let sum = self.disengage_sum(&units);
        let table = &self.data.charts.disengagement.results;
        let roll = (i32::from(die) + sum.total().floor()).clamp(1, table.len() as i32);
        let result = table[(roll - 1) as usize].clone();
        let names = self.codes(&units);
        let word = result.clone();
        cx.say(|| {
            let what = match word.as_str() {
                "no" => "cannot get away",
                "yes" => "get away",
                _ => "get away with loss",
            };
            Line::new("disengage", Rule("27.2.3"), format!("{names}: die {die}, they {what}."))
                .at(h)
                .fact("disengage", word)
                .fact("die", die)
                .sum("disengage", sum)
        });
        if result == "no" {
            return;
        }
        let f = self.way_out(side, h, units);
        self.fall_back(f);
        if result == "yes-step" {
            // The owner picks who pays, before anyone goes.
            self.s.frames.push(Frame::Fight(Stage::Price { left: 1 }));
        }
    }
}
