//! A damaged journal loses nothing that was played before the damage.

use game::journal::{Deed, DiceKind, Header, Journal};
use game::{Game, QuickDice, Recorder, Session, Terms, Told, read_journal};
use verst_pm::Pm;

/// A campaign played at random for so many choices, with the state after each.
fn campaign(choices: usize) -> (Journal, Vec<u64>) {
    let pm = Pm::new();
    let terms = Terms::of("campaign");
    let mut p = pm.start(&terms, None).unwrap();
    let mut journal = Journal::new(Header::new(pm.info(), terms, DiceKind::Quick { seed: 9 }));
    let (mut dice, mut pick) = (QuickDice::new(9), QuickDice::new(10));
    let (mut list, mut after) = (Vec::new(), Vec::new());
    for _ in 0..choices {
        let side = p.asks().unwrap();
        list.clear();
        p.choices(&mut list);
        // The set-ups are filled, so that the damage lies in the play.
        let fill = list.iter().copied().find(|c| c.verb == verst_pm::verbs::FILL);
        let c = fill.unwrap_or_else(|| list[pick.below(list.len())]);
        let text = p.lexicon().write(&c);
        let mut rec = Recorder::new(&mut dice);
        p.apply(c, &mut rec, &mut Told::default());
        let rolls = rec.rolls;
        journal.add(Some(side), Deed::Choice(text), rolls);
        after.push(p.fingerprint());
    }
    (journal, after)
}

#[test]
fn a_damaged_campaign_journal_keeps_every_choice_before_the_damage() {
    let (journal, after) = campaign(700);
    let text = journal.text();
    let head = text.lines().count() - 700;
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let pm = Pm::new();
    for damaged in [3usize, 120, 444, 698] {
        let line = starts[head + damaged];
        for (what, at) in [("its number", line), ("its words", line + 8)] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'#' { b'!' } else { b'#' };
            let damage = read_journal("damaged", &bytes).expect_err("a changed byte must be found");
            assert_eq!(
                damage.fault.line,
                Some((head + damaged) as u32 + 1),
                "{what} of choice {damaged}: {damage}"
            );
            let before = damage.before.expect("the header is sound");
            assert_eq!(before.entries().len(), damaged, "{what}");
            let session = Session::load(&pm, None, "damaged", &before, None).unwrap();
            assert_eq!(session.position().fingerprint(), after[damaged - 1]);
        }
        // Torn off in the middle of a line, as by a power cut: that line alone is missing.
        let reading = read_journal("torn", &text.as_bytes()[..line + 5]).unwrap();
        assert!(reading.notice.is_some());
        assert_eq!(reading.journal.entries().len(), damaged);
        let session = Session::load(&pm, None, "torn", &reading.journal, None).unwrap();
        assert_eq!(session.position().fingerprint(), after[damaged - 1]);
    }
}
