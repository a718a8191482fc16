//! The drill's files read into tables, once.

use crate::charts::{self, ResultEntry};
use crate::units::Units;
use crate::verbs::VERBS;
use board::Board;
use game::{Lexicon, OptionSpec};
use hex::{Dir, Hex, HexSet, Sides};
use serde::Deserialize;
use std::sync::Arc;
use table::{BoxId, Counter, Face, ResultsTable, Side, Size, Unit};
use text::{Faults, Files, Source, Tsv, read_toml, unknown};

/// The boxes off the map: units still to be placed, the reserve, and what is lost.
pub(crate) const CAMP: BoxId = BoxId(0);
pub(crate) const RESERVE: BoxId = BoxId(1);
pub(crate) const LOST: BoxId = BoxId(2);
pub(crate) const BOXES: [&str; 3] = ["camp", "reserve", "lost"];
/// What the sides are called in files, [`Side::One`] first.
pub(crate) const SIDES: [&str; 2] = ["blue", "red"];

/// The side of a word in a file.
pub(crate) fn side_of(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|s| SIDES[s.ix()] == word)
}

/// The step from a hex to its neighbour in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// Where it leads; [`Hex::NONE`] off the map.
    pub to: Hex,
    /// Half movement points; 0 where nobody goes.
    pub cost: u8,
    /// Whether zones of control, supply and retreats pass.
    pub open: bool,
    /// Whether an attack that way is halved.
    pub halved: bool,
}

/// What a concealed counter turns out to be.
#[derive(Clone, Debug)]
pub(crate) struct Disguise {
    pub name: String,
    pub kind: String,
    pub size: Size,
}

/// Something that can be played.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub id: String,
    pub name: String,
    pub about: String,
    pub source: String,
    pub turns: u8,
    pub blue_wins: i32,
    /// By side: which towns it holds at first, as bits.
    pub held: [u32; 2],
    /// Units on the map at first.
    pub units: Vec<(Unit, Hex)>,
    /// Who places where, in order.
    pub deploy: Vec<(Side, HexSet)>,
    /// Unit, turn, hexes of entry.
    pub arrivals: Vec<(Unit, u8, HexSet)>,
}

