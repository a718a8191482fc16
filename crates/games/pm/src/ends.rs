//! Every end that an assault may have, with its chance: over what may be met, what untried attackers turn out to be, the GAS
//! table, the die, and the losses as sensible players bear them.
//!
//! Sensible players take a loss first from units of whom a step satisfies a whole point, of these from the one with most steps.
//! Defenders who may retreat stay and pay while something is left of them, and go for the last point that would destroy them.

use crate::combat::Attack;
use crate::data::boxes;
use crate::facing::{Facing, Heap, Pair, Standing, deal};
use crate::stake::Spread;
use crate::state::{Cx, Frame, Pos, Supplied, flag};
use crate::units::trait_;
use crate::verbs;
use game::{Choice, Dice, End, Ends, Eyes, Quiet};
use hex::Hex;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use table::{Face, Place, Side, Unit};

/// What an assault comes to: strengths, columns by steps from 1:1, and ends, each with its chance.
pub(crate) struct Foreseen {
    pub attack: Spread,
    pub defence: Spread,
    pub columns: BTreeMap<i32, f64>,
    pub ends: Ends,
}

/// An attacker who may bear losses.
#[derive(Clone, Copy)]
struct Bearer {
    steps: u8,
    /// Half loss points that a step satisfies.
    worth: u16,
    tank: bool,
    landing: bool,
}

/// Untried attackers whose factors are only ever added up: of one pool, halved alike, in a stack of their own if aircraft
/// support it, each capped alike.
type Cell = (u8, usize, Hex, i32);

fn note(spread: &mut Spread, n: i32, chance: f64) {
    let n = n.max(0) as usize;
    if spread.len() <= n {
        spread.resize(n + 1, 0.0);
    }
    spread[n] += chance;
}

impl Standing {
    fn steps(self) -> u16 {
        self.whole.steps + self.half.steps
    }

    /// Steps that a debt of half points costs which does not destroy all: nobody dies while another has steps to spare (14.35).
    fn pays(self, mut owes: u16) -> u16 {
        let spare = |h: Heap| h.steps.saturating_sub(h.units);
        let mut lost = 0;
        for (steps, worth) in
            [(spare(self.whole), 2), (spare(self.half), 1), (self.whole.units, 2), (self.half.units, 1)]
        {
            let n = owes.div_ceil(worth).min(steps);
            lost += n;
            owes = owes.saturating_sub(n * worth);
        }
        lost
    }

    /// 14.32-14.38: what becomes of it when it owes so many loss points, or everything: steps lost, gone back, hex left.
    fn suffers(self, points: Option<u8>) -> (u16, bool, bool) {
        let all = self.steps() + self.fled;
        let Some(points) = points else { return (all, false, true) };
        let owes = 2 * u16::from(points);
        let capacity = 2 * self.whole.steps + self.half.steps;
        if owes == 0 {
            (0, false, false)
        } else if owes < capacity {
            (self.pays(owes) + self.fled, false, false)
        } else if owes == capacity && self.way_back {
            (all - 1, true, true)
        } else {
            (all, false, true)
        }
    }
}

impl Pos {
    /// The counters left in a pool by a factor, with how many there are of each.
    pub(crate) fn left_in(&self, pool: u8, of: &dyn Fn(Face) -> u8) -> Vec<(Pair, u32)> {
        let info = &self.data.units.pools[usize::from(pool)];
        let mut sorts: BTreeMap<Pair, u32> = BTreeMap::new();
        for p in (info.first..info.last).filter(|&p| self.s.in_pool[usize::from(p)]) {
            *sorts.entry([of(self.data.units.printed[usize::from(p)].face).into(), 0]).or_default() += 1;
        }
        sorts.into_iter().collect()
    }

