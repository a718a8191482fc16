//! The historical set-ups and the Typhoon position keep to the rules of set-up and to the map.

use board::Board;
use hex::{Hex, HexSet};
use std::collections::{BTreeMap, BTreeSet};
use text::{Faults, Files, Tsv};

fn files() -> Files {
    Files::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/data"))
}

fn board() -> Board {
    Board::load(&files().under("map")).unwrap_or_else(|faults| panic!("{faults}"))
}

fn table(name: &str, columns: &[&str]) -> Tsv {
    let mut faults = Faults::new();
    let tsv = Tsv::read(&files(), name, columns, &[], &mut faults);
    assert!(faults.is_empty(), "{faults}");
    tsv.expect("a table without faults")
}

fn zone<'a>(board: &'a Board, name: &str) -> &'a HexSet {
    board.zone(name).unwrap_or_else(|| panic!("no zone {name}"))
}

fn find(board: &Board, name: &str) -> Hex {
    board.grid().find(name).unwrap_or_else(|| panic!("no hex {name}"))
}

/// A counter's facts that set-up and stacking ask for.
struct Facts {
    nation: String,
    kind: String,
    size: String,
    arrives: String,
    steps: usize,
}

fn counters() -> BTreeMap<String, Facts> {
    let columns = ["code", "name", "side", "nation", "kind", "size", "faces", "arrives", "flags"];
    let tsv = table("counters.tsv", &columns);
    let facts = tsv.rows().map(|r| {
        let facts = Facts {
            nation: r.get("nation").to_string(),
            kind: r.get("kind").to_string(),
            size: r.get("size").to_string(),
            arrives: r.get("arrives").to_string(),
            steps: r.get("faces").split('/').count(),
        };
        (r.get("code").to_string(), facts)
    });
    facts.collect()
}

/// 6.3 in quarters of a unit.
fn quarters(facts: &Facts) -> u32 {
    match facts.size.as_str() {
        "brigade" => 2,
        "regiment" | "battalion" => 1,
        _ => 4,
    }
}

fn city(board: &Board, hex: Hex) -> bool {
    let kind = board.place_kind("city");
    board.places_at(hex).any(|p| Some(p.kind) == kind)
}

fn urban(board: &Board) -> Vec<Hex> {
    let mut hexes: Vec<Hex> = ["city", "large-town"]
        .iter()
        .flat_map(|k| board.places_of(board.place_kind(k).expect("a kind")).iter().collect::<Vec<_>>())
        .collect();
    hexes.sort();
    hexes.dedup();
    hexes
}

/// 6.1, 6.3, 6.5, 7.1-7.4 for the units of one hex.
fn stack_is_legal(board: &Board, hex: Hex, stack: &[&Facts]) -> Result<(), String> {
    let limit = if city(board, hex) { 40 } else { 20 };
    let load: u32 = stack.iter().map(|f| quarters(f)).sum();
    if load > limit {
        return Err(format!("{load} quarters, limit {limit} (6.1)"));
    }
    if stack.iter().filter(|f| quarters(f) == 1).count() > 4 {
        return Err("more than four regiments and battalions (6.3)".into());
    }
    let number = |nation: &str| stack.iter().filter(|f| f.nation == nation).count();
    let allies = ["romanian", "italian", "hungarian"];
    let germans = stack.len() - allies.iter().map(|n| number(n)).sum::<usize>();
    if allies.iter().filter(|n| number(n) > 0).count() > 1 {
        return Err("allies of two nations (7.1)".into());
    }
    if number("romanian") + number("italian") > 0 && germans > 1 {
        return Err("more than one German unit with allies (7.2, 7.3)".into());
    }
    Ok(())
}

#[test]
fn the_german_set_up_uses_every_starting_unit_once_and_keeps_to_its_zones() {
    let (board, counters) = (board(), counters());
    let setup = table("setups/german-historical.tsv", &["unit", "hex"]);
    let mut stacks: BTreeMap<Hex, Vec<&Facts>> = BTreeMap::new();
    let mut placed = BTreeSet::new();
    let (mut divisions_south, mut guns_south) = (0, 0);
    for row in setup.rows() {
        let (code, place) = (row.get("unit"), row.get("hex"));
        let facts = counters.get(code).unwrap_or_else(|| panic!("line {}: no unit {code}", row.line));
        assert_eq!(facts.arrives, "start", "{code}");
        assert!(placed.insert(code.to_string()), "{code} stands twice");
        let south = match board.off_map_box(place) {
            Some(b) => b.name == "okh-south",
            None => {
                let hex = find(&board, place);
                stacks.entry(hex).or_default().push(facts);
                let within = |z: &str| zone(&board, z).contains(hex);
                let hungary = within("zomo-hungary");
                assert_eq!(
                    hungary,
                    facts.nation == "hungarian",
                    "{code} in {place}: 3.7, only HF in Hungary"
                );
                assert!(
                    hungary || within("zomo-germany") || within("zomo-romania"),
                    "{code} in {place}: 3.7"
                );
                within("zomo-romania")
            }
        };
        match (facts.nation.as_str(), south) {
            ("romanian", south) => assert!(south, "{code}: 3.7, Romanians start in Romania"),
            ("hungarian", _) | (_, false) => {}
            (_, true) if facts.kind == "assaultgun" => guns_south += 1,
            (_, true) => {
                let foot = !["panzer", "motorized", "recon", "flak"].contains(&facts.kind.as_str());
                assert!(foot && facts.size == "division", "{code}: 3.7, only non-mechanized divisions");
                divisions_south += 1;
            }
        }
    }
    assert_eq!((divisions_south, guns_south), (7, 1), "3.7");
    let starting: BTreeSet<String> = counters
        .iter()
        .filter(|(_, f)| f.arrives == "start" && f.kind != "air")
        .map(|(c, _)| c.clone())
        .collect();
    assert_eq!(placed, starting);
    for (hex, stack) in &stacks {
        if let Err(what) = stack_is_legal(&board, *hex, stack) {
            panic!("{}: {what}", board.grid().name(*hex));
        }
    }
}

