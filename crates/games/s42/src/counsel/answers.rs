//! Answers in the midst of something: who bears a loss, who stands, where units fall back to, who goes on.

use super::POINT;
use super::ground::Ground;
use crate::battle::{Advancing, Battle, Kind, Scope, Stage, Thrown};
use crate::charts::Stand;
use crate::state::{Frame, Pos, flag};
use crate::units::is;
use crate::verbs;
use game::{Choice, Object};
use hex::Hex;
use table::{Side, Unit};

/// What it is worth to keep the enemy out of a hex, whatever it is.
const GROUND: f64 = 1.5;
/// What ground that helps the defence adds to that.
const GOOD_GROUND: f64 = 2.5;
/// What it is worth, of a stack's strength, not to fall back Disrupted.
const UNSHAKEN: f64 = 0.2;
/// The least gain for which a Breakthrough Group fights on.
const LEAST: f64 = 0.3;
/// What it is worth to who comes forward to get a hex farther than the one that is taken.
const THROUGH: f64 = 1.0;
/// What each hex counts that an advance lays open to the enemy.
const HOLE: f64 = 0.5;
/// The same for a mobile unit: it can come back.
const FAST_HOLE: f64 = 0.15;
/// The same for a Breakthrough Group.
const GROUP_HOLE: f64 = 0.08;
/// What such hexes count at most.
const HOLE_MOST: f64 = 20.0;
/// As many hexes to go to as are looked at closely.
const LOOKED_AT: usize = 6;
/// What places beyond count for who comes forward and has the way open.
const ONWARD: f64 = 1.5;
/// What danger counts, of a stack's strength, for who comes forward: surprise is on his side.
const BOLD: f64 = 0.06;
/// The same for who waits.
const WARY: f64 = 0.25;
/// How far an enemy comes, in hexes, against whom one is on one's guard.
const NEAR: u32 = 4;

/// The unit of a choice.
pub(super) fn unit(c: &Choice) -> Option<Unit> {
    match c.object {
        Object::Unit(u) | Object::At(u, _) | Object::Into(u, _) => Some(u),
        _ => None,
    }
}

/// The choice of a verb with the best score.
pub(super) fn best(
    choices: &[Choice],
    verb: game::Verb,
    score: impl Fn(&Choice) -> f64,
) -> Option<(f64, Choice)> {
    choices
        .iter()
        .filter(|c| c.verb == verb)
        .map(|c| (score(c), *c))
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
}

/// The first choice of a verb.
pub(super) fn first(choices: &[Choice], verb: game::Verb) -> Option<Choice> {
    choices.iter().find(|c| c.verb == verb).copied()
}

/// Enemies as they threaten a place: where, how strong.
pub(super) struct Threats(Vec<(Hex, f64)>);

impl Pos {
    /// The attack strength of a side's enemies.
    pub(super) fn threats(&self, own: Side) -> Threats {
        let foe = own.foe();
        let able = |u: &Unit| {
            self.side(*u) == foe
                && self.combat(*u)
                && !self.flagged(*u, flag::DISRUPTED | flag::FULL_RETREAT)
                && self.frozen(*u).is_none()
        };
        let all = self.s.stacks.units().filter(able);
        Threats(all.filter_map(|u| Some((self.on_map(u)?, f64::from(self.face(u).attack)))).collect())
    }

    /// How likely units are hurt where they would stand, from 0 to 2.
    fn danger(&self, t: &Threats, h: Hex, defence: f64) -> f64 {
        let grid = self.data.map.grid();
        let near = |&(at, attack): &(Hex, f64)| {
            let d = grid.distance(at, h);
            if d > NEAR { 0.0 } else { attack * (1.0 - 0.15 * f64::from(d)) }
        };
        let threat: f64 = t.0.iter().map(near).sum();
        let firm = self.data.map.cities.contains(h) || self.data.map.marsh(h, self.s.wet);
        let cover = if firm { 2.0 } else { 1.0 };
        (threat / (3.0 * defence * cover + 1.0)).min(2.0)
    }

