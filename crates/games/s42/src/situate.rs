//! Any position from the head of a situation file, and back.
//!
//! `[at]` holds `turn`, `phase` (see [`PHASES`]) and may hold `weather`, `before` (the weather of the turn before), `mud`, `wet` (seasonal
//! marshes are marsh), `winter`, `interchange`, `soviet_first`, `axis` (cities and VP hexes the Axis controls; left out: those west
//! of the start line), `axis_ports`, `forts`, `building` (tables `axis`, `soviet` of hexes), `deactivated` (of `north`, `donets`,
//! `rostov`), `city_battles` (tables `hex`, `level`, `holder`), `railheads`, `railheads_moved` (those of them
//! that have moved this phase), `repaired`, `plans` (tables `hq`, `ready`), `resources`, `replacements` (a table by kind),
//! `caucasus_free`, `armies_free`, `front_called`, `front_due`, `offensive`, `vasilevsky`, `elbrus`, `baku`,
//! `special_debt`, `railed`, `sailed`, `flotilla`, `masks`, `assigned`.
//!
//! Each `[[unit]]` holds `counter` and `hex` (a hex or a box), and may hold `steps` and `flags` (see [`FLAGS`]). Air units take the hex of
//! the stack they are with, and are listed after it (`with` names a unit of it). Units not named are out of play; units listed later lie on top.

use crate::charts::Weather;
use crate::data::{KINDS, boxes};
use crate::state::{CityBattle, Plan, Pos, Railhead, Step, flag};
use crate::units::is;
use hex::{Edge, Hex, HexSet};
use table::{Place, Side, Unit};
use text::Faults;
use toml::{Table, Value};

/// Phases by the words of `at.phase`.
pub const PHASES: [(&str, Step); 15] = [
    ("weather", Step::Weather),
    ("pre-move", Step::PreMove),
    ("axis initial", Step::Initial(Side::One)),
    ("axis movement", Step::Move(Side::One)),
    ("axis combat", Step::Fight(Side::One)),
    ("axis recovery", Step::Recovery(Side::One)),
    ("railheads", Step::Railheads),
    ("axis supply", Step::Supply(Side::One)),
    ("soviet initial", Step::Initial(Side::Two)),
    ("soviet movement", Step::Move(Side::Two)),
    ("soviet combat", Step::Fight(Side::Two)),
    ("soviet recovery", Step::Recovery(Side::Two)),
    ("soviet supply", Step::Supply(Side::Two)),
    ("victory", Step::Victory),
    ("over", Step::Over),
];

/// Flags of units by their words.
pub const FLAGS: [(&str, u32); 25] = [
    ("moved", flag::MOVED),
    ("attacked", flag::ATTACKED),
    ("advanced", flag::ADVANCED),
    ("retreated", flag::RETREATED),
    ("disrupted", flag::DISRUPTED),
    ("full-retreat", flag::FULL_RETREAT),
    ("out-of-supply", flag::OUT),
    ("isolated", flag::ISOLATED),
    ("used", flag::USED),
    ("train", flag::TRAIN),
    ("replaced", flag::REPLACED),
    ("auto-ds", flag::AUTO_DS),
    ("reserve", flag::RESERVE),
    ("ready", flag::READY),
    ("voluntary", flag::VOLUNTARY),
    ("upgraded", flag::UPGRADED),
    ("just-in", flag::JUST_IN),
    ("freed", flag::FREED),
    ("tried", flag::TRIED),
    ("waited", flag::WAITED),
    ("kept", flag::KEPT),
    ("revealed", flag::REVEALED),
    ("short", flag::SHORT),
    ("shipped", flag::SHIPPED),
    ("defended", flag::DEFENDED),
];

const FILE: &str = "situation";
const GROUPS: [&str; 3] = ["north", "donets", "rostov"];

fn fault(faults: &mut Faults, what: impl Into<String>) {
    faults.add(FILE, None, what);
}

