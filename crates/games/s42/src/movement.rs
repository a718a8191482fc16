//! Section 5: movement, unit by unit or stack by stack.

use crate::reach::Mover;
use crate::state::{Cx, Frame, March, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Illegal, Line, Object};
use hex::{Hex, Route};
use table::{BoxId, Place, Rule, Side, Unit};

impl Pos {
    /// Whether a unit may be moved now; [`Pos::why_not_pick`] says why not, and the oracles prove that they agree.
    pub fn may_pick(&self, side: Side, u: Unit) -> bool {
        let t = self.info(u).traits;
        if self.data.sides[u.ix()] != side || t & (is::AIR | is::REMNANT) != 0 {
            return false;
        }
        let f = self.s.flags[u.ix()];
        if f & (flag::MOVED | flag::AUTO_DS | flag::RESERVE | flag::TRAIN) != 0 || self.held_back(u).is_some()
        {
            return false;
        }
        match self.s.stacks.place(u) {
            Place::Hex(_) => true,
            Place::Box(b) => {
                self.friendly_area(side, b) && f & (flag::JUST_IN | flag::DISRUPTED | flag::FULL_RETREAT) == 0
            }
        }
    }

    /// Whether a box is an Entry Area where a side's units may be (22.2).
    pub fn friendly_area(&self, side: Side, b: BoxId) -> bool {
        let Some(a) = self.data.area_of(b) else { return false };
        if self.data.baku == Some(a) && self.scenario().campaign_rules {
            // 24.1.2, 24.1.3: the way to Baku serves the side that is there.
            return (side == Side::One) == self.axis_at_baku();
        }
        self.scene().friendly[side] >> a & 1 != 0
    }

    /// Why a unit may not be moved now.
    pub fn why_not_pick(&self, side: Side, u: Unit) -> Option<Illegal> {
        if self.may_pick(side, u) {
            return None;
        }
        let code = self.code(u);
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        if self.side(u) != side || self.info(u).traits & (is::AIR | is::REMNANT) != 0 {
            return no("5.1", format!("{code} is not yours to move"));
        }
        let f = self.s.flags[u.ix()];
        if f & flag::TRAIN != 0 {
            return no("5.6.3", format!("{code} is on a train this turn"));
        }
        if f & flag::AUTO_DS != 0 {
            return no("8.6.1", format!("{code} took part in an Automatic DS and moves no farther"));
        }
        if f & flag::RESERVE != 0 {
            return no("25.2.1", format!("{code} is in Reserve"));
        }
        if f & flag::MOVED != 0 {
            return no("5.1", format!("{code} has moved"));
        }
        if let Some(i) = self.frozen(u) {
            return Some(i);
        }
        match self.s.stacks.place(u) {
            Place::Box(b) if self.friendly_area(side, b) && f & flag::JUST_IN != 0 => {
                no("22.3.1", format!("{code} came into its Entry Area this turn"))
            }
            Place::Box(b) if self.friendly_area(side, b) => {
                no("22.3.1", format!("{code} is not in Good Order and may not leave its Entry Area"))
            }
            _ => no("5.1", format!("{code} is not on the map")),
        }
    }

    /// Takes a unit in hand, or adds one to the hand.
    pub fn pick(&mut self, u: Unit) {
        if self.s.frames.last() == Some(&Frame::Hand) {
            self.s.hand.push(u);
            return;
        }
        self.s.hand.clear();
        self.s.hand.push(u);
        let origin = self.on_map(u).unwrap_or(Hex::NONE);
        self.s.march = March { origin, ..March::default() };
        self.s.frames.push(Frame::Hand);
    }

    /// Whether the hand has not begun to move.
    pub fn hand_fresh(&self) -> bool {
        self.s.march.hexes == 0 && !self.s.march.entered
    }

    /// Whether a unit may join the hand: it is in the same place, and nothing has moved yet (5.1).
    pub fn may_join(&self, u: Unit) -> bool {
        let first = self.s.hand[0];
        self.hand_fresh()
            && !self.s.hand.contains(&u)
            && self.s.stacks.place(u) == self.s.stacks.place(first)
            && self.may_pick(self.side(first), u)
    }