    /// The attack strength: certain, or with the chances of what untried attackers may turn out to be (2.15).
    fn attack_chances(&self, sup: &Supplied, a: &Attack<'_>, flak: bool) -> Spread {
        let mut cells: BTreeMap<Cell, Vec<Unit>> = BTreeMap::new();
        for &u in a.attackers.iter().filter(|&&u| self.untried(u)) {
            let most = self.attack_factor(a, u, i32::from(u8::MAX)).2;
            let h = self.on_map(u).filter(|&h| self.air_with(a.side, h, a.mobile).next().is_some());
            let cell = (self.info(u).pool, self.reductions(sup, a, u, flak), h.unwrap_or(Hex::NONE), most);
            cells.entry(cell).or_default().push(u);
        }
        // By pool: the sums that its cells may have.
        let mut worlds: Vec<(Vec<(Unit, i32)>, f64)> = vec![(Vec::new(), 1.0)];
        let mut pools: Vec<u8> = cells.keys().map(|c| c.0).collect();
        pools.dedup();
        for pool in pools {
            let here: Vec<(&Cell, &Vec<Unit>)> = cells.iter().filter(|(c, _)| c.0 == pool).collect();
            let cap = here.iter().map(|(c, _)| c.3).min().unwrap_or(i32::MAX);
            // Where some are capped and others not, each of them counts by itself.
            let even = here.iter().all(|(c, _)| c.3 == cap);
            let groups: Vec<Vec<Unit>> = if even {
                here.iter().map(|(_, units)| (*units).clone()).collect()
            } else {
                here.iter().flat_map(|(_, units)| units.iter().map(|&u| vec![u])).collect()
            };
            let sorts =
                self.left_in(pool, &|f| if even { f.attack.min(cap.clamp(0, 255) as u8) } else { f.attack });
            let sizes: Vec<u8> = groups.iter().map(|g| g.len() as u8).collect();
            let dealt = deal(&sorts, &sizes);
            let mut next = Vec::with_capacity(worlds.len() * dealt.len());
            for (values, p) in &worlds {
                for (sums, q) in &dealt {
                    let mut values = values.clone();
                    for (group, [sum, _]) in groups.iter().zip(sums) {
                        let mut left = i32::from(*sum);
                        for &u in group {
                            // A capped unit takes no more than its cap; one that is not takes all.
                            let n = if even { left.min(cap) } else { left };
                            values.push((u, n));
                            left -= n;
                        }
                    }
                    next.push((values, p * q));
                }
            }
            worlds = next;
        }
        let mut out = Spread::new();
        for (values, p) in worlds {
            let value = |u: Unit| match self.face(u) {
                Some(f) => i32::from(f.attack),
                None => values.iter().find(|v| v.0 == u).map_or(0, |v| v.1),
            };
            note(&mut out, self.attack_sum(sup, a, flak, &value).total().floor(), p);
        }
        out
    }

    /// Everything that an assault may come to, from what those eyes may know.
    pub(crate) fn foresee(&self, eyes: Eyes, sup: &Supplied, a: &Attack<'_>) -> Foreseen {
        let shift = self.shift_sum(a).total().floor();
        let gas: Vec<i32> =
            if self.consults(sup, a) { (1..=6).map(|d| self.gas_left(a.hex, d)).collect() } else { vec![0] };
        let facings = self.facings(eyes, sup, a);
        let attacks = [false, true]
            .map(|flak| facings.keys().any(|f| f.flak == flak).then(|| self.attack_chances(sup, a, flak)));
        let mut out = Foreseen {
            attack: Spread::new(),
            defence: Spread::new(),
            columns: BTreeMap::new(),
            ends: Ends::default(),
        };
        let mut fates: BTreeMap<(Standing, i32), f64> = BTreeMap::new();
        for (Facing { defence, flak, standing }, p) in facings {
            note(&mut out.defence, defence, p);
            let attack = attacks[usize::from(flak)].as_deref().unwrap_or_default();
            for (x, q) in attack.iter().enumerate().filter(|(_, q)| **q > 0.0) {
                note(&mut out.attack, x as i32, p * q);
                for left in &gas {
                    let (_, odds) = Pos::odds(x as i32, defence, shift - left);
                    let chance = p * q / gas.len() as f64;
                    *fates.entry((standing, odds.step())).or_default() += chance;
                    *out.columns.entry(odds.step()).or_default() += chance;
                }
            }
        }
        let bearers = self.bearers(a);
        for ((standing, step), p) in fates {
            let odds = table::Odds::of(1, 1, table::Rounding::Defender).shift(step);
            for die in 1..=6 {
                let result = self.adjust(a, self.result(odds, die));
                let (defender, retreat, taken) = standing.suffers(result.defender);
                let attacker = self.costs(a, bearers.clone(), result.attacker, taken);
                out.ends.add(End { attacker, defender, retreat, taken }, p / 6.0);
            }
        }
        out
    }

