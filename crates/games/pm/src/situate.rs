//! Positions set up from text: the head of a situation file, and a scenario's whole position.
//!
//! `[at]` knows: `turn`, `couplet`, `phase` (see [`PHASES`]), `vp`, `weather = ["D", "D"]` (north, south), `german` (towns
//! held by the German side), `destroyed`, `hedgehogs` (lists of hexes), `lines = { luga-north = "intact" }` (or `aborted`,
//! `uncompleted`), `replacements`, `pause` (couplets left, or `"done"`), `refits_over`, `highway_over`, `moscow_rolled`,
//! `concentrated`, `soviet_air`, `conversions = { RD = 7 }`, `sea_used`, `invaded` (the coast being invaded).
//!
//! `[[unit]]` knows: `counter` (a unit's code), `hex` (a hex, or a box), `steps`, `printed` (which counter a Soviet unit has
//! turned out to be), `flags` (`moved`, `raised`, `attacked`, `defended`, `retreated`, `stays`, `refitted`, `chosen`, `boxed`). Units that are
//! not named wait off the map. Units listed later lie on top.

use crate::charts::Weather;
use crate::data::boxes;
use crate::state::{Pause, Pos, Step, UNTRIED, flag};
use hex::{Hex, HexSet};
use table::{BoxId, Place, Side, Unit};
use text::Faults;
use toml::{Table, Value};

/// Phases by the words of `at.phase`.
pub const PHASES: [(&str, Step); 17] = [
    ("soviet set-up", Step::SetUpSoviet),
    ("german set-up", Step::SetUpGerman),
    ("callout", Step::Callout),
    ("arrivals", Step::Arrivals),
    ("orders", Step::Orders),
    ("refit", Step::Refit),
    ("german support", Step::Commit),
    ("hedgehogs", Step::Hedgehogs),
    ("german movement", Step::Move(Side::One)),
    ("german combat", Step::Fight(Side::One)),
    ("reserve", Step::Reserve),
    ("soviet support", Step::CommitSoviet),
    ("sea", Step::Sea),
    ("soviet movement", Step::Move(Side::Two)),
    ("soviet combat", Step::Fight(Side::Two)),
    ("pause", Step::Pause),
    ("over", Step::Over),
];

const FLAGS: [(&str, u16); 11] = [
    ("raised", flag::RAISED),
    ("sailed", flag::SAILED),
    ("moved", flag::MOVED),
    ("attacked", flag::ATTACKED),
    ("defended", flag::DEFENDED),
    ("retreated", flag::RETREATED),
    ("stays", flag::STAYS),
    ("refitted", flag::REFITTED),
    ("chosen", flag::CHOSEN),
    ("boxed", flag::BOXED),
    ("no-move", flag::NO_MOVE),
];

const FILE: &str = "situation";

fn fault(faults: &mut Faults, what: impl Into<String>) {
    faults.add(FILE, None, what);
}

fn weather_of(s: &str) -> Option<Weather> {
    [Weather::D, Weather::R, Weather::M, Weather::F, Weather::S].into_iter().find(|w| format!("{w:?}") == s)
}

impl Pos {
    /// Sets this position up from the head of a situation.
    pub fn read_situation(&mut self, t: &Table, faults: &mut Faults) {
        self.s.step = Step::Move(Side::One);
        self.s.couplet = 1;
        for (k, v) in t {
            match (k.as_str(), v) {
                ("at", Value::Table(at)) => self.read_at(at, faults),
                ("unit", Value::Array(units)) => {
                    for u in units {
                        match u {
                            Value::Table(u) => self.read_unit(u, faults),
                            _ => fault(faults, "each [[unit]] is a table"),
                        }
                    }
                }
                _ => fault(faults, format!("'{k}' is not understood; expected [at] and [[unit]]")),
            }
        }
        self.refresh_ready();
        self.check_supply(Side::One);
        self.check_supply(Side::Two);
    }

