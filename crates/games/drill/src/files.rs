//! The game's files, built into the program.

use text::Files;

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../data/", $name)))),+]
    };
}

/// Our words on every rule.
pub(crate) const LEDGER: &str = include_str!("../ledger.tsv");

/// The data that ships with the game.
pub(crate) fn own() -> Files {
    Files::embedded(files![
        "charts/results.toml",
        "charts/terrain.toml",
        "concealed.toml",
        "counters.tsv",
        "map/board.toml",
        "map/borders.tsv",
        "map/edges.tsv",
        "map/hexes.tsv",
        "map/hexsides.tsv",
        "map/lines.tsv",
        "map/places.tsv",
        "map/zones.tsv",
        "rules.toml",
        "scenarios/first.toml",
        "scenarios/free.toml",
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_data_folder_is_built_in() {
        let folder = Files::folder(concat!(env!("CARGO_MANIFEST_DIR"), "/data"));
        assert_eq!(folder.list(), own().list());
        assert_eq!(folder.digest().unwrap(), own().digest().unwrap());
    }
}
