//! A session of the skirmish: the checked door, undo, previews, stories, loading.

use crate::skirmish::SkirmishGame;
use crate::*;
use table::Side;

const ONE: Eyes = Eyes::Side(Side::One);
const TWO: Eyes = Eyes::Side(Side::Two);

fn fair() -> DiceFrom {
    DiceFrom::Fair { secret: Secret::new([4; 32]), words: ["tulip".into(), "anvil".into()] }
}

fn begin() -> Session {
    Session::start(&SkirmishGame::new(), &Terms::of("field"), None, fair()).unwrap()
}

fn say(s: &mut Session, text: &str) -> Result<Played, Refusal> {
    let side = s.position().asks().ok_or(Refusal::Over)?;
    let c = s.position().lexicon().read(text).map_err(Refusal::Unread)?;
    s.play(side, s.question_number(), c)
}

fn all(s: &mut Session, texts: &[&str]) {
    for t in texts {
        say(s, t).unwrap_or_else(|e| panic!("{t}: {e}"));
    }
}

/// Plays to the end with the first choice that is no endless one.
fn finish(s: &mut Session) {
    let mut pick = QuickDice::new(3);
    while let Some(side) = s.position().asks() {
        let list = s.choices();
        let c = list[pick.below(list.len())];
        s.play(side, s.question_number(), c).unwrap();
    }
}

#[test]
fn a_choice_passes_the_door_only_from_the_side_asked_to_the_question_asked_and_within_the_rules() {
    let mut s = begin();
    let lay = s.position().lexicon().read("lay 0303").unwrap();
    assert_eq!(s.play(Side::Two, 1, lay).unwrap_err(), Refusal::NotAsked(Side::One));
    assert_eq!(s.play(Side::One, 7, lay).unwrap_err(), Refusal::Stale { answered: 7, now: 1 });
    let before = s.position().fingerprint();
    let refused = say(&mut s, "lay 0604").unwrap_err();
    assert!(matches!(&refused, Refusal::Illegal(i) if i.rule.0 == "1"), "{refused}");
    assert_eq!(s.position().fingerprint(), before);
    let played = s.play(Side::One, 1, lay).unwrap();
    assert_eq!((played.lines.len(), played.step, s.question_number()), (1, 1, 2));
    assert!(played.lines[0].starts_with("1\tblue\tlay 0303\t-\t"));
}

#[test]
fn undo_goes_back_to_the_other_sides_decision_and_the_journal_records_it() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0304"]);
    let start = s.position().fingerprint();
    all(&mut s, &["pick A1", "go 0101-0102"]);
    assert_eq!(s.barrier(Side::One), 2);
    let list: Vec<_> = s.undo_list(Side::One).into_iter().map(|u| (u.to, u.text)).collect();
    assert_eq!(list, [(3, "go 0101-0102".to_string()), (2, "pick A1".to_string())]);
    assert!(s.undo_list(Side::Two).is_empty());
    assert!(matches!(s.undo(Side::One, 5, 1), Err(Refusal::NoUndo(_))));
    let n = s.question_number();
    s.undo(Side::One, n, 2).unwrap();
    assert_eq!(s.position().fingerprint(), start);
    assert_eq!(s.question_number(), n + 1, "an answer to the old question is stale now");
    all(&mut s, &["pick A2", "go 0101-0102"]);
    let back = Session::load(&SkirmishGame::new(), None, "g", s.journal(), None).unwrap();
    assert_eq!(back.position().fingerprint(), s.position().fingerprint());
    assert_eq!(back.steps().len(), s.steps().len());
    assert_eq!(back.journal(), s.journal());
}

#[test]
fn undo_stops_at_a_die_and_at_what_was_revealed() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0102", "pick A1"]);
    assert_eq!(s.barrier(Side::One), 2);
    all(&mut s, &["go 0101-0102"]);
    assert_eq!(s.barrier(Side::One), 4, "the mine was shown and a die thrown");
    assert!(s.undo_list(Side::One).is_empty());
}

