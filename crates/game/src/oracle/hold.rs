//! What holds of any position: a choice or an outcome, counters conserved, the list and the judge of one mind,
//! copies and saved states equal.

use super::{Holds, Table};
use crate::load::read_choice;
use crate::{Choice, Eyes, Object, Position, QuickDice, Quiet, Replay, Told};
use hex::{Hex, Route};
use table::{BoxId, Unit};

/// How many choices seen before are kept, to be tried where they are not listed.
const SEEN: usize = 256;

/// How much of a long list is judged at a time.
const PART: usize = 64;

/// After every decision: someone is asked and has a choice, or there is an outcome; each counter is in one place.
pub(super) fn always(t: &mut Table<'_>, p: &dyn Position, list: &mut Vec<Choice>) -> Holds {
    list.clear();
    if let Err(what) = p.conserved() {
        return Err(("conserved", what));
    }
    let (asks, outcome) = (p.asks(), p.outcome());
    match (asks, &outcome) {
        (Some(_), Some(o)) => {
            return Err(("outcome", format!("somebody is asked after the end: {}", o.text)));
        }
        (None, None) => return Err(("outcome", "nobody is asked and there is no outcome".into())),
        (None, Some(_)) => return Ok(()),
        (Some(_), None) => {}
    }
    let q = p.question();
    if Some(q.side) != asks {
        return Err(("question", format!("'{}' is put to another side than is asked", q.key)));
    }
    p.choices(list);
    if list.is_empty() {
        return Err(("choices", format!("'{}' is asked and no choice is listed", q.key)));
    }
    t.counts("always");
    Ok(())
}

/// The list and the judge agree, and what is refused changes nothing.
pub(super) fn sampled(t: &mut Table<'_>, p: &dyn Position, list: &[Choice]) -> Holds {
    let lex = p.lexicon();
    let text = |c: &Choice| lex.write(c);
    let key = p.question().key;
    if !t.one_in(t.trial.plan.list) {
        return Ok(());
    }
    t.counts("list");
    for c in some(t, list) {
        if let Some(why) = p.why_not(c) {
            return Err(("list", format!("'{}' is listed in '{key}' and refused: {why}", text(c))));
        }
        let back = read_choice(p, &text(c));
        if back != Ok(*c) {
            return Err(("notation", format!("'{}' reads back as {back:?}, and it is {c:?}", text(c))));
        }
    }
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    if let Some(w) = sorted.windows(2).find(|w| w[0] == w[1]) {
        return Err(("list", format!("'{}' is listed twice in '{key}'", text(&w[0]))));
    }
    let mut tried = Vec::new();
    for _ in 0..4 {
        if let Some(&c) = t.seen.get(t.look.below(t.seen.len())) {
            tried.push(c);
        }
        let c = list[t.look.below(list.len())];
        tried.push(mutated(t, p, c));
    }
    let before = p.fingerprint();
    let mut copy = p.boxed();
    for c in tried.into_iter().filter(|c| sorted.binary_search(c).is_err()) {
        let Some(why) = p.why_not(&c) else {
            other_path(p, list, &c).map_err(|what| ("list", format!("in '{key}' {what}")))?;
            continue;
        };
        if why.why.trim().is_empty() || why.rule.0.is_empty() {
            return Err(("refusal", format!("'{}' is refused without a rule or a sentence", text(&c))));
        }
        if copy.play(c, &mut QuickDice::new(1), &mut Told::default()).is_ok() {
            return Err(("door", format!("'{}' is judged illegal and played", text(&c))));
        }
        if copy.fingerprint() != before {
            return Err(("door", format!("'{}' was refused and the position changed", text(&c))));
        }
    }
    let keep = list[t.look.below(list.len())];
    if t.seen.len() < SEEN {
        t.seen.push(keep);
    } else {
        let at = t.look.below(SEEN);
        t.seen[at] = keep;
    }
    Ok(())
}

/// A long list is judged in part: a run of it from anywhere.
pub(super) fn some<'l>(t: &mut Table<'_>, list: &'l [Choice]) -> &'l [Choice] {
    let from = t.look.below(list.len().saturating_sub(PART) + 1);
    &list[from..list.len().min(from + PART)]
}

/// A choice that is legal and not listed can only be another path to a destination that is.
fn other_path(p: &dyn Position, list: &[Choice], c: &Choice) -> Result<(), String> {
    let lex = p.lexicon();
    let grid = lex.grid();
    let Object::Route(r) = c.object else {
        return Err(format!("'{}' is legal and not listed", lex.write(c)));
    };
    let same_end = |l: &Choice| match l.object {
        Object::Route(o) => l.verb == c.verb && o.end(grid) == r.end(grid) && o.start() == r.start(),
        _ => false,
    };
    // Out and back again is no destination, though some games allow it.
    if r.end(grid) == r.start() || list.iter().any(same_end) {
        Ok(())
    } else {
        Err(format!("'{}' is legal, and no path to its end is listed", lex.write(c)))
    }
}

