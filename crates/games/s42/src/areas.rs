//! Sections 22.3-22.6: into Entry Areas, and between them.

use crate::reach::Mover;
use crate::state::{Cx, Frame, Pos, Step, flag};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use table::{BoxId, Place, Rule, Side, Unit};

impl Pos {
    /// Whether a side's units may be in the area of a box now: a friendly one, or one that they may exit to.
    pub fn may_enter_area(&self, side: Side, b: BoxId) -> bool {
        if self.friendly_area(side, b) {
            let k = self
                .data
                .area_of(b)
                .is_some_and(|a| self.data.areas[a].name == self.data.charts.weather.winter_closes);
            return !(k && self.s.winter);
        }
        let Some(a) = self.data.area_of(b) else { return false };
        let name = &self.data.areas[a].name;
        let baku = self.scenario().campaign_rules && *name == self.data.charts.victory.baku_area;
        side == Side::One && (baku || self.scenario().special.axis_exit_areas.contains(name))
    }

    /// 22.3.1, 22.6: why the units in hand may not go into an Entry Area.
    pub fn why_not_exit(&self, m: &Mover, b: BoxId) -> Option<Illegal> {
        let label = self.data.box_label(b);
        if !self.may_enter_area(m.side, b) {
            return Some(Illegal::new(Rule("22.4"), format!("{label} is not open to these units")));
        }
        let Some(a) = self.data.area_of(b) else {
            return Some(Illegal::new(Rule("22.4"), format!("{label} is no Entry Area")));
        };
        match m.at {
            Some(h) => {
                if self.scene().borders[h.ix()] >> a & 1 == 0 {
                    let why = format!("{} does not border {label}", self.data.map.called(h));
                    return Some(Illegal::new(Rule("22.3.1"), why));
                }
                if self.s.march.ended {
                    let why = "a move that has entered an enemy ZOC is over";
                    return Some(Illegal::new(Rule("6.2"), why));
                }
                let out = if self.in_ezoc(m.side, h) { self.data.charts.movement.leave_zoc } else { 0 };
                let cost = 2 * (self.data.charts.movement.entry_area + out);
                let enough = cost <= m.normal || m.extended.is_some_and(|e| cost <= e) || m.tactical > 0;
                if !enough || m.hexes == 0 {
                    return Some(Illegal::new(
                        Rule("22.3.1"),
                        format!("no movement is left to enter {label}"),
                    ));
                }
                None
            }
            None => self.why_not_change_area(m, a),
        }
    }

    /// 22.6: why the units in hand may not change from their Entry Area to another.
    fn why_not_change_area(&self, m: &Mover, to: usize) -> Option<Illegal> {
        let no = |why: String| Some(Illegal::new(Rule("22.6.1"), why));
        let first = self.s.hand[0];
        let Place::Box(b) = self.s.stacks.place(first) else { return None };
        let Some(from) = self.data.area_of(b) else { return no("the units are in no Entry Area".into()) };
        if from == to {
            return no("the units are there already".into());
        }
        if m.side == Side::One && self.data.areas[from].name == self.data.charts.victory.baku_area {
            return Some(Illegal::new(Rule("24.1.2"), "units on the way to Baku come back the same way"));
        }
        let held = self.s.hand.iter().any(|&u| {
            self.army_units(u).iter().any(|&v| !self.good_order(v) || self.flagged(v, flag::REPLACED))
        });
        if held {
            let why = "a Reserve Army with Disrupted or replaced units stays in its area";
            return Some(Illegal::new(Rule("34.3.3"), why));
        }
        if !self.friendly_area(m.side, self.data.areas[to].in_box) {
            return no(format!("{} is not a friendly Entry Area", self.data.areas[to].label));
        }
        if self.s.hand.iter().any(|&u| self.flagged(u, flag::REPLACED)) {
            return Some(Illegal::new(Rule("21.4"), "a unit that got a replacement stays in its area"));
        }
        if self.s.hand.iter().any(|&u| self.is(u, crate::units::is::BLUCHER)) {
            return Some(Illegal::new(Rule("20.7"), "Plan Blücher leaves its area by the strait alone"));
        }
        if m.side == Side::Two {
            return self.why_not_caspian(from, to);
        }
        None
    }

