//! A study's folder: the manifest that says what was played, and a line for each game.

use crate::bout::Record;
use crate::fail::Fail;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What was played, enough for anyone to play it again bit for bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the command.
    pub verst: String,
    /// The fingerprint of the code and data that decide how it is played.
    #[serde(default)]
    pub code: String,
    /// The game.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// Scenario, options, overlay.
    pub terms: game::Terms,
    /// The fingerprint of the position at the beginning: data and set-up.
    pub start: String,
    /// The programs, the first side's first.
    pub players: [String; 2],
    /// Positions that a program may look at for a decision, if that was limited.
    pub nodes: Option<u64>,
    /// Seconds that a program may think about a decision, if that was said: such games do not repeat exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Whether two games share a seed, the second program first on the first side, then on the other: a pair of a ladder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paired: bool,
    /// How many games.
    pub games: u64,
    /// The first seed; each further game has the next.
    pub seed: u64,
    /// No game is longer than this many choices.
    pub limit: u64,
}

/// A study's folder, open for more games.
pub struct Folder {
    path: PathBuf,
    file: File,
    /// The games that are done.
    pub done: Vec<Record>,
    /// What was amiss and is set right.
    pub notices: Vec<String>,
}

const MANIFEST: &str = "manifest.json";
const GAMES: &str = "games.jsonl";
const SPOILT: &str = "spoilt.jsonl";

fn bad(path: &Path, what: impl std::fmt::Display) -> Fail {
    Fail::File(format!("{}: {what}", path.display()))
}

/// The manifest of a folder.
pub fn manifest(folder: &Path) -> Result<Manifest, Fail> {
    let path = folder.join(MANIFEST);
    let text = fs::read_to_string(&path)
        .map_err(|e| bad(&path, format!("cannot be read ({e}); is this the folder of a study?")))?;
    serde_json::from_str(&text).map_err(|e| bad(&path, format!("is no manifest: {e}")))
}

/// The games of a folder and the lines that are no games.
pub fn games(folder: &Path) -> Result<(Vec<Record>, Vec<String>), Fail> {
    let path = folder.join(GAMES);
    let bytes = match fs::read(&path) {
        Ok(b) => b,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok((Vec::new(), Vec::new())),
        Err(e) => return Err(bad(&path, format!("cannot be read: {e}"))),
    };
    let (mut good, mut spoilt) = (Vec::<Record>::new(), Vec::new());
    for line in String::from_utf8_lossy(&bytes).lines().filter(|l| !l.trim().is_empty()) {
        match serde_json::from_str::<Record>(line) {
            Ok(r) if good.iter().any(|g| g.game == r.game) => {}
            Ok(r) => good.push(r),
            Err(_) => spoilt.push(line.to_string()),
        }
    }
    good.sort_by_key(|r| r.game);
    Ok((good, spoilt))
}

impl Folder {
    /// Makes a folder, or opens one that was begun with the same manifest.
    pub fn open(folder: &Path, wanted: &Manifest) -> Result<Folder, Fail> {
        fs::create_dir_all(folder).map_err(|e| bad(folder, format!("cannot be made: {e}")))?;
        let path = folder.join(MANIFEST);
        let mut notices = Vec::new();
        if path.exists() {
            let found = manifest(folder)?;
            // More games of the same study are welcome; anything else is another study.
            if (Manifest { games: wanted.games, ..found.clone() }) != *wanted {
                let (a, b) = (serde_json::to_value(&found), serde_json::to_value(wanted));
                let differs = match (a, b) {
                    (Ok(serde_json::Value::Object(a)), Ok(serde_json::Value::Object(b))) => b
                        .iter()
                        .find(|(k, v)| *k != "games" && a.get(*k) != Some(v))
                        .map_or_else(String::new, |(k, v)| {
                            format!(
                                "; {k} was {} and is now {v}",
                                a.get(k).unwrap_or(&serde_json::Value::Null)
                            )
                        }),
                    _ => String::new(),
                };
                return Err(Fail::Usage(format!(
                    "{}: another study is in this folder{differs}; choose another folder, or the same terms",
                    folder.display()
                )));
            }
        }
        let text = serde_json::to_string_pretty(wanted).map_err(|e| bad(&path, e))?;
        fs::write(&path, text + "\n").map_err(|e| bad(&path, format!("cannot be written: {e}")))?;
        let (done, spoilt) = games(folder)?;
        if !spoilt.is_empty() {
            let aside = folder.join(SPOILT);
            let mut file =
                OpenOptions::new().create(true).append(true).open(&aside).map_err(|e| bad(&aside, e))?;
            for line in &spoilt {
                writeln!(file, "{line}").map_err(|e| bad(&aside, e))?;
            }
            notices.push(format!(
                "{} of the lines in {GAMES} are no games (cut off or damaged); they were put into {SPOILT}, and those games are played again",
                spoilt.len()
            ));
        }
        let mut out = Folder {
            path: folder.into(),
            file: File::open(&path).map_err(|e| bad(&path, e))?,
            done,
            notices,
        };
        out.rewrite()?;
        Ok(out)
    }

    /// Writes all games in order; whoever is interrupted keeps the old file.
    fn rewrite(&mut self) -> Result<(), Fail> {
        let (path, fresh) = (self.path.join(GAMES), self.path.join("games.jsonl.new"));
        self.done.sort_by_key(|r| r.game);
        let mut text = String::new();
        for r in &self.done {
            text.push_str(&serde_json::to_string(r).map_err(|e| bad(&path, e))?);
            text.push('\n');
        }
        fs::write(&fresh, text).map_err(|e| bad(&fresh, e))?;
        fs::rename(&fresh, &path).map_err(|e| bad(&path, e))?;
        self.file = OpenOptions::new().append(true).open(&path).map_err(|e| bad(&path, e))?;
        Ok(())
    }

    /// Adds a game: it is on the disk before this returns.
    pub fn add(&mut self, r: Record) -> Result<(), Fail> {
        let path = self.path.join(GAMES);
        let mut line = serde_json::to_string(&r).map_err(|e| bad(&path, e))?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()).map_err(|e| bad(&path, e))?;
        self.done.push(r);
        Ok(())
    }

    /// All games are done: they are put in order, so that the file is the same wherever it was made.
    pub fn close(mut self) -> Result<Vec<Record>, Fail> {
        self.rewrite()?;
        Ok(self.done)
    }
}
