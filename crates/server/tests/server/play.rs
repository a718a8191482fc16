//! Playing: from founding a match to its end.

use crate::page::{Person, local, sorted};
use game::QuickDice;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_drill_is_played_over_the_line_and_patches_give_the_same_view_as_the_whole() {
    let served = local("whole").await;
    let me = Person::visit(served.addr).await;
    let id = me
        .found_with(json!({"game": "drill", "scenario": "first", "handover": false,
            "seats": {"one": "me", "two": "me"}}))
        .await;
    let mut page = me.sit(&id).await;
    let mut dice = QuickDice::new(11);
    let mut played = 0;
    while page.asked() {
        page.play_random(&mut dice).await;
        played += 1;
        if played % 25 == 0 {
            let by_patches = sorted(&page.view);
            let whole = page.request(json!({"t": "sync"})).await;
            assert_eq!(by_patches, sorted(&whole["view"]), "after {played} choices");
        }
        assert!(played < 5_000, "a drill ends");
    }
    assert!(page.view["outcome"]["text"].is_string());
    let (_, list) = me.get("/api/matches").await;
    assert!(list[0]["outcome"]["text"].is_string(), "{list}");
    assert_eq!(list[0]["step"], played);
    let over = page.play("done").await;
    assert_eq!(over["code"], "over");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_in_a_seat_answers_when_it_is_asked_and_the_match_goes_on_without_its_player() {
    let served = local("program").await;
    let me = Person::visit(served.addr).await;
    let id = me.found(json!({"one": "me", "two": {"program": "random"}})).await;
    let mut page = me.sit(&id).await;
    let mut dice = QuickDice::new(3);
    let mut mine = 0;
    while page.view["outcome"].is_null() {
        if page.asked() {
            page.play_random(&mut dice).await;
            mine += 1;
        } else {
            page.next().await.expect("the program goes on");
        }
    }
    assert!(mine > 5);
    assert!(page.step > mine, "the program chose too: {} of {}", mine, page.step);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn previews_reasons_and_overlays_change_nothing() {
    let served = local("queries").await;
    let me = Person::visit(served.addr).await;
    let id = me
        .found_with(json!({"game": "drill", "scenario": "first", "handover": false,
            "seats": {"one": "me", "two": "me"}}))
        .await;
    let mut page = me.sit(&id).await;
    // Red hides its guards, then Blue moves.
    let hide = page.choices()[0].clone();
    page.play(&hide).await;
    while !page.choices().iter().any(|c| c.starts_with("pick ")) {
        let next = page.choices()[0].clone();
        page.play(&next).await;
        page.drain().await;
    }
    let (n, before) = (page.n, page.view.clone());
    let pick = page.choices().into_iter().find(|c| c.starts_with("pick ")).unwrap();
    let shown = page.request(json!({"t": "preview", "n": n, "texts": [pick]})).await;
    assert_eq!(shown["t"], "preview", "{shown}");
    let listed = shown["ask"]["choices"].as_array().unwrap();
    assert!(listed.iter().any(|c| c["verb"] == "go" && c["path"].is_array()), "reach is shown: {shown}");
    let refused = page.request(json!({"t": "preview", "n": n, "texts": [pick, "go 0101-0102"]})).await;
    assert_eq!(refused["refused"]["at"], 1, "{refused}");
    let why = page.request(json!({"t": "why", "n": n, "text": "go 0101-0102"})).await;
    assert_eq!(why["legal"], false);
    assert!(why["why"].as_str().unwrap().len() > 5);
    let legal = page.request(json!({"t": "why", "n": n, "text": pick})).await;
    assert_eq!(legal["legal"], true);
    let (_, info) = me.get("/api/games/drill").await;
    for overlay in info["overlays"].as_array().unwrap() {
        let layer = page.request(json!({"t": "overlay", "name": overlay[0]})).await;
        assert_eq!(layer["t"], "overlay", "{layer}");
    }
    let none = page.request(json!({"t": "overlay", "name": "no such"})).await;
    assert_eq!(none["code"], "unknown");
    let state = page.request(json!({"t": "sync"})).await;
    assert_eq!(state["n"], n);
    assert_eq!(sorted(&state["view"]), sorted(&before));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undo_takes_back_what_was_not_rolled_and_its_number_never_comes_again() {
    let served = local("undo").await;
    let me = Person::visit(served.addr).await;
    let id = me
        .found_with(json!({"game": "drill", "scenario": "first", "handover": false,
            "seats": {"one": "me", "two": "me"}}))
        .await;
    let mut page = me.sit(&id).await;
    let hide = page.choices()[0].clone();
    page.play(&hide).await;
    page.drain().await;
    let before = sorted(&page.view);
    let (step, n) = (page.step, page.n);
    let pick = page.choices().into_iter().find(|c| c.starts_with("pick ")).unwrap();
    page.play(&pick).await;
    page.drain().await;
    assert_eq!(page.step, step + 1);
    let undone = page.request(json!({"t": "undo", "n": page.n, "to": step})).await;
    assert_eq!(undone["t"], "accepted", "{undone}");
    page.drain().await;
    assert_eq!((page.step, page.n), (step, n + 2));
    assert_eq!(sorted(&page.view), before);
    let far = page.request(json!({"t": "undo", "n": page.n, "to": 0})).await;
    assert_eq!(far["t"], "refused", "the other side's decision stands: {far}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_in_a_row_are_carried_out_all_or_none() {
    let served = local("orders").await;
    let me = Person::visit(served.addr).await;
    let id = me
        .found_with(json!({"game": "drill", "scenario": "first", "handover": false,
            "seats": {"one": "me", "two": "me"}}))
        .await;
    let mut page = me.sit(&id).await;
    let hide = page.choices()[0].clone();
    page.play(&hide).await;
    page.drain().await;
    let (n, step) = (page.n, page.step);
    let pick = page.choices().into_iter().find(|c| c.starts_with("pick ")).unwrap();
    let bad = page.request(json!({"t": "orders", "n": n, "text": format!("{pick}; go 0101-0102")})).await;
    assert_eq!(bad["t"], "refused", "{bad}");
    let state = page.request(json!({"t": "sync"})).await;
    assert_eq!((state["n"].as_u64(), state["step"].as_u64()), (Some(n), Some(step)));
    let shown = page.request(json!({"t": "preview", "n": n, "texts": [pick]})).await;
    let go = shown["ask"]["choices"].as_array().unwrap().iter().find(|c| c["verb"] == "go").unwrap();
    let text = format!("{pick}\n{}", go["text"].as_str().unwrap());
    let good = page.request(json!({"t": "orders", "n": n, "text": text})).await;
    assert_eq!(good["t"], "accepted", "{good}");
    page.drain().await;
    assert_eq!(page.step, step + 2);
    let again = page.request(json!({"t": "orders", "n": n, "text": text})).await;
    assert_eq!(again["again"], true, "{again}");
}

#[test]
fn a_question_folded_at_once_is_written_as_one_that_was_spelled_out() {
    let games: [(Box<dyn game::Game>, &str); 3] = [
        (Box::new(pm::Pm::new()), "campaign"),
        (Box::new(pm::Pm::new()), "june"),
        (Box::new(s42::S42::new()), "blau"),
    ];
    let mut folded = 0;
    for (game, scenario) in games {
        let terms = game::Terms { scenario: scenario.into(), ..game::Terms::default() };
        let dice = game::DiceFrom::Quick(7);
        let mut session = game::Session::start(&*game, &terms, None, dice).unwrap();
        let mut random = QuickDice::new(5);
        for _ in 0..40 {
            let Some(side) = session.position().asks() else { break };
            let eyes = game::Eyes::Side(side);
            let (whole, short) = (session.ask(eyes, None).unwrap(), session.ask_folded(eyes).unwrap());
            assert_eq!(serde_json::to_string(&whole).unwrap(), serde_json::to_string(&short).unwrap());
            folded += usize::from(!short.places.is_empty());
            let choices = session.choices();
            let n = session.question_number();
            session.play(side, n, choices[random.below(choices.len())]).unwrap();
        }
    }
    assert!(folded > 20, "{folded} questions had long lists");
}

#[test]
fn each_big_game_tells_what_arrives_when_and_where_the_enemy_can_go() {
    let games: [(Box<dyn game::Game>, &str); 3] = [
        (Box::new(pm::Pm::new()), "june"),
        (Box::new(s42::S42::new()), "blau"),
        (Box::new(s42::S42::new()), "campaign"),
    ];
    for (game, scenario) in games {
        let terms = game::Terms { scenario: scenario.into(), ..game::Terms::default() };
        let session = game::Session::start(&*game, &terms, None, game::DiceFrom::Quick(7)).unwrap();
        for side in table::Side::BOTH {
            let eyes = game::Eyes::Side(side);
            let view = session.view(eyes);
            let due: Vec<_> = view.boxes.iter().filter(|b| b.id.starts_with("turn-")).collect();
            assert!(due.iter().any(|b| !b.units.is_empty()), "{scenario}: units arrive later");
            let on_map = |code: &str| view.stacks.iter().any(|s| s.units.iter().any(|u| u.code == code));
            assert!(due.iter().flat_map(|b| &b.units).all(|u| !on_map(&u.code)), "who arrives is not here");
            for name in ["reach", "weather", "control", "supply"] {
                let layer = session.position().overlay(eyes, name).unwrap();
                assert!(!layer.hexes.is_empty(), "{scenario}: {name}");
            }
            // The enemy's reach has hexes beside his stacks, and not all of the map.
            let reach = session.position().overlay(eyes, "reach").unwrap();
            let held = view.stacks.iter().filter(|s| s.side == side).map(|s| s.hex.as_str());
            let held: std::collections::BTreeSet<&str> = held.collect();
            assert!(
                reach.hexes.iter().all(|h| !held.contains(h.0.as_str())),
                "{scenario}: not where we stand"
            );
        }
    }
}
