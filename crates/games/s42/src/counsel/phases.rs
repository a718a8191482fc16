//! Advice for the phases in which a side puts its house in order: arrivals, replacements, Resource Points, railheads; what
//! supports an attack; and hexes that would lose units for stacking.

use super::POINT;
use super::answers::{best, first, unit};
use super::ground::Ground;
use crate::battle::{Kind, Stage};
use crate::state::{Frame, Pos, Step, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Object};
use hex::Hex;
use table::{BoxId, Side, Unit};

/// A column must bring so much for support to be spent on it.
const COLUMN_GAIN: f64 = 0.4;
/// What a place in the west with Soviet units in it needs help, against the others.
const RAIDED: f64 = 2.0;
/// As far behind the front as units detrain, in hexes.
const BEHIND: u32 = 3;
/// As far behind the front, in hexes, an HQ is best placed.
const HQ_BEHIND: u32 = 3;
/// Farther behind it hurries, Disrupted or not.
const FAR_BEHIND: u32 = 9;

impl Pos {
    /// Answers outside of combat.
    pub(super) fn advise(&self, side: Side, choices: &[Choice]) -> Option<Choice> {
        let done = first(choices, verbs::DONE);
        match self.s.frames.last().copied() {
            Some(Frame::Fight(Stage::Making)) => return self.advise_support(choices),
            Some(_) => return None,
            None => {}
        }
        match self.s.step {
            Step::Initial(_) => self.advise_initial(side, choices).or(done),
            Step::Move(s) => self.advise_shatter(s, choices).or_else(|| self.advise_crowd(s, choices)),
            Step::Railheads => {
                let length = |c: &Choice| if let Object::Route(r) = c.object { r.len() as f64 } else { 0.0 };
                best(choices, verbs::REPAIR, length).map(|b| b.1).or(done)
            }
            Step::Supply(_) => first(choices, verbs::SPEND).or(done),
            Step::Recovery(_) | Step::Weather | Step::Victory => done,
            _ => None,
        }
    }

    /// What each place needs that a side holds: its worth, by how much threatens it against what is there.
    fn needs(&self, side: Side) -> Vec<(Hex, f64)> {
        let grid = self.data.map.grid();
        let ground = Ground::of(self);
        let axis = side == Side::One;
        let foes: Vec<(Hex, f64)> = self
            .s
            .stacks
            .units()
            .filter(|&u| self.side(u) != side && self.combat(u))
            .filter_map(|u| Some((self.on_map(u)?, f64::from(self.face(u).attack))))
            .collect();
        let mut out = Vec::new();
        for &(g, worth) in ground.places.iter().filter(|(g, _)| self.s.axis_held.contains(*g) == axis) {
            let reach = |h: Hex| {
                let d = f64::from(grid.distance(h, g));
                if d <= 12.0 { 1.0 / (1.0 + d / 3.0) } else { 0.0 }
            };
            let threat: f64 = foes.iter().map(|&(h, a)| a * reach(h)).sum();
            let mut there = 0.0;
            for h in grid.range(g, 2) {
                let share = if h == g { 1.0 } else { 0.4 };
                there += share
                    * self
                        .of_side(side, h)
                        .filter(|&u| self.combat(u))
                        .map(|u| f64::from(self.face(u).defence))
                        .sum::<f64>();
            }
            out.push((g, worth * threat / (there + 10.0)));
        }
        if axis {
            // 24.1.4: who is there is to be thrown out.
            let there = &self.western_ground().hexes & &self.s.zones.combat[Side::Two.ix()];
            out.extend(there.iter().map(|h| (h, RAIDED)));
        }
        out
    }

    /// How good it is for a unit of a side to come to a hex: near what needs help, or near the front.
    fn helps(&self, side: Side, needs: &[(Hex, f64)], h: Hex) -> f64 {
        let grid = self.data.map.grid();
        let by = |&(g, need): &(Hex, f64)| need * (-f64::from(grid.distance(h, g)) / 4.0).exp();
        let need = needs.iter().map(by).fold(0.0, f64::max);
        let front = self.s.zones.combat[side.foe().ix()].iter().map(|f| grid.distance(f, h)).min();
        let front = f64::from(front.unwrap_or(0));
        let pull = if self.comes_forward() == side {
            f64::from(Ground::of(self).pull[side.ix()][h.ix()])
        } else {
            0.0
        };
        need + pull - 0.01 * front
    }

    /// The best hex of an Entry Area to come onto the map from it.
    fn helps_area(&self, side: Side, needs: &[(Hex, f64)], b: BoxId) -> f64 {
        let Some(a) = self.data.area_of(b) else { return -1.0 };
        let edge = &self.data.areas[a].hexes & &self.scene().land;
        edge.iter().map(|h| self.helps(side, needs, h)).fold(-1.0, f64::max)
    }

