//! Programs in seats that think for a while: they say how far they are, keep to their time, and can be stopped.

use crate::page::{Folder, Person, config, serve_with};
use game::{Choice, Eyes, Position};
use serde_json::json;
use server::store::Store;
use server::{Opponent, OpponentInfo, Opponents, Seated, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use table::Side;

/// Thinks for as long as it is given, then takes the first choice; it counts its choices.
struct Slow {
    sat: Arc<AtomicU32>,
    seen: Arc<std::sync::Mutex<Vec<(Side, String)>>>,
}

struct SlowSeat {
    made: u32,
    seen: Arc<std::sync::Mutex<Vec<(Side, String)>>>,
}

impl Opponent for Slow {
    fn about(&self) -> OpponentInfo {
        OpponentInfo { id: "slow".into(), name: "Slow".into(), about: "Thinks.".into(), seconds: Some(60) }
    }

    fn sit(&self) -> Box<dyn Seated> {
        self.sat.fetch_add(1, Ordering::Relaxed);
        Box::new(SlowSeat { made: 0, seen: Arc::clone(&self.seen) })
    }
}

impl Seated for SlowSeat {
    fn choose(&mut self, position: &dyn Position, side: Side, _: u64, watch: &Watch) -> Option<Choice> {
        let began = Instant::now();
        let time = watch.time().unwrap_or_default();
        while !watch.stopped() && began.elapsed() < time {
            let share = began.elapsed().as_secs_f64() / time.as_secs_f64();
            watch.report(share, format!("intends choice {}", self.made + 1));
            std::thread::sleep(Duration::from_millis(1));
        }
        self.made += 1;
        let sees = serde_json::to_string(&position.view(Eyes::Side(side))).unwrap_or_default();
        self.seen.lock().unwrap().push((side, sees));
        let mut all = Vec::new();
        position.choices(&mut all);
        all.first().copied()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thinking_program_reports_keeps_to_its_time_and_chooses_at_once_when_stopped() {
    let folder = Folder::new("slow");
    let store = Store::open(folder.0.join("verst.sqlite").to_str().unwrap()).await.unwrap();
    let (sat, seen) = (Arc::new(AtomicU32::new(0)), Arc::default());
    let slow = Slow { sat: Arc::clone(&sat), seen: Arc::clone(&seen) };
    let served = serve_with(store, config(false), Opponents::random().with(Arc::new(slow))).await;
    let me = Person::visit(served.addr).await;
    let (_, all) = me.get("/api/opponents").await;
    assert_eq!(all[1]["seconds"], 60);
    let too_long = json!({"one": "me", "two": {"program": {"id": "slow", "seconds": 100_000}}});
    let new = json!({"game": "drill", "scenario": "first", "seats": too_long});
    assert_eq!(me.post("/api/matches", new).await.0, 400);
    // With its own measure it would think for a minute: it says so, and is stopped.
    let id = me.found(json!({"one": "me", "two": {"program": "slow"}})).await;
    let mut page = me.sit(&id).await;
    let told = page.until("thinking").await;
    assert_eq!((told["seat"].as_str(), told["over"].as_bool()), (Some("two"), Some(false)));
    assert!(
        told["share"].as_f64().unwrap() < 0.5 && told["text"].as_str().unwrap().contains("intends"),
        "{told}"
    );
    let began = Instant::now();
    page.send(json!({"t": "stop", "seat": "two"})).await;
    page.until("update").await;
    assert!(began.elapsed() < Duration::from_secs(20), "it did not take its minute");
    assert!(page.asked());
    // Another match gives it a second; the same program stays in its seat from choice to choice.
    let id = me
        .found(json!({"one": {"program": "random"}, "two": {"program": {"id": "slow", "seconds": 1}}}))
        .await;
    sat.store(0, Ordering::Relaxed);
    let mut page = me.sit(&id).await;
    let mut reports = 0;
    while page.step < 6 {
        let m = page.next().await.expect("programs go on");
        reports += u32::from(m["t"] == "thinking" && m["over"] == false);
    }
    assert_eq!(sat.load(Ordering::Relaxed), 1);
    assert!((1..60).contains(&reports), "some reports, not thousands: {reports}");
    let seen: Vec<(Side, String)> = seen.lock().unwrap().clone();
    assert!(seen.iter().all(|(side, view)| *side == Side::Two && view.contains("\"two\"")));
}
