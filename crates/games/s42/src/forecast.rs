//! The battle in the making: its sums and the chances of its roll; and in expectation, quickly, what it brings with the stand that
//! a sensible defender makes. Every end with its chance is in [`crate::ends`].
//!
//! Sensible means: losses fall on the unit with most steps (the owner picks) or on the strongest (the enemy picks), a stand
//! is made wherever it is allowed, led by the unit with the best chances and supported if something can support it, and called
//! desperate where retreat means death. [`Pos::sensible`] plays the same way, so that the chances can be checked by play.

use crate::battle::{Battle, Kind, Stage};
use crate::charts::{Colour, Stand};
use crate::shifts::odds_word;
use crate::state::{Frame, Pos};
use crate::units::is;
use crate::verbs;
use game::{Choice, ColumnChance, Ends, Eyes, Forecast, Object, ResultChance, Stake, SumView};
use table::{Sum, Unit};

/// A stack in thought: units and the steps they have left.
pub(crate) type Stack = Vec<(Unit, u8)>;

/// What may come of a battle, in expectation.
#[derive(Clone, Copy, Debug, Default)]
struct Hope {
    pub attacker: f64,
    pub defender: f64,
    pub taken: f64,
}

/// How a stack stands.
#[derive(Clone, Copy, Debug)]
struct Plight {
    /// Its defence is desperate (11.5).
    pub desperate: bool,
    /// It cannot retreat.
    pub doomed: bool,
    /// Delays so far.
    pub delays: u8,
    /// Stands so far.
    pub depth: u8,
}

impl Hope {
    fn add(&mut self, p: f64, o: Hope) {
        self.attacker += p * o.attacker;
        self.defender += p * o.defender;
        self.taken += p * o.taken;
    }
}

fn steps(s: &Stack) -> f64 {
    s.iter().map(|u| f64::from(u.1)).sum()
}

impl Pos {
    /// The unit on which its owner lays a loss: the one with most steps, the weaker of equals.
    fn owner_pick(&self, s: &Stack) -> Option<usize> {
        (0..s.len()).max_by_key(|&i| (s[i].1, std::cmp::Reverse(self.worth(s[i].0)), std::cmp::Reverse(i)))
    }

    /// The unit on which the enemy lays it: the strongest.
    fn enemy_pick(&self, s: &Stack) -> Option<usize> {
        (0..s.len()).max_by_key(|&i| (self.worth(s[i].0), std::cmp::Reverse(i)))
    }

    fn worth(&self, u: Unit) -> (bool, u16) {
        let f = self.face(u);
        (!self.is(u, is::PAREN), u16::from(f.attack) + 2 * u16::from(f.defence))
    }

    fn hit(&self, s: &mut Stack, by_enemy: bool) -> bool {
        let i = if by_enemy { self.enemy_pick(s) } else { self.owner_pick(s) };
        let Some(i) = i else { return false };
        s[i].1 -= 1;
        if s[i].1 == 0 {
            s.remove(i);
        }
        true
    }

    /// The lead with the best chances: by modifier, then by steps.
    pub(crate) fn best_lead(&self, b: &Battle, s: &Stack, desperate: bool) -> Option<usize> {
        let may = |u: Unit| {
            if desperate { self.why_no_lead(b, u).is_none() } else { self.why_not_lead(b, u).is_none() }
        };
        let value = |u: Unit| self.stand_sum(u, b.hex, false, b.orange).total().floor();
        (0..s.len()).filter(|&i| may(s[i].0)).max_by_key(|&i| (value(s[i].0), s[i].1, std::cmp::Reverse(i)))
    }

    /// What a stand brings, from here to its end, led by the unit with the best chances.
    fn stand_hope(&self, b: &Battle, s: &Stack, at: Plight) -> Hope {
        match self.best_lead(b, s, at.desperate).filter(|_| at.depth < 12) {
            Some(i) => {
                let backed = b.backing.is_some() || !self.backing(b, s[i].0).is_empty();
                self.led_hope(b, s, i, backed, at)
            }
            // Who must go and cannot loses everything.
            None => Hope { defender: if at.doomed { steps(s) } else { 0.0 }, taken: 1.0, ..Hope::default() },
        }
    }

