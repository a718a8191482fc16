//! Overlays: an owner's folder of text files laid over our data of a game.
//!
//! The server offers the folders `DIR/GAME/NAME` of its setting by name; the local player may also type a path. What a
//! match was begun with is kept in the store by its digest, which its journal names: editing the folder afterwards
//! changes no match, and every server on that store can load it.

use crate::guard::{From, Who};
use crate::{Code, Fault, House};
use axum::Json;
use axum::extract::{Path, State};
use game::Terms;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use text::Files;

/// The most files of an overlay; a folder with more was not meant for us.
const MOST_FILES: usize = 400;
/// The most entries of a folder that are looked at, so that a wrong path does not read a whole disk.
const MOST_ENTRIES: usize = 4_000;
/// The most bytes of an overlay.
const MOST_BYTES: u64 = 16 << 20;
/// The deepest folder within an overlay.
const DEEPEST: u32 = 8;
/// How many overlays are kept in memory.
const MOST_HELD: usize = 64;

/// Which overlay a new match shall have.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct OverlayChoice {
    /// One that the server offers.
    #[serde(default)]
    pub name: Option<String>,
    /// A folder of the local player.
    #[serde(default)]
    pub path: Option<String>,
    /// The digest that was shown, to make sure that it is still the same.
    #[serde(default)]
    pub digest: Option<String>,
}

/// An overlay as a match names it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct OverlayRef {
    /// What it was called when the match was made.
    pub name: String,
    /// Its digest.
    pub digest: String,
}

/// An overlay on offer.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct OverlayView {
    /// Its name: that of its folder.
    pub name: String,
    /// Its digest; none when it cannot be read.
    pub digest: Option<String>,
    /// Its files.
    pub files: Vec<String>,
    /// All that is wrong with it; a match needs one without faults.
    pub faults: Vec<String>,
}

/// A folder that the local player typed.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct Typed {
    /// The folder.
    pub path: String,
}

/// The files of an overlay as they were when they were read.
#[derive(Clone, Debug)]
pub struct Held {
    /// What it is called.
    pub name: String,
    /// Its digest.
    pub digest: String,
    /// Its files.
    pub texts: Arc<BTreeMap<String, String>>,
    /// The same, to lay over others.
    pub files: Files,
}

impl Held {
    fn of(name: &str, texts: BTreeMap<String, String>) -> Result<Held, String> {
        let files = Files::held(texts.clone());
        let digest = files.digest().map_err(|f| f.to_string())?;
        Ok(Held { name: name.into(), digest, texts: Arc::new(texts), files })
    }
}

/// Overlays that were read and checked.
#[derive(Default)]
pub struct Overlays {
    held: Mutex<BTreeMap<String, Held>>,
    /// What is wrong, by game and digest.
    checked: Mutex<BTreeMap<(String, String), Vec<String>>>,
}

