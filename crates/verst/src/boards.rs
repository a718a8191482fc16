//! The maps that can be drawn: those of the games in play, and those drafted ahead of their rules.

use crate::fail::Fail;
use crate::games;
use board::Board;
use std::sync::Arc;
use text::Files;

macro_rules! map {
    ($game:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!("../../games/", $game, "/data/map/", $name)))),+]
    };
    ($game:literal) => {
        map!($game: "board.toml", "borders.tsv", "edges.tsv", "hexes.tsv", "hexsides.tsv", "lines.tsv",
             "places.tsv", "shapes.tsv", "zones.tsv")
    };
}

/// Boards whose games are not in the registry yet. A game that joins it leaves this list.
static DRAFTED: &[(&str, &[(&str, &str)])] =
    &[("ls", map!("ls")), ("lwe", map!("lwe")), ("pmd", map!("pmd"))];

/// The board of a game, with an owner's folder (whose map lies under `map/`) over it.
pub fn board(id: &str, overlay: Option<&Files>) -> Result<Arc<Board>, Fail> {
    let registry = games::registry()?;
    if let Ok(game) = registry.find(id) {
        return Ok(game.board(overlay)?);
    }
    let Some((_, files)) = DRAFTED.iter().find(|(name, _)| *name == id) else {
        let known: Vec<_> =
            registry.games().map(|g| g.info().id).chain(DRAFTED.iter().map(|d| d.0)).collect();
        return Err(Fail::Usage(text::unknown("map", id, &known)));
    };
    let ours = Files::embedded(files);
    let files = match overlay {
        Some(o) => ours.overlaid(o.under("map")),
        None => ours,
    };
    Ok(Arc::new(Board::load(&files)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_map_of_the_house_loads() {
        for id in ["drill", "pm", "s42", "ls", "lwe", "pmd"] {
            let board = board(id, None).unwrap_or_else(|e| panic!("{id}: {e}"));
            assert!(board.grid().count() > 100, "{id}");
        }
    }

    #[test]
    fn an_unknown_map_is_refused_with_those_there_are() {
        let Err(fault) = board("pdm", None) else { panic!("there is no such map") };
        assert!(fault.to_string().contains("pmd"), "{fault}");
    }
}
