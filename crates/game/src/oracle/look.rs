//! What is hidden stays hidden: two positions that differ only in what some eyes cannot see give those eyes the same
//! view, choices, odds and log, byte for byte.

use super::{Holds, Table};
use crate::{Choice, Eyes, LineView, Position, QuickDice, Recorder, Roll, Told, ask};
use table::Side;

/// Where two texts first differ, with some of both around it.
pub(super) fn first_difference(a: &str, b: &str) -> Option<String> {
    if a == b {
        return None;
    }
    let at = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let around = |s: &str| {
        let chars: Vec<char> = s.chars().collect();
        let at = s.char_indices().take_while(|(i, _)| *i < at).count();
        chars[at.saturating_sub(60).min(chars.len())..(at + 60).min(chars.len())].iter().collect::<String>()
    };
    Some(format!("...{}... and ...{}...", around(a), around(b)))
}

/// All that eyes are given of a position, with one layer of knowledge. Notes are taken of a part of a long list, which
/// `part` draws: the same for both worlds.
fn all_seen(p: &dyn Position, eyes: Eyes, layer: Option<&str>, part: u64) -> String {
    let mut list = Vec::new();
    let mut words = None;
    if p.asks().is_some_and(|s| eyes.sees(s)) {
        p.choices(&mut list);
        let q = p.question();
        let every = list.len() / 100 + 1;
        let some = list.iter().skip(part as usize % every).step_by(every);
        let notes: Vec<_> = some.map(|c| (p.note(c), p.command(c))).collect();
        words = Some((q.key, q.rule, q.prompt, format!("{:?}{:?}", q.hexes, q.todo), notes));
    }
    let overlay = layer.map(|name| p.overlay(eyes, name));
    serde_json::to_string(&(p.view(eyes), words, list, p.forecast(eyes), overlay)).unwrap_or_default()
}

/// The oracle of hiding, for one of the sides or a spectator, drawn by lot: looking is dear.
pub(super) fn same_to_those_eyes(t: &mut Table<'_>, p: &dyn Position, c: &Choice, list: &[Choice]) -> Holds {
    t.counts("look");
    let layers = t.trial.game.info().overlays;
    let layer = layers.get(t.look.below(layers.len())).map(|(name, _)| *name);
    if let Some(name) = layer
        && p.overlay(Eyes::Referee, name).is_none()
    {
        return Err(("overlay", format!("the game offers the layer '{name}' and does not have it")));
    }
    let eyes = match t.look.below(5) {
        0 | 1 => Eyes::Side(Side::One),
        2 | 3 => Eyes::Side(Side::Two),
        _ => Eyes::Spectator,
    };
    let other = p.imagine(eyes, &mut t.look);
    if let Err(what) = other.conserved() {
        return Err(("imagine", format!("the world imagined for {eyes:?} is broken: {what}")));
    }
    let part = t.look.bits();
    if let Some(at) = first_difference(&all_seen(p, eyes, layer, part), &all_seen(&*other, eyes, layer, part))
    {
        return Err(("hidden", format!("{eyes:?} can tell two worlds apart: {at}")));
    }
    if p.asks().is_some_and(|s| eyes == Eyes::Side(s)) {
        judged(t, p, &*other, list)?;
        played(t, p, &*other, eyes, c)?;
    } else {
        chosen_unseen(t, p, eyes, c, list)?;
    }
    let all = p.imagine(Eyes::Referee, &mut t.look);
    if all.fingerprint() != p.fingerprint() {
        return Err(("imagine", "the referee sees everything, and imagines something else".into()));
    }
    Ok(())
}

/// What is refused, and why, tells nothing either.
fn judged(t: &mut Table<'_>, p: &dyn Position, other: &dyn Position, list: &[Choice]) -> Holds {
    for _ in 0..4 {
        let seen = if t.seen.is_empty() { list } else { &t.seen };
        let c = seen[t.look.below(seen.len())];
        let (here, there) = (p.why_not(&c), other.why_not(&c));
        if here != there {
            let text = p.lexicon().write(&c);
            return Err((
                "hidden",
                format!("'{text}' is judged {here:?} here and {there:?} in the other world"),
            ));
        }
    }
    Ok(())
}

