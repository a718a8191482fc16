//! What goes on beside the play: matches nobody looks at are dropped, and clocks run out.

use super::Inner;
use super::playing::time_left;
use crate::{Fault, House, chance};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Milliseconds after which the views of a match that rests are let go.
const VIEWS_KEPT: i64 = 30_000;
/// After how many times the idle time a match is let go although pages are open on it.
const RESTS_AFTER: i64 = 10;

impl House {
    /// Drops matches that nobody has looked at for a while, and ends those whose clock ran out. Runs until the
    /// server ends.
    pub async fn sweep(self: Arc<Self>) {
        let idle = i64::try_from(self.config.idle.as_millis()).unwrap_or(i64::MAX);
        loop {
            tokio::time::sleep(Duration::from_millis(1000)).await;
            for live in self.live.all() {
                let Ok(mut inner) = live.inner.try_lock() else { continue };
                let still = chance::now() - live.touched.load(Ordering::Relaxed);
                let thinks = inner.playing.as_ref().is_some_and(|p| p.thinking.is_some());
                if inner.viewers.is_empty() && still > idle && !thinks {
                    inner.playing = None;
                    drop(inner);
                    self.live.drop_idle(&live);
                    continue;
                }
                if let Some(playing) = &inner.playing
                    && still > VIEWS_KEPT
                {
                    playing.forget_views();
                }
                // Pages left open on a match that rests cost nothing but their connections.
                let clocked = inner.playing.as_ref().is_some_and(|p| p.body.clock.is_some());
                if still > idle.saturating_mul(RESTS_AFTER) && !thinks && !clocked {
                    inner.playing = None;
                }
                let timed = inner.playing.as_ref().is_some_and(|p| p.body.clock.is_some() && !p.over());
                if timed && let Err(f) = self.flag(&mut inner, &live.id).await {
                    tracing::warn!("the clock of match {} could not be kept: {}", live.id, f.why);
                }
            }
        }
    }

    /// Ends the match if the time of the asked side has run out.
    pub(super) async fn flag(&self, inner: &mut Inner, id: &str) -> Result<(), Fault> {
        let playing = self.load(inner, id).await?;
        if playing.body.clock.is_none() || playing.over() {
            return Ok(());
        }
        let (asks, summary) = (playing.session.position().asks(), playing.summary());
        let Some(side) = asks else { return Ok(()) };
        if time_left(&playing.row, &playing.body, &summary, asks, side).is_none_or(|left| left > 0) {
            return Ok(());
        }
        let mut body = playing.body.clone();
        body.flag = Some(side);
        let text = serde_json::to_string(&body).map_err(Fault::inside)?;
        let row = crate::store::MatchRow { body: text, ..playing.row.clone() };
        if self.store.save_match(&row, &[]).await? {
            playing.row = crate::store::MatchRow { version: row.version + 1, ..row };
            playing.body = body;
        } else {
            inner.playing = None;
            self.load(inner, id).await?;
        }
        self.broadcast_states(inner).await;
        Ok(())
    }
}
