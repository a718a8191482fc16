//! Section 15: mobile assaults.

use crate::map::{Terrain, Town, side};
use crate::reach::Mover;
use crate::state::{Battle, Cx, Frame, Pause, Pos, flag};
use crate::units::{Class, Nation, trait_};
use crate::verbs;
use game::{Choice, Illegal, Object};
use hex::Hex;
use table::{Place, Points, Rule, Side, Subject, Sum, Unit};
use text::count;

impl Pos {
    /// 15.2, 5.6: the price of a round.
    pub fn round_cost(&self, side: Side) -> u8 {
        let n = &self.data.charts.numbers;
        let cost = match side {
            Side::One if self.s.turn == 1 => n.mobile_german_turn_1,
            Side::One => n.mobile_german,
            Side::Two => n.mobile_soviet,
        };
        cost as u8
    }

    /// What it costs to assault across a hexside: the round and the river (15.2).
    fn assault_cost(&self, m: &Mover<'_>, from: Hex, to: Hex) -> Sum {
        let mut sum = Sum::new();
        sum.add(
            Rule("15.2"),
            "mobile assault",
            Subject::Hex(to),
            Points::whole(self.round_cost(m.side).into()),
        );
        let map = &self.data.map;
        if let Some(d) = map.grid().dir(from, to)
            && map.sides[from.ix()][d.ix()] & side::RIVER != 0
        {
            sum.and(
                Rule("12.15"),
                "river",
                m.steps.river[usize::from(map.south_weather.contains(to))].into(),
            );
        }
        sum
    }

    /// The same without words.
    fn assault_price(&self, m: &Mover<'_>, from: Hex, to: Hex) -> u8 {
        let map = &self.data.map;
        let river = map.grid().dir(from, to).is_some_and(|d| map.sides[from.ix()][d.ix()] & side::RIVER != 0);
        let zone = usize::from(map.south_weather.contains(to));
        self.round_cost(m.side) + if river { m.steps.river[zone] } else { 0 }
    }

    /// 15.1, 15.12, 10.1: why a unit may not take part.
    fn why_not_mobile(&self, u: Unit) -> Option<Illegal> {
        let code = self.code(u);
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        if self.is(u, trait_::FLAK) {
            return no("10.1", format!("{code} is flak and never assaults"));
        }
        let rider = self.info(u).side == Side::Two && self.is(u, trait_::CAVALRY);
        if self.info(u).class != Class::Mech && !rider {
            return no("15.1", format!("{code} is not mechanized"));
        }
        if !matches!(self.nation(u), Nation::German | Nation::Soviet) {
            return no("15.1", format!("{code} is Axis-allied and never assaults on the move"));
        }
        if self.info(u).side == Side::One {
            if let Pause::Running(_) = self.s.pause {
                return no("9.19", "no German unit attacks during the pause".into());
            }
            if self.s.concentrated && !self.flagged(u, flag::CHOSEN) {
                return no("9.20", format!("{code} has no concentrated supply"));
            }
            if self.on_map(u).is_some_and(|h| self.s.hedgehogs.contains(h)) {
                return no("14.40", format!("{code} is in a hedgehog"));
            }
        }
        None
    }

    /// Why the units in hand may not assault anything.
    fn why_not_assault_at_all(&self, m: &Mover<'_>) -> Option<Illegal> {
        if self.options.beginner {
            return Some(Illegal::new(Rule("15.1"), "the beginners' game has no mobile assaults"));
        }
        let Some(at) = m.at else {
            return Some(Illegal::new(Rule("15.7"), "units assault from a hex of the map"));
        };
        if let Some(i) = self.s.hand.iter().find_map(|&u| self.why_not_mobile(u)) {
            return Some(i);
        }
        let leads = |&u: &Unit| self.is(u, trait_::ARMOUR | trait_::CAVALRY);
        if !self.s.hand.iter().any(leads) {
            let why = "motorized infantry needs a tank, assault gun or armoured reconnaissance unit with it";
            return Some(Illegal::new(Rule("15.1"), why));
        }
        // 15.7: the limits of the launch hex, judged on the assaulting force and all that stands with it.
        let load = self.load_of(self.at(at));
        self.why_overfull(&load, at)
    }

