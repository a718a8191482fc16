//! What a battle is expected to bring, quickly, for the programs, which ask it by the thousand: untried units count by the mean of
//! their pool, each by itself, and hidden ones by the mean of all that could lie there. [`crate::ends`] has it whole.

use crate::combat::Attack;
use crate::state::{Frame, Pos, Supplied};
use crate::supply::State;
use game::{Eyes, Stake};
use hex::Hex;
use std::collections::BTreeMap;
use table::{Face, Side, Unit};

/// Chances of whole numbers from zero up.
pub(crate) type Spread = Vec<f64>;

fn point(n: i32) -> Spread {
    let mut s = vec![0.0; n.max(0) as usize + 1];
    s[n.max(0) as usize] = 1.0;
    s
}

fn both(a: &Spread, b: &Spread) -> Spread {
    let mut out = vec![0.0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x > 0.0) {
        for (j, y) in b.iter().enumerate() {
            out[i + j] += x * y;
        }
    }
    out
}

fn mapped(a: &Spread, f: impl Fn(i32) -> i32) -> Spread {
    let mut out = Vec::new();
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x > 0.0) {
        let n = f(i as i32).max(0) as usize;
        if out.len() <= n {
            out.resize(n + 1, 0.0);
        }
        out[n] += x;
    }
    if out.is_empty() { vec![1.0] } else { out }
}

pub(crate) fn mean(a: &Spread) -> f64 {
    a.iter().enumerate().map(|(i, x)| i as f64 * x).sum()
}

impl Pos {
    /// A factor of a unit as far as it can be known: certain, or spread over its pool.
    pub(crate) fn spread(&self, u: Unit, of: &dyn Fn(Face) -> u8) -> Spread {
        if let Some(f) = self.face(u) {
            return point(of(f).into());
        }
        let pool = &self.data.units.pools[usize::from(self.info(u).pool)];
        let left = (pool.first..pool.last).filter(|&p| self.s.in_pool[usize::from(p)]);
        let mut out = vec![0.0; 1];
        let mut n = 0.0;
        for p in left {
            let v = usize::from(of(self.data.units.printed[usize::from(p)].face));
            if out.len() <= v {
                out.resize(v + 1, 0.0);
            }
            out[v] += 1.0;
            n += 1.0;
        }
        if n == 0.0 {
            return point(0);
        }
        out.iter_mut().for_each(|x| *x /= n);
        out
    }

    /// Units of a side on the map that some eyes cannot see.
    pub(crate) fn hidden(&self, eyes: Eyes, side: Side) -> Vec<Unit> {
        let out = |u: &Unit| self.info(*u).side == side && self.on_map(*u).is_some() && !self.seen(eyes, *u);
        self.s.stacks.units().filter(|u| out(u)).collect()
    }

    /// The defence of a hidden unit: any of those that could lie there.
    fn hidden_spread(&self, hidden: &[Unit], of: &dyn Fn(Face) -> u8) -> Spread {
        let mut out: Spread = vec![0.0];
        // Untried units of a pool are all alike: their spread is worked out once.
        let mut pools: BTreeMap<u8, Spread> = BTreeMap::new();
        for &u in hidden {
            let s = if self.untried(u) {
                pools.entry(self.info(u).pool).or_insert_with(|| self.spread(u, of)).clone()
            } else {
                self.spread(u, of)
            };
            if out.len() < s.len() {
                out.resize(s.len(), 0.0);
            }
            for (i, x) in s.iter().enumerate() {
                out[i] += x / hidden.len() as f64;
            }
        }
        if hidden.is_empty() { point(0) } else { out }
    }

