//! Lists the data files, so that the game carries them with it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=data");
    println!("cargo:rerun-if-changed=ledger.tsv");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut names = Vec::new();
    walk(&root.join("data"), "", &mut names)?;
    names.sort();
    let mut out = String::from("&[\n");
    for name in &names {
        let path = root.join("data").join(name);
        let _ = writeln!(out, "    ({name:?}, include_str!({path:?})),");
    }
    let ledger = root.join("ledger.tsv");
    if ledger.is_file() {
        let _ = writeln!(out, "    (\"ledger.tsv\", include_str!({ledger:?})),");
    }
    out.push_str("]\n");
    let to = PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("files.rs");
    fs::write(to, out)
}

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
