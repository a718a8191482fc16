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
use game::situation::{HeadReader, HeadWriter, word_of, words_of};
use hex::Hex;
use table::{BoxId, Place, Side, Unit};
use text::Faults;
use toml::Table;

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

/// Weather by the words of `at.weather`.
const WEATHER: [(&str, Weather); 5] =
    [("D", Weather::D), ("R", Weather::R), ("M", Weather::M), ("F", Weather::F), ("S", Weather::S)];

/// What an uncompleted line is, by the words of `at.lines`.
const LINES: [(&str, u8); 3] = [("uncompleted", 0), ("intact", 1), ("aborted", 2)];

impl Pos {
    /// Sets this position up from the head of a situation.
    pub fn read_situation(&mut self, t: &Table, faults: &mut Faults) {
        self.s.step = Step::Move(Side::One);
        self.s.couplet = 1;
        let data = self.data.clone();
        let mut r = HeadReader::new(&data.lexicon, faults);
        let (at, units) = r.parts(t);
        self.read_at(&at, &mut r);
        for u in &units {
            self.read_unit(u, &mut r);
        }
        self.refresh_ready();
        self.check_supply(Side::One);
        self.check_supply(Side::Two);
    }

    fn read_at(&mut self, at: &Table, r: &mut HeadReader<'_>) {
        let last = self.data.charts.turns.len() as u8;
        for (k, v) in at {
            let yes = v.as_bool().unwrap_or(false);
            match k.as_str() {
                "turn" => self.s.turn = r.small(v, 1..=last),
                "couplet" => self.s.couplet = r.small(v, 0..=2),
                "phase" => self.s.step = r.word("phase", v, &PHASES).unwrap_or(self.s.step),
                "vp" => self.s.vp = r.number(v, -999..=999) as i16,
                "weather" => {
                    for (z, w) in v.as_array().into_iter().flatten().enumerate().take(2) {
                        self.s.weather[z] = r.word("weather", w, &WEATHER).unwrap_or(self.s.weather[z]);
                    }
                }
                "german" => self.s.german_held = &r.hexes(v) & &self.data.map.held,
                "destroyed" => self.s.destroyed = r.hexes(v),
                "hedgehogs" => self.s.hedgehogs = r.hexes(v),
                "lines" => {
                    for (name, state) in v.as_table().into_iter().flatten() {
                        let i = self.data.charts.fort_lines.iter().position(|l| l.name == *name);
                        match (i, r.word("state of a line", state, &LINES)) {
                            (Some(i), Some(n)) => self.s.lines[i] = n,
                            (None, _) => r.fault(format!("lines: '{name}' is no line of works")),
                            (Some(_), None) => {}
                        }
                    }
                }
                "replacements" => self.s.replacements = r.small(v, 0..=28),
                "pause" => {
                    self.s.pause = match v.as_str() {
                        Some("done") => Pause::Done,
                        _ => Pause::Running(r.small(v, 1..=3)),
                    }
                }
                "refits_over" => self.s.refits_over = yes,
                "highway_over" => self.s.highway_over = yes,
                "moscow_rolled" => self.s.moscow_rolled = yes,
                "concentrated" => self.s.concentrated = yes,
                "soviet_air" => self.s.soviet_air = yes,
                "sea_used" => self.s.sea_used = r.small(v, 0..=5),
                "invaded" => self.s.invaded = r.hex(v).unwrap_or(self.s.invaded),
                "conversions" => {
                    for (name, n) in v.as_table().into_iter().flatten() {
                        match self.data.units.pools.iter().position(|p| p.name == *name) {
                            Some(i) => self.s.conversions[i] = r.small(n, 0..=15),
                            None => r.fault(format!("conversions: '{name}' is no pool")),
                        }
                    }
                }
                _ => r.fault(format!("at: '{k}' is not understood")),
            }
        }
    }

    fn read_unit(&mut self, t: &Table, r: &mut HeadReader<'_>) {
        let Some((u, place)) = r.unit(t) else { return };
        if let Some(i) = self.air_index(u) {
            self.s.air[i] = place.hex().unwrap_or(Hex::NONE);
            return;
        }
        let code = self.code(u).to_string();
        if let Place::Hex(h) = place
            && (!self.data.map.land.contains(h) || self.enemy_at(self.info(u).side, h))
        {
            return r.fault(format!("{code} cannot stand in {}", self.data.lexicon.hex(h)));
        }
        self.put(u, place);
        for (k, v) in HeadReader::rest(t) {
            match k {
                "steps" => {
                    let full = self.info(u).faces.len().max(1) as u8;
                    self.s.steps[u.ix()] = r.steps(u, v, full).unwrap_or(full);
                }
                "printed" => self.read_printed(u, v.as_str().unwrap_or(""), r),
                "flags" => self.mark(u, r.bits("flag", v, &FLAGS)),
                _ => r.fault(format!("{code}: '{k}' is not understood")),
            }
        }
        if place == Place::Box(boxes::DEAD) {
            self.s.steps[u.ix()] = 0;
        }
    }

