//! What changes a match: choices, orders, undo. Everything goes through the same door: the number of the question, the
//! seat, the rules; then the store; then the viewers.

use super::Inner;
use super::messages::Before;
use super::playing::Playing;
use crate::body::SeatId;
use crate::message::{MOST_ORDERS, refusal};
use crate::store::{Entry, StoreFault};
use crate::{Body, Code, Fault, House, chance};
use game::{Command, Deed, Refusal, Session};
use std::sync::Arc;
use table::Side;

/// Who makes a choice.
#[derive(Clone, Debug)]
pub enum Actor {
    /// A person over a connection.
    Viewer(u64),
    /// The program in a seat.
    Program(SeatId),
}

/// What changes the play.
#[derive(Clone, Debug)]
pub enum Deeds {
    /// One choice.
    Play(String),
    /// Orders: all or none of them, unless dice were thrown.
    Orders(String),
    /// Back until so many choices stand.
    Undo(usize),
}

impl House {
    /// Makes a change, or leaves everything as it was.
    pub(super) async fn change(
        self: &Arc<Self>,
        inner: &mut Inner,
        id: &str,
        actor: &Actor,
        n: u32,
        deeds: &Deeds,
    ) -> Result<Done, Fault> {
        let now = self.load(inner, id).await?.session.question_number();
        if n > now && self.store.shared() {
            // Another process may have gone on; its call may be on the way still.
            self.catch_up(inner, id).await?;
        }
        let sides = match actor {
            Actor::Program(seat) => vec![seat.side],
            Actor::Viewer(v) => inner.viewers.get(v).map(super::Viewer::sides).unwrap_or_default(),
        };
        // An answer sent again is known as such whoever sits at the screen by now.
        if let Some(again) = answered_before(self.load(inner, id).await?, n, &sides, deeds) {
            return again.map(|()| Done { again: true, stopped: None });
        }
        let (person, side) = match actor {
            Actor::Program(seat) => (None, seat.side),
            Actor::Viewer(v) => {
                let Some(v) = inner.viewers.get(v) else {
                    return Err(Fault::unknown("the connection is gone"));
                };
                (v.person.clone(), self.sitting(inner, v)?)
            }
        };
        self.flag(inner, id).await?;
        let playing = self.load(inner, id).await?;
        if playing.over() {
            return Err(Fault::new(Code::Over, "the match is over"));
        }
        if let Actor::Viewer(v) = actor
            && !matches!(deeds, Deeds::Undo(_))
            && let Some(v) = inner.viewers.get(v)
            && let Some(to) = inner.playing.as_ref().and_then(|p| p.handover(v))
        {
            let word = crate::body::side_word(to);
            return Err(Fault::new(Code::Handover, format!("side {word} must take the seat first")));
        }
        self.load(inner, id).await?;
        let seat_of = |body: &Body, side: Side, command: Command| match actor {
            Actor::Program(seat) if body.seat_for(side, command) == *seat => Ok(*seat),
            Actor::Program(_) => Err(Fault::new(Code::NotYours, "another seat makes this choice")),
            Actor::Viewer(_) => body.may_choose(person.as_deref(), side, command),
        };
        let desk = self.desks.one().await;
        let (before, asked_before, made) = desk.run(|| {
            let Some(before) = inner.playing.as_ref().map(|p| Before::of(inner, p)) else {
                return Err(Fault::inside("the play went away"));
            };
            let Some(playing) = inner.playing.as_mut() else {
                return Err(Fault::inside("the play went away"));
            };
            let asked_before = playing.session.position().asks();
            let made = match deeds {
                Deeds::Play(text) => Made { lines: play(playing, side, text, &seat_of)?, stopped: None },
                Deeds::Orders(text) => orders(playing, side, text, &seat_of)?,
                Deeds::Undo(to) => {
                    Made { lines: undo(playing, side, n, *to, person.as_deref())?, stopped: None }
                }
            };
            // What the store's summary and the viewers' patches need is looked at here and kept.
            for eyes in before.eyes() {
                playing.view(eyes);
            }
            Ok((before, asked_before, made))
        })?;
        self.store_made(inner, id, &made.lines).await?;
        let asked = inner.playing.as_ref().and_then(|p| p.session.position().asks());
        self.broadcast(inner, &before, Some(side)).await;
        self.turned(inner, asked_before, asked);
        Ok(Done { again: false, stopped: made.stopped })
    }

