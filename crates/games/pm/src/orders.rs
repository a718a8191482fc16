//! 9.18-9.20 and 14.40: what the German side decides at the start of its player turns: air supply, concentration of supply, the
//! pause, hedgehogs.

use crate::map::Town;
use crate::state::{Cx, Frame, Pause, Pos, flag};
use crate::units::trait_;
use crate::verbs;
use game::{Choice, Line, Object};
use table::{Rule, Side, Unit};

impl Pos {
    /// Choices at the start of a German player turn.
    pub fn order_choices(&self, out: &mut Vec<Choice>) {
        if !self.options.beginner {
            if let Pause::Running(_) = self.s.pause {
                out.push(Choice::button(verbs::ABORT));
            }
            let placed = (self.airs()..self.s.air.len()).any(|i| self.s.air[i].is_some());
            if !self.s.concentrated && !placed {
                out.push(Choice::button(verbs::CONCENTRATE));
            }
            if !self.s.concentrated {
                self.airlift_choices(out);
            }
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// 9.18: stacks that aerial supply may go to; the markers are alike, so the first free one is named.
    fn airlift_choices(&self, out: &mut Vec<Choice>) {
        let Some(i) = (self.airs()..self.s.air.len()).find(|&i| !self.s.air[i].is_some()) else { return };
        for h in self.s.stacks.occupied(Side::One) {
            if self.aerial_at(h).is_none() {
                out.push(Choice::at(verbs::AIRLIFT, self.air_unit(i), h));
            }
        }
    }

    /// Plays a choice of the start of a German player turn.
    pub fn play_orders(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::ABORT, _) => {
                self.s.pause = Pause::None;
                cx.say(|| Line::new("pause", Rule("9.19"), "The pause is broken off."));
            }
            (verbs::CONCENTRATE, _) => {
                self.s.concentrated = true;
                self.s.frames.push(Frame::Concentrating);
                cx.say(|| Line::new("supply", Rule("9.20"), "Supply is concentrated."));
            }
            (verbs::AIRLIFT, Object::At(u, h)) => {
                if let Some(i) = self.air_index(u) {
                    self.s.air[i] = h;
                    cx.say(|| {
                        let text = format!("{} is supplied by air.", self.data.map.called(h));
                        Line::new("supply", Rule("9.18"), text).at(h)
                    });
                }
            }
            _ => self.next_phase(cx),
        }
    }

    /// How many units have concentrated supply.
    fn chosen(&self) -> usize {
        self.s.flags.iter().filter(|f| **f & flag::CHOSEN != 0).count()
    }

    /// 9.20: units that may still be chosen.
    pub fn concentrate_choices(&self, out: &mut Vec<Choice>) {
        if self.chosen() < self.data.charts.numbers.supply_concentration as usize {
            let free = |u: &Unit| {
                self.info(*u).side == Side::One
                    && self.on_map(*u).is_some()
                    && !self.flagged(*u, flag::CHOSEN)
            };
            out.extend(self.s.stacks.units().filter(|u| free(u)).map(|u| Choice::unit(verbs::MARK, u)));
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Chooses a unit, or goes on.
    pub fn play_concentrate(&mut self, c: Choice) {
        match (c.verb, c.object) {
            (verbs::MARK, Object::Unit(u)) => self.mark(u, flag::CHOSEN),
            _ => {
                self.s.frames.pop();
            }
        }
    }

    /// 9.19: choices at the end of turns 2 and 3.
    pub fn pause_choices(&self, out: &mut Vec<Choice>) {
        let n = &self.data.charts.numbers;
        let turn = i16::from(self.s.turn);
        let open = (n.pause_first_turn..=n.pause_last_turn).contains(&turn);
        if open && self.s.pause == Pause::None && !self.options.beginner {
            out.push(Choice::button(verbs::PAUSE));
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Declares the pause, or goes on.
    pub fn play_pause(&mut self, c: Choice, cx: &mut Cx<'_>) {
        if c.verb == verbs::PAUSE {
            self.s.pause = Pause::Running(self.data.charts.numbers.pause_couplets as u8);
            cx.say(|| Line::new("pause", Rule("9.19"), "The German side pauses for three couplets."));
        }
        self.next_phase(cx);
    }

    /// 14.40: choices at the start of a German movement phase in December.
    pub fn hedgehog_choices(&self, out: &mut Vec<Choice>) {
        if i16::from(self.s.turn) >= self.data.charts.numbers.hedgehog_first_turn {
            for h in self.s.stacks.occupied(Side::One) {
                let town = self.data.map.town[h.ix()] != Town::None;
                let german = self.at(h).any(|u| self.is(u, trait_::REICH));
                if town && german && !self.s.hedgehogs.contains(h) {
                    out.push(Choice::hex(verbs::HEDGEHOG, h));
                }
            }
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Forms a hedgehog, or goes on.
    pub fn play_hedgehogs(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::HEDGEHOG, Object::Hex(h)) => {
                self.s.hedgehogs.insert(h);
                let name = self.data.map.called(h);
                cx.say(|| Line::new("hedgehog", Rule("14.40"), format!("A hedgehog forms at {name}.")).at(h));
            }
            _ => self.next_phase(cx),
        }
    }
}
