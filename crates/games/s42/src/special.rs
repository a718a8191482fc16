//! Section 20: special units; 30 and 31: fronts and armies that wait.

use crate::data::boxes;
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{Place, Rule, Side, Unit};

/// What holds a unit where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldBack {
    /// A garrison that no enemy has come near (20.4).
    Garrison,
    /// It waits south of Rostov (20.6).
    Caucasus,
    /// Its Reserve Army waits (31.0).
    Camp,
    /// It refits on the first turn (S1.2).
    Refit,
}

impl Pos {
    /// 31.0, S1.2: whether a unit waits with a Reserve Army that is not released.
    #[inline]
    pub fn waits_in_camp(&self, u: Unit) -> bool {
        let army = self.data.army[u.ix()];
        if army == 0 {
            return false;
        }
        let sc = self.scenario();
        if sc.campaign_rules {
            return self.s.armies_free >> army & 1 == 0;
        }
        sc.special.sixth_reserve_turn > self.s.turn && army == 6
    }

    /// S1.2: divisions that neither move nor attack on the first turn.
    pub fn refits(&self, u: Unit) -> bool {
        self.s.turn == 1 && self.scenario().special.turn_1_frozen.iter().any(|c| c == self.code(u))
    }

    /// 20.4, 20.6, 31.0, S1.2: what holds a unit where it is.
    pub fn held_back(&self, u: Unit) -> Option<HeldBack> {
        let t = self.info(u).traits;
        let f = self.s.flags[u.ix()];
        if t & is::GARRISON != 0 && f & flag::FREED == 0 {
            return Some(HeldBack::Garrison);
        }
        let sp = &self.scenario().special;
        if t & (is::NORTH_CAUCASUS | is::GARRISON) == is::NORTH_CAUCASUS
            && sp.frozen_south_of_rostov
            && !self.s.caucasus_free
            && f & flag::FREED == 0
            && self.on_map(u).is_some()
            && !sp.freed.iter().any(|x| x.unit == self.code(u) && x.turn <= self.s.turn)
        {
            return Some(HeldBack::Caucasus);
        }
        if self.waits_in_camp(u) && self.on_map(u).is_some() {
            return Some(HeldBack::Camp);
        }
        self.refits(u).then_some(HeldBack::Refit)
    }

    /// The same as a refusal.
    pub fn frozen(&self, u: Unit) -> Option<Illegal> {
        let code = self.code(u);
        let (rule, why) = match self.held_back(u)? {
            HeldBack::Garrison => ("20.4", format!("{code} is a garrison that no enemy has come near")),
            HeldBack::Caucasus => ("20.6", format!("{code} waits south of Rostov")),
            HeldBack::Camp => ("31.0", format!("{code} belongs to a Reserve Army that waits")),
            HeldBack::Refit => ("S1.2", format!("{code} refits on the first turn")),
        };
        Some(Illegal::new(Rule(rule), why))
    }

    /// A Combat Unit has come to a hex: who is freed by it, and which Railheads are pushed back (17.3.1).
    pub fn alarm(&mut self, side: Side, h: Hex, cx: &mut Cx<'_>) {
        if side == Side::Two {
            self.push_railheads(cx);
            return;
        }
        let data = self.data.clone();
        let (r, grid) = (&data.charts.release, data.map.grid());
        let far = |a: Hex| grid.distance(a, h);
        for &u in &data.garrisons {
            if !self.flagged(u, flag::FREED)
                && let Some(at) = self.on_map(u)
                && far(at) <= r.garrison_hexes
            {
                self.mark(u, flag::FREED);
                let text = format!("{} is released.", self.code(u));
                cx.say(|| Line::new("release", Rule("20.4"), text));
            }
        }
        if !self.s.caucasus_free
            && (data.map.south_of_don.contains(h)
                || data.map.stalingrad.iter().any(|s| far(s) <= r.stalingrad_hexes))
        {
            self.s.caucasus_free = true;
            cx.say(|| Line::new("release", Rule("20.6"), "The units south of Rostov are released."));
        }
        if self.s.armies_free >> 8 & 1 == 0 && far(data.map.saratov) <= r.saratov_hexes {
            self.s.armies_free |= 1 << 8;
            cx.say(|| Line::new("release", Rule("31.0"), "The 8th Reserve Army is released."));
        }
        if data.map.caucasus_maps.contains(h) {
            self.s.front_called = true;
        }
    }