#[test]
fn a_preview_changes_nothing_and_tells_nothing_of_what_is_hidden() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0102"]);
    let read = |t: &str| s.position().lexicon().read(t).unwrap();
    let before = s.position().fingerprint();
    let seen = s.preview(Side::One, &[read("pick A1"), read("pick A2")]).unwrap();
    assert!(seen.ask.unwrap().choices.iter().any(|c| c.text == "go 0101-0102"));
    assert_eq!(s.position().fingerprint(), before);
    // Onto the hidden mine: as far as blue may know, nothing need be there.
    let onto = s.preview(Side::One, &[read("pick A1"), read("go 0101-0102")]).unwrap();
    assert!(onto.view.stacks.iter().any(|st| st.hex == "0102"));
    let (at, why) = s.preview(Side::One, &[read("pick A1"), read("pick B1")]).unwrap_err();
    assert_eq!(at, 1);
    assert!(matches!(why, Refusal::Illegal(_)));
}

#[test]
fn the_story_is_told_to_those_who_may_hear_it_and_follows_an_undo() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0102"]);
    let texts = |s: &Session, eyes| s.story(eyes, 0, 99).into_iter().map(|l| l.text).collect::<Vec<_>>();
    assert_eq!(texts(&s, ONE), ["A mine lies at 0303."]);
    assert_eq!(texts(&s, TWO), ["A mine lies at 0102."]);
    assert_eq!(texts(&s, Eyes::Spectator), [""; 0]);
    assert_eq!(texts(&s, Eyes::Referee).len(), 2);
    let n = s.question_number();
    s.undo(Side::Two, n, 1).unwrap();
    assert_eq!(texts(&s, TWO), [""; 0]);
    assert!(s.ask(ONE, None).is_none(), "what red is asked is not blue's to read");
    assert!(s.ask(TWO, None).is_some());
}

#[test]
fn a_finished_game_publishes_its_secret_and_loads_with_the_same_hash() {
    let mut s = begin();
    finish(&mut s);
    assert!(s.journal().secret().is_some());
    assert_eq!(say(&mut s, "done").unwrap_err(), Refusal::Over);
    assert!(s.undo_list(Side::One).is_empty() && s.undo_list(Side::Two).is_empty());
    let text = s.journal().text();
    let reading = read_journal("g", text.as_bytes()).unwrap();
    let back = Session::load(&SkirmishGame::new(), None, "g", &reading.journal, None).unwrap();
    assert_eq!(back.position().fingerprint(), s.position().fingerprint());
    assert_eq!(back.journal().text(), text);
    for step in 0..=s.steps().len() {
        assert_eq!(back.position_at(step).fingerprint(), s.position_at(step).fingerprint());
    }
    let (lines, sums) = s.luck(Eyes::Referee);
    assert_eq!(lines.len(), sums[0].throws + sums[1].throws);
}

#[test]
fn a_journal_cut_off_before_its_end_was_written_can_be_closed_after_loading() {
    let mut s = begin();
    finish(&mut s);
    let mut cut = s.journal().clone();
    cut.truncate(cut.entries().len() - 2);
    let mut back = Session::load(&SkirmishGame::new(), None, "g", &cut, Some(&Secret::new([4; 32]))).unwrap();
    assert_eq!(back.close().len(), 2);
    assert_eq!(back.journal(), s.journal());
    assert!(back.close().is_empty());
}

#[test]
fn a_game_goes_on_after_loading_with_the_dice_it_would_have_had() {
    let game = SkirmishGame::new();
    let mut whole = begin();
    finish(&mut whole);
    let mut part = begin();
    let mut pick = QuickDice::new(3);
    for _ in 0..20 {
        let list = part.choices();
        let c = list[pick.below(list.len())];
        let side = part.position().asks().unwrap();
        part.play(side, part.question_number(), c).unwrap();
    }
    let mut on = Session::load(&game, None, "g", part.journal(), Some(&Secret::new([4; 32]))).unwrap();
    while let Some(side) = on.position().asks() {
        let list = on.choices();
        on.play(side, on.question_number(), list[pick.below(list.len())]).unwrap();
    }
    assert_eq!(on.journal().text(), whole.journal().text());
    let wrong = Session::load(&game, None, "g", part.journal(), Some(&Secret::new([5; 32])));
    assert!(wrong.unwrap_err().to_string().contains("not this game's"));
}