    /// 22.6.3, 22.6.4: north and south of the Caspian Sea, and the box between.
    fn why_not_caspian(&self, from: usize, to: usize) -> Option<Illegal> {
        let name = |a: usize| self.data.areas[a].name.as_str();
        let south = |a: usize| matches!(name(a), "entry-g" | "entry-h" | "entry-j" | "entry-k" | "entry-l");
        let box_of = |a: usize| name(a) == "caspian-transit";
        if box_of(to) {
            let most = usize::from(self.data.charts.movement.caspian_box_units);
            // Those that were there when the turn began may leave in the same turn.
            let came = |u: &Unit| self.combat(*u) && self.flagged(*u, flag::JUST_IN);
            let inside = self.boxed(self.data.areas[to].in_box).filter(came).count();
            let stay = self
                .boxed(self.data.areas[to].in_box)
                .filter(|&u| self.combat(u) && !self.flagged(u, flag::JUST_IN))
                .count();
            let coming = self.s.hand.iter().filter(|&&u| self.combat(u)).count();
            if inside + stay + coming > most {
                let why = format!("no more than {most} Combat Units may be in the Caspian box");
                return Some(Illegal::new(Rule("22.6.4"), why));
            }
            return None;
        }
        if !box_of(from) && south(from) != south(to) {
            let why = "the way past the Caspian Sea leads through its box";
            return Some(Illegal::new(Rule("22.6.3"), why));
        }
        None
    }

    /// The hand goes into an Entry Area.
    pub fn exit(&mut self, b: BoxId, cx: &mut Cx<'_>) {
        let hand = self.s.hand.clone();
        self.clear_baku(b, cx);
        let from_area = hand.first().is_some_and(|&u| self.on_map(u).is_none());
        for &u in &hand {
            self.put(u, Place::Box(b));
            self.mark(u, flag::MOVED | flag::JUST_IN);
            self.unmark(u, flag::WAITED);
            let text = format!("{} goes into {}.", self.code(u), self.data.box_label(b));
            let rule = if from_area { "22.6.1" } else { "22.3.1" };
            cx.say(|| Line::new("exit", Rule(rule), text));
        }
        let axis = hand.first().is_some_and(|&u| self.side(u) == Side::One);
        self.stop(cx);
        if axis && self.scenario().campaign_rules {
            self.evict(b);
        }
    }

    /// Whether Axis units are on the way to Baku (24.1.2).
    pub fn axis_at_baku(&self) -> bool {
        self.data
            .baku
            .is_some_and(|a| self.boxed(self.data.areas[a].in_box).any(|u| self.side(u) == Side::One))
    }

    /// 24.1.3: Soviet units make way when the Axis enters the area before Baku, and are Disrupted.
    fn clear_baku(&mut self, b: BoxId, cx: &mut Cx<'_>) {
        let name = self.data.lexicon.boxed(b);
        if name != self.data.charts.victory.baku_area || !self.scenario().campaign_rules {
            return;
        }
        if self.s.hand.first().is_none_or(|&u| self.side(u) == Side::Two) {
            return;
        }
        let there: Vec<Unit> = self.boxed(b).filter(|&u| self.side(u) == Side::Two).collect();
        for &u in &there {
            if self.combat(u) && self.good_order(u) {
                self.mark(u, flag::DISRUPTED);
            }
            let text = format!("{} makes way.", self.code(u));
            cx.say(|| Line::new("baku", Rule("24.1.3"), text));
        }
    }

    /// 23.4, 24.1.3: Soviet units that have to leave an area; true if their owner is asked where they go.
    pub fn evict(&mut self, from: BoxId) -> bool {
        let asked = self.boxed(from).any(|u| self.side(u) == Side::Two);
        if asked {
            self.s.frames.push(Frame::MakeWay { from });
        }
        asked
    }

    /// The rule under which an area is left: the way to Baku, or the one that winter closes.
    pub fn way_rule(&self, from: BoxId) -> &'static str {
        if self.data.lexicon.boxed(from) == self.data.charts.victory.baku_area { "24.1.3" } else { "23.4" }
    }

    /// Where each unit may go.
    pub fn list_make_way(&self, from: BoxId, out: &mut Vec<Choice>) {
        let baku = self.data.lexicon.boxed(from) == self.data.charts.victory.baku_area;
        let (v, w) = (&self.data.charts.victory, &self.data.charts.weather);
        let to = if baku { &v.baku_beside } else { &w.winter_closes_to };
        for u in self.boxed(from).filter(|&u| self.side(u) == Side::Two) {
            let boxes = to.iter().filter_map(|n| self.data.area(n)).map(|a| self.data.areas[a].in_box);
            let open = boxes.filter(|&b| self.may_enter_area(Side::Two, b));
            out.extend(open.map(|b| Choice::into(verbs::PLACE, u, b)));
        }
    }

    /// A unit goes; when all have gone, play goes on.
    pub fn play_make_way(&mut self, c: Choice, from: BoxId, cx: &mut Cx<'_>) {
        if let Object::Into(u, b) = c.object {
            self.put(u, Place::Box(b));
            let text = format!("{} goes to {}.", self.code(u), self.data.box_label(b));
            let rule = Rule(self.way_rule(from));
            cx.say(|| Line::new("make-way", rule, text));
        }
        if self.boxed(from).any(|u| self.side(u) == Side::Two) {
            return;
        }
        self.s.frames.pop();
        if self.s.frames.is_empty() && self.s.step == Step::Weather {
            self.next_phase(cx);
        }
    }
}
