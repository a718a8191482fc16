//! The board has every hex, line and value that the rulebook names.

use board::Board;
use hex::{Edge, Hex};
use text::Files;

fn board() -> Board {
    let data = Files::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/data/map"));
    Board::load(&data).unwrap_or_else(|faults| panic!("{faults}"))
}

fn at(board: &Board, name: &str) -> Hex {
    board.grid().find(name).unwrap_or_else(|| panic!("no hex {name}"))
}

/// Whether a place of that kind and name lies in the hex.
fn is(board: &Board, hex: &str, kind: &str, name: &str) -> bool {
    let kind = board.place_kind(kind).unwrap_or_else(|| panic!("no kind {kind}"));
    board.places_at(at(board, hex)).any(|p| p.kind == kind && (name.is_empty() || p.name == name))
}

fn vp(board: &Board, hex: &str) -> Option<i16> {
    board.places_at(at(board, hex)).find_map(|p| p.vp)
}

fn flagged(board: &Board, hex: &str, flag: &str) -> bool {
    board.places_at(at(board, hex)).any(|p| p.flags.has(flag))
}

fn in_zone(board: &Board, zone: &str, hex: &str) -> bool {
    board.zone(zone).unwrap_or_else(|| panic!("no zone {zone}")).contains(at(board, hex))
}

fn has_side(board: &Board, a: &str, b: &str, kind: &str) -> bool {
    let kind = board.edge_kind(kind).expect("a kind of hexside");
    let edge = Edge::between(board.grid(), at(board, a), at(board, b)).expect("two hexes that touch");
    board.hexsides().iter().any(|s| s.edge == edge && s.kind == kind)
}

#[test]
fn cities_and_their_points_are_where_the_book_has_them() {
    let b = board();
    for (hex, name) in [
        ("4201N", "Leningrad"),
        ("2512S", "Odessa"),
        ("2817N", "Minsk"),
        ("2919S", "Sevastopol"),
        ("2705N", "Riga"),
        ("5017N", "Moscow"),
        ("5116N", "Moscow"),
    ] {
        assert!(is(&b, hex, "city", name), "{name} in {hex}");
    }
    assert_eq!(vp(&b, "2817N"), Some(1), "4.2");
    assert_eq!(vp(&b, "2919S"), Some(2), "4.2");
    assert_eq!(vp(&b, "5017N"), Some(9), "4.3");
    assert!(b.places().iter().filter_map(|p| p.vp).all(|v| (1..=9).contains(&v)), "4.2");
    let city = b.place_kind("city");
    assert!(b.places().iter().filter(|p| Some(p.kind) == city).all(|p| p.vp.is_some()), "4.2: all cities");
}

#[test]
fn districts_and_ports_are_where_the_book_has_them() {
    let b = board();
    for hex in ["2817N", "5017N", "5116N", "4201N"] {
        assert!(flagged(&b, hex, "district"), "{hex}: 8.7, 9.16");
    }
    assert!(!flagged(&b, "2705N", "district"), "8.7: Riga is none");
    for hex in ["2512S", "2919S", "4022S"] {
        assert!(flagged(&b, hex, "port"), "{hex}: 9.17");
    }
    assert_eq!(b.places().iter().filter(|p| p.flags.has("port")).count(), 3, "9.17");
}

#[test]
fn the_river_of_the_books_example_runs_between_2608n_and_2707n() {
    assert!(has_side(&board(), "2608N", "2707N", "river"), "15.2");
}

#[test]
fn the_straits_are_exactly_the_four_hexsides_of_9_15() {
    let b = board();
    for (x, y) in [("3215S", "3216S"), ("3216S", "3315S"), ("3719S", "3820S"), ("3819S", "3820S")] {
        assert!(has_side(&b, x, y, "strait"), "{x}/{y}");
    }
    let strait = b.edge_kind("strait").expect("straits");
    assert_eq!(b.hexsides().iter().filter(|s| s.kind == strait).count(), 4);
}

