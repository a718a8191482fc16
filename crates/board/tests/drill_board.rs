//! The drill's map, read and asked.

mod common;
use common::board;
use hex::{Dir, Edge};
use verst_board::Board;

#[test]
fn terrain_is_as_listed_and_otherwise_the_default() {
    let board = board();
    let at = |n: &str| board.terrain(board.grid().find(n).unwrap());
    assert_eq!(Some(at("0307")), board.terrain_kind("forest"));
    assert_eq!(Some(at("1210")), board.terrain_kind("clear"));
    assert_eq!(board.terrain_kind("jungle"), None);
    assert_eq!(board.water().count(), 3);
}

#[test]
fn a_hexside_is_the_same_from_both_sides() {
    let board = board();
    let grid = board.grid();
    for hex in grid.hexes() {
        for (dir, other) in grid.neighbours(hex) {
            assert_eq!(board.edge(hex, dir), board.edge(other, dir.opposite()));
            assert_eq!(board.line_kinds(hex, dir), board.line_kinds(other, dir.opposite()));
        }
    }
    let (river, bridge) = (board.edge_kind("river").unwrap(), board.edge_kind("bridge").unwrap());
    let kinds = board.edge(grid.find("0606").unwrap(), Dir::Se);
    assert_eq!(kinds.iter().collect::<Vec<_>>(), [river, bridge]);
}

#[test]
fn roads_cross_the_sides_of_their_chain_and_no_others() {
    let board = board();
    let grid = board.grid();
    let road = board.line_kind("road").unwrap();
    let corvane = board.place("Corvane").unwrap().hex;
    let ways: Vec<Dir> = Dir::ALL.into_iter().filter(|&d| board.line_kinds(corvane, d).has(road)).collect();
    assert_eq!(ways, [Dir::N, Dir::Ne, Dir::S, Dir::Sw]);
    let crossed: usize = grid
        .hexes()
        .map(|h| Dir::ALL[..3].iter().filter(|&&d| board.line_kinds(h, d).has(road)).count())
        .sum();
    let chains: usize = board.lines().iter().map(|l| l.hexes.len() - 1).sum();
    assert_eq!(crossed, chains);
}

#[test]
fn places_zones_edges_and_borders_are_found_by_name() {
    let board = board();
    let grid = board.grid();
    let alderby = board.place("Alderby").unwrap();
    assert_eq!(grid.name(alderby.hex).to_string(), "0205");
    assert_eq!(alderby.vp, Some(1));
    assert_eq!(board.place_at(alderby.hex).map(|p| p.name.as_str()), Some("Alderby"));
    let camp = board.zone("blue-camp").unwrap();
    assert_eq!(camp.count(), 30);
    let zones: Vec<&str> =
        board.zones_of(alderby.hex).map(|z| board.zones()[z.0 as usize].name.as_str()).collect();
    assert_eq!(zones, ["blue-camp"]);
    assert!(!board.zone("red-camp").unwrap().contains(grid.find("0806").unwrap()));
    assert_eq!(board.edge_area("east-road").unwrap().leads_to.as_deref(), Some("reserve"));
    let line = board.border("Start line").unwrap();
    assert_eq!(line.count(), 19);
    assert!(line.contains(Edge::read(grid, "0402/0303").unwrap()));
    assert!(board.off_map_box("reserve").is_some());
}

#[test]
fn the_start_line_parts_the_board_as_the_blue_camp_does() {
    let board = board();
    let grid = board.grid();
    let (camp, line) = (board.zone("blue-camp").unwrap(), board.border("Start line").unwrap());
    for hex in grid.hexes() {
        for (dir, other) in grid.neighbours(hex) {
            assert_eq!(camp.contains(hex) != camp.contains(other), line.crossed(grid, hex, dir));
        }
    }
}

#[test]
fn a_board_says_where_its_values_come_from() {
    assert!(board().source().reconstructed().is_some());
}

#[test]
fn embedded_files_give_the_same_board_as_the_folder() {
    let names = [
        "board.toml",
        "hexes.tsv",
        "hexsides.tsv",
        "lines.tsv",
        "places.tsv",
        "borders.tsv",
        "zones.tsv",
        "edges.tsv",
    ];
    let pairs: Vec<(&'static str, &'static str)> =
        names.iter().map(|n| (*n, &*common::file(n).leak())).collect();
    let embedded = Board::load(&text::Files::embedded(pairs.leak())).unwrap();
    assert_eq!(embedded.places().len(), board().places().len());
    assert_eq!(embedded.terrain_by_hex(), board().terrain_by_hex());
}
