//! Section 5: the sequence of play. Each phase that has something to decide asks; all others pass by themselves.

use crate::data::{Data, boxes};
use crate::state::{Cx, Frame, Pause, Pos, Step, flag};
use game::Line;
use hex::Hex;
use table::{Place, Rule, Side, Unit};

impl Pos {
    /// Who owes a decision.
    pub fn asked(&self) -> Option<Side> {
        if self.s.end.is_some() {
            return None;
        }
        match self.s.frames.last() {
            Some(Frame::Losses) => return self.s.battle.map(|b| self.bearer(&b)),
            Some(Frame::Overfull { side, .. }) => return Some(side.foe()),
            _ => {}
        }
        Some(match self.s.step {
            Step::SetUpSoviet | Step::Arrivals | Step::Reserve | Step::CommitSoviet | Step::Sea => Side::Two,
            Step::Move(s) | Step::Fight(s) => s,
            Step::Over => return None,
            _ => Side::One,
        })
    }

    /// Goes on after a phase has been finished, until someone must decide.
    pub fn next_phase(&mut self, cx: &mut Cx<'_>) {
        loop {
            if self.leave_phase(cx) {
                return;
            }
            let Some(next) = self.after(self.s.step, cx) else { return };
            self.s.step = next;
            self.enter_phase(cx);
            if self.s.end.is_some() || self.has_something_to_decide() {
                return;
            }
        }
    }

    /// 5.2: which phase follows.
    fn after(&mut self, step: Step, cx: &mut Cx<'_>) -> Option<Step> {
        Some(match step {
            Step::SetUpSoviet => Step::SetUpGerman,
            Step::SetUpGerman => {
                self.begin_turn(self.s.turn, cx);
                Step::Callout
            }
            Step::Callout => Step::Arrivals,
            Step::Arrivals => {
                self.begin_couplet(1, cx);
                Step::Orders
            }
            Step::Orders => Step::Refit,
            Step::Refit => Step::Commit,
            Step::Commit => Step::Hedgehogs,
            Step::Hedgehogs => Step::Move(Side::One),
            Step::Move(s) => Step::Fight(s),
            Step::Fight(Side::One) => Step::Reserve,
            Step::Reserve => Step::CommitSoviet,
            Step::CommitSoviet => Step::Sea,
            Step::Sea => Step::Move(Side::Two),
            Step::Fight(Side::Two) => {
                self.end_couplet();
                if self.s.couplet < self.data.charts.turn(self.s.turn).couplets {
                    self.begin_couplet(self.s.couplet + 1, cx);
                    Step::Orders
                } else {
                    self.victory_check(cx);
                    if self.s.end.is_some() {
                        return None;
                    }
                    Step::Pause
                }
            }
            Step::Pause => {
                self.begin_turn(self.s.turn + 1, cx);
                Step::Callout
            }
            Step::Over => return None,
        })
    }

    /// I: what a turn brings by itself.
    pub fn begin_turn(&mut self, turn: u8, cx: &mut Cx<'_>) {
        self.s.turn = turn;
        self.s.couplet = 0;
        self.s.withdrawals = 0;
        self.stale_supply();
        let label = self.data.charts.turn(turn).label.clone();
        cx.say(|| Line::new("turn", Rule("5.2"), format!("Turn {turn}, {label}.")).fact("turn", turn));
        self.activate_lines(cx);
        for f in &mut self.s.flags {
            *f &= !flag::BOXED;
        }
        self.check_supply(Side::One);
        self.check_supply(Side::Two);
        self.bring_arrivals(cx);
    }

    /// II.A, III.A: a couplet begins with its weather.
    fn begin_couplet(&mut self, couplet: u8, cx: &mut Cx<'_>) {
        self.s.couplet = couplet;
        self.roll_weather(cx);
    }

    /// A couplet has passed: the pause grows older (9.19).
    fn end_couplet(&mut self) {
        if let Pause::Running(n) = self.s.pause {
            self.s.pause = if n > 1 { Pause::Running(n - 1) } else { Pause::Done };
        }
    }

