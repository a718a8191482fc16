//! The play of one match: its session and what belongs to it.

use super::Inner;
use crate::body::{Body, Holder, SeatId, Summary, no_match};
use crate::message::{ClockView, Left, MatchView, SeatView};
use crate::opponent::Watch;
use crate::overlays::OverlayRef;
use crate::store::{Entry, MatchRow};
use crate::{Fault, House, chance};
use game::{Eyes, OutcomeView, Secret, Session, View};
use std::collections::BTreeSet;
use std::sync::Arc;
use table::Side;
use text::Files;

/// A program at work.
pub struct Thinking {
    /// Where it sits.
    pub seat: SeatId,
    /// The line to it.
    pub watch: Arc<Watch>,
}

/// A match in play.
pub struct Playing {
    /// As it is stored.
    pub row: MatchRow,
    /// Terms and seats.
    pub body: Body,
    /// The game.
    pub session: Session,
    /// Who made each entry of the journal.
    pub seats: Vec<SeatId>,
    /// Milliseconds used by each side.
    pub used: [i64; 2],
    /// How often each side was asked anew after the other.
    pub turns: [i64; 2],
    /// The program that thinks, if one does.
    pub thinking: Option<Thinking>,
    /// The last line of chat that was sent round.
    pub chat_seen: i64,
}

impl Playing {
    /// Reads a match from the store and plays its journal again.
    pub async fn load(house: &House, id: &str) -> Result<Playing, Fault> {
        let row = house.store.find_match(id).await?.ok_or_else(no_match)?;
        let body: Body = serde_json::from_str(&row.body).map_err(Fault::inside)?;
        let entries = house.store.entries(id, 1).await?;
        let chat_seen = house.store.chat(id, 0).await?.last().map_or(0, |c| c.seq);
        let overlay = match &body.terms.overlay {
            Some(digest) => Some(house.overlay(digest).await?.files),
            None => None,
        };
        let registry = Arc::clone(&house.registry);
        let (name, lines) = (id.to_owned(), entries.iter().map(|e| e.body.clone()).collect::<Vec<_>>());
        let for_session = body.clone();
        let session = tokio::task::spawn_blocking(move || {
            replay(&registry, &name, &for_session, overlay.as_ref(), &lines)
        })
        .await;
        let session = session.map_err(Fault::inside)??;
        let mut playing = Playing {
            row,
            body,
            session,
            seats: Vec::with_capacity(entries.len()),
            used: [0; 2],
            turns: [0; 2],
            thinking: None,
            chat_seen,
        };
        let mut last: Option<Entry> = None;
        for e in entries {
            playing.note(&e, last.as_ref());
            last = Some(e);
        }
        Ok(playing)
    }

    /// Counts an entry: who made it, and the time it took.
    pub fn note(&mut self, e: &Entry, before: Option<&Entry>) {
        let seat = SeatId::read(&e.seat).unwrap_or(SeatId::senior(Side::One));
        if let Some(b) = before {
            let earlier = SeatId::read(&b.seat).map(|s| s.side);
            self.used[seat.side.ix()] += (e.at - b.at).max(0);
            if earlier != Ok(seat.side) {
                self.turns[seat.side.ix()] += 1;
            }
        }
        self.seats.push(seat);
    }

    /// Whether nothing more can be chosen.
    pub fn over(&self) -> bool {
        self.session.is_over() || self.body.flag.is_some()
    }

    /// Where the play stands, for lists.
    pub fn summary(&self) -> Summary {
        let view = self.session.view(Eyes::Spectator);
        Summary {
            n: i64::from(self.session.question_number()),
            step: self.session.steps().len() as i64,
            turn: view.turn,
            date: view.date,
            asks: self.session.position().asks(),
            outcome: view.outcome,
            used: self.used,
            turns: self.turns,
        }
    }

    /// The match as a person sees it.
    pub fn view_of(&self, person: Option<&str>, inner_here: &BTreeSet<String>) -> MatchView {
        match_view(&self.row, &self.body, &self.summary(), person, inner_here)
    }

    /// What some eyes see.
    pub fn view(&self, eyes: Eyes) -> View {
        self.session.view(eyes)
    }

    /// The step after which the enemy's last turn begins, as one of these eyes remembers it.
    pub fn since(&self, eyes: Eyes) -> usize {
        let steps = self.session.steps();
        let mut at = steps.len();
        if let Eyes::Side(own) = eyes {
            while at > 0 && steps[at - 1].side == own {
                at -= 1;
            }
        }
        let Some(other) = at.checked_sub(1).map(|i| steps[i].side) else { return at };
        while at > 0 && steps[at - 1].side == other {
            at -= 1;
        }
        at
    }
}

