//! Each fault that the validator knows, with its file and line.

mod common;
use common::{fault_of_added, faults, file, with};
use verst_board::Board;

#[test]
fn a_feature_between_hexes_that_do_not_touch() {
    let what = fault_of_added("hexsides.tsv", "0101\t0103\tbridge");
    assert_eq!(what, "the bridge lies between 0101 and 0103, which do not touch but lie 2 hexes apart");
}

#[test]
fn a_broken_road() {
    let what = fault_of_added("lines.tsv", "road\t\t0801-0802-0804");
    assert_eq!(what, "the chain is broken between 0802 and 0804, which do not touch but lie 2 hexes apart");
}

#[test]
fn a_road_that_doubles_back() {
    assert_eq!(fault_of_added("lines.tsv", "road\t\t0801-0901-0801"), "the chain crosses 0801/0901 twice");
}

#[test]
fn a_road_of_one_hex() {
    assert!(fault_of_added("lines.tsv", "road\t\t0801").starts_with("a line of one hex"));
}

#[test]
fn a_road_into_the_lake() {
    assert_eq!(fault_of_added("lines.tsv", "road\t\t0704-0705"), "the road enters 0705, which is all water");
}

#[test]
fn a_road_across_blocking_water_without_a_bridge() {
    let kinds = file("board.toml") + "\n[[hexside]]\nname = \"narrows\"\ndraw = \"lake\"\n";
    let sides = file("hexsides.tsv") + "0907\t0908\tnarrows\n";
    let files = with(&[("board.toml", kinds.clone()), ("hexsides.tsv", sides.clone())]);
    let refused = Board::load(&files).unwrap_err();
    assert!(refused.iter().any(|f| f.line == Some(6) && f.what.contains("crosses the narrows 0907/0908")));
    let bridged = sides + "0907\t0908\tbridge\n";
    assert!(Board::load(&with(&[("board.toml", kinds), ("hexsides.tsv", bridged)])).is_ok());
}

#[test]
fn a_river_that_ends_in_the_air() {
    let brook = "0909\t1008\tbrook\tLost Brook";
    let refused = faults("hexsides.tsv", file("hexsides.tsv") + brook + "\n");
    let what: Vec<&str> = refused.iter().map(|f| f.what.as_str()).collect();
    assert_eq!(refused.len(), 2);
    assert!(what[0].starts_with("the brook Lost Brook ends in the air at the corner of "), "{refused}");
    // It rises here and is declared to: no fault.
    let excused = file("hexsides.tsv") + brook + "\tsource\n";
    assert!(Board::load(&with(&[("hexsides.tsv", excused)])).is_ok());
}

#[test]
fn a_source_that_is_none() {
    let text = file("hexsides.tsv")
        .replace("0404\t0504\tbrook\tOtter Brook", "0404\t0504\tbrook\tOtter Brook\tsource");
    let refused = faults("hexsides.tsv", text);
    assert!(
        refused.to_string().contains("0404/0504 is flagged source or mouth, but no end of it is free"),
        "{refused}"
    );
}

#[test]
fn a_place_in_the_lake() {
    let what = fault_of_added("places.tsv", "0705\ttown\tDrowned");
    assert_eq!(what, "Drowned lies in 0705, which is lake; expected land");
}

#[test]
fn a_name_for_two_places_that_do_not_touch() {
    let what = fault_of_added("places.tsv", "1201\ttown\tAlderby");
    assert_eq!(what, "Alderby in 1201 is listed already in line 3 in 0205, which does not touch");
    let two_hexes = file("places.tsv") + "0906\tcity\tCorvane\n";
    let board = Board::load(&with(&[("places.tsv", two_hexes)])).unwrap();
    assert_eq!(board.places().iter().filter(|p| p.name == "Corvane").count(), 2);
}