    /// Why the units in hand may not assault a hex.
    pub fn why_not_assault(&self, m: &Mover<'_>, to: Hex) -> Option<Illegal> {
        if let Some(i) = self.why_not_assault_at_all(m) {
            return Some(i);
        }
        let map = &self.data.map;
        let no = |rule: &'static str, why: String| Some(Illegal::new(Rule(rule), why));
        let at = m.at.unwrap_or(Hex::NONE);
        let Some(d) = map.grid().dir(at, to) else {
            return no(
                "15.2",
                format!("{} is not beside {}, where the units in hand are", map.called(to), map.called(at)),
            );
        };
        if !self.enemy_at(m.side, to) {
            return no("15.2", format!("there is no enemy in {}", map.called(to)));
        }
        if map.sides[at.ix()][d.ix()] & (side::SEA | side::LAKE | side::STRAIT) != 0 {
            return no("15.3", "no mobile assault crosses a strait, the sea or a lake".into());
        }
        // Frozen marsh counts as clear in every way (13.6).
        if map.terrain[to.ix()] == Terrain::Marsh && !self.condition_at(to).marsh_as_clear {
            return no("15.3", "no mobile assault enters marsh".into());
        }
        if !self.condition_at(to).mobile || !self.condition_at(at).mobile {
            return no("15.3", "there are no mobile assaults in mud or snow".into());
        }
        if map.town[at.ix()] == Town::City && map.town[to.ix()] == Town::City {
            return no("15.3", "no mobile assault leads from city to city".into());
        }
        if let Some(i) = self.s.hand.iter().find_map(|&u| self.why_closed_to(u, to)) {
            return Some(i);
        }
        if self.assault_price(m, at, to) > m.left {
            let why = format!("the units in hand have {} left", count(m.left, "movement point"));
            return Some(Illegal::new(Rule("15.3"), why).because(self.assault_cost(m, at, to)));
        }
        None
    }

    /// Assaults that the units in hand may make.
    pub fn assault_choices(&self, m: &Mover<'_>, out: &mut Vec<Choice>) {
        let Some(at) = m.at else { return };
        if m.left < self.round_cost(m.side) {
            return;
        }
        let foes = self.s.stacks.occupied(m.side.foe());
        for (_, h) in self.data.map.grid().neighbours(at) {
            if foes.contains(h) && self.why_not_assault(m, h).is_none() {
                out.push(Choice::hex(verbs::ASSAULT, h));
            }
        }
    }

    /// 15.2: pays, and fights.
    pub fn assault(&mut self, to: Hex, cx: &mut Cx<'_>) {
        let m = self.mover();
        let cost = self.assault_price(&m, m.at.unwrap_or(to), to);
        self.begin_move();
        self.take_along();
        self.round(to, cost, cx);
    }

    /// Markers that go along stay with the hand from now on.
    fn take_along(&mut self) {
        for i in 0..self.s.air.len() {
            if self.goes_along(i) {
                self.s.escort |= 1 << i;
            }
        }
    }

    /// One round.
    fn round(&mut self, to: Hex, cost: u8, cx: &mut Cx<'_>) {
        for i in 0..self.s.hand.len() {
            let u = self.s.hand[i];
            self.s.used[u.ix()] += cost;
            self.touch(u);
        }
        self.s.attackers = self.s.hand.clone();
        let side = self.info(self.s.hand[0]).side;
        self.fight(to, side, true, false, cx);
    }

    /// 15.12: Soviet cavalry pays for a mobile assault with its life, Guards with a step.
    pub fn spend_cavalry(&mut self) {
        for i in 0..self.s.attackers.len() {
            let u = self.s.attackers[i];
            if self.info(u).side == Side::Two && self.is(u, trait_::CAVALRY) {
                self.lose_step(u);
            }
        }
    }

    /// 15.6, 15.9: what a mobile assault leaves its force to do.
    pub fn after_mobile(&mut self, b: Battle, cleared: bool, cx: &mut Cx<'_>) {
        let steps = &self.s.steps;
        self.s.hand.retain(|u| steps[u.ix()] > 0);
        if self.s.hand.is_empty() {
            return self.stop();
        }
        if cleared {
            for i in 0..self.s.hand.len() {
                let u = self.s.hand[i];
                self.put(u, Place::Hex(b.hex));
            }
            for i in 0..self.s.air.len() {
                if self.s.escort >> i & 1 != 0 && self.s.air[i].is_some() {
                    self.carry(i, b.hex);
                }
            }
            self.enter(b.attacker, b.hex, cx);
            if self.s.end.is_none() {
                self.settle_hand();
            }
            return;
        }
        let rounds = b.attacker == Side::One && self.s.turn == 1;
        if rounds && self.mover().left >= self.round_cost(Side::One) && self.may_go_on() {
            self.s.frames.push(Frame::Round { hex: b.hex });
        } else {
            self.stop();
        }
    }

    /// Whether what is left of the force may run another round (15.1).
    fn may_go_on(&self) -> bool {
        self.options.rounds_any || self.s.hand.iter().any(|&u| self.is(u, trait_::ARMOUR | trait_::CAVALRY))
    }

    /// Choices after a failed round of turn 1.
    pub fn round_choices(out: &mut Vec<Choice>) {
        out.push(Choice::button(verbs::AGAIN));
        out.push(Choice::button(verbs::BACK));
    }

    /// Plays one of them.
    pub fn play_round(&mut self, to: Hex, c: Choice, cx: &mut Cx<'_>) {
        self.s.frames.pop();
        match (c.verb, c.object) {
            (verbs::AGAIN, Object::Nothing) => {
                let cost = self.round_cost(Side::One);
                self.round(to, cost, cx);
            }
            _ => self.stop(),
        }
    }
}
