//! Where files come from: a folder, what was built in, or one laid over the other.

use crate::{Fault, nearest};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files that a game's build script built in (`pack::data`), as a [`Files`].
#[macro_export]
macro_rules! built_in {
    () => {
        $crate::Files::embedded(include!(concat!(env!("OUT_DIR"), "/files.rs")))
    };
}

/// No text file of ours comes near this size; one that does was not meant for us.
const LARGEST: u64 = 32 << 20;

/// A place to read named text files from; names use `/` and are relative.
#[derive(Clone, Debug)]
pub struct Files {
    layers: Vec<Layer>,
    under: String,
}

/// One place, without overlays.
#[derive(Clone, Debug)]
enum Layer {
    Folder(PathBuf),
    Embedded(&'static [(&'static str, &'static str)]),
    Held(Arc<BTreeMap<String, String>>),
}

impl Files {
    /// The files of a folder and of the folders in it.
    pub fn folder(path: impl Into<PathBuf>) -> Files {
        Files { layers: vec![Layer::Folder(path.into())], under: String::new() }
    }

    /// Files built into the program, as pairs of name and text.
    pub fn embedded(files: &'static [(&'static str, &'static str)]) -> Files {
        Files { layers: vec![Layer::Embedded(files)], under: String::new() }
    }

    /// Files held in memory, as names and texts: a folder as it was when it was read.
    pub fn held(files: BTreeMap<String, String>) -> Files {
        Files { layers: vec![Layer::Held(Arc::new(files))], under: String::new() }
    }

    /// These files with `overlay` laid over them: a file of the overlay replaces the file of the same name.
    pub fn overlaid(&self, overlay: Files) -> Files {
        let mut layers = overlay.layers;
        layers.extend(self.layers.iter().cloned());
        Files { layers, under: self.under.clone() }
    }

    /// These files with an owner's laid over them, if he has any.
    pub fn beneath(&self, overlay: Option<&Files>) -> Files {
        match overlay {
            Some(o) => self.overlaid(o.clone()),
            None => self.clone(),
        }
    }

    /// The files below a folder of these, with names relative to it.
    pub fn under(&self, folder: &str) -> Files {
        let folder = folder.trim_matches('/');
        Files { layers: self.layers.clone(), under: format!("{}{folder}/", self.under) }
    }

    /// Whether there is a file of that name.
    pub fn has(&self, name: &str) -> bool {
        let full = self.full(name);
        is_plain(&full) && self.layers.iter().any(|l| l.has(&full))
    }

    /// The text of a file, or the fault that says why it cannot be read.
    pub fn read(&self, name: &str) -> Result<Cow<'static, str>, Fault> {
        let full = self.full(name);
        let fault = |file: String, line, what: String| Err(Fault { file, line, what });
        if !is_plain(&full) {
            return fault(full, None, "a file name must be relative and without \"..\"".into());
        }
        let Some(layer) = self.layers.iter().find(|l| l.has(&full)) else {
            let names = self.list();
            let near = match nearest(name, &names) {
                Some(n) => format!("; nearest file that exists \"{n}\""),
                None => String::new(),
            };
            return fault(full, None, format!("no such file{near}"));
        };
        match layer {
            Layer::Embedded(files) => {
                let text = files.iter().find(|(n, _)| *n == full).map_or("", |(_, t)| t);
                Ok(Cow::Borrowed(text))
            }
            Layer::Held(files) => Ok(Cow::Owned(files.get(&full).cloned().unwrap_or_default())),
            Layer::Folder(root) => {
                let path = root.join(&full);
                let shown = path.display().to_string();
                match std::fs::metadata(&path) {
                    Ok(m) if m.len() > LARGEST => {
                        return fault(shown, None, format!("the file has {} bytes; expected text", m.len()));
                    }
                    Ok(_) => {}
                    Err(e) => return fault(shown, None, format!("cannot be read: {e}")),
                }
                match std::fs::read(&path).map(String::from_utf8) {
                    Ok(Ok(text)) => Ok(Cow::Owned(text)),
                    Ok(Err(e)) => {
                        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
                        let line = before.iter().filter(|&&b| b == b'\n').count() as u32 + 1;
                        fault(shown, Some(line), "not UTF-8 text; save the file as UTF-8".into())
                    }
                    Err(e) => fault(shown, None, format!("cannot be read: {e}")),
                }
            }
        }
    }

    /// The name of a file as faults show it: its path when it lies in a folder.
    pub fn shown(&self, name: &str) -> String {
        let full = self.full(name);
        match self.layers.iter().find(|l| l.has(&full)) {
            Some(Layer::Folder(root)) => root.join(&full).display().to_string(),
            _ => full,
        }
    }