#[test]
fn a_game_resumed_from_our_own_store_is_the_game_loaded() {
    let mut s = begin();
    finish(&mut s);
    let game = SkirmishGame::new();
    let loaded = Session::load(&game, None, "g", s.journal(), None).unwrap();
    let resumed = Session::resume(&game, None, "g", s.journal(), None).unwrap();
    assert_eq!(resumed.position().fingerprint(), loaded.position().fingerprint());
    assert_eq!(resumed.journal(), loaded.journal());
    assert_eq!(resumed.story(Eyes::Referee, 0, 999), loaded.story(Eyes::Referee, 0, 999));
}

#[test]
fn without_the_secret_a_game_can_be_read_but_rolls_no_dice() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0102"]);
    let mut read = Session::load(&SkirmishGame::new(), None, "g", s.journal(), None).unwrap();
    all(&mut read, &["pick A1"]);
    let before = read.position().fingerprint();
    assert_eq!(say(&mut read, "go 0101-0102").unwrap_err(), Refusal::NoDice);
    assert_eq!(read.position().fingerprint(), before);
}

/// A journal with one line changed, and the chain mended so that only replay can find it.
fn forge(j: &Journal, number: u32, deed: Deed, rolls: Option<Vec<Roll>>) -> Journal {
    let mut forged = Journal::new(j.header.clone());
    for e in j.entries() {
        let there = e.number == number;
        let rolls = rolls.clone().filter(|_| there).unwrap_or(e.thrown.rolls().to_vec());
        forged.add(e.side, if there { deed.clone() } else { e.deed.clone() }, rolls);
    }
    forged
}

#[test]
fn an_illegal_choice_and_a_forged_die_are_located_to_their_line_and_what_is_before_is_kept() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0102", "pick A1", "go 0101-0102", "done"]);
    let game = SkirmishGame::new();
    let j = forge(s.journal(), 3, Deed::Choice("pick B1".into()), None);
    let e = Session::load(&game, None, "g", &j, None).unwrap_err();
    assert_eq!(e.fault.line, Some(j.line_of(3)));
    assert!(e.fault.what.contains("not legal"), "{e}");
    assert_eq!(e.before.unwrap().steps().len(), 2);
    let thrown = s.steps()[3].rolls.clone();
    let Roll::Die { sides, face } = thrown[0] else { panic!("a die was thrown") };
    let other = vec![Roll::Die { sides, face: face % 6 + 1 }];
    let j = forge(s.journal(), 4, Deed::Choice("go 0101-0102".into()), Some(other));
    assert!(Session::load(&game, None, "g", &j, None).is_ok(), "without the secret nobody can tell");
    let e = Session::load(&game, None, "g", &j, Some(&Secret::new([4; 32]))).unwrap_err();
    assert_eq!(e.fault.line, Some(j.line_of(4)));
    assert!(e.fault.what.contains("the dice of this game show"), "{e}");
}

#[test]
fn a_journal_of_older_rules_goes_on_pinned_to_what_was_played_and_lists_the_difference() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0204", "pick A1", "go 0101-0102"]);
    // Under the old rules a unit could go three hexes.
    let j = forge(s.journal(), 4, Deed::Choice("go 0101-0102-0103-0104".into()), None);
    let refused = Session::load(&SkirmishGame::new(), None, "g", &j, None).unwrap_err();
    assert!(refused.to_string().contains("it is too far (2): hexes 3"), "{refused}");
    let mut newer = Session::load(&SkirmishGame::version(2), None, "g", &j, None).unwrap();
    assert_eq!(newer.differences().len(), 1);
    assert_eq!(newer.differences()[0].number, 4);
    assert!(newer.view(ONE).stacks.iter().any(|st| st.hex == "0104"));
    all(&mut newer, &["done"]);
    let from_future = forge(s.journal(), 0, Deed::Undo(0), None);
    let mut from_future = from_future;
    from_future.header.rules = 9;
    let e = Session::load(&SkirmishGame::new(), None, "g", &from_future, None).unwrap_err();
    assert!(e.to_string().contains("a newer Verst is needed"), "{e}");
}

