//! What goes wrong: nonsense over the line, a full disk, a locked store, a broken file.

use crate::page::{Folder, Page, Person, config, local, serve_over, sorted};
use game::QuickDice;
use serde_json::json;
use server::store::{Sqlite, SqliteSettings, Store, StoreFault};
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

async fn open_match(served: &crate::page::Served) -> (Person, String) {
    let me = Person::visit(served.addr).await;
    let new =
        json!({"game": "drill", "scenario": "first", "handover": false, "seats": {"one": "me", "two": "me"}});
    let id = me.found_with(new).await;
    (me, id)
}

/// A message as no page would send it.
fn nonsense(dice: &mut QuickDice, n: u64, choice: &str) -> String {
    let kinds = ["play", "orders", "undo", "preview", "why", "overlay", "take", "chat", "state", "", "sync2"];
    let kind = kinds[dice.below(kinds.len())];
    match dice.below(14) {
        0 => String::new(),
        1 => "{".repeat(1 + dice.below(200)),
        2 => (0..dice.below(300)).map(|_| char::from(32 + dice.below(90) as u8)).collect(),
        3 => format!("{{\"t\":\"{kind}\""),
        4 => json!({"t": kind}).to_string(),
        5 => json!({"t": "play", "n": -1, "text": choice}).to_string(),
        6 => json!({"t": "play", "n": n + 1 + dice.below(1000) as u64, "text": choice}).to_string(),
        7 => json!({"t": "play", "n": u64::from(u32::MAX) + 5, "text": choice}).to_string(),
        8 => json!({"t": "play", "n": n, "text": format!("{choice}{}", dice.below(1_000_000))}).to_string(),
        9 => json!({"t": "play", "n": n, "text": "go 9999-0101 \u{0} \u{202e} ; drop table"}).to_string(),
        10 => json!({"t": "undo", "n": n, "to": 1_000_000}).to_string(),
        11 => json!({"t": "preview", "n": n, "texts": vec!["x"; 2_000]}).to_string(),
        12 => json!({"t": kind, "n": [n], "text": {"a": choice}, "id": {"deep": [[[[[]]]]]}}).to_string(),
        _ => json!([kind, n, choice]).to_string(),
    }
}

