//! Section 11: Soviet sea movement and invasions.

use crate::data::boxes;
use crate::state::{Cx, Frame, Pos, flag};
use crate::units::trait_;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::Hex;
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// 11.1-11.3: why a unit may not go to sea.
    pub fn why_not_sail(&self, u: Unit) -> Option<Illegal> {
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        if u.ix() >= self.data.units.ground || self.info(u).side != Side::Two {
            return no("11.1", "only Soviet ground units go to sea".into());
        }
        let code = self.code(u);
        if i16::from(self.s.sea_used) >= self.data.charts.numbers.sea_units {
            return no("11.1", "five units have gone to sea this player turn".into());
        }
        if self.is(u, trait_::NO_SEA) {
            return no("11.1", format!("{code} is a tank or motorized division"));
        }
        if self.flagged(u, flag::SAILED | flag::STAYS) {
            return no("11.2", format!("{code} has moved by sea"));
        }
        match self.s.stacks.place(u) {
            Place::Hex(h) if self.data.map.ports.contains(h) => None,
            Place::Box(boxes::PORTS) => (self.flagged(u, flag::BOXED) && self.s.couplet == 1)
                .then(|| Illegal::new(Rule("11.3"), format!("{code} came into the box this turn"))),
            _ => no("11.2", format!("{code} is neither in a port nor in the Southern Ports box")),
        }
    }

    /// Units that may go to sea; untried ones of a kind in the box are alike.
    fn sailors(&self) -> Vec<Unit> {
        // One of a kind may have come this turn while another may sail: the first that may is named.
        let mut boxed: Vec<Unit> =
            self.boxed(boxes::PORTS).filter(|&u| self.why_not_sail(u).is_none()).collect();
        boxed.sort_unstable();
        let mut all: Vec<Unit> = Vec::new();
        for u in boxed {
            let alike = |v: &Unit| self.untried(*v) && self.info(*v).pool == self.info(u).pool;
            if !self.untried(u) || !all.iter().any(alike) {
                all.push(u);
            }
        }
        for h in &self.data.map.ports {
            all.extend(self.at(h).filter(|&u| self.info(u).side == Side::Two));
        }
        all.retain(|&u| self.why_not_sail(u).is_none());
        all
    }

    /// Choices of sea movement.
    pub fn sea_choices(&self, out: &mut Vec<Choice>) {
        if !self.options.beginner {
            for u in self.sailors() {
                let load = self.load_of(std::iter::once(u));
                for h in &self.data.map.ports {
                    let open = !self.s.german_held.contains(h) && !self.enemy_at(Side::Two, h);
                    if open && self.on_map(u) != Some(h) && self.fits(&self.load_with(h, &load, &[]), h) {
                        out.push(Choice::at(verbs::SAIL, u, h));
                    }
                }
                if self.on_map(u).is_some() {
                    out.push(Choice::into(verbs::SAIL, u, boxes::PORTS));
                }
                for h in &self.data.map.invasion_coast {
                    if self.may_land(u, h) {
                        out.push(Choice::at(verbs::INVADE, u, h));
                    }
                }
            }
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// 11.4: whether a unit may land on a hex of the coast.
    fn may_land(&self, u: Unit, h: Hex) -> bool {
        if (self.s.invaded.is_some() && self.s.invaded != h) || self.on_map(u) == Some(h) {
            return false;
        }
        let load = self.load_of(std::iter::once(u));
        if self.enemy_at(Side::Two, h) {
            let mut load = load;
            for v in self.boxed(boxes::LANDING) {
                self.load_unit(&mut load, v);
            }
            load.quarters <= 4 * self.data.charts.numbers.stacking as u16
        } else {
            self.fits(&self.load_with(h, &load, &[]), h)
        }
    }

    /// Plays a choice of sea movement.
    pub fn play_sea(&mut self, c: Choice, cx: &mut Cx<'_>) {
        let (u, what, at) = match (c.verb, c.object) {
            (verbs::SAIL, Object::At(u, h)) => {
                self.set_down(u, h);
                (u, "sails to", Some(h))
            }
            (verbs::SAIL, Object::Into(u, b)) => {
                self.into_box(u, b);
                (u, "sails to", None)
            }
            (verbs::INVADE, Object::At(u, h)) => {
                self.s.invaded = h;
                if self.enemy_at(Side::Two, h) {
                    self.into_box(u, boxes::LANDING);
                } else {
                    self.set_down(u, h);
                    self.enter(Side::Two, h, cx);
                }
                (u, "lands at", Some(h))
            }
            _ => return self.next_phase(cx),
        };
        self.mark(u, flag::SAILED);
        if self.s.stacks.place(u) != Place::Box(boxes::LANDING) {
            self.mark(u, flag::STAYS);
        }
        self.s.sea_used += 1;
        cx.say(|| {
            let port = at.map_or_else(|| "the Southern Ports".to_string(), |h| self.data.map.called(h));
            let line = Line::new("sea", Rule("11.2"), format!("A unit {what} {port}."));
            match at {
                Some(h) => line.at(h),
                None => line,
            }
        });
    }

    /// 11.4: an opposed invasion is the first prepared assault of the phase.
    pub fn begin_invasion(&mut self, side: Side) {
        let landing: Vec<Unit> = self.boxed(boxes::LANDING).collect();
        if side == Side::One || landing.is_empty() {
            return;
        }
        let hex = self.s.invaded;
        if self.enemy_at(Side::Two, hex) {
            self.s.attackers = landing;
            self.s.frames.push(Frame::Preparing { hex });
            return;
        }
        // The coast has been cleared from the land side: they come ashore as far as there is room, or are lost.
        for u in landing {
            let load = self.load_of(std::iter::once(u));
            if self.fits(&self.load_with(hex, &load, &[]), hex) {
                self.set_down(u, hex);
                self.mark(u, flag::STAYS);
            } else {
                self.eliminate(u);
            }
        }
    }
}
