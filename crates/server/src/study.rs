//! Looking back: replay, story, statistics, luck, journals out and in, situations.

use crate::body::{Body, Holder, SeatId, Summary, Watching, read_eyes};
use crate::guard::Who;
use crate::live::{Live, Playing};
use crate::message::MatchView;
use crate::overlays::Held;
use crate::store::Entry;
use crate::{Code, Fault, House, chance};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use game::{Deed, Eyes, LineView, LuckLine, LuckSum, Position, Session, Step, View};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use table::Side;

/// The longest journal that is taken in, in bytes.
pub const LONGEST_JOURNAL: usize = 16 << 20;

/// Which moment, and through whose eyes.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
pub struct Moment {
    /// After how many choices; now, if left out.
    #[serde(default)]
    pub step: Option<usize>,
    /// From which step.
    #[serde(default)]
    pub from: Option<usize>,
    /// To which step.
    #[serde(default)]
    pub to: Option<usize>,
    /// `one`, `two`, `spectator` or `referee`; one's own, if left out.
    #[serde(default)]
    pub eyes: Option<String>,
}

/// A moment of a match.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Then {
    /// After how many choices.
    pub step: usize,
    /// How many there are.
    pub steps: usize,
    /// Whose eyes.
    #[schema(value_type = Object)]
    pub eyes: Eyes,
    /// What they saw.
    #[schema(value_type = Object)]
    pub view: View,
    /// The choice that led there, if they may know it.
    pub order: Option<String>,
}

impl House {
    /// Runs something on the play of a match with the eyes that a person may use; it looks back to step `from`.
    async fn study<T: Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        who: &Who,
        eyes: Option<&str>,
        from: usize,
        look: impl FnOnce(&Playing, Eyes) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let eyes = eyes.map(read_eyes).transpose()?;
        let live: Arc<Live> = self.live.open(id);
        let mut inner = Arc::clone(&live).lock_inner().await;
        if let Err(f) = self.load(&mut inner, id).await {
            if inner.viewers.is_empty() {
                self.live.drop_match(id);
            }
            return Err(f);
        }
        if let Some(playing) = &inner.playing {
            // Refused before a long match is replayed for him.
            playing.body.eyes_for(who.person.as_deref(), eyes, playing.over())?;
        }
        self.deepen(&mut inner, id, from).await?;
        let person = who.person.clone();
        // A long game takes a while to look through: not on the thread that serves everyone.
        let looked = tokio::task::spawn_blocking(move || {
            let Some(playing) = inner.playing.as_ref() else {
                return Err(Fault::inside("a match was loaded and is not there"));
            };
            let eyes = playing.body.eyes_for(person.as_deref(), eyes, playing.over())?;
            look(playing, eyes)
        });
        looked.await.map_err(Fault::inside)?
    }
}

/// A moment of a match.
#[utoipa::path(get, path = "/api/matches/{id}/view", params(("id" = String, Path, description = "the match"), Moment),
    responses((status = 200, body = Then)))]
pub async fn view(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    Query(at): Query<Moment>,
    who: Who,
) -> Result<Json<Then>, Fault> {
    let step = at.step;
    let look = move |p: &Playing, eyes: Eyes| {
        let steps = p.session.steps();
        let step = step.unwrap_or(steps.len()).min(steps.len());
        let led = step.checked_sub(1).and_then(|i| steps.get(i)).filter(|s| eyes.sees(s.side));
        Ok(Then {
            step,
            steps: steps.len(),
            eyes,
            view: p.session.position_at(step).view(eyes),
            order: led.map(|s| s.text.clone()),
        })
    };
    Ok(Json(house.study(&id, &who, at.eyes.as_deref(), step.unwrap_or(usize::MAX), look).await?))
}

/// What was told.
#[utoipa::path(get, path = "/api/matches/{id}/story", params(("id" = String, Path, description = "the match"), Moment),
    responses((status = 200, description = "lines of the story", body = Vec<Object>)))]