    fn defence_of(&self, units: impl Iterator<Item = Unit>) -> f64 {
        units.filter(|&u| self.combat(u)).map(|u| f64::from(self.face(u).defence)).sum()
    }

    /// What it is worth that some units stand on a hex after an advance.
    pub(super) fn post(&self, own: Side, units: &[Unit], h: Hex, t: &Threats) -> f64 {
        let ground = Ground::of(self);
        let map = &self.data.map;
        let forward = self.comes_forward() == own;
        let mates = self.of_side(own, h).filter(|u| !units.contains(u));
        let mates = self.defence_of(mates);
        let defence = self.defence_of(units.iter().copied()) + mates;
        let mut v = if forward { ONWARD * POINT * f64::from(ground.pull[own.ix()][h.ix()]) } else { 0.0 };
        let axis = own == Side::One;
        if map.held.contains(h) {
            let worth = POINT * f64::from(map.vp[h.ix()]).max(0.2);
            if self.s.axis_held.contains(h) != axis {
                v += worth;
            } else if mates == 0.0 {
                v += 0.7 * worth;
            }
        }
        let strength: f64 = units.iter().map(|&u| self.strength(u)).sum();
        let caution = if forward { BOLD } else { WARY };
        v -= caution * strength.min(20.0) * self.danger(t, h, defence);
        if !self.has_los(own, h) {
            v -= 0.15 * strength;
        }
        v + if self.shelter_sum(own.foe(), h).total().floor() < 0 { 0.3 } else { 0.0 }
    }

    /// The answer to what is asked in the midst of something.
    pub(super) fn answer(&self, choices: &[Choice]) -> Option<Choice> {
        match self.s.frames.last().copied() {
            Some(Frame::Fight(stage)) => self.answer_stage(stage, choices),
            Some(Frame::Overstack { .. }) => {
                best(choices, verbs::REMOVE, |c| -unit(c).map_or(0.0, |u| self.strength(u))).map(|b| b.1)
            }
            Some(Frame::Emerge { hex }) => {
                let there = self.of_side(Side::Two, hex).filter(|&u| self.combat(u)).count();
                let strong = |c: &Choice| unit(c).map_or(0.0, |u| self.strength(u));
                let next = best(choices, verbs::REVEAL, strong).map(|b| b.1);
                if there > 1 {
                    first(choices, verbs::DONE).or(next)
                } else {
                    next.or(first(choices, verbs::DONE))
                }
            }
            Some(Frame::Hand) => self
                .answer_out(choices)
                .or_else(|| self.make_room(choices))
                .or_else(|| self.answer_staff(choices)),
            Some(Frame::MakeWay { .. } | Frame::Assign) => choices.first().copied(),
            Some(Frame::Removals | Frame::Offensive) => self.answer_owed(choices),
            None => self.answer_leaving(choices),
        }
    }

