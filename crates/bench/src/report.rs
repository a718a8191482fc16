//! The rows of the summary.

use std::fmt::Write;
use std::path::Path;

use crate::contest::Timed;

/// One line of the summary: a measurement of ours and, beside it, a peer's.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// In what both are told.
    pub unit: &'static str,
    /// Our figure: a time, or something else of which less is better.
    pub ours: f64,
    /// Whose time is beside it; empty if there is nobody to compare with.
    pub peer: String,
    /// The peer's.
    pub theirs: f64,
    /// How many times better we want to be.
    pub wanted: Option<f64>,
}

/// All rows, and how to run contests for them.
#[derive(Debug)]
pub struct Report {
    pub rounds: usize,
    only: String,
    rows: Vec<Row>,
}

impl Report {
    pub fn new(rounds: usize, only: String) -> Report {
        Report { rounds, only, rows: Vec::new() }
    }

    /// True if the subject of that name is to be run.
    pub fn wants(&self, name: &str) -> bool {
        name.contains(&self.only)
    }

    /// Adds a contest: the first contender is ours, the others are peers with what we want of each.
    pub fn add(&mut self, name: &str, timed: &[Timed], wanted: &dyn Fn(&str) -> Option<f64>) {
        self.add_in("ns", name, timed, wanted);
    }

    /// The same of something that is not told in nanoseconds.
    pub fn add_in(
        &mut self,
        unit: &'static str,
        name: &str,
        timed: &[Timed],
        wanted: &dyn Fn(&str) -> Option<f64>,
    ) {
        let Some((ours, peers)) = timed.split_first() else { return };
        println!("\n{name}");
        println!("  {:<44} {:>12.0} {unit}", ours.name, ours.median);
        for peer in peers {
            let row = Row {
                name: name.to_owned(),
                unit,
                ours: ours.median,
                peer: peer.name.clone(),
                theirs: peer.median,
                wanted: wanted(&peer.name),
            };
            let short = row.wanted.filter(|&w| row.theirs < w * row.ours);
            let note = short.map_or(String::new(), |w| format!("  SHORT of {w}"));
            println!("  {:<44} {:>12.0} {unit} {:>8.1} x{note}", row.peer, row.theirs, row.theirs / row.ours);
            self.rows.push(row);
        }
    }

    /// Writes the summary and says how many of the wanted ratios were met.
    pub fn finish(&self, path: &str) -> Result<(), String> {
        let mut text = String::from("name\tours\tpeer\tpeer's figure\tratio\n");
        for row in &self.rows {
            let (ours, theirs, ratio, unit) = (row.ours, row.theirs, row.theirs / row.ours, row.unit);
            let _ = writeln!(
                text,
                "{}\t{ours:.0} {unit}\t{}\t{theirs:.0} {unit}\t{ratio:.1}",
                row.name, row.peer
            );
        }
        if let Some(folder) = Path::new(path).parent() {
            std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
        }
        std::fs::write(path, text).map_err(|e| format!("cannot write {path}: {e}"))?;
        let wanted = self.rows.iter().filter_map(|r| Some((r, r.wanted?)));
        let (met, short): (Vec<_>, Vec<_>) = wanted.partition(|(r, w)| r.theirs >= w * r.ours);
        println!("\n{} of {} wanted ratios met; summary in {path}", met.len(), met.len() + short.len());
        Ok(())
    }
}
