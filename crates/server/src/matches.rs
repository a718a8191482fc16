//! Making, finding and leaving matches.

use crate::body::{Body, ClockTerms, Holder, Program, SeatId, Summary, Watching, no_match};
use crate::guard::{From, Who};
use crate::live::match_view;
use crate::message::MatchView;
use crate::opponent::LONGEST_THOUGHT;
use crate::overlays::{Held, OverlayChoice};
use crate::store::{Invite, MatchRow};
use crate::{Code, Fault, House, chance};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use game::{DiceFrom, Header, Secret, Session, Terms};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Who shall sit on a seat of a new match.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NewHolder {
    /// The one who makes it.
    Me,
    /// Whoever is invited.
    Open,
    /// A program: its id, or `{id, seconds}`.
    #[schema(value_type = Object)]
    Program(Program),
}

/// A match to be made.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
pub struct NewMatch {
    /// The game.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// Options that differ from their defaults.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The overlay, if one is laid over our data.
    #[serde(default)]
    pub overlay: Option<OverlayChoice>,
    /// What it shall be called.
    #[serde(default)]
    pub title: Option<String>,
    /// Who sits where; sides left out are open.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub seats: BTreeMap<SeatId, NewHolder>,
    /// Whether a hotseat hands the screen over.
    #[serde(default = "yes")]
    pub handover: bool,
    /// Who may look on.
    #[serde(default)]
    pub watch: Watching,
    /// The clock.
    #[serde(default)]
    pub clock: Option<ClockTerms>,
    /// A word for the dice.
    #[serde(default)]
    pub word: String,
}

fn yes() -> bool {
    true
}

/// One's matches, those that wait first.
#[utoipa::path(get, path = "/api/matches", responses((status = 200, body = Vec<MatchView>)))]
pub async fn list(State(house): State<Arc<House>>, who: Who) -> Result<Json<Vec<MatchView>>, Fault> {
    let person = who.id()?;
    let rows = house.store.matches_of(person).await?;
    let mut all: Vec<MatchView> = rows.iter().filter_map(|r| stored_view(r, person)).collect();
    all.sort_by_key(|m| (!m.waiting, m.outcome.is_some(), -m.turned));
    Ok(Json(all))
}

fn stored_view(row: &MatchRow, person: &str) -> Option<MatchView> {
    let read = |e: &serde_json::Error| tracing::error!("match {} cannot be read: {e}", row.id);
    let body: Body = serde_json::from_str(&row.body).inspect_err(read).ok()?;
    let summary: Summary = serde_json::from_str(&row.summary).inspect_err(read).ok()?;
    Some(match_view(row, &body, &summary, Some(person), &BTreeSet::new()))
}

/// Makes a match.
#[utoipa::path(post, path = "/api/matches", request_body = NewMatch, responses((status = 200, body = MatchView)))]
pub async fn create(
    State(house): State<Arc<House>>,
    who: Who,
    From(from): From,
    Json(new): Json<NewMatch>,
) -> Result<Json<MatchView>, Fault> {
    let person = who.id()?.to_owned();
    house.may_found(&person)?;
    let game = house.registry.find(&new.game).map_err(Fault::unknown)?;
    let info = game.info();
    let scenario = info.scenarios.iter().find(|s| s.id == new.scenario);
    let title = match new.title.as_deref().map(str::trim) {
        Some(t) if !t.is_empty() => t.chars().filter(|c| !c.is_control()).take(100).collect(),
        _ => format!("{}: {}", info.name, scenario.map_or(new.scenario.as_str(), |s| s.name.as_str())),
    };
    let mut seats = BTreeMap::new();
    for side in table::Side::BOTH {
        seats.insert(SeatId::senior(side), Holder::Open);
    }
    for (seat, holder) in &new.seats {
        if usize::from(seat.command) >= info.sides[seat.side.ix()].commands.len().max(1) {
            return Err(Fault::malformed(format!("the game has no seat '{seat}'")));
        }
        seats.insert(*seat, new_holder(&house, &who, holder)?);
    }
    if let Some(clock) = new.clock
        && !(1..=100_000).contains(&clock.minutes)
    {
        return Err(Fault::malformed("a clock has 1 to 100000 minutes"));
    }
    let overlay = match &new.overlay {
        Some(choice) => Some(house.chosen_overlay(&new.game, choice, from).await?),
        None => None,
    };
    let digest = overlay.as_ref().map(|o| o.digest.clone());
    let body = Body {
        title,
        game: new.game.clone(),
        terms: Terms { scenario: new.scenario, options: new.options, overlay: digest },
        overlay_name: overlay.as_ref().map(|o| o.name.clone()),
        words: [Header::word(&new.word), String::new()],
        secret: Secret::fresh().map_err(Fault::inside)?.to_hex(),
        owner: person,
        seats,
        handover: new.handover,
        watch: new.watch,
        watchers: BTreeSet::new(),
        clock: new.clock,
        flag: None,
        rematch: None,
        imported: None,
    };
    Ok(Json(found(&house, body, overlay, &who).await?))
}