    /// Who may bear the attacker's losses; those who only land too, since they are lost if the landing fails (11.4).
    fn bearers(&self, a: &Attack<'_>) -> Vec<Bearer> {
        let of = |u: Unit| Bearer {
            steps: self.s.steps[u.ix()],
            worth: if self.half_loss(u) { 1 } else { 2 },
            tank: self.is(u, trait_::TANK),
            landing: self.s.stacks.place(u) == Place::Box(boxes::LANDING),
        };
        a.attackers.iter().map(|&u| of(u)).collect()
    }

    /// Steps that the attackers lose when they owe so many loss points.
    fn costs(&self, a: &Attack<'_>, mut all: Vec<Bearer>, points: u8, taken: bool) -> u16 {
        let sum = |all: &[Bearer]| all.iter().map(|b| u16::from(b.steps)).sum::<u16>();
        let before = sum(&all);
        if a.mobile && a.side == Side::Two {
            // 15.12: cavalry pays for it whatever comes.
            for (b, &u) in all.iter_mut().zip(a.attackers) {
                b.steps -= u8::from(self.is(u, trait_::CAVALRY) && b.steps > 0);
            }
        }
        let mut owes = 2 * u16::from(points);
        let mut first = true;
        while owes > 0 {
            if owes >= all.iter().map(|b| b.worth * u16::from(b.steps)).sum() {
                all.iter_mut().for_each(|b| b.steps = 0);
                break;
            }
            let tanks = first && !self.options.beginner && all.iter().any(|b| b.tank && b.steps > 0);
            let spare = !self.options.beginner && all.iter().any(|b| b.steps > 1);
            let pays = |b: &Bearer| if tanks { b.tank && b.steps > 0 } else { b.steps > u8::from(spare) };
            let payer = (0..all.len())
                .filter(|&i| pays(&all[i]))
                .max_by_key(|&i| (all[i].worth, all[i].steps, Reverse(i)));
            let Some(i) = payer else { break };
            all[i].steps -= 1;
            owes = owes.saturating_sub(all[i].worth);
            first = false;
        }
        if a.invasion && !taken {
            all.iter_mut().filter(|b| b.landing).for_each(|b| b.steps = 0);
        }
        let mut lost = before - sum(&all);
        if a.invasion && !taken {
            let ashore = |u: &Unit| !a.attackers.contains(u);
            lost += self
                .boxed(boxes::LANDING)
                .filter(ashore)
                .map(|u| u16::from(self.s.steps[u.ix()]))
                .sum::<u16>();
        }
        lost
    }

    /// The answer of a sensible player to a loss, as the forecast reckons with it.
    pub fn sensible(&self) -> Option<Choice> {
        let b = self.s.battle?;
        let all = if b.defender_owes > 0 { &self.s.defenders } else { &self.s.attackers };
        let worth = |u: Unit| if self.half_loss(u) { 1 } else { 2 };
        let capacity: u16 = all.iter().map(|&u| worth(u) * u16::from(self.s.steps[u.ix()])).sum();
        if b.retreat && (1..=2).contains(&b.defender_owes) && b.defender_owes >= capacity {
            let grid = self.data.map.grid();
            let foes = self.s.stacks.occupied(b.attacker);
            let away = |h: Hex| grid.neighbours(h).filter(|(_, n)| foes.contains(*n)).count();
            let to = self.retreats(&b).into_iter().min_by_key(|&h| (away(h), h));
            if let Some(h) = to {
                return Some(Choice::hex(verbs::RETREAT, h));
            }
        }
        let payers = self.payers(&b);
        let at = |u: Unit| Reverse(all.iter().position(|&v| v == u));
        payers
            .into_iter()
            .max_by_key(|&u| (worth(u), self.s.steps[u.ix()], at(u)))
            .map(|u| Choice::unit(verbs::LOSS, u))
    }