    /// The names of all files, sorted.
    pub fn list(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for layer in &self.layers {
            layer.list(&mut names);
        }
        names.into_iter().filter_map(|n| n.strip_prefix(&self.under).map(str::to_string)).collect()
    }

    /// A digest of all files, names and texts, in lower-case hex: the same files give the same digest anywhere.
    pub fn digest(&self) -> Result<String, Fault> {
        let mut hasher = blake3::Hasher::new();
        for name in self.list() {
            let text = self.read(&name)?;
            for part in [name.as_bytes(), text.as_bytes()] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    fn full(&self, name: &str) -> String {
        format!("{}{name}", self.under)
    }
}

impl Layer {
    fn has(&self, name: &str) -> bool {
        match self {
            Layer::Folder(root) => root.join(name).is_file(),
            Layer::Embedded(files) => files.iter().any(|(n, _)| *n == name),
            Layer::Held(files) => files.contains_key(name),
        }
    }

    fn list(&self, names: &mut BTreeSet<String>) {
        match self {
            Layer::Folder(root) => walk(root, "", 0, names),
            Layer::Embedded(files) => names.extend(files.iter().map(|(n, _)| n.to_string())),
            Layer::Held(files) => names.extend(files.keys().cloned()),
        }
    }
}

/// Hidden files are the editor's, not ours; eight levels are more than any game has.
fn walk(folder: &Path, prefix: &str, depth: u32, names: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with('.') {
            continue;
        }
        let path = entry.path();
        if path.is_dir() {
            if depth < 8 {
                walk(&path, &format!("{prefix}{name}/"), depth + 1, names);
            }
        } else {
            names.insert(format!("{prefix}{name}"));
        }
    }
}

/// Whether a name stays inside its folder.
fn is_plain(name: &str) -> bool {
    !name.contains('\\') && !name.split('/').any(|p| p.is_empty() || p == "." || p == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &[(&str, &str)] = &[("map/a.tsv", "base a"), ("map/b.tsv", "base b"), ("c.toml", "c")];
    const OVER: &[(&str, &str)] = &[("map/b.tsv", "over b")];

    #[test]
    fn an_overlay_replaces_files_of_the_same_name_and_no_others() {
        let files = Files::embedded(BASE).overlaid(Files::embedded(OVER));
        assert_eq!(files.read("map/a.tsv").unwrap(), "base a");
        assert_eq!(files.read("map/b.tsv").unwrap(), "over b");
        assert_eq!(files.list(), ["c.toml", "map/a.tsv", "map/b.tsv"]);
    }

    #[test]
    fn a_folder_of_files_is_read_with_relative_names() {
        let map = Files::embedded(BASE).under("map");
        assert_eq!(map.list(), ["a.tsv", "b.tsv"]);
        assert_eq!(map.read("b.tsv").unwrap(), "base b");
        assert!(!map.has("c.toml"));
    }

    #[test]
    fn a_missing_file_is_named_with_its_nearest() {
        let fault = Files::embedded(BASE).under("map").read("bb.tsv").unwrap_err();
        assert_eq!(fault.file, "map/bb.tsv");
        assert!(fault.what.contains("nearest file that exists"), "{fault}");
    }

    #[test]
    fn files_held_in_memory_are_the_same_files() {
        let held = Files::held(OVER.iter().map(|(n, t)| (n.to_string(), t.to_string())).collect());
        assert_eq!(held.digest().unwrap(), Files::embedded(OVER).digest().unwrap());
        assert_eq!(Files::embedded(BASE).overlaid(held).read("map/b.tsv").unwrap(), "over b");
    }

    #[test]
    fn no_name_leaves_the_folder() {
        for name in ["../secret", "/etc/passwd", "a/../../b", ""] {
            assert!(Files::folder("/tmp").read(name).is_err(), "{name}");
        }
    }

    #[test]
    fn the_digest_depends_on_names_and_texts_only() {
        let folder = std::env::temp_dir().join(format!("verst-text-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("map")).unwrap();
        std::fs::write(folder.join("map/b.tsv"), "over b").unwrap();
        let on_disk = Files::folder(&folder);
        assert_eq!(on_disk.digest().unwrap(), Files::embedded(OVER).digest().unwrap());
        std::fs::write(folder.join("map/b.tsv"), "other").unwrap();
        assert_ne!(on_disk.digest().unwrap(), Files::embedded(OVER).digest().unwrap());
        std::fs::write(folder.join("map/b.tsv"), b"line\n\xff").unwrap();
        let fault = on_disk.read("map/b.tsv").unwrap_err();
        assert_eq!(fault.line, Some(2));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
