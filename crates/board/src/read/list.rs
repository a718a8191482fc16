//! Hexes as tables write them: one, or a list with rectangles, zones and exceptions.

use hex::{Grid, Hex, HexSet};

/// Finds a hex by name; the error says which name is nearest.
pub(super) fn hex(grid: &Grid, name: &str) -> Result<Hex, String> {
    grid.find(name).ok_or_else(|| {
        let digits = name.get(..4).and_then(|d| d.parse::<i32>().ok());
        let near = digits.and_then(|n| {
            let (column, row) = (n / 100, n % 100);
            let suffix = name.get(4..).and_then(|s| s.chars().next()).map(|c| c.to_ascii_uppercase());
            grid.hexes().map(|h| grid.name(h)).min_by_key(|n| {
                let other_sheet = i32::from(suffix.is_some() && n.suffix != suffix);
                other_sheet * 1000 + (i32::from(n.column) - column).abs() + (i32::from(n.row) - row).abs()
            })
        });
        match near {
            Some(near) => format!("\"{name}\" is no hex of this board; nearest valid value \"{near}\""),
            None => {
                let first = grid.hexes().next().map_or(String::new(), |h| grid.name(h).to_string());
                format!("\"{name}\" is no hex number; expected one such as {first}")
            }
        }
    })
}

/// Reads a list of hexes; `zone` gives the hexes of a zone of a row above. All that is wrong goes to `fault`.
pub(super) fn hexes(
    grid: &Grid,
    words: &str,
    zone: &dyn Fn(&str) -> Option<HexSet>,
    fault: &mut dyn FnMut(String),
) -> HexSet {
    let mut set = HexSet::empty();
    for word in words.split([' ', ',']).filter(|w| !w.is_empty()) {
        let (away, word) = match word.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        match one(grid, word, zone) {
            Ok(hexes) => hexes.iter().for_each(|h| set.set(h, !away)),
            Err(what) => fault(what),
        }
    }
    set
}

fn one(grid: &Grid, word: &str, zone: &dyn Fn(&str) -> Option<HexSet>) -> Result<HexSet, String> {
    if word == "*" {
        return Ok(grid.all().clone());
    }
    if let Some(name) = word.strip_prefix('@') {
        return zone(name).ok_or_else(|| format!("\"@{name}\" names no zone of a row above"));
    }
    let mut set = HexSet::empty();
    let Some((from, to)) = word.split_once(':') else {
        set.insert(hex(grid, word)?);
        return Ok(set);
    };
    let (from, to) = (hex(grid, from)?, hex(grid, to)?);
    let columns = grid.column(from)..=grid.column(to);
    let rows = grid.row(from)..=grid.row(to);
    if columns.is_empty() || rows.is_empty() {
        return Err(format!("\"{word}\" ends before it begins; expected the north-west hex first"));
    }
    for column in columns {
        rows.clone().filter_map(|row| grid.at(column, row)).for_each(|h| {
            set.insert(h);
        });
    }
    Ok(set)
}