pub async fn story(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    Query(at): Query<Moment>,
    who: Who,
) -> Result<Json<Vec<LineView>>, Fault> {
    let (from, to) = (at.from.unwrap_or(0), at.to.unwrap_or(usize::MAX));
    let look = move |p: &Playing, eyes: Eyes| Ok(p.session.story(eyes, from, to));
    Ok(Json(house.study(&id, &who, at.eyes.as_deref(), from, look).await?))
}

/// Points of a plot: step, turn, number.
pub type Points = Vec<(usize, u32, f64)>;

/// A track over time.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct TrackSeries {
    /// Its short name.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Whose, if one side's.
    #[schema(value_type = Option<String>)]
    pub side: Option<Side>,
    /// Its points.
    #[schema(value_type = Vec<Vec<f64>>)]
    pub points: Points,
}

/// Something of a side over time.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SideSeries {
    /// Whose.
    #[schema(value_type = String)]
    pub side: Side,
    /// Its points.
    #[schema(value_type = Vec<Vec<f64>>)]
    pub points: Points,
}

/// Figures of a match over time, as far as the eyes may know them.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Stats {
    /// Counts that are kept.
    pub tracks: Vec<TrackSeries>,
    /// Steps lost.
    pub losses: Vec<SideSeries>,
    /// Hexes held.
    pub hexes: Vec<SideSeries>,
}

/// Figures over time.
#[utoipa::path(get, path = "/api/matches/{id}/stats", params(("id" = String, Path, description = "the match"), Moment),
    responses((status = 200, body = Stats)))]
pub async fn stats(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    Query(at): Query<Moment>,
    who: Who,
) -> Result<Json<Stats>, Fault> {
    let look = |p: &Playing, eyes: Eyes| Ok((p.session.position_at(0), p.session.steps().to_vec(), eyes));
    let (start, steps, eyes) = house.study(&id, &who, at.eyes.as_deref(), 0, look).await?;
    // A long match takes seconds to look through: its players go on meanwhile.
    let look = tokio::task::spawn_blocking(move || figures(start, &steps, eyes));
    Ok(Json(look.await.map_err(Fault::inside)?))
}

/// Plays a game again and notes its figures whenever the question goes to the other side, and at the end.
fn figures(mut p: Box<dyn Position>, steps: &[Arc<Step>], eyes: Eyes) -> Stats {
    let mut tracks: BTreeMap<String, TrackSeries> = BTreeMap::new();
    let mut losses = Side::BOTH.map(|side| SideSeries { side, points: Vec::new() });
    let mut hexes = Side::BOTH.map(|side| SideSeries { side, points: Vec::new() });
    let mut strengths = Strengths::default();
    for step in 0..=steps.len() {
        let made = step.checked_sub(1).map(|i| &steps[i]);
        if let Some(s) = made {
            p.apply(s.choice, &mut game::Replay::new(&s.rolls), &mut game::Quiet);
        }
        let turns = step == 0 || step == steps.len() || steps[step].side != steps[step - 1].side;
        // A choice that told nothing and threw nothing took no step from anybody.
        if !turns && made.is_some_and(|s| s.told.is_empty() && s.rolls.is_empty()) {
            continue;
        }
        let v = p.view(eyes);
        strengths.see(&v);
        if !turns {
            continue;
        }
        for t in &v.tracks {
            let series = tracks.entry(t.id.clone()).or_insert_with(|| TrackSeries {
                id: t.id.clone(),
                name: t.name.clone(),
                side: t.side,
                points: Vec::new(),
            });
            series.points.push((step, v.turn, t.number));
        }
        let held = holding(&v);
        for side in Side::BOTH {
            let i = side.ix();
            losses[i].points.push((step, v.turn, strengths.lost[i] as f64));
            hexes[i].points.push((step, v.turn, held[i] as f64));
        }
    }
    Stats { tracks: tracks.into_values().collect(), losses: losses.into(), hexes: hexes.into() }
}