#[test]
fn the_soviet_set_up_meets_every_stricture_of_3_2_to_3_4() {
    let board = board();
    let setup = table("setups/soviet-historical.tsv", &["pool", "count", "hex"]);
    let mut in_hex: BTreeMap<Hex, u32> = BTreeMap::new();
    let mut by_zone: BTreeMap<(&str, String), u32> = BTreeMap::new();
    for row in setup.rows() {
        let hex = find(&board, row.get("hex"));
        let count: u32 = row.get("count").parse().expect("a count");
        let frontier = zone(&board, "frontier").contains(hex);
        assert!(frontier || zone(&board, "interior").contains(hex), "{}: no Soviet zone", row.get("hex"));
        *in_hex.entry(hex).or_default() += count;
        let group = if frontier { "frontier" } else { "interior" };
        *by_zone.entry((group, row.get("pool").to_string())).or_default() += count;
    }
    let schedule = table("schedule.tsv", &["when", "how", "pool", "count"]);
    for row in schedule.rows().filter(|r| r.get("how") == "setup") {
        let got = by_zone.remove(&(row.get("when"), row.get("pool").to_string())).unwrap_or(0);
        assert_eq!(got.to_string(), row.get("count"), "{} {}", row.get("when"), row.get("pool"));
    }
    assert!(by_zone.is_empty(), "{by_zone:?} not in 17.6");
    for (hex, n) in &in_hex {
        let limit = if city(&board, *hex) { 10 } else { 5 };
        assert!(*n <= limit, "{}: {n} units", board.grid().name(*hex));
        assert!(board.is_land(*hex), "{} is water", board.grid().name(*hex));
    }
    for hex in zone(&board, "border-full").iter() {
        assert!(in_hex.contains_key(&hex), "{}: a border hex without a unit (3.3)", board.grid().name(hex));
    }
    let alternate = zone(&board, "border-alternate");
    for hex in alternate.iter().filter(|h| !in_hex.contains_key(h)) {
        let beside: Vec<Hex> =
            board.grid().neighbours(hex).map(|(_, h)| h).filter(|h| alternate.contains(*h)).collect();
        let held = beside.iter().filter(|h| in_hex.contains_key(h)).count();
        assert!(held >= beside.len().min(2), "{}: 3.3, every other hex", board.grid().name(hex));
    }
    for hex in urban(&board) {
        assert!(in_hex.contains_key(&hex), "{}: a town without a unit (3.3, 3.4)", board.grid().name(hex));
    }
    let mut columns: BTreeMap<u16, u32> = BTreeMap::new();
    for (hex, n) in in_hex.iter().filter(|(h, _)| zone(&board, "interior").contains(**h)) {
        *columns.entry(board.grid().column(*hex)).or_default() += n;
    }
    for column in 23..=60 {
        assert!(
            columns.get(&column).is_some_and(|n| *n >= 4),
            "hexrow {column}: {:?} (3.4)",
            columns.get(&column)
        );
    }
}

const POSITION: &[&str] = &["what", "value", "hex", "steps", "count"];