    fn hexes(&self, v: &Value, faults: &mut Faults) -> HexSet {
        let mut set = HexSet::empty();
        for h in v.as_array().into_iter().flatten() {
            match h.as_str().and_then(|s| self.data.map.grid().find(s)) {
                Some(h) => {
                    set.insert(h);
                }
                None => fault(faults, format!("{h} is no hex")),
            }
        }
        set
    }

    fn read_at(&mut self, at: &Table, faults: &mut Faults) {
        let last = self.data.charts.turns.len() as i64;
        let number = |v: &Value, low: i64, high: i64, faults: &mut Faults| -> i64 {
            let n = v.as_integer().unwrap_or(i64::MIN);
            if !(low..=high).contains(&n) {
                fault(faults, format!("{v} is out of range; expected {low} to {high}"));
            }
            n.clamp(low, high)
        };
        for (k, v) in at {
            let yes = v.as_bool().unwrap_or(false);
            match k.as_str() {
                "turn" => self.s.turn = number(v, 1, last, faults) as u8,
                "couplet" => self.s.couplet = number(v, 0, 2, faults) as u8,
                "phase" => match PHASES.iter().find(|(n, _)| Some(*n) == v.as_str()) {
                    Some((_, step)) => self.s.step = *step,
                    None => {
                        let names: Vec<_> = PHASES.iter().map(|p| p.0).collect();
                        fault(faults, format!("{v} is no phase; expected one of {}", names.join(", ")));
                    }
                },
                "vp" => self.s.vp = number(v, -999, 999, faults) as i16,
                "weather" => {
                    for (z, w) in v.as_array().into_iter().flatten().enumerate().take(2) {
                        match w.as_str().and_then(weather_of) {
                            Some(w) => self.s.weather[z] = w,
                            None => fault(faults, format!("{w} is no weather; expected D, R, M, F or S")),
                        }
                    }
                }
                "german" => self.s.german_held = &self.hexes(v, faults) & &self.data.map.held,
                "destroyed" => self.s.destroyed = self.hexes(v, faults),
                "hedgehogs" => self.s.hedgehogs = self.hexes(v, faults),
                "lines" => {
                    for (name, state) in v.as_table().into_iter().flatten() {
                        let i = self.data.charts.fort_lines.iter().position(|l| l.name == *name);
                        let n = ["uncompleted", "intact", "aborted"]
                            .iter()
                            .position(|s| Some(*s) == state.as_str());
                        match (i, n) {
                            (Some(i), Some(n)) => self.s.lines[i] = n as u8,
                            _ => fault(faults, format!("lines: '{name} = {state}' is not understood")),
                        }
                    }
                }
                "replacements" => self.s.replacements = number(v, 0, 28, faults) as u8,
                "pause" => {
                    self.s.pause = match v.as_str() {
                        Some("done") => Pause::Done,
                        _ => Pause::Running(number(v, 1, 3, faults) as u8),
                    }
                }
                "refits_over" => self.s.refits_over = yes,
                "highway_over" => self.s.highway_over = yes,
                "moscow_rolled" => self.s.moscow_rolled = yes,
                "concentrated" => self.s.concentrated = yes,
                "soviet_air" => self.s.soviet_air = yes,
                "sea_used" => self.s.sea_used = number(v, 0, 5, faults) as u8,
                "invaded" => match v.as_str().and_then(|s| self.data.map.grid().find(s)) {
                    Some(h) => self.s.invaded = h,
                    None => fault(faults, format!("invaded: {v} is no hex")),
                },
                "conversions" => {
                    for (name, n) in v.as_table().into_iter().flatten() {
                        match self.data.units.pools.iter().position(|p| p.name == *name) {
                            Some(i) => self.s.conversions[i] = number(n, 0, 15, faults) as u8,
                            None => fault(faults, format!("conversions: '{name}' is no pool")),
                        }
                    }
                }
                _ => fault(faults, format!("at: '{k}' is not understood")),
            }
        }
    }