    /// What a phase does before it asks.
    fn enter_phase(&mut self, cx: &mut Cx<'_>) {
        let step = self.s.step;
        match step {
            Step::Callout | Step::Arrivals => {
                self.check_supply(Side::One);
                self.check_supply(Side::Two);
            }
            Step::Orders => self.begin_german_turn(),
            Step::Refit => {
                self.check_supply(Side::One);
                self.begin_refits(cx);
            }
            Step::Commit => self.ready_air(Side::One),
            Step::CommitSoviet => self.ready_air(Side::Two),
            // 14.40: hedgehogs are declared anew each time.
            Step::Hedgehogs => self.s.hedgehogs.clear(),
            Step::Reserve => {
                self.s.sea_used = 0;
                self.s.invaded = Hex::NONE;
                self.check_supply(Side::Two);
            }
            Step::Move(_) => {
                self.s.used.fill(0);
                self.s.parent = u16::MAX;
                self.s.origin.fill(u16::MAX);
                for f in &mut self.s.flags {
                    *f &= !(flag::MOVED | flag::SPENT | flag::RAISED);
                }
                self.refresh_ready();
            }
            Step::Fight(side) => {
                for f in &mut self.s.flags {
                    *f &= !(flag::ATTACKED | flag::DEFENDED | flag::RETREATED);
                }
                self.begin_invasion(side);
            }
            _ => {}
        }
        if matches!(step, Step::Move(_) | Step::Fight(_)) {
            let text = self.phase_name();
            cx.say(|| Line::new("phase", Rule("5.2"), text));
        }
    }

    /// Start of a German player turn: units on the way between the OKH areas arrive (8.3), concentration ends (9.20).
    fn begin_german_turn(&mut self) {
        for (from, to) in [(boxes::TO_NORTH, boxes::OKH_NORTH), (boxes::TO_SOUTH, boxes::OKH_SOUTH)] {
            let units: Vec<Unit> = self.boxed(from).collect();
            for u in units {
                self.into_box(u, to);
            }
        }
        self.s.concentrated = false;
        for f in &mut self.s.flags {
            *f &= !flag::CHOSEN;
        }
        let first = self.airs();
        for i in first..self.s.air.len() {
            self.s.air[i] = Hex::NONE;
        }
    }

    /// What a phase does when it is over; true if something must be decided first.
    fn leave_phase(&mut self, cx: &mut Cx<'_>) -> bool {
        match self.s.step {
            Step::Move(side) => {
                if let Some(hex) = self.overfull(side) {
                    cx.tell.reveal();
                    self.s.frames.push(Frame::Overfull { hex, side });
                    return true;
                }
                for f in &mut self.s.flags {
                    *f &= !(flag::MOVED | flag::SPENT | flag::RAISED);
                }
                self.s.used.fill(0);
                if side == Side::One {
                    let held = self.s.stacks.occupied(Side::One);
                    self.s.hedgehogs = &self.s.hedgehogs & held;
                }
            }
            Step::Fight(side) => {
                let stay = flag::STAYS | flag::NO_MOVE | flag::SAILED;
                for i in 0..self.s.flags.len() {
                    let own = self.data.sides[i] == side;
                    self.s.flags[i] &= !(flag::ATTACKED | flag::DEFENDED | flag::RETREATED);
                    if own {
                        self.s.flags[i] &= !stay;
                    }
                }
            }
            _ => {}
        }
        false
    }

    /// Whether a phase has anything to decide besides going on.
    fn has_something_to_decide(&self) -> bool {
        if !self.s.frames.is_empty() {
            return true;
        }
        match self.s.step {
            Step::SetUpSoviet | Step::SetUpGerman => {
                self.boxed(boxes::TRAY).any(|u| Some(self.info(u).side) == self.asked())
            }
            Step::Move(_) => true,
            Step::Over => true,
            Step::Fight(side) => self.targets(side).next().is_some(),
            _ => {
                let mut out = Vec::new();
                self.phase_choices(&mut out);
                out.len() > 1
            }
        }
    }

    /// What the phase is called.
    pub fn phase_name(&self) -> String {
        let s = match self.s.step {
            Step::SetUpSoviet => "Soviet set-up",
            Step::SetUpGerman => "German set-up",
            Step::Callout | Step::Arrivals => "Mutual reinforcement",
            Step::Orders => "Start of the German player turn",
            Step::Refit if self.s.couplet > 1 => "German mechanized refit",
            Step::Refit => "German replacement, withdrawal and refit",
            Step::Commit => "German ground support",
            Step::Hedgehogs => "German hedgehogs",
            Step::Reserve => "Start of the Soviet player turn",
            Step::CommitSoviet => "Soviet ground support",
            Step::Sea => "Soviet sea movement",
            Step::Move(Side::One) => "German movement and mobile assault",
            Step::Move(Side::Two) => "Soviet movement and mobile assault",
            Step::Fight(Side::One) => "German prepared assault",
            Step::Fight(Side::Two) => "Soviet prepared assault",
            Step::Pause => "End of turn",
            Step::Over => "The game is over",
        };
        s.to_string()
    }

    /// Arriving units of a turn's box on the track.
    pub fn due(&self, turn: u8) -> Vec<Unit> {
        self.boxed(Data::track(turn)).collect()
    }

    /// Puts a unit on a hex without moving it there.
    pub fn set_down(&mut self, u: Unit, h: Hex) {
        self.put(u, Place::Hex(h));
    }
}
