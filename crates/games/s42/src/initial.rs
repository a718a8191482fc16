//! The Initial Phase (3.0): markers are turned, reinforcements come (22.1), points are spent (18.1).

use crate::data::boxes;
use crate::state::{Cx, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use table::{BoxId, Place, Rule, Side, Unit};

impl Pos {
    /// What an Initial Phase does before it asks.
    pub fn begin_initial(&mut self, side: Side, cx: &mut Cx<'_>) {
        for u in self.s.stacks.units() {
            if self.side(u) == side {
                self.unmark(u, flag::TRAIN | flag::JUST_IN | flag::SHIPPED);
                if self.is(u, is::LEADER) {
                    self.unmark(u, flag::USED);
                }
            }
        }
        if side == Side::One {
            self.ready_air();
        }
        let i = side.ix();
        let built = self.s.building[i].clone();
        self.s.forts[i] |= &built;
        self.s.building[i].clear();
        for p in 0..self.s.plans.len() {
            if self.side(self.s.plans[p].hq) == side {
                self.s.plans[p].ready = true;
            }
        }
        self.check_supply(Side::One);
        self.check_supply(Side::Two);
        self.bring_arrivals(side, cx);
    }

    /// 22.1: units due this turn wait to be put into an Entry Area.
    pub fn bring_arrivals(&mut self, side: Side, cx: &mut Cx<'_>) {
        let data = self.data.clone();
        let (id, turn) = (&data.scenarios[self.scenario].reinforcements, self.s.turn);
        for a in data.arrivals.iter().filter(|a| a.scenario == *id && a.turn == turn) {
            let u = a.unit;
            if self.side(u) != side || self.s.stacks.place(u) != Place::Box(boxes::TRAY) {
                continue;
            }
            match a.state.as_str() {
                "reduced" => self.s.steps[u.ix()] = self.info(u).steps.saturating_sub(1).max(1),
                "upgraded" => {
                    self.s.flags[u.ix()] |= flag::UPGRADED;
                    self.s.steps[u.ix()] = self.full_steps(u);
                }
                _ => {}
            }
            if self.is(u, is::AIR) {
                self.put(u, Place::Box(boxes::AIR));
                continue;
            }
            self.put(u, Place::Box(boxes::ARRIVING));
            let text = format!("{} arrives.", self.code(u));
            cx.say(|| Line::new("arrival", Rule("22.1.2"), text));
        }
    }

    /// The areas where an arriving unit may be put, in the words of the file (22.1.1).
    pub fn arrival_boxes(&self, u: Unit) -> Vec<BoxId> {
        let id = &self.scenario().reinforcements;
        let side = self.side(u);
        let find = |a: &crate::data::Arrival| a.scenario == *id && a.unit == u;
        let Some(a) = self.data.arrivals.iter().find(|a| find(a)) else { return Vec::new() };
        let mut out = Vec::new();
        for word in &a.areas {
            let names: &[&str] = match word.as_str() {
                "axis" => &["entry-w", "entry-x", "entry-y", "entry-z"],
                "abc" => &["entry-a", "entry-b", "entry-c"],
                "c-south" => &["entry-g", "entry-h", "entry-j", "entry-k", "entry-l"],
                "north" => &["caucasus-entry"],
                "south" => &["entry-q", "entry-r"],
                "caspian" => &["caspian-transit"],
                other => &[other],
            };
            for name in names {
                if let Some(i) = self.data.area(name)
                    && self.may_enter_area(side, self.data.areas[i].in_box)
                {
                    out.push(self.data.areas[i].in_box);
                }
            }
        }
        out
    }

    /// Units of a side that wait to be placed.
    pub fn arriving(&self, side: Side) -> impl Iterator<Item = Unit> + '_ {
        self.boxed(boxes::ARRIVING).filter(move |&u| self.side(u) == side)
    }

    /// Choices of an Initial Phase.
    pub fn list_initial(&self, side: Side, out: &mut Vec<Choice>) {
        for u in self.arriving(side) {
            out.extend(self.arrival_boxes(u).into_iter().map(|b| Choice::into(verbs::PLACE, u, b)));
        }
        if self.arriving(side).next().is_none() {
            out.push(Choice::button(verbs::DONE));
        }
    }

    /// Why a choice is not among those of an Initial Phase.
    pub fn reason_initial(&self, _side: Side, c: &Choice) -> Illegal {
        match (c.verb, c.object) {
            (verbs::DONE, _) => Illegal::new(Rule("22.1.2"), "units are still waiting for an Entry Area"),
            (verbs::PLACE, Object::Into(u, b)) => {
                let why = format!("{} cannot be placed in {}", self.code(u), self.data.box_label(b));
                Illegal::new(Rule("22.1.1"), why)
            }
            _ => self.not_now(c),
        }
    }

    /// Plays a choice of an Initial Phase.
    pub fn play_initial(&mut self, _side: Side, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::PLACE, Object::Into(u, b)) => self.put(u, Place::Box(b)),
            _ => self.next_phase(cx),
        }
    }

    /// S2.4: the first Axis Initial Phase is left out, but its reinforcements come.
    pub fn skipped_initial(&mut self, cx: &mut Cx<'_>) {
        if self.scenario().special.first_turn_axis_initial_phase == Some(false) {
            self.bring_arrivals(Side::One, cx);
            let due: Vec<Unit> = self.arriving(Side::One).collect();
            for u in due {
                if let Some(&b) = self.arrival_boxes(u).first() {
                    self.put(u, Place::Box(b));
                }
            }
            self.ready_air();
        }
    }
}