    fn read_unit(&mut self, t: &Table, faults: &mut Faults) {
        let code = t.get("counter").and_then(Value::as_str).unwrap_or("");
        let Some(u) = self.data.lexicon.find_unit(code) else {
            return fault(faults, format!("there is no unit '{code}'"));
        };
        let at = t.get("hex").or_else(|| t.get("at")).and_then(Value::as_str).unwrap_or("");
        let place = match (self.data.map.grid().find(at), self.data.lexicon.find_box(at)) {
            (Some(h), _) => Place::Hex(h),
            (None, Some(b)) => Place::Box(b),
            _ => return fault(faults, format!("{code}: '{at}' is neither a hex nor a box")),
        };
        if let Some(i) = self.air_index(u) {
            self.s.air[i] = place.hex().unwrap_or(Hex::NONE);
            return;
        }
        if let Place::Hex(h) = place
            && (!self.data.map.land.contains(h) || self.enemy_at(self.info(u).side, h))
        {
            return fault(faults, format!("{code} cannot stand in {at}"));
        }
        self.put(u, place);
        for (k, v) in t {
            match k.as_str() {
                "counter" | "hex" | "at" => {}
                "steps" => {
                    let full = self.info(u).faces.len().max(1) as i64;
                    match v.as_integer().filter(|n| (1..=full).contains(n)) {
                        Some(n) => self.s.steps[u.ix()] = n as u8,
                        None => fault(faults, format!("{code}: steps from 1 to {full}, not {v}")),
                    }
                }
                "printed" => self.read_printed(u, v.as_str().unwrap_or(""), faults),
                "flags" => {
                    for f in v.as_array().into_iter().flatten() {
                        match FLAGS.iter().find(|(n, _)| Some(*n) == f.as_str()) {
                            Some((_, bit)) => self.mark(u, *bit),
                            None => fault(faults, format!("{code}: {f} is no flag")),
                        }
                    }
                }
                _ => fault(faults, format!("{code}: '{k}' is not understood")),
            }
        }
        if place == Place::Box(boxes::DEAD) {
            self.s.steps[u.ix()] = 0;
        }
    }

    /// Says which printed counter a Soviet unit has turned out to be: by its short name, or by its figures.
    fn read_printed(&mut self, u: Unit, name: &str, faults: &mut Faults) {
        let code = self.code(u).to_string();
        let Some(pool) = self.data.units.pools.get(usize::from(self.info(u).pool)).cloned() else {
            return fault(faults, format!("{code} is no untried unit"));
        };
        let found = (pool.first..pool.last).find(|&p| {
            let c = &self.data.units.printed[usize::from(p)];
            self.s.in_pool[usize::from(p)] && (c.name == name || c.face.to_string() == name)
        });
        match found {
            Some(p) => {
                self.s.in_pool[usize::from(p)] = false;
                self.s.printed[u.ix()] = p;
            }
            None => fault(faults, format!("{code}: '{name}' is not left in the pool {}", pool.name)),
        }
    }

