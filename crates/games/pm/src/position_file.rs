//! A scenario's whole position, read from a table: `setups/typhoon.tsv` says which words it knows.

use crate::data::{Data, boxes};
use crate::state::{Pos, flag};
use crate::units::{Comes, trait_};
use hex::Hex;
use table::{Place, Side, Unit};
use text::{Faults, Row, Tsv};

impl Pos {
    /// Reads a scenario's whole position.
    pub fn read_position(&mut self, file: &str, faults: &mut Faults) {
        let data = self.data.clone();
        let want = ["what", "value", "hex", "steps", "count"];
        let Some(t) = Tsv::read(&data.files, file, &want, &[], faults) else { return };
        let first = data.scenarios[self.scenario].first_turn;
        for row in t.rows().filter(|r| r.get("what") == "brigades") {
            let left = row.parse::<usize>("count", "a number", faults).unwrap_or(0);
            let waiting: Vec<Unit> = self.boxed(boxes::DICE).collect();
            let come = waiting.len().saturating_sub(left);
            for &u in waiting.iter().take(come) {
                self.into_box(u, boxes::TRAY);
            }
        }
        for turn in 2..first {
            for u in self.boxed(Data::track(turn)).collect::<Vec<_>>() {
                self.into_box(u, boxes::TRAY);
            }
        }
        for u in self.boxed(boxes::GUARDS).collect::<Vec<_>>() {
            if matches!(self.info(u).comes, Comes::Convert(t) if t < first) {
                self.into_box(u, boxes::TRAY);
            }
        }
        // The dead come first, so that what they were is out of the pools before anything else.
        for row in t.rows().filter(|r| r.get("what") == "dead") {
            self.read_dead(&row, faults);
        }
        for row in t.rows() {
            self.read_row(&row, faults);
        }
        // Whatever the file does not name has been used up: Soviet units are dead, German ones wait in the OKH areas.
        for u in self.boxed(boxes::TRAY).collect::<Vec<_>>() {
            match (self.info(u).side, self.info(u).pool == crate::units::NO_POOL) {
                (Side::One, _) => self.into_box(u, boxes::OKH_NORTH),
                (Side::Two, true) => self.into_box(u, boxes::GONE),
                (Side::Two, false) => self.leave_out(u, file, faults),
            }
        }
        self.s.vp = self
            .data
            .map
            .held
            .iter()
            .filter(|&h| self.s.german_held.contains(h))
            .map(|h| self.vp_of(h))
            .sum();
        self.s.vp -= self.called_out() * data.charts.numbers.security_vp;
        for (i, line) in data.charts.fort_lines.iter().enumerate() {
            if self.s.lines[i] == 0 && line.activates < first {
                self.s.lines[i] = 1;
            }
        }
    }

    /// A Soviet unit that the file does not name can only be one that Guards were raised from (8.11).
    fn leave_out(&mut self, u: Unit, file: &str, faults: &mut Faults) {
        let pool = self.info(u).pool;
        let raised = |v: &Unit| {
            self.info(*v).raised_from == pool && self.s.stacks.place(*v) != Place::Box(boxes::GUARDS)
        };
        let raised = self.s.stacks.units().filter(raised).count();
        let gone = self.boxed(boxes::GONE).filter(|&v| self.info(v).pool == pool).count();
        if gone >= raised {
            let what = format!("{} is neither on the map nor among the dead", self.code(u));
            return faults.add(file, None, what);
        }
        let info = self.data.units.pools[usize::from(pool)].clone();
        if let Some(p) = (info.first..info.last).rev().find(|&p| self.s.in_pool[usize::from(p)]) {
            self.s.in_pool[usize::from(p)] = false;
            self.s.printed[u.ix()] = p;
        }
        self.into_box(u, boxes::GONE);
    }

    /// VP of a hex, Moscow's only once and only whole (4.3).
    fn vp_of(&self, h: Hex) -> i16 {
        let m = &self.data.map;
        if m.moscow.contains(h) && (m.moscow.first() != Some(h) || !m.moscow.is_subset(&self.s.german_held)) {
            return 0;
        }
        m.vp[h.ix()]
    }

    /// Groups of security divisions called out before the scenario begins.
    fn called_out(&self) -> i16 {
        let left = self.boxed(boxes::CALL).filter(|&u| self.is(u, trait_::SECURITY)).count();
        let all = self.data.units.of.iter().filter(|u| u.traits & trait_::SECURITY != 0).count();
        ((all - left) as i16) / self.data.charts.numbers.security_group.max(1)
    }

    /// Tokens of a pool still to be placed.
    fn free(&self, pool: &str) -> Vec<Unit> {
        let of = |u: &Unit| {
            self.data.units.pools.get(usize::from(self.info(*u).pool)).is_some_and(|p| p.name == pool)
        };
        self.tray(Side::Two).into_iter().filter(of).collect()
    }