#[test]
fn a_land_hex_out_of_reach() {
    let text = file("hexes.tsv") + "0101x";
    let what = faults("hexes.tsv", text).to_string();
    assert!(what.contains("\"0101x\" is no hex of this board; nearest valid value \"0101\""), "{what}");
    let ring = "1110\tlake\n1109\tlake\n1209\tlake\n";
    let refused = faults("hexes.tsv", file("hexes.tsv") + ring);
    assert_eq!(refused.len(), 1, "{refused}");
    let what = &refused.iter().next().unwrap().what;
    assert!(what.starts_with("the land hex 1210 cannot be reached; expected a way there"), "{what}");
    let declared = file("hexes.tsv") + ring;
    let declared = declared.replace("hex\tterrain\n", "hex\tterrain\tflags\n") + "1210\t\tisland\n";
    assert!(Board::load(&with(&[("hexes.tsv", declared)])).is_ok());
}

#[test]
fn unknown_kinds_name_the_nearest() {
    assert_eq!(
        fault_of_added("hexes.tsv", "1201\tforrest"),
        "unknown terrain \"forrest\"; expected one of clear, forest, hills, marsh, lake; nearest valid value \"forest\""
    );
    assert!(fault_of_added("hexsides.tsv", "1201\t1202\trivr").ends_with("nearest valid value \"river\""));
    assert!(fault_of_added("lines.tsv", "raod\t\t1201-1202").ends_with("nearest valid value \"road\""));
    assert!(fault_of_added("places.tsv", "1201\ttwon\tX").ends_with("nearest valid value \"town\""));
    assert!(fault_of_added("borders.tsv", "startline\tX\t1201/1202").ends_with("value \"start-line\""));
    assert!(fault_of_added("zones.tsv", "blue-cmap\t1201").ends_with("nearest valid value \"blue-camp\""));
    assert!(fault_of_added("edges.tsv", "west-raod\t1201").ends_with("nearest valid value \"west-road\""));
}

#[test]
fn hexes_that_are_not_on_the_board() {
    assert_eq!(
        fault_of_added("hexes.tsv", "1311\tclear"),
        "\"1311\" is no hex of this board; nearest valid value \"1210\""
    );
    assert!(fault_of_added("zones.tsv", "blue-camp\t0201:0101").contains("ends before it begins"));
    assert!(fault_of_added("zones.tsv", "blue-camp\t@nowhere").contains("names no zone of a row above"));
    assert!(fault_of_added("borders.tsv", "start-line\tX\t1201").contains("is no hexside"));
    assert!(fault_of_added("borders.tsv", "start-line\tX\t1201/1203").contains("do not touch"));
}

#[test]
fn things_listed_twice() {
    assert_eq!(fault_of_added("hexes.tsv", "0101\tclear"), "hex 0101 is listed already in line 3");
    assert_eq!(
        fault_of_added("hexsides.tsv", "0703\t0602\tbridge"),
        "bridge 0602/0703 is listed already in line 26"
    );
    assert_eq!(
        fault_of_added("places.tsv", "0205\ttown\tTwin"),
        "a town in 0205 is listed already in line 3"
    );
    assert!(fault_of_added("borders.tsv", "start-line\tStart line\t0301/0401").contains("is listed twice"));
}

#[test]
fn an_edge_inside_the_map() {
    let what = fault_of_added("edges.tsv", "west-road\t0505");
    assert_eq!(what, "0505 of the edge \"west-road\" lies inside the map");
}

#[test]
fn a_zone_without_hexes() {
    let refused = faults("zones.tsv", "# source: none\nzone\thexes\nblue-camp\t0101\n");
    assert_eq!(refused.len(), 1, "{refused}");
    let fault = refused.iter().next().unwrap();
    assert!(fault.file.ends_with("board.toml") && fault.line.is_some(), "{fault}");
    assert!(fault.what.starts_with("the zone \"red-camp\" has no hexes"), "{fault}");
}

