//! Any position from the head of a situation file, and back.
//!
//! `[at]` holds `turn`, `phase` (see [`PHASES`]) and may hold `weather`, `before` (the weather of the turn before), `mud`, `wet` (seasonal
//! marshes are marsh), `winter`, `interchange`, `soviet_first`, `axis` (cities and VP hexes the Axis controls; left out: those west
//! of the start line), `axis_ports`, `forts`, `building` (tables `axis`, `soviet` of hexes), `deactivated` (of `north`, `donets`,
//! `rostov`), `city_battles` (tables `hex`, `level`, `holder`), `railheads`, `railheads_moved` and `railheads_placed` (those of them
//! that have moved or come this phase), `repaired`, `plans` (tables `hq`, `ready`), `resources`, `replacements` (a table by kind),
//! `caucasus_free`, `armies_free`, `front_called`, `front_due`, `offensive`, `vasilevsky`, `elbrus`, `baku`,
//! `special_debt`, `railed`, `sailed`, `flotilla`, `masks`, `assigned`.
//!
//! Each `[[unit]]` holds `counter` and `hex` (a hex or a box), and may hold `steps` and `flags` (see [`FLAGS`]). Air units take the hex of
//! the stack they are with, and are listed after it (`with` names a unit of it). Units not named are out of play; units listed later lie on top.

use crate::charts::Weather;
use crate::data::{KINDS, boxes};
use crate::state::{CityBattle, Plan, Pos, Railhead, Step, flag};
use crate::units::is;
use game::situation::{HeadReader, HeadWriter, word_of, words_of};
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

/// Sides by their words.
const SIDES: [(&str, Side); 2] = [("axis", Side::One), ("soviet", Side::Two)];

/// Groups of printed fortifications, by index (9.7.7).
const GROUPS: [(&str, usize); 3] = [("north", 0), ("donets", 1), ("rostov", 2)];

fn side_word(s: Side) -> &'static str {
    SIDES[s.ix()].0
}

/// What is neither true nor false is false.
fn yes(v: &Value) -> bool {
    v.as_bool().unwrap_or(false)
}

impl Pos {
    /// Sets this position up from the head of a situation.
    pub fn read_situation(&mut self, t: &Table, faults: &mut Faults) {
        self.s.step = Step::Move(Side::One);
        self.s.turn = self.scenario().first_turn + 1;
        self.s.axis_held = &(&self.data.map.held & &self.data.map.west) & &self.scene().land;
        let data = self.data.clone();
        for &u in &data.air {
            self.s.stacks.put(u, Place::Box(boxes::AIR));
        }
        let mut r = HeadReader::new(&data.lexicon, faults);
        let (at, units) = r.parts(t);
        self.read_at(&at, &mut r);
        for u in &units {
            self.read_unit(u, &mut r);
        }
        self.rebuild_zones();
        self.check_supply(Side::One);
        self.check_supply(Side::Two);
        if let Err(why) = self.check() {
            r.fault(why);
        }
    }

