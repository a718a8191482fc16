//! Long matches open from a kept position and the lines after it; what does not fit is replayed.

use crate::page::{Folder, Page, Person, Served, config, serve_over, sorted};
use game::QuickDice;
use serde_json::json;
use server::store::{Snapshot, Store};

async fn on(folder: &Folder) -> Served {
    let store = Store::open(folder.0.join("verst.sqlite").to_str().unwrap()).await.unwrap();
    serve_over(store, server::Config { mark_every: 64, ..config(false) }).await
}

/// Plays drills until one is long enough for a position to be kept that a load can use: the turns after it count.
async fn long_match(served: &Served) -> (Person, String, Page) {
    let me = Person::visit(served.addr).await;
    for seed in 0..12 {
        let new = json!({"game": "drill", "scenario": "first", "handover": false,
            "seats": {"one": "me", "two": "me"}});
        let id = me.found_with(new).await;
        let mut page = me.sit(&id).await;
        let mut dice = QuickDice::new(seed);
        let (mut turns, mut side) = (0, page.ask["side"].clone());
        while page.asked() && turns < 5 {
            page.play_random(&mut dice).await;
            let now = page.ask["side"].clone();
            turns += u32::from(page.step > 64 && now != side);
            side = now;
        }
        if page.asked() {
            return (me, id, page);
        }
    }
    panic!("none of the drills was long enough");
}

async fn kept(served: &Served, id: &str) -> Option<Snapshot> {
    for _ in 0..50 {
        if let Some(s) = served.house.store.snapshot(id, i64::MAX).await.unwrap() {
            return Some(s);
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    None
}

/// From which step the story is known: above zero when the match was opened from a kept position.
async fn known_from(served: &Served, id: &str) -> usize {
    let live = served.house.live.find(id).unwrap();
    let inner = live.inner.lock().await;
    inner.playing.as_ref().unwrap().session.known_from()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_match_opens_from_a_kept_position_and_is_the_same_match() {
    let folder = Folder::new("marks");
    let served = on(&folder).await;
    let (_, id, page) = long_match(&served).await;
    let (view, ask, n) = (sorted(&page.view), page.ask.clone(), page.n);
    let snapshot = kept(&served, &id).await.expect("a position was kept");
    drop(served);
    let served = on(&folder).await;
    let me = Person::visit(served.addr).await;
    let mut page = me.sit(&id).await;
    let from = known_from(&served, &id).await;
    assert!(from > 0, "opened from the position after {} lines", snapshot.n);
    assert_eq!((sorted(&page.view), &page.ask, page.n), (view.clone(), &ask, n));
    // Whoever looks further back has it replayed.
    let (_, story) = me.get(&format!("/api/matches/{id}/story?eyes=referee")).await;
    assert!(story[0]["step"].as_u64().unwrap() < from as u64);
    assert_eq!(known_from(&served, &id).await, 0);
    let (status, early) = me.get(&format!("/api/matches/{id}/view?eyes=referee&step=3")).await;
    assert_eq!((status, early["step"].as_u64()), (200, Some(3)));
    page.play_random(&mut QuickDice::new(1)).await;
    // Seen anew, since that choice may have ended the match and opened all eyes.
    let page = me.sit(&id).await;
    let (n, view) = (page.n, sorted(&page.view));
    drop(served);
    // A damaged position, and a sound one of another match, are passed over: nothing is lost but time.
    for change in 0..2 {
        let served = on(&folder).await;
        let mut body = snapshot.body.clone();
        if change == 0 {
            let last = body.len() - 1;
            body[last] ^= 1;
        }
        let n_kept = if change == 0 { snapshot.n } else { snapshot.n - 1 };
        served.house.store.keep_snapshot(&id, &Snapshot { n: n_kept, body }).await.unwrap();
        if change == 1 {
            served.house.store.keep_snapshot(&id, &Snapshot { n: snapshot.n, body: vec![] }).await.unwrap();
        }
        let me = Person::visit(served.addr).await;
        let page = me.sit(&id).await;
        assert_eq!(known_from(&served, &id).await, 0, "change {change}: replayed from the beginning");
        assert_eq!((sorted(&page.view), page.n), (view.clone(), n));
    }
}
