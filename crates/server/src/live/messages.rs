//! What each viewer is told of a change: one message for all who look with the same eyes from the same seats.

use super::playing::{Playing, here, rank};
use super::{Inner, Viewer};
use crate::House;
use crate::body::{Holder, SeatId};
use crate::message::{ChatView, MatchView, Now, State, Told, Update, Waits};
use crate::patch::Patch;
use crate::store::ChatRow;
use axum::extract::ws::Utf8Bytes;
use game::{AskView, Eyes, View};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use table::Side;

/// The views of all who look, before something changes.
pub struct Before {
    views: BTreeMap<u8, (Eyes, Arc<View>)>,
    n: u32,
    step: usize,
}

impl Before {
    /// As matters stand now.
    pub fn of(inner: &Inner, playing: &Playing) -> Before {
        let mut views = BTreeMap::new();
        for eyes in inner.viewers.values().filter_map(|v| v.eyes) {
            views.entry(rank(eyes)).or_insert_with(|| (eyes, playing.view(eyes)));
        }
        Before { views, n: playing.session.question_number(), step: playing.session.steps().len() }
    }

    /// Who looks.
    pub fn eyes(&self) -> impl Iterator<Item = Eyes> {
        self.views.values().map(|(eyes, _)| *eyes)
    }
}

impl Playing {
    /// The question as a viewer with these seats sees it: with its choices if his side is asked.
    fn ask(&self, eyes: Eyes, seats: &[SeatId]) -> Option<AskView> {
        let Eyes::Side(side) = eyes else { return None };
        let position = self.session.position();
        if self.over() || position.asks() != Some(side) {
            return None;
        }
        if !self.body.seats.keys().any(|s| s.side == side && s.command > 0) {
            return self.session.ask_folded(eyes);
        }
        let mut ask = self.session.ask(eyes, None)?;
        let choices = self.session.choices();
        for (shown, choice) in ask.choices.iter_mut().zip(&choices) {
            shown.mine = seats.contains(&self.body.seat_for(side, position.command(choice)));
        }
        Some(ask)
    }

    /// Who is waited for by those who are not asked.
    fn waits(&self, eyes: Eyes) -> Option<Waits> {
        let side = self.session.position().asks().filter(|_| !self.over())?;
        if eyes == Eyes::Side(side) {
            return None;
        }
        let names = self.body.seats.iter().filter(|(s, _)| s.side == side).filter_map(|(_, h)| match h {
            Holder::Open => None,
            Holder::Person { name, .. } => Some(name.clone()),
            Holder::Program(p) => Some(p.id.clone()),
        });
        Some(Waits { side, seat_names: names.collect() })
    }

    /// What goes with every state and update; the story begins after `from` choices.
    fn now(&self, eyes: Eyes, seats: &[SeatId], from: usize) -> Now {
        let undo = match eyes {
            Eyes::Side(side) if !self.over() => self.session.undo_list(side),
            _ => Vec::new(),
        };
        // The question comes with its forecast, which is reckoned once and told beside it.
        let mut ask = self.ask(eyes, seats);
        let forecast = match &mut ask {
            Some(ask) => ask.forecast.take(),
            None => self.session.position().forecast(eyes),
        };
        Now {
            ask,
            waits: self.waits(eyes),
            story: self.session.story(eyes, from, usize::MAX),
            undo,
            forecast,
        }
    }

    /// The side that must take a hotseat before it goes on, if one must.
    pub fn handover(&self, v: &Viewer) -> Option<Side> {
        let asked = self.session.position().asks().filter(|_| !self.over())?;
        (self.body.handover && v.hotseat() && v.side() != Some(asked)).then_some(asked)
    }
}

impl Inner {
    /// Without a hand-over the eyes of a hotseat follow the question.
    pub fn follow_the_question(&mut self) {
        let Some(playing) = self.playing.as_ref().filter(|p| !p.body.handover) else { return };
        let Some(asked) = playing.session.position().asks() else { return };
        for v in self.viewers.values_mut().filter(|v| v.hotseat()) {
            v.eyes = Some(Eyes::Side(asked));
        }
    }
}

impl House {
    /// Everything, for one viewer.
    pub async fn state(
        &self,
        inner: &Inner,
        viewer: u64,
        id: &Value,
        since: Option<usize>,
    ) -> Option<String> {
        let (v, playing) = (inner.viewers.get(&viewer)?, inner.playing.as_ref()?);
        let chat = self.store.chat(&playing.row.id, 0).await.unwrap_or_default();
        let of = playing.view_of(v.person.as_deref(), &here(inner));
        let desk = self.desks.one().await;
        Some(desk.run(|| stated(v, playing, of, &chat, id, since)))
    }

