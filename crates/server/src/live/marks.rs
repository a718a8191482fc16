//! Positions kept beside the journals, so that a long match opens quickly: load is the latest fitting one and the lines
//! after it. They are a cache: one that is damaged, was made by another build of this program, or does not lie on the
//! journal's chain of hashes is passed over, and the whole journal is replayed.

use super::Playing;
use crate::store::{Entry, Snapshot};
use crate::{Fault, House};
use game::{Mark, Session};
use std::sync::{Arc, OnceLock};
use table::Side;

/// What a kept position begins with; raised with its form.
const FORM: &[u8; 16] = b"verst position 1";

/// A digest of this very program: positions of another build are not trusted, since a rule may have been mended.
fn build() -> &'static [u8; 32] {
    static BUILD: OnceLock<[u8; 32]> = OnceLock::new();
    BUILD.get_or_init(|| {
        let own = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
        *blake3::hash(&own).as_bytes()
    })
}

/// A mark as it is stored: form, build, hash of the chain, steps, digest of all that and the state, state.
pub fn write(mark: &Mark) -> Snapshot {
    let mut body = FORM.to_vec();
    body.extend(build());
    body.extend(mark.tip);
    body.extend((mark.steps as u64).to_le_bytes());
    let digest = blake3::Hasher::new().update(&body).update(&mark.state).finalize();
    body.extend(digest.as_bytes());
    body.extend(&mark.state);
    Snapshot { n: mark.entries as i64, body }
}

/// Reads what [`write`] wrote; `None` for anything else.
pub fn read(s: &Snapshot) -> Option<Mark> {
    let (head, rest) = s.body.split_at_checked(16 + 32 + 32 + 8)?;
    let (digest, state) = rest.split_at_checked(32)?;
    let sound = blake3::Hasher::new().update(head).update(state).finalize();
    if &head[..16] != FORM || head[16..48] != build()[..] || sound.as_bytes()[..] != *digest {
        return None;
    }
    Some(Mark {
        entries: usize::try_from(s.n).ok()?,
        steps: u64::from_le_bytes(head[80..].try_into().ok()?) as usize,
        tip: head[48..80].try_into().ok()?,
        state: state.to_vec(),
    })
}

/// After how many entries a position may lie, so that everyone can still be told what happened since he last chose:
/// nobody's story begins before it.
pub fn latest_use(entries: &[Entry]) -> i64 {
    let mut standing: Vec<(i64, Side)> = Vec::new();
    for e in entries {
        let mut fields = e.body.split('\t').skip(2);
        let deed = fields.next().unwrap_or_default();
        if let Some(back) = deed.strip_prefix("!undo ") {
            let back = back.trim().parse().unwrap_or(usize::MAX);
            standing.truncate(standing.len().saturating_sub(back));
        } else if !deed.starts_with('!') {
            let side = crate::SeatId::read(&e.seat).map_or(Side::One, |s| s.side);
            standing.push((e.n, side));
        }
    }
    // Back over three runs of one side's choices: the turn under way, the enemy's before it, and one to spare for undo.
    let mut at = standing.len();
    for _ in 0..3 {
        let Some(&(_, side)) = at.checked_sub(1).and_then(|i| standing.get(i)) else { return 0 };
        while at > 0 && standing[at - 1].1 == side {
            at -= 1;
        }
    }
    at.checked_sub(1).and_then(|i| standing.get(i)).map_or(0, |s| s.0)
}

impl Playing {
    /// A position to be kept, when enough was played since the last one.
    pub fn mark_due(&mut self, every: usize) -> Option<Snapshot> {
        if self.session.steps().len() < self.marked + every {
            return None;
        }
        let mark = self.session.mark().filter(|m| m.steps > self.marked)?;
        self.marked = mark.steps;
        Some(write(&mark))
    }
}

impl House {
    /// Keeps a position of a match when one is due; play does not wait for it.
    pub(super) fn keep_mark(&self, id: &str, playing: &mut Playing) {
        let Some(snapshot) = playing.mark_due(self.config.mark_every) else { return };
        let (store, id) = (self.store.clone(), id.to_owned());
        tokio::spawn(async move {
            if let Err(f) = store.keep_snapshot(&id, &snapshot).await {
                tracing::warn!("a position of match {id} was not kept: {f}");
            }
        });
    }

    /// Makes sure that the story and positions of a match are known from a step on: a match that was opened from a
    /// kept position is replayed from its beginning when someone looks further back.
    pub async fn deepen(&self, inner: &mut super::Inner, id: &str, from: usize) -> Result<(), Fault> {
        let known = self.load(inner, id).await?.session.known_from();
        if from >= known {
            return Ok(());
        }
        let entries = self.store.entries(id, 1).await?;
        let Some(playing) = inner.playing.as_mut() else { return Ok(()) };
        // What another process stored meanwhile comes by its own way.
        let lines = entries.into_iter().take(playing.seats.len()).map(|e| e.body).collect();
        playing.session = self.replayed(id, &playing.body, lines, None).await?;
        Ok(())
    }

    /// Plays a journal of the store again on a thread for long work.
    pub(super) async fn replayed(
        &self,
        id: &str,
        body: &crate::Body,
        lines: Vec<String>,
        mark: Option<Mark>,
    ) -> Result<Session, Fault> {
        let overlay = match &body.terms.overlay {
            Some(digest) => Some(self.overlay(digest).await?.files),
            None => None,
        };
        let (registry, id, body) = (Arc::clone(&self.registry), id.to_owned(), body.clone());
        let replay =
            move || super::playing::replay(&registry, &id, &body, overlay.as_ref(), &lines, mark.as_ref());
        // Five hundred pages that come back at once must not become five hundred threads.
        let desk = self.desks.one().await;
        let session = tokio::task::spawn_blocking(replay).await.map_err(Fault::inside)?;
        drop(desk);
        session
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_position_reads_back_and_a_damaged_one_does_not() {
        let mark = Mark { entries: 300, steps: 256, tip: [7; 32], state: vec![1, 2, 3] };
        let kept = write(&mark);
        assert_eq!(read(&kept), Some(mark));
        for at in 0..kept.body.len() {
            let mut body = kept.body.clone();
            body[at] ^= 1;
            assert_eq!(read(&Snapshot { n: kept.n, body }), None, "byte {at}");
        }
        for len in 0..kept.body.len() {
            let body = kept.body[..len].to_vec();
            assert_eq!(read(&Snapshot { n: kept.n, body }), None, "cut to {len}");
        }
    }

    fn entry(n: i64, seat: &str, deed: &str) -> Entry {
        Entry { n, seat: seat.into(), body: format!("{n}\tx\t{deed}\t-\tabc"), at: 0 }
    }

    #[test]
    fn a_position_is_used_only_where_nobodys_story_begins_before_it() {
        let mut all: Vec<Entry> = (1..=10).map(|n| entry(n, "one", "go")).collect();
        all.extend((11..=20).map(|n| entry(n, "two", "go")));
        assert_eq!(latest_use(&all), 0, "two turns: the story of both begins in them");
        all.extend((21..=30).map(|n| entry(n, "one", "go")));
        assert_eq!(latest_use(&all), 0);
        all.extend((31..=40).map(|n| entry(n, "two", "go")));
        assert_eq!(latest_use(&all), 10);
        all.push(entry(41, "two", "!undo 10"));
        assert_eq!(latest_use(&all), 0, "what was taken back does not count");
    }
}