    fn answer_stage(&self, stage: Stage, choices: &[Choice]) -> Option<Choice> {
        let weak = |c: &Choice| -unit(c).map_or(0.0, |u| self.strength(u));
        match stage {
            Stage::Making => self.answer_making(choices),
            Stage::Excess => choices
                .iter()
                .filter(|c| unit(c).is_some())
                .max_by(|a, b| weak(a).total_cmp(&weak(b)))
                .copied(),
            Stage::Cover => first(choices, verbs::AIR),
            Stage::Reroll(what) => self.answer_reroll(what, choices),
            Stage::Die => self.sensible(),
            Stage::Loss { .. } => {
                self.sensible().filter(|c| choices.contains(c)).or(choices.first().copied())
            }
            Stage::Price { .. } => {
                let steps = |c: &Choice| unit(c).map_or(0.0, |u| f64::from(self.s.steps[u.ix()]));
                best(choices, verbs::LOSS, steps).map(|b| b.1)
            }
            Stage::Stand => self.answer_stand(choices),
            Stage::Backing => self.sensible().or(first(choices, verbs::PASS)),
            Stage::Retreat => self.answer_retreat(choices),
            Stage::Escort => {
                let strong = |c: &Choice| unit(c).map_or(0.0, |u| f64::from(self.face(u).attack));
                best(choices, verbs::ESCORT, strong).map(|b| b.1).or(choices.first().copied())
            }
            Stage::Contest => {
                let firm = |c: &Choice| unit(c).map_or(0.0, |u| f64::from(self.face(u).defence));
                let hex = self.battle().map(|b| (b.side, b.hex))?;
                let inside = self.of_side(hex.0, hex.1).filter(|&u| self.combat(u)).count();
                let done = first(choices, verbs::DONE).filter(|_| inside > 1);
                done.or(best(choices, verbs::JOIN, firm).map(|b| b.1)).or(choices.first().copied())
            }
            Stage::Advance => self.answer_advance(choices),
            Stage::Stride => self.answer_stride(choices),
            Stage::Forming => self.answer_forming(choices),
            Stage::Group => self.answer_group(choices),
            Stage::Exploits => first(choices, verbs::EXPLOIT).or(first(choices, verbs::DONE)),
            Stage::Resolving => None,
        }
    }

    /// 8.6.1: the fewest units that make an Automatic DS. A regular attack is left to whoever plans it.
    fn answer_making(&self, choices: &[Choice]) -> Option<Choice> {
        self.battle().filter(|b| b.kind == Kind::Automatic)?;
        let strong = |c: &Choice| unit(c).map_or(0.0, |u| f64::from(self.face(u).attack));
        let next = first(choices, verbs::RESOLVE).or_else(|| best(choices, verbs::ADD, strong).map(|b| b.1));
        next.or(first(choices, verbs::CANCEL))
    }

    /// 8.6.1: an Automatic DS that can be had is had.
    pub(super) fn advise_shatter(&self, side: Side, choices: &[Choice]) -> Option<Choice> {
        let mut list = Vec::new();
        for c in choices.iter().filter(|c| c.verb == verbs::SHATTER) {
            let Object::Hex(h) = c.object else { continue };
            let mut p = self.clone();
            let mut dice = game::QuickDice::new(1);
            let cx = &mut crate::state::Cx { dice: &mut dice, tell: &mut game::Quiet };
            p.shatter(side, h, cx);
            while p.battle().is_some_and(|b| b.attackers.len() < 5) {
                list.clear();
                p.making_choices(&mut list);
                match p.answer_making(&list) {
                    Some(r) if r.verb == verbs::RESOLVE => return Some(*c),
                    Some(add) if add.verb == verbs::ADD => p.play_making(add, cx),
                    _ => break,
                }
            }
        }
        None
    }

    /// 28.1: a poor die is thrown again.
    fn answer_reroll(&self, what: Thrown, choices: &[Choice]) -> Option<Choice> {
        let pass = first(choices, verbs::PASS);
        let again = first(choices, verbs::REROLL);
        let poor = match (what, self.battle()) {
            (Thrown::Combat, Some(b)) => {
                let die = b.dice.iter().copied().max().unwrap_or(3);
                if b.side == Side::One { die <= 2 } else { die >= 5 }
            }
            (Thrown::Determined, Some(b)) => {
                let Some(lead) = b.lead else { return pass };
                let add = self.stand_sum(lead, b.hex, b.backing.is_some(), b.orange).total().floor();
                let column = self.stand_column(b.side.foe(), b.hex);
                let (held, _) = self.data.charts.determined.at(column, i32::from(b.stand_die) + add);
                held.stand == Stand::Fail
            }
            _ => self.s.fight.leaving_die <= 2,
        };
        if poor { again.or(pass) } else { pass.or(again) }
    }