/// Everything that does not change in play.
#[derive(Debug)]
pub(crate) struct Data {
    pub board: Arc<Board>,
    pub lexicon: Lexicon,
    pub counters: Vec<Counter>,
    pub sides: Vec<Side>,
    /// The two concealed counters.
    pub concealed: Units,
    pub concealed_movement: u8,
    pub real: Disguise,
    pub decoy: Disguise,
    /// Where units can be at all.
    pub land: HexSet,
    /// The hexsides that supply does not cross.
    pub shut: Sides,
    /// By hex and direction.
    pub ways: Vec<[Way; 6]>,
    /// By hex: columns for the defender, and what they are for.
    pub shift: Vec<(i8, &'static str)>,
    /// The towns and their points.
    pub towns: Vec<(Hex, i16)>,
    /// By hex: which town, or 255.
    pub town_at: Vec<u8>,
    pub results: ResultsTable<u8>,
    pub first_column: i32,
    pub outcomes: Vec<ResultEntry>,
    pub below: u8,
    pub stacking: usize,
    pub attrition_from: u8,
    /// By side: where supply comes from.
    pub sources: [HexSet; 2],
    pub scenarios: Vec<Scenario>,
    pub options: Vec<OptionSpec>,
    pub terrain: charts::TerrainFile,
    pub chart_sources: [String; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConcealedFile {
    #[allow(dead_code, reason = "checked when the file is read")]
    source: Source,
    movement: u8,
    real: RealEntry,
    decoy: DecoyEntry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RealEntry {
    name: String,
    kind: String,
    size: String,
    full: String,
    reduced: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecoyEntry {
    name: String,
    kind: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    #[allow(dead_code, reason = "checked when the file is read")]
    source: Source,
    stacking: u8,
    attrition_from: u8,
    supply: BySide<String>,
}

/// A value for each side, as files write it.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct BySide<T> {
    pub blue: T,
    pub red: T,
}

impl<T> BySide<T> {
    fn each(&self) -> [&T; 2] {
        [&self.blue, &self.red]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    source: Source,
    id: String,
    name: String,
    about: String,
    turns: u8,
    control: BySide<Vec<String>>,
    victory: VictoryEntry,
    #[serde(default)]
    unit: Vec<UnitEntry>,
    #[serde(default)]
    deploy: Vec<DeployEntry>,
    #[serde(default)]
    arrival: Vec<ArrivalEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VictoryEntry {
    blue: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitEntry {
    counter: String,
    at: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeployEntry {
    side: String,
    zone: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArrivalEntry {
    counter: String,
    turn: u8,
    edge: String,
    #[serde(rename = "box")]
    waits_in: String,
}

impl Data {
    /// Reads everything, or says all that is wrong.
    pub fn read(overlay: Option<&Files>) -> Result<Data, Faults> {
        let files = &text::built_in!().beneath(overlay);
        let board = Arc::new(Board::load(&files.under("map"))?);
        let mut faults = Faults::new();
        let concealed_file = read_toml::<ConcealedFile>(files, "concealed.toml", &mut faults);
        let options = OptionSpec::read(files, &mut faults).unwrap_or_default();
        let rules = read_toml::<RulesFile>(files, "rules.toml", &mut faults);
        let terrain = read_toml::<charts::TerrainFile>(files, "charts/terrain.toml", &mut faults);
        let results = charts::read_results(files, &mut faults);
        let counters = read_counters(files, concealed_file.as_ref().map(|f| &f.value.real), &mut faults);
        let (Some(concealed_file), Some(rules), Some(terrain), Some(results)) =
            (concealed_file, rules, terrain, results)
        else {
            faults.check()?;
            return Err(Faults::new());
        };
        let (counters, concealed) = counters;
        let grid = board.grid().clone();
        let codes = counters.iter().map(|c| c.code.clone()).collect();
        let lexicon = Lexicon::new(grid, VERBS, codes, BOXES.map(String::from).to_vec());
        let lexicon = match lexicon {
            Ok(lexicon) => lexicon,
            Err(what) => {
                faults.add(files.shown("counters.tsv"), None, what);
                faults.check()?;
                return Err(Faults::new());
            }
        };
        let ways = charts::ways(&board, &terrain, &mut faults);
        let land = board.grid().hexes().filter(|&h| terrain.value.cost(&board, h).is_some()).collect();
        let shut = Sides::new(board.grid(), |e| {
            let way = &ways[e.hex().ix()][e.dir().ix()];
            way.cost == 0 || !way.open
        });
        let shift = charts::shifts(&board, &terrain, &mut faults);
        let mut town_at = vec![u8::MAX; board.grid().len()];
        let mut towns = Vec::new();
        for p in board.places().iter().filter(|p| p.vp.is_some()) {
            if towns.len() == 32 {
                faults.add(
                    files.shown("map/places.tsv"),
                    None,
                    "more than 32 towns with points; expected fewer",
                );
                break;
            }
            town_at[p.hex.ix()] = towns.len() as u8;
            towns.push((p.hex, p.vp.unwrap_or(0)));
        }
        let mut sources = [HexSet::empty(), HexSet::empty()];
        for side in Side::BOTH {
            let name = rules.value.supply.each()[side.ix()];
            match board.edge_area(name) {
                Some(edge) => sources[side.ix()] = edge.hexes.clone(),
                None => faults.add(rules.file.clone(), None, unknown_edge(&board, name)),
            }
        }
        let mut data = Data {
            sides: counters.iter().map(|c| c.side).collect(),
            lexicon,
            counters,
            concealed,
            concealed_movement: concealed_file.value.movement,
            real: Disguise {
                name: concealed_file.value.real.name,
                kind: concealed_file.value.real.kind,
                size: concealed_file.value.real.size.parse().unwrap_or(Size::None),
            },
            decoy: Disguise {
                name: concealed_file.value.decoy.name,
                kind: concealed_file.value.decoy.kind,
                size: Size::None,
            },
            land,
            shut,
            ways,
            shift,
            towns,
            town_at,
            results: results.table,
            first_column: results.first_column,
            outcomes: results.outcomes,
            below: results.below,
            stacking: usize::from(rules.value.stacking.max(1)),
            attrition_from: rules.value.attrition_from.max(1),
            sources,
            scenarios: Vec::new(),
            options,
            chart_sources: [terrain.source.as_str().into(), results.source],
            terrain: terrain.value,
            board,
        };
        let names = files.list();
        for name in names.iter().filter(|n| n.starts_with("scenarios/") && n.ends_with(".toml")) {
            data.read_scenario(files, name, &mut faults);
        }
        faults.check()?;
        Ok(data)
    }

    fn read_scenario(&mut self, files: &Files, name: &str, faults: &mut Faults) {
        let Some(read) = read_toml::<ScenarioFile>(files, name, faults) else { return };
        let file = read.file.clone();
        let s = read.value;
        let mut found = Vec::new();
        let mut find = |code: &str, faults: &mut Faults| {
            let unit = self.lexicon.find_unit(code);
            match unit {
                None => faults.add(file.clone(), None, unknown("counter", code, self.lexicon.units())),
                Some(u) if found.contains(&u) => {
                    faults.add(file.clone(), None, format!("the counter \"{code}\" is placed twice"));
                }
                Some(u) => found.push(u),
            }
            unit
        };
        let mut units: Vec<(Unit, Hex)> = Vec::new();
        for u in &s.unit {
            let unit = find(&u.counter, faults);
            let hex = self.board.grid().find(&u.at).filter(|&h| self.can_stand(h));
            match (unit, hex) {
                (_, None) => {
                    faults.add(file.clone(), None, format!("\"{}\" is no hex where a unit can stand", u.at));
                }
                (Some(unit), Some(hex)) => {
                    let there: Vec<_> = units.iter().filter(|(_, h)| *h == hex).collect();
                    let enemy = there.iter().any(|(v, _)| self.sides[v.ix()] != self.sides[unit.ix()]);
                    if enemy || there.len() >= self.stacking {
                        let what = format!("\"{}\" has no room for {}", u.at, u.counter);
                        faults.add(file.clone(), None, what);
                    }
                    units.push((unit, hex));
                }
                _ => {}
            }
        }
        let mut arrivals = Vec::new();
        for a in &s.arrival {
            let unit = find(&a.counter, faults);
            let edge = self.board.edge_area(&a.edge);
            if edge.is_none() {
                faults.add(file.clone(), None, unknown_edge(&self.board, &a.edge));
            }
            if a.waits_in != BOXES[usize::from(RESERVE.0)] {
                faults.add(file.clone(), None, unknown("box", &a.waits_in, &BOXES[1..2]));
            }
            if let (Some(u), Some(e)) = (unit, edge) {
                arrivals.push((u, a.turn, e.hexes.clone()));
            }
        }
        let mut deploy = Vec::new();
        for d in &s.deploy {
            let zone = self.board.zone(&d.zone);
            match (side_of(&d.side), zone) {
                (None, _) => faults.add(file.clone(), None, unknown("side", &d.side, &SIDES)),
                (_, None) => {
                    let names: Vec<_> = self.board.zones().iter().map(|z| z.name.as_str()).collect();
                    faults.add(file.clone(), None, unknown("zone", &d.zone, &names));
                }
                (Some(side), Some(zone)) => deploy.push((side, zone.clone())),
            }
        }
        let mut held = [0u32; 2];
        for side in Side::BOTH {
            for name in s.control.each()[side.ix()] {
                match self.board.grid().find(name).and_then(|h| self.town(h)) {
                    Some(t) => held[side.ix()] |= 1 << t,
                    None => faults.add(file.clone(), None, format!("\"{name}\" is no town with points")),
                }
            }
        }
        if held[0] & held[1] != 0 {
            faults.add(file.clone(), None, "a town is held by both sides");
        }
        if self.scenarios.iter().any(|o| o.id == s.id) {
            faults.add(file.clone(), None, format!("another scenario has the id \"{}\" too", s.id));
        }
        self.scenarios.push(Scenario {
            id: s.id,
            name: s.name,
            about: s.about,
            source: s.source.as_str().into(),
            turns: s.turns.max(1),
            blue_wins: s.victory.blue,
            held,
            units,
            deploy,
            arrivals,
        });
    }

    /// Whether a unit can be on a hex at all.
    pub fn can_stand(&self, h: Hex) -> bool {
        self.land.contains(h)
    }

    /// The number of the town on a hex.
    #[inline]
    pub fn town(&self, h: Hex) -> Option<usize> {
        self.town_at.get(h.ix()).filter(|&&t| t != u8::MAX).map(|&t| usize::from(t))
    }

    /// The ways out of a hex.
    #[inline]
    pub fn ways(&self, h: Hex) -> &[Way; 6] {
        const SHUT: &[Way; 6] = &[Way { to: Hex::NONE, cost: 0, open: false, halved: false }; 6];
        self.ways.get(h.ix()).unwrap_or(SHUT)
    }

    /// The way from a hex to one that touches it.
    pub fn way(&self, from: Hex, to: Hex) -> Option<(Dir, Way)> {
        Dir::ALL.into_iter().zip(*self.ways(from)).find(|(_, w)| w.to == to && to.is_some())
    }

    /// A hex by its name and number.
    pub fn hex_name(&self, h: Hex) -> String {
        let number = self.board.grid().name(h);
        match self.board.place_at(h) {
            Some(p) if !p.name.is_empty() => format!("{} ({number})", p.name),
            _ => number.to_string(),
        }
    }
}

fn unknown_edge(board: &Board, name: &str) -> String {
    let names: Vec<_> = board.edge_areas().iter().map(|e| e.name.as_str()).collect();
    unknown("edge", name, &names)
}

fn read_counters(files: &Files, real: Option<&RealEntry>, faults: &mut Faults) -> (Vec<Counter>, Units) {
    let mut counters = Vec::new();
    let mut concealed = Units::NONE;
    let required = ["code", "name", "side", "nation", "kind", "size", "full", "reduced"];
    let Some(tsv) = Tsv::read(files, "counters.tsv", &required, &["concealed"], faults) else {
        return (counters, concealed);
    };
    for row in tsv.rows() {
        let side = row.one_of("side", &SIDES, faults).map(|i| Side::BOTH[i]);
        let hidden = !row.get("concealed").is_empty();
        let faces: Vec<Face> = match (hidden, real) {
            (true, Some(real)) => [&real.full, &real.reduced]
                .into_iter()
                .filter_map(|f| f.parse().map_err(|what: String| row.fault(faults, what)).ok())
                .collect(),
            (true, None) => Vec::new(),
            (false, _) => ["full", "reduced"]
                .into_iter()
                .filter_map(|c| row.parse(c, "attack-defence-movement, such as 4-4-4", faults))
                .collect(),
        };
        let size = row.get("size").parse().map_err(|what: String| row.fault(faults, what));
        if counters.len() == Units::MOST {
            row.fault(faults, format!("more than {} counters; the drill has room for no more", Units::MOST));
            break;
        }
        if hidden {
            concealed = concealed.with(Unit(counters.len() as u16));
        }
        counters.push(Counter {
            code: row.need("code", faults).unwrap_or_default().into(),
            name: row.get("name").into(),
            side: side.unwrap_or(Side::One),
            nation: row.get("nation").into(),
            kind: row.get("kind").into(),
            size: size.unwrap_or(Size::None),
            faces,
        });
    }
    if concealed.count() != 2 {
        let n = concealed.count();
        faults.add(
            tsv.file.clone(),
            None,
            format!("{n} concealed counters; expected two, one real and one decoy"),
        );
    }
    (counters, concealed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_data_folder_is_built_in() {
        let folder = Files::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/data"));
        let built_in = text::built_in!();
        assert_eq!(folder.list(), built_in.list());
        assert_eq!(folder.digest().unwrap(), built_in.digest().unwrap());
    }
}
