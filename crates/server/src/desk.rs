//! Where the processor's own work is done: rules, views, messages. A desk for each core, and whoever wants one waits in
//! line; meanwhile the threads that carry the connections stay free, so that a page that only asks for a document or a
//! sign of life is not kept waiting by five hundred set-ups.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{Semaphore, SemaphorePermit};

/// The desks of a server.
#[derive(Debug)]
pub struct Desks(Semaphore);

impl Default for Desks {
    fn default() -> Desks {
        Desks(Semaphore::new(std::thread::available_parallelism().map_or(2, usize::from)))
    }
}

impl Desks {
    /// A desk, when one is free; first come, first served.
    pub async fn one(&self) -> Desk<'_> {
        // The desks are never closed; if they were, work would go on without a line.
        Desk(self.0.acquire().await.ok())
    }
}

/// A desk that one sits at. It must not be held across an `await` on anyone else's work.
#[derive(Debug)]
#[must_use = "work is done by `run`"]
pub struct Desk<'a>(Option<SemaphorePermit<'a>>);

impl Desk<'_> {
    /// Works, and gives the desk back.
    pub fn run<T>(self, work: impl FnOnce() -> T) -> T {
        let done = match Handle::try_current().map(|h| h.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
            _ => work(),
        };
        drop(self.0);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn connections_are_served_while_every_desk_is_taken_and_no_more_work_than_there_are_desks() {
        let desks = Arc::new(Desks(Semaphore::new(2)));
        let (at_work, most, answered) =
            (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (open, shut) = std::sync::mpsc::channel::<()>();
        let shut = Arc::new(std::sync::Mutex::new(shut));
        let mut all = Vec::new();
        for _ in 0..6 {
            let (desks, at_work, most, shut) =
                (Arc::clone(&desks), Arc::clone(&at_work), Arc::clone(&most), Arc::clone(&shut));
            all.push(tokio::spawn(async move {
                desks.one().await.run(|| {
                    most.fetch_max(at_work.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    shut.lock().unwrap().recv().unwrap();
                    at_work.fetch_sub(1, Ordering::SeqCst);
                });
            }));
        }
        while at_work.load(Ordering::SeqCst) < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // The one thread of the connections goes on though both desks are held up.
        let quick = Arc::clone(&answered);
        tokio::spawn(async move { quick.fetch_add(1, Ordering::SeqCst) }).await.unwrap();
        assert_eq!(answered.load(Ordering::SeqCst), 1);
        assert_eq!(at_work.load(Ordering::SeqCst), 2);
        for _ in 0..6 {
            open.send(()).unwrap();
        }
        for one in all {
            one.await.unwrap();
        }
        assert_eq!(most.load(Ordering::SeqCst), 2, "never more than there are desks");
    }
}