/// The steps of each unit as they were last seen, and what each side lost of them. What is rebuilt is no loss undone:
/// it may be lost again.
#[derive(Default)]
struct Strengths {
    seen: BTreeMap<String, u8>,
    lost: [u64; 2],
}

impl Strengths {
    fn see(&mut self, v: &View) {
        let units = v.stacks.iter().flat_map(|s| &s.units).chain(v.boxes.iter().flat_map(|b| &b.units));
        // Steps that these eyes do not know are written as none at full strength.
        for u in units.filter(|u| u.steps.1 > 0) {
            match self.seen.get_mut(&u.code) {
                Some(was) => {
                    self.lost[u.side.ix()] += u64::from(was.saturating_sub(u.steps.0));
                    *was = u.steps.0;
                }
                None => {
                    self.seen.insert(u.code.clone(), u.steps.0);
                }
            }
        }
    }
}

/// Hexes of each side: those its stacks stand on and places it controls.
fn holding(v: &View) -> [usize; 2] {
    let mut held: [BTreeSet<&str>; 2] = Default::default();
    for c in &v.control {
        held[c.side.ix()].insert(&c.hex);
    }
    for s in &v.stacks {
        held[s.side.ix()].insert(&s.hex);
        held[s.side.foe().ix()].remove(s.hex.as_str());
    }
    held.map(|h| h.len())
}

/// The luck of a match.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LuckDoc {
    /// The sum of each side.
    #[schema(value_type = Vec<Object>)]
    pub sides: Vec<LuckSum>,
    /// Every throw.
    #[schema(value_type = Vec<Object>)]
    pub lines: Vec<LuckLine>,
}

/// The luck ledger.
#[utoipa::path(get, path = "/api/matches/{id}/luck", params(("id" = String, Path, description = "the match"), Moment),
    responses((status = 200, body = LuckDoc)))]
pub async fn luck(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    Query(at): Query<Moment>,
    who: Who,
) -> Result<Json<LuckDoc>, Fault> {
    let look = |p: &Playing, eyes: Eyes| {
        let (lines, sides) = p.session.luck(eyes);
        Ok(LuckDoc { sides: sides.into(), lines })
    };
    Ok(Json(house.study(&id, &who, at.eyes.as_deref(), 0, look).await?))
}

fn download(name: &str, text: String) -> Response {
    let head = [
        (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (head, text).into_response()
}

/// The journal, as far as one may know it: whole after the end.
#[utoipa::path(get, path = "/api/matches/{id}/journal", params(("id" = String, Path, description = "the match"), Moment),
    responses((status = 200, description = "the journal as text", body = String)))]
pub async fn journal(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    Query(at): Query<Moment>,
    who: Who,
) -> Result<Response, Fault> {
    let whole = |p: &Playing, eyes: Eyes| {
        // After the end everyone has the referee's eyes; who plays both sides in the open has them too.
        let eyes = if p.over() { Eyes::Referee } else { eyes };
        Ok(p.session.journal_for(eyes))
    };
    let text = house.study(&id, &who, at.eyes.as_deref(), usize::MAX, whole).await?;
    Ok(download(&format!("{id}.verst"), text))
}

/// A situation file of a moment; only for eyes that may see everything.
#[utoipa::path(get, path = "/api/matches/{id}/situation", params(("id" = String, Path, description = "the match"), Moment),
    responses((status = 200, description = "a situation as TOML", body = String)))]
pub async fn situation(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    Query(at): Query<Moment>,
    who: Who,
) -> Result<Response, Fault> {
    let (step, there) = (at.step, Arc::clone(&house));
    let write = move |p: &Playing, _: Eyes| {
        let game = there.registry.find(&p.body.game).map_err(Fault::unknown)?;
        let position = p.session.position_at(step.unwrap_or(usize::MAX));
        let none = || Fault::unknown("this game cannot write this moment as a situation");
        let mut table = game.describe(&*position).ok_or_else(none)?;
        table.insert("game".into(), p.body.game.clone().into());
        table.insert("scenario".into(), p.body.terms.scenario.clone().into());
        toml::to_string(&table).map_err(Fault::inside)
    };
    let text = house.study(&id, &who, Some("referee"), at.step.unwrap_or(usize::MAX), write).await?;
    Ok(download(&format!("{id}.toml"), text))
}

