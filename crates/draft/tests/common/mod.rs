//! What the proofs of the maps share: the committed boards, and the reading of an expectation.

#![allow(dead_code)]

use board::Board;
use hex::{Dir, Edge, Hex};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use text::Files;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of a game's map.
pub fn map_folder(game: &str) -> PathBuf {
    root().join("crates/games").join(game).join("data/map")
}

/// The committed board of a game, loaded once.
pub fn board(game: &str) -> &'static Board {
    static BOARDS: [OnceLock<Board>; 5] = [const { OnceLock::new() }; 5];
    let ix = ["pm", "pmd", "lwe", "ls", "s42"].iter().position(|g| *g == game).expect("a game of ours");
    BOARDS[ix].get_or_init(|| match Board::load(&Files::folder(map_folder(game))) {
        Ok(board) => board,
        Err(faults) => panic!("the board of {game} has faults:\n{faults}"),
    })
}

/// The hex of that name.
pub fn hex(board: &Board, name: &str) -> Hex {
    board.grid().find(name).unwrap_or_else(|| panic!("{name} is not on the board"))
}

/// The hexside of that name.
pub fn edge(board: &Board, name: &str) -> Edge {
    Edge::read(board.grid(), name).unwrap_or_else(|| panic!("{name} is not a hexside of the board"))
}

/// True if a hexside has a kind.
pub fn side_is(board: &Board, side: &str, kind: &str) -> bool {
    let edge = edge(board, side);
    let kind = board.edge_kind(kind).unwrap_or_else(|| panic!("no hexside kind {kind}"));
    board.hexsides().iter().any(|h| h.edge == edge && h.kind == kind)
}

fn at_rim(board: &Board, hex: Hex) -> bool {
    Dir::ALL.into_iter().any(|dir| board.grid().neighbour(hex, dir).is_none())
}

/// Checks one expectation about a hex.
pub fn anchor(board: &Board, name: &str, expect: &str) {
    let grid = board.grid();
    let (what, rest) = expect.split_once(' ').unwrap_or((expect, ""));
    match what {
        "place" => {
            let here: Vec<&str> = board.places_at(hex(board, name)).map(|p| p.name.as_str()).collect();
            assert!(here.contains(&rest), "{name} should hold {rest}; it holds {here:?}");
        }
        "zone" => {
            let zone = board.zone(rest).unwrap_or_else(|| panic!("no zone {rest}"));
            assert!(zone.contains(hex(board, name)), "{name} should lie in {rest}");
        }
        "edge" => {
            let area = board.edge_area(rest).unwrap_or_else(|| panic!("no edge {rest}"));
            assert!(area.hexes.contains(hex(board, name)), "{name} should belong to the edge {rest}");
        }
        "side" => {
            let (side, kind) = rest.split_once(' ').expect("a hexside and a kind");
            assert!(side.contains(name), "{side} is a side of {name}");
            assert!(side_is(board, side, kind), "{side} should be {kind}");
        }
        "border" => {
            let (border, side) = rest.rsplit_once(' ').expect("a border and a hexside");
            let set = board.border(border).unwrap_or_else(|| panic!("no border {border}"));
            assert!(
                side.contains(name) && set.contains(edge(board, side)),
                "{border} should run along {side}"
            );
        }
        "touch" => rest.split(' ').for_each(|side| {
            edge(board, side);
        }),
        "link" => {
            let (a, b) = rest.split_once('/').expect("two hexes");
            let (a, b) = (hex(board, a), hex(board, b));
            let joined = board.links().iter().any(|l| (l.a, l.b) == (a, b) || (l.b, l.a) == (a, b));
            assert!(joined, "{rest} should be joined by a link");
        }
        "line" => {
            let kind = board.line_kind(rest).unwrap_or_else(|| panic!("no line kind {rest}"));
            assert!(board.line_kinds_in(hex(board, name)).has(kind), "{name} should have a {rest}");
        }
        "land" => assert!(board.is_land(hex(board, name)), "{name} should be land"),
        "water" => assert!(!board.is_land(hex(board, name)), "{name} should be water"),
        "rimhex" => assert!(at_rim(board, hex(board, name)), "{name} should lie at the rim"),
        "rim" => {
            let last = grid.hexes().map(|h| grid.column(h)).max();
            assert_eq!(last.map(|c| c.to_string()).as_deref(), Some(rest), "the last column");
        }
        "column" => {
            let (column, zone) = rest.split_once(' ').expect("a column and a zone");
            let column: u16 = column.parse().expect("a number");
            let zone = board.zone(zone).expect("a zone");
            let zomo: Vec<_> = board.zones().iter().filter(|z| z.kind == "zomo").collect();
            for h in grid.hexes().filter(|h| grid.column(*h) == column && board.is_land(*h)) {
                let abroad = zomo.iter().any(|z| z.hexes.contains(h));
                assert!(abroad || zone.contains(h), "{} should lie in the zone of its column", grid.name(h));
            }
        }
        "row" => {
            let row: i16 = rest.parse().expect("a number");
            assert!(grid.hexes().any(|h| grid.row(h) == row), "row {row} should exist");
        }
        other => panic!("no such expectation: {other}"),
    }
}

/// Checks that each line of the anchor files is among those tested.
pub fn every_line_has_a_test(tested: &[(&str, &str)]) {
    for file in ["pm", "pmd", "lwe", "ls", "s42", "s42-more"] {
        let game = file.split('-').next().unwrap_or(file);
        let path = root().join("theatre/anchors").join(format!("{file}.csv"));
        let text = std::fs::read_to_string(&path).expect("the anchor file");
        for line in text.lines().skip(1) {
            let hex = line.split(',').next().unwrap_or("");
            assert!(tested.contains(&(game, hex)), "{file}.csv: {hex} has no test");
        }
    }
}
