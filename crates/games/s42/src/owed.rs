//! What is owed before an Initial Phase goes on: removals and upgrades (32), the Winter Offensive (33.2.1), markers assigned (34.1.1).
//!
//! `State::removals` holds the task, how many of it are left, and a count of steps.

use crate::data::boxes;
use crate::state::{Cx, Frame, Plan, Pos, flag};
use crate::units::{Nation, is};
use crate::verbs;
use game::{Choice, Line, Object};
use hex::Hex;
use table::{Place, Rule, Side, Size, Unit};
use text::count;

/// A full German infantry division leaves (32.3).
const DIVISION: u8 = 1;
/// Elite panzer divisions leave (32.1); the count of steps is what has gone.
const PANZERS: u8 = 2;
/// Panzer divisions are reduced (32.1).
const REDUCE_PANZERS: u8 = 3;
/// Steps to be given to panzer and panzergrenadier divisions (32.1).
const GIVE_PANZERS: u8 = 4;
/// A Tank Corps leaves (32.2).
const CORPS: u8 = 5;
/// A Tank Corps is reduced (32.2).
const REDUCE_CORPS: u8 = 6;
/// A step to be given to a Tank Corps, or a brigade placed (32.2).
const GIVE_CORPS: u8 = 7;
/// Markers of the Winter Offensive: plans left, Supply Points left (33.2.1).
pub const OFFENSIVE: u8 = 8;

impl Pos {
    /// Takes a unit out of play for good.
    pub fn retire(&mut self, u: Unit) {
        self.s.steps[u.ix()] = self.s.steps[u.ix()].max(1);
        self.s.flags[u.ix()] = 0;
        self.s.plans.retain(|p| p.hq != u);
        self.put(u, Place::Box(boxes::GONE));
    }

    /// 32: removals and upgrades of this Initial Phase.
    pub fn begin_removals(&mut self, side: Side, cx: &mut Cx<'_>) {
        if !self.scenario().campaign_rules {
            return;
        }
        self.s.removals = [0; 3];
        let data = self.data.clone();
        let (mut gone, turn) = (0, self.s.turn);
        for c in data.changes.iter().filter(|c| c.turn == turn && c.side == side) {
            match (c.key.as_str(), c.unit) {
                ("unit", Some(u)) => self.withdraw(u, "32.3", cx),
                ("unit-or-special", Some(u)) => {
                    if self.s.steps[u.ix()] < self.full_steps(u) {
                        self.s.special_debt += 1;
                    }
                    self.withdraw(u, "32.3", cx);
                }
                ("panzers-first", Some(u)) => {
                    if self.in_play(u) {
                        gone += self.s.steps[u.ix()];
                    }
                    self.withdraw(u, "32.1", cx);
                }
                ("panzers", _) => self.s.removals = [PANZERS, c.count, gone],
                ("infantry-division", _) => self.s.removals = [DIVISION, c.count, 0],
                ("tank-corps", _) => self.s.removals = [CORPS, c.count, 0],
                ("step", Some(u)) => self.add_step(u, cx),
                ("exchange", Some(u)) => self.exchange(u, c.into, cx),
                ("air", _) => self.lose_air(cx),
                ("vasilevsky", _) => self.s.vasilevsky = self.scenario().winter_offensive,
                _ => {}
            }
        }
        if self.s.removals[0] != 0 {
            self.s.frames.push(Frame::Removals);
            self.drop_empty_debt();
        }
    }

    fn withdraw(&mut self, u: Unit, rule: &'static str, cx: &mut Cx<'_>) {
        let text = format!("{} leaves the theatre.", self.code(u));
        cx.say(|| Line::new("removal", Rule(rule), text));
        self.retire(u);
    }

