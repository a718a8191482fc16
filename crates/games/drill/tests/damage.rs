//! Damaged files in an owner's overlay: refused with the file and the line, or a game that can be played.

use game::{Game, QuickDice, Quiet, Terms};
use std::collections::BTreeMap;
use text::{Faults, Files};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data");

/// The data as names and texts.
fn data() -> Vec<(String, String)> {
    let files = Files::folder(DATA);
    files.list().into_iter().map(|name| (name.clone(), files.read(&name).unwrap().into_owned())).collect()
}

/// Starts a game with one file replaced and plays a little of it, so that what is let in is shown to be sound.
fn start(name: &str, text: String) -> Result<(), Faults> {
    let drill = verst_drill::Drill::new().unwrap();
    let overlay = Files::held(BTreeMap::from([(name.to_owned(), text)]));
    let mut p = drill.start(&Terms::of("first"), Some(&overlay))?;
    let (mut dice, mut list) = (QuickDice::new(5), Vec::new());
    for _ in 0..40 {
        list.clear();
        p.choices(&mut list);
        let Some(&choice) = list.get(dice.below(list.len().max(1))) else { break };
        p.apply(choice, &mut dice, &mut Quiet);
    }
    p.conserved().unwrap();
    Ok(())
}

/// Every fault names a file of the game.
fn located(faults: &Faults, names: &[String], what: &str) {
    assert!(!faults.is_empty(), "{what}");
    for fault in faults {
        let known = names.iter().any(|n| fault.file.ends_with(n.as_str()));
        assert!(known || fault.file == Terms::FILE, "{what}: {fault}");
    }
}

#[test]
fn a_file_cut_short_is_refused_by_its_name_or_is_still_a_whole_one() {
    let all = data();
    let names: Vec<String> = all.iter().map(|(n, _)| n.clone()).collect();
    let mut refused = 0;
    for (name, text) in &all {
        let ends = text.char_indices().filter(|(at, _)| at % 61 == 0 || text[..*at].ends_with('\n'));
        for (at, _) in ends.step_by(3) {
            if let Err(faults) = start(name, text[..at].to_owned()) {
                located(&faults, &names, &format!("{name} cut at byte {at}"));
                refused += 1;
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn a_flipped_bit_is_refused_with_its_file_or_gives_a_game_that_can_be_played() {
    let all = data();
    let names: Vec<String> = all.iter().map(|(n, _)| n.clone()).collect();
    let mut refused = 0;
    for (name, text) in &all {
        for at in (0..text.len()).step_by(29) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << (at / 29 % 7);
            let Ok(flipped) = String::from_utf8(bytes) else { continue };
            if let Err(faults) = start(name, flipped) {
                located(&faults, &names, &format!("{name} flipped at byte {at}"));
                refused += 1;
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn a_foreign_file_in_the_place_of_another_is_refused_with_its_line() {
    for (name, text) in data() {
        for foreign in ["\u{89}PNG\r\n\u{1a}\n", "{\"json\": [1, 2]}", "hex\tvalue\n0101\t7\n"] {
            let faults = start(&name, foreign.to_owned()).unwrap_err();
            assert!(faults.iter().any(|f| f.file.ends_with(&name)), "{name}: {faults}");
            assert_ne!(foreign, text);
        }
    }
}
