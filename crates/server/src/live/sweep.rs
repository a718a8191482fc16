//! What goes on beside the play: matches nobody looks at are dropped, clocks run out, other processes go on.

use super::Live;
use crate::{House, chance};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;

impl House {
    /// Drops matches that nobody has looked at for a while, and ends those whose clock ran out. Runs until the
    /// server ends.
    pub async fn sweep(self: Arc<Self>) {
        let idle = i64::try_from(self.config.idle.as_millis()).unwrap_or(i64::MAX);
        loop {
            tokio::time::sleep(Duration::from_millis(1000)).await;
            for live in self.live.all() {
                let Ok(mut inner) = live.inner.try_lock() else { continue };
                let quiet = chance::now() - live.touched.load(Ordering::Relaxed) > idle;
                let thinks = inner.playing.as_ref().is_some_and(|p| p.thinking.is_some());
                if inner.viewers.is_empty() && quiet && !thinks {
                    inner.playing = None;
                    drop(inner);
                    self.live.drop_idle(&live);
                    continue;
                }
                let timed = inner.playing.as_ref().is_some_and(|p| p.body.clock.is_some() && !p.over());
                if timed && let Err(f) = self.flag(&mut inner, &live.id).await {
                    tracing::warn!("the clock of match {} could not be kept: {}", live.id, f.why);
                }
            }
        }
    }

    /// Brings a match up to what another process stored.
    async fn refresh(&self, live: &Live) {
        let mut inner = live.inner.lock().await;
        let Some(playing) = inner.playing.as_ref() else { return };
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

/// Follows what other processes store. Runs until the server ends.
pub async fn follow_others(house: Arc<House>) {
    let mut changes = house.store.changes();
    loop {
        match changes.recv().await {
            // An empty name: something may have been missed.
            Ok(id) if !id.is_empty() => {
                if let Some(live) = house.live.find(&id) {
                    house.refresh(&live).await;
                }
            }
            Ok(_) | Err(RecvError::Lagged(_)) => {
                for live in house.live.all() {
                    house.refresh(&live).await;
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}
