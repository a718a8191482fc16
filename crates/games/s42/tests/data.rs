//! The data of Stalingrad '42 keeps to what the rulebook and the start cards give, and to the map.

use board::Board;
use hex::Hex;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use text::{Faults, Files, Tsv, read_toml};

fn files() -> Files {
    Files::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/data"))
}

fn board() -> Board {
    Board::load(&files().under("map")).unwrap_or_else(|faults| panic!("{faults}"))
}

fn read(files: &Files, name: &str, columns: &[&str]) -> Tsv {
    let mut faults = Faults::new();
    let tsv = Tsv::read(files, name, columns, &[], &mut faults);
    assert!(faults.is_empty(), "{faults}");
    tsv.expect("a table without faults")
}

fn toml<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let mut faults = Faults::new();
    let read = read_toml(&files(), name, &mut faults);
    assert!(faults.is_empty(), "{faults}");
    read.expect("a file without faults").value
}

fn find(board: &Board, name: &str) -> Hex {
    board.grid().find(name).unwrap_or_else(|| panic!("no hex {name}"))
}

struct Counter {
    side: String,
    nation: String,
    kind: String,
    faces: Vec<[u32; 3]>,
    steps: usize,
    flags: BTreeSet<String>,
    arrives: String,
    sets: BTreeSet<String>,
}

impl Counter {
    fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }
}

fn counters() -> BTreeMap<String, Counter> {
    let columns = [
        "code", "name", "side", "nation", "kind", "size", "faces", "steps", "flags", "range", "arrives",
        "sets",
    ];
    let tsv = read(&files(), "counters.tsv", &columns);
    let mut all = BTreeMap::new();
    for row in tsv.rows() {
        let code = row.get("code").to_string();
        let face = |f: &str| {
            let parts: Vec<u32> = f.split('-').map(|n| n.parse().expect("a number")).collect();
            <[u32; 3]>::try_from(parts).unwrap_or_else(|_| panic!("{code}: face {f}"))
        };
        let counter = Counter {
            side: row.get("side").to_string(),
            nation: row.get("nation").to_string(),
            kind: row.get("kind").to_string(),
            faces: row.get("faces").split('/').map(face).collect(),
            steps: row.get("steps").parse().expect("steps"),
            flags: row.words("flags").map(String::from).collect(),
            arrives: row.get("arrives").to_string(),
            sets: row.words("sets").map(String::from).collect(),
        };
        assert!(all.insert(code.clone(), counter).is_none(), "{code} twice");
    }
    all
}

struct Placed {
    unit: String,
    hex: String,
    state: String,
}

fn setup(name: &str) -> Vec<Placed> {
    let tsv = read(&files(), &format!("setups/{name}.tsv"), &["unit", "hex", "state"]);
    let placed = tsv.rows().map(|r| Placed {
        unit: r.get("unit").to_string(),
        hex: r.get("hex").to_string(),
        state: r.get("state").to_string(),
    });
    placed.collect()
}

#[derive(Deserialize)]
struct Charts {
    combat: Combat,
    determined: Determined,
    terrain: Vec<Named>,
    place: Vec<Named>,
    hexside: Vec<Named>,
    crossing: Vec<Named>,
    turn: Vec<Turn>,
    weather: Weather,
}

#[derive(Deserialize)]
struct Weather {
    #[serde(rename = "early-fall")]
    early_fall: Vec<String>,
    rasputitsa: Vec<String>,
    winter: Vec<String>,
}

#[derive(Deserialize)]
struct Combat {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    colours: Vec<Vec<String>>,
    order: Vec<String>,
    result: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    code: String,
    picks: String,
    retreat: u32,
    advance: u32,
    determined: bool,
}

