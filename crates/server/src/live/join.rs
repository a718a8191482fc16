//! Coming and going.

use super::{Inner, Live, Viewer, WAITING};
use crate::body::no_match;
use crate::guard::Who;
use crate::store::digest;
use crate::{Fault, House};
use axum::extract::ws::Utf8Bytes;
use game::Eyes;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The most connections to one match.
const MOST_VIEWERS: usize = 1_000;

impl House {
    /// Adds a viewer and tells him everything; what follows comes through the receiver.
    pub async fn connect(
        self: &Arc<Self>,
        id: &str,
        who: &Who,
        since: Option<usize>,
    ) -> Result<(Arc<Live>, u64, mpsc::Receiver<Utf8Bytes>), Fault> {
        let live = self.live.open(id);
        let number = self.live.number();
        let (send, receive) = mpsc::channel(WAITING);
        let mut inner = live.inner.lock().await;
        if let Some(since) = since {
            self.deepen(&mut inner, id, since).await?;
        }
        let full = inner.viewers.len() >= MOST_VIEWERS;
        let playing = match self.load(&mut inner, id).await {
            Ok(p) => p,
            Err(f) => {
                if inner.viewers.is_empty() {
                    self.live.drop_match(id);
                }
                return Err(f);
            }
        };
        let person = who.person.as_deref();
        if !playing.body.may_see(person) {
            return Err(no_match());
        }
        if full {
            return Err(Fault::new(
                crate::Code::TooMany,
                "too many people look at this match; come back later",
            ));
        }
        let seats = playing.body.seats_of(person);
        let login = who.login.as_deref().map(digest);
        let (person, name) = (who.person.clone(), who.name.clone());
        let mut v = Viewer { person, name, login, seats, eyes: None, send };
        let asked = playing.session.position().asks();
        v.eyes = match v.sides()[..] {
            [] => Some(Eyes::Spectator),
            [side] => Some(Eyes::Side(side)),
            // At a hotseat nobody knows yet who sits there, unless it makes no difference.
            _ if playing.over() => Some(Eyes::Referee),
            _ if playing.body.handover => None,
            _ => Some(asked.map_or(Eyes::Referee, Eyes::Side)),
        };
        inner.viewers.insert(number, v);
        if let Some(text) = self.state(&inner, number, &Value::Null, since).await {
            inner.tell(number, text);
        }
        self.broadcast_match(&mut inner);
        drop(inner);
        self.stir(&live).await;
        Ok((live, number, receive))
    }

    /// Removes a viewer.
    pub async fn disconnect(&self, live: &Arc<Live>, viewer: u64) {
        let mut inner = live.inner.lock().await;
        inner.viewers.remove(&viewer);
        live.touch();
        if !inner.viewers.is_empty()
            && let Err(f) = self.load(&mut inner, &live.id).await
        {
            tracing::warn!("match {} could not be loaded: {}", live.id, f.why);
        }
        self.broadcast_match(&mut inner);
    }

    /// Closes every connection that a login opened: who signs out is out everywhere.
    pub async fn signed_out(&self, login: &str) {
        for live in self.live.all() {
            // Without its sender a connection ends by itself, and says goodbye as any other does.
            live.inner.lock().await.viewers.retain(|_, v| v.login.as_deref() != Some(login));
        }
    }

    /// Closes the connections of logins that no longer stand; asked when a notice of that may have been missed.
    pub(super) async fn signed_out_unheard(&self) -> Result<(), Fault> {
        let mut logins = BTreeSet::new();
        for live in self.live.all() {
            logins.extend(live.inner.lock().await.viewers.values().filter_map(|v| v.login.clone()));
        }
        for login in logins {
            if !self.store.login_stands(&login).await? {
                self.signed_out(&login).await;
            }
        }
        Ok(())
    }

    /// After the seats of a match changed: who looks from where, and what he is told.
    pub(super) async fn seats_changed(&self, inner: &mut Inner, id: &str) {
        let Some(playing) = inner.playing.as_ref() else { return };
        tracing::debug!("the seats of match {id} changed");
        let mut anew = Vec::new();
        for (&number, v) in &mut inner.viewers {
            let seats = playing.body.seats_of(v.person.as_deref());
            if seats == v.seats {
                continue;
            }
            v.seats = seats;
            v.eyes = match v.sides()[..] {
                [] => Some(Eyes::Spectator),
                [side] => Some(Eyes::Side(side)),
                _ if playing.body.handover => None,
                _ => Some(playing.session.position().asks().map_or(Eyes::Referee, Eyes::Side)),
            };
            anew.push(number);
        }
        for number in anew {
            if let Some(text) = self.state(inner, number, &Value::Null, None).await {
                inner.tell(number, text);
            }
        }
        self.broadcast_match(inner);
    }
}