    /// Dead units of a pool: their counters are taken evenly out of it, so that what is left is like the whole.
    fn read_dead(&mut self, row: &Row<'_>, faults: &mut Faults) {
        let pool = row.get("value");
        let Some(n) = row.parse::<usize>("count", "a number", faults) else { return };
        let free = self.free(pool);
        if free.len() < n {
            return row.fault(faults, format!("only {} {pool} are left", free.len()));
        }
        let Some(info) = self.data.units.pools.iter().find(|p| p.name == pool).cloned() else { return };
        let all = usize::from(info.last - info.first);
        for (k, &u) in free.iter().take(n).enumerate() {
            let p = usize::from(info.first) + k * all / n;
            self.s.in_pool[p] = false;
            self.s.printed[u.ix()] = p as u16;
            self.eliminate(u);
        }
    }

    fn read_row(&mut self, row: &Row<'_>, faults: &mut Faults) {
        let data = self.data.clone();
        let at = row.get("hex");
        let place = match (data.map.grid().find(at), data.lexicon.find_box(at)) {
            (Some(h), _) => Some(Place::Hex(h)),
            (None, Some(b)) => Some(Place::Box(b)),
            _ => None,
        };
        let hex = place.and_then(Place::hex);
        let value = row.get("value");
        match row.get("what") {
            "dead" | "brigades" => {}
            "unit" | "guards" => {
                let (Some(&u), Some(place)) = (data.units.by_code.get(value), place) else {
                    return row.fault(faults, format!("'{value}' at '{at}' is not understood"));
                };
                if let Some(i) = self.air_index(u) {
                    self.s.air[i] = place.hex().unwrap_or(Hex::NONE);
                    return;
                }
                let full = self.info(u).faces.len().max(1) as u8;
                let steps = row.parse_or_none::<u8>("steps", "a number", faults).unwrap_or(full);
                if steps == 0 || steps > full {
                    return row.fault(faults, format!("{value} has 1 to {full} steps, not {steps}"));
                }
                if place == Place::Box(boxes::DEAD) {
                    return self.eliminate(u);
                }
                self.s.steps[u.ix()] = steps;
                self.put_checked(u, place, row, faults);
            }
            "untried" => {
                let n = row.parse_or_none::<usize>("count", "a number", faults).unwrap_or(1);
                let free = self.free(value);
                let (Some(place), true) = (place, free.len() >= n) else {
                    return row.fault(faults, format!("{n} {value} at '{at}': only {} are left", free.len()));
                };
                for &u in free.iter().take(n) {
                    self.put_checked(u, place, row, faults);
                }
            }
            "control" => match hex.filter(|h| data.map.held.contains(*h)) {
                Some(h) => {
                    self.s.german_held.insert(h);
                }
                None => row.fault(faults, format!("'{at}' is no city or large town")),
            },
            "fort" => match hex {
                Some(h) => {
                    self.s.destroyed.insert(h);
                }
                None => row.fault(faults, format!("'{at}' is no hex")),
            },
            "line" => match data.charts.fort_lines.iter().position(|l| l.name == value) {
                Some(i) => self.s.lines[i] = 2,
                None => row.fault(faults, format!("'{value}' is no fort line")),
            },
            "refitted" => match data.units.by_code.get(value) {
                Some(&u) => self.mark(u, flag::REFITTED),
                None => row.fault(faults, format!("'{value}' is no unit")),
            },
            "number" => {
                let Some(n) = row.parse::<u8>("count", "a number", faults) else { return };
                match value {
                    "replacements" => self.s.replacements = n,
                    "called" => {}
                    _ => row.fault(faults, format!("'{value}' is no number of this game")),
                }
            }
            other => row.fault(faults, format!("'{other}' is not understood")),
        }
    }

    /// Puts a unit down if it may stand there.
    fn put_checked(&mut self, u: Unit, place: Place, row: &Row<'_>, faults: &mut Faults) {
        if let Place::Hex(h) = place {
            if !self.data.map.land.contains(h) || self.enemy_at(self.info(u).side, h) {
                return row
                    .fault(faults, format!("{} cannot stand in {}", self.code(u), self.data.map.called(h)));
            }
            let load = self.load_of(std::iter::once(u));
            if let Some(i) = self.why_overfull(&self.load_with(h, &load, &[]), h) {
                return row.fault(faults, i.to_string());
            }
        }
        self.put(u, place);
        if let Place::Hex(h) = place
            && self.info(u).side == Side::One
            && self.data.map.held.contains(h)
        {
            self.s.german_held.insert(h);
        }
    }
}
