//! Overlays: offered by name, typed by the local player, kept with the match.

use crate::page::{Folder, Person, config, serve};
use game::QuickDice;
use serde_json::json;
use std::path::Path;

/// An overlay of the drill: its own counters with one name changed.
fn write_overlay(folder: &Path, name: &str) {
    let own = include_str!("../../../games/drill/data/counters.tsv");
    std::fs::create_dir_all(folder).unwrap();
    let changed = own.replacen("1st Infantry", name, 1);
    assert_ne!(own, changed, "the drill has a 1st Infantry to rename");
    std::fs::write(folder.join("counters.tsv"), changed).unwrap();
}

fn new(overlay: serde_json::Value) -> serde_json::Value {
    json!({"game": "drill", "scenario": "first", "handover": false, "overlay": overlay,
        "seats": {"one": "me", "two": "me"}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_is_begun_with_an_overlay_and_keeps_it_when_its_folder_changes() {
    let folder = Folder::new("overlays-dir");
    let there = folder.0.join("drill/mine");
    write_overlay(&there, "Overlaid Guards");
    std::fs::create_dir_all(folder.0.join("drill/broken")).unwrap();
    std::fs::write(folder.0.join("drill/broken/counters.tsv"), "nonsense\n").unwrap();
    let overlays = vec![folder.0.clone()];
    let idle = std::time::Duration::from_millis(1);
    let served = serve("overlays", server::Config { overlays, idle, ..config(false) }).await;
    let me = Person::visit(served.addr).await;
    let (status, list) = me.get("/api/games/drill/overlays").await;
    assert_eq!(status, 200, "{list}");
    assert_eq!(list[1]["name"], "mine");
    assert_eq!(list[1]["files"], json!(["counters.tsv"]));
    assert_eq!(list[1]["faults"], json!([]));
    let digest = list[1]["digest"].as_str().unwrap().to_owned();
    assert_eq!(list[0]["name"], "broken");
    assert!(list[0]["faults"][0].as_str().unwrap().contains("counters.tsv"), "{list}");
    // One with faults begins no match, nor does one that is not there or was changed since.
    let (status, fault) = me.post("/api/matches", new(json!({"name": "broken"}))).await;
    assert_eq!((status, fault["error"]["code"].as_str()), (400, Some("malformed")), "{fault}");
    let (status, fault) = me.post("/api/matches", new(json!({"name": "nowhere"}))).await;
    assert_eq!(status, 404);
    assert!(fault["error"]["why"].as_str().unwrap().contains("mine"), "{fault}");
    let changed = json!({"name": "mine", "digest": "0".repeat(64)});
    assert_eq!(me.post("/api/matches", new(changed)).await.0, 409);
    for out in ["..", "../drill/mine", "", "mine/.."] {
        assert_eq!(me.post("/api/matches", new(json!({"name": out}))).await.0, 404, "{out}");
    }
    let (status, made) = me.post("/api/matches", new(json!({"name": "mine", "digest": digest}))).await;
    assert_eq!(status, 200, "{made}");
    assert_eq!(made["overlay"], json!({"name": "mine", "digest": digest}));
    let id = made["id"].as_str().unwrap().to_owned();
    let mut page = me.sit(&id).await;
    assert!(page.bytes.concat().contains("Overlaid Guards"));
    let mut dice = QuickDice::new(3);
    for _ in 0..5 {
        page.play_random(&mut dice).await;
    }
    let (step, n) = (page.step, page.n);
    let (_, journal) = me.get(&format!("/api/matches/{id}/journal?eyes=referee")).await;
    let journal = journal.as_str().unwrap().to_owned();
    assert!(journal.contains(&format!("\noverlay {digest}\n")), "{journal}");
    let (status, board) = me.get(&format!("/api/games/drill/board?overlay={digest}")).await;
    assert_eq!(status, 200);
    assert!(board["layers"][0]["url"].as_str().unwrap().ends_with(&format!("&overlay={digest}")));
    assert_eq!(me.get(&format!("/api/games/drill/charts?overlay={digest}")).await.0, 200);
    assert_eq!(me.get("/api/games/drill/board?overlay=none").await.0, 404);
    // The owner edits his folder and the server lets the match go: it comes back as it was.
    write_overlay(&there, "Other Guards");
    page.cut();
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        if served.house.live.is_empty() {
            break;
        }
    }
    assert!(served.house.live.is_empty());
    let page = me.sit(&id).await;
    assert_eq!((page.step, page.n), (step, n));
    assert!(page.bytes.concat().contains("Overlaid Guards"));
    // A journal that names it is taken in on this server, and refused where nobody has its files.
    let (status, copy, _) = me.ask("POST", "/api/matches/import", Some(journal.clone())).await;
    assert_eq!((status, copy["overlay"]["digest"].as_str()), (200, Some(digest.as_str())), "{copy}");
    let elsewhere = serve("overlays-none", config(false)).await;
    let other = Person::visit(elsewhere.addr).await;
    let (status, fault, _) = other.ask("POST", "/api/matches/import", Some(journal)).await;
    assert_eq!(status, 404, "{fault}");
    assert!(fault["error"]["why"].as_str().unwrap().contains(&digest), "{fault}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_local_player_may_type_a_path() {
    let folder = Folder::new("overlays-typed");
    write_overlay(&folder.0.join("mine"), "Typed Guards");
    let path = folder.0.join("mine").display().to_string();
    let served = serve("overlays-local", config(false)).await;
    let me = Person::visit(served.addr).await;
    assert_eq!(me.get("/api/games/drill/overlays").await.1, json!([]));
    let (status, seen) = me.post("/api/games/drill/overlays", json!({"path": path})).await;
    assert_eq!((status, &seen["faults"]), (200, &json!([])), "{seen}");
    let (_, none) = me.post("/api/games/drill/overlays", json!({"path": "/no/such/folder"})).await;
    assert!(none["faults"][0].as_str().unwrap().contains("no folder"), "{none}");
    let (_, disk) = me.post("/api/games/drill/overlays", json!({"path": "/"})).await;
    assert!(disk["digest"].is_null() && !disk["faults"].as_array().unwrap().is_empty());
    let (status, made) = me.post("/api/matches", new(json!({"path": path}))).await;
    assert_eq!(status, 200, "{made}");
    assert_eq!(made["overlay"]["name"], "mine");
    let page = me.sit(made["id"].as_str().unwrap()).await;
    assert!(page.bytes.concat().contains("Typed Guards"));
    let club = serve("overlays-club", config(true)).await;
    let anna = Person::register(club.addr, "Anna").await;
    assert_eq!(anna.post("/api/games/drill/overlays", json!({"path": path})).await.0, 403);
    assert_eq!(anna.post("/api/matches", new(json!({"path": path}))).await.0, 403);
    assert_eq!(Person::visit(club.addr).await.get("/api/games/drill/overlays").await.0, 401);
}
