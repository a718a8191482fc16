//! The game's files read into tables, once; everything here is shared and never changes.

use crate::charts::Charts;
use crate::map::Map;
use crate::scenario::{Scenario, ScenarioFile, Scene};
use crate::steps::Tables;
use crate::units::Units;
use crate::verbs::VERBS;
use board::Board;
use game::{Lexicon, OptionSpec};
use hex::HexSet;
use table::{BoxId, Side, Unit};
use text::{Faults, Files, Tsv, read_toml};

/// Boxes off the map. Entry Areas follow [`boxes::AREAS`], then the Holding Boxes, then the turns of the track.
pub mod boxes {
    use table::BoxId;
    /// The Eliminated Box (10.3).
    pub const DEAD: BoxId = BoxId(0);
    /// Out of play for good.
    pub const GONE: BoxId = BoxId(1);
    /// The Remnant Display: counters that stand for units (10.4).
    pub const DISPLAY: BoxId = BoxId(2);
    /// Not in this scenario, or not yet.
    pub const TRAY: BoxId = BoxId(3);
    /// Supply Points not in play (18.6).
    pub const SUPPLIES: BoxId = BoxId(4);
    /// Air units ready in their Holding Box (9.3.1).
    pub const AIR: BoxId = BoxId(5);
    /// Air units used or set aside this turn.
    pub const AIR_USED: BoxId = BoxId(6);
    /// The Trans-Caucasus Front Box (30.0).
    pub const TRANS_CAUCASUS: BoxId = BoxId(7);
    /// North Caucasian Volunteers to come (20.8).
    pub const VOLUNTEERS: BoxId = BoxId(8);
    /// Reinforcements due this turn that wait to be put into an Entry Area (22.1.2).
    pub const ARRIVING: BoxId = BoxId(9);
    /// The first Entry Area.
    pub const AREAS: u16 = 10;
    /// Names in order, with what they are called.
    pub const NAMES: [(&str, &str); 10] = [
        ("dead", "Eliminated"),
        ("gone", "Out of play"),
        ("display", "Remnant Display"),
        ("tray", "Not in play"),
        ("supplies", "Supply Points not in play"),
        ("air", "Air units, ready"),
        ("air-used", "Air units, used"),
        ("trans-caucasus", "Trans-Caucasus Front"),
        ("volunteers", "North Caucasian Volunteers"),
        ("arriving", "Arriving"),
    ];
    /// How many Holding Boxes Reserve Armies have (34.1).
    pub const HOLDING: u16 = 6;
}

/// An Entry Area (22) or the Caspian Sea Transit Box (22.6.4), which borders no hex.
#[derive(Clone, Debug)]
pub struct Area {
    /// Its name in orders: `entry-a`.
    pub name: String,
    /// What it is called.
    pub label: String,
    /// Its box.
    pub in_box: BoxId,
    /// The hexes that border it.
    pub hexes: HexSet,
}

/// Names of the areas that only scenarios on single maps have, and of the Caspian box.
const ZONES_AS_AREAS: [&str; 7] =
    ["entry-m", "entry-n", "entry-o", "entry-p", "entry-q", "entry-r", "caucasus-entry"];

/// A row of `reinforcements.tsv` (22.1).
#[derive(Clone, Debug)]
pub struct Arrival {
    /// Scenario id.
    pub scenario: String,
    /// When.
    pub turn: u8,
    /// Who.
    pub unit: Unit,
    /// Where, in the words of the file.
    pub areas: Vec<String>,
    /// `full`, `reduced` or `upgraded`.
    pub state: String,
}

/// A row of `replacements.tsv` (21.1).
#[derive(Clone, Debug)]
pub struct Rate {
    /// Scenario id.
    pub scenario: String,
    /// When.
    pub turn: u8,
    /// Whose.
    pub side: Side,
    /// Steps by kind, in the order of [`KINDS`].
    pub steps: [u8; 8],
}

/// Kinds of replacements (21.1.2).
pub const KINDS: [&str; 8] = ["tank", "infantry", "cavalry", "special", "hun", "rom", "ital", "axis"];

/// A row of `upgrades.tsv` (32).
#[derive(Clone, Debug)]
pub struct Change {
    /// When.
    pub turn: u8,
    /// Whose Initial Phase.
    pub side: Side,
    /// What the rules do, see the head of the file.
    pub key: String,
    /// The unit, if the row names one.
    pub unit: Option<Unit>,
    /// What it becomes, if a unit.
    pub into: Option<Unit>,
    /// How many.
    pub count: u8,
}

