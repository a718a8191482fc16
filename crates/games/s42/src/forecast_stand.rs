//! What a Determined Defense may bring, and the combats of a breakthrough: the chances before they are chosen.

use crate::battle::{Battle, Stage};
use crate::charts::{Held, Stand};
use crate::forecast::Stack;
use crate::state::{Frame, Pos};
use crate::verbs;
use game::{Choice, ColumnChance, Ends, Eyes, Forecast, Object, ResultChance};
use table::Unit;
use text::count;

impl Pos {
    /// The combat or the stand that a choice would roll for.
    pub fn predict_choice(&self, eyes: Eyes, c: &Choice) -> Option<Forecast> {
        match (self.s.frames.last()?, c.verb, c.object) {
            (Frame::Fight(Stage::Group), verbs::FIGHT, Object::Hex(h)) => {
                let b = self.break_battle(self.advancing()?, h);
                Some(self.predict_battle(&b)?.ending(self.ends_of_break(eyes, &b, c)))
            }
            (Frame::Fight(Stage::Stand | Stage::Backing), ..) => {
                let f = self.predict_stand(self.battle()?, Some(c))?;
                Some(f.ending(self.ends_now(eyes, Some(c))))
            }
            _ => None,
        }
    }

    /// The stand that is offered: by the choice, or else by the best of leads, supported where that is possible.
    pub(crate) fn predict_stand(&self, b: &Battle, c: Option<&Choice>) -> Option<Forecast> {
        let on = |u: &Unit| self.on_map(*u) == Some(b.hex);
        let s: Stack = b.defenders.iter().copied().filter(on).map(|u| (u, self.s.steps[u.ix()])).collect();
        let mut offered = Vec::new();
        self.stand_choices(&mut offered);
        let lead = |u: Unit| s.iter().position(|x| x.0 == u);
        let (i, desperate, backed) = match c.map(|c| (c.verb, c.object)) {
            Some((verbs::LEAD | verbs::DESPERATE, Object::Unit(u))) => {
                let desperate = c.is_some_and(|c| c.verb == verbs::DESPERATE);
                (lead(u)?, desperate, b.backing.is_some() || !self.backing(b, u).is_empty())
            }
            Some((verbs::SUPPORT, _)) => (lead(b.lead?)?, b.desperate, true),
            Some((verbs::PASS, _)) => (lead(b.lead?)?, b.desperate, false),
            Some(_) => return None,
            None if b.lead.is_some() => (lead(b.lead?)?, b.desperate, true),
            None => {
                let desperate = offered.iter().any(|c| c.verb == verbs::DESPERATE);
                let i = self.best_lead(b, &s, desperate)?;
                (i, desperate, b.backing.is_some() || !self.backing(b, s[i].0).is_empty())
            }
        };
        let f = self.would_fall(b);
        let doomed = s.iter().all(|u| !self.can_fall(&f, &[u.0]));
        let sum = self.stand_sum(s[i].0, b.hex, backed, b.orange);
        let column = self.stand_column(b.side.foe(), b.hex);
        let table = &self.data.charts.determined;
        let mut results: Vec<ResultChance> = Vec::new();
        for die in 1..=6 {
            let (held, code) = table.at(column, die + sum.total().floor());
            match results.iter_mut().find(|r| r.code == code) {
                Some(r) => r.chance += 1.0 / 6.0,
                None => {
                    let text = self.stand_text(b, held, desperate);
                    results.push(ResultChance { code: code.to_string(), text, chance: 1.0 / 6.0 });
                }
            }
        }
        let mut notes = vec![format!("{} leads", self.code(s[i].0))];
        if backed && b.backing.is_none() {
            notes.push("with support (11.3)".into());
        }
        if doomed {
            notes.push("who must retreat from here is lost (12.2)".into());
        }
        Some(Forecast {
            title: if desperate { "Desperate Defense" } else { "Determined Defense" }.into(),
            hex: self.data.map.grid().name(b.hex).to_string(),
            sums: vec![self.sum_view("stand", &sum)],
            odds: String::new(),
            columns: vec![ColumnChance { column: table.columns[column].clone(), chance: 1.0 }],
            results,
            attacker_loss: 0.0,
            defender_loss: 0.0,
            taken: 0.0,
            ends: Ends::default(),
            notes,
        })
    }

    /// What a cell of the Determined Defense table brings here, in words (11.4-11.6).
    fn stand_text(&self, b: &Battle, held: Held, desperate: bool) -> String {
        let city = held.stand == Stand::Partial && self.city_battle_possible(b.hex, b.side);
        let delay = held.stand == Stand::Partial && !city;
        let second = delay && desperate && b.delays > 0;
        let again = desperate && (held.stand == Stand::Fail || delay && !second);
        let what = match held.stand {
            _ if again => "it is tried again",
            _ if city => "the fight goes on in the streets",
            _ if second => "a second delay holds the hex",
            Stand::Success => "the hex holds",
            Stand::Partial => "it delays, then gives way",
            Stand::Fail => "it fails",
        };
        let (lead, attacker) = if again || second { (1, 0) } else { (held.defender, held.attacker) };
        let mut parts = vec![what.to_string()];
        for (who, n) in [("the lead unit", lead), ("the attacker", attacker)] {
            if n > 0 {
                parts.push(format!("{who} loses {}", count(n, "step")));
            }
        }
        parts.join(", ")
    }
}
