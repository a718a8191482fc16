//! Lists of hexes in a recipe.
//!
//! Words separated by spaces, from left to right: a hex or a rectangle `2010N:2215N` adds, `*` adds all, `@name` adds
//! a set, a leading `!` takes away, a leading `&` keeps only what is also there, and `grow` adds all neighbours.

use hex::{Grid, Hex, HexSet};
use std::collections::BTreeMap;

/// Sets by name.
pub type Sets = BTreeMap<String, HexSet>;

/// Reads a list; the error says which word is at fault.
pub fn read(grid: &Grid, sets: &Sets, list: &str) -> Result<HexSet, String> {
    let mut out = HexSet::default();
    for word in list.split_whitespace() {
        if word == "grow" {
            out = out.dilate(grid);
            continue;
        }
        let (sign, name) = match word.chars().next() {
            Some(c @ ('!' | '&')) => (c, &word[1..]),
            _ => ('+', word),
        };
        let these = one(grid, sets, name)?;
        for hex in grid.hexes() {
            match sign {
                '!' if these.contains(hex) => out.set(hex, false),
                '&' if !these.contains(hex) => out.set(hex, false),
                '+' if these.contains(hex) => out.set(hex, true),
                _ => {}
            }
        }
    }
    Ok(out)
}

fn one(grid: &Grid, sets: &Sets, name: &str) -> Result<HexSet, String> {
    let mut out = HexSet::default();
    if name == "*" {
        return Ok(grid.all().clone());
    }
    if let Some(set) = name.strip_prefix('@') {
        return sets
            .get(set)
            .cloned()
            .ok_or_else(|| text::unknown("set", set, &sets.keys().collect::<Vec<_>>()));
    }
    if let Some((a, b)) = name.split_once(':') {
        let (a, b) = (corner(grid, a)?, corner(grid, b)?);
        let columns = a.0.min(b.0)..=a.0.max(b.0);
        let rows = a.1.min(b.1)..=a.1.max(b.1);
        for hex in grid.hexes() {
            if columns.contains(&grid.column(hex)) && rows.contains(&grid.row(hex)) {
                out.insert(hex);
            }
        }
        return Ok(out);
    }
    out.insert(find(grid, name)?);
    Ok(out)
}

/// Column and row of a corner of a rectangle, which need not be a hex that the map has.
fn corner(grid: &Grid, name: &str) -> Result<(u16, i16), String> {
    let fault = || format!("{name} is not a hex number");
    let column = name.get(..2).and_then(|c| c.parse().ok()).ok_or_else(fault)?;
    let row: i16 = name.get(2..4).and_then(|r| r.parse().ok()).ok_or_else(fault)?;
    let letter = name.chars().nth(4);
    let sheet = grid.spec().sheets.iter().find(|s| Some(s.suffix) == letter);
    Ok((column, row + sheet.map_or(0, |s| s.at)))
}

/// The hex of that name.
pub fn find(grid: &Grid, name: &str) -> Result<Hex, String> {
    grid.find(name).ok_or_else(|| format!("{name} is not a hex of this grid"))
}
