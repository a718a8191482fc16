//! Works out a fingerprint of the code and data that decide how a game is played, which a study's manifest keeps: whoever has the
//! same fingerprint plays the study again bit for bit, and a study is not gone on with by other programs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The crates whose code decides, beside every game's.
const CRATES: [&str; 6] = ["text", "hex", "board", "table", "game", "players"];
/// What of a crate decides.
const PARTS: [&str; 2] = ["src", "data"];

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut crates: Vec<PathBuf> = CRATES.iter().map(|c| root.join(c)).collect();
    crates.extend(inside(&root.join("games"))?);
    let mut files = Vec::new();
    for part in crates.iter().flat_map(|c| PARTS.iter().map(move |p| c.join(p))).filter(|p| p.is_dir()) {
        println!("cargo::rerun-if-changed={}", part.display());
        gather(&part, &mut files)?;
    }
    let mut hash = blake3::Hasher::new();
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let bytes = fs::read(file)?;
        hash.update(format!("{name} {}\n", bytes.len()).as_bytes());
        hash.update(&bytes);
    }
    println!("cargo::rustc-env=VERST_CODE={}", &hash.finalize().to_hex()[..16]);
    Ok(())
}

/// What lies in a folder, by name.
fn inside(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all: Vec<PathBuf> = fs::read_dir(folder)?.map(|e| Ok(e?.path())).collect::<io::Result<_>>()?;
    all.sort();
    Ok(all)
}

/// All files of a folder and those inside it.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for path in inside(folder)? {
        if path.is_dir() { gather(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