fn side_of(s: &str) -> Option<Side> {
    match s {
        "axis" => Some(Side::One),
        "soviet" => Some(Side::Two),
        _ => None,
    }
}

fn side_word(s: Side) -> &'static str {
    if s == Side::One { "axis" } else { "soviet" }
}

impl Pos {
    /// Sets this position up from the head of a situation.
    pub fn read_situation(&mut self, t: &Table, faults: &mut Faults) {
        self.s.step = Step::Move(Side::One);
        self.s.turn = self.scenario().first_turn + 1;
        self.s.axis_held = &(&self.data.map.held & &self.data.map.west) & &self.scene().land;
        for u in self.data.air.clone() {
            self.s.stacks.put(u, Place::Box(boxes::AIR));
        }
        if let Some(Value::Table(at)) = t.get("at") {
            self.read_at(at, faults);
        }
        for (k, v) in t {
            match (k.as_str(), v) {
                ("at", Value::Table(_)) => {}
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
        self.rebuild_zones();
        self.check_supply(Side::One);
        self.check_supply(Side::Two);
        if let Err(why) = self.check() {
            fault(faults, why);
        }
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

    fn sided(&self, v: &Value, faults: &mut Faults) -> [HexSet; 2] {
        let mut out = [HexSet::empty(), HexSet::empty()];
        for (k, v) in v.as_table().into_iter().flatten() {
            match side_of(k) {
                Some(s) => out[s.ix()] = self.hexes(v, faults),
                None => fault(faults, format!("'{k}' is no side; expected axis or soviet")),
            }
        }
        out
    }

    fn read_at(&mut self, at: &Table, faults: &mut Faults) {
        let last = self.data.charts.turn.len() as i64;
        let number = |v: &Value, low: i64, high: i64, faults: &mut Faults| -> i64 {
            let n = v.as_integer().unwrap_or(i64::MIN);
            if !(low..=high).contains(&n) {
                fault(faults, format!("{v} is out of range; expected {low} to {high}"));
            }
            n.clamp(low, high)
        };
        let weather = |v: &Value, faults: &mut Faults| {
            Weather::ALL.into_iter().find(|w| Some(w.word()) == v.as_str()).unwrap_or_else(|| {
                fault(
                    faults,
                    format!("{v} is no weather; expected clear, overcast, overcast-w, rain or snow"),
                );
                Weather::Clear
            })
        };
        for (k, v) in at {
            let yes = v.as_bool().unwrap_or(false);
            match k.as_str() {
                "turn" => {
                    self.s.turn = number(v, 1, last, faults) as u8;
                    self.s.winter |= self.s.turn >= self.data.charts.weather.winter_from_turn;
                }
                "phase" => match PHASES.iter().find(|(n, _)| Some(*n) == v.as_str()) {
                    Some((_, step)) => self.s.step = *step,
                    None => {
                        let names: Vec<_> = PHASES.iter().map(|p| p.0).collect();
                        fault(faults, format!("{v} is no phase; expected one of {}", names.join(", ")));
                    }
                },
                "weather" => {
                    self.s.weather = weather(v, faults);
                    self.s.wet |= self.s.weather == Weather::Rain;
                }
                "before" => self.s.weather_before = weather(v, faults),
                "mud" => self.s.mud = yes,
                "wet" => self.s.wet = yes,
                "winter" => self.s.winter = yes,
                "interchange" => self.s.interchange = yes,
                "soviet_first" => self.s.soviet_first = yes,
                "axis" => self.s.axis_held = &self.hexes(v, faults) & &self.data.map.held,
                "axis_ports" => self.s.axis_ports = self.hexes(v, faults),
                "forts" => self.s.forts = self.sided(v, faults),
                "building" => self.s.building = self.sided(v, faults),
                "deactivated" => {
                    for g in v.as_array().into_iter().flatten() {
                        match GROUPS.iter().position(|n| Some(*n) == g.as_str()) {
                            Some(i) => self.s.deactivated[i] = true,
                            None => fault(faults, format!("{g} is no group of fortifications")),
                        }
                    }
                }
                "city_battles" => {
                    for c in v.as_array().into_iter().flatten() {
                        let word = |k: &str| c.get(k).and_then(Value::as_str).unwrap_or("");
                        let level = c.get("level").and_then(Value::as_integer).unwrap_or(1);
                        match (self.data.map.grid().find(word("hex")), side_of(word("holder"))) {
                            (Some(hex), Some(holder)) => {
                                self.s.city_battles.push(CityBattle {
                                    hex,
                                    level: level.clamp(1, 2) as u8,
                                    holder,
                                });
                            }
                            _ => fault(faults, format!("city_battles: {c} is not understood")),
                        }
                    }
                }
                "railheads" => {
                    // In the order of the list, which is that of their markers.
                    let all = self.hexes(v, faults);
                    let moved = at.get("railheads_moved").map(|v| self.hexes(v, faults)).unwrap_or_default();
                    let grid = self.data.map.grid();
                    let names = v.as_array().into_iter().flatten().filter_map(Value::as_str);
                    let heads = names.filter_map(|n| grid.find(n));
                    self.s.railheads = heads
                        .map(|hex| Railhead { moved: moved.contains(hex), ..Railhead::at(hex) })
                        .collect();
                    for h in moved.iter().filter(|&h| !all.contains(h)) {
                        fault(faults, format!("railheads_moved: no Railhead is in {}", grid.name(h)));
                    }
                }
                "railheads_moved" => {
                    if !at.contains_key("railheads") {
                        fault(faults, "railheads_moved names some of railheads, which are missing");
                    }
                }
                "repaired" => self.s.repaired = self.hexes(v, faults),
                "plans" => {
                    for p in v.as_array().into_iter().flatten() {
                        let code = p.get("hq").and_then(Value::as_str).unwrap_or("");
                        let ready = p.get("ready").and_then(Value::as_bool).unwrap_or(true);
                        match self.data.lexicon.find_unit(code) {
                            Some(hq) => self.s.plans.push(Plan { hq, ready }),
                            None => fault(faults, format!("plans: there is no unit '{code}'")),
                        }
                    }
                }
                "resources" => self.s.resources = number(v, 0, 9, faults) as u8,
                "replacements" => {
                    for (k, n) in v.as_table().into_iter().flatten() {
                        match KINDS.iter().position(|x| x == k) {
                            Some(i) => self.s.replacements[i] = number(n, 0, 20, faults) as u8,
                            None => fault(faults, format!("'{k}' is no kind of replacement")),
                        }
                    }
                }
                "caucasus_free" => self.s.caucasus_free = yes,
                "armies_free" => self.s.armies_free = number(v, 0, 511, faults) as u16,
                "front_called" => self.s.front_called = yes,
                "front_due" => self.s.front_due = number(v, 0, 9, faults) as u8,
                "offensive" => self.s.offensive = number(v, 0, last, faults) as u8,
                "vasilevsky" => self.s.vasilevsky = yes,
                "elbrus" => self.s.elbrus = yes,
                "baku" => self.s.baku = yes,
                "special_debt" => self.s.special_debt = number(v, 0, 9, faults) as u8,
                "railed" => self.s.railed = [number(v, 0, 4, faults) as u8, 0],
                "sailed" => self.s.sailed = [number(v, 0, 1, faults) as u8; 2],
                "flotilla" => {
                    self.s.flotilla = v.as_str().and_then(|t| Edge::read(self.data.map.grid(), t));
                }
                "assigned" => self.s.assigned = number(v, 0, 6, faults) as u8,
                "masks" => {
                    for (i, n) in v.as_array().into_iter().flatten().enumerate().take(6) {
                        self.s.masks[i] = number(n, 0, 5, faults) as u8;
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
        if self.is(u, is::AIR) {
            match place {
                Place::Hex(h) => {
                    let named = t.get("with").and_then(Value::as_str);
                    let named = named.and_then(|c| self.data.lexicon.find_unit(c));
                    let mut there = self.of_side(Side::One, h).filter(|&v| self.combat(v));
                    let with = match named {
                        Some(v) => there.find(|&w| w == v),
                        None => there.next(),
                    };
                    drop(there);
                    match with {
                        Some(v) => self.s.fight.escorts.push((u, v)),
                        None => fault(faults, format!("{code}: list the stack that it is with before it")),
                    }
                }
                Place::Box(_) => self.s.stacks.put(u, place),
            }
            return;
        }
        if let Place::Hex(h) = place
            && !self.scene().land.contains(h)
        {
            return fault(faults, format!("{code} cannot stand in {at}"));
        }
        self.s.stacks.put(u, place);
        for (k, v) in t {
            match k.as_str() {
                "counter" | "hex" | "at" => {}
                "steps" => {
                    let full = i64::from(self.info(u).steps) + 1;
                    match v.as_integer().filter(|n| (1..=full).contains(n)) {
                        Some(n) => self.s.steps[u.ix()] = n as u8,
                        None => fault(faults, format!("{code}: steps from 1 to {full}, not {v}")),
                    }
                }
                "flags" => {
                    for f in v.as_array().into_iter().flatten() {
                        match FLAGS.iter().find(|(n, _)| Some(*n) == f.as_str()) {
                            Some((_, bit)) => self.s.flags[u.ix()] |= bit,
                            None => fault(faults, format!("{code}: {f} is no flag")),
                        }
                    }
                }
                _ => fault(faults, format!("{code}: '{k}' is not understood")),
            }
        }
        if place == Place::Box(boxes::DEAD) && self.combat(u) {
            self.s.steps[u.ix()] = 0;
        }
        if let Place::Hex(h) = place
            && self.combat(u)
            && self.data.map.held.contains(h)
            && !self.s.city_battles.iter().any(|c| c.hex == h)
        {
            self.s.axis_held.set(h, self.side(u) == Side::One);
        }
    }

    /// The head of a situation that sets this position up again; none in the middle of something.
    pub fn write_situation(&self) -> Option<Table> {
        let s = &self.s;
        let fighting =
            !s.fight.battles.is_empty() || !s.fight.shattered.is_empty() || s.fight.vacated.is_some();
        let moving = s.railed != [0; 2] || s.rail_ferried > 0 || s.sailed != [0; 2] || s.strait > 0;
        let supplying = s.guards_replaced || s.army_freed || s.returned.iter().any(|r| !r.is_empty());
        let owing = s.transfers != [0; 2] || s.removals != [0; 3];
        if !s.frames.is_empty() || fighting || moving || supplying || owing {
            return None;
        }
        let grid = self.data.map.grid();
        let text = |h: Hex| Value::String(grid.name(h).to_string());
        let list = |set: &HexSet| Value::Array(set.iter().map(text).collect());
        let mut at = Table::new();
        let mut put = |k: &str, v: Value| {
            at.insert(k.into(), v);
        };
        let int = |n: i64| Value::Integer(n);
        put("turn", int(self.s.turn.into()));
        put("phase", Value::String(PHASES.iter().find(|(_, s)| *s == self.s.step)?.0.into()));
        put("weather", Value::String(self.s.weather.word().into()));
        put("before", Value::String(self.s.weather_before.word().into()));
        for (k, yes) in [
            ("mud", self.s.mud),
            ("wet", self.s.wet),
            ("winter", self.s.winter),
            ("interchange", self.s.interchange),
            ("soviet_first", self.s.soviet_first),
            ("caucasus_free", self.s.caucasus_free),
            ("front_called", self.s.front_called),
            ("vasilevsky", self.s.vasilevsky),
            ("elbrus", self.s.elbrus),
            ("baku", self.s.baku),
        ] {
            put(k, Value::Boolean(yes));
        }
        put("axis", list(&self.s.axis_held));
        put("axis_ports", list(&self.s.axis_ports));
        for (k, sets) in [("forts", &self.s.forts), ("building", &self.s.building)] {
            let t: Table =
                Side::BOTH.iter().map(|s| (side_word(*s).to_string(), list(&sets[s.ix()]))).collect();
            put(k, Value::Table(t));
        }
        let down = (0..3).filter(|&g| self.s.deactivated[g]).map(|g| Value::String(GROUPS[g].into()));
        put("deactivated", Value::Array(down.collect()));
        let battles = self.s.city_battles.iter().map(|c| {
            let mut t = Table::new();
            t.insert("hex".into(), text(c.hex));
            t.insert("level".into(), int(c.level.into()));
            t.insert("holder".into(), Value::String(side_word(c.holder).into()));
            Value::Table(t)
        });
        put("city_battles", Value::Array(battles.collect()));
        put("railheads", Value::Array(self.s.railheads.iter().map(|r| text(r.hex)).collect()));
        let moved = self.s.railheads.iter().filter(|r| r.moved);
        put("railheads_moved", Value::Array(moved.map(|r| text(r.hex)).collect()));
        put("repaired", list(&self.s.repaired));
        let plans = self.s.plans.iter().map(|p| {
            let mut t = Table::new();
            t.insert("hq".into(), Value::String(self.code(p.hq).into()));
            t.insert("ready".into(), Value::Boolean(p.ready));
            Value::Table(t)
        });
        put("plans", Value::Array(plans.collect()));
        put("resources", int(self.s.resources.into()));
        let kinds: Table = (0..8)
            .filter(|&i| self.s.replacements[i] > 0)
            .map(|i| (KINDS[i].to_string(), int(self.s.replacements[i].into())))
            .collect();
        put("replacements", Value::Table(kinds));
        put("armies_free", int(self.s.armies_free.into()));
        put("front_due", int(self.s.front_due.into()));
        put("offensive", int(self.s.offensive.into()));
        put("special_debt", int(self.s.special_debt.into()));
        if let Some(e) = self.s.flotilla {
            put("flotilla", Value::String(e.name(grid)));
        }
        put("assigned", int(self.s.assigned.into()));
        put("masks", Value::Array(self.s.masks.iter().map(|&m| int(m.into())).collect()));
        let mut units = Vec::new();
        for h in grid.hexes() {
            let stack: Vec<Unit> = self.at(h).collect();
            units.extend(stack.iter().rev().map(|&u| self.write_unit(u, &grid.name(h).to_string())));
        }
        let fresh = crate::state::State::new(&self.data);
        for u in self.s.stacks.units() {
            if let Place::Box(b) = self.s.stacks.place(u)
                && (fresh.stacks.place(u) != Place::Box(b) || self.s.flags[u.ix()] != 0)
                && !self.is(u, is::AIR)
            {
                units.push(self.write_unit(u, self.data.lexicon.boxed(b)));
            }
        }
        // Air units wait ready unless told otherwise, so each says where it is; the lowest of a box first.
        for b in [boxes::TRAY, boxes::GONE, boxes::AIR_USED, boxes::AIR] {
            let mut air: Vec<Unit> = self.boxed(b).filter(|&u| self.is(u, is::AIR)).collect();
            air.reverse();
            units.extend(air.into_iter().map(|u| self.write_unit(u, self.data.lexicon.boxed(b))));
        }
        for &(air, with) in &self.s.fight.escorts {
            let Some(h) = self.on_map(with) else { continue };
            let mut t = Table::new();
            t.insert("counter".into(), Value::String(self.code(air).into()));
            t.insert("hex".into(), text(h));
            t.insert("with".into(), Value::String(self.code(with).into()));
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
        let steps = self.s.steps[u.ix()];
        if steps != self.info(u).steps && steps > 0 {
            t.insert("steps".into(), Value::Integer(steps.into()));
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
