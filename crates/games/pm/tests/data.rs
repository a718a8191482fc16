//! The data files of Proud Monster: they read, they add up, and they say what the rulebook says.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use text::{Faults, Files, Source, Tsv, read_toml};

fn files() -> Files {
    Files::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/data"))
}

fn table(name: &str, columns: &[&str]) -> Tsv {
    let mut faults = Faults::new();
    let tsv = Tsv::read(&files(), name, columns, &[], &mut faults);
    assert!(faults.is_empty(), "{faults}");
    tsv.expect("a table without faults")
}

const COUNTERS: &[&str] = &["code", "name", "side", "nation", "kind", "size", "faces", "arrives", "flags"];
const MECHANIZED: &[&str] = &["panzer", "tank", "motorized", "assaultgun", "recon", "flak"];

/// A face: attack, defence, movement.
fn face(words: &str) -> [u8; 3] {
    let parts: Vec<u8> = words.split('-').map(|p| p.parse().expect("a number in a face")).collect();
    parts.try_into().unwrap_or_else(|p| panic!("{words}: {p:?} has not three factors"))
}

fn faces(words: &str) -> Vec<[u8; 3]> {
    words.split('/').filter(|w| !w.is_empty()).map(face).collect()
}

fn median(mut values: Vec<u8>) -> f64 {
    values.sort_unstable();
    let n = values.len();
    f64::from(values[(n - 1) / 2] + values[n / 2]) / 2.0
}

/// The faces of a pool.
fn pool(name: &str) -> Vec<[u8; 3]> {
    let tsv = table("pools.tsv", &["pool", "name", "title", "face", "kind"]);
    tsv.rows().filter(|r| r.get("pool") == name).map(|r| face(r.get("face"))).collect()
}

fn counter(code: &str) -> (String, Vec<[u8; 3]>, String) {
    let tsv = table("counters.tsv", COUNTERS);
    let row = tsv.rows().find(|r| r.get("code") == code).unwrap_or_else(|| panic!("no counter {code}"));
    (row.get("arrives").to_string(), faces(row.get("faces")), row.get("flags").to_string())
}

#[test]
fn every_unit_has_a_code_of_its_own_that_can_stand_in_an_order() {
    let mut codes = BTreeSet::new();
    let counters = table("counters.tsv", COUNTERS);
    let pools = table("pools.tsv", &["pool", "name", "title", "face", "kind"]);
    let guards = table("guards.tsv", &["code", "name", "from", "kind", "size", "faces", "turn"]);
    let all = counters
        .rows()
        .map(|r| r.get("code"))
        .chain(pools.rows().map(|r| r.get("name")))
        .chain(guards.rows().map(|r| r.get("code")));
    for code in all {
        assert!(code.parse::<u32>().is_err(), "{code} is a number");
        assert!(code.chars().all(|c| c.is_ascii_alphanumeric()), "{code} is not one plain word");
        assert!(codes.insert(code.to_lowercase()), "{code} stands twice");
    }
}

#[test]
fn the_box_holds_959_counters() {
    let counters = table("counters.tsv", COUNTERS);
    let pieces: usize = counters.rows().map(|r| faces(r.get("faces")).len().div_ceil(2).max(1)).sum();
    let four = counters.rows().filter(|r| faces(r.get("faces")).len() == 4).count();
    let norefit = counters.rows().filter(|r| r.get("flags") == "norefit").count();
    let untried = table("pools.tsv", &["pool", "name", "title", "face", "kind"]).rows().len();
    let guards = table("guards.tsv", &["code", "name", "from", "kind", "size", "faces", "turn"]).rows().len();
    // Turn, VP, replacements, aerial supply, pause, concentration.
    let markers = 1 + 2 + 2 + 2 + 3 + 18 + (four - norefit);
    let hedgehogs = 10;
    assert_eq!(guards, 15, "2.15");
    assert_eq!(pieces + untried + guards + markers + hedgehogs, 959, "2.1");
}

#[test]
fn the_pools_have_exactly_the_units_of_the_schedule() {
    let mut scheduled: BTreeMap<String, i32> = BTreeMap::new();
    for row in table("schedule.tsv", &["when", "how", "pool", "count"]).rows() {
        if ["setup", "arrive", "dice"].contains(&row.get("how")) {
            let count: i32 = row.get("count").parse().expect("a count");
            *scheduled.entry(row.get("pool").to_string()).or_default() += count;
        }
    }
    let want = [("CD", 49), ("MRB", 1), ("MRD", 26), ("RB", 69), ("RD", 343), ("TB", 64), ("TD", 57)];
    assert_eq!(scheduled, want.map(|(k, n)| (k.to_string(), n)).into());
    for (kind, n) in want {
        assert_eq!(pool(kind).len(), n as usize, "{kind}");
    }
}