#[test]
fn faults_of_board_toml_come_with_their_lines() {
    let text = file("board.toml")
        .replace("draw = \"marsh\"", "draw = \"swamp\"")
        .replace("box = \"reserve\"", "box = \"reserv\"")
        .replace("default_terrain = \"clear\"", "default_terrain = \"claer\"");
    let text = text + "\n[[line]]\nname = \"road\"\ndraw = \"road\"\nblocks = true\n";
    let refused = faults("board.toml", text);
    let all = refused.to_string();
    assert!(all.contains("board.toml:3: unknown terrain \"claer\""), "{all}");
    assert!(all.contains("board.toml:24: unknown draw of a terrain \"swamp\""), "{all}");
    assert!(all.contains("unknown box \"reserv\"; expected one of reserve; nearest"), "{all}");
    assert!(all.contains("the line \"road\" is declared twice"), "{all}");
    assert!(all.contains("the key blocks means nothing for a line"), "{all}");
    assert_eq!(refused.len(), 5, "{all}");
}

#[test]
fn a_grid_that_cannot_be() {
    let refused = faults("board.toml", file("board.toml").replace("rows = [1, 10]", "rows = [10, 1]"));
    assert!(refused.to_string().contains("the grid cannot be built"), "{refused}");
}

#[test]
fn a_truncated_or_foreign_file() {
    let text = file("board.toml");
    let cut = &text[..text.len() / 2];
    assert!(!faults("board.toml", cut.rsplit_once('"').unwrap().0).is_empty());
    let refused = faults("hexes.tsv", "PNG\u{1}\u{2}garbage\n");
    assert!(refused.to_string().contains("hexes.tsv:1: unknown column"), "{refused}");
    let refused = faults("lines.tsv", "");
    assert!(
        refused.to_string().contains("lines.tsv: no header row; expected the columns kind, hexes"),
        "{refused}"
    );
}

#[test]
fn all_faults_are_reported_at_once_in_order() {
    let files = with(&[
        ("hexes.tsv", file("hexes.tsv") + "1201\tforrest\n9999\tclear\n"),
        ("hexsides.tsv", file("hexsides.tsv") + "0101\t0103\tbridge\n"),
        ("lines.tsv", file("lines.tsv") + "road\t\t0801-0803\n"),
        ("places.tsv", file("places.tsv") + "0705\ttown\tDrowned\n"),
    ]);
    let refused = Board::load(&files).unwrap_err();
    let places: Vec<(&str, Option<u32>)> = refused.iter().map(|f| (f.file.as_str(), f.line)).collect();
    assert_eq!(
        places,
        [
            ("hexes.tsv", Some(34)),
            ("hexes.tsv", Some(35)),
            ("hexsides.tsv", Some(28)),
            ("lines.tsv", Some(7)),
            ("places.tsv", Some(8)),
        ],
        "{refused}"
    );
}

#[test]
fn a_box_boundlessly_far_off() {
    for at in ["[nan, 0.0, 1.0, 1.0]", "[0.0, 0.0, 1e300, 1.0]", "[inf, 0.0, 1.0, 1.0]"] {
        let refused = faults("board.toml", file("board.toml") + "at = " + at + "\n");
        assert!(
            refused.to_string().contains("cannot be drawn; expected numbers from -200 to 200"),
            "{refused}"
        );
    }
}

/// Bits flipped, pieces cut out, files swapped: never a panic, and each refusal is a sentence with a file.
#[test]
fn a_damaged_map_is_refused_or_read_but_never_breaks_the_reader() {
    let names =
        ["board.toml", "hexes.tsv", "hexsides.tsv", "lines.tsv", "places.tsv", "borders.tsv", "zones.tsv"];
    let mut state: u64 = 41;
    let mut chance = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let mut refused = 0;
    for _ in 0..400 {
        let name = names[chance(names.len())];
        let mut bytes = file(name).into_bytes();
        match chance(4) {
            0 => bytes.truncate(chance(bytes.len())),
            1 => {
                let (at, bit) = (chance(bytes.len()), chance(7));
                bytes[at] ^= 1 << bit;
            }
            2 => {
                let from = chance(bytes.len());
                let to = (from + chance(40)).min(bytes.len());
                bytes.drain(from..to);
            }
            _ => bytes = file(names[chance(names.len())]).into_bytes(),
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Err(faults) = Board::load(&with(&[(name, text)])) {
            refused += 1;
            for fault in &faults {
                assert!(!fault.file.is_empty() && fault.what.len() > 10, "{fault}");
            }
        }
    }
    assert!(refused > 200, "{refused} of 400 were refused");
}
