//! Facts about the maps that rules and history give, and that no single hex shows.

mod common;

use common::{board, edge, hex, side_is};
use hex::{Dir, Edge, Hex, HexSet};

fn set(game: &str, names: &str) -> HexSet {
    let mut out = HexSet::default();
    for name in names.split_whitespace() {
        out.insert(hex(board(game), name));
    }
    out
}

fn zone(game: &str, name: &str) -> HexSet {
    board(game).zone(name).unwrap_or_else(|| panic!("{game} has no zone {name}")).clone()
}

#[test]
fn three_hexes_strangle_leningrad() {
    let b = board("pm");
    // The city, its fort line, and the lake: whatever leaves them to the east goes through the three hexes.
    let inside = set("pm", "4201N 4300N 4400N");
    let mut exits = HexSet::default();
    for h in inside.iter() {
        for (_, n) in b.grid().neighbours(h) {
            if b.grid().column(n) >= 43 && !inside.contains(n) {
                exits.insert(n);
            }
        }
    }
    assert_eq!(exits, zone("pm", "leningrad-approaches"));
    assert!(exits.iter().all(|h| b.is_land(h)), "the three hexes are land");
}

#[test]
fn with_its_land_neighbour_lost_leningrad_is_on_lake_supply() {
    let b = board("pm");
    assert!(side_is(b, "4300N/4401N", "lake"));
    assert!(b.water().contains(hex(b, "4400N")), "4400N is Lake Ladoga");
}

#[test]
fn tula_belongs_to_the_mozhaisk_line() {
    assert!(zone("pm", "fort-mozhaisk").contains(hex(board("pm"), "4921N")));
    assert!(zone("pmd", "fort-mozhaisk").contains(hex(board("pmd"), "4024")));
}

#[test]
fn the_sixth_army_has_seven_hexes() {
    assert_eq!(zone("lwe", "army-6"), set("lwe", "1025 1125 1225 1226 1326 1427 1428"));
}

#[test]
fn no_two_armies_share_a_hex() {
    let armies: Vec<_> = board("lwe").zones().iter().filter(|z| z.kind == "deployment").collect();
    assert!(armies.len() >= 20);
    for (i, a) in armies.iter().enumerate() {
        for b in &armies[i + 1..] {
            assert!(!a.hexes.meets(&b.hexes), "{} and {} overlap", a.name, b.name);
        }
    }
}

#[test]
fn moscow_has_two_hexes_that_touch_and_nine_points() {
    for (game, a, b) in [("pm", "5017N", "5116N"), ("pmd", "4120", "4219")] {
        let board = board(game);
        edge(board, &format!("{a}/{b}"));
        let here: Vec<_> = board.places().iter().filter(|p| p.name == "Moscow").collect();
        assert_eq!(here.len(), 2);
        assert!(here.iter().all(|p| p.vp == Some(9)));
    }
}

#[test]
fn the_frontier_zone_has_three_large_towns_and_no_city() {
    let b = board("pm");
    let frontier = zone("pm", "frontier");
    let names = |kind: &str| -> Vec<&str> {
        let kind = b.place_kind(kind).expect("a kind");
        b.places()
            .iter()
            .filter(|p| p.kind == kind && frontier.contains(p.hex))
            .map(|p| p.name.as_str())
            .collect()
    };
    let mut large = names("large-town");
    large.sort_unstable();
    assert_eq!(large, ["Grodno", "Kishinev", "Lvov"]);
    assert!(names("city").is_empty());
}

#[test]
fn the_four_nearest_points_are_just_enough_in_june() {
    let b = board("pm");
    let zomo = zone("pm", "zomo-germany");
    let mut near: Vec<(u32, i32, &str)> = b
        .places()
        .iter()
        .filter_map(|p| {
            let d = zomo.iter().map(|z| b.grid().distance(z, p.hex)).min()?;
            Some((d, i32::from(p.vp?), p.name.as_str()))
        })
        .collect();
    near.sort_unstable();
    let first: Vec<&str> = near[..4].iter().map(|n| n.2).collect();
    assert_eq!(near[..4].iter().map(|n| n.1).sum::<i32>(), 4, "the four nearest are {first:?}");
    for name in ["Kaunas", "Vilna", "Riga", "Minsk"] {
        assert!(first.contains(&name), "{name} is one of the four nearest; they are {first:?}");
    }
}

