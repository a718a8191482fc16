//! Whether a finished game was played with honest dice: every roll and draw is thrown again from the published secret.

use crate::journal::{Deed, DiceKind, Journal};
use crate::session::Session;
use crate::{Game, Roll};
use serde::Serialize;
use text::Files;

/// What a verification found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether all is as it should be.
    pub honest: bool,
    /// A sentence that says so, or says what is not and on which line.
    pub sentence: String,
    /// The first line of the file that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How many dice were thrown.
    pub rolls: usize,
    /// How many lots were drawn.
    pub draws: usize,
    /// How many choices were made, those taken back included.
    pub choices: usize,
}

/// Recomputes the commitment and each roll and draw from the published secret, and replays the game.
pub fn verify(game: &dyn Game, overlay: Option<&Files>, file: &str, journal: &Journal) -> Verdict {
    let thrown = || journal.entries().iter().flat_map(|e| e.thrown.rolls());
    let rolls = thrown().filter(|r| matches!(r, Roll::Die { .. })).count();
    let draws = thrown().count() - rolls;
    let choices = journal.entries().iter().filter(|e| matches!(e.deed, Deed::Choice(_))).count();
    let say = |honest, line, sentence: String| Verdict { honest, sentence, line, rolls, draws, choices };
    if let (DiceKind::Fair { commitment }, Some(secret)) = (&journal.header.dice, journal.secret())
        && secret.commitment() != *commitment
    {
        let entry = journal.entries().iter().rev().find(|e| matches!(e.deed, Deed::Secret(_)));
        let line = entry.map(|e| journal.line_of(e.number));
        let where_ = line.map_or(file.to_string(), |l| format!("{file}:{l}"));
        return say(
            false,
            line,
            format!(
                "{where_}: the published secret is not the one that the header's commitment is the hash of"
            ),
        );
    }
    let session = match Session::load(game, overlay, file, journal, None) {
        Ok(session) => session,
        Err(e) => return say(false, e.fault.line, e.fault.to_string()),
    };
    let dice = format!("{rolls} rolls and {draws} draws of {choices} choices");
    let words = match &journal.header.words {
        [a, b] if a.is_empty() && b.is_empty() => String::new(),
        [a, b] => format!(" and the players' words \"{a}\" and \"{b}\""),
    };
    let end = match (session.position().outcome(), session.differences()) {
        (_, [first, ..]) => format!(
            "it was played under older rules, and {} choices are not as today's rules have them, the first on line {}",
            session.differences().len(),
            journal.line_of(first.number)
        ),
        (Some(o), _) => format!("the game replays to its end: {}", o.text.trim_end_matches('.')),
        (None, _) => "the game replays as far as it goes and is not over".into(),
    };
    match (&journal.header.dice, journal.secret()) {
        (DiceKind::Fair { .. }, Some(_)) => say(
            true,
            None,
            format!(
                "{file}: verified: the secret is the one committed to before play, all {dice} follow from it{words}, and {end}."
            ),
        ),
        (DiceKind::Fair { .. }, None) => say(
            false,
            None,
            format!(
                "{file}: cannot be verified yet: the secret of its dice is not published; its lines hold together, and {end}."
            ),
        ),
        (DiceKind::Quick { seed }, _) => {
            say(true, None, format!("{file}: verified: all {dice} follow from the seed {seed}, and {end}."))
        }
        (DiceKind::Scripted, _) => say(
            true,
            None,
            format!(
                "{file}: its dice were scripted, so nothing binds them; its lines hold together, and {end}."
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skirmish::SkirmishGame;
    use crate::{DiceFrom, QuickDice, Secret, Terms, oracle};

    fn finished(dice: DiceFrom) -> Journal {
        let mut s = Session::start(&SkirmishGame::new(), &Terms::of("field"), None, dice).unwrap();
        let mut pick = QuickDice::new(1);
        while let Some(side) = s.position().asks() {
            let list = s.choices();
            s.play(side, s.question_number(), oracle::any(&list, &mut pick).unwrap()).unwrap();
        }
        s.journal().clone()
    }

    fn fair() -> Journal {
        finished(DiceFrom::Fair { secret: Secret::new([8; 32]), words: ["tulip".into(), "anvil".into()] })
    }

    fn check(j: &Journal) -> Verdict {
        verify(&SkirmishGame::new(), None, "g", j)
    }

    fn again(j: &Journal, change: impl Fn(u32, Deed, Vec<Roll>) -> (Deed, Vec<Roll>)) -> Journal {
        let mut out = Journal::new(j.header.clone());
        for e in j.entries() {
            let (deed, rolls) = change(e.number, e.deed.clone(), e.thrown.rolls().to_vec());
            out.add(e.side, deed, rolls);
        }
        out
    }

    #[test]
    fn an_honest_game_is_verified_in_a_sentence() {
        let v = check(&fair());
        assert!(v.honest && v.rolls > 0, "{v:?}");
        assert!(v.sentence.contains("verified: the secret is the one committed to"), "{}", v.sentence);
        assert!(v.sentence.contains("\"tulip\" and \"anvil\""));
        assert!(check(&finished(DiceFrom::Quick(5))).sentence.contains("follow from the seed 5"));
    }

    #[test]
    fn another_secret_other_words_and_a_changed_die_are_found_at_their_line() {
        let j = fair();
        let swapped = again(&j, |_, deed, rolls| match deed {
            Deed::Secret(_) => (Deed::Secret(Secret::new([9; 32])), rolls),
            deed => (deed, rolls),
        });
        let v = check(&swapped);
        assert!(!v.honest && v.sentence.contains("published secret is not"), "{}", v.sentence);
        assert_eq!(v.line, Some(swapped.line_of(swapped.entries().len() as u32)));

        let first = j.entries().iter().find(|e| !e.thrown.rolls().is_empty()).unwrap().number;
        let mut header = j.header.clone();
        header.words[1] = "hammer".into();
        let mut words = Journal::new(header);
        for e in j.entries() {
            words.add(e.side, e.deed.clone(), e.thrown.rolls().to_vec());
        }
        let v = check(&words);
        assert!(!v.honest && v.line >= Some(words.line_of(first)), "{}", v.sentence);

        let loaded = again(&j, |n, deed, mut rolls| {
            if n == first
                && let Some(Roll::Die { face, .. }) = rolls.last_mut()
            {
                *face = *face % 6 + 1;
            }
            (deed, rolls)
        });
        let v = check(&loaded);
        assert!(!v.honest, "{}", v.sentence);
        assert_eq!(v.line, Some(loaded.line_of(first)), "{}", v.sentence);
    }

    /// A journal written by a released version loads in every later one. A new format adds a file here, and none goes.
    #[test]
    fn journals_of_every_format_so_far_load_and_verify() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("journals");
        let mut formats = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let reading = crate::JournalFile::load(&path).unwrap();
            let v = check(&reading.journal);
            assert!(v.honest && reading.notice.is_none(), "{}", v.sentence);
            formats.push(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
        formats.sort();
        let wanted: Vec<String> = (1..=crate::journal::FORMAT).map(|n| format!("format-{n}")).collect();
        assert_eq!(formats, wanted);
    }

    #[test]
    fn a_game_without_its_secret_is_not_called_verified() {
        let mut j = fair();
        j.truncate(j.entries().len() - 1);
        let v = check(&j);
        assert!(!v.honest && v.sentence.contains("not published"), "{}", v.sentence);
    }
}