    /// The same, led by one of the stack, with support or without.
    fn led_hope(&self, b: &Battle, s: &Stack, i: usize, backed: bool, at: Plight) -> Hope {
        let Plight { desperate, doomed, delays, depth } = at;
        let add = self.stand_sum(s[i].0, b.hex, backed, b.orange).total().floor();
        let column = self.stand_column(b.side.foe(), b.hex);
        let city = self.city_battle_possible(b.hex, b.side);
        let own: f64 = b.attackers.iter().map(|u| f64::from(self.s.steps[u.ix()])).sum();
        let mut hope = Hope::default();
        for die in 1..=6 {
            let (held, _) = self.data.charts.determined.at(column, die + add);
            let delay = held.stand == Stand::Partial && !city;
            let second = delay && desperate && delays > 0;
            let fails = held.stand == Stand::Fail || delay && desperate && !second;
            let lost = if desperate && (fails || second) { 1 } else { held.defender };
            let theirs = if desperate && (fails || second) { 0.0 } else { f64::from(held.attacker).min(own) };
            let mut left = s.clone();
            let took = lost.min(left[i].1);
            left[i].1 -= took;
            if left[i].1 == 0 {
                left.remove(i);
            }
            let mut h = if left.is_empty() {
                Hope { taken: 1.0, ..Hope::default() }
            } else if desperate && fails {
                let next =
                    Plight { desperate: true, doomed, delays: delays + u8::from(delay), depth: depth + 1 };
                self.stand_hope(b, &left, next)
            } else if fails || delay && !second {
                let rest = if doomed { steps(&left) } else { 0.0 };
                Hope { defender: rest, taken: 1.0, ..Hope::default() }
            } else {
                Hope::default()
            };
            h.attacker += theirs;
            h.defender += f64::from(took);
            hope.add(1.0 / 6.0, h);
        }
        hope
    }

    /// What a result brings.
    fn result_hope(&self, b: &Battle, result: usize, colour: Colour) -> Hope {
        let r = &self.data.charts.combat.result[result];
        let enemy = r.picks == "opponent";
        let mut own: Stack = b.attackers.iter().map(|&u| (u, self.s.steps[u.ix()])).collect();
        let mut foe: Stack = b.defenders.iter().map(|&u| (u, self.s.steps[u.ix()])).collect();
        let mut hope = Hope::default();
        for _ in 0..r.defender {
            hope.defender += f64::from(u8::from(self.hit(&mut foe, enemy)));
        }
        for _ in 0..r.attacker {
            hope.attacker += f64::from(u8::from(self.hit(&mut own, enemy)));
        }
        // Others in the hex that lent nothing hold it still.
        let others =
            self.of_side(b.side.foe(), b.hex).filter(|u| self.combat(*u) && !b.defenders.contains(u)).count();
        if foe.is_empty() && others == 0 {
            hope.taken = 1.0;
            return hope;
        }
        if r.retreat == 0 {
            return hope;
        }
        let mut b = b.clone();
        b.result = result as u8;
        b.orange = colour == Colour::Orange;
        b.barred = colour == Colour::Barred || !r.determined;
        b.retreat = r.retreat;
        let f = self.would_fall(&b);
        let doomed = !foe.is_empty() && foe.iter().all(|u| !self.can_fall(&f, &[u.0]));
        let desperate = doomed && !b.barred && self.best_lead(&b, &foe, true).is_some();
        let rest = self.stand_hope(&b, &foe, Plight { desperate, doomed, delays: 0, depth: 0 });
        hope.add(1.0, rest);
        hope
    }

