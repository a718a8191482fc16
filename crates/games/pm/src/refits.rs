//! 8.12-8.20: German replacements, withdrawals and refits.

use crate::charts::Withdrawal;
use crate::data::boxes;
use crate::state::{Cx, Frame, Pos, flag};
use crate::supply::State;
use crate::units::{Nation, trait_};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use table::{Place, Rule, Side, Unit};
use text::count;

impl Pos {
    /// B.1 of the first couplet: withdrawals that cannot be declined happen, the others are asked one by one.
    pub fn begin_refits(&mut self, cx: &mut Cx<'_>) {
        if self.options.beginner || self.s.couplet != 1 {
            return;
        }
        self.next_withdrawal(cx);
    }

    /// Goes on to the next row of 17.4 that this turn owes.
    fn next_withdrawal(&mut self, cx: &mut Cx<'_>) {
        let data = self.data.clone();
        let rows = &data.charts.withdrawals;
        while let Some(w) = rows.get(usize::from(self.s.withdrawals)) {
            let row = self.s.withdrawals;
            self.s.withdrawals += 1;
            if w.turn != self.s.turn {
                continue;
            }
            if w.kinds.iter().any(|k| k == "air") {
                // 10.2: aircraft are gone because the turn is; nothing lies on the map to remove.
                self.ready_air(Side::One);
                continue;
            }
            if !w.decline {
                let all: Vec<Unit> = self.withdrawable(row, false);
                let short = i16::from(w.count) - all.len().min(usize::from(w.count)) as i16;
                for u in all.into_iter().take(w.count.into()) {
                    self.withdraw(u, cx);
                }
                if self.options.lost_flak {
                    self.debit(short, cx);
                }
                continue;
            }
            self.s.frames.push(Frame::Withdrawing { row, left: w.count });
            if self.settle_withdrawal(cx) {
                return;
            }
        }
    }

    /// Pays for what cannot be withdrawn any more; true if there is something to choose.
    fn settle_withdrawal(&mut self, cx: &mut Cx<'_>) -> bool {
        let Some(&Frame::Withdrawing { row, left }) = self.s.frames.last() else { return false };
        if left > 0 && !self.withdrawable(row, true).is_empty() {
            return true;
        }
        self.s.frames.pop();
        self.debit(left.into(), cx);
        false
    }

    /// 8.17: a VP for each unit not withdrawn.
    fn debit(&mut self, n: i16, cx: &mut Cx<'_>) {
        if n == 0 {
            return;
        }
        self.s.vp -= n * self.data.charts.numbers.decline_vp;
        let vp = self.s.vp;
        cx.say(|| {
            Line::new("withdrawal", Rule("8.17"), format!("{n} not withdrawn; {vp} VP.")).fact("vp", vp)
        });
    }

    /// 8.16: units that satisfy a row of 17.4.
    fn withdrawable(&self, row: u8, supplied: bool) -> Vec<Unit> {
        let Some(w) = self.data.charts.withdrawals.get(usize::from(row)) else { return Vec::new() };
        self.s.stacks.units().filter(|&u| self.why_not_withdraw(w, u, supplied).is_none()).collect()
    }

