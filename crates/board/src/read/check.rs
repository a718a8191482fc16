//! What only the whole board shows: rivers that end in the air, places in the water, land out of reach.

use crate::{Board, Corner, EdgeKinds, Hexside};
use hex::{Dir, Edge, Hex, HexSet};
use std::collections::BTreeMap;
use text::{Faults, Files};

/// Looks the whole board over and notes what is wrong.
pub(super) fn check(
    board: &Board,
    files: &Files,
    hex_lines: &[u32],
    edge_rows: &BTreeMap<(usize, Hex), u32>,
    faults: &mut Faults,
) {
    rivers(board, &files.shown("hexsides.tsv"), faults);
    lines(board, &files.shown("lines.tsv"), faults);
    places(board, &files.shown("places.tsv"), faults);
    edges(board, &files.shown("edges.tsv"), edge_rows, faults);
    land(board, &files.shown("hexes.tsv"), hex_lines, faults);
}

/// Each end of a river touches water, another river, the rim of the map, or is declared a source or a mouth.
fn rivers(board: &Board, file: &str, faults: &mut Faults) {
    let grid = &board.grid;
    let is_river = |h: &&Hexside| board.hexside_kinds[h.kind.ix()].river;
    let mut ends: Vec<(Corner, Edge)> = Vec::new();
    for h in board.hexsides.iter().filter(is_river) {
        ends.extend(Corner::ends(grid, h.edge).map(|c| (c, h.edge)));
    }
    ends.sort();
    ends.dedup();
    let meets_at = |corner: Corner| {
        let first = ends.partition_point(|&(c, _)| c < corner);
        ends[first..].iter().take_while(|&&(c, _)| c == corner).count()
    };
    let water: EdgeKinds = (0..board.hexside_kinds.len() as u8)
        .map(crate::EdgeKind)
        .filter(|k| board.hexside_kinds[k.ix()].is_water())
        .collect();
    for h in board.hexsides.iter().filter(is_river) {
        let excused = h.flags.has("source") || h.flags.has("mouth");
        let mut free = 0;
        for dir in [h.edge.dir().anticlockwise(), h.edge.dir()] {
            let hex = h.edge.hex();
            if meets_at(Corner::of(grid, hex, dir)) > 1 {
                continue;
            }
            let around: Vec<Hex> = Corner::hexes(grid, hex, dir).collect();
            let at_rim = around.len() < 3 || around.iter().any(|&x| !board.playable.contains(x));
            let at_water = around.iter().any(|&x| board.water.contains(x))
                || Corner::edges(grid, hex, dir).any(|e| board.kinds_at(e).meets(water));
            if at_rim || at_water {
                continue;
            }
            free += 1;
            if !excused {
                let names: Vec<String> = around.iter().map(|&x| grid.name(x).to_string()).collect();
                let what = format!(
                    "the {}{} ends in the air at the corner of {}; expected water, another river or the rim of the \
                     map there, or the flag source or mouth",
                    board.hexside_kinds[h.kind.ix()].name,
                    if h.name.is_empty() { String::new() } else { format!(" {}", h.name) },
                    names.join(", ")
                );
                faults.add(file, Some(h.line), what);
            }
        }
        if excused && free == 0 {
            let name = h.edge.name(grid);
            faults.add(
                file,
                Some(h.line),
                format!("{name} is flagged source or mouth, but no end of it is free"),
            );
        }
    }
}

/// No line crosses a hexside that blocks.
fn lines(board: &Board, file: &str, faults: &mut Faults) {
    for line in &board.lines {
        let entry = &board.line_kinds[line.kind.ix()];
        if entry.water {
            continue;
        }
        for pair in line.hexes.windows(2) {
            let Some(edge) = Edge::between(&board.grid, pair[0], pair[1]) else { continue };
            if board.blocking.contains(edge) {
                let kinds = board.kinds_at(edge);
                let blocks = kinds.iter().map(|k| &board.hexside_kinds[k.ix()]).find(|e| e.blocks);
                let what = format!(
                    "the {} crosses the {} {}; expected a bridge, ferry or strait there in hexsides.tsv",
                    entry.name,
                    blocks.map_or("hexside", |e| &e.name),
                    edge.name(&board.grid)
                );
                faults.add(file, Some(line.line), what);
            }
        }
    }
}