    fn why_not_join(&self, u: Unit) -> Option<Illegal> {
        if self.may_join(u) {
            return None;
        }
        let first = self.s.hand[0];
        let code = self.code(u);
        if self.s.hand.contains(&u) {
            return Some(Illegal::new(Rule("5.1"), format!("{code} is in hand already")));
        }
        if let Some(i) = self.why_not_pick(self.side(first), u) {
            return Some(i);
        }
        let why = format!("{code} did not begin the move with {}", self.code(first));
        Some(Illegal::new(Rule("5.1"), why))
    }

    /// Choices of a Movement Phase with nothing in hand.
    pub fn list_movement(&self, side: Side, out: &mut Vec<Choice>) {
        for i in 0..self.data.sides.len() as u16 {
            if self.data.sides[usize::from(i)] == side && self.may_pick(side, Unit(i)) {
                out.push(Choice::unit(verbs::PICK, Unit(i)));
            }
        }
        self.list_shatter(side, out);
        self.list_flotilla(side, out);
        self.list_transfers(side, out);
        for h in &(&self.s.forts[side.ix()] | &self.s.building[side.ix()]) {
            out.push(Choice::hex(verbs::RAZE, h));
        }
        out.push(Choice::button(verbs::DONE));
    }

    /// Choices with units in hand.
    pub fn list_hand(&self, out: &mut Vec<Choice>) {
        let first = self.s.hand[0];
        let place = self.s.stacks.place(first);
        let fresh = self.hand_fresh();
        if fresh {
            let before = out.len();
            out.extend(
                self.s.stacks.of(place).filter(|&u| self.may_join(u)).map(|u| Choice::unit(verbs::PICK, u)),
            );
            if out.len() > before + 1 {
                out.push(Choice::button(verbs::ALL));
            }
        } else if self.s.hand.len() > 1 {
            out.extend(self.s.hand.iter().map(|&u| Choice::unit(verbs::DROP, u)));
        }
        let m = self.mover();
        self.reach(&m, |_, route, _| out.push(Choice::route(verbs::GO, route)));
        self.list_exits(&m, out);
        self.list_sea(out);
        if fresh {
            self.list_rail(out);
            self.list_turning(out);
            self.list_swaps(out);
        }
        if self.why_not_flee().is_none() {
            out.push(Choice::button(verbs::FLEE));
        }
        if self.why_not_reserve().is_none() {
            out.push(Choice::button(verbs::RESERVE));
        }
        out.push(Choice::button(verbs::STOP));
    }

    /// Judges a choice with units in hand.
    pub fn why_not_hand(&self, c: &Choice) -> Option<Illegal> {
        match (c.verb, c.object) {
            (verbs::PICK, Object::Unit(u)) if u.ix() < self.data.sides.len() => self.why_not_join(u),
            (verbs::GO, Object::Route(r)) => self.why_not_go(r),
            (verbs::GO, Object::Hex(h)) => {
                let left = table::Points::halves(self.mover().normal.into());
                let name = self.data.map.called(h);
                let why =
                    format!("{name} is out of reach of the units in hand: {left} movement points are left");
                Some(Illegal::new(Rule("5.1"), why))
            }
            (verbs::DROP, Object::Unit(u)) if self.s.hand.contains(&u) => {
                if self.hand_fresh() || self.s.hand.len() < 2 {
                    return Some(Illegal::new(
                        Rule("5.1"),
                        "nothing has moved yet, or nothing else is in hand",
                    ));
                }
                None
            }
            (verbs::FLEE, Object::Nothing) => self.why_not_flee(),
            (verbs::RESERVE, Object::Nothing) => self.why_not_reserve(),
            (verbs::STOP, Object::Nothing) => None,
            (verbs::EXIT, Object::Box(b)) => self.why_not_exit(&self.mover(), b),
            (verbs::RAIL, Object::Hex(_) | Object::Box(_)) => self.why_not_rail(c.object),
            _ => {
                let mut all = Vec::new();
                self.list_hand(&mut all);
                if all.contains(c) { None } else { Some(self.why_not_special(c)) }
            }
        }
    }