    /// 8.16: why a unit does not satisfy a row of 17.4, in a few words.
    fn why_not_withdraw(&self, w: &Withdrawal, u: Unit, supplied: bool) -> Option<&'static str> {
        let info = self.info(u);
        let named = w.unit.as_ref().is_none_or(|c| *c == info.code);
        let german = info.nation == Nation::German || w.unit.is_some();
        if info.side != Side::One || !german || !named || info.size != w.size || !w.kinds.contains(&info.kind)
        {
            return Some("is not what must be withdrawn");
        }
        match self.s.stacks.place(u) {
            Place::Hex(_) if supplied && self.state_of(u) == State::Out => Some("is out of supply"),
            Place::Hex(_) => None,
            Place::Box(boxes::OKH_NORTH | boxes::OKH_SOUTH | boxes::TO_NORTH | boxes::TO_SOUTH) => {
                (!self.options.okh_withdrawal).then_some("waits in an OKH area, not on the map")
            }
            Place::Box(_) => Some("is not in play"),
        }
    }

    /// 8.16: why a unit cannot be withdrawn for what is owed now.
    pub fn why_not_owed(&self, row: u8, u: Unit) -> Option<Illegal> {
        let w = self.data.charts.withdrawals.get(usize::from(row))?;
        let why = self.why_not_withdraw(w, u, true)?;
        Some(Illegal::new(Rule("8.16"), format!("{} {why}: {}", self.code(u), w.label)))
    }

    fn withdraw(&mut self, u: Unit, cx: &mut Cx<'_>) {
        self.into_box(u, boxes::GONE);
        self.ground_air();
        let code = self.code(u).to_string();
        cx.say(|| {
            Line::new("withdrawal", Rule("8.16"), format!("{code} is withdrawn.")).fact("withdrawn", &code)
        });
    }

    /// Choices while a withdrawal is owed.
    pub fn withdrawal_choices(&self, row: u8, out: &mut Vec<Choice>) {
        out.extend(self.withdrawable(row, true).into_iter().map(|u| Choice::unit(verbs::WITHDRAW, u)));
        out.push(Choice::button(verbs::DECLINE));
    }

    /// Withdraws a unit or declines.
    pub fn play_withdrawal(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::WITHDRAW, Object::Unit(u)) => self.withdraw(u, cx),
            _ => self.debit(1, cx),
        }
        if let Some(Frame::Withdrawing { left, .. }) = self.s.frames.last_mut() {
            *left -= 1;
        }
        if !self.settle_withdrawal(cx) {
            self.next_withdrawal(cx);
        }
    }

    /// 8.13-8.15: why a unit may not take a replacement step.
    pub fn why_not_replace(&self, u: Unit) -> Option<Illegal> {
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        if u.ix() >= self.data.units.ground {
            return no("8.13", "no such ground unit".into());
        }
        let code = self.code(u);
        if !self.is(u, trait_::REPLACEABLE) {
            return no("8.13", format!("{code} never receives replacements"));
        }
        if self.on_map(u).is_none() || usize::from(self.s.steps[u.ix()]) >= self.info(u).faces.len() {
            return no("8.14", format!("{code} is not a reduced unit on the map"));
        }
        if self.s.replacements == 0 {
            return no("8.15", "no replacement steps are left".into());
        }
        if self.state_of(u) == State::Out {
            return no("8.14", format!("{code} is out of supply"));
        }
        None
    }

    /// 8.18-8.20: why a unit may not refit.
    pub fn why_not_refit(&self, u: Unit) -> Option<Illegal> {
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        if u.ix() >= self.data.units.ground {
            return no("8.18", "no such ground unit".into());
        }
        let code = self.code(u);
        if !self.is(u, trait_::REFITS) {
            return no("8.18", format!("{code} never refits"));
        }
        if self.s.refits_over {
            return no("8.19", "refits ended with the first mud or snow".into());
        }
        if self.flagged(u, flag::REFITTED) {
            return no("8.20", format!("{code} has refitted before"));
        }
        let Some(h) = self.on_map(u) else { return no("8.20", format!("{code} is not on the map")) };
        if usize::from(self.s.steps[u.ix()]) >= self.info(u).faces.len() {
            return no("8.20", format!("{code} is at full strength"));
        }
        if self.state_of(u) != State::Full {
            return no("8.20", format!("{code} is not in full supply but {}", self.state_of(u).word()));
        }
        if self.beside(Side::Two, h) {
            return no("8.20", format!("{code} is beside a Soviet unit"));
        }
        None
    }

    /// Choices of phase B.1.
    pub fn refit_choices(&self, out: &mut Vec<Choice>) {
        if !self.options.beginner {
            for i in 0..self.data.units.ground as u16 {
                let u = Unit(i);
                if self.info(u).side != Side::One {
                    continue;
                }
                if self.is(u, trait_::REPLACEABLE) && self.why_not_replace(u).is_none() {
                    out.push(Choice::unit(verbs::REPLACE, u));
                }
                if self.is(u, trait_::REFITS) && self.why_not_refit(u).is_none() {
                    out.push(Choice::unit(verbs::REFIT, u));
                }
            }
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Plays a choice of phase B.1.
    pub fn play_refit(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::REPLACE, Object::Unit(u)) => {
                // 9.18: a unit supplied by air must stay put to take replacements.
                if matches!(self.state_of(u), State::Aerial | State::AerialEast) {
                    self.mark(u, flag::STAYS);
                }
                self.s.steps[u.ix()] += 1;
                self.s.replacements -= 1;
                let (code, left) = (self.code(u).to_string(), self.s.replacements);
                cx.say(|| {
                    let text = format!("{code} is brought to full strength; {left} replacement steps left.");
                    Line::new("replace", Rule("8.14"), text).fact("replacements", left).only(Side::One)
                });
            }
            (verbs::REFIT, Object::Unit(u)) => {
                let die = cx.dice.roll(6);
                let gain = self.data.charts.refit[usize::from(die) - 1];
                let full = self.info(u).faces.len() as u8;
                self.s.steps[u.ix()] = (self.s.steps[u.ix()] + gain).min(full);
                self.mark(u, flag::REFITTED | flag::STAYS);
                let (code, steps) = (self.code(u).to_string(), self.s.steps[u.ix()]);
                cx.say(|| {
                    let text = format!("{code} refits: die {die}, {} now.", count(steps, "step"));
                    Line::new("refit", Rule("17.5"), text)
                        .fact("refit-die", die)
                        .fact("steps", steps)
                        .only(Side::One)
                });
            }
            _ => self.next_phase(cx),
        }
    }
}