/// Everything that does not change in play.
#[derive(Debug)]
pub struct Data {
    /// The files themselves, for set-ups.
    pub files: Files,
    /// The map.
    pub map: Map,
    /// The charts.
    pub charts: Charts,
    /// Counters.
    pub units: Units,
    /// Names.
    pub lexicon: Lexicon,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
    /// What players agree on before a game.
    pub options: Vec<OptionSpec>,
    /// What the map is in each scenario.
    pub scenes: Vec<Scene>,
    /// Entry Areas.
    pub areas: Vec<Area>,
    /// Reinforcements.
    pub arrivals: Vec<Arrival>,
    /// Replacement rates.
    pub rates: Vec<Rate>,
    /// Reserve Armies of 31.0: army number and unit.
    pub reserves: Vec<(u8, Unit)>,
    /// Removals and upgrades.
    pub changes: Vec<Change>,
    /// Sides by unit, for [`table::Stacks`].
    pub sides: Vec<Side>,
    /// How many boxes there are.
    pub box_count: usize,
    /// The air units.
    pub air: Vec<Unit>,
    /// By unit: the Reserve Army of 31.0 it belongs to, or 0.
    pub army: Vec<u8>,
    /// The garrisons (20.4).
    pub garrisons: Vec<Unit>,
    /// What steps cost each kind of group (5.2, 5.5).
    pub steps: Tables,
    /// The Entry Area that winter closes (23.4).
    pub winter_area: Option<usize>,
    /// The Entry Area before Baku (24.1.2).
    pub baku: Option<usize>,
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
        let areas = areas(&map, &mut faults);
        let scenarios = scenarios.value.scenario;
        let mut scenes = Vec::new();
        for s in &scenarios {
            scenes.extend(Scene::new(s, &map, &areas, &mut faults));
        }
        let arrivals = arrivals(&files, &units, &mut faults);
        let rates = rates(&files, &mut faults);
        let reserves = reserves(&files, &units, &mut faults);
        let changes = changes(&files, &units, &mut faults);
        let mut names: Vec<String> = boxes::NAMES.iter().map(|(n, _)| (*n).to_string()).collect();
        names.extend(areas.iter().map(|a| a.name.clone()));
        names.extend((1..=boxes::HOLDING).map(|i| format!("holding-{i}")));
        names.extend(charts.turn.iter().map(|t| format!("turn-{}", t.number)));
        let box_count = names.len();
        let codes: Vec<String> = units.of.iter().map(|u| u.code.clone()).collect();
        let lexicon = match Lexicon::new(map.grid().clone(), VERBS, codes, names) {
            Ok(l) => l,
            Err(e) => {
                faults.add("counters.tsv", None, e);
                return Err(faults);
            }
        };
        if !faults.is_empty() {
            return Err(faults);
        }
        let sides: Vec<Side> = units.of.iter().map(|u| u.side).collect();
        let all = |bits: u64| {
            let has = |u: &Unit| units.of[u.ix()].traits & bits != 0;
            (0..units.of.len() as u16).map(Unit).filter(has).collect::<Vec<_>>()
        };
        let (air, garrisons) = (all(crate::units::is::AIR), all(crate::units::is::GARRISON));
        let mut army = vec![0; units.of.len()];
        for &(n, u) in &reserves {
            army[u.ix()] = n;
        }
        let area = |name: &str| areas.iter().position(|a| a.name == name);
        let (winter_area, baku) = (area(&charts.weather.winter_closes), area(&charts.victory.baku_area));
        Ok(Data {
            files,
            map,
            charts,
            units,
            lexicon,
            scenarios,
            options,
            scenes,
            areas,
            arrivals,
            rates,
            reserves,
            changes,
            sides,
            box_count,
            air,
            army,
            garrisons,
            steps: Tables::default(),
            winter_area,
            baku,
        })
    }

    /// The box of a turn on the track.
    pub fn track(&self, turn: u8) -> BoxId {
        BoxId(boxes::AREAS + self.areas.len() as u16 + boxes::HOLDING + u16::from(turn.max(1)) - 1)
    }

    /// The Holding Box of a Maskirovka marker, from 0 (34.1.2).
    pub fn holding(&self, i: u8) -> BoxId {
        BoxId(boxes::AREAS + self.areas.len() as u16 + u16::from(i))
    }

    /// The Entry Area of a box.
    pub fn area_of(&self, b: BoxId) -> Option<usize> {
        let i = usize::from(b.0.checked_sub(boxes::AREAS)?);
        (i < self.areas.len()).then_some(i)
    }

    /// An Entry Area by name.
    pub fn area(&self, name: &str) -> Option<usize> {
        self.areas.iter().position(|a| a.name == name)
    }

    /// What a box is called.
    pub fn box_label(&self, b: BoxId) -> String {
        if let Some((_, label)) = boxes::NAMES.get(usize::from(b.0)) {
            return (*label).to_string();
        }
        match self.area_of(b) {
            Some(a) => self.areas[a].label.clone(),
            None => match self.lexicon.boxed(b).split_once('-') {
                Some(("turn", n)) => format!("Turn {n}"),
                Some(("holding", n)) => format!("Holding Box {n}"),
                _ => self.lexicon.boxed(b).to_string(),
            },
        }
    }
}