    /// The side that a viewer plays.
    fn sitting(&self, inner: &Inner, v: &super::Viewer) -> Result<Side, Fault> {
        if let Some(to) = inner.playing.as_ref().and_then(|p| p.handover(v))
            && v.eyes.is_none()
        {
            let word = crate::body::side_word(to);
            return Err(Fault::new(Code::Handover, format!("side {word} must take the seat first")));
        }
        v.side().ok_or_else(|| Fault::new(Code::Forbidden, "you look on and have no seat in this match"))
    }

    /// Stores what was played. If that fails the play in memory is given up: it will be read from the store again,
    /// which knows nothing of it.
    async fn store_made(&self, inner: &mut Inner, id: &str, made: &[(SeatId, String)]) -> Result<(), Fault> {
        let Some(playing) = inner.playing.as_mut() else { return Err(Fault::inside("the play went away")) };
        let at = chance::now();
        let first = playing.seats.len() as i64 + 1;
        let entries: Vec<Entry> = made
            .iter()
            .zip(first..)
            .map(|((seat, line), n)| Entry { n, seat: seat.to_string(), body: line.clone(), at })
            .collect();
        let last = playing.seats.last().map(|s| Entry {
            n: 0,
            seat: s.to_string(),
            body: String::new(),
            at: playing.row.turned,
        });
        let (used, turns) = (playing.used, playing.turns);
        let mut before = last.as_ref();
        for e in &entries {
            playing.note(e, before);
            before = Some(e);
        }
        let over = playing.session.is_over();
        let summary = serde_json::to_string(&playing.summary()).map_err(Fault::inside)?;
        match self.store.append(id, &entries, over, &summary).await {
            Ok(()) => {
                playing.row.turned = at;
                playing.row.over = over;
                self.keep_mark(id, playing);
                Ok(())
            }
            Err(fault) => {
                (playing.used, playing.turns) = (used, turns);
                inner.playing = None;
                if fault != StoreFault::Taken {
                    return Err(fault.into());
                }
                // Another process was first: what it stored is what happened.
                self.load(inner, id).await?;
                self.broadcast_states(inner).await;
                Err(Fault::new(Code::Stale, "the question was answered elsewhere"))
            }
        }
    }
}

/// Whether question `n` was answered already: in the same way (then it was this one, sent again after a lost
/// connection) or otherwise.
fn answered_before(playing: &Playing, n: u32, sides: &[Side], deeds: &Deeds) -> Option<Result<(), Fault>> {
    let now = playing.session.question_number();
    if n == now {
        return None;
    }
    let stale = || Fault::new(Code::Stale, format!("question {n} is no longer asked; question {now} is"));
    let Some(at) = (n as usize).checked_sub(1) else { return Some(Err(stale())) };
    let entries = playing.session.journal().entries();
    let lexicon = playing.session.position().lexicon();
    let did = |i: usize, text: &str| {
        entries.get(at + i).is_some_and(|e| {
            e.side.is_some_and(|s| sides.contains(&s)) && matches!(&e.deed, Deed::Choice(c) if means(text, c))
        })
    };
    let same = match deeds {
        Deeds::Undo(_) => entries
            .get(at)
            .is_some_and(|e| e.side.is_some_and(|s| sides.contains(&s)) && matches!(e.deed, Deed::Undo(_))),
        Deeds::Play(text) => did(0, text),
        Deeds::Orders(text) => {
            let parts = game::orders::parts(lexicon, text).unwrap_or_default();
            !parts.is_empty() && parts.iter().enumerate().all(|(i, part)| did(i, part))
        }
    };
    Some(if same { Ok(()) } else { Err(stale()) })
}

/// Whether an order was written down as this choice: in the same words, or the choice is the path to the hex that the
/// order named.
fn means(order: &str, choice: &str) -> bool {
    let (order, choice): (Vec<_>, Vec<_>) =
        (order.split_whitespace().collect(), choice.split_whitespace().collect());
    let end = |w: &[&str]| w.last().and_then(|way| way.rsplit('-').next()).map(str::to_owned);
    order == choice || (order.len() == 2 && order.first() == choice.first() && end(&order) == end(&choice))
}

