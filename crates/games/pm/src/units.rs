//! Counters: what is printed on each, in flat tables by unit.

use std::collections::BTreeMap;
use std::ops::Deref;
use table::{Counter, Face, Side, Size, Unit};
use text::{Faults, Files, Tsv};

/// Whose army a unit is of, as far as rules tell them apart (7.0). French, Croats, Spaniards and SS count as German.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nation {
    /// German and those who fight as Germans (7.5).
    German,
    /// 7.3
    Romanian,
    /// 7.4
    Hungarian,
    /// 7.2
    Italian,
    /// The other side.
    Soviet,
}

/// Movement class: who pays what (12.10-12.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Mechanized.
    Mech,
    /// Non-mechanized.
    Foot,
    /// Cavalry and mountain infantry, at home in hills.
    Light,
}

/// Bits of what a unit is.
pub mod trait_ {
    /// Tank or panzer: takes the first attacker's loss (14.35), halved by flak (10.1).
    pub const TANK: u32 = 1;
    /// Tank, assault gun or armoured reconnaissance: leads mobile assaults (15.1), halved in marsh (14.18).
    pub const ARMOUR: u32 = 2;
    /// Flak (10.1).
    pub const FLAK: u32 = 4;
    /// Siege artillery (14.41).
    pub const ARKO: u32 = 8;
    /// Mountain infantry (14.17).
    pub const MOUNTAIN: u32 = 16;
    /// Cavalry (15.12).
    pub const CAVALRY: u32 = 32;
    /// A division's worth of half a loss point (14.36).
    pub const HALF_LOSS: u32 = 64;
    /// Can be replaced a step at a time (8.13).
    pub const REPLACEABLE: u32 = 128;
    /// Can refit (8.18).
    pub const REFITS: u32 = 256;
    /// Counts as a battalion or regiment (6.3).
    pub const SMALL: u32 = 512;
    /// Security division (8.21).
    pub const SECURITY: u32 = 1024;
    /// Guards (8.11).
    pub const GUARDS: u32 = 2048;
    /// Barred from the sea (11.1).
    pub const NO_SEA: u32 = 4096;
    /// Of German nationality proper, for hedgehogs (14.40).
    pub const REICH: u32 = 8192;
    /// Air unit, never on the map as a stack.
    pub const AIR: u32 = 16384;
    /// VIII Fliegerkorps (10.3).
    pub const VIII: u32 = 32768;
    /// Motorized infantry: needs armour to assault on the move (15.1).
    pub const MOTORIZED: u32 = 65536;
}

/// When a unit comes into play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comes {
    /// It is there from the start.
    Start,
    /// On a turn.
    Turn(u8),
    /// When called out (8.21, 14.41).
    Call,
    /// With the set-up of the Frontier Zone.
    Frontier,
    /// With the set-up of the Interior Zone.
    Interior,
    /// By dice from a turn on (8.9).
    Dice(u8),
    /// By conversion on a turn (8.11).
    Convert(u8),
}

/// No pool.
pub const NO_POOL: u8 = u8::MAX;

/// One unit's printed facts.
#[derive(Clone, Debug)]
pub struct Info {
    /// What all may read on it; no faces on a unit whose face is drawn.
    pub counter: Counter,
    /// Nation for the rules; the counter's is for the eye.
    pub nation: Nation,
    /// Movement class.
    pub class: Class,
    /// Bits, see [`trait_`].
    pub traits: u32,
    /// The pool an untried unit draws from, or [`NO_POOL`].
    pub pool: u8,
    /// Stacking value in quarters (6.3).
    pub quarters: u8,
    /// When it comes.
    pub comes: Comes,
    /// For Guards: the pool they are raised from.
    pub raised_from: u8,
}

impl Deref for Info {
    type Target = Counter;

    fn deref(&self) -> &Counter {
        &self.counter
    }
}

/// A printed counter of a Soviet pool.
#[derive(Clone, Debug)]
pub struct Printed {
    /// Its short name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its figures.
    pub face: Face,
    /// What its tried side shows.
    pub kind: String,
}

