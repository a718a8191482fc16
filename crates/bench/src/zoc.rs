//! The zone of control of three hundred units.

use std::collections::HashSet;

use hex::{Hex, HexSet};

use crate::contest::{self, Answer, Contender};
use crate::country::{Country, Lots};
use crate::peers::{Tiles, theirs};
use crate::report::Report;

const TILES: &str = "hexx all_neighbors and a hash set";

/// Adds the row: from the list of units to the set of hexes they control.
pub fn run(report: &mut Report, board: &str, countries: &[Country], wanted: f64) -> Result<(), String> {
    let name = &format!("zones of control of 300 units, {board}");
    // A small board has no room for so many.
    if !report.wants(name) || countries.iter().any(|c| c.land.count() < 600) {
        return Ok(());
    }
    let mut lots = Lots(0x20c);
    let mut queries: Vec<(usize, Vec<Hex>)> = Vec::new();
    for (i, country) in countries.iter().enumerate() {
        for _ in 0..16 {
            let mut units = HexSet::empty();
            while units.count() < 300 {
                units.insert(lots.hex(&country.land));
            }
            queries.push((i, units.iter().collect()));
        }
    }
    let plain = |(i, units): &(usize, Vec<Hex>)| -> Answer {
        let country: &Country = &countries[*i];
        let zone = units.iter().flat_map(|&h| country.grid.neighbours(h).map(|n| n.1));
        let zone: std::collections::BTreeSet<Hex> = zone.filter(|&h| country.land.contains(h)).collect();
        zone.into_iter().map(|h| (h, 0)).collect()
    };
    let expected: Vec<Answer> = queries.iter().map(plain).collect();
    let tiles: Vec<Tiles> = countries.iter().map(Tiles::new).collect();
    let their =
        |(i, units): &(usize, Vec<Hex>)| units.iter().map(|&h| theirs(&countries[*i].grid, h)).collect();
    let their_units: Vec<Vec<hexx::Hex>> = queries.iter().map(their).collect();
    let mut zone = HexSet::empty();
    let ours = Contender {
        name: "ours",
        solve: Box::new(|i, full| {
            let (country, units) = &queries[i];
            let country = &countries[*country];
            let units: HexSet = units.iter().copied().collect();
            units.dilate_into(&country.grid, &mut zone);
            zone &= &country.land;
            if let Some(full) = full {
                full.extend(zone.iter().map(|h| (h, 0)));
            }
            zone.count()
        }),
    };
    let hashed = Contender {
        name: TILES,
        solve: Box::new(|i, full| {
            let tiles = &tiles[queries[i].0];
            let mut zone: HashSet<hexx::Hex> = HashSet::new();
            for unit in &their_units[i] {
                zone.extend(unit.all_neighbors().into_iter().filter(|n| tiles.ground.contains_key(n)));
            }
            if let Some(full) = full {
                full.extend(zone.iter().map(|n| (tiles.ours[n], 0)));
            }
            zone.len()
        }),
    };
    let timed = contest::run(name, report.rounds, &expected, vec![ours, hashed])?;
    report.add(name, &timed, &|_| Some(wanted));
    Ok(())
}
