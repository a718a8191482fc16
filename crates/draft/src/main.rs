//! `draft maps [GAME...]` writes the boards, `draft pictures [GAME...]` draws them for the docs, and `draft look GAME`
//! says what the drafter should look at.

use draft::{Draft, Theatre, write};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use text::Files;

const GAMES: [&str; 5] = ["pm", "s42", "lwe", "pmd", "ls"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (verb, games) = match words.split_first() {
        Some((verb, games)) => (verb.as_str(), games),
        None => {
            return Err(
                "say what to do: draft maps [GAME...], draft pictures [GAME...] or draft look GAME".into()
            );
        }
    };
    let theatre_folder = root().join("theatre");
    let files = Files::folder(&theatre_folder);
    let theatre = Theatre::read(&files).map_err(|f| f.to_string())?;
    let all: Vec<&str> =
        GAMES.into_iter().filter(|g| theatre_folder.join("games").join(g).exists()).collect();
    let games: Vec<&str> = if games.is_empty() { all } else { games.iter().map(String::as_str).collect() };
    for game in games {
        if verb == "pictures" {
            picture(game)?;
            continue;
        }
        let draft = Draft::make(&files, &theatre, game).map_err(|f| f.to_string())?;
        match verb {
            "maps" => {
                let folder = root().join("crates/games").join(game).join("data/map");
                std::fs::create_dir_all(&folder)?;
                for (name, text) in write::files(&draft, &theatre) {
                    std::fs::write(folder.join(name), text)?;
                }
                if let Err(faults) = board::Board::load(&Files::folder(&folder)) {
                    return Err(format!("the board of {game} has faults:\n{faults}").into());
                }
                println!("{game}: {} hexes, {} remarks", draft.sheet.grid.count(), draft.remarks.len());
            }
            "look" => look(game, &draft),
            other => {
                return Err(format!("{other} is not something draft does; say maps, pictures or look").into());
            }
        }
    }
    Ok(())
}

#[cfg(not(feature = "pictures"))]
fn picture(_: &str) -> Result<(), Box<dyn Error>> {
    Err("this draft was built without pictures; run make pictures".into())
}

/// Draws a board into `docs/maps`, at a size that a page can show.
#[cfg(feature = "pictures")]
fn picture(game: &str) -> Result<(), Box<dyn Error>> {
    let folder = root().join("crates/games").join(game).join("data/map");
    let board = board::Board::load(&Files::folder(&folder)).map_err(|f| f.to_string())?;
    let style = board::draw::Style { hex_px: 34.0, ..Default::default() };
    let out = root().join("docs/maps");
    std::fs::create_dir_all(&out)?;
    std::fs::write(out.join(format!("{game}.png")), board::draw::png(&board, &style)?)?;
    Ok(())
}

fn look(game: &str, draft: &Draft) {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for hex in draft.sheet.grid.hexes() {
        *count.entry(draft.terrain.get(&hex).map_or("(default)", |t| t)).or_default() += 1;
    }
    println!("{game}: {} hexes", draft.sheet.grid.count());
    for (terrain, n) in count {
        println!("  {terrain}: {n}");
    }
    let sum: i32 = draft.places.iter().filter_map(|p| p.vp).sum();
    println!("  places: {}, vp: {sum}", draft.places.len());
    atlas(draft);
    for remark in &draft.remarks {
        println!("  {remark}");
    }
}

/// The board in letters, a column to three characters: water, terrain, and the state where it is not the Soviet one.
fn atlas(draft: &Draft) {
    let grid = &draft.sheet.grid;
    let spec = grid.spec();
    print!("      ");
    (spec.columns.first..=spec.columns.last).for_each(|c| print!("{c:3}"));
    println!();
    for row in spec.rows.first..=spec.rows.last {
        print!("{row:5} ");
        for column in spec.columns.first..=spec.columns.last {
            let Some(hex) = u16::try_from(column).ok().and_then(|c| grid.at(c, row)) else {
                print!("   ");
                continue;
            };
            let states =
                ["germany", "hungary", "romania", "finland", "slovakia", "bulgaria", "turkey", "iran"];
            let state = states.iter().find(|s| draft.shares[&hex].get(**s).copied().unwrap_or(0.0) >= 0.5);
            let ground = draft.terrain.get(&hex).and_then(|t| t.chars().next()).unwrap_or('.');
            let place = draft
                .places
                .iter()
                .find(|p| p.hex == hex)
                .map_or(' ', |p| p.kind.chars().next().unwrap_or(' '));
            print!(
                "{}{ground}{}",
                state.map_or(' ', |s| s.to_uppercase().chars().next().unwrap_or(' ')),
                place
            );
        }
        println!();
    }
}