#[test]
fn thirty_six_points_take_more_than_history_held() {
    // What the Germans held for good in December 1941 falls short; Leningrad, Tula, Sevastopol or Rostov would do.
    let held = [
        "Kaunas",
        "Vilna",
        "Riga",
        "Minsk",
        "Vitebsk",
        "Smolensk",
        "Kishinev",
        "Gomel",
        "Novgorod",
        "Nikolaev",
        "Odessa",
        "Kiev",
        "Dnepropetrovsk",
        "Zaporozhye",
        "Poltava",
        "Kharkov",
        "Stalino",
        "Mariupol",
        "Taganrog",
        "Orel",
        "Bryansk",
        "Kursk",
        "Kaluga",
        "Kalinin",
        "Simferopol",
    ];
    for (game, least) in [("pm", 28), ("pmd", 28)] {
        let b = board(game);
        let sum: i32 = held.iter().filter_map(|n| b.place(n)).filter_map(|p| p.vp).map(i32::from).sum();
        assert!((least..36).contains(&sum), "{game}: history scores {sum}");
    }
}

#[test]
fn forty_eight_hexes_make_the_stalin_line_and_one_is_odessa() {
    let line = zone("pmd", "stalin-line");
    assert_eq!(line.count(), 48);
    assert!(line.contains(hex(board("pmd"), "1643")));
}

#[test]
fn last_stand_has_seventeen_objectives_and_twenty_flags() {
    let b = board("ls");
    assert_eq!(zone("ls", "objectives").count(), 17);
    let flags: u32 =
        b.places().iter().filter_map(|p| p.flags.value("flags")).filter_map(|f| f.parse::<u32>().ok()).sum();
    assert_eq!(flags, 20);
}

#[test]
fn the_four_hexsides_of_the_izium_bend_are_river() {
    for side in ["1420/1521", "1421/1521", "1521/1522", "1521/1621"] {
        assert!(side_is(board("s42"), side, "major-river"), "{side}");
    }
}

#[test]
fn both_portions_of_the_luga_line_are_unbroken() {
    for zone_name in ["fort-luga-north", "fort-luga-south"] {
        let b = board("pm");
        let line = zone("pm", zone_name);
        let first = line.first().expect("a hex");
        let mut seen = HexSet::default();
        seen.insert(first);
        let mut todo = vec![first];
        while let Some(h) = todo.pop() {
            for (_, n) in b.grid().neighbours(h) {
                if line.contains(n) && seen.insert(n) {
                    todo.push(n);
                }
            }
        }
        assert_eq!(seen, line, "{zone_name}");
    }
}

#[test]
fn perekop_is_the_only_dry_way_into_the_crimea() {
    let b = board("pm");
    let crimea = zone("pm", "crimea");
    let mut open: Vec<String> = Vec::new();
    for h in crimea.iter() {
        for (dir, n) in b.grid().neighbours(h) {
            let strait = b.edge_kind("strait").is_some_and(|k| b.edge(h, dir).has(k));
            if b.is_land(n) && !crimea.contains(n) && !b.blocked(h, dir) && !strait {
                open.push(Edge::between(b.grid(), h, n).expect("a hexside").name(b.grid()));
            }
        }
    }
    assert_eq!(open, ["3115S/3216S"]);
}

#[test]
fn each_strait_hexside_is_the_one_that_the_rule_names() {
    let b = board("pm");
    let strait = b.edge_kind("strait").expect("straits");
    let mut sides: Vec<String> =
        b.hexsides().iter().filter(|h| h.kind == strait).map(|h| h.edge.name(b.grid())).collect();
    sides.sort();
    assert_eq!(sides, ["3215S/3216S", "3216S/3315S", "3719S/3820S", "3819S/3820S"]);
}