/// What was made of a change.
pub(super) struct Done {
    /// The same had been done before.
    pub again: bool,
    /// Why orders stopped after dice had been thrown.
    pub stopped: Option<Fault>,
}

/// Lines for the journal, each with the seat that made it.
type Lines = Vec<(SeatId, String)>;

struct Made {
    lines: Lines,
    stopped: Option<Fault>,
}

/// Plays one choice on the session.
fn play(
    playing: &mut Playing,
    side: Side,
    text: &str,
    seat_of: &impl Fn(&Body, Side, Command) -> Result<SeatId, Fault>,
) -> Result<Lines, Fault> {
    play_on(&mut playing.session, &playing.body, side, text, seat_of)
}

fn play_on(
    session: &mut Session,
    body: &Body,
    side: Side,
    text: &str,
    seat_of: &impl Fn(&Body, Side, Command) -> Result<SeatId, Fault>,
) -> Result<Lines, Fault> {
    let position = session.position();
    let lexicon = position.lexicon();
    match position.asks() {
        None => return Err(refusal(lexicon, &Refusal::Over)),
        Some(asked) if asked != side => return Err(refusal(lexicon, &Refusal::NotAsked(asked))),
        Some(_) => {}
    }
    let choice = game::orders::resolve(position, text).map_err(Fault::malformed)?;
    let seat = seat_of(body, side, position.command(&choice))?;
    match session.play(side, session.question_number(), choice) {
        Ok(played) => Ok(played.lines.into_iter().map(|l| (seat, l)).collect()),
        Err(r) => Err(refusal(session.position().lexicon(), &r)),
    }
}

/// Plays orders. If one is refused nothing was done, unless dice were thrown or something was revealed before: that
/// stands, or orders could be used to look at the dice.
fn orders(
    playing: &mut Playing,
    side: Side,
    text: &str,
    seat_of: &impl Fn(&Body, Side, Command) -> Result<SeatId, Fault>,
) -> Result<Made, Fault> {
    let Playing { session, body, .. } = playing;
    let parts = game::orders::parts(session.position().lexicon(), text).map_err(Fault::malformed)?;
    if parts.len() > MOST_ORDERS {
        return Err(Fault::malformed(format!("expected at most {MOST_ORDERS} orders")));
    }
    session.attempt(|session| {
        let mut made = Made { lines: Vec::new(), stopped: None };
        let mut fixed = false;
        for part in &parts {
            match play_on(session, body, side, part, seat_of) {
                Ok(lines) => {
                    made.lines.extend(lines);
                    fixed |= session.steps().last().is_some_and(|s| !s.rolls.is_empty() || s.revealed);
                }
                Err(f) => {
                    let f = Fault { why: format!("{part}: {}", f.why), ..f };
                    if !fixed {
                        return Err(f);
                    }
                    made.stopped = Some(f);
                    break;
                }
            }
        }
        Ok(made)
    })
}

/// Takes choices back. A command takes back its own; the senior seat takes back any of its side.
fn undo(
    playing: &mut Playing,
    side: Side,
    n: u32,
    to: usize,
    person: Option<&str>,
) -> Result<Vec<(SeatId, String)>, Fault> {
    let held = playing.body.seats_of(person);
    let senior = SeatId::senior(side);
    let steps = playing.session.steps();
    let foreign = steps.iter().skip(to).any(|s| {
        let by = playing.seats.get((s.number as usize).saturating_sub(1));
        by.is_none_or(|seat| !held.contains(seat))
    });
    if foreign && !held.contains(&senior) {
        return Err(Fault::new(Code::NotYours, "another command made some of these choices"));
    }
    let seat = held.iter().find(|s| s.side == side).copied().unwrap_or(senior);
    match playing.session.undo(side, n, to) {
        Ok(played) => Ok(played.lines.into_iter().map(|l| (seat, l)).collect()),
        Err(r) => Err(refusal(playing.session.position().lexicon(), &r)),
    }
}