/// A pool of untried counters.
#[derive(Clone, Debug)]
pub struct PoolInfo {
    /// `RD`.
    pub name: String,
    /// Kind of unit on the untried side.
    pub kind: String,
    /// Size.
    pub size: Size,
    /// Movement factor on the untried side.
    pub movement: u8,
    /// The printed counters: a range of [`Units::printed`].
    pub first: u16,
    /// One past the last.
    pub last: u16,
}

/// All units and pools.
#[derive(Debug, Default)]
pub struct Units {
    /// By unit: ground units first, then air units.
    pub of: Vec<Info>,
    /// How many are ground units.
    pub ground: usize,
    /// All printed Soviet counters, pool by pool.
    pub printed: Vec<Printed>,
    /// The pools.
    pub pools: Vec<PoolInfo>,
    /// By code.
    pub by_code: BTreeMap<String, Unit>,
}

const POOL_KINDS: [(&str, &str, Size); 7] = [
    ("RD", "rifle", Size::Division),
    ("CD", "cavalry", Size::Division),
    ("TD", "tank", Size::Division),
    ("MRD", "motorized", Size::Division),
    ("RB", "rifle", Size::Brigade),
    ("MRB", "motorized", Size::Brigade),
    ("TB", "tank", Size::Brigade),
];

impl Units {
    /// Reads counters, pools, guards and the schedule.
    pub fn read(files: &Files, faults: &mut Faults) -> Option<Units> {
        let before = faults.len();
        let mut units = Units::default();
        units.read_pools(files, faults);
        units.read_schedule(files, faults);
        units.read_guards(files, faults);
        let air = units.read_counters(files, faults);
        units.ground = units.of.len();
        units.of.extend(air);
        for (i, u) in units.of.iter().enumerate() {
            if units.by_code.insert(u.code.clone(), Unit(i as u16)).is_some() {
                faults.add("counters.tsv", None, format!("two units are called '{}'", u.code));
            }
        }
        (faults.len() == before).then_some(units)
    }

    fn pool(&self, name: &str) -> Option<u8> {
        self.pools.iter().position(|p| p.name == name).map(|i| i as u8)
    }

    fn read_pools(&mut self, files: &Files, faults: &mut Faults) {
        let Some(t) = Tsv::read(files, "pools.tsv", &["pool", "name", "title", "face", "kind"], &[], faults)
        else {
            return;
        };
        for (name, kind, size) in POOL_KINDS {
            let first = self.printed.len() as u16;
            let mut movement = 0;
            for row in t.rows().filter(|r| r.get("pool") == name) {
                let face: Face = match row.get("face").parse() {
                    Ok(f) => f,
                    Err(e) => {
                        faults.add(&t.file, Some(row.line), e);
                        continue;
                    }
                };
                movement = face.movement;
                self.printed.push(Printed {
                    name: row.get("name").into(),
                    title: row.get("title").into(),
                    face,
                    kind: row.get("kind").into(),
                });
            }
            let last = self.printed.len() as u16;
            self.pools.push(PoolInfo { name: name.into(), kind: kind.into(), size, movement, first, last });
        }
        for row in t.rows().filter(|r| self.pool(r.get("pool")).is_none()) {
            let known: Vec<_> = POOL_KINDS.iter().map(|p| p.0).collect();
            let what = format!("'{}' is no pool; expected one of {}", row.get("pool"), known.join(", "));
            faults.add(&t.file, Some(row.line), what);
        }
    }

