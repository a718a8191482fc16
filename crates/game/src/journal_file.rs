//! A journal on disk: each line is on the disk before anyone is told that it was accepted.

use crate::Secret;
use crate::journal::Journal;
use crate::journal_text::{Damage, Reading, read_journal};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use text::Fault;

/// No game comes near this size; a file that does is no journal.
const LARGEST: u64 = 64 << 20;

/// A journal's file, open for more lines. No other process can open it for writing meanwhile.
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    path: PathBuf,
    /// How many bytes are known to be whole lines.
    sound: u64,
}

impl JournalFile {
    /// Writes a new file with a journal. A file that is there already is not touched, and that is a fault.
    pub fn create(path: &Path, journal: &Journal) -> Result<JournalFile, Fault> {
        let fault = |e: std::io::Error| at(path, format!("cannot be written: {e}"));
        if path.exists() {
            return Err(at(path, "is there already; choose another name or remove it".into()));
        }
        let text = journal.text();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let part = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let written = (|| {
            let mut f = OpenOptions::new().write(true).create(true).truncate(true).open(&part)?;
            f.write_all(text.as_bytes())?;
            f.sync_all()?;
            std::fs::rename(&part, path)?;
            sync_folder(path)
        })();
        if let Err(e) = written {
            let _ = std::fs::remove_file(&part);
            return Err(fault(e));
        }
        let (file, reading) = JournalFile::open(path).map_err(|d| d.fault)?;
        debug_assert!(reading.notice.is_none());
        Ok(file)
    }

    /// Opens a file to go on with its game. A torn last line is removed, and the reading says so.
    pub fn open(path: &Path) -> Result<(JournalFile, Reading), Box<Damage>> {
        let bad = |what: String| Box::new(Damage { fault: at(path, what), before: None });
        let unread = |e: std::io::Error| bad(format!("cannot be read: {e}"));
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(unread)?;
        if file.try_lock().is_err() {
            return Err(bad("is in use by another program; close that first".into()));
        }
        let bytes = read_all(&mut file, path).map_err(|fault| Box::new(Damage { fault, before: None }))?;
        let reading = read_journal(&path.display().to_string(), &bytes)?;
        let sound = reading.bytes as u64;
        if sound < bytes.len() as u64 {
            file.set_len(sound).and_then(|()| file.sync_all()).map_err(unread)?;
        }
        Ok((JournalFile { file, path: path.to_path_buf(), sound }, reading))
    }

    /// Reads a file without opening it for more.
    pub fn load(path: &Path) -> Result<Reading, Box<Damage>> {
        let bad = |fault| Box::new(Damage { fault, before: None });
        let mut file = File::open(path).map_err(|e| bad(at(path, format!("cannot be read: {e}"))))?;
        let bytes = read_all(&mut file, path).map_err(bad)?;
        read_journal(&path.display().to_string(), &bytes)
    }