/// Takes a journal in as a match of one's own: to go on with, or to study.
#[utoipa::path(post, path = "/api/matches/import", request_body = String, responses((status = 200, body = MatchView)))]
pub async fn import(
    State(house): State<Arc<House>>,
    who: Who,
    text: String,
) -> Result<Json<MatchView>, Fault> {
    let person = who.id()?.to_owned();
    house.may_found(&person)?;
    let name = who.name.clone();
    let there = Arc::clone(&house);
    let parse =
        move || game::read_journal("journal", text.as_bytes()).map_err(|d| Fault::malformed(d.to_string()));
    let journal = tokio::task::spawn_blocking(parse).await.map_err(Fault::inside)??.journal;
    let overlay = match &journal.header.terms.overlay {
        Some(digest) => Some(house.overlay(digest).await?),
        None => None,
    };
    let held = overlay.clone();
    let read = tokio::task::spawn_blocking(move || read_in(&there, &person, &name, &journal, held.as_ref()));
    let (body, summary, entries, over) = read.await.map_err(Fault::inside)??;
    if let Some(o) = &overlay {
        house.store.keep_overlay(&o.digest, &o.texts).await?;
    }
    Ok(Json(crate::matches::keep(&house, &body, &summary, &entries, over, &who).await?))
}

type ReadIn = (Body, Summary, Vec<Entry>, bool);

fn read_in(
    house: &House,
    person: &str,
    name: &str,
    journal: &game::Journal,
    overlay: Option<&Held>,
) -> Result<ReadIn, Fault> {
    let bad = |why: String| Fault::new(Code::Malformed, why);
    let files = overlay.map(|o| &o.files);
    let game = house.registry.find(&journal.header.game).map_err(Fault::unknown)?;
    let session = Session::load(game, files, "journal", journal, None).map_err(|f| bad(f.to_string()))?;
    let now = chance::now();
    let mut last = Side::One;
    let entries: Vec<Entry> = journal
        .entries()
        .iter()
        .map(|e| {
            last = e.side.unwrap_or(last);
            let seat = SeatId::senior(last).to_string();
            Entry { n: i64::from(e.number), seat, body: journal.line(e), at: now }
        })
        .collect();
    let me = Holder::Person { id: person.to_owned(), name: name.to_owned() };
    let info = game.info();
    let body = Body {
        title: format!("{}: {} (imported)", info.name, journal.header.terms.scenario),
        game: journal.header.game.clone(),
        terms: journal.header.terms.clone(),
        overlay_name: overlay.map(|o| o.name.clone()),
        words: journal.header.words.clone(),
        secret: published(journal).unwrap_or_default(),
        owner: person.to_owned(),
        seats: Side::BOTH.into_iter().map(|s| (SeatId::senior(s), me.clone())).collect(),
        handover: false,
        watch: Watching::Link,
        watchers: BTreeSet::new(),
        clock: None,
        flag: None,
        rematch: None,
        imported: Some(journal.head()),
    };
    let view = session.view(Eyes::Spectator);
    let summary = Summary {
        n: i64::from(session.question_number()),
        step: session.steps().len() as i64,
        turn: view.turn,
        date: view.date,
        asks: session.position().asks(),
        outcome: view.outcome,
        ..Summary::default()
    };
    Ok((body, summary, entries, session.is_over()))
}

fn published(journal: &game::Journal) -> Option<String> {
    journal.entries().iter().find_map(|e| match &e.deed {
        Deed::Secret(s) => Some(s.to_hex()),
        _ => None,
    })
}