/// What a client that sends this and then nothing more is told before the connection is closed on him.
async fn dawdled(addr: std::net::SocketAddr, text: String) -> String {
    tokio::task::spawn_blocking(move || {
        let mut stream = std::net::TcpStream::connect(addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).expect("the server ends it, not we");
        said
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_finish_his_request_is_shown_the_door() {
    let patience = Duration::from_millis(300);
    let served = crate::page::serve("slow", server::Config { patience, ..config(false) }).await;
    let me = Person::visit(served.addr).await;
    let host = format!("host: {}\r\n", served.addr);
    assert_eq!(dawdled(served.addr, String::new()).await, "");
    let half = dawdled(served.addr, format!("GET /api/me HTTP/1.1\r\n{host}")).await;
    assert!(!half.contains("200"), "{half}");
    let head = format!(
        "POST /api/matches HTTP/1.1\r\n{host}content-type: application/json\r\nx-verst-csrf: {}\r\n\
         content-length: 1000\r\n\r\n{{\"game\"",
        me.csrf
    );
    let body = dawdled(served.addr, head).await;
    assert!(!body.starts_with("HTTP/1.1 200"), "{body}");
    assert_eq!(me.get("/api/matches").await.1, json!([]), "and nothing came of it");
    // A match goes on however long its players think: a connection that was upgraded is not hurried.
    let (me, id) = open_match(&served).await;
    let mut page = me.sit(&id).await;
    tokio::time::sleep(patience * 3).await;
    assert_eq!(page.request(json!({"t": "ping"})).await["t"], "pong");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_malformed_stale_and_foreign_messages_change_nothing() {
    let served = local("nonsense").await;
    let (me, id) = open_match(&served).await;
    let mut page = me.sit(&id).await;
    let mut dice = QuickDice::new(99);
    for _ in 0..20 {
        page.play_random(&mut dice).await;
    }
    let (n, view, choice) = (page.n, sorted(&page.view), page.choices()[0].clone());
    let mut refused = 0;
    for _ in 0..200 {
        let sent: Vec<String> = (0..50).map(|_| nonsense(&mut dice, n, &choice)).collect();
        for text in &sent {
            page.send_text(text.clone()).await;
        }
        let mut left = 50;
        while left > 0 {
            let m = page.next().await.expect("the connection holds");
            assert!(m["t"] != "accepted" && m["t"] != "update", "{choice}: {} after {sent:#?}", m["t"]);
            refused += u32::from(m["t"] == "refused");
            left -= 1;
        }
    }
    assert_eq!(refused, 10_000);
    let state = page.request(json!({"t": "sync"})).await;
    assert_eq!((state["n"].as_u64(), sorted(&state["view"])), (Some(n), view));
    page.play_random(&mut dice).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_is_too_long_or_no_text_harms_nobody() {
    let served = local("long").await;
    let (me, id) = open_match(&served).await;
    let mut page = me.sit(&id).await;
    page.send_bytes(vec![1, 2, 3]).await;
    assert_eq!(page.until("refused").await["code"], "malformed");
    page.send_bytes(vec![b'x'; 70_000]).await;
    while page.next().await.is_some() {}
    let mut page = me.sit(&id).await;
    assert_eq!(page.n, 1);
    page.play_random(&mut QuickDice::new(1)).await;
    let (status, _, _) = me.ask("POST", "/api/matches", Some("x".repeat(400_000))).await;
    assert_eq!(status, 413);
    for body in ["", "{", "[]", "{\"game\": \"drill\"}", "{\"game\":\"no\",\"scenario\":\"x\"}"] {
        let (status, answer, _) = me.ask("POST", "/api/matches", Some(body.into())).await;
        assert!((400..500).contains(&status), "{body}: {status} {answer}");
    }
    let bad = json!({"game": "drill", "scenario": "nowhere", "seats": {}});
    let (status, fault) = me.post("/api/matches", bad).await;
    assert_eq!(status, 400);
    assert!(fault["error"]["why"].as_str().unwrap().contains("first"), "the valid ones are named: {fault}");
}

async fn over_file(folder: &Folder, settings: SqliteSettings) -> Result<Store, StoreFault> {
    let db = Sqlite::open(&folder.0.join("verst.sqlite"), settings)?;
    Store::over(Arc::new(db)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_full_disk_a_choice_is_refused_and_the_match_stands_where_it_stood() {
    let folder = Folder::new("full");
    let store = over_file(&folder, SqliteSettings::default()).await.unwrap();
    let served = serve_over(store, config(false)).await;
    let (_, id) = open_match(&served).await;
    drop(served);
    // From now on the file may not grow: there is room for what fits into its last page.
    let store =
        over_file(&folder, SqliteSettings { pages: Some(1), ..SqliteSettings::default() }).await.unwrap();
    let served = serve_over(store, config(false)).await;
    let me = Person::visit(served.addr).await;
    let mut page = me.sit(&id).await;
    let mut dice = QuickDice::new(4);
    let mut played = 0;
    let refused = loop {
        let all = page.choices();
        let answer = page.play(&all[dice.below(all.len())]).await;
        if answer["t"] == "refused" {
            break answer;
        }
        page.drain().await;
        played += 1;
        assert!(played < 2_000, "the disk is small");
    };
    assert_eq!(refused["code"], "store", "{refused}");
    assert!(refused["why"].as_str().unwrap().contains("full"), "{refused}");
    let state = page.request(json!({"t": "sync"})).await;
    assert_eq!(state["step"], played, "what was refused was not played");
    drop(served);
    // With room again the match goes on from there.
    let store = over_file(&folder, SqliteSettings { pages: Some(100_000), ..SqliteSettings::default() })
        .await
        .unwrap();
    let served = serve_over(store, config(false)).await;
    let me = Person::visit(served.addr).await;
    let mut page = me.sit(&id).await;
    assert_eq!(page.step, played);
    page.play_random(&mut dice).await;
}

/// A disk of two megabytes that goes away with the test.
struct SmallDisk(Folder);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = Folder::new("disk");
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(&folder.0)
            .output();
        if mounted.is_ok_and(|m| m.status.success()) {
            return Some(SmallDisk(folder));
        }
        eprintln!(
            "SKIPPED: no disk could be mounted here; run the tests as root to try a disk that is really full"
        );
        None
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0.0).output();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_disk_that_is_really_full_nothing_accepted_is_lost_and_with_room_again_play_goes_on() {
    let Some(disk) = SmallDisk::mount() else { return };
    let folder = Folder(disk.0.0.join("store"));
    std::fs::create_dir_all(&folder.0).unwrap();
    let store = over_file(&folder, SqliteSettings::default()).await.unwrap();
    let served = serve_over(store, config(false)).await;
    let (me, id) = open_match(&served).await;
    let mut page = me.sit(&id).await;
    let mut dice = QuickDice::new(14);
    for _ in 0..10 {
        page.play_random(&mut dice).await;
    }
    // Something else fills the disk to its last byte.
    let ballast = disk.0.0.join("ballast");
    let mut size = 2 << 20;
    let mut file = std::fs::File::create(&ballast).unwrap();
    while size > 0 {
        match std::io::Write::write_all(&mut file, &vec![0; size]) {
            Ok(()) => {}
            Err(_) => size /= 2,
        }
    }
    let mut accepted = page.step;
    let refused = loop {
        let all = page.choices();
        let n = page.n;
        let answer = page.play(&all[dice.below(all.len())]).await;
        if answer["t"] == "refused" {
            break answer;
        }
        accepted += 1;
        while page.n == n {
            page.next().await.expect("an update");
        }
        assert!(page.asked() && accepted < 2_000, "the disk is small");
    };
    assert_eq!(refused["code"], "store", "{refused}");
    assert!(refused["why"].as_str().unwrap().contains("nothing was changed"), "{refused}");
    let state = page.request(json!({"t": "sync"})).await;
    assert_eq!(state["step"], accepted, "what was refused was not played: {}", state["why"]);
    drop(file);
    std::fs::remove_file(&ballast).unwrap();
    page.play_random(&mut dice).await;
    drop(served);
    let store = over_file(&folder, SqliteSettings::default()).await.unwrap();
    let served = serve_over(store, config(false)).await;
    let page = Person::visit(served.addr).await.sit(&id).await;
    assert_eq!(page.step, accepted + 1, "all that was accepted is there, and the one after");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_another_program_locks_the_store_choices_are_refused_with_the_reason() {
    let folder = Folder::new("locked");
    let patience = Duration::from_millis(100);
    let store = over_file(&folder, SqliteSettings { patience, ..SqliteSettings::default() }).await.unwrap();
    let served = serve_over(store, config(false)).await;
    let (me, id) = open_match(&served).await;
    let mut page = me.sit(&id).await;
    let other = rusqlite::Connection::open(folder.0.join("verst.sqlite")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let choice = page.choices()[0].clone();
    let refused = page.play(&choice).await;
    assert_eq!(refused["code"], "store", "{refused}");
    assert!(refused["why"].as_str().unwrap().contains("locked"), "{refused}");
    other.execute_batch("ROLLBACK").unwrap();
    let n = page.request(json!({"t": "sync"})).await["n"].clone();
    assert_eq!(n, 1);
    assert_eq!(page.play(&choice).await["t"], "accepted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_no_store_is_named_and_not_touched() {
    let folder = Folder::new("broken");
    let path = folder.0.join("verst.sqlite");
    std::fs::write(&path, "this is a letter to my aunt, and a long one at that: ".repeat(100)).unwrap();
    let fault = over_file(&folder, SqliteSettings::default()).await.err().expect("a fault");
    assert!(matches!(fault, StoreFault::Broken(_)), "{fault}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("this is a letter"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_who_does_not_read_is_dropped_and_the_others_go_on() {
    let served = local("slow").await;
    let (me, id) = open_match(&served).await;
    let _deaf: Page = me.sit(&id).await;
    let mut page = me.sit(&id).await;
    let mut dice = QuickDice::new(17);
    for _ in 0..150 {
        if !page.asked() {
            break;
        }
        page.play_random(&mut dice).await;
    }
    assert!(page.step > 20);
}