    /// Says which printed counter a Soviet unit has turned out to be: by its short name, or by its figures.
    fn read_printed(&mut self, u: Unit, name: &str, r: &mut HeadReader<'_>) {
        let code = self.code(u).to_string();
        let Some(pool) = self.data.units.pools.get(usize::from(self.info(u).pool)).cloned() else {
            return r.fault(format!("{code} is no untried unit"));
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
            None => r.fault(format!("{code}: '{name}' is not left in the pool {}", pool.name)),
        }
    }

    /// The head of a situation that sets this position up again; none in the middle of something.
    pub fn write_situation(&self) -> Option<Table> {
        if !self.s.frames.is_empty() || self.s.used.iter().any(|&n| n > 0) {
            return None;
        }
        let s = &self.s;
        let mut w = HeadWriter::new(&self.data.lexicon);
        w.put("turn", s.turn);
        w.put("couplet", s.couplet);
        w.put("phase", word_of(&PHASES, &s.step)?);
        w.put("vp", i32::from(s.vp));
        w.put("weather", s.weather.iter().filter_map(|x| word_of(&WEATHER, x)).collect::<Vec<_>>());
        w.put("german", w.hexes(&s.german_held));
        w.put("destroyed", w.hexes(&s.destroyed));
        w.put("hedgehogs", w.hexes(&s.hedgehogs));
        let lines = self.data.charts.fort_lines.iter().zip(&s.lines);
        let lines = lines.filter_map(|(l, n)| Some((l.name.clone(), word_of(&LINES, n)?.into())));
        w.put("lines", lines.collect::<Table>());
        w.put("replacements", s.replacements);
        match s.pause {
            Pause::None => {}
            Pause::Running(n) => w.put("pause", n),
            Pause::Done => w.put("pause", "done"),
        }
        w.put("refits_over", s.refits_over);
        w.put("highway_over", s.highway_over);
        w.put("moscow_rolled", s.moscow_rolled);
        w.put("concentrated", s.concentrated);
        w.put("soviet_air", s.soviet_air);
        w.put("sea_used", s.sea_used);
        if s.invaded.is_some() {
            w.put("invaded", w.hex(s.invaded));
        }
        let pools = self.data.units.pools.iter().zip(&s.conversions).filter(|(_, n)| **n > 0);
        w.put("conversions", pools.map(|(p, n)| (p.name.clone(), (*n).into())).collect::<Table>());
        for h in self.data.map.grid().hexes() {
            let stack: Vec<Unit> = self.at(h).collect();
            stack.iter().rev().for_each(|&u| self.write_unit(u, Place::Hex(h), &mut w));
        }
        let fresh = crate::state::State::new(&self.data);
        // What lies on top was put there last, in boxes too: some rules take from the top.
        for b in (0..self.data.box_count as u16).map(|b| Place::Box(BoxId(b))) {
            let stack: Vec<Unit> = s.stacks.of(b).filter(|&u| fresh.stacks.place(u) != b).collect();
            stack.iter().rev().for_each(|&u| self.write_unit(u, b, &mut w));
        }
        for (i, h) in s.air.iter().enumerate().filter(|(_, h)| h.is_some()) {
            w.unit(self.air_unit(i), Place::Hex(*h));
        }
        Some(w.finish())
    }

    fn write_unit(&self, u: Unit, at: Place, w: &mut HeadWriter<'_>) {
        let t = w.unit(u, at);
        let full = self.info(u).faces.len().max(1) as u8;
        let steps = self.s.steps[u.ix()];
        if steps != full && steps > 0 {
            t.insert("steps".into(), steps.into());
        }
        let p = self.s.printed[u.ix()];
        if p != UNTRIED {
            t.insert("printed".into(), self.data.units.printed[usize::from(p)].name.as_str().into());
        }
        t.extend(words_of(&FLAGS, self.s.flags[u.ix()]).map(|f| ("flags".to_string(), f)));
    }
}