    /// 3.2, 3.5: one token for each untried counter, numbered in the order they come into play.
    fn read_schedule(&mut self, files: &Files, faults: &mut Faults) {
        let Some(t) = Tsv::read(files, "schedule.tsv", &["when", "how", "pool", "count"], &[], faults) else {
            return;
        };
        for pool in 0..self.pools.len() {
            let info = self.pools[pool].clone();
            let mut n = 0u16;
            for row in t.rows().filter(|r| r.get("pool") == info.name) {
                let turn = row.get("when").parse::<u8>().ok();
                let comes = match (row.get("how"), row.get("when"), turn) {
                    ("setup", "frontier", _) => Comes::Frontier,
                    ("setup", "interior", _) => Comes::Interior,
                    ("arrive", _, Some(t)) => Comes::Turn(t),
                    ("dice", _, Some(t)) => Comes::Dice(t),
                    ("convert", _, Some(_)) => continue,
                    (how, when, _) => {
                        let what = format!(
                            "'{when} {how}' is not understood; expected setup, arrive, dice or convert"
                        );
                        faults.add(&t.file, Some(row.line), what);
                        continue;
                    }
                };
                let Ok(count) = row.get("count").parse::<u16>() else {
                    faults.add(&t.file, Some(row.line), format!("'{}' is no number", row.get("count")));
                    continue;
                };
                for _ in 0..count {
                    n += 1;
                    self.of.push(self.token(pool as u8, n, comes));
                }
            }
            let printed = info.last - info.first;
            if n != printed {
                let what = format!("the schedule brings {n} of {}, but pools.tsv has {printed}", info.name);
                faults.add(&t.file, None, what);
            }
        }
    }

    fn token(&self, pool: u8, n: u16, comes: Comes) -> Info {
        let p = &self.pools[usize::from(pool)];
        let (class, traits) = classify(Side::Two, Nation::Soviet, &p.kind, p.size);
        Info {
            counter: Counter {
                code: format!("{}{n}", p.name),
                name: format!("Untried {} {n}", p.name),
                side: Side::Two,
                nation: "soviet".into(),
                kind: p.kind.clone(),
                size: p.size,
                faces: Vec::new(),
            },
            nation: Nation::Soviet,
            class,
            traits,
            pool,
            quarters: 4,
            comes,
            raised_from: NO_POOL,
        }
    }

    fn read_guards(&mut self, files: &Files, faults: &mut Faults) {
        let want = ["code", "name", "from", "kind", "size", "faces", "turn"];
        let Some(t) = Tsv::read(files, "guards.tsv", &want, &[], faults) else { return };
        for row in t.rows() {
            let size = row.get("size").parse::<Size>();
            let faces = read_faces(row.get("faces"));
            let turn = row.get("turn").parse::<u8>().map_err(|_| format!("'{}' is no turn", row.get("turn")));
            let from = self.pool(row.get("from")).ok_or_else(|| format!("'{}' is no pool", row.get("from")));
            match (size, faces, turn, from) {
                (Ok(size), Ok(faces), Ok(turn), Ok(from)) => {
                    let (class, traits) = classify(Side::Two, Nation::Soviet, row.get("kind"), size);
                    self.of.push(Info {
                        counter: Counter {
                            code: row.get("code").into(),
                            name: row.get("name").into(),
                            side: Side::Two,
                            nation: "guards".into(),
                            kind: row.get("kind").into(),
                            size,
                            faces,
                        },
                        nation: Nation::Soviet,
                        class,
                        traits: traits | trait_::GUARDS,
                        pool: NO_POOL,
                        quarters: 4,
                        comes: Comes::Convert(turn),
                        raised_from: from,
                    });
                }
                (a, b, c, d) => {
                    for e in [a.err(), b.err(), c.err(), d.err()].into_iter().flatten() {
                        faults.add(&t.file, Some(row.line), e);
                    }
                }
            }
        }
    }

