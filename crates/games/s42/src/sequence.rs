//! Section 3: the sequence of play. Each phase that has something to decide asks; all others pass by themselves.

use crate::state::{Cx, Frame, March, Pos, Step, flag};
use game::Line;
use table::{Place, Rule, Side};

impl Pos {
    /// Who owes a decision.
    pub fn asked(&self) -> Option<Side> {
        if self.s.end.is_some() {
            return None;
        }
        match self.s.frames.last().copied() {
            None => {}
            Some(Frame::Hand) => return self.s.hand.first().map(|&u| self.side(u)),
            Some(Frame::Overstack { side, .. }) => return Some(side),
            Some(Frame::Assign | Frame::Offensive | Frame::Emerge { .. } | Frame::MakeWay { .. }) => {
                return Some(Side::Two);
            }
            Some(Frame::Removals) => {}
            Some(f) => return self.asked_in_combat(f),
        }
        self.phasing()
    }

    /// The player whose phase it is.
    pub fn phasing(&self) -> Option<Side> {
        match self.s.step {
            Step::Initial(s) | Step::Move(s) | Step::Fight(s) | Step::Recovery(s) | Step::Supply(s) => {
                Some(s)
            }
            Step::Railheads | Step::Weather | Step::Victory => Some(Side::One),
            Step::PreMove => Some(Side::Two),
            Step::Over => None,
        }
    }

    /// Who goes first this turn (33.2.2).
    pub fn first_side(&self) -> Side {
        if self.s.soviet_first { Side::Two } else { Side::One }
    }

    /// Goes on after a phase has been finished, until someone must decide.
    pub fn next_phase(&mut self, cx: &mut Cx<'_>) {
        loop {
            if self.s.end.is_some() || self.leave_phase(cx) || self.s.end.is_some() {
                return;
            }
            self.s.step = self.after(self.s.step);
            self.enter_phase(cx);
            if self.s.end.is_some() || self.has_something_to_decide() {
                return;
            }
        }
    }

    /// 3.0: which phase follows.
    fn after(&self, step: Step) -> Step {
        let sc = self.scenario();
        let first_turn = self.s.turn == sc.first_turn;
        let sp = &sc.special;
        match step {
            Step::Weather if first_turn && sp.soviet_pre_move => Step::PreMove,
            Step::Weather if first_turn && sp.first_turn_axis_turn == Some(false) => Step::Move(Side::Two),
            Step::Weather => Step::Initial(self.first_side()),
            Step::PreMove => Step::Move(Side::One),
            Step::Initial(s) => Step::Move(s),
            Step::Move(s) => Step::Fight(s),
            Step::Fight(s) => Step::Recovery(s),
            Step::Recovery(_) if self.s.interchange => Step::Victory,
            Step::Recovery(Side::One) => Step::Railheads,
            Step::Recovery(Side::Two) => Step::Supply(Side::Two),
            Step::Railheads => Step::Supply(Side::One),
            Step::Supply(s) => {
                let began = first_turn && sp.first_turn_axis_turn == Some(false);
                if s == self.first_side() && !began {
                    return Step::Initial(s.foe());
                }
                if s == Side::Two && self.interchange_due() { Step::Move(Side::One) } else { Step::Victory }
            }
            Step::Victory => Step::Weather,
            Step::Over => Step::Over,
        }
    }

    /// 33.2.3, S3.4: the Axis gets its Interchange Turn after this Soviet player turn.
    fn interchange_due(&self) -> bool {
        if self.s.soviet_first {
            return false;
        }
        let sc = self.scenario();
        (sc.special.interchange_after_first_turn && self.s.turn == sc.first_turn)
            || (self.s.offensive != 0 && self.s.offensive == self.s.turn)
    }

    /// What a phase does before it asks.
    fn enter_phase(&mut self, cx: &mut Cx<'_>) {
        match self.s.step {
            Step::Weather => {
                self.s.turn += 1;
                self.begin_turn(cx);
            }
            Step::Initial(side) => {
                if side == Side::One {
                    self.axis_turn_check(true, cx);
                    if self.s.end.is_some() {
                        return;
                    }
                }
                self.announce(cx);
                self.begin_initial(side, cx);
            }
            Step::Move(side) => {
                if self.s.turn == self.scenario().first_turn && side == Side::One {
                    self.skipped_initial(cx);
                }
                if side == Side::One && self.interchange_due() {
                    self.s.interchange = true;
                    for u in self.s.stacks.units() {
                        if self.side(u) == Side::One {
                            self.unmark(u, flag::TRAIN);
                        }
                    }
                }
                self.announce(cx);
                self.begin_move(side, cx);
            }
            Step::PreMove => {
                self.announce(cx);
                self.begin_move(Side::Two, cx);
            }
            Step::Fight(side) => {
                self.announce(cx);
                for f in &mut self.s.flags {
                    *f &= !flag::OF_COMBAT;
                }
                self.catch_full_retreat(cx);
                self.check_supply(Side::One);
                self.check_supply(Side::Two);
                self.begin_fight(side, cx);
            }
            Step::Railheads => {
                for r in &mut self.s.railheads {
                    (r.moved, r.placed) = (false, false);
                }
                self.check_supply(Side::One);
            }
            Step::Supply(side) => {
                self.announce(cx);
                self.supply_phase(side, cx);
            }
            Step::Victory => {
                self.victory_phase(cx);
            }
            Step::Recovery(_) | Step::Over => {}
        }
    }