#[derive(Deserialize)]
struct Determined {
    rows: Vec<Vec<String>>,
    order: Vec<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Turn {
    number: u32,
    season: String,
    benchmark: i32,
}

#[derive(Deserialize)]
struct Scenarios {
    scenario: Vec<Scenario>,
}

#[derive(Deserialize)]
struct Scenario {
    id: String,
    first_turn: u32,
    last_turn: u32,
    setups: Vec<String>,
    maps: Vec<String>,
    start: Start,
}

#[derive(Deserialize)]
struct Start {
    railheads: Vec<String>,
    #[serde(default)]
    axis_controls: Vec<String>,
    #[serde(default)]
    axis_start_points: u32,
}

fn rank(order: &[String], code: &str) -> usize {
    order.iter().position(|c| c == code).unwrap_or_else(|| panic!("{code} is not in the order"))
}

/// Every row and every column of the table never falls.
fn assert_rising(rows: &[Vec<usize>]) {
    for row in rows {
        assert!(row.is_sorted(), "{row:?}");
    }
    for pair in rows.windows(2) {
        assert!(pair[0].iter().zip(&pair[1]).all(|(a, b)| a <= b), "{pair:?}");
    }
}

#[test]
fn the_ledger_has_every_rule_of_the_book_in_its_order() {
    let root = Files::folder(env!("CARGO_MANIFEST_DIR"));
    let rules = read(&root, "rules.tsv", &["rule", "heading"]);
    let ledger = read(&root, "ledger.tsv", &["rule", "what", "where", "tests", "status"]);
    let book: Vec<&str> = rules.rows().map(|r| r.get("rule")).collect();
    let ours: Vec<&str> = ledger.rows().map(|r| r.get("rule")).collect();
    assert_eq!(book.len(), 305);
    assert_eq!(ours, book);
    for row in ledger.rows() {
        let (rule, what, place) = (row.get("rule"), row.get("what"), row.get("where"));
        assert!(what.ends_with('.'), "{rule}: {what}");
        let idle = row.get("status").starts_with("nothing to implement: ");
        assert_eq!(idle, place.is_empty(), "{rule} lives in {place:?}");
    }
}

#[test]
fn the_combat_table_rises_and_uses_all_nine_codes() {
    let combat = toml::<Charts>("charts.toml").combat;
    assert_eq!(combat.columns, ["1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1"]);
    assert_eq!(combat.rows.len(), 6);
    let ranks: Vec<Vec<usize>> =
        combat.rows.iter().map(|r| r.iter().map(|c| rank(&combat.order, c)).collect()).collect();
    assert!(ranks.iter().all(|r| r.len() == 9));
    assert_rising(&ranks);
    let used: BTreeSet<usize> = ranks.iter().flatten().copied().collect();
    assert_eq!(used.len(), 9, "each code occurs");
    assert!(combat.rows.iter().any(|r| r[8] != "DS"), "10-1 is better than 7-1");
}

#[test]
fn colours_answer_to_what_a_result_allows() {
    let combat = toml::<Charts>("charts.toml").combat;
    let results: BTreeMap<&str, &Outcome> = combat.result.iter().map(|o| (o.code.as_str(), o)).collect();
    assert_eq!(results.len(), 9);
    for (codes, colours) in combat.rows.iter().zip(&combat.colours) {
        assert_eq!(codes.len(), colours.len());
        for (code, colour) in codes.iter().zip(colours) {
            let barred = code == "DS" || code == "DR4";
            assert_eq!(colour == "barred", barred, "{code} is {colour}");
            assert!(colour != "orange" || results[code.as_str()].determined, "{code} is {colour}");
        }
    }
    assert!(combat.colours.iter().flatten().any(|c| c == "orange"));
}

#[test]
fn results_retreat_and_pick_as_the_book_says() {
    let combat = toml::<Charts>("charts.toml").combat;
    for o in &combat.result {
        let (retreat, opponent) = match o.code.as_str() {
            "DS" => (4, true),
            "DR4" => (4, false),
            "D1" => (3, false),
            "A1/D1" | "DR2" | "A1/DR2" => (2, false),
            "DRX" => (2, true),
            "EX" => (0, true),
            "A1" => (0, false),
            other => panic!("the book has no result {other}"),
        };
        assert_eq!((o.retreat, o.picks == "opponent"), (retreat, opponent), "{}", o.code);
        assert_eq!(o.advance == 0, o.retreat == 0, "{}", o.code);
        assert_eq!(o.determined, o.retreat == 2 || o.retreat == 3, "{}", o.code);
    }
    let low = combat.rows.iter().flat_map(|r| &r[..8]);
    let advances: BTreeSet<u32> =
        low.filter_map(|c| combat.result.iter().find(|o| o.code == *c)).map(|o| o.advance).collect();
    assert!(advances.is_superset(&BTreeSet::from([2, 3, 4])), "{advances:?}");
}

#[test]
fn determined_defense_is_better_in_better_ground_and_has_the_known_cells() {
    let table = toml::<Charts>("charts.toml").determined;
    let ranks: Vec<Vec<usize>> =
        table.rows.iter().map(|r| r.iter().map(|c| rank(&table.order, c)).collect()).collect();
    assert_eq!(ranks.len(), 6);
    assert!(ranks.iter().all(|r| r.len() == 3));
    assert_rising(&ranks);
    assert_eq!(table.rows[2][1], "F -/-");
    assert_eq!(table.rows[4][1], "S -/1");
    for letter in ["S", "P", "F"] {
        assert!(table.rows.iter().flatten().any(|c| c.starts_with(letter)), "no {letter}");
    }
    assert!(table.rows.iter().flatten().any(|c| c.contains('*')));
}

#[test]
fn the_chart_knows_every_terrain_hexside_and_place_of_the_map() {
    let charts = toml::<Charts>("charts.toml");
    let board = board();
    let names = |list: &[Named]| list.iter().map(|n| n.name.clone()).collect::<BTreeSet<_>>();
    for name in names(&charts.terrain) {
        assert!(board.terrain_kind(&name).is_some(), "the map has no terrain {name}");
    }
    assert_eq!(charts.terrain.len() + 2, board.terrains().len(), "all but lake and sea");
    for name in names(&charts.place) {
        assert!(board.place_kind(&name).is_some(), "the map has no place {name}");
    }
    let sides = read(&files(), "map/hexsides.tsv", &["a", "b", "kind", "name", "flags"]);
    let known: BTreeSet<String> = &names(&charts.hexside) | &names(&charts.crossing);
    for row in sides.rows() {
        assert!(known.contains(row.get("kind")), "no chart for {}", row.get("kind"));
    }
}

#[test]
fn the_track_has_36_turns_with_benchmarks_in_their_limits() {
    let charts = toml::<Charts>("charts.toml");
    assert_eq!(charts.turn.iter().map(|t| t.number).collect::<Vec<_>>(), (1..=36).collect::<Vec<_>>());
    let benchmarks: Vec<i32> = charts.turn.iter().map(|t| t.benchmark).collect();
    assert!(benchmarks[..27].is_sorted());
    assert!((benchmarks[27] - 24).abs() <= 6);
    assert_eq!(benchmarks[35], 21);
    for turn in &charts.turn {
        let season = match turn.number {
            1..=16 => "summer",
            17..=19 => "early-fall",
            20..=27 => "rasputitsa",
            _ => "winter",
        };
        assert_eq!(turn.season, season, "turn {}", turn.number);
    }
    let w = &charts.weather;
    assert_eq!(w.early_fall, ["overcast", "overcast", "clear", "clear", "clear", "clear"]);
    assert_eq!(w.rasputitsa, ["rain", "rain", "overcast", "overcast", "clear", "clear"]);
    assert_eq!(w.winter, ["snow", "snow", "overcast-w", "overcast-w", "clear", "clear"]);
}

#[test]
fn special_units_are_as_many_as_the_book_says() {
    let all = counters();
    let count = |test: &dyn Fn(&Counter) -> bool| all.values().filter(|c| test(c)).count();
    assert_eq!(count(&|c| c.has("mountain")), 11, "20.2");
    assert_eq!(count(&|c| c.nation == "nkvd"), 8, "20.3");
    assert_eq!(count(&|c| c.has("garrison")), 12, "20.4");
    assert_eq!(count(&|c| c.has("north-caucasus") && !c.has("asu")), 15, "20.6");
    assert_eq!(count(&|c| c.has("north-caucasus") && c.has("asu")), 2, "20.6");
    assert_eq!(count(&|c| c.has("blucher")), 5, "20.7");
    assert_eq!(count(&|c| c.has("volunteer")), 6, "20.8");
    assert_eq!(count(&|c| c.has("city-double")), 1, "20.9");
    assert_eq!(count(&|c| c.kind == "army-hq"), 3, "20.1");
    assert_eq!(count(&|c| c.kind == "reserve-army"), 6, "34.1.1");
    assert_eq!(count(&|c| c.has("leader")), 2, "28.1");
    assert_eq!(count(&|c| c.kind == "supply" && !c.has("immobile") && c.side == "axis"), 5, "18.6.8");
    assert_eq!(count(&|c| c.kind == "supply" && !c.has("immobile") && c.side == "soviet"), 4, "18.6.8");
}

#[test]
fn faces_agree_with_steps_and_flags() {
    for (code, c) in counters() {
        assert_eq!(c.has("remnants"), c.steps == 3, "{code}");
        assert_eq!(c.faces.len(), c.steps.min(2), "{code}");
        assert!(c.faces.windows(2).all(|f| f[0][0] >= f[1][0] && f[0][1] > f[1][1]), "{code}");
        let idle = c.has("non-combat") || c.has("air");
        assert_eq!(c.faces[0][1] == 0, idle, "{code}: defence zero is a Non-Combat Unit (2.3.1)");
        let dots = ["red", "black", "white"].iter().filter(|d| c.has(d)).count();
        assert!(dots <= 1, "{code} has {dots} dots");
        assert_eq!(c.has("tank"), c.has("red") || c.has("black"), "{code}");
        assert!(!(c.has("elite") && c.has("low")), "{code}");
        assert!(!c.has("guards") || c.has("elite"), "{code}: Guards are Elite (2.3.2)");
        assert!(!c.sets.is_empty() && !c.arrives.is_empty(), "{code}");
    }
}

#[test]
fn known_factors_stand() {
    let all = counters();
    let faces = |code: &str| all[code].faces.clone();
    assert_eq!(faces("23Pz"), [[10, 8, 6], [7, 6, 6]]);
    assert_eq!(faces("22Pz"), [[7, 5, 6], [4, 3, 6]]);
    assert_eq!(faces("GD"), [[7, 8, 6], [5, 6, 6]]);
    assert_eq!(faces("75ID"), [[6, 7, 3], [4, 5, 3]]);
    assert_eq!(faces("383ID"), [[5, 7, 3], [3, 5, 3]]);
    assert_eq!(faces("385ID"), [[3, 5, 3], [1, 3, 3]]);
    assert_eq!(faces("16TC"), [[7, 5, 5], [4, 3, 5]]);
    assert_eq!(faces("106+333RD"), [[3, 5, 3], [1, 3, 3]]);
    assert_eq!(faces("6GTB"), [[3, 2, 5]]);
    assert_eq!(faces("9NKVD"), [[2, 6, 3], [1, 3, 3]]);
    assert_eq!(faces("5TkA"), [[0, 0, 6]]);
    assert_eq!(faces("5ShkA"), [[0, 0, 3]]);
}

#[test]
fn fall_blau_has_78_axis_and_93_soviet_pieces() {
    let all = counters();
    let placed = setup("blau");
    let of = |side: &str| placed.iter().filter(|p| all[&p.unit].side == side).count();
    assert_eq!((of("axis"), of("soviet")), (78, 93));
    let at = |unit: &str| placed.iter().find(|p| p.unit == unit).map(|p| (p.hex.as_str(), p.state.as_str()));
    assert_eq!(at("GD"), Some(("1303", "full")));
    assert_eq!(at("14Pz"), Some(("2029", "reduced")));
    assert_eq!(at("Bryansk"), Some(("2002", "full")));
    assert_eq!(at("219RD"), Some(("3806", "full")));
    assert_eq!(at("199+278RD"), Some(("1818", "reduced")));
}

/// Combat Units that count against the stacking limit (4.1, 4.2).
fn stacked(units: &[&Counter]) -> usize {
    let combat: Vec<_> = units.iter().filter(|c| !c.has("asu") && !c.has("non-combat")).collect();
    let free = combat.iter().any(|c| c.has("free"));
    combat.len() - usize::from(free)
}

#[test]
fn every_set_up_is_on_land_and_within_stacking() {
    let (all, board) = (counters(), board());
    // 31.0: Reserve Armies ignore stacking until they are released.
    let reserves = read(&files(), "reserves.tsv", &["army", "unit", "hex", "released", "made"]);
    let waiting: BTreeSet<&str> = reserves.rows().map(|r| r.get("unit")).collect();
    for name in ["blau", "campaign", "uranus", "caucasus"] {
        let mut stacks: BTreeMap<(String, String), Vec<&Counter>> = BTreeMap::new();
        for p in setup(name) {
            let c = all.get(&p.unit).unwrap_or_else(|| panic!("{name}: no counter {}", p.unit));
            let steps = match p.state.as_str() {
                "full" => 1,
                "reduced" => 2,
                "remnant" => 3,
                other => panic!("{name}: {} is {other}", p.unit),
            };
            assert!(c.steps >= steps, "{name}: {} cannot be {}", p.unit, p.state);
            let terrain = board.terrain(find(&board, &p.hex));
            for water in ["sea", "lake"] {
                assert_ne!(Some(terrain), board.terrain_kind(water), "{name}: {} in {}", p.unit, p.hex);
            }
            if name == "uranus" || !waiting.contains(p.unit.as_str()) {
                stacks.entry((p.hex, c.side.clone())).or_default().push(c);
            }
        }
        for ((hex, side), units) in &stacks {
            let army = units.iter().any(|c| c.kind == "army-hq");
            let limit = if side == "axis" || army { 3 } else { 2 };
            assert!(stacked(units) <= limit, "{name}: {side} in {hex}");
            let enemy = if side == "axis" { "soviet" } else { "axis" };
            let shared = stacks.contains_key(&(hex.clone(), enemy.to_string()));
            assert!(!shared || (name == "uranus" && hex == "5521"), "{name}: both sides in {hex}");
        }
    }
}

#[test]
fn no_unit_comes_twice_to_a_scenario() {
    let all = counters();
    let arrivals = read(&files(), "reinforcements.tsv", &["scenario", "turn", "unit", "area", "state"]);
    let scenarios = toml::<Scenarios>("scenarios.toml").scenario;
    for s in &scenarios {
        let mut seen = BTreeSet::new();
        for file in &s.setups {
            let name = file.trim_start_matches("setups/").trim_end_matches(".tsv");
            for p in setup(name) {
                assert!(seen.insert(p.unit.clone()), "{}: {} twice", s.id, p.unit);
            }
        }
        for row in arrivals.rows().filter(|r| r.get("scenario") == s.id) {
            let unit = row.get("unit");
            assert!(seen.insert(unit.to_string()), "{}: {unit} twice", s.id);
            let turn: u32 = row.get("turn").parse().expect("a turn");
            assert!((s.first_turn..=s.last_turn).contains(&turn), "{}: {unit} on turn {turn}", s.id);
        }
        for unit in &seen {
            let c = all.get(unit).unwrap_or_else(|| panic!("{}: no counter {unit}", s.id));
            assert!(c.sets.contains(&s.id), "{unit} is not in the set of {}", s.id);
        }
    }
    assert!(arrivals.rows().all(|r| scenarios.iter().any(|s| s.id == r.get("scenario"))));
}

#[test]
fn scenarios_stand_on_their_maps() {
    let board = board();
    let scenarios = toml::<Scenarios>("scenarios.toml").scenario;
    let turns: Vec<(&str, u32, u32)> =
        scenarios.iter().map(|s| (s.id.as_str(), s.first_turn, s.last_turn)).collect();
    assert_eq!(turns, [("blau", 1, 8), ("caucasus", 10, 27), ("uranus", 28, 36), ("campaign", 1, 36)]);
    for s in &scenarios {
        let on = |hex: Hex| {
            s.maps.iter().any(|m| board.zone(m).unwrap_or_else(|| panic!("no zone {m}")).contains(hex))
        };
        for file in &s.setups {
            let name = file.trim_start_matches("setups/").trim_end_matches(".tsv");
            for p in setup(name) {
                assert!(on(find(&board, &p.hex)), "{}: {} in {}", s.id, p.unit, p.hex);
            }
        }
        for hex in &s.start.railheads {
            assert!(on(find(&board, hex)), "{}: railhead in {hex}", s.id);
        }
    }
}

#[test]
fn uranus_begins_with_15_points() {
    let scenarios = toml::<Scenarios>("scenarios.toml").scenario;
    let uranus = scenarios.iter().find(|s| s.id == "uranus").expect("the scenario");
    let places = read(&files(), "map/places.tsv", &["hex", "kind", "name", "name_today", "vp", "flags"]);
    let points: u32 = places
        .rows()
        .filter(|r| uranus.start.axis_controls.iter().any(|h| h == r.get("hex")))
        .filter_map(|r| r.get("vp").parse::<u32>().ok())
        .sum();
    assert_eq!((points, uranus.start.axis_start_points), (15, 15));
}

#[test]
fn replacements_and_upgrades_name_what_exists() {
    let all = counters();
    let columns =
        ["scenario", "turn", "side", "tank", "infantry", "cavalry", "special", "hun", "rom", "ital", "axis"];
    let rates = read(&files(), "replacements.tsv", &columns);
    let mut seen = BTreeSet::new();
    for row in rates.rows() {
        let key = (row.get("scenario"), row.get("turn").parse::<u32>().expect("a turn"), row.get("side"));
        assert!(seen.insert(key), "{key:?} twice");
        for kind in &columns[3..] {
            let n: u32 = row.get(kind).parse().expect("a number");
            let allied = ["hun", "rom", "ital", "axis"].contains(kind);
            assert!(n == 0 || !allied || key.2 == "axis", "{key:?}: {kind}");
        }
    }
    assert!(seen.contains(&("campaign", 36, "soviet")) && !seen.iter().any(|k| k.0 == "uranus" && k.1 == 28));
    let upgrades =
        read(&files(), "upgrades.tsv", &["turn", "side", "what", "unit", "into", "count", "rule", "key"]);
    for row in upgrades.rows() {
        let (turn, unit, into) = (row.get("turn"), row.get("unit"), row.get("into"));
        assert!(turn.parse::<u32>().is_ok_and(|t| (1..=36).contains(&t)), "turn {turn}");
        let one_word = !unit.contains(' ') && row.get("what") != "marker";
        assert!(!one_word || all.contains_key(unit), "no counter {unit}");
        assert!(into.is_empty() || into == "8-10-6" || all.contains_key(into), "no counter {into}");
    }
    let reserves = read(&files(), "reserves.tsv", &["army", "unit", "hex", "released", "made"]);
    assert!(reserves.rows().all(|r| all.contains_key(r.get("unit"))));
    assert_eq!(reserves.rows().filter(|r| r.get("army") == "5").count(), 5, "S1.2");
    assert_eq!(reserves.rows().filter(|r| r.get("army") == "6").count(), 4, "S1.2");
}
