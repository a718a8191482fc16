//! Section 10: ground support aircraft.

use crate::state::{Cx, Pos};
use crate::verbs;
use game::{Choice, Line, Object};
use hex::Hex;
use table::{Rule, Side};

impl Pos {
    /// Aircraft come back to base before they are committed anew.
    pub fn ready_air(&mut self, side: Side) {
        for i in 0..self.airs() {
            if self.air_side(i) == side {
                self.s.air[i] = Hex::NONE;
            }
        }
    }

    /// 8.10, 10.4: on their turn the Soviet aircraft come only if Moscow stands and is supplied.
    pub fn soviet_air_due(&mut self, cx: &mut Cx<'_>) {
        if i16::from(self.s.turn) != self.data.charts.numbers.soviet_air_turn {
            return;
        }
        let m = &self.data.map;
        let lost = m.moscow.iter().any(|h| self.s.german_held.contains(h));
        let cut = m.moscow.iter().all(|h| !self.soviet_supplied(&self.s.supplied, h));
        self.s.soviet_air = !lost && !cut;
        let comes = self.s.soviet_air;
        cx.say(|| {
            let what = if comes { "become available" } else { "do not come" };
            Line::new("air", Rule("8.10"), format!("The Soviet ground support aircraft {what}."))
        });
    }

    /// Whether an air unit or a marker of aerial supply is in play.
    pub fn flies(&self, i: usize) -> bool {
        let n = &self.data.charts.numbers;
        if self.options.beginner || i >= self.airs() {
            return !self.options.beginner;
        }
        match self.air_side(i) {
            Side::One => i16::from(self.s.turn) <= n.german_air_last_turn,
            Side::Two => self.s.soviet_air && i16::from(self.s.turn) >= n.soviet_air_turn,
        }
    }

    /// 8.10: whether a hex is near enough to Moscow for the Soviet aircraft.
    pub fn near_moscow(&self, h: Hex) -> bool {
        let range = self.data.charts.numbers.soviet_air_range as u32;
        self.data.map.moscow.iter().any(|m| self.data.map.grid().distance(m, h) <= range)
    }

    /// 10.2, 10.4: choices of a commitment phase.
    pub fn support_choices(&self, side: Side, out: &mut Vec<Choice>) {
        if !self.options.beginner {
            for i in (0..self.airs()).filter(|&i| self.air_side(i) == side && self.flies(i)) {
                if self.s.air[i].is_some() {
                    continue;
                }
                for h in self.s.stacks.occupied(side) {
                    let free = (0..self.airs()).all(|j| self.s.air[j] != h);
                    if free && (side == Side::One || self.near_moscow(h)) {
                        out.push(Choice::at(verbs::SUPPORT, self.air_unit(i), h));
                    }
                }
            }
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Commits aircraft, or goes on.
    pub fn play_support(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::SUPPORT, Object::At(u, h)) => {
                if let Some(i) = self.air_index(u) {
                    self.s.air[i] = h;
                    cx.say(|| {
                        let (code, name) = (self.code(u), self.data.map.called(h));
                        Line::new("air", Rule("10.2"), format!("{code} supports {name}.")).at(h)
                    });
                }
            }
            _ => self.next_phase(cx),
        }
    }
}