    /// Tells every viewer what changed.
    pub async fn broadcast(&self, inner: &mut Inner, before: &Before, by: Option<Side>) {
        let desk = self.desks.one().await;
        let Some(letters) = desk.run(|| Letters::of(inner, before, by)) else { return };
        for (id, text) in letters.out {
            inner.tell(id, text);
        }
        inner.follow_the_question();
        for id in letters.anew {
            if let Some(text) = self.state(inner, id, &Value::Null, None).await {
                inner.tell(id, text);
            }
        }
    }

    /// Shows everyone everything anew.
    pub async fn broadcast_states(&self, inner: &mut Inner) {
        inner.follow_the_question();
        for id in inner.viewers.keys().copied().collect::<Vec<_>>() {
            if let Some(text) = self.state(inner, id, &Value::Null, None).await {
                inner.tell(id, text);
            }
        }
    }

    /// Tells every viewer of the match itself: seats, presence, clock.
    pub fn broadcast_match(&self, inner: &mut Inner) {
        let here = here(inner);
        let Some(playing) = inner.playing.as_ref() else { return };
        let mut texts: BTreeMap<Option<String>, Utf8Bytes> = BTreeMap::new();
        let mut out = Vec::new();
        for (&id, v) in &inner.viewers {
            let text = texts.entry(v.person.clone()).or_insert_with(|| {
                Told::Match { of: Box::new(playing.view_of(v.person.as_deref(), &here)) }.text().into()
            });
            out.push((id, text.clone()));
        }
        for (id, text) in out {
            inner.tell(id, text);
        }
    }
}

/// Everything, as a viewer is told it.
fn stated(
    v: &Viewer,
    playing: &Playing,
    of: MatchView,
    chat: &[ChatRow],
    id: &Value,
    since: Option<usize>,
) -> String {
    let sides = v.sides();
    let eyes = v.eyes.unwrap_or(Eyes::Spectator);
    let since = since.unwrap_or_else(|| playing.since(eyes)).min(playing.session.steps().len());
    let shown = v.eyes.is_some();
    let view = v.eyes.map(|e| playing.view(e));
    let state = State {
        id,
        n: playing.session.question_number(),
        step: playing.session.steps().len(),
        eyes,
        of,
        view: view.as_deref(),
        handover: playing.handover(v),
        chat: chat.iter().filter_map(|c| ChatView::of(c, &sides)).collect(),
        since: shown.then_some(since),
        now: if shown { playing.now(eyes, &v.seats, since) } else { Now::default() },
    };
    Told::State(Box::new(state)).text()
}

/// What a change has to be told to whom.
struct Letters {
    /// A text for each viewer.
    out: Vec<(u64, Utf8Bytes)>,
    /// Those who must be shown everything anew.
    anew: Vec<u64>,
}

impl Letters {
    /// Written once for all who look with the same eyes from the same seats; `None` without a play.
    fn of(inner: &Inner, before: &Before, by: Option<Side>) -> Option<Letters> {
        let playing = inner.playing.as_ref()?;
        let n = playing.session.question_number();
        let step = playing.session.steps().len();
        let asked = playing.session.position().asks();
        let mut patches: BTreeMap<u8, Patch> = BTreeMap::new();
        let mut texts: BTreeMap<(u8, Vec<SeatId>), Utf8Bytes> = BTreeMap::new();
        let (mut out, mut anew) = (Vec::new(), Vec::new());
        for (&id, v) in &inner.viewers {
            let Some(eyes) = v.eyes else {
                out.extend(asked.map(|to| (id, Told::Handover { n, to }.text().into())));
                continue;
            };
            // Without a hand-over the eyes of a hotseat follow the question.
            if v.hotseat() && !playing.body.handover && asked.is_some() && v.side() != asked {
                anew.push(id);
                continue;
            }
            let Some((_, old)) = before.views.get(&rank(eyes)) else {
                anew.push(id);
                continue;
            };
            let text = texts.entry((rank(eyes), v.seats.clone())).or_insert_with(|| {
                let patch =
                    patches.entry(rank(eyes)).or_insert_with(|| Patch::between(old, &playing.view(eyes)));
                let now = playing.now(eyes, &v.seats, before.step.min(step));
                Told::Update(Box::new(Update {
                    from: before.n,
                    n,
                    step,
                    patch,
                    by,
                    since: playing.since(eyes),
                    now,
                }))
                .text()
                .into()
            });
            out.push((id, text.clone()));
            if let Some(to) = playing.handover(v) {
                out.push((id, Told::Handover { n, to }.text().into()));
            }
        }
        Some(Letters { out, anew })
    }
}