    /// 22.1, 21, 18.1: arrivals where they help, replacements to the strong, points to guns and works.
    fn advise_initial(&self, side: Side, choices: &[Choice]) -> Option<Choice> {
        let needs = self.needs(side);
        let place = |c: &Choice| match c.object {
            Object::At(_, h) => self.helps(side, &needs, h),
            Object::Into(_, b) => self.helps_area(side, &needs, b),
            _ => -2.0,
        };
        let arriving: Option<Unit> =
            self.arriving(side).find(|u| choices.iter().any(|c| unit(c) == Some(*u)));
        if let Some(u) = arriving {
            let own: Vec<Choice> = choices.iter().copied().filter(|c| unit(c) == Some(u)).collect();
            return best(&own, verbs::PLACE, place).map(|b| b.1);
        }
        if let Some(c) = first(choices, verbs::RELEASE) {
            return Some(c);
        }
        // 33.1: no sooner than the rivers freeze.
        let winter = first(choices, verbs::WINTER)
            .filter(|_| self.s.turn >= self.data.charts.weather.winter_from_turn);
        if winter.is_some() {
            return winter;
        }
        let near = |u: Unit| self.on_map(u).is_some_and(|h| self.near_enemy(side, h));
        let restore = |c: &Choice| {
            let Some(u) = unit(c) else { return 0.0 };
            let f = self.face(u);
            let last = if self.remnant(u) || self.s.steps[u.ix()] == 1 { 2.0 } else { 0.0 };
            f64::from(f.attack.max(f.defence)) + last - if near(u) && side == Side::One { 3.0 } else { 0.0 }
        };
        if let Some((_, c)) = best(choices, verbs::RESTORE, restore) {
            return Some(c);
        }
        if let Some((_, c)) = best(choices, verbs::PLACE, |c| {
            place(c) + 0.05 * unit(c).map_or(0.0, |u| f64::from(self.info(u).faces[0].defence))
        }) {
            return Some(c);
        }
        self.advise_resources(side, choices)
    }

    /// 18.1: guns first; then plans for who comes forward, works for who waits.
    fn advise_resources(&self, side: Side, choices: &[Choice]) -> Option<Choice> {
        if let Some(c) = first(choices, verbs::SPEND).or(first(choices, verbs::READY)) {
            return Some(c);
        }
        let grid = self.data.map.grid();
        let front = |h: Hex| {
            self.s.zones.combat[side.foe().ix()].iter().map(|f| grid.distance(f, h)).min().unwrap_or(99)
        };
        let forward = self.comes_forward() == side;
        if forward {
            let near = |c: &Choice| {
                let h = unit(c).and_then(|u| self.on_map(u));
                h.map_or(-99.0, |h| {
                    -f64::from(front(h)) + POINT * f64::from(Ground::of(self).pull[side.ix()][h.ix()])
                })
            };
            if let Some((_, c)) = best(choices, verbs::PLAN, near).filter(|(v, _)| *v > -8.0) {
                return Some(c);
            }
        }
        let needs = self.needs(side);
        let site = |c: &Choice| {
            let Object::Hex(h) = c.object else { return -1.0 };
            if !self.has_combat(side, h) || front(h) > BEHIND || forward && front(h) > 1 {
                return -1.0;
            }
            let strong: f64 = self.of_side(side, h).map(|u| f64::from(self.face(u).defence)).sum();
            self.helps(side, &needs, h) + 0.02 * strong
        };
        best(choices, verbs::FORTIFY, site).filter(|(v, _)| *v > 0.0).map(|b| b.1)
    }

    /// 9.3, 18.3, 26.2: what is added to an attack in the making, if a column is worth it.
    fn advise_support(&self, choices: &[Choice]) -> Option<Choice> {
        let b = self.battle().filter(|b| b.kind == Kind::Regular && !b.attackers.is_empty())?;
        let step: f64 = {
            let all: Vec<Unit> = self.of_side(b.side.foe(), b.hex).filter(|&u| self.combat(u)).collect();
            let (w, n) = all
                .iter()
                .fold((0.0, 0.0), |(w, n), &u| (w + self.strength(u), n + f64::from(self.s.steps[u.ix()])));
            if n > 0.0 { w / n } else { 1.0 }
        };
        let prize = 2.0 + POINT * f64::from(self.data.map.vp[b.hex.ix()]);
        let worth = |b: &crate::battle::Battle| {
            let s = self.worth_of(b)?;
            Some(s.defender_loss * step - s.attacker_loss * step + s.taken * prize)
        };
        let now = if self.masked(b.hex) { None } else { worth(b) };
        for c in choices {
            let Some(u) = unit(c) else { continue };
            let mut with = b.clone();
            match c.verb {
                verbs::AIR if b.air.is_none() => with.air = Some(u),
                verbs::SUPPORT if self.is(u, is::SUPPLY) => with.shells = Some(u),
                verbs::SUPPORT => with.guns.push(u),
                verbs::OFFENSIVE => with.plans.push(u),
                _ => continue,
            }
            let gain = match (now, worth(&with)) {
                (Some(now), Some(then)) => then - now,
                _ => POINT,
            };
            if gain > COLUMN_GAIN {
                return Some(*c);
            }
        }
        None
    }

