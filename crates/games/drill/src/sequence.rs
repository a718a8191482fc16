//! 3 Sequence of play: what follows what.

use crate::state::{Ending, Exercise, Frame};
use crate::units::Units;
use game::{Line, Teller};
use table::{Rule, Side};

impl Exercise {
    /// Whose decision the top frame is; none when it is over.
    pub(crate) fn asked(&self) -> Option<Side> {
        match self.top() {
            Frame::Hide => self.data.concealed.first().map(|u| self.data.sides[u.ix()]),
            Frame::Deploy(i) => self.scenario().deploy.get(usize::from(i)).map(|d| d.0),
            Frame::Losses(side, ..) => Some(side),
            Frame::Retreat(..) => Some(self.active.foe()),
            Frame::Over(_) => None,
            _ => Some(self.active),
        }
    }

    /// Goes on until somebody has something to decide.
    pub(crate) fn settle(&mut self, tell: &mut dyn Teller) {
        loop {
            match self.top() {
                Frame::Hide => {
                    if self.real.is_none() {
                        return;
                    }
                    self.phase(Frame::Deploy(0));
                }
                Frame::Deploy(i) => match self.scenario().deploy.get(usize::from(i)) {
                    Some(&(side, _)) if self.waiting(side) => return,
                    Some(_) => self.phase(Frame::Deploy(i + 1)),
                    None => self.begin_turn(Side::One, tell),
                },
                Frame::Arrivals => {
                    if self.can_arrive() {
                        return;
                    }
                    self.phase(Frame::Movement);
                }
                Frame::Movement => {
                    if self.on_map(self.active).any(|u| !self.moved.has(u)) {
                        return;
                    }
                    self.phase(Frame::Combat);
                }
                Frame::Combat => {
                    if self.seems_to_attack() {
                        return;
                    }
                    self.end_turn(tell);
                }
                Frame::Losses(..) | Frame::Retreat(..) => {
                    if self.settle_toll(tell) {
                        return;
                    }
                }
                Frame::Advance(h, units) => {
                    let units = self.alive(units);
                    let room = self.stacks.height(h) < self.data.stacking;
                    if units.is_empty() || !room || self.stacks.holder(h) == Some(self.active.foe()) {
                        self.leave();
                    } else {
                        self.replace(Frame::Advance(h, units));
                        return;
                    }
                }
                Frame::Moving(_) | Frame::Battle(..) | Frame::Over(_) => return,
            }
        }
    }

    /// 8.8-8.10: what leaves no choice in the losses or the retreat on top; true if somebody must choose.
    pub(crate) fn settle_toll(&mut self, tell: &mut dyn Teller) -> bool {
        match self.top() {
            Frame::Losses(side, n, among) => {
                let among = self.alive(among);
                match (n, among.count()) {
                    (0, _) | (_, 0) => self.leave(),
                    (_, 1) => {
                        self.replace(Frame::Losses(side, n - 1, among));
                        if let Some(u) = among.first() {
                            self.lose_step(u, Rule("8.8"), tell);
                        }
                    }
                    _ => {
                        self.replace(Frame::Losses(side, n, among));
                        return true;
                    }
                }
            }
            Frame::Retreat(units, stand) => {
                let left = self.alive(units);
                if left.is_empty() {
                    self.leave();
                } else if self.can_retreat(left) || (stand && self.can_stand_fast(left)) {
                    self.replace(Frame::Retreat(left, stand));
                    return true;
                } else {
                    self.leave();
                    self.cut_off(left, tell);
                }
            }
            _ => {}
        }
        false
    }

    /// Goes to another phase.
    pub(crate) fn phase(&mut self, f: Frame) {
        self.frames.clear();
        self.frames.push(f);
    }

    /// Ends what the top frame is about.
    pub(crate) fn leave(&mut self) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
    }

    pub(crate) fn replace(&mut self, f: Frame) {
        if let Some(top) = self.frames.last_mut() {
            *top = f;
        }
    }

    /// 3.2 A player turn: supply is judged, then reinforcements, movement and combat.
    pub(crate) fn begin_turn(&mut self, side: Side, tell: &mut dyn Teller) {
        self.active = side;
        self.moved = Units::NONE;
        self.fought = Units::NONE;
        self.attacked.clear();
        if tell.listening() {
            let text = format!("Turn {}: {}.", self.turn, crate::NAMES[side.ix()]);
            tell.tell(Line::new("turn", Rule("3.1"), text).fact("turn", self.turn));
        }
        self.judge_supply(tell);
        self.phase(Frame::Arrivals);
    }

    /// 3.1 Blue, then Red, is a turn; 3.3 the game ends after the last.
    fn end_turn(&mut self, tell: &mut dyn Teller) {
        if let Some(side) = self.routed() {
            self.finish(Ending::Rout(side), tell);
        } else if self.active == Side::One {
            self.begin_turn(Side::Two, tell);
        } else if self.turn >= self.scenario().turns {
            self.finish(Ending::Points, tell);
        } else {
            self.turn += 1;
            self.begin_turn(Side::One, tell);
        }
    }
}