    /// Why a route may not be taken.
    pub fn why_not_go(&self, route: Route) -> Option<Illegal> {
        let m = self.mover();
        match self.price(&m, route) {
            Err(i) => Some(i),
            Ok(_) => {
                let to = route.end(self.data.map.grid());
                if Some(to) == m.at {
                    return Some(Illegal::new(Rule("5.1"), "a move leads to another hex"));
                }
                if m.at.is_none() {
                    // One way onto the map for each goal, the cheapest; any other is two moves, entry first.
                    let mut by = route.start();
                    self.reach(&m, |h, r, _| {
                        if h == to {
                            by = r.start();
                        }
                    });
                    if by != route.start() {
                        let why = format!(
                            "{} is reached by way of {}; enter elsewhere first, then go on",
                            self.data.map.called(to),
                            self.data.map.called(by)
                        );
                        return Some(Illegal::new(Rule("22.1.2"), why));
                    }
                }
                None
            }
        }
    }

    /// 13.1.3: why the units in hand may not go into Full Retreat.
    fn why_not_flee(&self) -> Option<Illegal> {
        if !self.hand_fresh() {
            return Some(Illegal::new(Rule("13.1.3"), "units go into Full Retreat before they move"));
        }
        let may =
            |u: &Unit| self.combat(*u) && !self.flagged(*u, flag::FULL_RETREAT) && self.on_map(*u).is_some();
        if self.s.hand.iter().all(may) && self.s.step != crate::state::Step::PreMove {
            None
        } else {
            let why = "only Combat Units on the map that are not in Full Retreat can go into it";
            Some(Illegal::new(Rule("13.1.3"), why))
        }
    }

    /// 22.3.1, 22.6, S1.2: Entry Areas that the units in hand can go to.
    fn list_exits(&self, m: &Mover, out: &mut Vec<Choice>) {
        let near = match m.at {
            Some(h) => self.scene().borders[h.ix()],
            None => self.scene().friendly[m.side],
        };
        for a in (0..self.data.areas.len()).filter(|a| near >> a & 1 != 0) {
            let b = self.data.areas[a].in_box;
            if self.why_not_exit(m, b).is_none() {
                out.push(Choice { verb: verbs::EXIT, object: Object::Box(b) });
            }
        }
    }

    /// Plays a choice with units in hand.
    pub fn play_hand(&mut self, c: Choice, cx: &mut Cx<'_>) {
        match (c.verb, c.object) {
            (verbs::PICK, Object::Unit(u)) => self.pick(u),
            (verbs::ALL, _) => {
                let place = self.s.stacks.place(self.s.hand[0]);
                let more: Vec<Unit> = self.s.stacks.of(place).filter(|&u| self.may_join(u)).collect();
                self.s.hand.extend(more);
            }
            (verbs::GO, Object::Route(r)) => self.go(r, cx),
            (verbs::DROP, Object::Unit(u)) => {
                self.s.hand.retain(|&v| v != u);
                self.end_move(u, cx);
            }
            (verbs::EXIT, Object::Box(b)) => self.exit(b, cx),
            (verbs::RAIL, o) => self.rail(o, cx),
            (verbs::SWAP, Object::Unit(v)) => self.swap_masks(v, cx),
            (verbs::FLEE, _) => {
                for i in 0..self.s.hand.len() {
                    let u = self.s.hand[i];
                    self.unmark(u, flag::DISRUPTED);
                    self.mark(u, flag::FULL_RETREAT | flag::VOLUNTARY);
                    let text = format!("{} goes into Full Retreat.", self.code(u));
                    cx.say(|| Line::new("flee", Rule("13.1.3"), text));
                }
            }
            (verbs::RESERVE, _) => {
                for i in 0..self.s.hand.len() {
                    self.mark(self.s.hand[i], flag::RESERVE);
                }
                self.stop(cx);
            }
            (verbs::STOP, _) => self.stop(cx),
            _ => self.play_special(c, cx),
        }
    }