    /// A new turn begins with its weather.
    pub fn begin_turn(&mut self, cx: &mut Cx<'_>) {
        let turn = self.s.turn;
        let dates = self.data.charts.turn(turn).dates.clone();
        cx.say(|| Line::new("turn", Rule("3.0"), format!("Turn {turn}, {dates}.")).fact("turn", turn));
        let sp = &self.scenario().special;
        let flipped = sp.soviet_first_from_turn != 0 && turn >= sp.soviet_first_from_turn;
        self.s.soviet_first |= flipped || (self.s.offensive != 0 && turn > self.s.offensive);
        self.s.army_freed = false;
        self.weather_phase(cx);
    }

    fn announce(&mut self, cx: &mut Cx<'_>) {
        let text = self.phase_name();
        cx.say(|| Line::new("phase", Rule("3.0"), format!("{text}.")));
    }

    /// The start of a Movement Phase.
    fn begin_move(&mut self, side: Side, cx: &mut Cx<'_>) {
        self.catch_full_retreat(cx);
        self.s.march = March::default();
        if side == Side::Two {
            // 5.5.3: the marker stays through the Axis player turn.
            self.s.flotilla = None;
            self.s.supplied.fresh[1] = false;
        }
        self.s.railed = [0; 2];
        self.s.rail_ferried = 0;
        self.s.sailed = [0; 2];
        self.s.strait = 0;
        self.s.transfers = [0; 2];
        for u in self.s.stacks.units() {
            if self.side(u) != side {
                continue;
            }
            let f = &mut self.s.flags[u.ix()];
            *f &= !(flag::OF_MOVEMENT | flag::WAITED);
            let in_area = matches!(self.s.stacks.place(u), Place::Box(b) if self.data.area_of(b).is_some());
            if in_area {
                self.s.flags[u.ix()] |= flag::WAITED;
            }
        }
        self.check_supply(Side::One);
        self.check_supply(Side::Two);
    }

    /// What a phase does when it is over; true if something must be decided first.
    fn leave_phase(&mut self, cx: &mut Cx<'_>) -> bool {
        match self.s.step {
            Step::Move(side) => {
                if side == Side::One {
                    self.judge_baku();
                }
                self.enforce_stacking(side)
            }
            Step::PreMove => self.enforce_stacking(Side::Two),
            Step::Fight(side) => {
                if self.end_fight(side, cx) || self.enforce_stacking(side) {
                    return true;
                }
                for f in &mut self.s.flags {
                    *f &= !(flag::OF_COMBAT | flag::RESERVE | flag::AUTO_DS);
                }
                false
            }
            Step::Recovery(side) => {
                self.recover(side, cx);
                false
            }
            Step::Supply(side) => {
                if side == Side::Two {
                    self.deactivate_forts(cx);
                    self.remove_revealed_armies(cx);
                } else {
                    self.axis_turn_check(false, cx);
                }
                false
            }
            Step::Victory => {
                self.s.interchange = false;
                false
            }
            _ => false,
        }
    }

    /// 9.7.7: groups of printed fortifications that no Soviet unit holds any more fall out of use.
    fn deactivate_forts(&mut self, cx: &mut Cx<'_>) {
        let names = ["north of Kharkov", "south of Kharkov", "around Rostov"];
        for (g, name) in names.into_iter().enumerate() {
            let clear = !self.data.map.fort_groups[g].meets(&self.s.zones.combat[1]);
            let rostov = g != 2 || self.s.axis_held.contains(self.data.map.rostov);
            if clear && rostov && !self.s.deactivated[g] {
                self.s.deactivated[g] = true;
                cx.say(|| {
                    let text = format!("The fortifications {name} are given up.");
                    Line::new("forts", Rule("9.7.7"), text)
                });
            }
        }
    }

    /// Whether a phase has anything to decide besides going on.
    fn has_something_to_decide(&self) -> bool {
        if !self.s.frames.is_empty() {
            return true;
        }
        match self.s.step {
            Step::Move(_) | Step::PreMove | Step::Over => true,
            Step::Weather | Step::Victory => false,
            _ => {
                let mut out = Vec::new();
                self.phase_choices(&mut out);
                out.len() > 1
            }
        }
    }

    /// What the phase is called.
    pub fn phase_name(&self) -> String {
        let who = |s: Side| if s == Side::One { "Axis" } else { "Soviet" };
        let inter = if self.s.interchange { " (Interchange Turn)" } else { "" };
        match self.s.step {
            Step::Weather => "Weather".into(),
            Step::PreMove => "Soviet pre-move".into(),
            Step::Initial(s) => format!("{} Initial Phase", who(s)),
            Step::Move(s) => format!("{} Movement Phase{inter}", who(s)),
            Step::Fight(s) => format!("{} Combat Phase{inter}", who(s)),
            Step::Recovery(s) => format!("{} Recovery Phase{inter}", who(s)),
            Step::Railheads => "Axis Railheads".into(),
            Step::Supply(s) => format!("{} Supply Phase", who(s)),
            Step::Victory => "Victory Determination".into(),
            Step::Over => "The game is over".into(),
        }
    }
}
