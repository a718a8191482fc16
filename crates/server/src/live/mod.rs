//! Matches in memory: loaded from their journals when someone comes, dropped when nobody looks any more.

mod acts;
mod change;
mod elsewhere;
mod join;
mod marks;
mod messages;
mod playing;
mod programs;
mod queries;
mod sweep;

pub use elsewhere::follow_others;
pub use playing::{Playing, match_view};

use crate::body::SeatId;
use crate::{Body, Fault, House};
use axum::extract::ws::Utf8Bytes;
use game::Eyes;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use table::Side;
use tokio::sync::{Mutex, OwnedMutexGuard, mpsc};

/// How many messages may wait for a slow viewer before he is dropped; he may come back and is shown everything anew.
const WAITING: usize = 128;

/// One who looks at a match over a connection.
pub struct Viewer {
    /// The person.
    pub person: Option<String>,
    /// The name others see.
    pub name: String,
    /// The digest of the login that opened the connection, if it needed one.
    pub login: Option<String>,
    /// The seats he holds.
    pub seats: Vec<SeatId>,
    /// The side that sits at his screen, or how else he looks on; `None` while a hotseat waits to be taken.
    pub eyes: Option<Eyes>,
    send: mpsc::Sender<Utf8Bytes>,
}

impl Viewer {
    /// The sides he sits on.
    pub fn sides(&self) -> Vec<Side> {
        Side::BOTH.into_iter().filter(|side| self.seats.iter().any(|s| s.side == *side)).collect()
    }

    /// Whether both sides are his.
    pub fn hotseat(&self) -> bool {
        self.sides().len() == 2
    }

    /// The side that sits at his screen.
    pub fn side(&self) -> Option<Side> {
        match self.eyes {
            Some(Eyes::Side(side)) => Some(side),
            _ => None,
        }
    }
}

/// What is known of a match in memory.
#[derive(Default)]
pub struct Inner {
    /// Those who look at it.
    pub viewers: BTreeMap<u64, Viewer>,
    /// The play, when it is loaded.
    pub playing: Option<Playing>,
}

impl Inner {
    /// Sends to one viewer; one who does not read is dropped.
    pub fn tell(&mut self, viewer: u64, text: impl Into<Utf8Bytes>) {
        if let Some(v) = self.viewers.get(&viewer)
            && v.send.try_send(text.into()).is_err()
        {
            self.viewers.remove(&viewer);
        }
    }
}

/// A match in memory.
pub struct Live {
    /// The match.
    pub id: String,
    /// Its play and viewers: whoever holds this lock is alone with it.
    pub inner: Arc<Mutex<Inner>>,
    touched: AtomicI64,
}

impl Live {
    /// Someone did something here.
    fn touch(&self) {
        self.touched.store(crate::chance::now(), Ordering::Relaxed);
    }

    /// The lock, to be carried to another thread.
    pub async fn lock_inner(self: Arc<Self>) -> OwnedMutexGuard<Inner> {
        Arc::clone(&self.inner).lock_owned().await
    }
}

/// All matches in memory.
#[derive(Default)]
pub struct LiveTable {
    all: StdMutex<BTreeMap<String, Arc<Live>>>,
    next: AtomicU64,
}

impl LiveTable {
    /// The match of an id; it may not be loaded yet, or not exist.
    pub fn open(&self, id: &str) -> Arc<Live> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let live = all.entry(id.to_owned()).or_insert_with(|| {
            Arc::new(Live {
                id: id.to_owned(),
                inner: Arc::new(Mutex::new(Inner::default())),
                touched: AtomicI64::new(0),
            })
        });
        live.touch();
        Arc::clone(live)
    }

    /// The match of an id, if it is in memory.
    pub fn find(&self, id: &str) -> Option<Arc<Live>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// All of them.
    pub fn all(&self) -> Vec<Arc<Live>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// How many are in memory.
    pub fn len(&self) -> usize {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets a match.
    pub fn drop_match(&self, id: &str) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Forgets one if nobody else has it in hand.
    fn drop_idle(&self, live: &Arc<Live>) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        // One is in the table, one with the sweeper.
        if Arc::strong_count(live) <= 2 {
            all.remove(&live.id);
        }
    }

    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

impl House {
    /// Loads the play if it is not in memory.
    pub async fn load<'a>(&self, inner: &'a mut Inner, id: &str) -> Result<&'a mut Playing, Fault> {
        if inner.playing.is_none() {
            let playing = Playing::load(self, id).await?;
            for v in inner.viewers.values_mut() {
                v.seats = playing.body.seats_of(v.person.as_deref());
            }
            inner.playing = Some(playing);
        }
        match &mut inner.playing {
            Some(p) => Ok(p),
            None => Err(Fault::inside("a match was loaded and is not there")),
        }
    }

    /// Changes the body of a match and stores it; those who look are told.
    pub async fn change_body(
        &self,
        id: &str,
        change: impl Fn(&mut Body, &Playing) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let live = self.live.open(id);
        let mut inner = live.inner.lock().await;
        // Another process may have changed it too; then it is read again and the change made to that.
        for _ in 0..8 {
            let playing = self.load(&mut inner, id).await?;
            let mut body = playing.body.clone();
            change(&mut body, playing)?;
            let text = serde_json::to_string(&body).map_err(Fault::inside)?;
            let row = crate::store::MatchRow { body: text, ..playing.row.clone() };
            if self.store.save_match(&row, &body.members()).await? {
                playing.row = crate::store::MatchRow { version: row.version + 1, ..row };
                playing.body = body;
                self.seats_changed(&mut inner, id).await;
                return Ok(());
            }
            inner.playing = None;
        }
        Err(Fault::new(crate::Code::Stale, "others changed this match at the same time; try again"))
    }
}