#[test]
fn the_typhoon_position_accounts_for_every_unit_that_came_by_turn_7() {
    let counters = counters();
    let position = table("setups/typhoon.tsv", POSITION);
    let units: Vec<&str> =
        position.rows().filter(|r| r.get("what") == "unit").map(|r| r.get("value")).collect();
    let placed: BTreeSet<&str> = units.iter().copied().collect();
    assert_eq!(placed.len(), units.len(), "a unit stands twice");
    for (code, facts) in counters.iter().filter(|(_, f)| f.kind != "air") {
        let there = facts.arrives == "start" || facts.arrives.parse::<u8>().is_ok_and(|t| t <= 7);
        assert_eq!(placed.contains(code.as_str()), there, "{code}");
    }
    let mut came: BTreeMap<String, i32> = BTreeMap::new();
    for row in table("schedule.tsv", &["when", "how", "pool", "count"]).rows() {
        let count: i32 = row.get("count").parse().expect("a count");
        let early = row.get("when").parse::<u8>().map_or(true, |t| t <= 7);
        match row.get("how") {
            "convert" if early => *came.entry(row.get("pool").into()).or_default() -= count,
            "setup" | "arrive" | "dice" if early => *came.entry(row.get("pool").into()).or_default() += count,
            _ => {}
        }
    }
    for row in position.rows().filter(|r| ["untried", "dead", "brigades"].contains(&r.get("what"))) {
        let count: i32 = row.get("count").parse().expect("a count");
        *came.entry(row.get("value").into()).or_default() -= count;
    }
    assert!(came.values().all(|n| *n == 0), "not accounted for: {came:?}");
    let guards = table("guards.tsv", &["code", "name", "from", "kind", "size", "faces", "turn"]);
    let due: BTreeSet<&str> = guards.rows().filter(|g| g.get("turn") == "7").map(|g| g.get("code")).collect();
    let there: BTreeSet<&str> =
        position.rows().filter(|r| r.get("what") == "guards").map(|r| r.get("value")).collect();
    assert_eq!(there, due);
}

#[test]
fn the_typhoon_position_stacks_by_the_rules_and_no_hex_holds_both_sides() {
    let (board, counters) = (board(), counters());
    let position = table("setups/typhoon.tsv", POSITION);
    let mut german: BTreeMap<Hex, Vec<&Facts>> = BTreeMap::new();
    let mut soviet: BTreeMap<Hex, u32> = BTreeMap::new();
    for row in position.rows() {
        let place = row.get("hex");
        match row.get("what") {
            "unit" => {
                let facts = &counters[row.get("value")];
                let steps: usize = row.get("steps").parse().expect("steps");
                assert!((1..=facts.steps).contains(&steps), "{}: {steps} steps", row.get("value"));
                if board.off_map_box(place).is_none() {
                    german.entry(find(&board, place)).or_default().push(facts);
                }
            }
            "untried" | "guards" if board.off_map_box(place).is_none() => {
                let count = row.get("count").parse::<u32>().unwrap_or(1);
                *soviet.entry(find(&board, place)).or_default() += count;
            }
            _ => {}
        }
    }
    for (hex, stack) in &german {
        let name = board.grid().name(*hex);
        assert!(!soviet.contains_key(hex), "both sides in {name}");
        assert!(board.is_land(*hex), "{name} is water");
        if let Err(what) = stack_is_legal(&board, *hex, stack) {
            panic!("{name}: {what}");
        }
    }
    for (hex, n) in &soviet {
        let limit = if city(&board, *hex) { 10 } else { 5 };
        assert!(*n <= limit && board.is_land(*hex), "{}: {n} units", board.grid().name(*hex));
    }
    let controlled: BTreeSet<Hex> =
        position.rows().filter(|r| r.get("what") == "control").map(|r| find(&board, r.get("hex"))).collect();
    let mut vp = 0;
    for hex in urban(&board) {
        let name = board.grid().name(hex);
        let german_held = controlled.contains(&hex);
        assert!(!(german_held && soviet.contains_key(&hex)), "{name} is German but a Soviet unit is in it");
        assert!(german_held || !german.contains_key(&hex), "{name} is Soviet but a German unit is in it");
        if german_held {
            vp += board.places_at(hex).find_map(|p| p.vp).unwrap_or(0);
        }
    }
    assert_eq!(vp, 17, "the VP that scenarios.toml tells");
}

#[test]
fn every_file_that_a_scenario_names_is_there() {
    #[derive(serde::Deserialize)]
    struct Scenarios {
        scenario: Vec<Scenario>,
    }
    #[derive(serde::Deserialize)]
    struct Scenario {
        id: String,
        first_turn: u8,
        last_turn: u8,
        soviet: Option<String>,
        german: Option<String>,
        position: Option<String>,
        victory: Option<Victory>,
    }
    #[derive(serde::Deserialize)]
    struct Victory {
        points: Vec<i32>,
    }
    let mut faults = Faults::new();
    let read = text::read_toml::<Scenarios>(&files(), "scenarios.toml", &mut faults);
    assert!(faults.is_empty(), "{faults}");
    let scenarios = read.expect("scenarios").value.scenario;
    let ids: Vec<&str> = scenarios.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids, ["campaign", "historical", "june", "typhoon"]);
    for s in &scenarios {
        for file in [&s.soviet, &s.german, &s.position].into_iter().flatten().filter(|f| *f != "free") {
            assert!(files().has(file), "{}: {file} is missing", s.id);
        }
        if let Some(v) = &s.victory {
            assert_eq!(v.points.len(), usize::from(s.last_turn - s.first_turn) + 1, "{}", s.id);
        }
    }
}
