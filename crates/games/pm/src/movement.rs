//! Section 12: who may move and how far, with the sides of it that weather and supply change.

use crate::charts::Weather;
use crate::data::boxes;
use crate::state::{Frame, Pos, Step, flag, place_code};
use crate::supply::State;
use crate::units::{Class, Nation, trait_};
use crate::verbs;
use game::{Choice, Illegal};
use hex::Hex;
use table::{Place, Points, Rule, Side, Sum, Unit};

impl Pos {
    /// 5.3: Hungary and Romania are closed during turn 1.
    pub fn border_closed(&self) -> bool {
        self.s.turn == 1 && !self.options.beginner
    }

    /// 12.1, 9.7, 9.18, 13.4: the movement points of a unit that begins in a supply state at a place.
    pub fn allowance(&self, u: Unit, state: State, at: Option<Hex>) -> u8 {
        let n = &self.data.charts.numbers;
        let mut mp = self.movement(u);
        match state {
            State::Out => mp = mp.div_ceil(2),
            State::Aerial | State::AerialEast if self.data.badges[u.ix()].class == Class::Mech => {
                mp = mp.min(n.aerial_mech_mp as u8);
            }
            _ => {}
        }
        if self.data.badges[u.ix()].side == Side::One {
            let add =
                at.map_or(self.data.charts.condition(self.s.weather[0]), |h| self.condition_at(h)).german_mp;
            mp = mp.saturating_add_signed(add);
        }
        mp
    }

    /// The same as a sum, for those who ask why.
    pub fn allowance_sum(&self, u: Unit, state: State, at: Option<Hex>) -> Sum {
        let mut sum = Sum::new();
        sum.unit(Rule("2.13"), "movement factor", u, self.movement(u).into());
        let total = Points::whole(self.allowance(u, state, at).into());
        match state {
            State::Out => sum.bring_to(Rule("9.7"), "out of supply", total),
            State::Aerial | State::AerialEast => sum.bring_to(Rule("9.18"), "supplied by air", total),
            _ => sum.bring_to(Rule("13.4"), "rain", total),
        };
        sum
    }

    /// The place where a unit began this phase.
    pub fn origin_of(&self, u: Unit) -> u16 {
        if self.s.used[u.ix()] > 0 || self.flagged(u, flag::SPENT) {
            self.s.origin[u.ix()]
        } else {
            place_code(self.s.stacks.place(u))
        }
    }

    /// Whether a unit may be moved now; [`Pos::why_not_pick`] says why not, and the oracles prove that they agree.
    pub fn may_pick(&self, side: Side, u: Unit) -> bool {
        let f = self.s.flags[u.ix()];
        if self.data.sides[u.ix()] != side || f & (flag::MOVED | flag::STAYS | flag::NO_MOVE) != 0 {
            return false;
        }
        match self.s.stacks.place(u) {
            Place::Hex(h) => {
                let m = &self.data.map;
                if side == Side::One
                    && self.border_closed()
                    && (m.zomo_hungary.contains(h) || m.zomo_romania.contains(h))
                {
                    return false;
                }
            }
            Place::Box(boxes::OKH_NORTH) => {}
            Place::Box(boxes::OKH_SOUTH) => {
                if self.border_closed() {
                    return false;
                }
            }
            Place::Box(_) => return false,
        }
        let begun = self.s.used[u.ix()] > 0 || f & flag::SPENT != 0;
        !begun
            || (self.s.origin[u.ix()] == self.s.parent
                && self.left_of(u, State::from(self.s.began[u.ix()])) > 0)
    }

    /// Why a unit may not be moved now.
    pub fn why_not_pick(&self, side: Side, u: Unit) -> Option<Illegal> {
        if u.ix() >= self.data.units.ground || self.info(u).side != side {
            return Some(Illegal::new(Rule("12.2"), format!("{} is not yours to move", self.code(u))));
        }
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        let code = self.code(u);
        match self.s.stacks.place(u) {
            Place::Hex(h) => {
                let abroad = self.data.map.zomo_hungary.contains(h) || self.data.map.zomo_romania.contains(h);
                if side == Side::One && self.border_closed() && abroad {
                    return no("5.3", format!("{code} may not move from Hungary or Romania during turn 1"));
                }
            }
            Place::Box(boxes::OKH_NORTH) => {}
            Place::Box(boxes::OKH_SOUTH) => {
                if self.border_closed() {
                    return no("5.3", format!("{code} may not enter Hungary or Romania during turn 1"));
                }
            }
            Place::Box(_) => return no("12.1", format!("{code} is not on the map")),
        }
        if self.flagged(u, flag::MOVED) {
            return no("12.2", format!("{code} has moved"));
        }
        if self.flagged(u, flag::NO_MOVE) && self.is(u, trait_::ARKO) {
            return no("14.41", format!("{code} was called out this turn and stays for its first couplet"));
        }
        if self.flagged(u, flag::STAYS | flag::NO_MOVE) {
            return no("8.20", format!("{code} must stay where it is this turn"));
        }
        let begun = self.s.used[u.ix()] > 0 || self.flagged(u, flag::SPENT);
        if begun && self.s.origin[u.ix()] != self.s.parent {
            return no("12.6", format!("another stack has begun to move since {code} stopped"));
        }
        if begun && self.left_of(u, State::from(self.s.began[u.ix()])) == 0 {
            return no("12.2", format!("{code} has no movement points left"));
        }
        None
    }