    fn read_at(&mut self, at: &Table, r: &mut HeadReader<'_>) {
        let last = self.data.charts.turn.len() as u8;
        let weathers = Weather::ALL.map(|w| (w.word(), w));
        for (k, v) in at {
            match k.as_str() {
                "turn" => {
                    self.s.turn = r.small(v, 1..=last);
                    self.s.winter |= self.s.turn >= self.data.charts.weather.winter_from_turn;
                }
                "phase" => self.s.step = r.word("phase", v, &PHASES).unwrap_or(self.s.step),
                "weather" => {
                    self.s.weather = r.word("weather", v, &weathers).unwrap_or(Weather::Clear);
                    self.s.wet |= self.s.weather == Weather::Rain;
                }
                "before" => {
                    self.s.weather_before = r.word("weather", v, &weathers).unwrap_or(Weather::Clear);
                }
                "mud" => self.s.mud = yes(v),
                "wet" => self.s.wet = yes(v),
                "winter" => self.s.winter = yes(v),
                "interchange" => self.s.interchange = yes(v),
                "soviet_first" => self.s.soviet_first = yes(v),
                "axis" => self.s.axis_held = &r.hexes(v) & &self.data.map.held,
                "axis_ports" => self.s.axis_ports = r.hexes(v),
                "forts" => self.s.forts = sided(v, r),
                "building" => self.s.building = sided(v, r),
                "deactivated" => {
                    for g in v.as_array().into_iter().flatten() {
                        if let Some(i) = r.word("group of fortifications", g, &GROUPS) {
                            self.s.deactivated[i] = true;
                        }
                    }
                }
                "city_battles" => {
                    for c in v.as_array().into_iter().flatten() {
                        match city_battle(c, r) {
                            Some(c) => self.s.city_battles.push(c),
                            None => r.fault(format!("city_battles: {c} is not understood")),
                        }
                    }
                }
                "railheads" => self.read_railheads(v, at, r),
                "railheads_moved" | "railheads_placed" => {
                    if !at.contains_key("railheads") {
                        r.fault(format!("{k} names some of railheads, which are missing"));
                    }
                }
                "repaired" => self.s.repaired = r.hexes(v),
                "plans" => {
                    for p in v.as_array().into_iter().flatten() {
                        let code = p.get("hq").and_then(Value::as_str).unwrap_or("");
                        match self.data.lexicon.find_unit(code) {
                            Some(hq) => self.s.plans.push(Plan { hq, ready: p.get("ready").is_none_or(yes) }),
                            None => r.fault(format!("plans: there is no unit '{code}'")),
                        }
                    }
                }
                "resources" => self.s.resources = r.small(v, 0..=9),
                "replacements" => {
                    for (k, n) in v.as_table().into_iter().flatten() {
                        match KINDS.iter().position(|x| x == k) {
                            Some(i) => self.s.replacements[i] = r.small(n, 0..=20),
                            None => r.fault(format!("'{k}' is no kind of replacement")),
                        }
                    }
                }
                "caucasus_free" => self.s.caucasus_free = yes(v),
                "armies_free" => self.s.armies_free = r.number(v, 0..=511) as u16,
                "front_called" => self.s.front_called = yes(v),
                "front_due" => self.s.front_due = r.small(v, 0..=9),
                "offensive" => self.s.offensive = r.small(v, 0..=last),
                "vasilevsky" => self.s.vasilevsky = yes(v),
                "elbrus" => self.s.elbrus = yes(v),
                "baku" => self.s.baku = yes(v),
                "special_debt" => self.s.special_debt = r.small(v, 0..=9),
                "railed" => self.s.railed = [r.small(v, 0..=4), 0],
                "sailed" => self.s.sailed = [r.small(v, 0..=1); 2],
                "flotilla" => {
                    self.s.flotilla = v.as_str().and_then(|t| Edge::read(self.data.map.grid(), t));
                }
                "assigned" => self.s.assigned = r.small(v, 0..=6),
                "masks" => {
                    for (i, n) in v.as_array().into_iter().flatten().enumerate().take(6) {
                        self.s.masks[i] = r.small(n, 0..=5);
                    }
                }
                _ => r.fault(format!("at: '{k}' is not understood")),
            }
        }
    }

    /// Railheads in the order of the list, which is that of their markers. Of several in a hex each is named once.
    fn read_railheads(&mut self, all: &Value, at: &Table, r: &mut HeadReader<'_>) {
        let mut list: Vec<Railhead> = r.hex_list(all).into_iter().map(Railhead::at).collect();
        for key in ["railheads_moved", "railheads_placed"] {
            for hex in at.get(key).map(|v| r.hex_list(v)).unwrap_or_default() {
                match list.iter_mut().find(|h| h.hex == hex && !h.moved && !h.placed) {
                    Some(found) if key == "railheads_moved" => found.moved = true,
                    Some(found) => found.placed = true,
                    None => r.fault(format!("{key}: no such Railhead is in {}", self.data.lexicon.hex(hex))),
                }
            }
        }
        self.s.railheads = list;
    }