fn new_holder(house: &House, who: &Who, holder: &NewHolder) -> Result<Holder, Fault> {
    Ok(match holder {
        NewHolder::Open => Holder::Open,
        NewHolder::Me => Holder::Person { id: who.id()?.to_owned(), name: who.name.clone() },
        NewHolder::Program(Program { id, seconds }) => {
            if seconds.is_some_and(|s| !(1..=LONGEST_THOUGHT).contains(&s)) {
                return Err(Fault::malformed(format!(
                    "a program has 1 to {LONGEST_THOUGHT} seconds for a choice"
                )));
            }
            if house.opponents.find(id).is_none() {
                let all: Vec<_> = house.opponents.all().into_iter().map(|o| o.id).collect();
                return Err(Fault::unknown(format!(
                    "there is no program '{id}'; expected one of {}",
                    all.join(", ")
                )));
            }
            Holder::Program(Program { id: id.clone(), seconds: *seconds })
        }
    })
}

/// Founds a match: its terms are tried by starting the game, then it is stored.
async fn found(house: &Arc<House>, body: Body, overlay: Option<Held>, who: &Who) -> Result<MatchView, Fault> {
    let (there, trial) = (Arc::clone(house), body.clone());
    let files = overlay.as_ref().map(|o| o.files.clone());
    let begun = tokio::task::spawn_blocking(move || {
        let game = there.registry.find(&trial.game).map_err(Fault::unknown)?;
        let secret = Secret::from_hex(&trial.secret).map_err(Fault::inside)?;
        let dice = DiceFrom::Fair { secret, words: trial.words.clone() };
        let session = Session::start(game, &trial.terms, files.as_ref(), dice)
            .map_err(|faults| Fault::malformed(faults.to_string()))?;
        let view = session.view(game::Eyes::Spectator);
        Ok::<_, Fault>(Summary {
            n: 1,
            turn: view.turn,
            date: view.date,
            asks: session.position().asks(),
            ..Summary::default()
        })
    });
    let summary = begun.await.map_err(Fault::inside)??;
    if let Some(o) = &overlay {
        house.store.keep_overlay(&o.digest, &o.texts).await?;
    }
    keep(house, &body, &summary, &[], false, who).await
}

/// Stores a match with what was played of it already.
pub async fn keep(
    house: &House,
    body: &Body,
    summary: &Summary,
    entries: &[crate::store::Entry],
    over: bool,
    who: &Who,
) -> Result<MatchView, Fault> {
    let now = chance::now();
    let row = MatchRow {
        id: chance::id()?,
        version: 1,
        made: now,
        turned: now,
        over,
        body: serde_json::to_string(body).map_err(Fault::inside)?,
        summary: serde_json::to_string(summary).map_err(Fault::inside)?,
    };
    house.store.add_match(&row, &body.members(), entries).await?;
    Ok(match_view(&row, body, summary, who.person.as_deref(), &BTreeSet::new()))
}

/// One match.
#[utoipa::path(get, path = "/api/matches/{id}", params(("id" = String, Path, description = "the match")),
    responses((status = 200, body = MatchView)))]
pub async fn get(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Json<MatchView>, Fault> {
    Ok(Json(house.match_of(&id, &who).await?))
}

/// Removes a match.
#[utoipa::path(delete, path = "/api/matches/{id}", params(("id" = String, Path, description = "the match")),
    responses((status = 204)))]