    /// 32.4: the unit grows by a step, or gets a replacement if it is a Remnant or eliminated.
    fn add_step(&mut self, u: Unit, cx: &mut Cx<'_>) {
        if matches!(self.s.stacks.place(u), Place::Box(boxes::GONE | boxes::TRAY)) {
            return;
        }
        let weak = self.remnant(u) || self.s.steps[u.ix()] == 0;
        self.mark(u, flag::UPGRADED);
        if weak {
            self.s.replacements[3] += 1;
        } else {
            self.s.steps[u.ix()] += 1;
        }
        let text = format!("{} is upgraded.", self.code(u));
        cx.say(|| Line::new("upgrade", Rule("32.4"), text));
    }

    /// 32.5: a unit becomes another where it stands; if it is gone, the other comes as a reduced reinforcement.
    fn exchange(&mut self, old: Unit, new: Option<Unit>, cx: &mut Cx<'_>) {
        let Some(new) = new else { return };
        let place = self.s.stacks.place(old);
        if self.in_play(old) {
            let flags = self.s.flags[old.ix()];
            self.retire(old);
            self.put(new, place);
            self.mark(new, flags);
        } else {
            self.retire(old);
            self.s.steps[new.ix()] = self.info(new).steps.saturating_sub(1).max(1);
            self.put(new, Place::Box(boxes::ARRIVING));
        }
        let text = format!("{} takes the place of {}.", self.code(new), self.code(old));
        cx.say(|| Line::new("upgrade", Rule("32.5"), text));
    }

    /// 9.3.9: a German air unit goes to the Mediterranean.
    fn lose_air(&mut self, cx: &mut Cx<'_>) {
        let german = |u: &Unit| {
            self.nation(*u) == Nation::German
                && matches!(self.s.stacks.place(*u), Place::Box(boxes::AIR | boxes::AIR_USED))
        };
        if let Some(u) = self.data.air.iter().copied().rfind(|u| german(u)) {
            self.withdraw(u, "9.3.9", cx);
            self.ready_air();
        }
    }

    /// The choices of such a frame.
    pub fn list_owed(&self, out: &mut Vec<Choice>) {
        match self.s.frames.last() {
            Some(Frame::Assign) => {
                let used = &self.s.masks[..usize::from(self.s.assigned)];
                for n in (0..boxes::HOLDING as u8).filter(|n| !used.contains(n)) {
                    out.push(Choice::number(verbs::ASSIGN, i16::from(n) + 1));
                }
            }
            Some(Frame::Offensive) => {
                for u in self.s.stacks.units() {
                    let hq = self.side(u) == Side::Two && self.is(u, is::HQ) && self.on_map(u).is_some();
                    if !hq || !self.in_supply(u) {
                        continue;
                    }
                    if self.s.removals[1] > 0 {
                        out.push(Choice::unit(verbs::PLAN, u));
                    }
                    if self.s.removals[2] > 0 && self.next_supply(Side::Two).is_some() {
                        out.push(Choice::unit(verbs::READY, u));
                    }
                }
            }
            _ => self.list_removals(out),
        }
    }

