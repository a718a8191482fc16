//! Counters: what is printed on each, in flat tables by unit (2.3).

use std::collections::BTreeMap;
use std::ops::Deref;
use table::{Counter, Face, Side, Size, Unit};
use text::{Faults, Files, Tsv};

/// Whose army a unit is of, as far as rules tell them apart (2.3.4, 20.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nation {
    /// Wehrmacht, Waffen SS and Luftwaffe.
    German,
    /// Italian.
    Italian,
    /// Romanian.
    Romanian,
    /// Hungarian.
    Hungarian,
    /// Slovak.
    Slovak,
    /// Croat.
    Croat,
    /// North Caucasian volunteers (20.8).
    Caucasian,
    /// The other side.
    Soviet,
}

/// Bits of what a unit is; the words of `flags` in `counters.tsv`, and a few that its kind implies.
pub mod is {
    /// Pays as a Mechanized unit (2.3.3).
    pub const MECH: u64 = 1;
    /// Infantry Type (2.3.3).
    pub const INFANTRY: u64 = 1 << 1;
    /// Cavalry (14.2.2).
    pub const CAVALRY: u64 = 1 << 2;
    /// Mountain troops (20.2).
    pub const MOUNTAIN: u64 = 1 << 3;
    /// Tank Unit (9.2).
    pub const TANK: u64 = 1 << 4;
    /// Black dot (9.2.1).
    pub const BLACK: u64 = 1 << 5;
    /// Red dot (9.2.2).
    pub const RED: u64 = 1 << 6;
    /// White dot (9.2.4).
    pub const WHITE: u64 = 1 << 7;
    /// Silhouetted tank (9.6.3, 21.5.2).
    pub const SILHOUETTE: u64 = 1 << 8;
    /// Soviet Tank Corps.
    pub const TANK_CORPS: u64 = 1 << 9;
    /// Soviet Mechanized Corps.
    pub const MECH_CORPS: u64 = 1 << 10;
    /// Elite (2.3.2).
    pub const ELITE: u64 = 1 << 11;
    /// Low quality (2.3.2).
    pub const LOW: u64 = 1 << 12;
    /// Guards (21.2).
    pub const GUARDS: u64 = 1 << 13;
    /// Free Stacking (4.2).
    pub const FREE: u64 = 1 << 14;
    /// Parenthesized defence (9.8).
    pub const PAREN: u64 = 1 << 15;
    /// Artillery Support Unit (18.2).
    pub const ASU: u64 = 1 << 16;
    /// Artillery Division (18.5).
    pub const BARRAGE: u64 = 1 << 17;
    /// Boxed MA: no Extended Movement (5.3).
    pub const BOXED: u64 = 1 << 18;
    /// Non-Combat Unit (19.0).
    pub const NON_COMBAT: u64 = 1 << 19;
    /// Immobile Supply Point (18.6.8).
    pub const IMMOBILE: u64 = 1 << 20;
    /// Leader (28.0).
    pub const LEADER: u64 = 1 << 21;
    /// Reserve Army (34.1).
    pub const RESERVE_ARMY: u64 = 1 << 22;
    /// Tank Army HQ (20.1).
    pub const TANK_ARMY: u64 = 1 << 23;
    /// Guards or Shock Army HQ (4.3, 20.1.3).
    pub const GUARDS_OR_SHOCK: u64 = 1 << 24;
    /// Axis Ally (20.5).
    pub const ALLY: u64 = 1 << 25;
    /// Garrison (20.4).
    pub const GARRISON: u64 = 1 << 26;
    /// North Caucasus (20.6).
    pub const NORTH_CAUCASUS: u64 = 1 << 27;
    /// Plan Blücher (20.7).
    pub const BLUCHER: u64 = 1 << 28;
    /// Volunteer (20.8).
    pub const VOLUNTEER: u64 = 1 << 29;
    /// Trans-Caucasus Front (30.0).
    pub const TRANS_CAUCASUS: u64 = 1 << 30;
    /// Naval brigade (5.7.1).
    pub const NAVAL: u64 = 1 << 31;
    /// Attack doubled against cities (20.9).
    pub const CITY_DOUBLE: u64 = 1 << 32;
    /// Never replaced (20.9).
    pub const NO_REPLACEMENT: u64 = 1 << 33;
    /// Can be upgraded (32.4).
    pub const UPGRADE: u64 = 1 << 34;
    /// A Remnant counter, which stands in the display (10.4).
    pub const REMNANT: u64 = 1 << 35;
    /// Air unit (9.3).
    pub const AIR: u64 = 1 << 36;
    /// Its last step is a Remnant (10.4).
    pub const REMNANTS: u64 = 1 << 37;
    /// Army or Front HQ.
    pub const HQ: u64 = 1 << 38;
    /// Supply Point (18.6).
    pub const SUPPLY: u64 = 1 << 39;
    /// NKVD (20.3).
    pub const NKVD: u64 = 1 << 40;
    /// Soviet Army HQ (20.1).
    pub const ARMY_HQ: u64 = 1 << 41;
    /// A Combat Unit (2.3.1).
    pub const COMBAT: u64 = 1 << 42;
    /// The words of the file.
    pub const WORDS: [(&str, u64); 38] = [
        ("mech", MECH),
        ("infantry-type", INFANTRY),
        ("cavalry", CAVALRY),
        ("mountain", MOUNTAIN),
        ("tank", TANK),
        ("black", BLACK),
        ("red", RED),
        ("white", WHITE),
        ("silhouette", SILHOUETTE),
        ("tank-corps", TANK_CORPS),
        ("mech-corps", MECH_CORPS),
        ("elite", ELITE),
        ("low", LOW),
        ("guards", GUARDS),
        ("free", FREE),
        ("paren", PAREN),
        ("asu", ASU),
        ("artillery-division", BARRAGE),
        ("boxed", BOXED),
        ("non-combat", NON_COMBAT),
        ("immobile", IMMOBILE),
        ("leader", LEADER),
        ("maskirovka", RESERVE_ARMY),
        ("tank-army", TANK_ARMY),
        ("guards-or-shock", GUARDS_OR_SHOCK),
        ("ally", ALLY),
        ("garrison", GARRISON),
        ("north-caucasus", NORTH_CAUCASUS),
        ("blucher", BLUCHER),
        ("volunteer", VOLUNTEER),
        ("trans-caucasus", TRANS_CAUCASUS),
        ("naval", NAVAL),
        ("city-double", CITY_DOUBLE),
        ("no-replacement", NO_REPLACEMENT),
        ("upgrade", UPGRADE),
        ("remnant", REMNANT),
        ("air", AIR),
        ("remnants", REMNANTS),
    ];
}

