//! Reading a journal: every line is checked, damage is named by its line, and what lies before it is kept.

use crate::journal::{Deed, DiceKind, Entry, FORMAT, Header, Journal, Thrown, to_short};
use crate::{Secret, Terms};
use table::Side;
use text::Fault;

/// A journal that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// It.
    pub journal: Journal,
    /// What was passed over: a last line that was never finished.
    pub notice: Option<String>,
    /// How many bytes of the file are sound.
    pub bytes: usize,
}

/// A journal that cannot be read to its end.
#[derive(Clone, Debug)]
pub struct Damage {
    /// What is wrong and where.
    pub fault: Fault,
    /// Everything before the damage, if the header is sound.
    pub before: Option<Box<Journal>>,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.fault)?;
        match &self.before {
            Some(j) if !j.entries().is_empty() => {
                write!(f, "; the {} lines of play before it are sound", j.entries().len())
            }
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Damage {}

/// Reads a journal; `file` is its name in faults.
pub fn read_journal(file: &str, bytes: &[u8]) -> Result<Reading, Box<Damage>> {
    let mut lines = Lines { file, rest: bytes, at: 0, line: 0 };
    let header = read_header(&mut lines).map_err(|fault| Box::new(Damage { fault, before: None }))?;
    let mut journal = Journal::read(header);
    let mut notice = None;
    loop {
        let sound = lines.at;
        match lines.next_line() {
            Ok(None) => return Ok(Reading { journal, notice, bytes: sound }),
            Ok(Some((_, false))) => {
                notice = Some(format!(
                    "{file}:{}: the last line was never finished and is dropped; the game stands as it was before it",
                    lines.line
                ));
                return Ok(Reading { journal, notice, bytes: sound });
            }
            Ok(Some((text, true))) => {
                if let Err(what) = read_entry(&mut journal, &text) {
                    let fault = lines.fault(what);
                    return Err(Box::new(Damage { fault, before: Some(Box::new(journal)) }));
                }
            }
            // A torn line may end inside a letter; only damage that is followed by more is damage.
            Err(fault) if !lines.rest.is_empty() || bytes.ends_with(b"\n") => {
                return Err(Box::new(Damage { fault, before: Some(Box::new(journal)) }));
            }
            Err(_) => {
                notice =
                    Some(format!("{file}:{}: the last line was never finished and is dropped", lines.line));
                return Ok(Reading { journal, notice, bytes: sound });
            }
        }
    }
}

struct Lines<'a> {
    file: &'a str,
    rest: &'a [u8],
    at: usize,
    line: u32,
}