#[test]
fn an_attempt_that_fails_leaves_everything_as_it_was() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0102"]);
    let (before, text) = (s.position().fingerprint(), s.journal().text());
    let failed: Result<(), Refusal> = s.attempt(|s| {
        say(s, "pick A1")?;
        say(s, "go 0101-0102")?;
        say(s, "pick B1")?;
        Ok(())
    });
    assert!(failed.is_err());
    assert_eq!(s.position().fingerprint(), before);
    assert_eq!(s.journal().text(), text);
    // The die that was thrown in vain is thrown again the same.
    all(&mut s, &["pick A1", "go 0101-0102"]);
    let rolls = s.steps()[3].rolls.clone();
    let mut other = begin();
    all(&mut other, &["lay 0303", "lay 0102", "pick A1", "go 0101-0102"]);
    assert_eq!(other.steps()[3].rolls, rolls);
}

#[test]
fn a_sealed_journal_of_a_session_tells_the_other_side_nothing() {
    let mut s = begin();
    all(&mut s, &["lay 0303", "lay 0102", "pick A1"]);
    let mine = s.journal_for(TWO);
    assert!(mine.contains("lay 0102") && !mine.contains("lay 0303") && !mine.contains("pick A1"));
    let sealed = read_journal("g", mine.as_bytes()).unwrap().journal;
    assert_eq!(sealed.agrees_with(s.journal()), Ok(()));
    let e = Session::load(&SkirmishGame::new(), None, "g", &sealed, None).unwrap_err();
    assert!(e.to_string().contains("sealed"), "{e}");
}

#[test]
fn a_game_resumed_from_a_mark_is_the_game_that_was_replayed_and_goes_on_alike() {
    let game = SkirmishGame::new();
    let mut compared = 0;
    for seed in 0..40 {
        let secret = Secret::new([seed; 32]);
        let dice = DiceFrom::Fair { secret: secret.clone(), words: Default::default() };
        let mut s = Session::start(&game, &Terms::of("field"), None, dice).unwrap();
        let mut pick = QuickDice::new(u64::from(seed));
        let mut marks: Vec<Mark> = Vec::new();
        while let Some(side) = s.position().asks() {
            let undo = s.undo_list(side);
            if pick.below(6) == 0 && !undo.is_empty() {
                s.undo(side, s.question_number(), undo[0].to).unwrap();
                continue;
            }
            let list = s.choices();
            s.play(side, s.question_number(), list[pick.below(list.len())]).unwrap();
            marks.extend(s.mark().filter(|m| marks.last() != Some(m)));
        }
        let text = s.journal().text();
        let journal = read_journal("m", text.as_bytes()).unwrap().journal;
        for mark in &marks {
            let r = Session::resume_at(&game, None, "m", &journal, Some(&secret), mark).unwrap();
            assert_eq!(r.position().fingerprint(), s.position().fingerprint());
            assert_eq!(r.journal().text(), text);
            assert_eq!((r.known_from(), r.steps().len()), (mark.steps, s.steps().len()));
            let late = mark.steps..s.steps().len();
            assert_eq!(
                r.story(Eyes::Referee, late.start, late.end),
                s.story(Eyes::Referee, late.start, late.end)
            );
            for step in late {
                assert_eq!(r.position_at(step).fingerprint(), s.position_at(step).fingerprint());
            }
            // A mark of another place, another journal or another position does not fit.
            let shifted = Mark { entries: mark.entries - 1, ..mark.clone() };
            assert!(Session::resume_at(&game, None, "m", &journal, Some(&secret), &shifted).is_err());
            let foreign = Mark { tip: [0; 32], ..mark.clone() };
            assert!(Session::resume_at(&game, None, "m", &journal, Some(&secret), &foreign).is_err());
            let cut = Mark { state: mark.state[..mark.state.len() / 2].to_vec(), ..mark.clone() };
            assert!(Session::resume_at(&game, None, "m", &journal, Some(&secret), &cut).is_err());
            compared += 1;
        }
    }
    assert!(compared > 5, "enough was compared: {compared}");
}
