//! The game's files read into tables, once; everything here is shared and never changes.

use crate::badge::Badge;
use crate::charts::Charts;
use crate::costs::Costs;
use crate::map::{Map, Town};
use crate::units::{Nation, Units};
use crate::verbs::VERBS;
use board::Board;
use game::{Lexicon, OptionSpec};
use hex::HexSet;
use serde::Deserialize;
use table::{BoxId, Side, Unit};
use text::{Faults, Files, read_toml};

/// Boxes off the map.
pub mod boxes {
    use table::BoxId;
    /// Eliminated (2.16).
    pub const DEAD: BoxId = BoxId(0);
    /// Out of play for good: withdrawn (8.16), converted (8.11).
    pub const GONE: BoxId = BoxId(1);
    /// The northern OKH area (8.2).
    pub const OKH_NORTH: BoxId = BoxId(2);
    /// The southern OKH area (8.2).
    pub const OKH_SOUTH: BoxId = BoxId(3);
    /// On the way to the north (8.3).
    pub const TO_NORTH: BoxId = BoxId(4);
    /// On the way to the south (8.3).
    pub const TO_SOUTH: BoxId = BoxId(5);
    /// The Reserve of the Supreme High Command (8.1).
    pub const RVGK: BoxId = BoxId(6);
    /// The Southern Ports box (11.3).
    pub const PORTS: BoxId = BoxId(7);
    /// Soviet units arriving this turn (8.7).
    pub const ARRIVING: BoxId = BoxId(8);
    /// Invaders off a hostile coast (11.4).
    pub const LANDING: BoxId = BoxId(9);
    /// What can be called out (8.21, 14.41).
    pub const CALL: BoxId = BoxId(10);
    /// Tank brigades that come by dice (8.9).
    pub const DICE: BoxId = BoxId(11);
    /// Units still to be set up.
    pub const TRAY: BoxId = BoxId(12);
    /// Guards not yet raised (8.11).
    pub const GUARDS: BoxId = BoxId(13);
    /// The box of turn 1 on the track; later turns follow.
    pub const TRACK: BoxId = BoxId(14);
    /// Names in order, for orders and files, with what they are called.
    pub const NAMES: [(&str, &str); 14] = [
        ("dead", "Dead pile"),
        ("gone", "Out of play"),
        ("okh-north", "OKH reserve, north"),
        ("okh-south", "OKH reserve, south"),
        ("to-north", "On the way to the northern OKH area"),
        ("to-south", "On the way to the southern OKH area"),
        ("rvgk", "RVGK"),
        ("southern-ports", "Southern ports"),
        ("arriving", "Arriving"),
        ("landing", "Off the coast"),
        ("call", "To be called out"),
        ("brigades", "Tank brigades to come by dice"),
        ("tray", "To be set up"),
        ("guards", "Guards to be raised"),
    ];
}

/// How many aerial supply markers there are names for (9.18).
pub const AERIAL_CODES: [&str; 2] = ["Air-supply-1", "Air-supply-2"];

/// A set of victory numbers of a scenario.
#[derive(Clone, Debug, Deserialize)]
pub struct ScenarioVictory {
    /// By turn of the scenario.
    pub points: Vec<i16>,
}

/// A scenario of `scenarios.toml`.
#[derive(Clone, Debug, Deserialize)]
pub struct Scenario {
    /// One word.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is about.
    pub about: String,
    /// Whether it is ours rather than the book's.
    pub ours: bool,
    /// Its first turn.
    pub first_turn: u8,
    /// Its last turn.
    pub last_turn: u8,
    /// `free`, or a file.
    #[serde(default)]
    pub soviet: String,
    /// `free`, or a file.
    #[serde(default)]
    pub german: String,
    /// A file with a whole position.
    #[serde(default)]
    pub position: Option<String>,
    /// Victory numbers of its own.
    #[serde(default)]
    pub victory: Option<ScenarioVictory>,
}

#[derive(Deserialize)]
struct ScenarioFile {
    scenario: Vec<Scenario>,
}

/// A cost that nobody can pay.
pub const NEVER: u8 = u8::MAX;

/// Everything that does not change in play.
#[derive(Debug)]
pub struct Data {
    /// The files themselves, for set-ups.
    pub files: Files,
    /// The map.
    pub map: Map,
    /// Section 17.
    pub charts: Charts,
    /// Counters.
    pub units: Units,
    /// Names.
    pub lexicon: Lexicon,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
    /// What players agree on before a game.
    pub options: Vec<OptionSpec>,
    /// What steps cost (17.9).
    pub costs: Costs,
    /// By unit: what the rules ask most.
    pub badges: Vec<Badge>,
    /// By printed counter: its movement factor.
    pub printed_mp: Vec<u8>,
    /// By hex: the stacking limit in quarters (6.1, 6.5).
    pub limits: Vec<u16>,
    /// The limit outside cities.
    pub limit: u16,
    /// Hexes closed to a group, by the number of [`Data::barred`].
    bars: Vec<HexSet>,
    /// Sides by ground unit, for [`table::Stacks`].
    pub sides: Vec<Side>,
    /// How many boxes there are.
    pub box_count: usize,
    /// Terrain's rows of 17.9 by [`crate::map::Terrain`].
    pub ground: Vec<crate::charts::Ground>,
}

