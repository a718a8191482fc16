//! The boards against the real earth: nothing folds, a place left out falls near its hex, and the great axes of the
//! campaign have their true lengths.

mod common;

use common::{board, root};
use draft::anchor::Target;
use draft::draft::{anchors, recipe, whole_grid};
use draft::earth::Geo;
use draft::sheet::Sheet;
use draft::{Draft, Theatre, write};
use std::sync::OnceLock;
use text::Files;

const GAMES: [&str; 5] = ["pm", "s42", "lwe", "pmd", "ls"];

fn theatre() -> Files {
    Files::folder(root().join("theatre"))
}

#[test]
fn no_sheet_folds() {
    for game in GAMES {
        let recipe = recipe(&theatre(), game).expect("a recipe");
        let held = anchors(&theatre(), &recipe).expect("anchors");
        let (grid, ..) = whole_grid(&theatre(), game).expect("a grid");
        let sheet = Sheet::lay(grid.clone(), recipe.fit, &held);
        for hex in grid.hexes() {
            let stretch = sheet.stretch(hex);
            assert!(stretch > 0.5 && stretch < 2.0, "{game} {}: {stretch}", grid.name(hex));
        }
    }
}

#[test]
fn a_place_left_out_falls_within_a_hex_of_its_own() {
    for game in GAMES {
        let recipe = recipe(&theatre(), game).expect("a recipe");
        let all = anchors(&theatre(), &recipe).expect("anchors");
        let (grid, ..) = whole_grid(&theatre(), game).expect("a grid");
        let mut off: Vec<f64> = Vec::new();
        for left_out in all.iter().filter(|a| a.at.is_some()) {
            let (Some(at), Target::Hex { column, row }) = (left_out.at, left_out.target) else { continue };
            let rest: Vec<_> = all.iter().filter(|a| a.at.is_none_or(|b| b.km(at) > 5.0)).cloned().collect();
            let sheet = Sheet::lay(grid.clone(), recipe.fit, &rest);
            let Some(hex) = u16::try_from(column).ok().and_then(|c| grid.at(c, row)) else { continue };
            off.push(sheet.spot(at).distance(sheet.centre(hex)));
        }
        off.sort_by(f64::total_cmp);
        let median = off[off.len() / 2];
        println!("{game}: {} places, median {median:.2} hexes, worst {:.2}", off.len(), off[off.len() - 1]);
        assert!(median < 1.0, "{game}: the median is {median}");
    }
}

#[test]
fn running_the_draft_again_changes_nothing() {
    let files = theatre();
    let theatre = Theatre::read(&files).unwrap_or_else(|f| panic!("{f}"));
    for game in GAMES {
        let draft = Draft::make(&files, &theatre, game).unwrap_or_else(|f| panic!("{f}"));
        for (name, text) in write::files(&draft, &theatre) {
            let path = common::map_folder(game).join(name);
            let committed = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(committed == text, "{game}/{name} differs from what is committed; run make maps");
        }
    }
}

/// The town's true place.
fn at(name: &str) -> Geo {
    static THEATRE: OnceLock<Theatre> = OnceLock::new();
    let read = || Theatre::read(&theatre()).unwrap_or_else(|f| panic!("{f}"));
    THEATRE.get_or_init(read).towns.get(name).unwrap_or_else(|| panic!("{name} is not in towns.tsv")).at
}

#[test]
fn the_axes_of_the_campaign_have_their_true_lengths() {
    const KM_PER_HEX: f64 = 35.7;
    let b = board("pm");
    let axes = [
        ["Brest-Litovsk", "Minsk", "Smolensk", "Moscow", ""].as_slice(),
        &["Riga", "Pskov", "Leningrad"],
        &["Lvov", "Zhitomir", "Kiev", "Poltava", "Kharkov", "Rostov"],
    ];
    for axis in axes {
        for leg in axis.windows(2).filter(|leg| !leg[1].is_empty()) {
            let spot = |name: &str| {
                let hex = b.place(name).unwrap_or_else(|| panic!("{name} is not on the board")).hex;
                b.grid().center(hex)
            };
            let (p, q) = (spot(leg[0]), spot(leg[1]));
            let hexes = (p.0 - q.0).hypot(p.1 - q.1);
            let true_hexes = at(leg[0]).km(at(leg[1])) / KM_PER_HEX;
            assert!(
                (hexes - true_hexes).abs() < 1.0,
                "{} to {}: {hexes:.2}, truly {true_hexes:.2}",
                leg[0],
                leg[1]
            );
        }
    }
}

#[test]
fn railway_distances_agree_with_marches_in_hexes() {
    // Kilometres by rail in 1941, from the timetable; the march is along the shortest chain of hexes.
    for (from, to, km) in [
        ("Brest-Litovsk", "Minsk", 345.0),
        ("Minsk", "Smolensk", 331.0),
        ("Smolensk", "Moscow", 419.0),
        ("Pskov", "Leningrad", 275.0),
        ("Kiev", "Poltava", 338.0),
        ("Poltava", "Kharkov", 142.0),
    ] {
        let b = board("pm");
        let hex = |n: &str| b.place(n).unwrap_or_else(|| panic!("{n}")).hex;
        let march = f64::from(b.grid().distance(hex(from), hex(to)));
        let rail: f64 = km / 35.7;
        assert!((march - rail.round()).abs() <= 1.0, "{from} to {to}: {march} hexes, {rail:.1} by rail");
    }
}

#[test]
fn the_highway_crosses_the_berezina_on_its_way() {
    let b = board("pm");
    let highway = b.lines().iter().find(|l| l.name == "Minsk-Moscow highway").expect("the highway");
    let crossed: Vec<&str> = highway
        .hexes
        .windows(2)
        .filter_map(|p| hex::Edge::between(b.grid(), p[0], p[1]))
        .flat_map(|e| b.hexsides().iter().filter(move |s| s.edge == e).map(|s| s.name.as_str()))
        .collect();
    assert!(crossed.contains(&"Berezina"), "it crosses {crossed:?}");
    let name = |h: hex::Hex| b.grid().name(h).to_string();
    assert_eq!(name(highway.hexes[0]), "2817N");
    assert_eq!(name(*highway.hexes.last().expect("an end")), "5017N");
}
