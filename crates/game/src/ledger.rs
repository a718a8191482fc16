//! The ledger of a game: every number of its rulebook, in our words, where it lives and what tests it.
//!
//! A game's folder holds `rules.tsv` (rule, heading: the rulebook's numbers) and `ledger.tsv` (rule, what, where, tests,
//! status). A status is `done`, `to do`, or `nothing to implement: why`. `where` names modules or data files of the game;
//! `tests` names situations (files below `situations/`, with or without `.toml`) and test functions.

use crate::RuleText;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use text::{Faults, Files, Tsv};

/// How far a rule is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Implemented and tested.
    Done,
    /// Still to do.
    ToDo,
    /// There is nothing to implement, and why.
    Nothing(String),
}

/// A row of the ledger.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The number in the rulebook.
    pub rule: String,
    /// Its heading there.
    pub heading: String,
    /// Our words.
    pub what: String,
    /// Where it lives.
    #[serde(rename = "where")]
    pub lives: Vec<String>,
    /// What tests it.
    pub tests: Vec<String>,
    /// How far it is.
    pub status: Status,
}

/// A game's ledger.
#[derive(Clone, Debug, Serialize)]
pub struct Ledger {
    /// The game's id.
    pub game: String,
    /// How many numbers the rulebook has.
    pub total: usize,
    /// How many are settled: done, or with nothing to implement.
    pub done: usize,
    /// How many are still to do.
    pub to_do: usize,
    /// How many have nothing to implement.
    pub nothing: usize,
    /// The rows, in the order of the rulebook.
    pub rows: Vec<Row>,
}

impl fmt::Display for Ledger {
    /// `pm 201/201 done, 0 to do, 12 nothing to implement`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ledger { game, total, done, to_do, nothing, .. } = self;
        write!(f, "{game} {done}/{total} done, {to_do} to do, {nothing} nothing to implement")
    }
}

const COLUMNS: [&str; 5] = ["rule", "what", "where", "tests", "status"];

/// Our words on every rule, from the text of a ledger: what a game shows when a number is clicked. A ledger that cannot
/// be read has no words; [`ledger`] says what is wrong with it.
pub fn rule_texts(ledger: &str) -> Vec<RuleText> {
    let files = Files::held([("ledger.tsv".to_string(), ledger.to_string())].into());
    let table = Tsv::read(&files, "ledger.tsv", &COLUMNS, &[], &mut Faults::new());
    let text = |r: text::Row<'_>| RuleText { rule: r.get("rule").into(), text: r.get("what").into() };
    table.iter().flat_map(Tsv::rows).map(text).collect()
}

/// Reads and checks the ledger of a game from its folder, such as `crates/games/pm`. All that is wrong with it is told
/// at once: numbers that are missing or not the rulebook's, rows without words, modules and tests that do not exist.
pub fn ledger(id: &str, folder: &Path) -> Result<Ledger, Faults> {
    let files = Files::folder(folder);
    let mut faults = Faults::new();
    let rules = Tsv::read(&files, "rules.tsv", &["rule", "heading"], &[], &mut faults);
    let table = Tsv::read(&files, "ledger.tsv", &COLUMNS, &[], &mut faults);
    let (Some(rules), Some(table)) = (rules, table) else { return Err(faults) };
    let known = Known::of(&files);
    let mut numbers: Vec<(&str, &str)> = Vec::new();
    for r in rules.rows() {
        let Some(n) = r.need("rule", &mut faults) else { continue };
        if numbers.iter().any(|(m, _)| *m == n) {
            r.fault(&mut faults, format!("the number {n} appears twice"));
        }
        numbers.push((n, r.get("heading")));
    }
    let mut rows: Vec<Row> = Vec::new();
    for r in table.rows() {
        let Some(rule) = r.need("rule", &mut faults) else { continue };
        let Some(heading) = numbers.iter().find(|(n, _)| *n == rule).map(|(_, h)| *h) else {
            let all: Vec<&str> = numbers.iter().map(|(n, _)| *n).collect();
            r.fault(&mut faults, text::unknown("rule", rule, &all));
            continue;
        };
        if rows.iter().any(|row| row.rule == rule) {
            r.fault(&mut faults, format!("the number {rule} appears twice"));
        }
        let what = r.get("what");
        if what.split_whitespace().count() < 2 {
            r.fault(
                &mut faults,
                format!("{rule} is not told in our words; expected a sentence under \"what\""),
            );
        }
        let status = match status(r.get("status")) {
            Ok(s) => s,
            Err(what) => {
                r.fault(&mut faults, format!("{rule}: {what}"));
                continue;
            }
        };
        let words = |column| r.words(column).map(String::from).collect::<Vec<_>>();
        let row = Row {
            rule: rule.into(),
            heading: heading.into(),
            what: what.into(),
            lives: words("where"),
            tests: words("tests"),
            status,
        };
        for fault in known.faults(&row) {
            r.fault(&mut faults, format!("{rule}: {fault}"));
        }
        rows.push(row);
    }
    for (n, heading) in &numbers {
        if !rows.iter().any(|r| r.rule == *n) {
            faults.add(&table.file, None, format!("rule {n} ({heading}) is missing"));
        }
    }
    faults.check()?;
    let place = |r: &Row| numbers.iter().position(|(n, _)| *n == r.rule);
    rows.sort_by_key(place);
    let count = |f: fn(&Status) -> bool| rows.iter().filter(|r| f(&r.status)).count();
    let to_do = count(|s| *s == Status::ToDo);
    let nothing = count(|s| matches!(s, Status::Nothing(_)));
    Ok(Ledger { game: id.into(), total: numbers.len(), done: rows.len() - to_do, to_do, nothing, rows })
}