    /// A battle in figures: every column that may come up with its chance, and what they bring.
    fn reckon(&self, eyes: Eyes, sup: &Supplied, a: &Attack<'_>) -> Stake {
        let (defence, steps) = self.defence_spread(eyes, sup, a);
        let attack = self.attack_spread(eyes, sup, a);
        let shift = self.shift_sum(a).total().floor();
        let gas: Vec<i32> =
            if self.consults(sup, a) { (1..=6).map(|d| self.gas_left(a.hex, d)).collect() } else { vec![0] };
        let mut columns: BTreeMap<i32, f64> = BTreeMap::new();
        for (x, px) in attack.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            for (y, py) in defence.iter().enumerate().filter(|(_, p)| **p > 0.0) {
                for left in &gas {
                    let (_, odds) = Pos::odds(x as i32, y as i32, shift - left);
                    *columns.entry(odds.step()).or_default() += px * py / gas.len() as f64;
                }
            }
        }
        let own: f64 = a.attackers.iter().map(|&u| f64::from(self.s.steps[u.ix()])).sum();
        let capacity = self.capacity(eyes, a, steps);
        let mut r = Stake::default();
        for (&step, &p) in &columns {
            let odds = table::Odds::of(1, 1, table::Rounding::Defender).shift(step);
            for die in 1..=6 {
                let one = self.adjust(a, self.result(odds, die));
                let q = p / 6.0;
                r.attacker_loss += q * f64::from(one.attacker).min(own);
                r.defender_loss += q * one.defender.map_or(steps, |d| f64::from(d).min(steps));
                if one.defender.is_none_or(|d| f64::from(d) >= capacity) {
                    r.taken += q;
                }
            }
        }
        r
    }

    /// What the battle in the making is expected to bring, without a word: for the programs, which ask it by the thousand.
    pub fn stake(&self, eyes: Eyes) -> Option<Stake> {
        let Some(&Frame::Preparing { hex }) = self.s.frames.last() else { return None };
        let defenders: Vec<Unit> = self.defenders_at(hex).collect();
        let a = self.making(&defenders)?;
        (eyes.sees(a.side) && !a.attackers.is_empty()).then(|| self.stake_of(eyes, &a))
    }

    /// The same of a mobile assault of the units in hand.
    pub fn stake_mobile(&self, eyes: Eyes, hex: Hex) -> Stake {
        self.assaulting(hex, |probe, a| probe.stake_of(eyes, a))
    }

    fn stake_of(&self, eyes: Eyes, a: &Attack<'_>) -> Stake {
        self.reckon(eyes, &self.fresh_supply(), a)
    }

    /// The defence strength as far as it can be known, and the steps that stand behind it.
    fn defence_spread(&self, eyes: Eyes, sup: &Supplied, a: &Attack<'_>) -> (Spread, f64) {
        let side = a.side.foe();
        let of = |f: Face| f.defence;
        let boost = self.boost(a.hex, side);
        let hidden = self.hidden(eyes, side);
        let unknown = self.hidden_spread(&hidden, &of);
        let top = a.defenders.iter().copied().find(|&u| self.seen(eyes, u));
        let out = top.is_some_and(|u| self.state_with(sup, u) == State::Out);
        let mut ground = point(0);
        let mut steps = 0.0;
        let average: f64 =
            hidden.iter().map(|u| f64::from(self.s.steps[u.ix()])).sum::<f64>() / hidden.len().max(1) as f64;
        for &u in a.defenders {
            let s = if self.seen(eyes, u) {
                steps += f64::from(self.s.steps[u.ix()]);
                self.spread(u, &of)
            } else {
                steps += average;
                unknown.clone()
            };
            ground = both(&ground, &mapped(&s, |n| n + boost));
        }
        let ground = mapped(&ground, |n| if out { ((n + 1) / 2).max(1) } else { n.max(1) });
        let air: i32 = self.air_with(side, a.hex, false).map(|i| self.air_points(i)).sum();
        (mapped(&ground, |n| n + air.min(n)), steps)
    }

    /// Loss points that clear the hex.
    fn capacity(&self, eyes: Eyes, a: &Attack<'_>, steps: f64) -> f64 {
        let all_seen = a.defenders.iter().all(|&u| self.seen(eyes, u));
        if !all_seen {
            return steps;
        }
        a.defenders
            .iter()
            .map(|&u| f64::from(self.s.steps[u.ix()]) * if self.half_loss(u) { 0.5 } else { 1.0 })
            .sum()
    }

    /// The attack strength as far as it can be known: only untried attackers are uncertain.
    fn attack_spread(&self, eyes: Eyes, sup: &Supplied, a: &Attack<'_>) -> Spread {
        let untried = a.attackers.iter().filter(|&&u| self.untried(u)).count();
        let known: Vec<Unit> = a.defenders.iter().copied().filter(|&u| self.seen(eyes, u)).collect();
        let shown = Attack { defenders: &known, ..*a };
        let flak = self.flak(sup, &shown);
        // The sum is worked out at a low and a high value of the untried and their spread laid between, so that
        // halving and support are those of the rules themselves.
        let mut unsure: Spread = point(0);
        for &u in a.attackers.iter().filter(|&&u| self.untried(u)) {
            unsure = both(&unsure, &self.spread(u, &|f| f.attack));
        }
        let total = |share: f64| {
            let value = |u: Unit| match self.face(u) {
                Some(f) => i32::from(f.attack),
                None => (mean(&self.spread(u, &|f| f.attack)) * share).round() as i32,
            };
            self.attack_sum(sup, a, flak, &value).total().floor()
        };
        if untried == 0 {
            return point(total(1.0));
        }
        let centre = mean(&unsure).max(0.01);
        let mut out = Spread::new();
        for (n, p) in unsure.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let t = total(n as f64 / centre).max(1) as usize;
            if out.len() <= t {
                out.resize(t + 1, 0.0);
            }
            out[t] += p;
        }
        out
    }
}