#[test]
fn the_three_games_of_one_grid_agree_on_their_cities() {
    let (pm, pmd, lwe) = (board("pm"), board("pmd"), board("lwe"));
    for name in
        ["Leningrad", "Riga", "Minsk", "Kiev", "Odessa", "Sevastopol", "Kharkov", "Rostov", "Smolensk"]
    {
        let at = |b: &board::Board| {
            let h: Hex = b.place(name).unwrap_or_else(|| panic!("{name}")).hex;
            (i32::from(b.grid().column(h)), i32::from(b.grid().row(h)))
        };
        let (c, r) = at(pm);
        assert_eq!(at(pmd), (c - 9, r + 3), "{name} in Proud Monster Deluxe");
        assert_eq!(at(lwe), (c - 4, r + 1), "{name} in Land Without End");
    }
}

#[test]
fn great_cities_have_their_river_on_the_right_side() {
    // The river runs along a side of the city's hex that faces this way.
    for (game, city, river, dirs) in [
        ("pm", "Kiev", "Dnieper", &[Dir::Ne, Dir::Se, Dir::N][..]),
        ("pm", "Riga", "Western Dvina", &[Dir::Sw, Dir::S, Dir::Nw]),
        ("pm", "Rostov", "Don", &[Dir::S, Dir::Se, Dir::Sw]),
        ("s42", "Stalingrad", "Volga", &[Dir::Ne, Dir::Se]),
        ("s42", "Rostov", "Don", &[Dir::S, Dir::Se, Dir::Sw]),
        ("s42", "Voronezh", "Don", &[Dir::Nw, Dir::Sw]),
        ("pmd", "Stalingrad", "South Volga", &[Dir::Ne, Dir::Se]),
    ] {
        let b = board(game);
        let h = b.place(city).unwrap_or_else(|| panic!("{city}")).hex;
        let along = dirs.iter().any(|dir| {
            let Some(edge) = Edge::new(b.grid(), h, *dir) else { return false };
            b.hexsides().iter().any(|s| s.edge == edge && s.name == river)
        });
        assert!(along, "{game}: the {river} should run past {city} to the {dirs:?}");
    }
}

#[test]
fn the_start_line_of_fall_blau_parts_the_two_armies() {
    // Hexes of the start cards, by the public transcription.
    let axis = "1300 1500 1501 1202 1401 1402 1303 1203 1003 1304 1204 1205 1517 1207 1209 1211 1412 1613 1714 1715 \
        1716 1717 1515 1415 1518 1824 1719 1721 1620 1421 1621 1722 1523 1823 1923 2024 2225 1926 2027 2029 2331 \
        2326 2327 2427 2529 2531 2533 2634 1936";
    let soviet = "1600 1800 1502 1403 1305 1802 2002 1604 1307 1309 1311 1510 1512 1713 1813 2013 1611 1911 1815 1816 \
        1818 1819 1821 2022 2017 2120 2023 2224 2425 2426 2528 2629 2828 2725 2631 2633 2734 2832 2503 3134 2936 \
        2338 3139 3241 3434 3322 3806";
    let (west, east) = (zone("s42", "west-of-start"), zone("s42", "east-of-start"));
    let wrong = |names: &str, side: &HexSet| -> Vec<String> {
        names
            .split_whitespace()
            .filter(|n| !side.contains(hex(board("s42"), n)))
            .map(str::to_string)
            .collect()
    };
    assert_eq!((wrong(axis, &west), wrong(soviet, &east)), (vec![], vec![]));
}

#[test]
fn most_soviet_front_line_hexes_of_fall_blau_are_fortified() {
    let b = board("s42");
    let kind = b.place_kind("fortification").expect("fortifications");
    for name in ["1502", "1600", "1601"] {
        assert!(b.places_at(hex(b, name)).any(|p| p.kind == kind), "{name} is fortified");
    }
    assert!(b.places_of(kind).count() >= 30);
}