/// A choice like one of the list, a little off.
fn mutated(t: &mut Table<'_>, p: &dyn Position, c: Choice) -> Choice {
    let lex = p.lexicon();
    let grid = lex.grid();
    let unit = |t: &mut Table<'_>| Unit(t.look.below(lex.units().len().max(1)) as u16);
    let hex = |t: &mut Table<'_>| {
        let n = t.look.below(grid.count());
        grid.hexes().nth(n).unwrap_or(Hex::NONE)
    };
    let object = match (c.object, t.look.below(3)) {
        (_, 0) => Object::Nothing,
        (Object::Unit(_), _) => Object::Unit(unit(t)),
        (Object::Hex(_), _) => Object::Hex(hex(t)),
        (Object::At(u, _), 1) => Object::At(u, hex(t)),
        (Object::At(_, h), _) => Object::At(unit(t), h),
        (Object::Into(_, b), 1) => Object::Into(unit(t), b),
        (Object::Into(u, _), _) => Object::Into(u, BoxId(t.look.below(lex.boxes().len().max(1)) as u16)),
        (Object::Box(_), _) => Object::Box(BoxId(t.look.below(lex.boxes().len().max(1)) as u16)),
        (Object::Number(n), _) => Object::Number(n.saturating_add(t.look.below(5) as i16 - 2)),
        (Object::Route(r), 1) => Object::Route(r.pop().map_or(r, |(shorter, _)| shorter)),
        (Object::Route(r), _) => {
            let six = grid.neighbours(r.end(grid)).map(|(d, _)| d).collect::<Vec<_>>();
            let longer = six.get(t.look.below(six.len())).and_then(|&d| r.push(d));
            Object::Route(longer.unwrap_or(Route::from(r.start())))
        }
        (Object::Edge(_), _) => Object::Hex(hex(t)),
        (Object::Nothing, _) => Object::Unit(unit(t)),
    };
    Choice { object, ..c }
}

/// Copies stay equal, a state reads back, the quiet and the told play alike, and views can be written and read.
pub(super) fn copies(t: &mut Table<'_>, p: &dyn Position, c: &Choice, dice: &QuickDice) -> Holds {
    t.counts("copy");
    let lex = p.lexicon();
    let before = p.fingerprint();
    let (mut told, mut quiet) = (p.boxed(), p.boxed());
    let mut rec = dice.clone();
    let mut recorder = crate::Recorder::new(&mut rec);
    // One through the checked door, one past it: both must come to the same.
    if let Err(why) = told.play(*c, &mut recorder, &mut Told::default()) {
        return Err(("door", format!("'{}' is listed, and the door refuses it: {why}", lex.write(c))));
    }
    let rolls = recorder.rolls;
    let mut replay = Replay::new(&rolls);
    quiet.apply(*c, &mut replay, &mut Quiet);
    if let Some(what) = replay.amiss() {
        return Err(("copy", format!("'{}' rolls other dice when nobody listens: {what}", lex.write(c))));
    }
    if p.fingerprint() != before {
        return Err(("copy", format!("playing '{}' on a copy changed the original", lex.write(c))));
    }
    if told.fingerprint() != quiet.fingerprint() {
        return Err(("copy", format!("'{}' leads to another position when nobody listens", lex.write(c))));
    }
    if !quiet.copy_from(p) || quiet.fingerprint() != before {
        return Err(("copy", "a position copied into another's memory differs".into()));
    }
    let back = match t.trial.game.restore(&t.trial.terms, t.trial.overlay, &p.state()) {
        Ok(back) => back,
        Err(e) => return Err(("state", format!("the state cannot be read back: {e}"))),
    };
    let (mut was, mut is) = (Vec::new(), Vec::new());
    p.choices(&mut was);
    back.choices(&mut is);
    let same = back.fingerprint() == before && was == is && back.question() == p.question();
    if !same || back.view(Eyes::Referee) != p.view(Eyes::Referee) {
        return Err(("state", "the state read back is another position".into()));
    }
    let mut restored = back;
    restored.apply(*c, &mut Replay::new(&rolls), &mut Quiet);
    if restored.fingerprint() != told.fingerprint() {
        return Err(("state", format!("'{}' leads elsewhere from the state read back", lex.write(c))));
    }
    described(t, p)
}

/// A situation that describes a position sets it up again.
fn described(t: &mut Table<'_>, p: &dyn Position) -> Holds {
    let Some(setup) = t.trial.game.describe(p) else { return Ok(()) };
    t.counts("describe");
    let again = match t.trial.game.situate(&t.trial.terms, t.trial.overlay, &setup) {
        Ok(again) => again,
        Err(e) => return Err(("describe", format!("a described position cannot be set up: {e}"))),
    };
    let (mut was, mut is) = (Vec::new(), Vec::new());
    p.choices(&mut was);
    again.choices(&mut is);
    was.sort_unstable();
    is.sort_unstable();
    let lex = p.lexicon();
    if let Some(c) = was.iter().find(|c| is.binary_search(c).is_err()) {
        return Err((
            "describe",
            format!("'{}' is legal, and not in the position set up again", lex.write(c)),
        ));
    }
    if let Some(c) = is.iter().find(|c| was.binary_search(c).is_err()) {
        return Err(("describe", format!("'{}' is legal only in the position set up again", lex.write(c))));
    }
    let json = |p: &dyn Position| serde_json::to_string(&p.view(Eyes::Referee)).unwrap_or_default();
    match super::look::first_difference(&json(p), &json(&*again)) {
        Some(at) => Err(("describe", format!("the position set up again looks different: {at}"))),
        None => Ok(()),
    }
}