fn status(cell: &str) -> Result<Status, String> {
    match cell {
        "done" => return Ok(Status::Done),
        "to do" => return Ok(Status::ToDo),
        _ => {}
    }
    match cell.strip_prefix("nothing to implement") {
        Some(why) => match why.trim_start_matches(':').trim() {
            "" => Err("'nothing to implement' must say why, after a colon".into()),
            why => Ok(Status::Nothing(why.into())),
        },
        None => Err(format!("'{cell}' is no status; expected done, to do, or nothing to implement: and why")),
    }
}

/// What there is in a game's folder to point at.
struct Known {
    places: BTreeSet<String>,
    situations: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl Known {
    fn of(files: &Files) -> Known {
        let mut k =
            Known { places: BTreeSet::new(), situations: BTreeSet::new(), functions: BTreeSet::new() };
        for name in files.list() {
            if let Some(s) = name.strip_prefix("situations/") {
                let stem = s.trim_end_matches(".toml");
                let last = stem.rsplit('/').next().unwrap_or(stem);
                k.situations.extend([s.to_string(), stem.to_string(), last.to_string()]);
            }
            let source = name.starts_with("src/") || name.starts_with("tests/");
            if source
                && name.ends_with(".rs")
                && let Ok(text) = files.read(&name)
            {
                k.functions.extend(tests_in(&text));
            }
            for root in ["src/", "data/"] {
                let Some(inner) = name.strip_prefix(root) else { continue };
                // `movement`, `movement.rs`, `combat/losses`, and each folder on the way.
                let stem = inner.rsplit_once('.').map_or(inner, |(s, _)| s);
                k.places.extend([inner.to_string(), stem.to_string(), stem.replace('/', "::")]);
                k.places.extend(inner.match_indices('/').map(|(i, _)| inner[..i].to_string()));
                k.places.insert(root.trim_end_matches('/').into());
            }
        }
        k
    }

    fn faults(&self, row: &Row) -> Vec<String> {
        let mut out = Vec::new();
        for t in &row.tests {
            if !self.situations.contains(t) && !self.functions.contains(t) {
                let all: Vec<&str> =
                    self.situations.iter().chain(&self.functions).map(String::as_str).collect();
                let near =
                    text::nearest(t, &all).map_or(String::new(), |n| format!("; nearest that exists {n}"));
                out.push(format!("there is no situation and no test function '{t}'{near}"));
            }
        }
        if row.status != Status::Done {
            return out;
        }
        if row.lives.is_empty() {
            out.push("it is done, and \"where\" does not say where it lives".into());
        }
        if row.tests.is_empty() {
            out.push("it is done, and nothing tests it".into());
        }
        for w in row.lives.iter().filter(|w| !self.places.contains(*w)) {
            out.push(format!("there is no module and no data '{w}'"));
        }
        out
    }
}

/// The names of the test functions in a source file: each `fn` that follows a line `#[test]`.
fn tests_in(source: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut marked = false;
    for line in source.lines().map(str::trim) {
        if line.starts_with("#[test]") {
            marked = true;
        } else if let Some(rest) = line.strip_prefix("fn ") {
            if marked && let Some((name, _)) = rest.split_once('(') {
                out.push(name.trim().into());
            }
            marked = false;
        } else if !line.starts_with("#[") && !line.starts_with("//") && !line.is_empty() {
            marked = false;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn folder(name: &str, ledger: &str) -> PathBuf {
        let f = std::env::temp_dir().join(format!("verst-ledger-{name}-{}", std::process::id()));
        for sub in ["src", "tests", "situations", "data/map"] {
            std::fs::create_dir_all(f.join(sub)).unwrap();
        }
        let write = |n: &str, t: &str| std::fs::write(f.join(n), t).unwrap();
        write("rules.tsv", "# source: RULES.md\nrule\theading\n1\tAims\n2\tMoving\n2.1\tRivers\n");
        write("ledger.tsv", &format!("# source: RULES.md\nrule\twhat\twhere\ttests\tstatus\n{ledger}"));
        write(
            "src/movement.rs",
            "fn helper() {}\n#[cfg(test)]\nmod t {\n    #[test]\n    fn it_moves() {}\n}\n",
        );
        write("situations/river.toml", "");
        write("data/map/hexes.tsv", "");
        f
    }

    const GOOD: &str = "2\tUnits move by hexes.\tmovement, map\tit_moves\tdone\n\
                        2.1\tA river costs two.\tmovement\triver.toml river\tdone\n\
                        1\tWhat it is about.\t\t\tnothing to implement: says what the game is about\n";

    #[test]
    fn a_full_ledger_is_counted_in_the_rulebooks_order() {
        let f = folder("good", GOOD);
        let l = ledger("drill", &f).unwrap();
        assert_eq!(l.to_string(), "drill 3/3 done, 0 to do, 1 nothing to implement");
        assert_eq!(l.rows.iter().map(|r| r.rule.as_str()).collect::<Vec<_>>(), ["1", "2", "2.1"]);
        let l = ledger("drill", &folder("good", &GOOD.replacen("\tdone", "\tto do", 1))).unwrap();
        assert_eq!(l.to_string(), "drill 2/3 done, 1 to do, 1 nothing to implement");
        assert!(serde_json::to_string(&l).unwrap().contains("\"to_do\":1"));
        std::fs::remove_dir_all(f).unwrap();
    }

    #[test]
    fn each_thing_that_can_be_wrong_is_found_and_named() {
        for (i, (from, to, what)) in [
            (
                "2.1\tA river costs two.\tmovement\triver.toml river\tdone\n",
                "",
                "rule 2.1 (Rivers) is missing",
            ),
            ("it_moves", "it_move", "no test function 'it_move'; nearest that exists it_moves"),
            ("it_moves", "helper", "no situation and no test function 'helper'"),
            ("river.toml river", "brook", "no situation and no test function 'brook'"),
            ("river.toml river", "", "2.1: it is done, and nothing tests it"),
            ("movement, map", "combat", "there is no module and no data 'combat'"),
            ("movement, map", "", "\"where\" does not say"),
            ("A river costs two.", "", "2.1 is not told in our words"),
            ("A river costs two.", "x", "2.1 is not told in our words"),
            (": says what the game is about", "", "must say why"),
            ("river\tdone", "river\tnearly", "'nearly' is no status"),
            ("2.1\tA", "2.2\tA", "unknown rule \"2.2\""),
            ("2.1\tA", "2\tA", "the number 2 appears twice"),
        ]
        .into_iter()
        .enumerate()
        {
            assert!(GOOD.contains(from), "{from}");
            let f = folder(&format!("bad{i}"), &GOOD.replacen(from, to, 1));
            let faults = ledger("drill", &f).unwrap_err().to_string();
            assert!(faults.contains(what), "{to}: {faults}");
            std::fs::remove_dir_all(f).unwrap();
        }
    }
}
