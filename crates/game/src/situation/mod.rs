//! Situations: a position, orders, scripted dice, and what must follow. The format is told in docs/situations.md.

mod expect;
mod export;
mod head;
mod run;
#[cfg(test)]
mod tests;

pub use export::export;
pub use head::{HeadReader, HeadWriter, word_of, words_of};
pub use run::{OURS, check_text};

use crate::{Game, Registry};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// Something that is not as a situation says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Differs {
    /// The line of the file, where one can be named.
    pub line: Option<u32>,
    /// Which part of the situation: `order 2`, `the end`.
    pub part: String,
    /// What is compared: `odds`, `unit 3Pz`.
    pub what: String,
    /// What the situation says.
    pub expected: String,
    /// What is so.
    pub found: String,
}

/// What became of one situation.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// The file.
    pub file: String,
    /// What it is about, in its own words.
    pub about: String,
    /// The rules that it shows.
    pub rules: Vec<String>,
    /// How many orders were given.
    pub orders: usize,
    /// All that differs; empty when it passed.
    pub differs: Vec<Differs>,
}

/// What became of all situations that were checked.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// One for each file.
    pub files: Vec<Checked>,
}

impl Report {
    /// Whether all passed.
    pub fn passed(&self) -> bool {
        self.files.iter().all(|f| f.differs.is_empty())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in &self.files {
            for d in &c.differs {
                let line = d.line.map_or(String::new(), |l| format!(":{l}"));
                writeln!(f, "{}{line}: {}: {}", c.file, d.part, d.what)?;
                writeln!(f, "    expected {}", d.expected)?;
                writeln!(f, "    found    {}", d.found)?;
            }
        }
        let bad = self.files.iter().filter(|c| !c.differs.is_empty()).count();
        match (self.files.len(), bad) {
            (0, _) => write!(f, "no situations were found"),
            (n, 0) => write!(f, "{n} situations passed"),
            (n, bad) => write!(f, "{bad} of {n} situations differ"),
        }
    }
}

/// Checks files, and all `.toml` files in folders and the folders in them, in the order of their names.
pub fn check(registry: &Registry, paths: &[PathBuf]) -> Report {
    let mut files = Vec::new();
    let mut report = Report::default();
    for p in paths {
        if !p.exists() {
            report.files.push(unreadable(p, "there is no such file or folder".into()));
        }
        gather(p, 0, &mut files);
    }
    for p in files {
        report.files.push(match std::fs::read_to_string(&p) {
            Ok(text) => check_text(registry, &p.display().to_string(), &text),
            Err(e) => unreadable(&p, format!("it cannot be read: {e}")),
        });
    }
    report
}

/// Checks the situations of a game in the folder of its crate, as its tests do; the variable `SITUATION` names one of them.
pub fn check_game(game: Box<dyn Game>, crate_folder: &str) -> Report {
    let only = std::env::var("SITUATION").unwrap_or_default();
    check(&Registry::new().with(game), &[Path::new(crate_folder).join("situations").join(only)])
}

fn unreadable(p: &Path, found: String) -> Checked {
    let differs = Differs {
        line: None,
        part: "the file".into(),
        what: "reading it".into(),
        expected: "a situation".into(),
        found,
    };
    let file = p.display().to_string();
    Checked { file, about: String::new(), rules: vec![], orders: 0, differs: vec![differs] }
}

fn gather(p: &Path, depth: u32, out: &mut Vec<PathBuf>) {
    if p.is_file() {
        if depth == 0 || p.extension().is_some_and(|e| e == "toml") {
            out.push(p.to_path_buf());
        }
    } else if depth < 8
        && let Ok(entries) = std::fs::read_dir(p)
    {
        let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        entries.sort();
        for e in entries {
            gather(&e, depth + 1, out);
        }
    }
}
