//! What a page asks over its connection: each message is led to where it is answered.

use super::change::{Actor, Deeds};
use super::{Inner, Live};
use crate::message::{Asked, ChatView, LONGEST_CHAT, Letter, Told};
use crate::store::ChatRow;
use crate::{Code, Fault, House, chance};
use game::Eyes;
use serde_json::Value;
use std::sync::Arc;
use table::Side;

impl House {
    /// Answers a message of a viewer.
    pub async fn act(self: &Arc<Self>, live: &Arc<Live>, viewer: u64, letter: Letter) {
        let Letter { id, asked } = letter;
        if !matches!(asked, Asked::Ping) {
            live.touch();
        }
        let done = match asked {
            Asked::Play { n, text } => self.deed(live, viewer, &id, n, Deeds::Play(text)).await,
            Asked::Orders { n, text } => self.deed(live, viewer, &id, n, Deeds::Orders(text)).await,
            Asked::Undo { n, to } => self.deed(live, viewer, &id, n, Deeds::Undo(to)).await,
            Asked::Take { side } => self.take(live, viewer, &id, side).await,
            Asked::Chat { text, to } => self.chat(live, viewer, &text, &to).await,
            Asked::Stop { seat } => self.stop(live, viewer, seat).await,
            Asked::Sync => {
                let mut inner = live.inner.lock().await;
                match self.load(&mut inner, &live.id).await {
                    Ok(_) => {
                        if let Some(text) = self.state(&inner, viewer, &id, None).await {
                            inner.tell(viewer, text);
                        }
                        Ok(())
                    }
                    Err(f) => Err(f),
                }
            }
            Asked::Ping => {
                live.inner.lock().await.tell(viewer, Told::Pong { id: &id }.text());
                Ok(())
            }
            query => self.query(live, viewer, &id, query).await,
        };
        if let Err(fault) = done {
            let mut inner = live.inner.lock().await;
            let n = inner.playing.as_ref().map_or(0, |p| p.session.question_number());
            inner.tell(viewer, Told::Refused { id: &id, n, fault: &fault }.text());
        }
    }

    async fn deed(
        self: &Arc<Self>,
        live: &Arc<Live>,
        viewer: u64,
        id: &Value,
        n: u32,
        deeds: Deeds,
    ) -> Result<(), Fault> {
        let mut inner = live.inner.lock().await;
        let done = self.change(&mut inner, &live.id, &Actor::Viewer(viewer), n, &deeds).await?;
        inner.tell(viewer, Told::Accepted { id, n, again: done.again, stopped: done.stopped }.text());
        drop(inner);
        self.stir(live).await;
        Ok(())
    }

    async fn take(&self, live: &Live, viewer: u64, id: &Value, side: Side) -> Result<(), Fault> {
        let mut inner = live.inner.lock().await;
        self.load(&mut inner, &live.id).await?;
        let Some(v) = inner.viewers.get_mut(&viewer) else { return Ok(()) };
        if !v.sides().contains(&side) {
            return Err(Fault::forbidden("you have no seat on that side"));
        }
        v.eyes = Some(Eyes::Side(side));
        if let Some(text) = self.state(&inner, viewer, id, None).await {
            inner.tell(viewer, text);
        }
        Ok(())
    }

    async fn chat(&self, live: &Live, viewer: u64, text: &str, to: &str) -> Result<(), Fault> {
        let text = text.trim();
        if text.is_empty() || text.chars().count() > LONGEST_CHAT {
            return Err(Fault::malformed(format!("a line of chat has 1 to {LONGEST_CHAT} characters")));
        }
        let mut inner = live.inner.lock().await;
        self.load(&mut inner, &live.id).await?;
        let Some(v) = inner.viewers.get(&viewer) else { return Ok(()) };
        let side = v.side();
        let word = |s: Option<Side>| s.map_or("", crate::body::side_word).to_owned();
        let audience = match to {
            "" | "all" => "all".into(),
            "side" if side.is_some() => word(side),
            "side" => return Err(Fault::forbidden("you sit on no side")),
            _ => return Err(Fault::malformed("'to' must be all or side")),
        };
        if side.is_none() && v.person.is_none() {
            return Err(Fault::new(Code::SignIn, "sign in to speak"));
        }
        let row = ChatRow {
            seq: 0,
            who: v.name.clone(),
            side: word(side),
            audience,
            body: text.to_owned(),
            at: chance::now(),
        };
        self.store.add_chat(&live.id, &row).await?;
        self.spread_chat(&mut inner, &live.id).await
    }

    /// Sends round the lines of chat that were not sent yet.
    pub(super) async fn spread_chat(&self, inner: &mut Inner, id: &str) -> Result<(), Fault> {
        let Some(playing) = inner.playing.as_mut() else { return Ok(()) };
        let rows = self.store.chat(id, playing.chat_seen).await?;
        playing.chat_seen = rows.last().map_or(playing.chat_seen, |r| r.seq);
        for row in &rows {
            let to: Vec<_> = inner
                .viewers
                .iter()
                .filter_map(|(id, v)| Some((*id, ChatView::of(row, &v.sides())?)))
                .collect();
            for (id, line) in to {
                inner.tell(id, Told::Chat(line).text());
            }
        }
        Ok(())
    }
}