    /// What it is worth to a defender that the hex of a battle holds.
    fn hold_worth(&self, b: &Battle) -> f64 {
        let own = b.side.foe();
        let map = &self.data.map;
        let mut worth = GROUND;
        if map.held.contains(b.hex) {
            worth += POINT * f64::from(map.vp[b.hex.ix()]).max(0.25);
        }
        if b.sheltered || !b.doubled.is_empty() {
            worth += GOOD_GROUND;
        }
        // A place of ours behind it.
        let near = Ground::of(self);
        let ours = |h: Hex| self.s.axis_held.contains(h) == (own == Side::One);
        for &(i, share) in &near.close[b.hex.ix()] {
            let (h, w) = near.places[usize::from(i)];
            if ours(h) && h != b.hex {
                worth += 0.3 * POINT * w * f64::from(share);
            }
        }
        let strength: f64 = self.of_side(own, b.hex).map(|u| self.strength(u)).sum();
        worth + UNSHAKEN * strength
    }

    /// 11.2.1: stands where holding is worth the steps that it costs; desperately where there is no way back.
    fn answer_stand(&self, choices: &[Choice]) -> Option<Choice> {
        let b = self.battle()?;
        if choices.iter().any(|c| c.verb == verbs::DESPERATE) {
            return self.sensible().filter(|c| choices.contains(c)).or(first(choices, verbs::DESPERATE));
        }
        let own = b.side.foe();
        let worth = self.hold_worth(b);
        let column = self.stand_column(own, b.hex);
        let city = self.city_battle_possible(b.hex, b.side);
        let step = |u: Unit| self.strength(u) / f64::from(self.s.steps[u.ix()]).max(1.0);
        let theirs: f64 = b.attackers.iter().map(|&u| step(u)).sum::<f64>() / b.attackers.len().max(1) as f64;
        let gain = |c: &Choice| {
            let Some(lead) = unit(c) else { return 0.0 };
            let backed = b.backing.is_some() || !self.backing(b, lead).is_empty();
            let add = self.stand_sum(lead, b.hex, backed, b.orange).total().floor();
            let mut v = 0.0;
            for die in 1..=6 {
                let (held, _) = self.data.charts.determined.at(column, die + add);
                let share = match held.stand {
                    Stand::Success => 1.0,
                    Stand::Partial if city => 1.0,
                    Stand::Partial => 0.4,
                    Stand::Fail => 0.0,
                };
                let dear = super::DEAR;
                v += (share * worth - f64::from(held.defender) * step(lead) * dear[own.ix()]
                    + f64::from(held.attacker) * theirs * dear[b.side.ix()])
                    / 6.0;
            }
            v
        };
        let lead = best(choices, verbs::LEAD, gain).filter(|(v, _)| *v > 0.0).map(|b| b.1);
        lead.or(first(choices, verbs::YIELD))
    }

    /// 12.1: back towards supply and friends, away from the enemy, without crowding.
    fn answer_retreat(&self, choices: &[Choice]) -> Option<Choice> {
        let f = self.s.fight.falling.last()?;
        let grid = self.data.map.grid();
        let ground = Ground::of(self);
        let t = self.threats(f.side);
        let own = f.side;
        let from = f.from;
        let strength: f64 = f.hand.iter().map(|&u| self.strength(u)).sum();
        let score = |c: &Choice| {
            let Object::Route(r) = c.object else { return f64::MIN };
            let h = r.end(grid);
            let defence = self.defence_of(f.hand.iter().copied()) / 2.0
                + self.defence_of(self.of_side(own, h).filter(|u| !f.hand.contains(u)));
            let mut v = -0.4 * strength * self.danger(&t, h, defence);
            if !self.has_los(own, h) {
                v -= strength;
            }
            if !self.room(own, h, &f.hand) {
                v -= 0.5 * strength;
            }
            // 12.1.3: paid with steps.
            let short = usize::from(f.least).saturating_sub(r.len());
            v -= 3.0 * short as f64 * if self.data.map.cities.contains(h) { 0.3 } else { 1.0 };
            let axis = own == Side::One;
            if self.data.map.held.contains(h) && self.s.axis_held.contains(h) == axis {
                v += POINT * 0.3 * f64::from(self.data.map.vp[h.ix()]).max(0.2);
            }
            v -= 0.15 * f64::from(ground.home[own.ix()][h.ix()]);
            v + 0.1 * f64::from(grid.distance(from, h))
        };
        let way = best(choices, verbs::RETREAT, score).map(|b| b.1);
        way.or(first(choices, verbs::EXIT)).or(choices.first().copied())
    }

