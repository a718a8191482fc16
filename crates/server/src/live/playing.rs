//! The play of one match: its session and what belongs to it.

use super::{Inner, marks};
use crate::body::{Body, Holder, SeatId, Summary, no_match};
use crate::message::{ClockView, Left, MatchView, SeatView};
use crate::opponent::{Seated, Watch};
use crate::overlays::OverlayRef;
use crate::store::{Entry, MatchRow};
use crate::{Fault, House, chance};
use game::{Eyes, Mark, OutcomeView, Secret, Session, Step, View};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    /// Programs that sit here and do not think now.
    programs: Mutex<BTreeMap<SeatId, Box<dyn Seated>>>,
    /// The last line of chat that was sent round.
    pub chat_seen: i64,
    /// After how many choices a position was last kept.
    pub marked: usize,
    shown: Mutex<Shown>,
}

/// What each pair of eyes saw when a question was asked. The next patch begins there, so it is not looked at twice.
#[derive(Default)]
struct Shown {
    n: u32,
    views: BTreeMap<u8, Arc<View>>,
}

/// Eyes in an order, for tables of views.
pub fn rank(eyes: Eyes) -> u8 {
    match eyes {
        Eyes::Side(Side::One) => 0,
        Eyes::Side(Side::Two) => 1,
        Eyes::Spectator => 2,
        Eyes::Referee => 3,
    }
}

impl Playing {
    /// Reads a match from the store and plays its journal again.
    pub async fn load(house: &House, id: &str) -> Result<Playing, Fault> {
        let row = house.store.find_match(id).await?.ok_or_else(no_match)?;
        let body: Body = serde_json::from_str(&row.body).map_err(Fault::inside)?;
        let entries = house.store.entries(id, 1).await?;
        let chat_seen = house.store.chat(id, 0).await?.last().map_or(0, |c| c.seq);
        let mark = match marks::latest_use(&entries) {
            0 => None,
            n => house.store.snapshot(id, n).await?.and_then(|s| marks::read(&s)),
        };
        let lines = entries.iter().map(|e| e.body.clone()).collect();
        let session = house.replayed(id, &body, lines, mark).await?;
        let mut playing = Playing {
            row,
            body,
            session,
            seats: Vec::with_capacity(entries.len()),
            used: [0; 2],
            turns: [0; 2],
            thinking: None,
            programs: Mutex::default(),
            chat_seen,
            marked: 0,
            shown: Mutex::default(),
        };
        playing.marked = playing.session.known_from();
        let mut last: Option<Entry> = None;
        for e in entries {
            playing.note(&e, last.as_ref());
            last = Some(e);
        }
        house.keep_mark(id, &mut playing);
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
        let view = self.any_view();
        Summary {
            n: i64::from(self.session.question_number()),
            step: self.session.steps().len() as i64,
            turn: view.turn,
            date: view.date.clone(),
            asks: self.session.position().asks(),
            outcome: view.outcome.clone(),
            used: self.used,
            turns: self.turns,
        }
    }

    /// The match as a person sees it.
    pub fn view_of(&self, person: Option<&str>, inner_here: &BTreeSet<String>) -> MatchView {
        match_view(&self.row, &self.body, &self.summary(), person, inner_here)
    }

    /// What some eyes see.
    pub fn view(&self, eyes: Eyes) -> Arc<View> {
        let mut shown = self.shown();
        Arc::clone(shown.views.entry(rank(eyes)).or_insert_with(|| Arc::new(self.session.view(eyes))))
    }

    /// A view for what all eyes see alike: the turn, its date, the outcome.
    fn any_view(&self) -> Arc<View> {
        let known = self.shown().views.values().next().cloned();
        known.unwrap_or_else(|| self.view(Eyes::Spectator))
    }

    /// The views of the question now asked; those of an earlier one are let go.
    fn shown(&self) -> MutexGuard<'_, Shown> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let n = self.session.question_number();
        if shown.n != n {
            *shown = Shown { n, views: BTreeMap::new() };
        }
        shown
    }

    /// The programs that sit here and do not think now.
    pub fn programs(&mut self) -> &mut BTreeMap<SeatId, Box<dyn Seated>> {
        self.programs.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the views go; they are made again when someone needs them.
    pub fn forget_views(&self) {
        self.shown().views.clear();
    }

    /// The step after which the enemy's last turn begins, as one of these eyes remembers it.
    pub fn since(&self, eyes: Eyes) -> usize {
        let steps = self.session.steps();
        let Some(last) = steps.last() else { return 0 };
        let own = if let Eyes::Side(side) = eyes { side } else { last.side.foe() };
        if steps.iter().all(|s| s.side == own) {
            return steps.len();
        }
        let phases = |s: &Arc<Step>| s.told.iter().any(|l| matches!(l.key, "phase" | "turn"));
        foes_turn(steps, |s| s.side == own, phases).max(self.session.known_from())
    }
}

/// Where the last turn of the others begins. What they answer within one's own turn, such as a loss or a retreat, is none of
/// theirs: in a turn a phase ends.
fn foes_turn<T>(steps: &[T], mine: impl Fn(&T) -> bool, phases: impl Fn(&T) -> bool) -> usize {
    let mut at = steps.len();
    loop {
        let end = steps[..at].iter().rposition(|s| !mine(s)).map_or(0, |i| i + 1);
        at = steps[..end].iter().rposition(&mine).map_or(0, |i| i + 1);
        if at == 0 || steps[at..end].iter().any(&phases) {
            return at;
        }
    }
}

/// The people who look at a match at this moment.
pub fn here(inner: &Inner) -> BTreeSet<String> {
    inner.viewers.values().filter_map(|v| v.person.clone()).collect()
}

/// Plays a journal of the store again, from a kept position if it fits.
pub(super) fn replay(
    registry: &game::Registry,
    id: &str,
    body: &Body,
    overlay: Option<&Files>,
    lines: &[String],
    mark: Option<&Mark>,
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
    if let Some(mark) = mark {
        match Session::resume_at(game, overlay, id, &reading.journal, secret.as_ref(), mark) {
            Ok(session) => return Ok(session),
            Err(f) => tracing::warn!("match {id} is replayed from its beginning: {f}"),
        }
    }
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
            Holder::Program(p) => ("program", p.id.clone(), true),
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

#[cfg(test)]
mod tests {
    use super::foes_turn;

    /// `m` and `f` are choices of mine and of the foe; a capital ends a phase.
    fn since(game: &str) -> usize {
        let steps: Vec<char> = game.chars().collect();
        foes_turn(&steps, |c| c.eq_ignore_ascii_case(&'m'), |c| c.is_uppercase())
    }

    #[test]
    fn the_foes_turn_stays_the_same_while_i_move_and_he_answers() {
        assert_eq!(since("mmMffF"), 3);
        assert_eq!(since("mmMffFm"), 3);
        assert_eq!(since("mmMffFmfmffm"), 3);
        assert_eq!(since("mmMffFmfMfF"), 9);
        assert_eq!((since(""), since("mm"), since("f"), since("fm")), (0, 0, 0, 0));
    }
}
