//! What other processes on the same store do: their choices are played here too, and their viewers' words are told.

use super::messages::Before;
use super::playing::Playing;
use super::{Inner, Live};
use crate::store::{Entry, ended_login};
use crate::{Fault, House};
use std::sync::Arc;
use table::Side;
use tokio::sync::broadcast::error::RecvError;

impl House {
    /// Plays what another process stored.
    pub(super) async fn catch_up(&self, inner: &mut Inner, id: &str) -> Result<(), Fault> {
        let Some(playing) = inner.playing.as_ref() else { return self.load(inner, id).await.map(|_| ()) };
        let entries = self.store.entries(id, playing.seats.len() as i64 + 1).await?;
        if entries.is_empty() {
            return Ok(());
        }
        let before = Before::of(inner, playing);
        let asked_before = playing.session.position().asks();
        let Some(playing) = inner.playing.as_mut() else { return Ok(()) };
        let followed = entries.iter().try_for_each(|e| playing.follow(e));
        if let Err(why) = followed {
            tracing::warn!("match {id} is read anew: {why}");
            inner.playing = None;
            self.load(inner, id).await?;
            self.broadcast_states(inner).await;
            return Ok(());
        }
        playing.row.turned = entries.last().map_or(playing.row.turned, |e| e.at);
        let by = playing.seats.last().map(|s| s.side);
        let asked = playing.session.position().asks();
        self.broadcast(inner, &before, by).await;
        if asked_before != asked {
            self.broadcast_match(inner);
        }
        Ok(())
    }

    /// Brings a match up to what another process stored.
    async fn refresh(&self, live: &Live) {
        let mut inner = live.inner.lock().await;
        let Some(playing) = inner.playing.as_ref() else {
            if !inner.viewers.is_empty() {
                self.show_anew(&mut inner, &live.id).await;
            }
            return;
        };
        let version = playing.row.version;
        let brought = async {
            self.catch_up(&mut inner, &live.id).await?;
            self.spread_chat(&mut inner, &live.id).await?;
            if let Some(row) = self.store.find_match(&live.id).await?
                && row.version != version
                && let Some(playing) = inner.playing.as_mut()
            {
                let turned = playing.row.turned;
                playing.body = serde_json::from_str(&row.body).map_err(crate::Fault::inside)?;
                playing.row = crate::store::MatchRow { turned, ..row };
                self.seats_changed(&mut inner, &live.id).await;
            }
            Ok::<_, crate::Fault>(())
        };
        if let Err(f) = brought.await {
            tracing::warn!("match {} could not be brought up to date: {}", live.id, f.why);
        }
    }
}

impl House {
    /// Loads a match that rested while pages were open on it, and shows them where it stands.
    async fn show_anew(&self, inner: &mut Inner, id: &str) {
        match self.load(inner, id).await {
            Ok(_) => self.broadcast_states(inner).await,
            Err(f) => tracing::warn!("match {id} could not be shown: {}", f.why),
        }
    }
}

/// Follows what other processes store. Runs until the server ends.
pub async fn follow_others(house: Arc<House>) {
    let mut changes = house.store.changes();
    loop {
        match changes.recv().await {
            // An empty name: something may have been missed.
            Ok(id) if !id.is_empty() => {
                if let Some(login) = ended_login(&id) {
                    house.signed_out(login).await;
                } else if let Some(live) = house.live.find(&id) {
                    house.refresh(&live).await;
                }
            }
            Ok(_) | Err(RecvError::Lagged(_)) => {
                for live in house.live.all() {
                    house.refresh(&live).await;
                }
                if let Err(f) = house.signed_out_unheard().await {
                    tracing::warn!("logins could not be looked at again: {}", f.why);
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}

impl Playing {
    /// Plays an entry that another process stored; the same choice with the same dice must give the same line.
    fn follow(&mut self, e: &Entry) -> Result<(), String> {
        let have = self.session.journal().entries().len() as i64;
        if e.n <= have {
            // The end and the published secret come with the choice that brought them.
            let entry = &self.session.journal().entries()[(e.n - 1) as usize];
            let same = self.session.journal().line(entry) == e.body;
            self.note_following(e);
            return if same { Ok(()) } else { Err(format!("entry {} differs", e.n)) };
        }
        let fields: Vec<&str> = e.body.split('\t').collect();
        let [_, side, deed, ..] = fields[..] else { return Err(format!("entry {} cannot be read", e.n)) };
        let side = Side::BOTH
            .into_iter()
            .find(|s| self.session.sides()[s.ix()].id == side)
            .ok_or_else(|| format!("entry {} is by nobody", e.n))?;
        let n = self.session.question_number();
        let played = match deed.strip_prefix("!undo ") {
            Some(back) => {
                let back: usize = back.trim().parse().map_err(|_| "an undo without a number")?;
                let to = self.session.steps().len().saturating_sub(back);
                self.session.undo(side, n, to)
            }
            None => {
                let choice = game::orders::resolve(self.session.position(), deed)?;
                self.session.play(side, n, choice)
            }
        };
        let played = played.map_err(|r| r.to_string())?;
        if played.lines.first() != Some(&e.body) {
            return Err(format!("entry {} does not come out the same", e.n));
        }
        self.note_following(e);
        Ok(())
    }

    fn note_following(&mut self, e: &Entry) {
        let before = self.seats.last().map(|s| Entry {
            n: 0,
            seat: s.to_string(),
            body: String::new(),
            at: self.row.turned,
        });
        self.note(e, before.as_ref());
        self.row.turned = e.at;
    }
}