    /// 14.1, 15.2.1: the mobile units of an attack that won its way break through; the others follow where it is worth it.
    fn answer_advance(&self, choices: &[Choice]) -> Option<Choice> {
        let a = self.advancing()?;
        let own = a.side;
        let forward = self.comes_forward() == own;
        let group = |c: &Choice| matches!(c.object, Object::Hex(h) if h == a.hex);
        if forward
            && a.scope == Scope::Full
            && a.units.iter().any(|s| s.fought && s.left > 1 && self.is(s.unit, is::MECH | is::CAVALRY))
            && let Some(c) = choices.iter().find(|c| c.verb == verbs::GROUP && group(c))
        {
            return Some(*c);
        }
        let t = self.threats(own);
        let pick = best(choices, verbs::PICK, |c| unit(c).map_or(f64::MIN, |u| self.stride_gain(a, u, &t).0));
        let pick = pick.filter(|(v, _)| *v > 0.0).map(|b| b.1);
        pick.or(first(choices, verbs::DONE))
    }

    /// What a unit gains by the best of its advances, and where that leads.
    fn stride_gain(&self, a: &Advancing, u: Unit, t: &Threats) -> (f64, Hex) {
        let Some(from) = self.on_map(u) else { return (0.1, Hex::NONE) };
        let Some(s) = a.units.iter().find(|s| s.unit == u) else { return (f64::MIN, from) };
        let here = self.post(a.side, &[u], from, t) + 0.1;
        let ends = self.strides(a, &[u], s.left, s.begun);
        let empty = |h: Hex| h == a.hex && !self.has_combat(a.side, h) && self.combat(u);
        let gain = |h: Hex| self.post(a.side, &[u], h, t) - here + if empty(h) { GROUND } else { 0.0 };
        let scored = ends.into_iter().map(|(h, _)| (gain(h), h)).collect();
        self.least_hole(a.side, &[u], from, scored).unwrap_or((f64::MIN, from))
    }

