//! What to do in the phases that only this game has: set-up, arrivals, replacements and refits, aircraft.

use super::pool_means;
use crate::state::{Pos, Step};
use crate::units::Class;
use crate::verbs;
use game::{Choice, Object};
use hex::Hex;
use table::{Side, Unit};

/// German units farther from a place than this do not threaten it yet.
const NEAR: f64 = 12.0;

impl Pos {
    /// 3.2-3.7: as the armies stood in history, as far as that is legal; what is left is filled in.
    pub(super) fn advise_set_up(&self, choices: &[Choice]) -> Option<Choice> {
        let soviet = self.s.step == Step::SetUpSoviet;
        let of = |s: &crate::data::Scenario| if soviet { s.soviet.clone() } else { s.german.clone() };
        let file = self.data.scenarios.iter().map(of).find(|f| !f.is_empty() && f != "free")?;
        let fill = choices.iter().copied().find(|c| c.verb == verbs::FILL);
        let columns: &[&str] = if soviet { &["pool", "count", "hex"] } else { &["unit", "hex"] };
        let mut faults = text::Faults::new();
        let Some(t) = text::Tsv::read(&self.data.files, &file, columns, &[], &mut faults) else {
            return fill;
        };
        let grid = self.data.map.grid();
        let pool_of =
            |u: Unit| self.data.units.pools.get(usize::from(self.info(u).pool)).map(|p| p.name.as_str());
        for row in t.rows() {
            let at = row.get("hex");
            let hex = grid.find(at);
            let wanted = |u: Unit| {
                if soviet { pool_of(u) == Some(row.get("pool")) } else { self.code(u) == row.get("unit") }
            };
            if let (true, Some(h)) = (soviet, hex) {
                let there = self.at(h).filter(|&u| wanted(u)).count();
                if there >= row.get("count").parse().unwrap_or(0) {
                    continue;
                }
            }
            let fits = |c: &&Choice| match c.object {
                Object::At(u, h) => Some(h) == hex && wanted(u),
                Object::Into(u, b) => hex.is_none() && self.data.lexicon.find_box(at) == Some(b) && wanted(u),
                _ => false,
            };
            if let Some(c) = choices.iter().filter(|c| c.verb == verbs::PLACE).find(fits) {
                return Some(*c);
            }
        }
        fill
    }

    /// 8.7, 8.11: Guards are raised; what arrives goes where a place is threatened most and held least, else towards the front.
    pub(super) fn advise_arrival(&self, choices: &[Choice]) -> Option<Choice> {
        if let Some(c) = choices.iter().find(|c| c.verb == verbs::CONVERT) {
            return Some(*c);
        }
        let first =
            choices.iter().find_map(|c| if let Object::At(u, _) = c.object { Some(u) } else { None })?;
        let grid = self.data.map.grid();
        let means = pool_means(self);
        let german: Vec<(Hex, f64)> = self
            .s
            .stacks
            .units()
            .filter(|&u| self.info(u).side == Side::One)
            .filter_map(|u| Some((self.on_map(u)?, self.known(&means, u).0)))
            .collect();
        let mut needs: Vec<(Hex, f64)> = Vec::new();
        for (g, worth) in self.places().into_iter().filter(|(h, _)| !self.s.german_held.contains(*h)) {
            let near = |h: Hex| f64::from(grid.distance(h, g));
            let reach = |h: Hex| if near(h) <= NEAR { 1.0 / (1.0 + near(h) / 3.0) } else { 0.0 };
            let threat: f64 = german.iter().map(|&(h, a)| a * reach(h)).sum();
            let there: f64 = self.at(g).map(|u| self.known(&means, u).1).sum();
            let beside: f64 = grid
                .neighbours(g)
                .flat_map(|(_, n)| self.at(n))
                .filter(|&u| self.info(u).side == Side::Two)
                .map(|u| self.known(&means, u).1)
                .sum();
            let held = (there + beside / 2.0) * f64::from(self.cover(g));
            needs.push((g, worth * threat / (held + 10.0)));
        }
        let score = |h: Hex| {
            let by = |&(g, need): &(Hex, f64)| need * (-f64::from(grid.distance(h, g)) / 2.0).exp();
            let need = needs.iter().map(by).fold(0.0, f64::max);
            let front = german.iter().map(|&(g, _)| grid.distance(g, h)).min().unwrap_or(0);
            need - 0.001 * f64::from(front)
        };
        choices
            .iter()
            .filter_map(|c| match c.object {
                Object::At(u, h) if u == first && c.verb == verbs::PLACE => Some((score(h), *c)),
                _ => None,
            })
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|(_, c)| c)
    }

    /// 8.15-8.19: steps go to what is weakest far from the enemy first; withdrawals are paid with what is least.
    pub(super) fn advise_refit(&self, choices: &[Choice]) -> Option<Choice> {
        let unit = |c: &Choice| if let Object::Unit(u) = c.object { Some(u) } else { None };
        let means = pool_means(self);
        let strength = |u: Unit| self.known(&means, u).0;
        let best = |verb, score: &dyn Fn(Unit) -> f64| {
            choices
                .iter()
                .filter(|c| c.verb == verb)
                .filter_map(|c| unit(c).map(|u| (*c, score(u))))
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(c, _)| c)
        };
        let owed = choices.iter().any(|c| c.verb == verbs::WITHDRAW);
        if owed {
            return best(verbs::WITHDRAW, &|u| -strength(u));
        }
        if let Some(c) = best(verbs::REPLACE, &strength) {
            return Some(c);
        }
        // A division that refits sits out the turn: only those that have lost half or more, and away from the enemy.
        let worn = |u: Unit| {
            let full = self.info(u).faces.len() as f64;
            let left = f64::from(self.s.steps[u.ix()]);
            let free = self.on_map(u).is_none_or(|h| !self.beside(Side::Two, h));
            if free && left * 2.0 <= full { full - left } else { -1.0 }
        };
        best(verbs::REFIT, &worn).filter(|c| unit(c).is_some_and(|u| worn(u) > 0.0))
    }

    /// 10.2: aircraft go to the strongest stack that stands beside the enemy.
    pub(super) fn advise_support(&self, side: Side, choices: &[Choice]) -> Option<Choice> {
        let means = pool_means(self);
        let score = |c: &Choice| {
            let Object::At(_, h) = c.object else { return 0.0 };
            let attack: f64 = self.at(h).map(|u| self.known(&means, u).0).sum();
            let mobile = self.at(h).any(|u| self.info(u).class == Class::Mech);
            let near = self.beside(side.foe(), h);
            attack * if near { 2.0 } else { 0.2 } * if mobile { 1.5 } else { 1.0 }
        };
        choices
            .iter()
            .filter(|c| c.verb == verbs::SUPPORT)
            .max_by(|a, b| score(a).total_cmp(&score(b)))
            .filter(|c| score(c) > 1.0)
            .copied()
    }
}