    /// 4.4: before a Movement Phase ends, somebody leaves each hex that holds too many.
    fn advise_crowd(&self, side: Side, choices: &[Choice]) -> Option<Choice> {
        for h in self.overfull_hexes(side) {
            let here = |c: &Choice| {
                unit(c).filter(|&u| self.on_map(u) == Some(h) && self.combat(u) && !self.is(u, is::ASU))
            };
            let own: Vec<Choice> = choices.iter().copied().filter(|c| here(c).is_some()).collect();
            let mut weakest: Vec<Choice> = own.into_iter().filter(|c| c.verb == verbs::PICK).collect();
            weakest.sort_by(|a, b| {
                let s = |c: &Choice| unit(c).map_or(0.0, |u| self.strength(u));
                s(a).total_cmp(&s(b)).then(a.cmp(b))
            });
            for c in weakest {
                let Some(u) = unit(&c) else { continue };
                let mut p = self.clone();
                p.pick(u);
                let mut list = Vec::new();
                p.list_hand(&mut list);
                if p.make_room(&list).is_some() {
                    return Some(c);
                }
            }
        }
        None
    }

    /// 4.4: a unit in hand that is too many where it stands goes to the nearest hex that has room, out of the enemy's reach if
    /// that can be.
    pub(super) fn make_room(&self, choices: &[Choice]) -> Option<Choice> {
        let &u = self.s.hand.first()?;
        let side = self.side(u);
        let at = self.on_map(u)?;
        if !self.overstacked(side, at) || self.s.hand.len() > 1 || !self.hand_fresh() {
            return None;
        }
        // Others may still leave by themselves: only once nobody else is to move there is it this one's turn.
        if self
            .of_side(side, at)
            .any(|v| v != u && self.may_pick(side, v) && self.strength(v) < self.strength(u))
        {
            return None;
        }
        let grid = self.data.map.grid();
        let score = |c: &Choice| {
            let Object::Route(r) = c.object else { return f64::MIN };
            let h = r.end(grid);
            if !self.room(side, h, &[u]) {
                return f64::MIN;
            }
            let zoc = if self.in_ezoc(side, h) { 3.0 } else { 0.0 };
            let out = if self.has_los(side, h) { 0.0 } else { 4.0 };
            -f64::from(grid.distance(at, h)) - zoc - out
        };
        best(choices, verbs::GO, score).filter(|(v, _)| *v > f64::MIN).map(|b| b.1)
    }

    /// 18.2.2: a Ready HQ in hand moves no farther than it may without being Disrupted, and keeps behind the front.
    pub(super) fn answer_staff(&self, choices: &[Choice]) -> Option<Choice> {
        let &[u] = &self.s.hand[..] else { return None };
        let side = self.side(u);
        let at = self.on_map(u)?;
        let unready = flag::USED | flag::DISRUPTED | flag::FULL_RETREAT;
        if !self.is(u, is::ASU) || self.flagged(u, unready) || !self.hand_fresh() {
            return None;
        }
        let grid = self.data.map.grid();
        let free = usize::from(self.data.charts.movement.asu_free_hexes);
        let foes = &self.s.zones.combat[side.foe().ix()];
        let front = |h: Hex| foes.iter().map(|f| grid.distance(f, h)).min().unwrap_or(99);
        if front(at) > FAR_BEHIND {
            return None;
        }
        let score = |c: &Choice| {
            let Object::Route(r) = c.object else { return f64::MIN };
            let h = r.end(grid);
            if r.len() > free || self.in_ezoc(side, h) && !self.has_combat(side, h) {
                return f64::MIN;
            }
            let mates = if self.has_combat(side, h) { 1.0 } else { 0.0 };
            mates - f64::from(front(h).abs_diff(HQ_BEHIND)) - if self.has_los(side, h) { 0.0 } else { 4.0 }
        };
        best(choices, verbs::GO, score).filter(|(v, _)| *v > f64::MIN).map(|b| b.1)
    }

    /// 32, 33.2.1: what leaves is what is worth least; plans and supply go to the HQ nearest the enemy.
    pub(super) fn answer_owed(&self, choices: &[Choice]) -> Option<Choice> {
        let strength = |c: &Choice| unit(c).map_or(0.0, |u| self.strength(u));
        let steps = |c: &Choice| unit(c).map_or(0.0, |u| f64::from(self.s.steps[u.ix()]));
        let grid = self.data.map.grid();
        let near = |c: &Choice| {
            let Some(u) = unit(c) else { return -99.0 };
            let foe = &self.s.zones.combat[self.side(u).foe().ix()];
            let far = self.on_map(u).and_then(|h| foe.iter().map(|f| grid.distance(f, h)).min());
            let laid = self.s.plans.iter().filter(|p| p.hq == u).count();
            -f64::from(far.unwrap_or(99)) - 2.0 * laid as f64
        };
        best(choices, verbs::REMOVE, |c| -strength(c))
            .or_else(|| best(choices, verbs::LOSS, steps))
            .or_else(|| best(choices, verbs::RESTORE, strength))
            .or_else(|| best(choices, verbs::PLAN, near))
            .or_else(|| best(choices, verbs::READY, near))
            .or_else(|| best(choices, verbs::PLACE, |_| 0.0))
            .map(|b| b.1)
            .or(first(choices, verbs::DONE))
            .or(choices.first().copied())
    }
}