/// One unit's printed facts.
#[derive(Clone, Debug)]
pub struct Info {
    /// What all may read on it; the face of its Remnant is not among its faces.
    pub counter: Counter,
    /// Nation for the rules; the counter's is for the eye.
    pub nation: Nation,
    /// Bits, see [`is`].
    pub traits: u64,
    /// Steps at full strength.
    pub steps: u8,
    /// Range in hexes (18.4, 28.1.2).
    pub range: u8,
    /// When it comes in the campaign, in the file's words.
    pub arrives: String,
    /// For a unit with Remnants: which kind, as an index into [`Units::remnants`].
    pub remnant: u8,
}

impl Deref for Info {
    type Target = Counter;

    fn deref(&self) -> &Counter {
        &self.counter
    }
}

/// The Remnants of a kind (10.4).
#[derive(Clone, Debug)]
pub struct Remnants {
    /// Whose.
    pub side: Side,
    /// Of which kind of unit.
    pub kind: String,
    /// How many counters there are.
    pub count: u8,
    /// Their face.
    pub face: Face,
    /// What the Remnant itself is, as bits.
    pub traits: u64,
}

/// All counters.
#[derive(Debug)]
pub struct Units {
    /// By unit.
    pub of: Vec<Info>,
    /// By code.
    pub by_code: BTreeMap<String, Unit>,
    /// Remnants by kind.
    pub remnants: Vec<Remnants>,
    /// The face that an upgraded unit gets on top (32.4).
    pub upgraded: Face,
}

fn nation_of(s: &str) -> Option<Nation> {
    Some(match s {
        "german" | "ss" | "luftwaffe" => Nation::German,
        "italian" => Nation::Italian,
        "romanian" => Nation::Romanian,
        "hungarian" => Nation::Hungarian,
        "slovak" => Nation::Slovak,
        "croat" => Nation::Croat,
        "north-caucasian" => Nation::Caucasian,
        "soviet" | "nkvd" => Nation::Soviet,
        _ => return None,
    })
}