    fn list_removals(&self, out: &mut Vec<Choice>) {
        let [task, left, _] = self.s.removals;
        if left == 0 {
            return;
        }
        let all = || self.s.stacks.units();
        let dead = |u: Unit| self.s.stacks.place(u) == Place::Box(boxes::DEAD);
        let supplied = |u: Unit| self.in_play(u) && self.in_supply(u);
        let panzer = |u: Unit| self.info(u).kind == "panzer" && self.side(u) == Side::One;
        let corps = |u: Unit| self.info(u).traits & is::TANK_CORPS != 0;
        let reduced = |u: Unit| self.s.steps[u.ix()] < self.full_steps(u);
        let mut push = |verb, list: &mut dyn Iterator<Item = Unit>| {
            out.extend(list.map(|u| Choice::unit(verb, u)));
        };
        match task {
            DIVISION => push(
                verbs::REMOVE,
                &mut all().filter(|&u| {
                    let i = self.info(u);
                    i.kind == "infantry"
                        && i.nation == Nation::German
                        && i.traits & is::REMNANTS != 0
                        && !reduced(u)
                        && supplied(u)
                }),
            ),
            PANZERS => {
                let elite = |u: &Unit| {
                    panzer(*u) && self.info(*u).traits & is::RED != 0 && (self.in_play(*u) || dead(*u))
                };
                let free: Vec<Unit> =
                    all().filter(|u| elite(u) && !self.flagged(*u, flag::ISOLATED)).collect();
                if free.is_empty() {
                    push(verbs::REMOVE, &mut all().filter(elite));
                } else {
                    push(verbs::REMOVE, &mut free.into_iter());
                }
            }
            REDUCE_PANZERS => push(verbs::LOSS, &mut all().filter(|&u| panzer(u) && self.in_play(u))),
            GIVE_PANZERS => {
                let may = |u: &Unit| {
                    let kind = panzer(*u) || self.info(*u).kind == "panzergrenadier";
                    kind && supplied(*u) && reduced(*u)
                };
                push(verbs::RESTORE, &mut all().filter(may));
                out.push(Choice::button(verbs::DONE));
            }
            CORPS => push(verbs::REMOVE, &mut all().filter(|&u| corps(u) && (supplied(u) || dead(u)))),
            REDUCE_CORPS => push(verbs::LOSS, &mut all().filter(|&u| corps(u) && self.in_play(u))),
            GIVE_CORPS => {
                push(verbs::RESTORE, &mut all().filter(|&u| corps(u) && supplied(u) && reduced(u)));
                let brigade = |u: &Unit| {
                    let i = self.info(*u);
                    i.kind == "tank" && i.size == Size::Brigade && i.traits & is::GUARDS == 0 && dead(*u)
                };
                let at = self.s.removed_from;
                if at.is_some() {
                    out.extend(all().filter(brigade).map(|u| Choice::at(verbs::PLACE, u, at)));
                }
                out.push(Choice::button(verbs::DONE));
            }
            _ => {}
        }
    }

    /// Closes frames in which nothing can be done.
    pub fn drop_empty_debt(&mut self) {
        while matches!(self.s.frames.last(), Some(Frame::Removals | Frame::Offensive)) {
            let mut out = Vec::new();
            self.list_owed(&mut out);
            let only_done = out.len() == 1 && out[0].verb == verbs::DONE;
            if !out.is_empty() && !only_done {
                return;
            }
            self.s.frames.pop();
            self.s.removals = [0; 3];
        }
    }

    /// Plays a choice of such a frame.
    pub fn play_owed(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match self.s.frames.last() {
            Some(Frame::Assign) => {
                if let Object::Number(n) = c.object {
                    let i = usize::from(self.s.assigned.min(5));
                    self.s.masks[i] = (n - 1).clamp(0, 5) as u8;
                    self.s.assigned += 1;
                    if usize::from(self.s.assigned) >= self.s.masks.len() {
                        self.s.frames.pop();
                        cx.say(|| {
                            Line::new("mask", Rule("34.1.1"), "The Reserve Armies have their markers.")
                        });
                    }
                }
            }
            Some(Frame::Offensive) => {
                if let Object::Unit(hq) = c.object {
                    self.place_offensive(c.verb, hq, cx);
                }
                self.drop_empty_debt();
            }
            _ => {
                self.play_removal(c, cx);
                self.drop_empty_debt();
            }
        }
    }

    fn place_offensive(&mut self, verb: game::Verb, hq: Unit, cx: &mut Cx<'_>) {
        if verb == verbs::PLAN {
            self.s.plans.push(Plan { hq, ready: true });
            self.s.removals[1] = self.s.removals[1].saturating_sub(1);
        } else if let Some(sp) = self.next_supply(Side::Two) {
            let place = self.s.stacks.place(hq);
            self.s.flags[sp.ix()] = 0;
            self.put(sp, place);
            self.mark(sp, flag::READY);
            self.s.removals[2] = self.s.removals[2].saturating_sub(1);
        }
        let what = if verb == verbs::PLAN { "a Planned Offensive" } else { "a Supply Point" };
        let text = format!("{} gets {what}.", self.code(hq));
        cx.say(|| Line::new("winter", Rule("33.2.1"), text));
    }

