//! Anchors: hexes whose real place a rulebook gives away.

use crate::earth::Geo;
use text::{Faults, Files};

/// What an anchor points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A hex, by column and row of the whole map.
    Hex {
        /// Its column.
        column: i16,
        /// Its row on the whole map.
        row: i16,
    },
    /// A whole column.
    Column(i16),
    /// A whole row.
    Row(i16),
}

/// One line of an anchor file.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// The hex as the rulebook writes it.
    pub written: String,
    /// What it points at, in the numbering of the grid that is being laid.
    pub target: Target,
    /// city, town, fort, strait, river-hexside, zone, edge or other.
    pub kind: String,
    /// What lies there.
    pub name: String,
    /// Where that is, if it is known apart from the grid.
    pub at: Option<Geo>,
    /// The rule that names it.
    pub rule: String,
}

/// Splits a line of comma-separated values, with quotes.
fn cells(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    out.push(cell);
    out
}

/// Reads `2817N`, `2512S`, `1920`, `22xxN/S`, `31xx` or `xx43`; south-sheet rows are counted on from `south`.
fn target(written: &str, south: i16) -> Option<Target> {
    let (column, row) = (written.get(..2)?, written.get(2..4)?);
    match (column.parse::<i16>(), row.parse::<i16>()) {
        (Ok(column), Ok(row)) => {
            Some(Target::Hex { column, row: if written.ends_with('S') { row + south } else { row } })
        }
        (Ok(column), Err(_)) => Some(Target::Column(column)),
        (Err(_), Ok(row)) => Some(Target::Row(row)),
        _ => None,
    }
}

/// Reads the anchors of a game from `anchors/GAME.csv` and shifts them by whole columns and rows.
pub fn read(files: &Files, game: &str, shift: (i16, i16), south: i16, faults: &mut Faults) -> Vec<Anchor> {
    let file = format!("anchors/{game}.csv");
    let text = match files.read(&file) {
        Ok(text) => text,
        Err(fault) => {
            faults.push(fault);
            return Vec::new();
        }
    };
    let mut out = Vec::new();
    for (line, words) in (1..).zip(text.lines()).skip(1) {
        let cells = cells(words);
        let [written, kind, name, lat, lon, rule, ..] = &cells[..] else {
            faults.add(files.shown(&file), Some(line), "expected hex, kind, name, lat, lon, rule and note");
            continue;
        };
        let Some(target) = target(written, south) else {
            faults.add(
                files.shown(&file),
                Some(line),
                format!("{written:?} is not a hex, column or row; expected 2817N, 31xx or xx43"),
            );
            continue;
        };
        let target = match target {
            Target::Hex { column, row } => Target::Hex { column: column + shift.0, row: row + shift.1 },
            Target::Column(c) => Target::Column(c + shift.0),
            Target::Row(r) => Target::Row(r + shift.1),
        };
        let at = lat.parse().ok().zip(lon.parse().ok()).map(|(lat, lon)| Geo { lat, lon });
        out.push(Anchor {
            written: written.clone(),
            target,
            kind: kind.clone(),
            name: name.clone(),
            at,
            rule: rule.clone(),
        });
    }
    out
}