#[test]
fn guards_and_aircraft_come_on_the_turns_of_the_schedule() {
    let guards = table("guards.tsv", &["code", "name", "from", "kind", "size", "faces", "turn"]);
    for row in table("schedule.tsv", &["when", "how", "pool", "count"]).rows() {
        match row.get("how") {
            "convert" => {
                let n = guards
                    .rows()
                    .filter(|g| g.get("turn") == row.get("when") && g.get("from") == row.get("pool"))
                    .count();
                assert_eq!(n.to_string(), row.get("count"), "turn {} {}", row.get("when"), row.get("pool"));
            }
            "air" => assert_eq!(counter(row.get("pool")).0, "12", "8.10"),
            _ => {}
        }
    }
    assert!(guards.rows().all(|g| faces(g.get("faces")).len() == 2), "8.11: two steps");
}

#[test]
fn rifle_divisions_run_from_1_1_5_to_6_7_5_about_3_3_5() {
    let all = pool("RD");
    assert_eq!(all.iter().min(), Some(&[1, 1, 5]));
    assert_eq!(all.iter().max(), Some(&[6, 7, 5]));
    assert!(all.iter().all(|f| f[1] <= 7 && f[2] == 5));
    assert_eq!(median(all.iter().map(|f| f[0]).collect()), 3.0);
    assert_eq!(median(all.iter().map(|f| f[1]).collect()), 3.0);
}

#[test]
fn the_other_pools_keep_to_what_the_family_says_of_them() {
    let about = |name: &str| {
        let all = pool(name);
        let side = |i: usize| all.iter().map(|f| f[i]).collect::<Vec<_>>();
        (median(side(0)), median(side(1)), all)
    };
    let (attack, defence, td) = about("TD");
    assert_eq!((attack, defence), (5.0, 4.0));
    assert_eq!(td.iter().max(), Some(&[10, 5, 7]));
    let (attack, defence, mrd) = about("MRD");
    assert_eq!((attack, defence), (4.0, 5.0));
    assert_eq!(mrd.iter().max(), Some(&[5, 10, 7]));
    assert!(about("CD").2.iter().all(|f| (1..=4).contains(&f[0]) && (1..=2).contains(&f[1])));
    assert!(about("RB").2.iter().all(|f| (1..=2).contains(&f[0]) && (1..=2).contains(&f[1])));
    assert!(about("TB").2.iter().all(|f| (1..=4).contains(&f[0]) && f[1] == 1 && f[2] == 7));
    assert!(pool("TB").contains(&[3, 1, 7]) && pool("RD").contains(&[3, 3, 5]), "14.30's example");
}

#[test]
fn no_step_is_stronger_or_faster_than_the_one_before() {
    let counters = table("counters.tsv", COUNTERS);
    let guards = table("guards.tsv", &["code", "name", "from", "kind", "size", "faces", "turn"]);
    for row in counters.rows().chain(guards.rows()) {
        let all = faces(row.get("faces"));
        assert!(all.len() <= 4, "{} has {} steps", row.get("code"), all.len());
        for pair in all.windows(2) {
            assert!(
                pair[0][0] > pair[1][0] && (1..3).all(|i| pair[0][i] >= pair[1][i]),
                "{}",
                row.get("code")
            );
        }
    }
}

#[test]
fn four_steps_are_for_german_panzer_and_motorized_divisions_and_all_of_them() {
    for row in table("counters.tsv", COUNTERS).rows() {
        let german = ["german", "ss"].contains(&row.get("nation"));
        let mobile = ["panzer", "motorized"].contains(&row.get("kind"));
        let want = german && mobile && row.get("size") == "division";
        assert_eq!(faces(row.get("faces")).len() == 4, want, "{} (2.14)", row.get("code"));
    }
}

