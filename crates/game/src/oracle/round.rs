//! There and back: games played through a session with undo, saved, loaded, replayed.

use super::{Holds, Table, any, end};
use crate::chance::Chance;
use crate::journal::Journal;
use crate::session::Session;
use crate::{Position, QuickDice, read_journal};

/// Replays the journal of the game just played and compares the end.
pub(super) fn replay(t: &mut Table<'_>, start: &dyn Position) -> Holds {
    t.counts("replay");
    let mut p = start.boxed();
    for (_, c, rolls) in &t.played {
        p.apply(*c, &mut crate::Replay::new(rolls), &mut crate::Quiet);
    }
    let journal = t.journal(start.lexicon());
    loads_to(t, &journal, p.fingerprint())
}

/// A journal, written and read, must load to this position.
fn loads_to(t: &Table<'_>, journal: &Journal, fingerprint: u64) -> Holds {
    let text = journal.text();
    let reading = read_journal("journal", text.as_bytes()).map_err(|e| ("journal", e.to_string()))?;
    let back = Session::load(t.trial.game, t.trial.overlay, "journal", &reading.journal, None);
    let back = back.map_err(|e| ("replay", e.to_string()))?;
    if back.position().fingerprint() != fingerprint {
        return Err(("replay", "the journal replays to another position".into()));
    }
    if back.journal().text() != text {
        return Err(("replay", "the journal loaded and written again differs".into()));
    }
    Ok(())
}

/// A game through the checked door, going back at random to each point that undo allows, and forward again.
pub(super) fn session_game(
    t: &mut Table<'_>,
    start: Box<dyn Position>,
    mut pick: QuickDice,
    most: usize,
) -> Holds {
    let journal = t.journal(start.lexicon());
    let mut s = Session::new(t.trial.game, journal, start, Chance::Quick(QuickDice::new(t.dice_seed)));
    let mut trail = vec![s.position().fingerprint()];
    while let Some(side) = s.position().asks() {
        if t.made() >= t.trial.plan.bound {
            return Err(("bound", format!("the game is not over after {} decisions", t.trial.plan.bound)));
        }
        if t.made() >= most {
            break;
        }
        let Some(c) = any(&s.choices(), &mut pick) else {
            return Err(("choices", "somebody is asked and nothing is legal".into()));
        };
        let text = s.position().lexicon().write(&c);
        s.play(side, s.question_number(), c).map_err(|e| ("door", format!("'{text}' is listed: {e}")))?;
        let step = s.steps()[s.steps().len() - 1].clone();
        t.stats.decisions += 1;
        t.stats.rolls += step.rolls.len() as u64;
        t.played.push((side, c, step.rolls.clone()));
        trail.push(s.position().fingerprint());
        if t.one_in(4) {
            back_and_forth(t, &mut s, side, &trail)?;
        }
    }
    if s.is_over() {
        end(t, s.position())?;
    }
    t.counts("session");
    loads_to(t, s.journal(), s.position().fingerprint())
}

fn back_and_forth(t: &mut Table<'_>, s: &mut Session, side: table::Side, trail: &[u64]) -> Holds {
    let (barrier, now) = (s.barrier(side), s.steps().len());
    if barrier == now {
        return Ok(());
    }
    t.counts("undo");
    // Mostly a few steps: a side may set up hundreds of counters before the first barrier.
    let far = if t.one_in(32) { now - barrier } else { (now - barrier).min(12) };
    let to = now - 1 - t.look.below(far);
    let again: Vec<_> = s.steps()[to..].iter().map(|s| (s.side, s.choice, s.text.clone())).collect();
    s.undo(side, s.question_number(), to).map_err(|e| ("undo", e.to_string()))?;
    if s.position().fingerprint() != trail[to] {
        return Err(("undo", format!("going back to step {to} of {now} leads to another position")));
    }
    for (side, choice, text) in again {
        let played = s.play(side, s.question_number(), choice);
        played.map_err(|e| ("undo", format!("'{text}' is refused after going back: {e}")))?;
        if s.position().fingerprint() != trail[s.steps().len()] {
            return Err(("undo", format!("'{text}' played again leads to another position")));
        }
    }
    Ok(())
}