    /// 20.8, 30.0, 31.0, 33.1: what comes or becomes free by itself in an Initial Phase.
    pub fn bring_special(&mut self, side: Side, cx: &mut Cx<'_>) {
        let sc = self.scenario().clone();
        if side == Side::One {
            let towns = self.data.map.volunteer_towns;
            let next = self.boxed(boxes::VOLUNTEERS).min();
            if towns.iter().all(|&h| self.s.axis_held.contains(h))
                && let Some(u) = next
            {
                self.put(u, Place::Box(boxes::ARRIVING));
                let text = format!("{} is raised.", self.code(u));
                cx.say(|| Line::new("arrival", Rule("20.8"), text));
            }
            return;
        }
        self.s.front_called |= sc.special.trans_caucasus_box;
        let waiting = self.boxed(boxes::TRANS_CAUCASUS).next().is_some();
        let due = self.data.charts.release.trans_caucasus_a_turn;
        self.s.front_due = if self.s.front_called && waiting { due } else { 0 };
        if sc.campaign_rules && self.s.turn >= self.data.charts.release.saratov_turn {
            self.s.armies_free |= 1 << 8;
        }
    }

    /// Choices of an Initial Phase that only some scenarios have: the Trans-Caucasus Front, Reserve Armies, the offensive.
    pub fn list_special(&self, side: Side, out: &mut Vec<Choice>) {
        if side == Side::One {
            return;
        }
        if self.s.front_due > 0 {
            for u in self.boxed(boxes::TRANS_CAUCASUS) {
                for name in ["entry-g", "entry-h", "entry-j", "entry-k", "entry-l"] {
                    if let Some(a) = self.data.area(name)
                        && self.may_enter_area(side, self.data.areas[a].in_box)
                    {
                        out.push(Choice::into(verbs::PLACE, u, self.data.areas[a].in_box));
                    }
                }
            }
        }
        for n in self.releasable() {
            out.push(Choice::number(verbs::RELEASE, n.into()));
        }
        if self.s.vasilevsky && self.s.offensive == 0 {
            out.push(Choice::button(verbs::WINTER));
        }
    }

    /// 31.0: the armies that the Soviet player may free now.
    fn releasable(&self) -> Vec<u8> {
        let sc = self.scenario();
        let from = self.data.charts.release.reserve_armies_from_turn;
        if !sc.campaign_rules || self.s.army_freed || self.s.turn < from {
            return Vec::new();
        }
        let mut out: Vec<u8> = self.data.reserves.iter().map(|(a, _)| *a).collect();
        out.sort_unstable();
        out.dedup();
        // The army at Saratov has its own rule.
        out.retain(|&a| a != 8 && self.s.armies_free >> a & 1 == 0);
        out
    }

    /// Plays one of these.
    pub fn play_initial_special(&mut self, _side: Side, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::RELEASE, Object::Number(n)) => {
                self.s.armies_free |= 1 << n.clamp(0, 15);
                self.s.army_freed = true;
                cx.say(|| Line::new("release", Rule("31.0"), format!("The {n}th Reserve Army is released.")));
            }
            (verbs::WINTER, _) => {
                self.s.offensive = self.s.turn;
                self.s.vasilevsky = false;
                for u in self.data.air.clone() {
                    if self.is(u, is::ALLY) && self.s.stacks.place(u) != Place::Box(boxes::TRAY) {
                        self.put(u, Place::Box(boxes::GONE));
                    }
                }
                cx.say(|| Line::new("winter", Rule("33.1"), "The Winter Offensive begins."));
                self.begin_offensive();
            }
            _ => {}
        }
    }

    /// 33.2.1: markers and Supply Points to be placed with HQs in supply.
    fn begin_offensive(&mut self) {
        let used = self.s.plans.iter().filter(|p| self.side(p.hq) == Side::Two).count() as u8;
        let most = self.data.charts.resources.planned_offensives;
        let plans = if self.options.planned { most.saturating_sub(used) } else { 0 };
        self.s.removals = [crate::owed::OFFENSIVE, plans, most];
        self.s.frames.push(Frame::Offensive);
        self.drop_empty_debt();
    }
}