impl Units {
    /// Reads the counters; what does not fit is a fault.
    pub fn read(files: &Files, faults: &mut Faults) -> Option<Units> {
        let want = [
            "code", "name", "side", "nation", "kind", "size", "faces", "steps", "flags", "range", "arrives",
            "sets",
        ];
        let t = Tsv::read(files, "counters.tsv", &want, &[], faults)?;
        let mut of: Vec<Info> = Vec::new();
        let mut by_code = BTreeMap::new();
        let mut remnants: Vec<Remnants> = Vec::new();
        for row in t.rows() {
            let code = row.get("code").to_string();
            let side = match row.get("side") {
                "axis" => Side::One,
                "soviet" => Side::Two,
                s => {
                    row.fault(faults, format!("'{s}' is no side; expected axis or soviet"));
                    Side::One
                }
            };
            let nation = nation_of(row.get("nation")).unwrap_or_else(|| {
                row.fault(faults, format!("'{}' is no nation of this game", row.get("nation")));
                Nation::German
            });
            let mut traits = 0;
            for w in row.words("flags") {
                match is::WORDS.iter().find(|(n, _)| *n == w) {
                    Some((_, bit)) => traits |= bit,
                    None => row.fault(faults, format!("'{w}' is no flag of a counter")),
                }
            }
            let size = match row.get("size") {
                // No formations.
                "leader" | "point" | "air" | "remnant" => Size::None,
                _ => row.parse("size", "the size of a formation", faults).unwrap_or(Size::None),
            };
            let kind = row.get("kind").to_string();
            traits |= match kind.as_str() {
                "hq" => is::HQ,
                "supply" => is::SUPPLY,
                "nkvd" => is::NKVD,
                "army-hq" => is::ARMY_HQ,
                "air" => is::AIR,
                _ => 0,
            };
            let mut faces = Vec::new();
            for f in row.get("faces").split('/').filter(|f| !f.is_empty()) {
                match f.parse::<Face>() {
                    Ok(f) => faces.push(f),
                    Err(e) => row.fault(faults, e),
                }
            }
            if traits & (is::NON_COMBAT | is::AIR | is::REMNANT) == 0 {
                traits |= is::COMBAT;
            }
            let steps = row.parse::<u8>("steps", "a number of steps", faults).unwrap_or(1);
            if traits & is::REMNANT != 0 {
                let face = faces.first().copied().unwrap_or_default();
                match remnants.iter_mut().find(|r| r.side == side && r.kind == kind) {
                    Some(r) => r.count += 1,
                    None => remnants.push(Remnants { side, kind: kind.clone(), count: 1, face, traits }),
                }
            }
            if by_code.insert(code.clone(), Unit(of.len() as u16)).is_some() {
                row.fault(faults, format!("two counters are called '{code}'"));
            }
            of.push(Info {
                counter: Counter {
                    code,
                    name: row.get("name").into(),
                    side,
                    nation: row.get("nation").into(),
                    kind,
                    size,
                    faces,
                },
                nation,
                traits,
                steps,
                range: row.parse_or_none::<u8>("range", "a number of hexes", faults).unwrap_or(0),
                arrives: row.get("arrives").into(),
                remnant: u8::MAX,
            });
        }
        for u in &mut of {
            if u.traits & is::REMNANTS != 0 {
                match remnants.iter().position(|r| r.side == u.side && r.kind == u.kind) {
                    Some(r) => u.remnant = r as u8,
                    None => {
                        let why = format!("{} has Remnants, but there is none of its kind", u.code);
                        faults.add("counters.tsv", None, why);
                    }
                }
            }
            let shown = usize::from(u.steps) - usize::from(u.traits & is::REMNANTS != 0);
            if u.traits & is::AIR == 0 && u.faces.len() < shown {
                faults.add("counters.tsv", None, format!("{} has fewer faces than steps", u.code));
            }
        }
        let upgraded = upgrade_face(files, faults);
        Some(Units { of, by_code, remnants, upgraded })
    }
}

/// 32.4: the face that `upgrades.tsv` gives an upgraded unit.
fn upgrade_face(files: &Files, faults: &mut Faults) -> Face {
    let want = ["turn", "side", "what", "unit", "into", "count", "rule", "key"];
    let Some(t) = Tsv::read(files, "upgrades.tsv", &want, &[], faults) else { return Face::default() };
    t.rows()
        .filter(|r| r.get("what") == "upgrade")
        .find_map(|r| r.get("into").parse::<Face>().ok())
        .unwrap_or_default()
}
