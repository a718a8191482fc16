//! A battle before it is fought, from what the asking side may know: untried units by their pool, hidden ones by all that
//! could lie there.

use crate::combat::Attack;
use crate::state::{Frame, Pos, Supplied};
use crate::supply::State;
use crate::units::trait_;
use crate::verbs;
use game::{Choice, ColumnChance, Eyes, Forecast, Object, ResultChance, Stake, SumView};
use hex::Hex;
use std::collections::BTreeMap;
use table::{Column, Face, Side, Subject, Sum, Unit};
use text::count;

/// Chances of whole numbers from zero up.
type Spread = Vec<f64>;

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

fn mean(a: &Spread) -> f64 {
    a.iter().enumerate().map(|(i, x)| i as f64 * x).sum()
}

/// A battle in figures.
struct Reckoning {
    attack: Spread,
    defence: Spread,
    /// Chances by steps from 1:1.
    columns: BTreeMap<i32, f64>,
    attacker_loss: f64,
    defender_loss: f64,
    taken: f64,
}

/// A forecast in a few words: its likeliest column, and how often the hex is cleared.
fn in_short(f: &Forecast) -> String {
    let best =
        f.columns.iter().max_by(|x, y| x.chance.total_cmp(&y.chance)).map_or("", |c| c.column.as_str());
    format!("about {best}, cleared {:.0} in 100", f.taken * 100.0)
}