pub async fn remove(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<StatusCode, Fault> {
    let person = who.id()?.to_owned();
    let row = house.store.find_match(&id).await?.ok_or_else(no_match)?;
    let body: Body = serde_json::from_str(&row.body).map_err(Fault::inside)?;
    if !body.may_see(Some(&person)) {
        return Err(no_match());
    }
    if body.owner != person {
        return Err(Fault::forbidden("only the one who made a match may remove it"));
    }
    let others = body.seats.values().any(|h| matches!(h, Holder::Person { id, .. } if *id != person));
    if others && !row.over && body.flag.is_none() {
        return Err(Fault::forbidden("others play in this match; it can be removed when it is over"));
    }
    house.store.drop_match(&id).await?;
    if let Some(live) = house.live.find(&id) {
        let mut inner = live.inner.lock().await;
        inner.viewers.clear();
        inner.playing = None;
    }
    house.live.drop_match(&id);
    Ok(StatusCode::NO_CONTENT)
}

/// A seat to be offered.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct Offer {
    /// The seat, or `watch`.
    pub seat: String,
}

/// A link that gives a seat.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Link {
    /// Where it leads.
    pub link: String,
    /// Its token.
    pub token: String,
}

/// Offers a seat by a link.
#[utoipa::path(post, path = "/api/matches/{id}/invite", request_body = Offer,
    params(("id" = String, Path, description = "the match")), responses((status = 200, body = Link)))]
pub async fn invite(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    who: Who,
    Json(offer): Json<Offer>,
) -> Result<Json<Link>, Fault> {
    let person = who.id()?;
    let row = house.store.find_match(&id).await?.ok_or_else(no_match)?;
    let body: Body = serde_json::from_str(&row.body).map_err(Fault::inside)?;
    if body.owner != person && body.seats_of(Some(person)).is_empty() {
        return Err(no_match());
    }
    if offer.seat == "watch" {
        if body.watch == Watching::None {
            return Err(Fault::forbidden("nobody may look on in this match"));
        }
    } else {
        match body.seats.get(&SeatId::read(&offer.seat)?) {
            Some(Holder::Open) => {}
            Some(_) => return Err(Fault::new(Code::Stale, "that seat is taken")),
            None => return Err(Fault::unknown(format!("this match has no seat '{}'", offer.seat))),
        }
    }
    let token = chance::token()?;
    house.store.add_invite(&token, &Invite { match_id: id, seat: offer.seat }, chance::now()).await?;
    Ok(Json(Link { link: format!("/join/{token}"), token }))
}

/// What one brings to a seat.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
pub struct Joining {
    /// A word for the dice; it counts when nothing was played yet.
    #[serde(default)]
    pub word: String,
}

/// Takes the seat that a link offers.
#[utoipa::path(post, path = "/api/join/{token}", request_body = Option<Joining>,
    params(("token" = String, Path, description = "from the link")), responses((status = 200, body = MatchView)))]
pub async fn join(
    State(house): State<Arc<House>>,
    Path(token): Path<String>,
    who: Who,
    joining: Option<Json<Joining>>,
) -> Result<Json<MatchView>, Fault> {
    let person = who.id()?.to_owned();
    let unknown = || Fault::unknown("this invitation is not valid any more");
    let invite = house.store.invite(&token).await?.ok_or_else(unknown)?;
    let word = joining.map(|j| Header::word(&j.0.word)).unwrap_or_default();
    let name = who.name.clone();
    house
        .change_body(&invite.match_id, |body, playing| {
            if invite.seat == "watch" {
                body.watchers.insert(person.clone());
                return Ok(());
            }
            let seat = SeatId::read(&invite.seat)?;
            let holder = body.seats.get_mut(&seat).ok_or_else(unknown)?;
            match holder {
                Holder::Person { id, .. } if *id == person => return Ok(()),
                Holder::Open => *holder = Holder::Person { id: person.clone(), name: name.clone() },
                _ => return Err(Fault::new(Code::Stale, "that seat was taken by someone else")),
            }
            // The second player's word enters the dice before the first of them is thrown.
            let fresh = playing.session.question_number() == 1;
            if fresh && !word.is_empty() && body.words[seat.side.ix()].is_empty() {
                body.words[seat.side.ix()] = word.clone();
            }
            Ok(())
        })
        .await?;
    if !word.is_empty() {
        // The dice of a match not yet begun change with the word: it is read anew.
        if let Some(live) = house.live.find(&invite.match_id) {
            let mut inner = live.inner.lock().await;
            if inner.playing.as_ref().is_some_and(|p| p.session.question_number() == 1) {
                inner.playing = None;
                house.load(&mut inner, &invite.match_id).await?;
            }
        }
    }
    Ok(Json(house.match_of(&invite.match_id, &who).await?))
}

