//! A battle before it is fought, from what the asking side may know: untried units by their pool, hidden ones by all that
//! could lie there.

use crate::combat::Attack;
use crate::ends::Foreseen;
use crate::stake::mean;
use crate::state::{Frame, Pos, Supplied};
use crate::units::trait_;
use crate::verbs;
use game::{Choice, ColumnChance, Ends, Eyes, Forecast, Object, ResultChance, SumView};
use hex::Hex;
use std::collections::BTreeMap;
use table::{Column, Face, Side, Subject, Sum, Unit};
use text::count;

/// A forecast in a few words: its likeliest column, and how often the hex is cleared.
fn in_short(f: &Forecast) -> String {
    let best =
        f.columns.iter().max_by(|x, y| x.chance.total_cmp(&y.chance)).map_or("", |c| c.column.as_str());
    format!("about {best}, cleared {:.0} in 100", f.taken * 100.0)
}

impl Pos {
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
    pub(crate) fn assaulting<T>(&self, hex: Hex, look: impl FnOnce(&Pos, &Attack<'_>) -> T) -> T {
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

    fn weigh(&self, eyes: Eyes, a: &Attack<'_>) -> Forecast {
        let sup = self.fresh_supply();
        let Foreseen { attack, defence, columns, ends } = self.foresee(eyes, &sup, a);
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
        let f = Forecast {
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
            attacker_loss: 0.0,
            defender_loss: 0.0,
            taken: 0.0,
            ends: Ends::default(),
            notes: self.unsure(eyes, &sup, a),
        };
        f.ending(ends)
    }

    /// What is not known of an assault, and how it is reckoned.
    fn unsure(&self, eyes: Eyes, sup: &Supplied, a: &Attack<'_>) -> Vec<String> {
        let mut notes = Vec::new();
        let known: Vec<Unit> = a.defenders.iter().copied().filter(|&u| self.seen(eyes, u)).collect();
        let beneath = a.defenders.len() - known.len();
        if beneath > 0 {
            let beneath = count(beneath, "unit");
            notes.push(format!("{beneath} beneath: reckoned as any hidden unit of that side (14.7)"));
        }
        let untried = |units: &[Unit]| units.iter().filter(|&&u| self.untried(u)).count();
        for (n, who) in [(untried(&known), "untried defender"), (untried(a.attackers), "untried attacker")] {
            if n > 0 {
                notes.push(format!("{}: reckoned by what is left in their pools (2.15)", count(n, who)));
            }
        }
        if a.side == Side::Two
            && beneath > 0
            && !self.flak(sup, &Attack { defenders: &known, ..*a })
            && a.attackers.iter().any(|&u| self.is(u, trait_::TANK))
        {
            notes.push("flak beneath would halve the tanks, and counts by its chance (10.1)".into());
        }
        if self.consults(sup, a) {
            notes.push("the GAS table is rolled first (9.6)".into());
        }
        if self.may_retreat(a.hex, a.side, a.mobile) {
            notes.push("the defenders are reckoned to retreat only rather than be destroyed (14.32)".into());
        }
        notes
    }

    /// A sum written out.
    pub fn sum_view(&self, name: &str, sum: &Sum) -> SumView {
        SumView::of(name, sum, &self.data.lexicon, |h| self.data.map.called(h))
    }
}