    fn read_counters(&mut self, files: &Files, faults: &mut Faults) -> Vec<Info> {
        let mut air = Vec::new();
        let want = ["code", "name", "side", "nation", "kind", "size", "faces", "arrives"];
        let Some(t) = Tsv::read(files, "counters.tsv", &want, &["flags"], faults) else { return air };
        for row in t.rows() {
            let mut fault = |what: String| faults.add(&t.file, Some(row.line), what);
            let side = match row.get("side") {
                "german" => Side::One,
                "soviet" => Side::Two,
                other => {
                    fault(format!("'{other}' is no side; expected german or soviet"));
                    continue;
                }
            };
            let nation = match (side, row.get("nation")) {
                (Side::Two, _) => Nation::Soviet,
                (_, "romanian") => Nation::Romanian,
                (_, "hungarian") => Nation::Hungarian,
                (_, "italian") => Nation::Italian,
                _ => Nation::German,
            };
            let kind = row.get("kind");
            let is_air = kind == "air";
            let size = match row.get("size").parse::<Size>() {
                Ok(s) => s,
                Err(e) => {
                    fault(e);
                    continue;
                }
            };
            let faces = match read_faces(row.get("faces")) {
                Ok(f) => f,
                Err(_) if is_air => Vec::new(),
                Err(e) => {
                    fault(e);
                    continue;
                }
            };
            let comes = match row.get("arrives") {
                "start" => Comes::Start,
                "call" => Comes::Call,
                n => match n.parse() {
                    Ok(n) => Comes::Turn(n),
                    Err(_) => {
                        fault(format!("'{n}' is no arrival; expected start, call or a turn"));
                        continue;
                    }
                },
            };
            let (class, mut traits) = classify(side, nation, kind, size);
            let flags: Vec<&str> = row.get("flags").split_whitespace().collect();
            if flags.contains(&"norefit") {
                traits &= !trait_::REFITS;
            }
            if flags.contains(&"replaceable") {
                traits |= trait_::REPLACEABLE;
            } else if row.get("nation") != "german" && row.get("nation") != "ss" {
                traits &= !trait_::REPLACEABLE;
            }
            if matches!(row.get("nation"), "german" | "ss") {
                traits |= trait_::REICH;
            }
            if flags.contains(&"viii") {
                traits |= trait_::VIII;
            }
            let quarters = match size {
                Size::Battalion | Size::Regiment => 1,
                Size::Brigade => 2,
                _ => 4,
            };
            let info = Info {
                counter: Counter {
                    code: row.get("code").into(),
                    name: row.get("name").into(),
                    side,
                    nation: row.get("nation").into(),
                    kind: kind.into(),
                    size,
                    faces,
                },
                nation,
                class,
                traits,
                pool: NO_POOL,
                quarters,
                comes,
                raised_from: NO_POOL,
            };
            if is_air { air.push(info) } else { self.of.push(info) }
        }
        air
    }
}

fn read_faces(s: &str) -> Result<Vec<Face>, String> {
    s.split('/').map(|f| f.parse()).collect()
}

/// 2.11: what follows from a unit's type and size.
fn classify(side: Side, nation: Nation, kind: &str, size: Size) -> (Class, u32) {
    use trait_::*;
    let mech = matches!(kind, "panzer" | "tank" | "assaultgun" | "recon" | "motorized" | "flak");
    let class = match kind {
        _ if mech => Class::Mech,
        "cavalry" | "mountain" => Class::Light,
        _ => Class::Foot,
    };
    let mut t = match kind {
        "panzer" | "tank" => TANK | ARMOUR,
        "assaultgun" | "recon" => ARMOUR,
        "motorized" => MOTORIZED,
        "flak" => FLAK,
        "siege" => ARKO,
        "mountain" => MOUNTAIN,
        "cavalry" => CAVALRY,
        "security" => SECURITY,
        "air" => AIR,
        _ => 0,
    };
    match side {
        Side::Two => {
            if kind == "cavalry" || size == Size::Brigade {
                t |= HALF_LOSS;
            }
            if size == Size::Division && matches!(kind, "tank" | "motorized") {
                t |= NO_SEA;
            }
        }
        Side::One => {
            if matches!(size, Size::Battalion | Size::Regiment) {
                t |= SMALL;
            }
            let division = size == Size::Division && nation == Nation::German;
            if division
                && matches!(kind, "infantry" | "airlanding" | "light" | "mountain" | "parachute" | "static")
            {
                t |= REPLACEABLE;
            }
            if division && matches!(kind, "panzer" | "motorized") {
                t |= REFITS;
            }
        }
    }
    (class, t)
}