    fn play_removal(&mut self, c: Choice, cx: &mut Cx<'_>) {
        let [task, left, steps] = self.s.removals;
        let u = match c.object {
            Object::Unit(u) | Object::At(u, _) => u,
            _ => {
                self.s.removals = [0; 3];
                return;
            }
        };
        let had = if self.in_play(u) { self.s.steps[u.ix()] } else { 0 };
        let r = self.data.charts.removals.clone();
        match task {
            DIVISION => {
                self.withdraw(u, "32.3", cx);
                self.s.removals = [task, left - 1, 0];
            }
            PANZERS => {
                self.withdraw(u, "32.1", cx);
                let gone = steps + had;
                self.s.removals = if left > 1 {
                    [task, left - 1, gone]
                } else if gone < r.panzer_steps {
                    [REDUCE_PANZERS, r.panzer_steps - gone, 0]
                } else {
                    [GIVE_PANZERS, gone - r.panzer_steps, 0]
                };
            }
            CORPS => {
                self.s.removed_from = self.on_map(u).unwrap_or(Hex::NONE);
                self.withdraw(u, "32.2", cx);
                self.s.removals = if had < r.tank_corps_steps {
                    [REDUCE_CORPS, r.tank_corps_steps - had, 0]
                } else {
                    [GIVE_CORPS, had - r.tank_corps_steps, 0]
                };
            }
            REDUCE_PANZERS | REDUCE_CORPS => {
                let text = format!("{} gives up a step.", self.code(u));
                cx.say(|| Line::new("removal", Rule("32.1"), text));
                self.lose_step(u);
                self.s.removals = [task, left - 1, 0];
            }
            GIVE_PANZERS | GIVE_CORPS => {
                if let Object::At(_, h) = c.object {
                    self.s.steps[u.ix()] = 1;
                    self.put(u, Place::Hex(h));
                    self.enter(u, h);
                } else {
                    self.s.steps[u.ix()] += 1;
                }
                let text = format!("{} absorbs a step.", self.code(u));
                cx.say(|| Line::new("removal", Rule("32.1"), text));
                self.s.removals = [task, left - 1, 0];
            }
            _ => self.s.removals = [0; 3],
        }
    }

    /// What such a frame asks.
    pub fn ask_owed(&self, f: Frame) -> (&'static str, &'static str, String) {
        let [task, left, _] = self.s.removals;
        match f {
            Frame::Assign => {
                let n = self.s.assigned + 1;
                ("34.1.1", "assign", format!("Which Maskirovka marker goes to Reserve Army {n}?"))
            }
            Frame::Offensive => (
                "33.2.1",
                "offensive",
                "Place Planned Offensives and Supply Points with HQs in supply.".into(),
            ),
            _ => {
                let (rule, what) = match task {
                    DIVISION => ("32.3", format!("Remove {left} full German infantry division in supply.")),
                    PANZERS => ("32.1", format!("Remove {left} elite panzer divisions.")),
                    REDUCE_PANZERS => ("32.1", format!("Panzer divisions give up {}.", count(left, "step"))),
                    GIVE_PANZERS => {
                        ("32.1", format!("Give {} to reduced panzer divisions.", count(left, "step")))
                    }
                    CORPS => ("32.2", "Remove a Tank Corps.".into()),
                    REDUCE_CORPS => ("32.2", "A Tank Corps gives up a step.".into()),
                    _ => ("32.2", "Give a step to a Tank Corps, or place a brigade.".into()),
                };
                (rule, "removals", what)
            }
        }
    }
}