    /// The chances of each result, as the attacker takes the best of his dice (26.2).
    fn result_chances(&self, b: &Battle) -> Vec<(usize, Colour, f64)> {
        let t = &self.data.charts.combat;
        if b.sure {
            return vec![(t.named("DS"), Colour::Barred, 1.0)];
        }
        // A higher die is never worse for the attacker, so the best of n dice is the highest.
        let n = b.plans.len() as i32 + 1;
        let up_to = |d: i32| (f64::from(d) / 6.0).powi(n);
        (1..=6)
            .map(|d| {
                let (i, colour) = self.result_of(b, d as u8);
                (i, colour, up_to(d) - up_to(d - 1))
            })
            .collect()
    }

    /// Finds out who defends a battle and at what odds, and notes it there.
    fn see_odds(&self, b: &mut Battle) -> crate::shifts::Lot {
        b.defenders = self.defending(b);
        let a = self.attack_of(b);
        let lot = self.lot(&a);
        let across = self.all_hindered(&a);
        b.sheltered = !self.shelter_sum(b.side.foe(), b.hex).terms().is_empty();
        b.doubled =
            b.defenders.iter().copied().filter(|&u| self.doubled_by(u, b.hex, across).is_some()).collect();
        b.column = lot.column.unwrap_or(0) as u8;
        b.sure = lot.sure;
        lot
    }

    /// What a battle is expected to bring, whether it is on the table or only thought of; `None` if it may not be fought. For
    /// programs that ask it by the thousand: retreats are taken to cost nothing, or everything ([`crate::ends`] has them whole).
    pub fn stake(&self, b: &Battle) -> Option<Stake> {
        let mut b = b.clone();
        self.see_odds(&mut b).column?;
        let mut through = 0.0;
        let mut hope = Hope::default();
        for (i, colour, p) in self.result_chances(&b) {
            let h = self.result_hope(&b, i, colour);
            through += p * h.taken * (f64::from(self.data.charts.combat.result[i].advance) - 1.0).max(0.0);
            hope.add(p, h);
        }
        Some(Stake { through, attacker_loss: hope.attacker, defender_loss: hope.defender, taken: hope.taken })
    }

    /// The battle that is being put together or fought, for those eyes: nothing about it is hidden but what a Reserve
    /// Army may bring up (34.6.2).
    pub fn predict(&self, eyes: Eyes) -> Option<Forecast> {
        let b = self.battle()?;
        let f = match self.s.frames.last()? {
            Frame::Fight(Stage::Making | Stage::Cover | Stage::Excess) => self.predict_battle(b)?,
            Frame::Fight(Stage::Stand | Stage::Backing) => self.predict_stand(b, None)?,
            _ => return None,
        };
        Some(f.ending(self.ends_now(eyes, None)))
    }

    /// What a battle that is still to be rolled for is about: sums, column and the first roll.
    pub(crate) fn predict_battle(&self, b: &Battle) -> Option<Forecast> {
        // Nobody knows yet who will stand for a Reserve Army (34.6.2).
        if self.masked(b.hex) || b.attackers.is_empty() {
            return None;
        }
        let mut b = b.clone();
        let lot = self.see_odds(&mut b);
        let mut results: Vec<(usize, f64)> = Vec::new();
        let mut notes = Vec::new();
        if lot.column.is_some() {
            for (i, _, p) in self.result_chances(&b) {
                match results.iter_mut().find(|r| r.0 == i) {
                    Some(r) => r.1 += p,
                    None => results.push((i, p)),
                }
            }
        } else {
            notes.push("odds below 1-3 may not be fought (8.4.1)".to_string());
        }
        if b.kind == Kind::Regular
            && b.side == table::Side::Two
            && b.air.is_none()
            && !self.cover_for(&b).is_empty()
        {
            notes.push("air support of the defence would shift one column left (9.3.4)".to_string());
        }
        let standing = b.defenders.iter().any(|&u| self.why_no_lead(&b, u).is_none());
        if standing {
            notes.push(
                "a defender who may stand is reckoned to stand, with support if he has it (11)".to_string(),
            );
        }
        let column = if lot.sure {
            "automatic DS".to_string()
        } else {
            let t = &self.data.charts.combat;
            lot.column.map_or_else(|| "below 1-3".to_string(), |c| t.columns[c].clone())
        };
        let t = &self.data.charts.combat;
        Some(Forecast {
            title: match b.kind {
                Kind::Regular => "Attack".into(),
                Kind::Breakthrough => "Breakthrough Combat".into(),
                Kind::Automatic => "Automatic DS".into(),
            },
            hex: self.data.map.grid().name(b.hex).to_string(),
            sums: vec![
                self.sum_view("attack", &lot.attack),
                self.sum_view("defence", &lot.defence),
                self.sum_view("shifts", &lot.shifts),
            ],
            odds: odds_word(lot.raw),
            columns: vec![ColumnChance { column, chance: 1.0 }],
            results: results
                .into_iter()
                .map(|(i, chance)| ResultChance {
                    code: t.result[i].code.clone(),
                    text: self.result_text(i),
                    chance,
                })
                .collect(),
            attacker_loss: 0.0,
            defender_loss: 0.0,
            taken: 0.0,
            ends: Ends::default(),
            notes,
        })
    }