    /// Moves the hand along a route, hex by hex; what happens on the way can end it early.
    fn go(&mut self, route: Route, cx: &mut Cx<'_>) {
        let m = self.mover();
        let data = self.data.clone();
        let grid = data.map.grid();
        let names: Vec<String> = self.s.hand.iter().map(|&u| self.code(u).to_string()).collect();
        let mut at = route.start();
        if m.at.is_none() {
            if m.side == Side::One && m.combat && self.army_stands(at, cx) {
                return;
            }
            let (cost, _, _) = self.price(&m, Route::from(at)).unwrap_or_default();
            self.s.march.entered = true;
            if self.step_into(m.side, at, cost, cx) {
                return;
            }
        }
        for d in route.dirs() {
            let Some(to) = grid.neighbour(at, d) else { break };
            let cost = self.step_cost(&m, at, d, to);
            // 34.6.2: what looked like an empty army may not be.
            if m.side == Side::One && m.combat && self.army_stands(to, cx) {
                if at == route.start() && m.at.is_some() {
                    return;
                }
                break;
            }
            at = to;
            if self.step_into(m.side, to, cost, cx) {
                break;
            }
        }
        cx.say(|| {
            let text = format!("{} to {}.", names.join(", "), data.map.called(at));
            Line::new("move", Rule("5.1"), text).at(at)
        });
    }

    /// The hand enters a hex; true if something must be decided before it goes on.
    fn step_into(&mut self, side: Side, to: Hex, cost: u8, cx: &mut Cx<'_>) -> bool {
        let hand = std::mem::take(&mut self.s.hand);
        for &u in &hand {
            self.put(u, Place::Hex(to));
        }
        self.s.hand = hand;
        let m = &mut self.s.march;
        m.spent = m.spent.saturating_add(cost);
        m.hexes = m.hexes.saturating_add(1);
        let (zoc, near) = (self.in_ezoc(side, to), self.near_enemy(side, to));
        let m = &mut self.s.march;
        m.near |= near;
        m.zoc |= zoc;
        m.ended |= zoc;
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            self.enter(u, to);
        }
        let combat = self.s.hand.iter().any(|&u| self.combat(u));
        if combat {
            self.overrun_non_combat(side, to, cx);
            self.alarm(side, to, cx);
            return self.automatic_retreats(side, to, cx);
        }
        false
    }

    /// 19.3: Non-Combat Units alone in a hex are removed when an enemy Combat Unit enters it.
    pub fn overrun_non_combat(&mut self, side: Side, h: Hex, cx: &mut Cx<'_>) {
        if self.has_combat(side.foe(), h) || !self.s.stacks.occupied(side.foe()).contains(h) {
            return;
        }
        let caught: Vec<Unit> = self.of_side(side.foe(), h).collect();
        for u in caught {
            let text = format!("{} is overrun in {}.", self.code(u), self.data.map.called(h));
            cx.say(|| Line::new("overrun", Rule("19.3"), text).at(h));
            self.eliminate(u);
        }
    }

    /// Ends the move of one unit (18.2.2, 26.2).
    fn end_move(&mut self, u: Unit, cx: &mut Cx<'_>) {
        let m = self.s.march;
        if m.hexes == 0 && !m.entered {
            return;
        }
        self.mark(u, flag::MOVED);
        self.unmark(u, flag::WAITED);
        let far = m.hexes > self.data.charts.movement.asu_free_hexes;
        let unready = flag::USED | flag::DISRUPTED | flag::FULL_RETREAT;
        if far && self.is(u, is::ASU) && !self.flagged(u, unready) {
            self.mark(u, flag::DISRUPTED);
            let text = format!("{} moved more than two hexes and is Disrupted.", self.code(u));
            cx.say(|| Line::new("disrupted", Rule("18.2.2"), text));
        }
        if far {
            self.s.plans.retain(|p| p.hq != u);
        }
    }

    /// Puts the hand down.
    pub fn stop(&mut self, cx: &mut Cx<'_>) {
        let hand = std::mem::take(&mut self.s.hand);
        for &u in &hand {
            self.end_move(u, cx);
        }
        self.s.march = March::default();
        if self.s.frames.last() == Some(&Frame::Hand) {
            self.s.frames.pop();
        }
    }
}