/// Reads a folder; a sentence for each thing that is wrong.
fn read_folder(name: &str, folder: &FilePath) -> Result<Held, Vec<String>> {
    if !folder.is_dir() {
        return Err(vec![format!("there is no folder '{name}'")]);
    }
    let mut walk = Walk { names: Vec::new(), entries: 0 };
    walk.through(folder, "", 0).map_err(|why| vec![why])?;
    walk.names.sort();
    if walk.names.is_empty() {
        return Err(vec!["the folder holds no files; expected some of those that the game reads".into()]);
    }
    let (mut texts, mut faults, mut bytes) = (BTreeMap::new(), Vec::new(), 0);
    for file in walk.names {
        match std::fs::metadata(folder.join(&file)) {
            Ok(m) => bytes += m.len(),
            Err(e) => faults.push(format!("{file}: cannot be read: {e}")),
        }
        if bytes > MOST_BYTES {
            faults.push(format!("the folder has more than {MOST_BYTES} bytes; expected text files"));
            break;
        }
        match std::fs::read(folder.join(&file)).map(String::from_utf8) {
            Ok(Ok(text)) => {
                texts.insert(file, text);
            }
            Ok(Err(_)) => {
                faults.push(format!("{file}: not UTF-8 text; save the file as UTF-8, or move it out"))
            }
            Err(e) => faults.push(format!("{file}: cannot be read: {e}")),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Held::of(name, texts).map_err(|why| vec![why])
}

/// The files below a folder, with an end to what is looked at.
struct Walk {
    names: Vec<String>,
    entries: usize,
}

impl Walk {
    fn through(&mut self, folder: &FilePath, prefix: &str, depth: u32) -> Result<(), String> {
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{prefix}: cannot be read: {e}"))?;
        for entry in entries.flatten() {
            self.entries += 1;
            if self.entries > MOST_ENTRIES || self.names.len() > MOST_FILES {
                return Err(format!("the folder holds more than {MOST_FILES} files; expected an overlay"));
            }
            let Ok(name) = entry.file_name().into_string() else { continue };
            // Hidden files are the editor's, as everywhere in the house.
            if name.starts_with('.') {
                continue;
            }
            if !entry.path().is_dir() {
                self.names.push(format!("{prefix}{name}"));
            } else if depth < DEEPEST {
                self.through(&entry.path(), &format!("{prefix}{name}/"), depth + 1)?;
            }
        }
        Ok(())
    }
}

/// A path as a person types it.
fn typed(path: &str) -> PathBuf {
    match (path.trim().strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(path.trim()),
    }
}

/// Whether a name is one folder and no way out of it.
fn plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

impl House {
    /// The folders on offer for a game, by name; of two with one name the first counts.
    fn offered(&self, game: &str) -> BTreeMap<String, PathBuf> {
        let mut out = BTreeMap::new();
        for dir in &self.config.overlays {
            for entry in std::fs::read_dir(dir.join(game)).into_iter().flatten().flatten() {
                if let Ok(name) = entry.file_name().into_string()
                    && plain(&name)
                    && entry.path().is_dir()
                {
                    out.entry(name).or_insert(entry.path());
                }
            }
        }
        out
    }

    /// All that is wrong with an overlay of a game: its map, its charts and every scenario are tried once.
    fn faults_of(&self, game: &str, held: &Held) -> Result<Vec<String>, Fault> {
        let key = (game.to_owned(), held.digest.clone());
        if let Some(known) = self.overlays.checked.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let game = self.registry.find(game).map_err(Fault::unknown)?;
        let files = Some(&held.files);
        let mut faults: Vec<String> = Vec::new();
        let mut add = |f: &text::Faults| {
            for one in f.iter().map(ToString::to_string) {
                if !faults.contains(&one) {
                    faults.push(one);
                }
            }
        };
        if let Err(f) = game.board(files) {
            add(&f);
        }
        if let Err(f) = game.charts(files) {
            add(&f);
        }
        for scenario in &game.info().scenarios {
            let terms = Terms { overlay: Some(held.digest.clone()), ..Terms::of(&scenario.id) };
            if let Err(f) = game.start(&terms, files) {
                add(&f);
            }
        }
        self.overlays.checked.lock().unwrap_or_else(PoisonError::into_inner).insert(key, faults.clone());
        Ok(faults)
    }

    fn shown(&self, game: &str, name: &str, folder: &FilePath) -> Result<OverlayView, Fault> {
        Ok(match read_folder(name, folder) {
            Err(faults) => OverlayView { name: name.into(), digest: None, files: Vec::new(), faults },
            Ok(held) => OverlayView {
                name: name.into(),
                files: held.texts.keys().cloned().collect(),
                faults: self.faults_of(game, &held)?,
                digest: Some(held.digest),
            },
        })
    }

    /// The overlay that someone chose for a new match, read and found without faults.
    pub async fn chosen_overlay(
        self: &Arc<Self>,
        game: &str,
        choice: &OverlayChoice,
        from: IpAddr,
    ) -> Result<Held, Fault> {
        let (house, game, choice) = (Arc::clone(self), game.to_owned(), choice.clone());
        let read = move || {
            let (name, folder) = match (&choice.name, &choice.path) {
                (Some(name), None) => {
                    let all = house.offered(&game);
                    let folder = all.get(name).cloned().ok_or_else(|| {
                        let known: Vec<_> = all.keys().cloned().collect();
                        Fault::unknown(format!(
                            "there is no overlay '{name}' for this game; the server offers {}",
                            if known.is_empty() { "none".into() } else { known.join(", ") }
                        ))
                    })?;
                    (name.clone(), folder)
                }
                (None, Some(path)) => {
                    house.may_type(from)?;
                    let folder = typed(path);
                    let name = folder.file_name().map_or(path.clone(), |n| n.to_string_lossy().into_owned());
                    (name, folder)
                }
                _ => return Err(Fault::malformed("an overlay is chosen by 'name' or by 'path'")),
            };
            let held = read_folder(&name, &folder).map_err(|f| Fault::malformed(f.join("\n")))?;
            let faults = house.faults_of(&game, &held)?;
            if !faults.is_empty() {
                return Err(Fault::malformed(faults.join("\n")));
            }
            if choice.digest.as_ref().is_some_and(|d| *d != held.digest) {
                return Err(Fault::new(
                    Code::Stale,
                    "the overlay was changed since it was shown; look at it again",
                ));
            }
            Ok(held)
        };
        let held = tokio::task::spawn_blocking(read).await.map_err(Fault::inside)??;
        self.overlays.hold(held.clone());
        Ok(held)
    }

    /// The overlay of a digest: from memory, from the store, or from a folder on offer.
    pub async fn overlay(&self, digest: &str) -> Result<Held, Fault> {
        if let Some(held) = self.overlays.held.lock().unwrap_or_else(PoisonError::into_inner).get(digest) {
            return Ok(held.clone());
        }
        let found = match self.store.overlay(digest).await? {
            Some(texts) => Held::of("", texts).ok(),
            None => {
                let folders = self.registry.games().flat_map(|g| self.offered(g.info().id));
                folders.filter_map(|(n, f)| read_folder(&n, &f).ok()).find(|h| h.digest == digest)
            }
        };
        let held = found.filter(|h| h.digest == digest).ok_or_else(|| {
            Fault::unknown(format!(
                "the overlay {digest} is not on this server; put its folder where `--overlays` points"
            ))
        })?;
        self.overlays.hold(held.clone());
        Ok(held)
    }

    /// A path may be typed only by whoever sits at this machine: others could read its folders through faults.
    fn may_type(&self, from: IpAddr) -> Result<(), Fault> {
        if !self.config.club && from.to_canonical().is_loopback() {
            return Ok(());
        }
        Err(Fault::forbidden("only the local player may name a folder; choose one that the server offers"))
    }
}

impl Overlays {
    fn hold(&self, held: Held) {
        let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_HELD {
            all.clear();
        }
        all.insert(held.digest.clone(), held);
    }
}

/// The overlays on offer for a game.
#[utoipa::path(get, path = "/api/games/{game}/overlays", params(("game" = String, Path, description = "the game")),
    responses((status = 200, body = Vec<OverlayView>)))]