/// The same choice with the same dice tells those eyes the same, unless it shows something hidden.
fn played(t: &mut Table<'_>, p: &dyn Position, other: &dyn Position, eyes: Eyes, c: &Choice) -> Holds {
    let seed = t.look.bits();
    let play = |p: &dyn Position| after(p, eyes, c, seed);
    let After { p: here, rolls: here_rolls, shown: here_shown, log: here_log } = play(p);
    let After { p: there, rolls: there_rolls, shown: there_shown, log: there_log } = play(other);
    if here_shown || there_shown {
        return Ok(());
    }
    t.counts("played alike");
    let text = p.lexicon().write(c);
    if here_rolls != there_rolls {
        let what = format!(
            "'{text}' rolls {here_rolls:?} in one world and {there_rolls:?} in the other, and reveals nothing"
        );
        return Err(("hidden", what));
    }
    if let Some(at) = first_difference(&here_log, &there_log) {
        return Err(("hidden", format!("after '{text}' the log tells {eyes:?} two worlds apart: {at}")));
    }
    if let Some(at) =
        first_difference(&all_seen(&*here, eyes, None, seed), &all_seen(&*there, eyes, None, seed))
    {
        return Err(("hidden", format!("after '{text}' {eyes:?} can tell two worlds apart: {at}")));
    }
    Ok(())
}

/// A choice played on a copy, and what some eyes are told of it.
struct After {
    p: Box<dyn Position>,
    rolls: Vec<Roll>,
    shown: bool,
    log: String,
}

fn after(p: &dyn Position, eyes: Eyes, c: &Choice, seed: u64) -> After {
    let mut p = p.boxed();
    let mut told = Told::default();
    let mut dice = QuickDice::new(seed);
    let mut rec = Recorder::new(&mut dice);
    p.apply(*c, &mut rec, &mut told);
    let rolls = rec.rolls;
    let lines: Vec<LineView> = told.lines.iter().filter_map(|l| ask::line(p.lexicon(), eyes, 0, l)).collect();
    let log = serde_json::to_string(&lines).unwrap_or_default();
    After { p, rolls, shown: told.revealed, log }
}

/// A choice that these eyes do not see made: where another choice leads to a world that they take this one for, the
/// log must not tell them which it was.
fn chosen_unseen(t: &mut Table<'_>, p: &dyn Position, eyes: Eyes, c: &Choice, list: &[Choice]) -> Holds {
    let seed = t.look.bits();
    let quiet = |a: &After| a.rolls.is_empty() && !a.shown;
    let here = after(p, eyes, c, seed);
    if !quiet(&here) {
        return Ok(());
    }
    let worlds: Vec<u64> = (0..4).map(|_| here.p.imagine(eyes, &mut t.look).fingerprint()).collect();
    if worlds.iter().all(|&w| w == here.p.fingerprint()) {
        return Ok(());
    }
    let others: Vec<Choice> = list.iter().copied().filter(|o| o.verb == c.verb && o != c).collect();
    for _ in 0..others.len().min(8) {
        let o = others[t.look.below(others.len())];
        let there = after(p, eyes, &o, seed);
        if !quiet(&there) || !worlds.contains(&there.p.fingerprint()) {
            continue;
        }
        t.counts("chosen unseen");
        if let Some(at) = first_difference(&here.log, &there.log) {
            let lex = p.lexicon();
            let (c, o) = (lex.write(c), lex.write(&o));
            return Err((
                "hidden",
                format!("the log tells {eyes:?} whether '{c}' or '{o}' was chosen: {at}"),
            ));
        }
    }
    Ok(())
}