#[test]
fn the_zone_of_operations_runs_as_3_7_and_8_2_say() {
    let b = board();
    for hex in ["1906N", "1908N", "1025N", "1913N", "2013N", "2014N"] {
        assert!(in_zone(&b, "zomo-germany", hex), "{hex}");
    }
    assert!(in_zone(&b, "zomo-hungary", "1026N"), "8.2");
    assert!(in_zone(&b, "zomo-romania", "2115S"), "8.2");
    for hex in ["1913N", "2013N", "2014N"] {
        assert!(
            in_zone(&b, "zomo-cut-off", hex) && !in_zone(&b, "okh-north-access", hex),
            "{hex}: 8.2, 9.11"
        );
    }
    assert!(in_zone(&b, "okh-north-access", "1908N") && in_zone(&b, "okh-south-access", "2115S"));
}

#[test]
fn the_soviet_zones_meet_between_columns_22_and_23() {
    let b = board();
    assert!(in_zone(&b, "frontier", "2210N") && in_zone(&b, "interior", "2310N"), "3.3");
    for hex in ["2006N", "1703S"] {
        assert!(in_zone(&b, "border-full", hex), "{hex}: 3.3");
    }
    for hex in ["1804S", "2114S"] {
        assert!(in_zone(&b, "border-alternate", hex), "{hex}: 3.3");
    }
    let large = b.places_of(b.place_kind("large-town").expect("large towns"));
    let frontier = b.zone("frontier").expect("a zone");
    assert_eq!(large.iter().filter(|h| frontier.contains(*h)).count(), 3, "3.3: three large towns");
    assert_eq!(b.grid().column(at(&b, "6001N")), 60, "9.10");
}

#[test]
fn the_supply_line_parts_the_map_as_9_3_says() {
    let b = board();
    for (west, east) in [("4000N", "4100N"), ("3715S", "3815S")] {
        assert!(in_zone(&b, "west-of-gas", west) && in_zone(&b, "east-of-gas", east), "{west}/{east}");
    }
    for hex in ["3819S", "3119S", "2919S"] {
        assert!(in_zone(&b, "west-of-gas", hex), "{hex}: the Crimea lies west");
    }
    assert!(in_zone(&b, "weather-south", "3315S") || in_zone(&b, "weather-south", "3216S"), "13.7");
}

#[test]
fn fort_lines_have_the_hexes_of_14_25() {
    let b = board();
    for (zone, hex) in [
        ("fort-luga-north", "3801N"),
        ("fort-luga-north", "4303N"),
        ("fort-luga-south", "4003N"),
        ("fort-luga-south", "4105N"),
        ("fort-leningrad", "4300N"),
        ("fort-mozhaisk", "4921N"),
    ] {
        assert!(in_zone(&b, zone, hex), "{hex} in {zone}");
    }
    assert_eq!(b.zone("fort-leningrad").expect("a zone").iter().count(), 1, "14.25: one hex");
    for zone in ["luga-north", "luga-south", "leningrad", "vyazma", "mozhaisk", "moscow"] {
        let hexes = b.zone(&format!("fort-{zone}")).unwrap_or_else(|| panic!("no zone fort-{zone}"));
        for hex in hexes.iter() {
            let name = b.grid().name(hex).to_string();
            assert!(flagged(&b, &name, "uncompleted"), "{name}: 14.24, uncompleted at the start");
        }
    }
}

#[test]
fn the_highway_joins_minsk_and_moscow() {
    let b = board();
    let highway = b.line_kind("highway").expect("a highway");
    let ends: Vec<(Hex, Hex)> = b
        .lines()
        .iter()
        .filter(|l| l.kind == highway)
        .filter_map(|l| Some((*l.hexes.first()?, *l.hexes.last()?)))
        .collect();
    assert_eq!(ends, [(at(&b, "2817N"), at(&b, "5017N"))], "12.20");
}

#[test]
fn the_coast_of_invasion_runs_from_2817s_to_3620s() {
    let b = board();
    for hex in ["2817S", "3620S", "2919S"] {
        assert!(in_zone(&b, "invasion-coast", hex), "{hex}: 11.4");
    }
    let coast = b.zone("invasion-coast").expect("a zone");
    assert!(coast.iter().all(|h| b.is_coast(h) && b.is_land(h)), "11.4: land on the sea");
}