    /// A result in words (10.1).
    fn result_text(&self, i: usize) -> String {
        let r = &self.data.charts.combat.result[i];
        let mut parts = Vec::new();
        let step = |n: u8| if n == 1 { "a step".to_string() } else { format!("{n} steps") };
        if r.attacker > 0 {
            parts.push(format!("attacker loses {}", step(r.attacker)));
        }
        if r.defender > 0 {
            parts.push(format!("defender loses {}", step(r.defender)));
        }
        if r.retreat > 0 {
            parts.push(format!("defender retreats {}", r.retreat));
        }
        if r.advance > 0 {
            parts.push(format!("advance {}", r.advance));
        }
        parts.join(", ")
    }

    /// A sum written out.
    pub fn sum_view(&self, name: &str, sum: &Sum) -> SumView {
        SumView::of(name, sum, &self.data.lexicon, |h| self.called(h))
    }

    /// The answer of a sensible player to a question that a battle asks, as the forecast reckons with it; `None` where
    /// it reckons with none.
    pub fn sensible(&self) -> Option<Choice> {
        let Some(Frame::Fight(stage)) = self.s.frames.last().copied() else { return None };
        let b = self.battle()?;
        let as_stack =
            |units: Vec<Unit>| -> Stack { units.into_iter().map(|u| (u, self.s.steps[u.ix()])).collect() };
        match stage {
            Stage::Making => Some(Choice::button(verbs::RESOLVE)),
            Stage::Cover => Some(Choice::button(verbs::PASS)),
            Stage::Loss { by, of, .. } => {
                let s = as_stack(self.losable(by, of));
                let i = if by == of { self.owner_pick(&s) } else { self.enemy_pick(&s) };
                i.map(|i| Choice::unit(verbs::LOSS, s[i].0))
            }
            Stage::Die => b.dice.iter().max().map(|&d| Choice::number(verbs::DIE, d.into())),
            Stage::Stand => {
                let s = as_stack(
                    b.defenders.iter().copied().filter(|&u| self.on_map(u) == Some(b.hex)).collect(),
                );
                let mut out = Vec::new();
                self.stand_choices(&mut out);
                let desperate = out.iter().any(|c| c.verb == verbs::DESPERATE);
                let verb = if desperate { verbs::DESPERATE } else { verbs::LEAD };
                match self.best_lead(b, &s, desperate) {
                    Some(i) => Some(Choice::unit(verb, s[i].0)),
                    None => Some(Choice::button(verbs::YIELD)),
                }
            }
            Stage::Backing => {
                let mut out = Vec::new();
                self.backing_choices(&mut out);
                out.into_iter().find(|c| matches!(c.object, Object::Unit(_)))
            }
            Stage::Reroll(_) => Some(Choice::button(verbs::PASS)),
            _ => None,
        }
    }
}