/// No place lies in the water or beyond the map, and a name stands for one place.
fn places(board: &Board, file: &str, faults: &mut Faults) {
    let grid = &board.grid;
    for (i, place) in board.places.iter().enumerate() {
        let called =
            if place.name.is_empty() { &board.place_kinds[place.kind.ix()].name } else { &place.name };
        if !board.is_land(place.hex) {
            let terrain = &board.entry(place.hex).name;
            let what =
                format!("{called} lies in {}, which is {terrain}; expected land", grid.name(place.hex));
            faults.add(file, Some(place.line), what);
        }
        if place.name.is_empty() {
            continue;
        }
        let mut same = board.places[..i].iter().filter(|p| p.name == place.name).peekable();
        let first = same.peek().map(|p| (p.hex, p.line));
        if let Some((hex, line)) = first
            && !same.any(|p| grid.distance(p.hex, place.hex) <= 1)
        {
            let (here, there) = (grid.name(place.hex), grid.name(hex));
            let what = format!(
                "{called} in {here} is listed already in line {line} in {there}, which does not touch"
            );
            faults.add(file, Some(place.line), what);
        }
    }
}

/// The hexes of an edge lie at the rim.
fn edges(board: &Board, file: &str, rows: &BTreeMap<(usize, Hex), u32>, faults: &mut Faults) {
    let grid = &board.grid;
    for (i, area) in board.edges.iter().enumerate() {
        for hex in area.hexes.iter() {
            let beyond = |dir| grid.neighbour(hex, dir).is_none_or(|n| !board.playable.contains(n));
            if !Dir::ALL.into_iter().any(beyond) {
                let what = format!("{} of the edge \"{}\" lies inside the map", grid.name(hex), area.name);
                faults.add(file, rows.get(&(i, hex)).copied(), what);
            }
        }
    }
}

/// All land can be reached from the largest piece of it, unless it says that it is an island.
fn land(board: &Board, file: &str, hex_lines: &[u32], faults: &mut Faults) {
    let grid = &board.grid;
    let mut pieces: Vec<HexSet> = Vec::new();
    let mut seen = HexSet::empty();
    for start in grid.hexes().filter(|&h| board.is_land(h)) {
        if !seen.insert(start) {
            continue;
        }
        let mut piece = HexSet::empty();
        piece.insert(start);
        let mut open = vec![start];
        while let Some(hex) = open.pop() {
            let walked = grid.neighbours(hex).filter(|&(dir, _)| !board.blocked(hex, dir)).map(|(_, n)| n);
            let linked = board.links.iter().filter_map(|l| match hex {
                h if h == l.a => Some(l.b),
                h if h == l.b => Some(l.a),
                _ => None,
            });
            for next in walked.chain(linked) {
                if board.is_land(next) && seen.insert(next) {
                    piece.insert(next);
                    open.push(next);
                }
            }
        }
        pieces.push(piece);
    }
    let islands = board.flagged("island");
    let Some(largest) = (0..pieces.len()).max_by_key(|&i| (pieces[i].count(), usize::MAX - i)) else {
        return;
    };
    for (i, piece) in pieces.iter().enumerate() {
        if i == largest || piece.meets(&islands) {
            continue;
        }
        let Some(hex) = piece.first() else { continue };
        let line = Some(hex_lines[hex.ix()]).filter(|&n| n > 0);
        let what = match piece.count() {
            1 => format!("the land hex {} cannot be reached", grid.name(hex)),
            n => format!("the {n} land hexes around {} cannot be reached", grid.name(hex)),
        };
        faults.add(file, line, format!("{what}; expected a way there, or the flag island on one of them"));
    }
}