    /// Movement points a unit has left, for a supply state at its start.
    pub fn left_of(&self, u: Unit, state: State) -> u8 {
        if self.flagged(u, flag::SPENT) {
            return 0;
        }
        self.allowance(u, state, self.on_map(u)).saturating_sub(self.s.used[u.ix()])
    }

    /// Choices of a movement phase with nothing in hand.
    pub fn movement_choices(&self, out: &mut Vec<Choice>) {
        out.extend(self.s.ready.pick.iter().map(|u| Choice::unit(verbs::PICK, u)));
        for okh in [boxes::OKH_NORTH, boxes::OKH_SOUTH] {
            let shifts = self.boxed(okh).filter(|&u| self.why_not_shift(u).is_none());
            out.extend(shifts.map(|u| Choice::unit(verbs::SHIFT, u)));
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Who may be picked and who has begun to move, worked out anew for all units.
    pub fn refresh_ready(&mut self) {
        let mut ready = std::mem::take(&mut self.s.ready);
        ready.pick.clear();
        ready.begun.clear();
        if let Step::Move(side) = self.s.step {
            for u in self.s.stacks.units() {
                ready.pick.set(u, self.may_pick(side, u));
                ready.begun.set(u, self.begun(u));
            }
        }
        self.s.ready = ready;
    }

    /// The same for a unit of which something has changed.
    pub fn touch(&mut self, u: Unit) {
        if let Step::Move(side) = self.s.step {
            let (pick, begun) = (self.may_pick(side, u), self.begun(u));
            self.s.ready.pick.set(u, pick);
            self.s.ready.begun.set(u, begun);
        }
    }

    /// Whether a unit has moved and could move on as far as its own points go.
    pub fn begun(&self, u: Unit) -> bool {
        let f = self.s.flags[u.ix()];
        (self.s.used[u.ix()] > 0 || f & flag::SPENT != 0) && f & flag::MOVED == 0
    }

    /// 8.3, 8.5, 5.3: why a unit may not be sent to the other OKH area.
    pub fn why_not_shift(&self, u: Unit) -> Option<Illegal> {
        let code = self.code(u);
        let waits = |u: Unit| {
            matches!(self.s.stacks.place(u), Place::Box(boxes::OKH_NORTH | boxes::OKH_SOUTH))
                && self.info(u).side == Side::One
        };
        if u.ix() >= self.data.units.ground || !waits(u) {
            return Some(Illegal::new(Rule("8.3"), format!("{code} is in no OKH area")));
        }
        if self.s.step != Step::Move(Side::One) {
            return Some(Illegal::new(Rule("8.3"), "units are shifted in German movement phases"));
        }
        if self.border_closed() {
            return Some(Illegal::new(Rule("5.3"), "nothing moves between the OKH areas during turn 1"));
        }
        if self.nation(u) != Nation::German {
            return Some(Illegal::new(Rule("8.5"), format!("{code} may never enter the northern OKH area")));
        }
        None
    }

    /// Picks a unit up (12.5), ending the movement of another parent stack (12.6).
    pub fn pick(&mut self, u: Unit) {
        let origin = self.origin_of(u);
        if origin != self.s.parent {
            let begun = std::mem::take(&mut self.s.ready.begun);
            for v in begun.iter() {
                self.s.flags[v.ix()] |= flag::MOVED;
                self.s.ready.pick.set(v, false);
            }
            self.s.ready.begun = begun;
            self.s.ready.begun.clear();
            self.s.parent = origin;
        }
        self.check_supply(self.info(u).side);
        self.s.hand.clear();
        self.s.hand.push(u);
        self.s.escort = 0;
        self.s.frames.push(Frame::Hand);
    }

    /// 9.8, 9.18: the supply state with which a unit in hand moves.
    pub fn moving_state(&self, u: Unit) -> State {
        if self.s.used[u.ix()] > 0 || self.flagged(u, flag::SPENT) {
            return State::from(self.s.began[u.ix()]);
        }
        match self.on_map(u) {
            Some(h) => {
                let by_air = self.aerial_at(h).is_some_and(|i| self.goes_along(i));
                self.state_in(&self.s.supplied, u, h, by_air)
            }
            None => State::Full,
        }
    }

    /// 7.2-7.4: the rule that keeps a unit of an ally on the southern sheet.
    pub fn sheet_rule(&self, u: Unit) -> Option<Rule> {
        match self.nation(u) {
            Nation::Italian => Some(Rule("7.2")),
            Nation::Romanian => Some(Rule("7.3")),
            Nation::Hungarian => Some(Rule("7.4")),
            Nation::German | Nation::Soviet => None,
        }
    }

    /// The weather code of a zone, for words.
    pub fn weather_word(&self, w: Weather) -> &str {
        &self.data.charts.condition(w).name
    }
}