impl Lines<'_> {
    /// The next line and whether it is finished.
    fn next_line(&mut self) -> Result<Option<(String, bool)>, Fault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let end = self.rest.iter().position(|&b| b == b'\n');
        let (line, rest) = match end {
            Some(i) => (&self.rest[..i], &self.rest[i + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        self.at += self.rest.len() - rest.len();
        self.rest = rest;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match std::str::from_utf8(line) {
            Ok(text) => Ok(Some((text.to_string(), end.is_some()))),
            Err(_) => Err(self.fault("the line is damaged: it is not text".into())),
        }
    }

    fn fault(&self, what: String) -> Fault {
        Fault { file: self.file.to_string(), line: Some(self.line.max(1)), what }
    }
}

fn read_header(lines: &mut Lines<'_>) -> Result<Header, Fault> {
    let mut head = Header {
        game: String::new(),
        rules: 0,
        sides: Default::default(),
        terms: Terms::default(),
        setup: None,
        words: Default::default(),
        dice: DiceKind::Scripted,
        salt: None,
    };
    let foreign = "this is no journal of Verst; expected a first line 'verst journal 1'";
    match lines.next_line() {
        Ok(Some((text, _))) => match text.strip_prefix("verst journal ").map(str::parse::<u32>) {
            Some(Ok(v)) if v > FORMAT => {
                return Err(lines.fault(format!(
                    "the journal has format {v}, and this Verst reads up to {FORMAT}; a newer Verst is needed"
                )));
            }
            Some(Ok(v)) if v == FORMAT => {}
            _ => return Err(lines.fault(foreign.into())),
        },
        _ => return Err(lines.fault(foreign.into())),
    }
    let mut seen = Vec::new();
    loop {
        let Some((text, finished)) = lines.next_line()? else {
            return Err(lines.fault("the header breaks off before its line 'begin'".into()));
        };
        if !finished {
            return Err(lines.fault("the header breaks off in this line".into()));
        }
        let (key, value) = text.split_once(' ').unwrap_or((&text, ""));
        if key == "begin" {
            let hash = to_short(blake3::hash(head.text().as_bytes()).as_bytes());
            if value != hash {
                return Err(lines.fault(
                    "the header is damaged: its hash is not the one written here, so one of the lines above was changed"
                        .into(),
                ));
            }
            return finish(head, &seen).map_err(|what| lines.fault(what));
        }
        header_line(&mut head, key, value).map_err(|what| lines.fault(what))?;
        if !matches!(key, "option" | "word") && seen.iter().any(|k| k == key) {
            return Err(lines.fault(format!("the header says '{key}' twice")));
        }
        seen.push(key.to_string());
    }
}

fn finish(head: Header, seen: &[String]) -> Result<Header, String> {
    match ["game", "rules", "sides", "scenario", "dice"].iter().find(|k| !seen.iter().any(|s| s == *k)) {
        Some(key) => Err(format!("the header does not say '{key}'")),
        None => Ok(head),
    }
}

fn header_line(head: &mut Header, key: &str, value: &str) -> Result<(), String> {
    match key {
        "game" => head.game = value.into(),
        "rules" => {
            head.rules =
                value.parse().map_err(|_| format!("'{value}' is no version of rules; expected a number"))?
        }
        "sides" => match value.split_once(' ') {
            Some((a, b)) if !a.is_empty() && !b.is_empty() && a != b => head.sides = [a.into(), b.into()],
            _ => return Err(format!("'{value}' does not name two sides")),
        },
        "scenario" => head.terms.scenario = value.into(),
        "option" => {
            let (k, v) =
                value.split_once(' ').ok_or_else(|| format!("'{value}' gives an option no value"))?;
            head.terms.options.insert(k.into(), v.into());
        }
        "overlay" => head.terms.overlay = Some(value.into()),
        "setup" => head.setup = Some(value.into()),
        "word" => match value.split_once(' ') {
            Some(("one", w)) => head.words[0] = w.into(),
            Some(("two", w)) => head.words[1] = w.into(),
            _ => return Err(format!("'{value}' is no word of 'one' or 'two'")),
        },
        "dice" => head.dice = read_dice(value)?,
        "salt" => {
            let (salt, check) = value.split_once(' ').unwrap_or((value, ""));
            let salt = Secret::from_hex(salt).map_err(|_| "the salt is damaged".to_string())?.bytes();
            if to_short(blake3::hash(&salt).as_bytes()) != check {
                return Err("the salt is damaged: its hash is not the one beside it".into());
            }
            head.salt = Some(salt);
        }
        _ => return Err(format!("a header has no line '{key}'; the line is damaged or of a newer Verst")),
    }
    Ok(())
}

fn read_dice(value: &str) -> Result<DiceKind, String> {
    match value.split_once(' ') {
        Some(("fair", c)) if c.len() == 64 => Ok(DiceKind::Fair { commitment: c.into() }),
        Some(("quick", s)) => {
            let seed = s.parse().map_err(|_| format!("'{s}' is no seed; expected a number"))?;
            Ok(DiceKind::Quick { seed })
        }
        None if value == "scripted" => Ok(DiceKind::Scripted),
        _ => Err(format!("'{value}' are no dice; expected fair, quick or scripted")),
    }
}

fn read_entry(journal: &mut Journal, text: &str) -> Result<(), String> {
    let cells: Vec<&str> = text.split('\t').collect();
    let wanted = if journal.header.salt.is_some() { 5 } else { 7 };
    if cells.len() != wanted {
        return Err(format!(
            "the line is damaged: it has {} parts between tabs; expected {wanted}: number, side, choice, dice, hash{}",
            cells.len(),
            if wanted == 7 { " and two salts" } else { "" }
        ));
    }
    let number = journal.entries().len() as u32 + 1;
    if cells[0] != number.to_string() {
        return Err(format!(
            "the line has number '{}'; expected {number}: lines are missing, changed or not in order",
            cells[0]
        ));
    }
    let side = match cells[1] {
        "-" => None,
        id => Some(
            Side::BOTH
                .into_iter()
                .find(|s| journal.header.sides[s.ix()] == id)
                .ok_or_else(|| format!("the line is damaged: '{id}' is no side of this game"))?,
        ),
    };
    let mut salts = [None; 2];
    for (salt, cell) in salts.iter_mut().zip(&cells[5..]) {
        if *cell != "-" {
            *salt = Some(Secret::from_hex(cell).map_err(|_| "the line is damaged in its salt")?.bytes());
        }
    }
    let entry = Entry {
        number,
        side,
        deed: read_deed(cells[2])?,
        thrown: read_thrown(cells[3])?,
        hash: [0; 32],
        salts,
    };
    if !journal.add_read(entry, cells[4]) {
        return Err("the line is damaged: its hash does not follow from it and the lines before it".into());
    }
    Ok(())
}

fn read_deed(cell: &str) -> Result<Deed, String> {
    let damaged = || format!("the line is damaged: '{cell}' is nothing that a journal records");
    if let Some(hash) = cell.strip_prefix('#') {
        return Ok(Deed::Sealed(Secret::from_hex(hash).map_err(|_| damaged())?.bytes()));
    }
    let Some(house) = cell.strip_prefix('!') else {
        return if cell.is_empty() { Err(damaged()) } else { Ok(Deed::Choice(cell.into())) };
    };
    match house.split_once(' ') {
        Some(("undo", n)) => n.parse().map(Deed::Undo).map_err(|_| damaged()),
        Some(("secret", s)) => Secret::from_hex(s).map(Deed::Secret).map_err(|_| damaged()),
        Some(("end", how)) => {
            let (winner, kind) = how.split_once(' ').ok_or_else(damaged)?;
            Ok(Deed::End(winner.into(), kind.into()))
        }
        _ => Err(damaged()),
    }
}

fn read_thrown(cell: &str) -> Result<Thrown, String> {
    if let Some(hash) = cell.strip_prefix('#') {
        let damaged = |_| "the line is damaged in its sealed dice".to_string();
        return Ok(Thrown::Sealed(Secret::from_hex(hash).map_err(damaged)?.bytes()));
    }
    if cell == "-" {
        return Ok(Thrown::Shown(Vec::new()));
    }
    cell.split(' ').map(str::parse).collect::<Result<_, _>>().map(Thrown::Shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Roll;

    fn sample() -> Journal {
        let secret = Secret::new([9; 32]);
        let mut terms = Terms::of("crossing");
        terms.options.insert("fog".into(), "on".into());
        let mut j = Journal::new(Header {
            game: "drill".into(),
            rules: 1,
            sides: ["blue".into(), "red".into()],
            terms,
            setup: None,
            words: ["tulip tree".into(), "anvil".into()],
            dice: DiceKind::Fair { commitment: secret.commitment() },
            salt: Some(secret.salt()),
        });
        j.add(Some(Side::One), Deed::Choice("pick 1Bd".into()), vec![]);
        j.add(Some(Side::One), Deed::Undo(1), vec![]);
        j.add(Some(Side::One), Deed::Choice("attack 0504".into()), vec![Roll::Die { sides: 6, face: 4 }]);
        j.add(Some(Side::Two), Deed::Choice("loss 3".into()), vec![Roll::Draw { of: 12, lot: 3 }]);
        j.add(Some(Side::One), Deed::Choice("scout".into()), vec![Roll::Draw { of: 11, lot: 10 }]);
        j
    }

    #[test]
    fn a_journal_reads_back_to_itself() {
        let mut j = sample();
        j.add(None, Deed::End("draw".into(), "time".into()), vec![]);
        j.add(None, Deed::Secret(Secret::new([9; 32])), vec![]);
        let text = j.text();
        let back = read_journal("g", text.as_bytes()).unwrap();
        assert_eq!(back.journal, j);
        assert_eq!(back.notice, None);
        assert_eq!(back.bytes, text.len());
        assert_eq!(back.journal.text(), text);
        assert_eq!(text.lines().nth(j.line_of(1) as usize - 1).unwrap().split('\t').next(), Some("1"));
    }

    #[test]
    fn every_flipped_bit_is_found_and_what_lies_before_its_line_is_kept() {
        let j = sample();
        let text = j.text();
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let line = text.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() as u32 + 1;
                match read_journal("g", &bytes) {
                    // The newline of the last line is what tells a finished line.
                    Ok(r) => {
                        assert!(at == text.len() - 1 && r.notice.is_some(), "byte {at} bit {bit} accepted")
                    }
                    Err(d) => {
                        let found = d.fault.line.unwrap();
                        let header = j.line_of(0);
                        if line <= header {
                            assert!(found <= header + 1, "byte {at}: {d}");
                        } else {
                            // A line end that is gone joins two lines; the fault is in the first of them.
                            assert!(found == line, "byte {at} bit {bit} of line {line}: {d}");
                            assert_eq!(d.before.unwrap().entries().len() as u32, line - header - 1);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_journal_cut_anywhere_is_refused_in_its_header_and_loses_only_its_torn_line_after_it() {
        let j = sample();
        let text = j.text();
        let head = j.head().len();
        for cut in 0..text.len() {
            let read = read_journal("g", &text.as_bytes()[..cut]);
            if cut < head {
                assert!(read.is_err(), "cut at {cut}");
            } else {
                let r = read.unwrap();
                let whole = text[..cut].ends_with('\n');
                assert_eq!(r.notice.is_none(), whole, "cut at {cut}");
                assert_eq!(r.journal.text(), text[..r.bytes]);
                assert_eq!(r.bytes, text[..cut].rfind('\n').unwrap() + 1);
            }
        }
    }

    #[test]
    fn a_foreign_file_a_newer_one_and_swapped_lines_are_refused_with_the_line() {
        let fault = |bytes: &[u8]| read_journal("g", bytes).unwrap_err().to_string();
        assert!(fault(b"").starts_with("g:1: this is no journal"));
        assert!(fault(b"\x89PNG\r\n\x1a\n").starts_with("g:1: this is no journal"));
        assert!(fault(b"verst journal 2\n").contains("a newer Verst is needed"));
        let text = sample().text();
        let mut lines: Vec<&str> = text.lines().collect();
        let last = lines.len() - 1;
        lines.swap(last - 1, last);
        let swapped = lines.join("\n") + "\n";
        assert!(
            fault(swapped.as_bytes()).starts_with(&format!("g:{last}: the line has number")),
            "{}",
            fault(swapped.as_bytes())
        );
    }

    #[test]
    fn a_sealed_journal_hides_the_other_side_and_still_holds_together() {
        let j = sample();
        let mine = j.sealed_for(Some(Side::One));
        let text = mine.text();
        assert!(text.contains("pick 1Bd") && text.contains("d6=4") && text.contains("scout"));
        assert!(!text.contains("loss 3") && !text.contains("lot12") && !text.contains("lot11"));
        assert!(!text.contains("salt "), "the salt would let the seals be guessed");
        let back = read_journal("g", text.as_bytes()).unwrap().journal;
        assert_eq!(back, mine);
        assert_eq!(back.agrees_with(&j), Ok(()));
        let mut other = sample();
        other.truncate(3);
        other.add(Some(Side::Two), Deed::Choice("loss 2".into()), vec![Roll::Draw { of: 12, lot: 3 }]);
        other.add(Some(Side::One), Deed::Choice("scout".into()), vec![Roll::Draw { of: 11, lot: 10 }]);
        assert_eq!(back.agrees_with(&other), Err(4));
        let watched = j.sealed_for(None).text();
        assert!(!watched.contains("pick") && !watched.contains("d6=4"));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_whatever_make_the_reader_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
            let _ = read_journal("g", &bytes);
        }

        #[test]
        fn an_edited_journal_is_refused_or_reads_as_a_beginning_of_the_true_one(
            at in 0usize..1200,
            cut in 0usize..40,
            put in "[ -~\t\n]{0,12}",
        ) {
            let whole = sample();
            let text = whole.text();
            let at = at.min(text.len());
            let end = (at + cut).min(text.len());
            let edited = format!("{}{put}{}", &text[..at], &text[end..]);
            let read = match read_journal("g", edited.as_bytes()) {
                Ok(r) => Some(r.journal),
                Err(d) => d.before.map(|j| *j),
            };
            if let Some(j) = read {
                proptest::prop_assert_eq!(j.agrees_with(&whole), Ok(()));
                proptest::prop_assert!(text.starts_with(&j.text()));
            }
        }
    }
}