    /// The head of a situation that sets this position up again; none in the middle of something.
    pub fn write_situation(&self) -> Option<Table> {
        if !self.s.frames.is_empty() || self.s.used.iter().any(|&n| n > 0) {
            return None;
        }
        let grid = self.data.map.grid();
        let list = |set: &HexSet| {
            Value::Array(set.iter().map(|h| Value::String(grid.name(h).to_string())).collect())
        };
        let mut at = Table::new();
        let mut put = |k: &str, v: Value| {
            at.insert(k.into(), v);
        };
        put("turn", Value::Integer(self.s.turn.into()));
        put("couplet", Value::Integer(self.s.couplet.into()));
        let phase = PHASES.iter().find(|(_, s)| *s == self.s.step)?.0;
        put("phase", Value::String(phase.into()));
        put("vp", Value::Integer(self.s.vp.into()));
        let weather = self.s.weather.iter().map(|w| Value::String(format!("{w:?}"))).collect();
        put("weather", Value::Array(weather));
        put("german", list(&self.s.german_held));
        put("destroyed", list(&self.s.destroyed));
        put("hedgehogs", list(&self.s.hedgehogs));
        let names = ["uncompleted", "intact", "aborted"];
        let lines = self.data.charts.fort_lines.iter().zip(&self.s.lines);
        let lines: Table = lines
            .map(|(l, n)| (l.name.clone(), Value::String(names[usize::from(*n).min(2)].into())))
            .collect();
        put("lines", Value::Table(lines));
        put("replacements", Value::Integer(self.s.replacements.into()));
        match self.s.pause {
            Pause::None => {}
            Pause::Running(n) => put("pause", Value::Integer(n.into())),
            Pause::Done => put("pause", Value::String("done".into())),
        }
        put("refits_over", Value::Boolean(self.s.refits_over));
        put("highway_over", Value::Boolean(self.s.highway_over));
        put("moscow_rolled", Value::Boolean(self.s.moscow_rolled));
        put("concentrated", Value::Boolean(self.s.concentrated));
        put("soviet_air", Value::Boolean(self.s.soviet_air));
        put("sea_used", Value::Integer(self.s.sea_used.into()));
        if self.s.invaded.is_some() {
            put("invaded", Value::String(grid.name(self.s.invaded).to_string()));
        }
        let pools = self.data.units.pools.iter().zip(&self.s.conversions).filter(|(_, n)| **n > 0);
        let conversions: Table = pools.map(|(p, n)| (p.name.clone(), Value::Integer((*n).into()))).collect();
        put("conversions", Value::Table(conversions));
        let mut units = Vec::new();
        for h in grid.hexes() {
            let stack: Vec<Unit> = self.at(h).collect();
            units.extend(stack.iter().rev().map(|&u| self.write_unit(u, &grid.name(h).to_string())));
        }
        let fresh = crate::state::State::new(&self.data);
        // What lies on top was put there last, in boxes too: some rules take from the top.
        for b in (0..self.data.box_count as u16).map(BoxId) {
            let stack: Vec<Unit> =
                self.boxed(b).filter(|&u| fresh.stacks.place(u) != Place::Box(b)).collect();
            units.extend(stack.iter().rev().map(|&u| self.write_unit(u, self.data.lexicon.boxed(b))));
        }
        for (i, h) in self.s.air.iter().enumerate().filter(|(_, h)| h.is_some()) {
            let mut t = Table::new();
            t.insert("counter".into(), Value::String(self.code(self.air_unit(i)).into()));
            t.insert("hex".into(), Value::String(grid.name(*h).to_string()));
            units.push(Value::Table(t));
        }
        let mut out = Table::new();
        out.insert("at".into(), Value::Table(at));
        out.insert("unit".into(), Value::Array(units));
        Some(out)
    }

    fn write_unit(&self, u: Unit, at: &str) -> Value {
        let mut t = Table::new();
        t.insert("counter".into(), Value::String(self.code(u).into()));
        t.insert("hex".into(), Value::String(at.into()));
        let full = self.info(u).faces.len().max(1) as u8;
        if self.s.steps[u.ix()] != full && self.s.steps[u.ix()] > 0 {
            t.insert("steps".into(), Value::Integer(self.s.steps[u.ix()].into()));
        }
        let p = self.s.printed[u.ix()];
        if p != UNTRIED {
            t.insert("printed".into(), Value::String(self.data.units.printed[usize::from(p)].name.clone()));
        }
        let flags: Vec<Value> = FLAGS
            .iter()
            .filter(|(_, bit)| self.s.flags[u.ix()] & bit != 0)
            .map(|(n, _)| Value::String((*n).into()))
            .collect();
        if !flags.is_empty() {
            t.insert("flags".into(), Value::Array(flags));
        }
        Value::Table(t)
    }
}