    /// Draws what lies hidden about a hex as the forecast reckons with it: beneath in it any of the hidden units; where its
    /// defenders might retreat to, nothing but what is seen.
    fn lay_about(&mut self, eyes: Eyes, hex: Hex, side: Side, dice: &mut dyn Dice) {
        let unseen = |p: &Pos, h: Hex| -> Vec<Unit> { p.at(h).filter(|&u| !p.seen(eyes, u)).collect() };
        let here = unseen(self, hex);
        let mut hidden = self.hidden(eyes, side);
        hidden.sort_unstable();
        for i in 0..here.len() {
            let j = i + dice.draw((hidden.len() - i) as u32) as usize;
            hidden.swap(i, j);
        }
        let near: Vec<Unit> =
            self.data.map.grid().neighbours(hex).flat_map(|(_, n)| unseen(self, n)).collect();
        let marks: Vec<u16> = here.iter().map(|u| self.s.flags[u.ix()]).collect();
        for &u in near.iter().chain(&here) {
            self.put(u, Place::Box(boxes::TRAY));
        }
        for (i, &u) in hidden.iter().take(here.len()).enumerate() {
            self.put(u, Place::Hex(hex));
            let lasting = flag::REFITTED;
            self.s.flags[u.ix()] = (self.s.flags[u.ix()] & lasting) | (marks[i] & !lasting);
        }
    }

    /// The battle in the making, fought out by sensible players in a world that fits what those eyes see. Where the units in hand
    /// could make several mobile assaults, none is in the making yet.
    pub(crate) fn fight_out(&self, eyes: Eyes, dice: &mut dyn Dice) -> Option<End> {
        let side = self.asked().filter(|&s| eyes.sees(s))?;
        let mut p = self.clone();
        let (hex, first) = match *self.s.frames.last()? {
            Frame::Preparing { hex } if !self.s.attackers.is_empty() => (hex, Choice::button(verbs::RESOLVE)),
            Frame::Hand => {
                let mut all = Vec::new();
                self.assault_choices(&self.mover(), &mut all);
                match all[..] {
                    [c @ Choice { object: game::Object::Hex(h), .. }] => (h, c),
                    _ => return None,
                }
            }
            Frame::Round { hex } => (hex, Choice::button(verbs::AGAIN)),
            _ => return None,
        };
        p.lay_about(eyes, hex, side.foe(), dice);
        let mut own = if matches!(self.s.frames.last(), Some(Frame::Preparing { .. })) {
            self.s.attackers.clone()
        } else {
            self.s.hand.clone()
        };
        if own.iter().any(|&u| self.s.stacks.place(u) == Place::Box(boxes::LANDING)) {
            let others: Vec<Unit> = self.boxed(boxes::LANDING).filter(|u| !own.contains(u)).collect();
            own.extend(others);
        }
        let foe: Vec<Unit> = p.at(hex).collect();
        let steps = |p: &Pos, units: &[Unit]| units.iter().map(|u| u16::from(p.s.steps[u.ix()])).sum::<u16>();
        let before = (steps(&p, &own), steps(&p, &foe));
        let cx = &mut Cx { dice, tell: &mut Quiet };
        match (first.verb, *self.s.frames.last()?) {
            (verbs::RESOLVE, _) => p.play_preparing(side, hex, first, cx),
            (_, Frame::Round { .. }) => p.play_round(hex, first, cx),
            _ => p.assault(hex, cx),
        }
        while matches!(p.s.frames.last(), Some(Frame::Losses)) {
            let Some(c) = p.sensible() else { break };
            p.play_loss(c, cx);
        }
        Some(End {
            attacker: before.0 - steps(&p, &own),
            defender: before.1 - steps(&p, &foe),
            retreat: foe.iter().any(|&u| p.on_map(u).is_some_and(|h| h != hex)),
            taken: !p.enemy_at(side, hex),
        })
    }
}