    /// The best of the hexes to go to by gain, less what it costs that the way past them is open to the enemy.
    fn least_hole(
        &self,
        own: Side,
        units: &[Unit],
        from: Hex,
        mut scored: Vec<(f64, Hex)>,
    ) -> Option<(f64, Hex)> {
        let order = |x: &(f64, Hex), y: &(f64, Hex)| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1));
        scored.sort_by(order);
        if self.comes_forward() == own {
            scored.truncate(LOOKED_AT);
            for (gain, h) in scored.iter_mut().filter(|(g, _)| *g > 0.0) {
                let fast = units.iter().any(|&u| self.is(u, is::MECH | is::CAVALRY));
                let each = if units.len() > 1 {
                    GROUP_HOLE
                } else if fast {
                    FAST_HOLE
                } else {
                    HOLE
                };
                *gain -= (each * self.hole(own, units, from, *h)).min(HOLE_MOST);
            }
            scored.sort_by(order);
        }
        scored.first().copied()
    }

    fn answer_stride(&self, choices: &[Choice]) -> Option<Choice> {
        let (a, u) = self.advancing().and_then(|a| Some((a, a.hand?)))?;
        let (gain, to) = self.stride_gain(a, u, &self.threats(a.side));
        let grid = self.data.map.grid();
        let go = |c: &&Choice| matches!(c.object, Object::Route(r) if r.end(grid) == to);
        let stop = first(choices, verbs::STOP);
        choices.iter().filter(|_| gain > 0.0).find(go).copied().or(stop)
    }

    /// 15.2.3: the mobile units go together; foot only where there are no others.
    fn answer_forming(&self, choices: &[Choice]) -> Option<Choice> {
        let a = self.advancing()?;
        let fast = |u: Unit| self.is(u, is::MECH | is::CAVALRY);
        let have = a.group.iter().any(|&u| fast(u));
        let some = have || choices.iter().filter_map(unit).any(fast);
        let score = |c: &Choice| {
            unit(c).map_or(f64::MIN, |u| if some && !fast(u) { -1.0 } else { f64::from(self.face(u).attack) })
        };
        let next = best(choices, verbs::JOIN, score).filter(|(v, _)| *v > 0.0 || a.group.is_empty());
        next.map(|b| b.1).or(first(choices, verbs::DONE))
    }

    /// 15.2: the group enters what it cleared, fights where that pays, and goes on to where it is drawn.
    fn answer_group(&self, choices: &[Choice]) -> Option<Choice> {
        let a = self.advancing()?;
        let grid = self.data.map.grid();
        let t = self.threats(a.side);
        let stop = first(choices, verbs::STOP);
        let Some(at) = self.group_hex(a) else { return stop };
        let here = self.post(a.side, &a.group, at, &t);
        if let Some(c) = first(choices, verbs::ENTER)
            && self.post(a.side, &a.group, a.cleared, &t) + GROUND > here
        {
            return Some(c);
        }
        if let Some(c) = first(choices, verbs::REMOVE) {
            return stop.or(Some(c));
        }
        let ends: Vec<(f64, Hex)> = choices
            .iter()
            .filter(|c| c.verb == verbs::GO)
            .filter_map(|c| if let Object::Route(r) = c.object { Some(r.end(grid)) } else { None })
            .map(|h| (self.post(a.side, &a.group, h, &t) - here, h))
            .collect();
        let to = self.least_hole(a.side, &a.group, at, ends);
        let ends_at = |c: &&Choice, h: Hex| matches!(c.object, Object::Route(r) if c.verb == verbs::GO && r.end(grid) == h);
        let ways = to.and_then(|(v, h)| choices.iter().find(|c| ends_at(c, h)).map(|c| (v, *c)));
        let fight = best(choices, verbs::FIGHT, |c| match c.object {
            Object::Hex(h) => self.break_gain(a, h),
            _ => f64::MIN,
        });
        let way = ways.filter(|(v, _)| *v > 0.1);
        match (fight.filter(|(v, _)| *v > LEAST), way) {
            (Some((f, c)), Some((w, _))) if f >= w => Some(c),
            (Some((_, c)), None) => Some(c),
            (_, Some((_, c))) => Some(c),
            (None, None) => stop,
        }
    }

    /// What it is worth that the group fights into a hex.
    fn break_gain(&self, a: &Advancing, h: Hex) -> f64 {
        let b = self.break_battle(a, h);
        let Some(s) = self.worth_of(&b) else { return f64::MIN };
        let step = |units: &[Unit]| {
            let (w, n) = units
                .iter()
                .fold((0.0, 0.0), |(w, n), &u| (w + self.strength(u), n + f64::from(self.s.steps[u.ix()])));
            if n > 0.0 { w / n } else { 0.0 }
        };
        let map = &self.data.map;
        let axis = a.side == Side::One;
        let forward = self.comes_forward() == a.side;
        let mut prize = GROUND + if forward { THROUGH * s.through } else { 0.0 };
        if map.held.contains(h) && self.s.axis_held.contains(h) != axis {
            prize += POINT * f64::from(map.vp[h.ix()]).max(0.2);
        }
        s.defender_loss * step(&b.defenders) * super::DEAR[a.side.foe().ix()] * 1.5
            - s.attacker_loss * step(&b.attackers) * super::DEAR[a.side.ix()]
            + s.taken * prize
    }
}