/// How to play again.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
pub struct Again {
    /// Whether sides are changed.
    #[serde(default)]
    pub swap: bool,
}

/// Plays again: the same terms and people.
#[utoipa::path(post, path = "/api/matches/{id}/rematch", request_body = Again,
    params(("id" = String, Path, description = "the match")), responses((status = 200, body = MatchView)))]
pub async fn rematch(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    who: Who,
    Json(again): Json<Again>,
) -> Result<Json<MatchView>, Fault> {
    let person = who.id()?;
    let row = house.store.find_match(&id).await?.ok_or_else(no_match)?;
    let old: Body = serde_json::from_str(&row.body).map_err(Fault::inside)?;
    if old.seats_of(Some(person)).is_empty() {
        return Err(no_match());
    }
    if !row.over && old.flag.is_none() {
        return Err(Fault::new(Code::Stale, "the match is not over yet"));
    }
    if let Some(next) = &old.rematch {
        return Ok(Json(house.match_of(next, &who).await?));
    }
    let turned =
        |seat: &SeatId| SeatId { side: if again.swap { seat.side.foe() } else { seat.side }, ..*seat };
    // Commands differ between the sides, so only the senior seats change places.
    let seats = old.seats.iter().filter(|(s, _)| !again.swap || s.command == 0);
    let body = Body {
        seats: seats.map(|(s, h)| (turned(s), h.clone())).collect(),
        secret: Secret::fresh().map_err(Fault::inside)?.to_hex(),
        words: Default::default(),
        flag: None,
        rematch: None,
        imported: None,
        owner: person.to_owned(),
        ..old
    };
    let overlay = match &body.terms.overlay {
        Some(digest) => Some(house.overlay(digest).await?),
        None => None,
    };
    let made = found(&house, body, overlay, &who).await?;
    let next = made.id.clone();
    house
        .change_body(&id, |body, _| {
            body.rematch.get_or_insert_with(|| next.clone());
            Ok(())
        })
        .await?;
    Ok(Json(made))
}

/// Private notes.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Notes {
    /// What they say.
    pub text: String,
}

/// One's notes on a match.
#[utoipa::path(get, path = "/api/matches/{id}/notes", params(("id" = String, Path, description = "the match")),
    responses((status = 200, body = Notes)))]
pub async fn notes(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    who: Who,
) -> Result<Json<Notes>, Fault> {
    house.match_of(&id, &who).await?;
    Ok(Json(Notes { text: house.store.notes(&id, who.id()?).await? }))
}

/// Keeps one's notes on a match.
#[utoipa::path(put, path = "/api/matches/{id}/notes", request_body = Notes,
    params(("id" = String, Path, description = "the match")), responses((status = 200, body = Notes)))]
pub async fn keep_notes(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    who: Who,
    Json(notes): Json<Notes>,
) -> Result<Json<Notes>, Fault> {
    if notes.text.len() > 100_000 {
        return Err(Fault::new(Code::TooLarge, "notes have at most 100000 characters"));
    }
    house.match_of(&id, &who).await?;
    house.store.keep_notes(&id, who.id()?, &notes.text).await?;
    Ok(Json(notes))
}

impl House {
    /// A match as a person may see it.
    pub async fn match_of(&self, id: &str, who: &Who) -> Result<MatchView, Fault> {
        let row = self.store.find_match(id).await?.ok_or_else(no_match)?;
        let body: Body = serde_json::from_str(&row.body).map_err(Fault::inside)?;
        if !body.may_see(who.person.as_deref()) {
            return Err(no_match());
        }
        let summary: Summary = serde_json::from_str(&row.summary).map_err(Fault::inside)?;
        let here = match self.live.find(id) {
            Some(live) => {
                let inner = live.inner.lock().await;
                inner.viewers.values().filter_map(|v| v.person.clone()).collect()
            }
            None => BTreeSet::new(),
        };
        Ok(match_view(&row, &body, &summary, who.person.as_deref(), &here))
    }
}