#[test]
fn the_counters_that_the_book_names_are_as_it_names_them() {
    assert_eq!(counter("2Pz").0, "7", "2.17");
    assert_eq!(counter("2Pz").2, "norefit", "8.18");
    assert_eq!(counter("5Pz").0, "7", "8.18");
    assert_eq!(counter("5Pz").2, "norefit", "8.18");
    assert_eq!(counter("7FJ").0, "6", "3.6");
    assert_eq!(counter("ArKo"), ("call".into(), vec![[0, 1, 4]], String::new()), "14.41");
    assert_eq!(counter("FlVIII").2, "viii", "10.3");
    let counters = table("counters.tsv", COUNTERS);
    let number = |kind: &str| counters.rows().filter(|r| r.get("kind") == kind).count();
    assert_eq!(number("security"), 9, "8.21");
    assert_eq!(number("flak"), 3, "17.4");
    assert_eq!(number("siege"), 1, "14.41");
    let aviation = counters.rows().filter(|r| r.get("kind") == "air" && r.get("side") == "german").count();
    assert_eq!(aviation, 5, "17.4");
    assert!(counters.rows().filter(|r| r.get("kind") == "security").all(|r| r.get("arrives") == "call"));
    let hungarians = counters.rows().filter(|r| r.get("nation") == "hungarian").count();
    assert_eq!(hungarians, 1, "2.8: the Fast Corps alone");
}