pub async fn list(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    who: Who,
) -> Result<Json<Vec<OverlayView>>, Fault> {
    who.id()?;
    house.registry.find(&game).map_err(Fault::unknown)?;
    let look = move || {
        let all = house.offered(&game);
        all.iter().map(|(name, folder)| house.shown(&game, name, folder)).collect::<Result<Vec<_>, _>>()
    };
    Ok(Json(tokio::task::spawn_blocking(look).await.map_err(Fault::inside)??))
}

/// Looks at a folder that the local player typed.
#[utoipa::path(post, path = "/api/games/{game}/overlays", params(("game" = String, Path, description = "the game")),
    request_body = Typed, responses((status = 200, body = OverlayView)))]
pub async fn look(
    State(house): State<Arc<House>>,
    Path(game): Path<String>,
    From(from): From,
    Json(at): Json<Typed>,
) -> Result<Json<OverlayView>, Fault> {
    house.may_type(from)?;
    house.registry.find(&game).map_err(Fault::unknown)?;
    let look = move || {
        let folder = typed(&at.path);
        let name = folder.file_name().map_or(at.path.clone(), |n| n.to_string_lossy().into_owned());
        house.shown(&game, &name, &folder)
    };
    Ok(Json(tokio::task::spawn_blocking(look).await.map_err(Fault::inside)??))
}