/// The people who look at a match at this moment.
pub fn here(inner: &Inner) -> BTreeSet<String> {
    inner.viewers.values().filter_map(|v| v.person.clone()).collect()
}

/// Plays a journal of the store again.
fn replay(
    registry: &game::Registry,
    id: &str,
    body: &Body,
    overlay: Option<&Files>,
    lines: &[String],
) -> Result<Session, Fault> {
    let game = registry.find(&body.game).map_err(Fault::unknown)?;
    let secret = match body.secret.as_str() {
        "" => None,
        hex => Some(Secret::from_hex(hex).map_err(Fault::inside)?),
    };
    let head = match (&body.imported, &secret) {
        (Some(head), _) => head.clone(),
        (None, Some(secret)) => {
            let dice = game::DiceFrom::Fair { secret: secret.clone(), words: body.words.clone() };
            let fresh = Session::start(game, &body.terms, overlay, dice).map_err(|f| Fault::inside(&f))?;
            if lines.is_empty() {
                return Ok(fresh);
            }
            fresh.journal().head()
        }
        (None, None) => return Err(Fault::inside(format!("match {id} has no dice"))),
    };
    let mut text = head;
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let reading = game::read_journal(id, text.as_bytes()).map_err(|d| Fault::inside(&d))?;
    Session::resume(game, overlay, id, &reading.journal, secret.as_ref()).map_err(|f| Fault::inside(&f))
}

/// A match as a person sees it, from what is stored.
pub fn match_view(
    row: &MatchRow,
    body: &Body,
    summary: &Summary,
    person: Option<&str>,
    here: &BTreeSet<String>,
) -> MatchView {
    let mine = body.seats_of(person);
    let flagged = body.flag.map(|side| OutcomeView {
        winner: Some(side.foe()),
        text: "The time of the other side ran out.".into(),
        rule: "clock".into(),
    });
    let outcome = summary.outcome.clone().or(flagged);
    let asks = if outcome.is_some() { None } else { summary.asks };
    let seats = body.seats.iter().map(|(seat, holder)| {
        let (kind, name, present) = match holder {
            Holder::Open => ("open", String::new(), false),
            Holder::Program(id) => ("program", id.clone(), true),
            Holder::Person { id, name } => ("person", name.clone(), here.contains(id)),
        };
        SeatView { id: *seat, side: seat.side, command: seat.command, holder: kind, name, here: present }
    });
    MatchView {
        id: row.id.clone(),
        title: body.title.clone(),
        game: body.game.clone(),
        scenario: body.terms.scenario.clone(),
        options: body.terms.options.clone(),
        overlay: body.terms.overlay.as_ref().map(|digest| OverlayRef {
            name: body.overlay_name.clone().unwrap_or_default(),
            digest: digest.clone(),
        }),
        made: row.made / 1000,
        turned: row.turned / 1000,
        n: summary.n,
        step: summary.step,
        turn: summary.turn,
        date: summary.date.clone(),
        asks,
        waiting: asks.is_some_and(|side| mine.iter().any(|s| s.side == side)),
        outcome,
        seats: seats.collect(),
        mine,
        watch: body.watch,
        handover: body.handover,
        clock: clock(row, body, summary, asks),
        rematch: body.rematch.clone(),
        dice: Secret::from_hex(&body.secret).map(|s| s.commitment()).unwrap_or_default(),
    }
}

fn clock(row: &MatchRow, body: &Body, summary: &Summary, asks: Option<Side>) -> Option<ClockView> {
    let terms = body.clock?;
    let left = |side: Side| time_left(row, body, summary, asks, side).unwrap_or(0).max(0) / 1000;
    let started = summary.n > 1;
    Some(ClockView {
        minutes: terms.minutes,
        add_seconds: terms.add_seconds,
        left: Left { one: left(Side::One), two: left(Side::Two) },
        runs: asks.filter(|_| started),
        flag: body.flag,
    })
}

/// Milliseconds that a side has left; `None` without a clock. The clock starts with the first choice.
pub fn time_left(
    row: &MatchRow,
    body: &Body,
    summary: &Summary,
    asks: Option<Side>,
    side: Side,
) -> Option<i64> {
    let terms = body.clock?;
    let given =
        i64::from(terms.minutes) * 60_000 + summary.turns[side.ix()] * i64::from(terms.add_seconds) * 1000;
    let running = if asks == Some(side) && summary.n > 1 { (chance::now() - row.turned).max(0) } else { 0 };
    Some(given - summary.used[side.ix()] - running)
}