#[test]
fn kinds_nations_sizes_and_arrivals_are_words_the_rules_know() {
    let kinds: Vec<&str> = MECHANIZED
        .iter()
        .copied()
        .chain(["infantry", "light", "mountain", "cavalry", "airlanding", "parachute", "static", "fortress"])
        .chain(["security", "machinegun", "siege", "air"])
        .collect();
    let nations =
        ["german", "ss", "romanian", "hungarian", "italian", "spanish", "french", "croat", "soviet"];
    let sizes = ["corps", "division", "brigade", "regiment", "battalion"];
    let mut faults = Faults::new();
    for row in table("counters.tsv", COUNTERS).rows() {
        row.one_of("kind", &kinds, &mut faults);
        row.one_of("nation", &nations, &mut faults);
        row.one_of("size", &sizes, &mut faults);
        row.one_of("side", &["german", "soviet"], &mut faults);
        let arrives = row.get("arrives");
        let turn = arrives.parse::<u8>().is_ok_and(|t| (2..=12).contains(&t));
        assert!(turn || ["start", "call"].contains(&arrives), "{} arrives {arrives}", row.get("code"));
        assert_eq!(row.get("faces").is_empty(), row.get("kind") == "air", "{}", row.get("code"));
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn enough_units_start_south_for_the_seven_divisions_of_romania() {
    let counters = table("counters.tsv", COUNTERS);
    for code in ["22AL", "50ID", "72ID", "76ID", "170ID", "198ID", "239ID", "StuG190"] {
        let row = counters.rows().find(|r| r.get("code") == code).expect("an 11th Army unit");
        assert_eq!(row.get("arrives"), "start", "{code}");
    }
}

#[derive(Deserialize)]
struct Charts {
    turn: Vec<Turn>,
    weather: Weather,
    victory: Points,
    combat: Combat,
    aviation: Points,
    attenuated: Attenuated,
    numbers: BTreeMap<String, Number>,
}

#[derive(Deserialize)]
struct Turn {
    number: u8,
    label: String,
    couplets: u8,
}

#[derive(Deserialize)]
struct Weather {
    lowest: i8,
    south: i8,
    row: Vec<WeatherRow>,
}

#[derive(Deserialize)]
struct WeatherRow {
    turn: u8,
    couplet: u8,
    results: Vec<String>,
}

#[derive(Deserialize)]
struct Points {
    points: Vec<u8>,
}

#[derive(Deserialize)]
struct Combat {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    below: String,
    above: String,
}

#[derive(Deserialize)]
struct Attenuated {
    left: Vec<u8>,
}

#[derive(Deserialize)]
struct Number {
    value: i32,
    rule: String,
}

fn charts() -> Charts {
    let mut faults = Faults::new();
    let charts = read_toml(&files(), "charts.toml", &mut faults);
    assert!(faults.is_empty(), "{faults}");
    charts.expect("charts without faults").value
}

#[test]
fn there_are_twelve_turns_and_only_the_first_has_one_couplet() {
    let turns = charts().turn;
    assert_eq!(turns.iter().map(|t| t.number).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
    assert!(turns.iter().all(|t| (t.couplets == 1) == (t.number == 1)), "5.4");
    assert_eq!(turns[6].label, "II September", "2.17");
    assert_eq!(turns[9].label, "I November", "17.2");
}

#[test]
fn the_weather_has_a_row_for_each_couplet_from_september_and_runs_one_way_with_the_die() {
    let weather = charts().weather;
    assert_eq!((weather.lowest, weather.south), (-1, -2), "13.2: the southern die runs from -1");
    let rows: Vec<(u8, u8)> = weather.row.iter().map(|r| (r.turn, r.couplet)).collect();
    assert_eq!(rows, (7..=12).flat_map(|t| [(t, 1), (t, 2)]).collect::<Vec<_>>());
    for row in &weather.row {
        assert_eq!(row.results.len(), 8);
        let severity: Vec<usize> = row
            .results
            .iter()
            .map(|r| ["D", "R", "M", "F", "S"].iter().position(|w| w == r).unwrap())
            .collect();
        assert!(severity.is_sorted(), "turn {} couplet {}", row.turn, row.couplet);
    }
    assert_eq!(weather.row[0].results[7], "R");
    assert_eq!(weather.row[11].results[..3].join(""), "FFS");
}

#[test]
fn combat_results_never_worsen_for_the_attacker_with_better_odds() {
    let combat = charts().combat;
    assert_eq!(combat.columns.len(), 9);
    assert_eq!((combat.below.as_str(), combat.above.as_str()), ("4/0", "0/E"), "14.10");
    assert_eq!(combat.rows[4][8], "0/5", "14.31's example");
    let read = |cell: &String| -> (i8, i8) {
        let (a, d) = cell.split_once('/').expect("a slash");
        (a.parse().expect("attacker"), d.parse().expect("defender"))
    };
    let cells: Vec<Vec<(i8, i8)>> = combat.rows.iter().map(|r| r.iter().map(read).collect()).collect();
    assert!(cells.len() == 6 && cells.iter().all(|r| r.len() == 9));
    for row in &cells {
        assert!(row.windows(2).all(|w| w[0].0 >= w[1].0 && w[0].1 <= w[1].1), "{row:?}");
    }
    for pair in cells.windows(2) {
        assert!(pair[0].iter().zip(&pair[1]).all(|(lo, hi)| lo.0 >= hi.0 && lo.1 <= hi.1), "{pair:?}");
    }
}

#[test]
fn the_small_tables_say_what_the_book_says() {
    let charts = charts();
    assert_eq!(charts.victory.points, [4, 8, 13, 17, 22, 26, 28, 30, 36, 36, 36, 36], "17.2");
    assert_eq!(charts.aviation.points, [4, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], "17.8");
    assert_eq!(charts.attenuated.left, [0, 1, 1, 2, 2, 3], "17.10");
    let number = |name: &str| charts.numbers[name].value;
    assert_eq!(number("replacement_steps"), 28, "8.15");
    assert_eq!(number("supply_concentration"), 18, "9.20");
    assert_eq!((number("mobile_german"), number("mobile_german_turn_1"), number("mobile_soviet")), (7, 6, 4));
    assert!(charts.numbers.values().all(|n| Source::new(&n.rule).is_ok()));
}

#[test]
fn the_ledger_has_every_rule_in_order_and_a_sentence_for_each() {
    let game = Files::folder(env!("CARGO_MANIFEST_DIR"));
    let mut faults = Faults::new();
    let rules = Tsv::read(&game, "rules.tsv", &["rule", "heading"], &[], &mut faults);
    let ledger =
        Tsv::read(&game, "ledger.tsv", &["rule", "what", "where", "tests", "status"], &[], &mut faults);
    assert!(faults.is_empty(), "{faults}");
    let (rules, ledger) = (rules.expect("rules"), ledger.expect("ledger"));
    assert_eq!(rules.rows().len(), 201);
    let numbers = |t: &Tsv| t.rows().map(|r| r.get("rule").to_string()).collect::<Vec<_>>();
    assert_eq!(numbers(&rules), numbers(&ledger));
    for row in ledger.rows() {
        assert!(row.get("what").ends_with('.'), "{}: {}", row.get("rule"), row.get("what"));
        assert!(!row.get("status").is_empty(), "{}", row.get("rule"));
    }
}

#[test]
fn every_rule_of_the_ledger_names_where_it_lives_and_what_tests_it() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let ledger = game::ledger::ledger("pm", folder).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((ledger.total, ledger.done, ledger.to_do), (201, 201, 0), "{ledger}");
}