    /// Adds lines (as [`crate::Session`] gave them), all or none; when it returns they are on the disk.
    pub fn append(&mut self, lines: &[String]) -> Result<(), Fault> {
        let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
        let written = (|| {
            self.file.seek(SeekFrom::Start(self.sound))?;
            self.file.write_all(text.as_bytes())?;
            self.file.sync_data()
        })();
        match written {
            Ok(()) => {
                self.sound += text.len() as u64;
                Ok(())
            }
            Err(e) => {
                // What got written of it must not look like play later; should this fail too, the torn line is
                // dropped when the file is opened again.
                let _ = self.file.set_len(self.sound).and_then(|()| self.file.sync_all());
                Err(at(&self.path, format!("cannot be written, so nothing was played: {e}")))
            }
        }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Where the secret of a local game is kept until it is published: beside its journal, readable by its owner alone.
pub fn secret_path(journal: &Path) -> PathBuf {
    journal.with_extension("secret")
}

/// Keeps the secret of a local game beside its journal.
pub fn keep_secret(journal: &Path, secret: &Secret) -> Result<(), Fault> {
    let path = secret_path(journal);
    let written = (|| {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut f = options.open(&path)?;
        writeln!(f, "{}", secret.to_hex())?;
        f.sync_all()?;
        sync_folder(&path)
    })();
    written.map_err(|e: std::io::Error| at(&path, format!("the secret of the dice cannot be kept: {e}")))
}

/// The secret kept beside a journal, if there is one.
pub fn kept_secret(journal: &Path) -> Result<Option<Secret>, Fault> {
    let path = secret_path(journal);
    match std::fs::read_to_string(&path) {
        Ok(text) => Secret::from_hex(text.trim()).map(Some).map_err(|what| at(&path, what)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(at(&path, format!("cannot be read: {e}"))),
    }
}

fn at(path: &Path, what: String) -> Fault {
    Fault { file: path.display().to_string(), line: None, what }
}

fn read_all(file: &mut File, path: &Path) -> Result<Vec<u8>, Fault> {
    let unread = |e: std::io::Error| at(path, format!("cannot be read: {e}"));
    let len = file.metadata().map_err(unread)?.len();
    if len > LARGEST {
        return Err(at(path, format!("has {len} bytes; no journal is so long")));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(unread)?;
    Ok(bytes)
}

/// A new name in a folder is on the disk only when the folder is.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Terms;
    use crate::journal::{Deed, DiceKind, Header};
    use table::Side;

    fn journal() -> Journal {
        Journal::new(Header {
            game: "drill".into(),
            rules: 1,
            sides: ["blue".into(), "red".into()],
            terms: Terms::of("crossing"),
            setup: None,
            words: Default::default(),
            dice: DiceKind::Quick { seed: 1 },
            salt: None,
        })
    }

    fn folder(name: &str) -> PathBuf {
        let f = std::env::temp_dir().join(format!("verst-journal-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&f).unwrap();
        f
    }

    #[test]
    fn what_was_appended_is_there_and_a_torn_line_is_removed_with_a_notice() {
        let dir = folder("torn");
        let path = dir.join("game.verst");
        let mut j = journal();
        let mut f = JournalFile::create(&path, &j).unwrap();
        f.append(&[j.add(Some(Side::One), Deed::Choice("done".into()), vec![])]).unwrap();
        let second = j.add(Some(Side::Two), Deed::Choice("dönе".into()), vec![]);
        drop(f);
        // A crash in the middle of the second line, inside a letter of two bytes.
        let mut bytes = std::fs::read(&path).unwrap();
        let whole = bytes.len();
        let cut = second.find('ö').unwrap() + 1;
        bytes.extend_from_slice(&second.as_bytes()[..cut]);
        std::fs::write(&path, &bytes).unwrap();
        let (mut f, reading) = JournalFile::open(&path).unwrap();
        assert!(reading.notice.unwrap().contains("never finished"));
        assert_eq!(reading.journal.entries().len(), 1);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), whole as u64);
        f.append(&[second]).unwrap();
        assert_eq!(JournalFile::load(&path).unwrap().journal, j);
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_file_in_use_and_a_file_that_is_there_are_not_touched() {
        let dir = folder("lock");
        let path = dir.join("game.verst");
        let f = JournalFile::create(&path, &journal()).unwrap();
        assert!(JournalFile::open(&path).unwrap_err().to_string().contains("in use"));
        assert!(JournalFile::create(&path, &journal()).unwrap_err().what.contains("is there already"));
        drop(f);
        assert!(JournalFile::open(&path).is_ok());
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_kept_secret_comes_back_and_a_missing_one_is_no_fault() {
        let dir = folder("secret");
        let path = dir.join("game.verst");
        assert_eq!(kept_secret(&path).unwrap(), None);
        let secret = Secret::new([5; 32]);
        keep_secret(&path, &secret).unwrap();
        assert_eq!(kept_secret(&path).unwrap(), Some(secret));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
