//! The Initial Phase (3.0): markers are turned, reinforcements come (22.1), points are spent (18.1, 21).

use crate::data::{Arrival, boxes};
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{BoxId, Place, Rule, Side, Unit};

impl Pos {
    /// What an Initial Phase does before it asks.
    pub fn begin_initial(&mut self, side: Side, cx: &mut Cx<'_>) {
        for u in self.s.stacks.units() {
            if self.side(u) == side {
                self.unmark(u, flag::TRAIN | flag::JUST_IN | flag::SHIPPED | flag::OF_MOVEMENT);
                if self.is(u, is::LEADER) {
                    self.unmark(u, flag::USED);
                }
            }
        }
        if side == Side::One {
            self.ready_air();
            self.place_railheads(cx);
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
        self.s.resources = self.resource_points(side);
        self.receive_replacements(side);
        self.bring_arrivals(side, cx);
        self.bring_special(side, cx);
        self.begin_removals(side, cx);
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
            if !self.brings(u) {
                continue;
            }
            match a.state.as_str() {
                "reduced" => self.s.steps[u.ix()] = self.arriving_steps(a),
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
        // 19.4: Non-Combat Units return two turns after their removal.
        let back: Vec<Unit> = self.boxed(self.data.track(turn)).filter(|&u| self.side(u) == side).collect();
        for u in back {
            self.put(u, Place::Box(boxes::ARRIVING));
            self.mark(u, flag::REPLACED);
            let text = format!("{} returns to play.", self.code(u));
            cx.say(|| Line::new("arrival", Rule("19.4"), text));
        }
    }

    /// Whether the options bring a unit of the schedule into play at all (28, 34).
    pub fn brings(&self, u: Unit) -> bool {
        (!self.is(u, is::RESERVE_ARMY) || self.options.maskirovka)
            && (!self.is(u, is::LEADER) || self.options.leaders)
    }

    /// The steps with which a unit of the schedule comes.
    pub fn arriving_steps(&self, a: &Arrival) -> u8 {
        match a.state.as_str() {
            "reduced" => self.info(a.unit).steps.saturating_sub(1).max(1),
            _ => self.s.steps[a.unit.ix()],
        }
    }

    /// The areas where an arriving unit may be put, in the words of the file (22.1.1).
    pub fn arrival_boxes(&self, u: Unit) -> Vec<BoxId> {
        let id = &self.scenario().reinforcements;
        let side = self.side(u);
        let find = |a: &crate::data::Arrival| a.scenario == *id && a.unit == u;
        let Some(a) = self.data.arrivals.iter().find(|a| find(a)) else { return self.stock_boxes(side) };
        // 34.1.1: Reserve Armies come to any friendly Entry Area.
        if self.is(u, is::RESERVE_ARMY) {
            return self.stock_boxes(side);
        }
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
        if self.is(u, is::BLUCHER) {
            out.retain(|&b| self.data.lexicon.boxed(b) == "entry-w");
        }
        out
    }

    /// Units of a side that wait to be placed.
    pub fn arriving(&self, side: Side) -> impl Iterator<Item = Unit> + '_ {
        self.boxed(boxes::ARRIVING).filter(move |&u| self.side(u) == side)
    }

    /// Choices for units that wait.
    fn list_arrivals(&self, side: Side, out: &mut Vec<Choice>) {
        for u in self.arriving(side) {
            let t = self.info(u).traits;
            if t & is::VOLUNTEER != 0 {
                let towns = self.data.map.volunteer_towns;
                out.extend(
                    towns
                        .into_iter()
                        .filter(|&h| self.volunteers_to(h))
                        .map(|h| Choice::at(verbs::PLACE, u, h)),
                );
            } else if self.flagged(u, flag::REPLACED) {
                self.list_returning(u, out);
            } else {
                out.extend(self.arrival_boxes(u).into_iter().map(|b| Choice::into(verbs::PLACE, u, b)));
                self.list_into_armies(u, out);
            }
        }
    }

    /// 20.8: whether a volunteer can be raised in a town now.
    fn volunteers_to(&self, h: Hex) -> bool {
        self.s.axis_held.contains(h) && !self.has_combat(Side::Two, h)
    }

    /// Choices of an Initial Phase.
    pub fn list_initial(&self, side: Side, out: &mut Vec<Choice>) {
        self.list_arrivals(side, out);
        let placed = out.is_empty();
        self.list_special(side, out);
        self.list_replacements(side, out);
        self.list_resources(side, out);
        if placed {
            out.push(Choice::button(verbs::DONE));
        }
    }

    /// Why a choice is not among those of an Initial Phase.
    pub fn reason_initial(&self, side: Side, c: &Choice) -> Illegal {
        if let Some(i) = self.reason_replacement(side, c).or_else(|| self.reason_resources(side, c)) {
            return i;
        }
        match (c.verb, c.object) {
            (verbs::DONE, _) => Illegal::new(Rule("22.1.2"), "units are still waiting for an Entry Area"),
            (verbs::PLACE, Object::Into(u, b)) => {
                let why = format!("{} cannot be placed in {}", self.code(u), self.data.box_label(b));
                Illegal::new(Rule("22.1.1"), why)
            }
            (verbs::PLACE, Object::At(u, h)) => {
                let why = format!("{} cannot be placed in {}", self.code(u), self.data.map.called(h));
                Illegal::new(Rule("22.1.1"), why)
            }
            (verbs::RELEASE, _) => Illegal::new(
                Rule("31.0"),
                "that army is free, is not yours to free yet, or one was freed this turn",
            ),
            (verbs::WINTER, _) => Illegal::new(
                Rule("33.1"),
                "the Winter Offensive needs the Vasilevsky marker, in a Soviet Initial Phase",
            ),
            _ => self.not_now(c),
        }
    }

    /// Plays a choice of an Initial Phase.
    pub fn play_initial(&mut self, side: Side, c: Choice, cx: &mut Cx<'_>) {
        let to = match c.object {
            Object::Into(u, b) => Some((u, Place::Box(b))),
            Object::At(u, h) => Some((u, Place::Hex(h))),
            _ => None,
        };
        match (c.verb, to) {
            (verbs::PLACE, Some((u, to))) => {
                if self.s.stacks.place(u) == Place::Box(boxes::DEAD) {
                    self.bring_back(u, to, cx);
                } else {
                    self.place_arrival(u, to, cx);
                }
            }
            (verbs::RESTORE, _) => {
                if let Object::Unit(u) = c.object {
                    self.restore(u, cx);
                }
            }
            (verbs::DONE, _) => self.next_phase(cx),
            _ => {
                if !self.play_resources(side, c, cx) {
                    self.play_initial_special(side, c, cx);
                }
            }
        }
    }

    fn place_arrival(&mut self, u: Unit, to: Place, cx: &mut Cx<'_>) {
        let front = self.s.stacks.place(u) == Place::Box(boxes::TRANS_CAUCASUS);
        if front {
            self.s.front_due = self.s.front_due.saturating_sub(1);
        }
        if self.flagged(u, flag::REPLACED) {
            self.note_return(u, to);
        }
        self.put(u, to);
        if self.is(u, is::VOLUNTEER) {
            self.mark(u, flag::REPLACED);
        }
        if let Place::Hex(h) = to {
            self.enter(u, h);
        }
        let where_ = match to {
            Place::Hex(h) => self.data.map.called(h),
            Place::Box(b) => self.data.box_label(b),
        };
        let text = format!("{} is placed in {where_}.", self.code(u));
        cx.say(|| Line::new("arrival", Rule("22.1.2"), text));
        let armies_done = self.is(u, is::RESERVE_ARMY)
            && !self.arriving(Side::Two).any(|v| self.is(v, is::RESERVE_ARMY))
            && self.s.assigned == 0;
        if armies_done && self.options.maskirovka {
            self.s.frames.push(Frame::Assign);
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
