//! A battle before it is fought, with exact chances over the die and over what is concealed; `ends.rs` has how it may end.

use crate::state::{Exercise, Frame};
use crate::units::Units;
use game::ask::sum;
use game::{ColumnChance, Ends, Eyes, Forecast, ResultChance, Stake};
use hex::Hex;
use table::{Column, Unit};

impl Exercise {
    /// The attack in the making, if those eyes are of the side that makes it.
    pub(crate) fn making(&self, eyes: Eyes) -> Option<(Hex, Units)> {
        match self.top() {
            Frame::Battle(target, with) if eyes.sees(self.active) && !with.is_empty() => Some((target, with)),
            _ => None,
        }
    }

    /// The battle in the making, for the eyes of the side that makes it.
    pub(crate) fn forecast_for(&self, eyes: Eyes) -> Option<Forecast> {
        let (target, with) = self.making(eyes)?;
        Some(self.forecast_of(target, with, eyes).ending(self.ends_of(target, with, eyes)))
    }

    /// What it is expected to bring, quickly, for programs: whoever retreats is taken to find a way.
    pub(crate) fn stake(&self, eyes: Eyes) -> Option<Stake> {
        let (target, with) = self.making(eyes)?;
        Some(Stake::from(&self.forecast_of(target, with, eyes)))
    }

    /// What the concealed counters at a hex may be, as far as those eyes know: which is real, with its chance.
    pub(crate) fn worlds(&self, target: Hex, eyes: Eyes) -> Vec<(Option<Unit>, f64)> {
        let there: Units = self.stacks.at(target).collect();
        let mut worlds = self.possible(eyes.sees(self.concealer()));
        if there.0 & self.data.concealed.0 == 0 {
            worlds.truncate(1);
        }
        let share = worlds.iter().map(|w| w.1).sum::<f64>();
        worlds.iter_mut().for_each(|w| w.1 /= share);
        worlds
    }

    fn forecast_of(&self, target: Hex, with: Units, eyes: Eyes) -> Forecast {
        let attack = self.attack_sum(target, with);
        let shift = self.shift_sum(target);
        let there: Units = self.stacks.at(target).collect();
        let lexicon = &self.data.lexicon;
        let mut out = Forecast {
            title: "Attack".into(),
            hex: lexicon.hex(target),
            sums: vec![sum(lexicon, "attack", &attack)],
            odds: String::new(),
            columns: Vec::new(),
            results: Vec::new(),
            attacker_loss: 0.0,
            defender_loss: 0.0,
            taken: 0.0,
            ends: Ends::default(),
            notes: Vec::new(),
        };
        let worlds = self.worlds(target, eyes);
        let mut odds = Vec::new();
        for &(real, chance) in &worlds {
            let decoy = |u| self.data.concealed.has(u) && real != Some(u);
            let against: Units = there.iter().filter(|&u| !decoy(u)).collect();
            if against.is_empty() {
                add_column(&mut out, "no defence".into(), chance);
                add_result(&mut out, "-", "only a decoy: the hex is empty", chance);
                out.taken += chance;
                odds.push("no defence".into());
                continue;
            }
            let defence = self.defence_sum(target, real);
            let lot = self.lot(&attack, &defence, &shift);
            odds.push(lot.odds.to_string());
            out.sums.push(sum(lexicon, "defence", &defence));
            add_column(&mut out, self.column_name(lot.column), chance);
            let steps: u32 = against.iter().map(|u| u32::from(self.steps[u.ix()])).sum();
            for die in 1..=6 {
                let chance = chance / 6.0;
                let result = self.result(lot.column, die);
                let r = &self.data.outcomes[usize::from(result)];
                let (own, foe) = self.toll(result, with, against);
                add_result(&mut out, &r.code, &r.text, chance);
                out.attacker_loss += chance * f64::from(own);
                out.defender_loss += chance * f64::from(foe);
                if r.retreat || foe == steps {
                    out.taken += chance;
                }
            }
            if lot.column == Column::Below {
                out.notes.push("Below the table no die is thrown (8.7).".into());
            }
        }
        if worlds.len() > 1 {
            out.notes
                .push("A concealed counter is there: each possibility counts by its chance (7.1).".into());
        }
        if self.data.town(target).is_some() {
            out.notes.push("In a town the defender may stand fast instead of retreating (8.10); he is reckoned to where he has no way back.".into());
        }
        odds.dedup();
        out.odds = odds.join(" or ");
        out.sums.push(sum(lexicon, "shift", &shift));
        out
    }
}

fn add_column(f: &mut Forecast, column: String, chance: f64) {
    match f.columns.iter_mut().find(|c| c.column == column) {
        Some(c) => c.chance += chance,
        None => f.columns.push(ColumnChance { column, chance }),
    }
}

fn add_result(f: &mut Forecast, code: &str, text: &str, chance: f64) {
    match f.results.iter_mut().find(|r| r.code == code) {
        Some(r) => r.chance += chance,
        None => f.results.push(ResultChance { code: code.into(), text: text.into(), chance }),
    }
}