    fn read_unit(&mut self, t: &Table, r: &mut HeadReader<'_>) {
        let Some((u, place)) = r.unit(t) else { return };
        let code = self.code(u).to_string();
        if self.is(u, is::AIR) {
            return match place {
                Place::Hex(h) => self.read_escort(u, h, t, r),
                Place::Box(_) => self.s.stacks.put(u, place),
            };
        }
        if let Place::Hex(h) = place
            && !self.scene().land.contains(h)
        {
            return r.fault(format!("{code} cannot stand in {}", self.data.lexicon.hex(h)));
        }
        self.s.stacks.put(u, place);
        for (k, v) in HeadReader::rest(t) {
            match k {
                "steps" => {
                    let steps = r.steps(u, v, self.info(u).steps + 1);
                    self.s.steps[u.ix()] = steps.unwrap_or(self.info(u).steps);
                }
                "flags" => self.s.flags[u.ix()] |= r.bits("flag", v, &FLAGS),
                _ => r.fault(format!("{code}: '{k}' is not understood")),
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

    /// An air unit with a stack of the Axis.
    fn read_escort(&mut self, air: Unit, h: Hex, t: &Table, r: &mut HeadReader<'_>) {
        let named = t.get("with").and_then(Value::as_str).and_then(|c| self.data.lexicon.find_unit(c));
        let mut there = self.of_side(Side::One, h).filter(|&v| self.combat(v));
        let with = match named {
            Some(v) => there.find(|&w| w == v),
            None => there.next(),
        };
        drop(there);
        match with {
            Some(v) => self.s.fight.escorts.push((air, v)),
            None => r.fault(format!("{}: list the stack that it is with before it", self.code(air))),
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
        let mut w = HeadWriter::new(&self.data.lexicon);
        w.put("turn", s.turn);
        w.put("phase", word_of(&PHASES, &s.step)?);
        w.put("weather", s.weather.word());
        w.put("before", s.weather_before.word());
        for (k, yes) in [
            ("mud", s.mud),
            ("wet", s.wet),
            ("winter", s.winter),
            ("interchange", s.interchange),
            ("soviet_first", s.soviet_first),
            ("caucasus_free", s.caucasus_free),
            ("front_called", s.front_called),
            ("vasilevsky", s.vasilevsky),
            ("elbrus", s.elbrus),
            ("baku", s.baku),
        ] {
            w.put(k, yes);
        }
        w.put("axis", w.hexes(&s.axis_held));
        w.put("axis_ports", w.hexes(&s.axis_ports));
        for (k, sets) in [("forts", &s.forts), ("building", &s.building)] {
            let by_side = Side::BOTH.map(|s| (side_word(s).to_string(), w.hexes(&sets[s.ix()])));
            w.put(k, Table::from_iter(by_side));
        }
        let down = GROUPS.iter().filter(|(_, g)| s.deactivated[*g]).map(|(word, _)| *word);
        w.put("deactivated", down.collect::<Vec<_>>());
        let battles = s.city_battles.iter().map(|c| {
            let holder = side_word(c.holder);
            table([("hex", w.hex(c.hex)), ("level", c.level.into()), ("holder", holder.into())])
        });
        w.put("city_battles", battles.collect::<Vec<_>>());
        w.put("railheads", w.hexes(s.railheads.iter().map(|r| r.hex)));
        w.put("railheads_moved", w.hexes(s.railheads.iter().filter(|r| r.moved).map(|r| r.hex)));
        w.put("railheads_placed", w.hexes(s.railheads.iter().filter(|r| r.placed).map(|r| r.hex)));
        w.put("repaired", w.hexes(&s.repaired));
        let plans =
            s.plans.iter().map(|p| table([("hq", self.code(p.hq).into()), ("ready", p.ready.into())]));
        w.put("plans", plans.collect::<Vec<_>>());
        w.put("resources", s.resources);
        let kinds = KINDS.iter().zip(s.replacements).filter(|(_, n)| *n > 0);
        w.put("replacements", kinds.map(|(k, n)| ((*k).to_string(), n.into())).collect::<Table>());
        w.put("armies_free", u32::from(s.armies_free));
        w.put("front_due", s.front_due);
        w.put("offensive", s.offensive);
        w.put("special_debt", s.special_debt);
        if let Some(e) = s.flotilla {
            w.put("flotilla", e.name(self.data.map.grid()));
        }
        w.put("assigned", s.assigned);
        w.put("masks", s.masks.to_vec());
        for h in self.data.map.grid().hexes() {
            let stack: Vec<Unit> = self.at(h).collect();
            stack.iter().rev().for_each(|&u| self.write_unit(u, Place::Hex(h), &mut w));
        }
        let fresh = crate::state::State::new(&self.data);
        for u in s.stacks.units() {
            let place = s.stacks.place(u);
            if place.hex().is_none()
                && (fresh.stacks.place(u) != place || s.flags[u.ix()] != 0)
                && !self.is(u, is::AIR)
            {
                self.write_unit(u, place, &mut w);
            }
        }
        // Air units wait ready unless told otherwise, so each says where it is; the lowest of a box first.
        for b in [boxes::TRAY, boxes::GONE, boxes::AIR_USED, boxes::AIR] {
            let air: Vec<Unit> = self.boxed(b).filter(|&u| self.is(u, is::AIR)).collect();
            air.iter().rev().for_each(|&u| self.write_unit(u, Place::Box(b), &mut w));
        }
        for &(air, with) in &s.fight.escorts {
            let Some(h) = self.on_map(with) else { continue };
            w.unit(air, Place::Hex(h)).insert("with".into(), self.code(with).into());
        }
        Some(w.finish())
    }

    fn write_unit(&self, u: Unit, at: Place, w: &mut HeadWriter<'_>) {
        let t = w.unit(u, at);
        let steps = self.s.steps[u.ix()];
        if steps != self.info(u).steps && steps > 0 {
            t.insert("steps".into(), steps.into());
        }
        t.extend(words_of(&FLAGS, self.s.flags[u.ix()]).map(|f| ("flags".to_string(), f)));
    }
}

/// Hexes of each side, as a table by its word.
fn sided(v: &Value, r: &mut HeadReader<'_>) -> [HexSet; 2] {
    let mut out = [HexSet::empty(), HexSet::empty()];
    for (k, v) in v.as_table().into_iter().flatten() {
        if let Some(s) = r.word("side", &Value::from(k.as_str()), &SIDES) {
            out[s.ix()] = r.hexes(v);
        }
    }
    out
}

fn city_battle(c: &Value, r: &mut HeadReader<'_>) -> Option<CityBattle> {
    let level = c.get("level").and_then(Value::as_integer).unwrap_or(1);
    Some(CityBattle {
        hex: r.hex(c.get("hex")?)?,
        level: level.clamp(1, 2) as u8,
        holder: r.word("side", c.get("holder")?, &SIDES)?,
    })
}

fn table<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Table(entries.into_iter().map(|(k, v)| (k.to_string(), v)).collect())
}
