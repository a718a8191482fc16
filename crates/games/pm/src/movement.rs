//! Section 12: ground movement, with the sides of it that weather and supply change.

use crate::charts::Weather;
use crate::data::boxes;
use crate::state::{Cx, Frame, Pos, flag, place_code};
use crate::supply::State;
use crate::units::{Class, Nation, trait_};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, Route};
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
            State::Aerial | State::AerialEast if self.info(u).class == Class::Mech => {
                mp = mp.min(n.aerial_mech_mp as u8);
            }
            _ => {}
        }
        if self.info(u).side == Side::One {
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

    /// Whether a marker goes with the hand: it was told to, or the whole stack moves (9.18, 10.2).
    pub fn goes_along(&self, marker: usize) -> bool {
        let h = self.s.air[marker];
        if !h.is_some() || self.hand_hex() != Some(h) {
            return false;
        }
        self.s.escort >> marker & 1 != 0 || self.at(h).all(|u| self.s.hand.contains(&u))
    }

    /// The hex of the units in hand.
    pub fn hand_hex(&self) -> Option<Hex> {
        self.s.hand.first().and_then(|&u| self.on_map(u))
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

    /// Choices of a movement phase with nothing in hand.
    pub fn movement_choices(&self, side: Side, out: &mut Vec<Choice>) {
        for i in 0..self.data.units.ground as u16 {
            let u = Unit(i);
            if self.data.sides[u.ix()] != side {
                continue;
            }
            if self.may_pick(side, u) {
                out.push(Choice::unit(verbs::PICK, u));
            }
            let okh = matches!(self.s.stacks.place(u), Place::Box(boxes::OKH_NORTH | boxes::OKH_SOUTH));
            if okh && self.why_not_shift(u).is_none() {
                out.push(Choice::unit(verbs::SHIFT, u));
            }
        }
        out.push(Choice::button(verbs::DONE));
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
            for i in 0..self.s.used.len() {
                if self.s.used[i] > 0 || self.s.flags[i] & flag::SPENT != 0 {
                    self.s.flags[i] |= flag::MOVED;
                }
            }
            self.s.parent = origin;
        }
        self.check_supply(self.info(u).side);
        self.s.hand.clear();
        self.s.hand.push(u);
        self.s.escort = 0;
        self.s.frames.push(Frame::Hand);
    }

    /// Whether a unit may be added to the hand (12.5).
    pub fn may_add(&self, u: Unit) -> bool {
        let first = self.s.hand[0];
        self.may_pick(self.info(first).side, u)
            && !self.s.hand.contains(&u)
            && self.s.stacks.place(u) == self.s.stacks.place(first)
            && self.origin_of(u) == self.s.parent
    }

    /// Why a unit may not be added to the hand (12.5).
    pub fn why_not_add(&self, u: Unit) -> Option<Illegal> {
        let first = self.s.hand[0];
        if let Some(i) = self.why_not_pick(self.info(first).side, u) {
            return Some(i);
        }
        let code = self.code(u);
        if self.s.hand.contains(&u) {
            return Some(Illegal::new(Rule("12.5"), format!("{code} is in hand already")));
        }
        if self.s.stacks.place(u) != self.s.stacks.place(first) || self.origin_of(u) != self.s.parent {
            let why = format!("{code} did not begin this phase stacked with {}", self.code(first));
            return Some(Illegal::new(Rule("12.5"), why));
        }
        None
    }

    /// Choices with units in hand.
    pub fn hand_choices(&self, out: &mut Vec<Choice>) {
        let first = self.s.hand[0];
        let place = self.s.stacks.place(first);
        let before = out.len();
        out.extend(self.s.stacks.of(place).filter(|&u| self.may_add(u)).map(|u| Choice::unit(verbs::ADD, u)));
        if out.len() > before + 1 {
            out.push(Choice::button(verbs::ADDALL));
        }
        if let Some(h) = place.hex() {
            for i in 0..self.s.air.len() {
                if self.s.air[i] == h && self.air_side(i) == self.info(first).side && !self.goes_along(i) {
                    out.push(Choice::unit(verbs::ESCORT, self.air_unit(i)));
                }
            }
        }
        let m = self.mover();
        if !m.fresh && self.s.hand.len() > 1 {
            out.extend(self.s.hand.iter().map(|&u| Choice::unit(verbs::DROP, u)));
        }
        let r = self.reach(&m);
        let load = self.load_of(self.s.hand.iter().copied());
        for h in r.hexes() {
            if Some(h) == m.at || !self.data.map.land.contains(h) {
                continue;
            }
            let load = self.load_with(h, &load, &[]);
            if self.fits(&load, h)
                && let Some(route) = self.way(&r, &m, h)
            {
                out.push(Choice::route(verbs::GO, route));
            }
        }
        self.assault_choices(&m, out);
        out.push(Choice::button(verbs::STOP));
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

    /// Why a path may not be taken.
    pub fn why_not_go(&self, route: Route) -> Option<Illegal> {
        let m = self.mover();
        match self.price(&m, route) {
            Err(i) => Some(i),
            Ok(_) => {
                let to = route.end(self.data.map.grid());
                if Some(to) == m.at {
                    return Some(Illegal::new(Rule("12.1"), "a move leads to another hex"));
                }
                if !self.data.map.land.contains(to) {
                    let why = format!("no move ends in {}", self.data.map.called(to));
                    return Some(Illegal::new(Rule("13.7"), why));
                }
                if m.at.is_none() && !route.is_empty() {
                    // Where units enter matters only as far as it brings them nearer; any other way is two moves.
                    let best = self.way(&self.reach(&m), &m, to).map(|w| w.start());
                    if best != Some(route.start()) {
                        let why = "enter at that hex first, then move on";
                        return Some(Illegal::new(Rule("8.3"), why));
                    }
                }
                let load = self.load_of(self.s.hand.iter().copied());
                self.why_overfull(&self.load_with(to, &load, &[]), to)
            }
        }
    }

    /// Records with what supply the units in hand begin (9.8, 15.4).
    pub fn begin_move(&mut self) {
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            if self.s.used[u.ix()] == 0 && !self.flagged(u, flag::SPENT) {
                let state = self.moving_state(u);
                self.s.origin[u.ix()] = place_code(self.s.stacks.place(u));
                self.s.began[u.ix()] = state as u8;
            }
        }
    }

    /// Moves the units in hand along a path known to be legal.
    pub fn go(&mut self, route: Route, cx: &mut Cx<'_>) {
        let m = self.mover();
        let Ok((cost, whole, sum)) = self.price(&m, route) else { return };
        let markers: Vec<usize> = (0..self.s.air.len()).filter(|&i| self.goes_along(i)).collect();
        self.begin_move();
        let data = self.data.clone();
        let grid = data.map.grid();
        let to = route.end(grid);
        if cx.tell.listening() {
            // The other side sees counters move, but not which lie beneath the top one (14.7).
            let path = route.name(grid);
            let names: Vec<&str> = self.s.hand.iter().map(|&u| self.code(u)).collect();
            let text = format!("{} moves {path}.", names.join(", "));
            let own = Line::new("move", Rule("12.1"), text).at(to).fact("cost", cost).sum("cost", sum);
            cx.tell.tell(own.only(m.side));
            let text = format!("{} units move {path}.", names.len());
            cx.tell.tell(Line::new("move", Rule("12.1"), text).at(to).only(m.side.foe()));
        }
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            self.s.used[u.ix()] += cost;
            if whole {
                self.mark(u, flag::SPENT);
            }
            self.put(u, Place::Hex(to));
        }
        for i in markers {
            self.carry(i, to);
        }
        let entered = route.hexes(grid).skip(usize::from(m.at.is_some()));
        for h in entered {
            self.enter(m.side, h, cx);
            if self.s.end.is_some() {
                return;
            }
        }
        self.settle_hand();
    }

    /// Takes a marker along; the Soviet aircraft stay behind beyond their range (10.4).
    pub fn carry(&mut self, i: usize, to: Hex) {
        let far = i < self.airs() && self.air_side(i) == Side::Two && !self.near_moscow(to);
        self.s.air[i] = if far { Hex::NONE } else { to };
        self.s.escort |= 1 << i;
    }

    /// Puts the hand down when nothing in it can go on.
    pub fn settle_hand(&mut self) {
        if self.s.hand.iter().all(|&u| self.left_of(u, self.moving_state(u)) == 0) {
            self.stop();
        }
    }

    /// Ends the movement of the units in hand.
    pub fn stop(&mut self) {
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            self.mark(u, flag::MOVED);
        }
        self.s.hand.clear();
        self.s.escort = 0;
        if self.s.frames.last() == Some(&Frame::Hand) {
            self.s.frames.pop();
        }
    }

    /// Why a choice is not legal while units are in hand.
    pub fn why_not_hand(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::ADD, Object::Unit(u)) => self.why_not_add(u),
            (verbs::ADDALL, Object::Nothing) => {
                let place = self.s.stacks.place(self.s.hand[0]);
                let n = self.s.stacks.of(place).filter(|&u| self.why_not_add(u).is_none()).count();
                (n < 2).then(|| Illegal::new(Rule("12.5"), "there are not several units left to add"))
            }
            (verbs::ESCORT, Object::Unit(u)) => {
                let here = self.air_index(u).is_some_and(|i| {
                    self.hand_hex() == Some(self.s.air[i])
                        && self.air_side(i) == self.info(self.s.hand[0]).side
                        && !self.goes_along(i)
                });
                (!here)
                    .then(|| Illegal::new(Rule("10.2"), format!("{} is not here to be taken", self.code(u))))
            }
            (verbs::DROP, Object::Unit(u)) => {
                if !self.s.hand.contains(&u) || self.s.hand.len() < 2 {
                    return Some(Illegal::new(
                        Rule("12.6"),
                        format!("{} cannot be left behind", self.code(u)),
                    ));
                }
                self.mover().fresh.then(|| Illegal::new(Rule("12.6"), "the units in hand have not moved yet"))
            }
            (verbs::GO, Object::Route(r)) => self.why_not_go(r),
            (verbs::GO, Object::Hex(h)) => {
                let why = format!("name the path to {}", self.data.map.called(h));
                Some(Illegal::new(Rule("12.1"), why))
            }
            (verbs::ASSAULT, Object::Hex(h)) => self.why_not_assault(&self.mover(), h),
            (verbs::STOP, Object::Nothing) => None,
            _ => Some(Illegal::new(Rule("12.2"), "finish the move in hand first")),
        }
    }

    /// Plays a choice while units are in hand.
    pub fn play_hand(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::ADD, Object::Unit(u)) => self.s.hand.push(u),
            (verbs::ADDALL, _) => {
                let place = self.s.stacks.place(self.s.hand[0]);
                let all: Vec<Unit> =
                    self.s.stacks.of(place).filter(|&u| self.why_not_add(u).is_none()).collect();
                self.s.hand.extend(all);
            }
            (verbs::ESCORT, Object::Unit(u)) => {
                if let Some(i) = self.air_index(u) {
                    self.s.escort |= 1 << i;
                }
            }
            (verbs::DROP, Object::Unit(u)) => self.s.hand.retain(|&v| v != u),
            (verbs::GO, Object::Route(r)) => self.go(r, cx),
            (verbs::ASSAULT, Object::Hex(h)) => self.assault(h, cx),
            _ => self.stop(),
        }
    }

    /// The weather code of a zone, for words.
    pub fn weather_word(&self, w: Weather) -> &str {
        &self.data.charts.condition(w).name
    }
}