impl Data {
    /// Reads everything, or says all that is wrong.
    pub fn read(overlay: Option<&Files>) -> Result<Data, Faults> {
        let files = text::built_in!().beneath(overlay);
        let mut faults = Faults::new();
        let charts = Charts::read(&files, &mut faults);
        let units = Units::read(&files, &mut faults);
        let options = OptionSpec::read(&files, &mut faults).unwrap_or_default();
        let scenarios = read_toml::<ScenarioFile>(&files, "scenarios.toml", &mut faults);
        let board = Board::read(&files, &mut faults);
        let (Some(charts), Some(units), Some(board), Some(scenarios)) = (charts, units, board, scenarios)
        else {
            return Err(faults);
        };
        let Some(map) = Map::new(board, &charts, &mut faults) else { return Err(faults) };
        let mut ground = Vec::new();
        for name in ["clear", "forest", "hills", "marsh"] {
            match charts.terrain.iter().find(|g| g.name == name) {
                Some(g) => ground.push(g.clone()),
                None => faults.add("charts.toml", None, format!("no [[terrain]] '{name}'")),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let costs = Costs::new(&charts, &ground);
        let untried = |pool: u8| units.pools.get(usize::from(pool)).map_or(0, |p| p.movement);
        let badges = units.of.iter().map(|i| Badge::of(i, untried(i.pool))).collect();
        let printed_mp = units.printed.iter().map(|p| p.face.movement).collect();
        let limit = 4 * charts.numbers.stacking as u16;
        let times = charts.built.iter().find(|b| b.name == "city").map_or(1, |b| b.stacking_times);
        let limits = map.town.iter().map(|t| limit * if *t == Town::City { u16::from(times) } else { 1 });
        let limits = limits.collect();
        let bars = bars(&map);
        let sides: Vec<Side> = units.of[..units.ground].iter().map(|u| u.side).collect();
        let mut names: Vec<String> = boxes::NAMES.iter().map(|(n, _)| (*n).to_string()).collect();
        names.extend(charts.turns.iter().map(|t| format!("turn-{}", t.number)));
        let box_count = names.len();
        let mut codes: Vec<String> = units.of.iter().map(|u| u.code.clone()).collect();
        codes.extend(AERIAL_CODES.iter().map(|s| (*s).to_string()));
        let lexicon = match Lexicon::new(map.grid().clone(), VERBS, codes, names) {
            Ok(l) => l,
            Err(e) => {
                faults.add("counters.tsv", None, e);
                return Err(faults);
            }
        };
        Ok(Data {
            files,
            map,
            charts,
            units,
            lexicon,
            scenarios: scenarios.value.scenario,
            options,
            costs,
            badges,
            printed_mp,
            limits,
            limit,
            bars,
            sides,
            box_count,
            ground,
        })
    }

    /// The box of a turn on the track.
    pub fn track(turn: u8) -> BoxId {
        BoxId(boxes::TRACK.0 + u16::from(turn) - 1)
    }

    /// Hexes closed to a group: 0 none, 1 to 7 by the allies in it (see [`Data::bar_of`]), 8 those closed to the Soviet side on
    /// turn 1.
    #[inline]
    pub fn barred(&self, bar: u8) -> &HexSet {
        &self.bars[usize::from(bar)]
    }

    /// The bit of a nation in the number of a bar.
    #[inline]
    pub fn bar_of(nation: Nation) -> u8 {
        match nation {
            Nation::Romanian => 1,
            Nation::Hungarian => 2,
            Nation::Italian => 4,
            Nation::German | Nation::Soviet => 0,
        }
    }

    /// The air units: unit numbers after the ground units.
    pub fn air(&self) -> impl Iterator<Item = Unit> + use<> {
        (self.units.ground as u16..self.units.of.len() as u16).map(Unit)
    }
}

/// 5.3, 7.2-7.4, 8.5: hexes closed to groups, by the number of a bar.
fn bars(map: &Map) -> Vec<HexSet> {
    let mut bars = vec![HexSet::empty(); 9];
    for (bar, set) in bars.iter_mut().enumerate().take(8).skip(1) {
        *set = map.north_sheet.clone();
        if bar & 1 != 0 {
            *set |= &map.zomo_hungary;
        }
        if bar & 2 != 0 {
            *set |= &map.zomo_romania;
        }
    }
    bars[8] = &map.zomo_hungary | &map.zomo_romania;
    bars
}
