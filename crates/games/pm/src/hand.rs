//! 12.5-12.7 and 12.21: the units in hand: who goes along, where they go, who is left behind.

use crate::data::NEVER;
use crate::reach::Mover;
use crate::state::{Cx, Frame, Pos, flag, place_code};
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, Route};
use table::{Place, Rule, Side, Sum, Unit};
use text::count;

impl Pos {
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
        self.go_choices(&m, out);
        self.assault_choices(&m, out);
        if self.why_not_top().is_none() {
            out.push(Choice::button(verbs::TOP));
        }
        out.push(Choice::button(verbs::STOP));
    }

    /// Each hex where the units in hand may end a move, by its cheapest way.
    fn go_choices(&self, m: &Mover<'_>, out: &mut Vec<Choice>) {
        let load = self.load_of(self.s.hand.iter().copied());
        let (own, land) = (self.s.stacks.occupied(m.side), &self.data.map.land);
        let allied = self.allied(&load);
        self.each_reached(m, |n| {
            let h = n.hex;
            if Some(h) == m.at || !land.contains(h) {
                return;
            }
            let room = if own.contains(h) {
                self.fits(&self.load_with(h, &load, &[]), h)
            } else {
                allied && load.quarters <= self.limit(h)
            };
            if room {
                out.push(Choice::route(verbs::GO, n.way));
            }
        });
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
                    let nodes = self.reach(&m);
                    let best = nodes.iter().find(|n| n.hex == to).map(|n| n.way.start());
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

    /// Why no move of the units in hand ends in a hex.
    pub fn why_no_way(&self, h: Hex) -> Illegal {
        let (m, name) = (self.mover(), self.data.map.called(h));
        if m.at == Some(h) {
            return Illegal::new(Rule("12.1"), format!("the units in hand are in {name} already"));
        }
        if self.enemy_at(m.side, h) {
            let assault = self.why_not_assault(&m, h);
            let why = assault
                .as_ref()
                .map_or_else(String::new, |i| format!(", and no assault leads there: {}", i.why));
            return Illegal::new(
                assault.map_or(Rule("12.4"), |i| i.rule),
                format!("the enemy holds {name}{why}"),
            );
        }
        if !self.open(&m, h) {
            return self.why_closed(&m, h);
        }
        if let Some(n) = self.reach(&m).iter().find(|n| n.hex == h) {
            let path = || Illegal::new(Rule("12.1"), format!("name the path to {name}"));
            return self.why_not_go(n.way).unwrap_or_else(path);
        }
        let mut far = m;
        (far.left, far.hexes) = (NEVER - 1, None);
        match self.reach(&far).iter().find(|n| n.hex == h) {
            Some(n) => match self.price(&m, n.way) {
                Err(i) => Illegal::new(
                    i.rule,
                    format!("{name} is {} away, {} left", count(n.cost, "movement point"), m.left),
                )
                .because(i.sum.map_or_else(Sum::new, |s| *s)),
                Ok(_) => Illegal::new(Rule("12.1"), format!("name the path to {name}")),
            },
            None => Illegal::new(Rule("12.1"), format!("no way leads the units in hand to {name}")),
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
        let Some((cost, whole)) = self.cost_of(&m, route) else { return };
        let (side, enters) = (m.side, m.at.is_none());
        let data = self.data.clone();
        let grid = data.map.grid();
        let to = route.end(grid);
        if cx.tell.listening() {
            let sum = self.price(&m, route).map(|p| p.2).unwrap_or_default();
            // The other side sees counters move, but not which lie beneath the top one (14.7).
            let path = route.name(grid);
            let names: Vec<&str> = self.s.hand.iter().map(|&u| self.code(u)).collect();
            let text = format!("{} moves {path}.", names.join(", "));
            let own = Line::new("move", Rule("12.1"), text).at(to).fact("cost", cost).sum("cost", sum);
            cx.tell.tell(own.only(side));
            let text = format!("Move of {}: {path}.", count(names.len(), "unit"));
            cx.tell.tell(Line::new("move", Rule("12.1"), text).at(to).only(side.foe()));
        }
        let along = (0..self.s.air.len()).filter(|&i| self.goes_along(i)).fold(0u8, |bits, i| bits | 1 << i);
        self.begin_move();
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            self.s.used[u.ix()] += cost;
            if whole {
                self.s.flags[u.ix()] |= flag::SPENT;
            }
            self.put(u, Place::Hex(to));
        }
        for i in (0..self.s.air.len()).filter(|&i| along >> i & 1 != 0) {
            self.carry(i, to);
        }
        let entered = route.hexes(grid).skip(usize::from(!enters));
        for h in entered {
            self.enter(side, h, cx);
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

    /// 14.7: why the units in hand may not be laid on top of their stack, where the last of them is what the enemy sees.
    pub fn why_not_top(&self) -> Option<Illegal> {
        let no = |why: &str| Some(Illegal::new(Rule("14.7"), why));
        let Some(h) = self.hand_hex() else { return no("units are laid on top of a stack on the map") };
        let mut hand = self.s.hand.iter();
        if hand.clone().any(|&u| self.s.used[u.ix()] > 0 || self.flagged(u, flag::SPENT)) {
            return no("units that move lie on top already: the one picked last uppermost");
        }
        if self.s.hand.last().copied() == self.s.stacks.top(h) {
            return no("the unit picked last lies on top already");
        }
        if hand.any(|&u| self.flagged(u, flag::RAISED)) {
            return no("a unit is laid on top once in a phase");
        }
        None
    }

    /// Lays the units in hand on top of their stack and puts them down, free to move later.
    fn lay_on_top(&mut self) {
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            self.put(u, self.s.stacks.place(u));
            self.mark(u, flag::RAISED);
        }
        self.s.hand.clear();
        self.s.escort = 0;
        self.s.frames.pop();
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
            (verbs::GO, Object::Hex(h)) => Some(self.why_no_way(h)),
            (verbs::ASSAULT, Object::Hex(h)) => self.why_not_assault(&self.mover(), h),
            (verbs::STOP, Object::Nothing) => None,
            (verbs::TOP, Object::Nothing) => self.why_not_top(),
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
            (verbs::TOP, _) => self.lay_on_top(),
            _ => self.stop(),
        }
    }
}
