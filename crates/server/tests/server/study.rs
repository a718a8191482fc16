//! Looking back: replay, story, figures, luck, journals out and in, documents.

use crate::page::{Page, Person, Served, local, sorted};
use game::QuickDice;
use serde_json::{Value, json};

async fn finished(served: &Served) -> (Person, String, Page) {
    let me = Person::visit(served.addr).await;
    let new =
        json!({"game": "drill", "scenario": "first", "handover": false, "seats": {"one": "me", "two": "me"}});
    let id = me.found_with(new).await;
    // Dice that are the same in every run: in this game steps are lost.
    let fixed = |body: &mut server::Body, _: &server::live::Playing| {
        body.secret = "5e".repeat(32);
        Ok(())
    };
    served.house.change_body(&id, fixed).await.unwrap();
    served.house.live.drop_match(&id);
    let mut page = me.sit(&id).await;
    let mut dice = QuickDice::new(31);
    while page.asked() {
        page.play_random(&mut dice).await;
    }
    (me, id, page)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_match_is_replayed_told_counted_exported_and_taken_in_again() {
    let served = local("study").await;
    let (me, id, page) = finished(&served).await;
    let at = |path: &str| format!("/api/matches/{id}/{path}");
    for eyes in ["one", "two", "spectator", "referee"] {
        let (status, then) = me.get(&at(&format!("view?step=10&eyes={eyes}"))).await;
        assert_eq!(status, 200);
        assert_eq!((then["step"].as_u64(), then["steps"].as_u64()), (Some(10), Some(page.step)));
        assert!(then["view"]["outcome"].is_null(), "the tenth choice was not the last");
    }
    let (_, last) = me.get(&at(&format!("view?eyes=referee&step={}", page.step))).await;
    assert_eq!(last["view"]["outcome"], page.view["outcome"]);
    let (_, story) = me.get(&at("story?eyes=referee")).await;
    let lines = story.as_array().unwrap();
    assert!(lines.len() > 20);
    assert!(lines.windows(2).all(|w| w[0]["step"].as_u64() <= w[1]["step"].as_u64()));
    let (_, part) = me.get(&at("story?eyes=referee&from=5&to=10")).await;
    let within = |l: &Value| (6..=10).contains(&l["step"].as_u64().unwrap());
    assert!(part.as_array().unwrap().iter().all(within));
    let (_, stats) = me.get(&at("stats")).await;
    let tracks = stats["tracks"].as_array().unwrap();
    assert!(!tracks.is_empty());
    let ends = tracks[0]["points"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(ends[0], page.step, "the last point is the end");
    // Steps lost, counted apart: every fall of a unit's steps from one moment to the next.
    let mut seen: std::collections::BTreeMap<String, u64> = Default::default();
    let mut counted = [0, 0];
    for step in 0..=page.step {
        let (_, then) = me.get(&at(&format!("view?eyes=referee&step={step}"))).await;
        let stacks = then["view"]["stacks"].as_array().unwrap();
        let boxes = then["view"]["boxes"].as_array().unwrap();
        for u in stacks.iter().chain(boxes).flat_map(|s| s["units"].as_array().unwrap()) {
            let now = u["steps"][0].as_u64().unwrap();
            let was = seen.insert(u["code"].as_str().unwrap().into(), now).unwrap_or(now);
            counted[usize::from(u["side"] == "two")] += was.saturating_sub(now);
        }
    }
    let (_, stats) = me.get(&at("stats?eyes=referee")).await;
    let lost = |side: usize| stats["losses"][side]["points"].as_array().unwrap().last().unwrap()[2].as_f64();
    assert_eq!([lost(0), lost(1)], counted.map(|n| Some(n as f64)));
    assert!(counted[0] + counted[1] > 0, "steps were lost in this game");
    let (_, luck) = me.get(&at("luck")).await;
    assert_eq!(luck["sides"].as_array().unwrap().len(), 2);
    let (_, journal) = me.get(&at("journal")).await;
    let journal = journal.as_str().unwrap().to_owned();
    let (status, copy, _) = me.ask("POST", "/api/matches/import", Some(journal.clone())).await;
    assert_eq!(status, 200, "{copy}");
    assert_eq!(copy["step"], page.step);
    let second = copy["id"].as_str().unwrap();
    let (_, again) = me.get(&format!("/api/matches/{second}/view?eyes=referee")).await;
    assert_eq!(sorted(&again["view"]), sorted(&last["view"]), "the copy ends as the first did");
    let (_, out) = me.get(&format!("/api/matches/{second}/journal")).await;
    assert_eq!(out.as_str().unwrap(), journal, "and its journal is the same to the byte");
    // A journal with one changed letter is refused, with its line.
    let broken = journal.replacen("pick", "pikc", 1);
    let (status, fault, _) = me.ask("POST", "/api/matches/import", Some(broken)).await;
    assert_eq!(status, 400, "{fault}");
    let (status, _, _) = me.ask("POST", "/api/matches/import", Some("nonsense".into())).await;
    assert_eq!(status, 400);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moment_is_written_as_a_situation_only_for_eyes_that_may_see_everything() {
    let served = local("situation").await;
    let me = Person::visit(served.addr).await;
    let open =
        json!({"game": "drill", "scenario": "first", "handover": false, "seats": {"one": "me", "two": "me"}});
    let id = me.found_with(open).await;
    let mut page = me.sit(&id).await;
    page.play_random(&mut QuickDice::new(2)).await;
    let (status, text) = me.get(&format!("/api/matches/{id}/situation")).await;
    assert_eq!(status, 200, "{text}");
    let table: toml::Table = text.as_str().unwrap().parse().unwrap();
    assert!(table.contains_key("game"));
    let fogged = me.found(json!({"one": "me", "two": {"program": "random"}})).await;
    let (status, fault) = me.get(&format!("/api/matches/{fogged}/situation")).await;
    assert_eq!((status, fault["error"]["code"].as_str()), (403, Some("forbidden")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_are_there_compressed_and_known_again_by_their_tag() {
    let served = local("documents").await;
    let me = Person::visit(served.addr).await;
    let (_, games) = me.get("/api/games").await;
    assert_eq!(games[0]["id"], "drill");
    assert!(games[0]["scenarios"].as_array().unwrap().len() >= 2);
    let (_, info) = me.get("/api/games/drill").await;
    assert!(info["rules"].as_array().unwrap().len() > 10, "our wording of the rules");
    let (_, charts) = me.get("/api/games/drill/charts").await;
    assert!(!charts.as_array().unwrap().is_empty());
    let (_, board) = me.get("/api/games/drill/board").await;
    assert_eq!(board["hexes"].as_array().unwrap().len(), 120);
    assert_eq!(board["corners"].as_array().unwrap().len(), 6);
    let layers = board["layers"].as_array().unwrap();
    assert!(layers.len() >= 5);
    for layer in layers {
        let (status, svg) = me.get(layer["url"].as_str().unwrap()).await;
        assert_eq!(status, 200);
        assert!(svg.as_str().unwrap().starts_with("<svg"));
    }
    assert_eq!(me.get("/api/games/drill/board?palette=dark").await.0, 200);
    assert_eq!(me.get("/api/games/drill/board?palette=plaid").await.0, 404);
    assert_eq!(me.get("/api/games/chess/board").await.0, 404);
    assert_eq!(me.get("/api/nothing/here").await.0, 404);
    let (_, opponents) = me.get("/api/opponents").await;
    assert_eq!(opponents[0]["id"], "random");
    let url = format!("http://{}/api/games/drill/board", served.addr);
    let (kind, encoding, again) = tokio::task::spawn_blocking(move || {
        let first = ureq::get(&url).header("accept-encoding", "gzip").call().unwrap();
        let head = |name: &str| first.headers().get(name).map(|v| v.to_str().unwrap().to_owned());
        let tag = head("etag").unwrap();
        let second = ureq::get(&url).header("if-none-match", &tag).call().unwrap();
        (head("content-type"), head("content-encoding"), second.status().as_u16())
    })
    .await
    .unwrap();
    assert_eq!((kind.as_deref(), encoding.as_deref(), again), (Some("application/json"), Some("gzip"), 304));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_interface_is_described_with_every_address_that_the_protocol_names() {
    let served = local("openapi").await;
    let me = Person::visit(served.addr).await;
    let (_, described) = me.get("/api/openapi.json").await;
    let protocol = include_str!("../../../../docs/protocol.md");
    let named: Vec<&str> = protocol
        .split('`')
        .filter_map(|word| word.split_whitespace().find(|w| w.starts_with("/api/")))
        .map(|w| w.split('?').next().unwrap().trim_end_matches(','))
        .filter(|w| *w != "/api/openapi.json")
        .collect();
    assert!(named.len() > 25, "{named:?}");
    for path in named {
        let path = path.replace("{layer}.svg", "{layer}");
        assert!(described["paths"][&path].is_object(), "{path} is not described");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_built_page_the_server_says_how_to_build_it_and_any_address_leads_to_the_page() {
    let served = local("page").await;
    let me = Person::visit(served.addr).await;
    for path in ["/", "/match/abc", "/join/xyz"] {
        let (status, page) = me.get(path).await;
        assert_eq!(status, 200);
        assert!(page.as_str().unwrap().to_lowercase().contains("<!doctype html>"), "{path}");
    }
    assert_eq!(me.get("/assets/none.js").await.0, 404);
}
