//! Reading a board from its files.

mod check;
mod list;
mod spec;
mod tables;

use crate::Board;
use crate::board::{Index, collect};
use crate::{EdgeSet, Flags};
use hex::{Dir, Edge, Grid, Hex, HexSet};
use spec::Spec;
use tables::Tables;
use text::{Faults, Files};

/// Reads the files, puts the board together, checks it as a whole, and gives the board or all faults.
pub(crate) fn load(files: &Files) -> Result<Board, Faults> {
    let mut faults = Faults::new();
    let Some(spec) = Spec::read(files, &mut faults) else {
        // Without kinds and grid every row would be at fault; what is wrong with board.toml comes first.
        faults.check()?;
        return Err(Faults::from(text::Fault {
            file: files.shown("board.toml"),
            line: None,
            what: "cannot be read".to_string(),
        }));
    };
    let tables = Tables::read(files, &spec, &mut faults);
    let lines_of_hexes = tables.hex_lines.clone();
    let edge_rows = tables.edge_rows.clone();
    let board = assemble(spec, tables);
    check::check(&board, files, &lines_of_hexes, &edge_rows, &mut faults);
    faults.check()?;
    Ok(board)
}

fn assemble(spec: Spec, tables: Tables) -> Board {
    let grid = spec.grid;
    let mut sides = vec![Default::default(); grid.len()];
    for h in &tables.hexsides {
        on_both_sides(&grid, h.edge, |hex: Hex, dir: Dir| {
            let kinds: &mut [crate::EdgeKinds; 6] = &mut sides[hex.ix()];
            kinds[dir.ix()] = kinds[dir.ix()].with(h.kind);
        });
    }
    let mut crossings = vec![Default::default(); grid.len()];
    for line in &tables.lines {
        for pair in line.hexes.windows(2) {
            let Some(edge) = Edge::between(&grid, pair[0], pair[1]) else { continue };
            on_both_sides(&grid, edge, |hex: Hex, dir: Dir| {
                let kinds: &mut [crate::LineKinds; 6] = &mut crossings[hex.ix()];
                kinds[dir.ix()] = kinds[dir.ix()].with(line.kind);
            });
        }
    }
    let mut blocking = EdgeSet::empty(&grid);
    for h in &tables.hexsides {
        let kinds: crate::EdgeKinds = sides[h.edge.hex().ix()][h.edge.dir().ix()];
        let entry = |k: crate::EdgeKind| &spec.hexside_kinds[k.ix()];
        if kinds.iter().any(|k| entry(k).blocks) && !kinds.iter().any(|k| entry(k).crosses) {
            blocking.insert(h.edge);
        }
    }
    let entry = |hex: Hex| &spec.terrains[tables.terrain[hex.ix()].ix()];
    let water = collect(grid.hexes().filter(|&h| entry(h).water.is_some()));
    let playable = collect(grid.hexes().filter(|&h| entry(h).playable));
    let place_pairs = tables.places.iter().enumerate().map(|(i, p)| (p.hex, i as u16)).collect();
    let mut zones = spec.zones;
    for (zone, hexes) in zones.iter_mut().zip(tables.zones) {
        zone.hexes = hexes;
    }
    let mut edges = spec.edges;
    for (edge, hexes) in edges.iter_mut().zip(tables.edges) {
        edge.hexes = hexes;
    }
    let zone_pairs = zones
        .iter()
        .enumerate()
        .flat_map(|(i, z)| z.hexes.iter().map(move |h| (h, i as u16)).collect::<Vec<_>>())
        .collect();
    Board {
        places_in: Index::new(&grid, place_pairs),
        zones_in: Index::new(&grid, zone_pairs),
        name: spec.name,
        source: spec.source,
        terrains: spec.terrains,
        hexside_kinds: spec.hexside_kinds,
        line_kinds: spec.line_kinds,
        place_kinds: spec.place_kinds,
        border_kinds: spec.border_kinds,
        terrain: tables.terrain,
        hex_flags: flag_sets(&tables.flags_of),
        flags_of: tables.flags_of,
        sides,
        crossings,
        hexsides: tables.hexsides,
        lines: tables.lines,
        links: tables.links,
        places: tables.places,
        borders: tables.borders,
        zones,
        edges,
        boxes: spec.boxes,
        shapes: tables.shapes,
        labels: tables.labels,
        water,
        playable,
        blocking,
        grid,
    }
}

/// Does something for a hexside as each of its two hexes sees it.
fn on_both_sides(grid: &Grid, edge: Edge, mut f: impl FnMut(Hex, Dir)) {
    let (a, b) = edge.hexes(grid);
    f(a, edge.dir());
    f(b, edge.dir().opposite());
}

/// For each flag that hexes have, the hexes that have it.
fn flag_sets(flags_of: &[(Hex, Flags)]) -> Vec<(String, HexSet)> {
    let mut sets: Vec<(String, HexSet)> = Vec::new();
    for (hex, flags) in flags_of {
        for flag in flags.iter() {
            let word = Flags::word(flag);
            let at = sets.iter().position(|(w, _)| w == word).unwrap_or_else(|| {
                sets.push((word.to_string(), HexSet::empty()));
                sets.len() - 1
            });
            sets[at].1.insert(*hex);
        }
    }
    sets
}