impl Pos {
    /// A factor of a unit as far as it can be known: certain, or spread over its pool.
    fn spread(&self, u: Unit, of: &dyn Fn(Face) -> u8) -> Spread {
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
    fn hidden(&self, eyes: Eyes, side: Side) -> Vec<Unit> {
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

    /// The battle in the making as those eyes may know it: the prepared assault, or the likeliest to succeed of the mobile assaults
    /// that the units in hand can make, with a word on the others; [`Pos::predict_choice`] has them all in full.
    pub fn predict(&self, eyes: Eyes) -> Option<Forecast> {
        match self.s.frames.last() {
            Some(&Frame::Preparing { hex }) => {
                let defenders: Vec<Unit> = self.defenders_at(hex).collect();
                let a = self.making(&defenders)?;
                (eyes.sees(a.side) && !a.attackers.is_empty()).then(|| self.weigh(eyes, &a))
            }
            Some(Frame::Hand) => {
                let m = self.mover();
                let mut all = Vec::new();
                self.assault_choices(&m, &mut all);
                if !eyes.sees(m.side) {
                    return None;
                }
                let mut all: Vec<Forecast> =
                    all.iter().filter_map(|c| self.predict_choice(eyes, c)).collect();
                // The sort is stable: of equals the first listed stays first.
                all.sort_by(|a, b| b.taken.total_cmp(&a.taken));
                let others: Vec<String> =
                    all.iter().skip(1).map(|f| format!("or {}: {}", f.hex, in_short(f))).collect();
                let mut best = all.into_iter().next()?;
                best.notes.extend(others);
                Some(best)
            }
            _ => None,
        }
    }

    /// The battle that a choice would begin at once: a mobile assault.
    pub fn predict_choice(&self, eyes: Eyes, c: &Choice) -> Option<Forecast> {
        match (self.s.frames.last(), c) {
            (Some(Frame::Hand), &Choice { verb: verbs::ASSAULT, object: Object::Hex(h) }) => {
                let m = self.mover();
                (eyes.sees(m.side) && self.why_not_assault(&m, h).is_none())
                    .then(|| self.weigh_mobile(eyes, h))
            }
            (Some(&Frame::Round { hex }), &Choice { verb: verbs::AGAIN, .. }) => {
                eyes.sees(self.side_to_act()).then(|| self.weigh_mobile(eyes, hex))
            }
            _ => None,
        }
    }

    /// A mobile assault of the units in hand.
    pub fn weigh_mobile(&self, eyes: Eyes, hex: Hex) -> Forecast {
        self.assaulting(hex, |probe, a| probe.weigh(eyes, a))
    }

    /// Lends the mobile assault that the units in hand would make, and the position in which their move has begun.
    fn assaulting<T>(&self, hex: Hex, look: impl FnOnce(&Pos, &Attack<'_>) -> T) -> T {
        let defenders: Vec<Unit> = self.defenders_at(hex).collect();
        let side = self.s.hand.first().map_or(Side::One, |&u| self.info(u).side);
        let mut probe = self.clone();
        probe.begin_move();
        let hand = probe.s.hand.clone();
        look(
            &probe,
            &Attack { side, hex, mobile: true, invasion: false, attackers: &hand, defenders: &defenders },
        )
    }

    /// The odds of a mobile assault in a few words, for the choice.
    pub fn assault_note(&self, hex: Hex) -> String {
        let Some(&first) = self.s.hand.first() else { return String::new() };
        let f = self.weigh_mobile(Eyes::Side(self.info(first).side), hex);
        in_short(&f)
    }

    /// The odds of a prepared assault by all who can join, in a few words, for the choice of its target.
    pub fn attack_note(&self, hex: Hex) -> Option<String> {
        let side = self.asked()?;
        let mut probe = self.clone();
        probe.s.attackers.clear();
        probe.join_all(side, hex);
        let attackers = std::mem::take(&mut probe.s.attackers);
        let defenders: Vec<Unit> = self.defenders_at(hex).collect();
        let a = Attack {
            side,
            hex,
            mobile: false,
            invasion: false,
            attackers: &attackers,
            defenders: &defenders,
        };
        let f = self.weigh(Eyes::Side(side), &a);
        let units = if attackers.len() == 1 { "1 unit".into() } else { format!("all {}", attackers.len()) };
        Some(format!("by {units} {}", in_short(&f)))
    }

    /// A battle in figures: every column that may come up with its chance, and what they bring.
    fn reckon(&self, eyes: Eyes, sup: &Supplied, a: &Attack<'_>, notes: &mut Vec<String>) -> Reckoning {
        let (defence, steps) = self.defence_spread(eyes, sup, a, notes);
        let attack = self.attack_spread(eyes, sup, a, notes);
        let shift = self.shift_sum(a).total().floor();
        let gas: Vec<i32> = if self.consults(sup, a) {
            notes.push("the GAS table is rolled first (9.6)".into());
            (1..=6).map(|d| self.gas_left(a.hex, d)).collect()
        } else {
            vec![0]
        };
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
        let mut r =
            Reckoning { attack, defence, columns, attacker_loss: 0.0, defender_loss: 0.0, taken: 0.0 };
        for (&step, &p) in &r.columns {
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
        let r = self.reckon(eyes, &self.fresh_supply(), a, &mut Vec::new());
        Stake { attacker_loss: r.attacker_loss, defender_loss: r.defender_loss, taken: r.taken }
    }

    fn weigh(&self, eyes: Eyes, a: &Attack<'_>) -> Forecast {
        let sup = self.fresh_supply();
        let mut notes = Vec::new();
        let Reckoning { attack, defence, columns, attacker_loss, defender_loss, taken } =
            self.reckon(eyes, &sup, a, &mut notes);
        let shifts = self.shift_sum(a);
        let mut results: BTreeMap<String, f64> = BTreeMap::new();
        let mut heads: Vec<(String, f64)> = Vec::new();
        for (&step, &p) in &columns {
            let odds = table::Odds::of(1, 1, table::Rounding::Defender).shift(step);
            let head = match self.column(odds) {
                Column::Below => "worse than 1:3".to_string(),
                Column::Above => "better than 7:1".to_string(),
                Column::At(i) => self.data.charts.combat.columns()[i].clone(),
            };
            match heads.iter_mut().find(|(h, _)| *h == head) {
                Some((_, x)) => *x += p,
                None => heads.push((head, p)),
            }
            for die in 1..=6 {
                *results.entry(self.adjust(a, self.result(odds, die)).to_string()).or_default() += p / 6.0;
            }
        }
        let value = |u: Unit, of: &dyn Fn(Face) -> u8| mean(&self.spread(u, of)).round() as i32;
        let known: Vec<Unit> = a.defenders.iter().copied().filter(|&u| self.seen(eyes, u)).collect();
        let shown = Attack { defenders: &known, ..*a };
        let flak = self.flak(&sup, &shown);
        let attack_sum = self.attack_sum(&sup, a, flak, &|u| value(u, &|f| f.attack));
        let mut defence_sum = self.defence_sum(&sup, &shown, &|u| value(u, &|f| f.defence));
        let rest = mean(&defence).round() as i32 - defence_sum.total().floor();
        if known.len() < a.defenders.len() {
            defence_sum.add(
                table::Rule("14.7"),
                "units beneath, on average",
                Subject::Count((a.defenders.len() - known.len()) as u16),
                table::Points::whole(rest),
            );
        }
        let (raw, _) = Pos::odds(mean(&attack).round() as i32, mean(&defence).round() as i32, 0);
        Forecast {
            title: if a.mobile { "Mobile assault".into() } else { "Prepared assault".into() },
            hex: self.data.map.grid().name(a.hex).to_string(),
            sums: vec![
                self.sum_view("attack", &attack_sum),
                self.sum_view("defence", &defence_sum),
                self.sum_view("shifts", &shifts),
            ],
            odds: raw.to_string(),
            columns: heads.into_iter().map(|(column, chance)| ColumnChance { column, chance }).collect(),
            results: results
                .into_iter()
                .map(|(code, chance)| {
                    let (x, y) = code.split_once('/').unwrap_or(("", ""));
                    let loss = if y == "E" { "all".to_string() } else { y.to_string() };
                    let text = format!("attacker loses {x}, defender {loss}");
                    ResultChance { code, text, chance }
                })
                .collect(),
            attacker_loss,
            defender_loss,
            taken,
            notes,
        }
    }

    /// The defence strength as far as it can be known, and the steps that stand behind it.
    fn defence_spread(
        &self,
        eyes: Eyes,
        sup: &Supplied,
        a: &Attack<'_>,
        notes: &mut Vec<String>,
    ) -> (Spread, f64) {
        let side = a.side.foe();
        let of = |f: Face| f.defence;
        let boost = self.boost(a.hex, side);
        let hidden = self.hidden(eyes, side);
        let unknown = self.hidden_spread(&hidden, &of);
        let top = a.defenders.iter().copied().find(|&u| self.seen(eyes, u));
        let out = top.is_some_and(|u| self.state_with(sup, u) == State::Out);
        let (mut ground, mut beneath, mut untried) = (point(0), 0, 0);
        let mut steps = 0.0;
        let average: f64 =
            hidden.iter().map(|u| f64::from(self.s.steps[u.ix()])).sum::<f64>() / hidden.len().max(1) as f64;
        for &u in a.defenders {
            let s = if self.seen(eyes, u) {
                untried += usize::from(self.untried(u));
                steps += f64::from(self.s.steps[u.ix()]);
                self.spread(u, &of)
            } else {
                beneath += 1;
                steps += average;
                unknown.clone()
            };
            ground = both(&ground, &mapped(&s, |n| n + boost));
        }
        if beneath > 0 {
            let beneath = count(beneath, "unit");
            notes.push(format!("{beneath} beneath: reckoned as any hidden unit of that side (14.7)"));
        }
        if untried > 0 {
            let untried = count(untried, "untried defender");
            notes.push(format!("{untried}: reckoned by what is left in their pools (2.15)"));
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
    fn attack_spread(&self, eyes: Eyes, sup: &Supplied, a: &Attack<'_>, notes: &mut Vec<String>) -> Spread {
        let untried = a.attackers.iter().filter(|&&u| self.untried(u)).count();
        if untried > 0 {
            notes
                .push(format!("{untried} untried attackers: reckoned by what is left in their pools (2.15)"));
        }
        let known: Vec<Unit> = a.defenders.iter().copied().filter(|&u| self.seen(eyes, u)).collect();
        let shown = Attack { defenders: &known, ..*a };
        let flak = self.flak(sup, &shown);
        if a.side == Side::Two
            && !flak
            && known.len() < a.defenders.len()
            && a.attackers.iter().any(|&u| self.is(u, trait_::TANK))
        {
            notes.push("flak beneath would halve the tanks (10.1)".into());
        }
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

    /// A sum written out.
    pub fn sum_view(&self, name: &str, sum: &Sum) -> SumView {
        SumView::of(name, sum, &self.data.lexicon, |h| self.data.map.called(h))
    }
}