fn areas(map: &Map, faults: &mut Faults) -> Vec<Area> {
    let mut out = Vec::new();
    let mut add = |name: &str, label: &str, hexes: HexSet| {
        let in_box = BoxId(boxes::AREAS + out.len() as u16);
        out.push(Area { name: name.into(), label: label.into(), in_box, hexes: &hexes & &map.land });
    };
    for e in map.board.edge_areas() {
        add(&e.name, &e.label, e.hexes.clone());
    }
    for name in ZONES_AS_AREAS {
        match map.board.zones().iter().find(|z| z.name == name) {
            Some(z) => add(&z.name, &z.label, z.hexes.clone()),
            None => faults.add("map", None, format!("the board has no zone '{name}'")),
        }
    }
    add("caspian-transit", "Caspian Sea Transit Box (F)", HexSet::empty());
    out
}

fn find(units: &Units, row: &text::Row<'_>, faults: &mut Faults) -> Option<Unit> {
    let code = row.get("unit");
    let u = units.by_code.get(code).copied();
    if u.is_none() {
        row.fault(faults, format!("there is no counter '{code}'"));
    }
    u
}

fn arrivals(files: &Files, units: &Units, faults: &mut Faults) -> Vec<Arrival> {
    let want = ["scenario", "turn", "unit", "area", "state"];
    let Some(t) = Tsv::read(files, "reinforcements.tsv", &want, &[], faults) else { return Vec::new() };
    let mut out = Vec::new();
    for row in t.rows() {
        let turn = row.parse::<u8>("turn", "a turn", faults);
        if let (Some(unit), Some(turn)) = (find(units, &row, faults), turn) {
            out.push(Arrival {
                scenario: row.get("scenario").into(),
                turn,
                unit,
                areas: row.words("area").map(str::to_string).collect(),
                state: row.get("state").into(),
            });
        }
    }
    out
}

fn rates(files: &Files, faults: &mut Faults) -> Vec<Rate> {
    let mut want = vec!["scenario", "turn", "side"];
    want.extend(KINDS);
    let Some(t) = Tsv::read(files, "replacements.tsv", &want, &[], faults) else { return Vec::new() };
    let mut out = Vec::new();
    for row in t.rows() {
        let Some(turn) = row.parse::<u8>("turn", "a turn", faults) else { continue };
        let steps = KINDS.map(|k| row.parse_or_none::<u8>(k, "a number of steps", faults).unwrap_or(0));
        let side = if row.get("side") == "axis" { Side::One } else { Side::Two };
        out.push(Rate { scenario: row.get("scenario").into(), turn, side, steps });
    }
    out
}

fn reserves(files: &Files, units: &Units, faults: &mut Faults) -> Vec<(u8, Unit)> {
    let want = ["army", "unit", "hex", "released", "made"];
    let Some(t) = Tsv::read(files, "reserves.tsv", &want, &[], faults) else { return Vec::new() };
    let mut out = Vec::new();
    for row in t.rows() {
        let army = row.parse::<u8>("army", "the number of an army", faults);
        if let (Some(u), Some(army)) = (find(units, &row, faults), army) {
            out.push((army, u));
        }
    }
    out
}

fn changes(files: &Files, units: &Units, faults: &mut Faults) -> Vec<Change> {
    let want = ["turn", "side", "what", "unit", "into", "count", "rule", "key"];
    let Some(t) = Tsv::read(files, "upgrades.tsv", &want, &[], faults) else { return Vec::new() };
    let mut out = Vec::new();
    for row in t.rows() {
        let Some(turn) = row.parse::<u8>("turn", "a turn", faults) else { continue };
        out.push(Change {
            turn,
            side: if row.get("side") == "axis" { Side::One } else { Side::Two },
            key: row.get("key").into(),
            unit: units.by_code.get(row.get("unit")).copied(),
            into: units.by_code.get(row.get("into")).copied(),
            count: row.parse_or_none::<u8>("count", "a number", faults).unwrap_or(1),
        });
    }
    out
}
