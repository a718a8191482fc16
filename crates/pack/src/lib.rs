//! Builds a game's data folder into its crate, so that the program carries its files with it.
//!
//! A game's `build.rs` is a call of [`data`]; the files are then `text::built_in!()`. Unlike a macro that walks the folder,
//! a build script is run again when a file is added.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Lists every text file below the crate's `data`, for `text::built_in!`. To be called from a build script.
pub fn data() -> io::Result<()> {
    println!("cargo:rerun-if-changed=data");
    let folder = |name: &str| {
        let missing = || io::Error::other(format!("{name} is not set; call pack::data from a build script"));
        env::var(name).map(PathBuf::from).map_err(|_| missing())
    };
    let table = table(&folder("CARGO_MANIFEST_DIR")?.join("data"))?;
    fs::write(folder("OUT_DIR")?.join("files.rs"), table)
}

/// The files of a folder as the text of a Rust expression: pairs of name and content, sorted by name. Their paths begin at
/// the crate's own folder wherever it is compiled, since several checkouts may share one target folder.
fn table(folder: &Path) -> io::Result<String> {
    let mut names = Vec::new();
    walk(folder, "", &mut names)?;
    names.sort();
    let mut out = String::from("&[\n");
    for name in &names {
        let path = format!("/data/{name}");
        let _ =
            writeln!(out, "    ({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),");
    }
    out.push_str("]\n");
    Ok(out)
}

/// TSV and TOML are data; a README beside them is not.
fn walk(folder: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{prefix}{name}/"), names)?;
        } else if name.ends_with(".tsv") || name.ends_with(".toml") {
            names.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_files_are_listed_by_name_and_others_are_not() {
        let folder = env::temp_dir().join(format!("verst-pack-{}", std::process::id()));
        fs::create_dir_all(folder.join("map")).unwrap();
        for name in ["rules.toml", "map/hexes.tsv", "README.md"] {
            fs::write(folder.join(name), "text").unwrap();
        }
        let listed = table(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let names: Vec<_> = listed.lines().filter_map(|l| l.split('"').nth(1)).collect();
        assert_eq!(names, ["map/hexes.tsv", "rules.toml"]);
    }
}
