//! Two players at one screen.

use crate::page::{Person, local};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_side_is_shown_before_it_has_taken_the_seat() {
    let served = local("hotseat").await;
    let me = Person::visit(served.addr).await;
    let id = me.found(json!({"one": "me", "two": "me"})).await;
    let mut page = me.sit(&id).await;
    assert!(page.view.is_null() && !page.asked());
    assert_eq!(page.handover, "two", "Red hides its guards first");
    let early = page.request(json!({"t": "play", "n": 1, "text": "done"})).await;
    assert_eq!(early["code"], "handover", "{early}");
    let red = page.request(json!({"t": "take", "side": "two"})).await;
    assert_eq!(red["t"], "state");
    let hide = page.choices()[0].clone();
    assert_eq!(page.play(&hide).await["t"], "accepted");
    page.drain().await;
    assert_eq!(page.handover, "one");
    assert_eq!(page.view["eyes"], json!({"side": "two"}), "Red still sits there");
    let wrong = page.play("done").await;
    assert_eq!(wrong["code"], "handover", "{wrong}");
    page.bytes.clear();
    let blue = page.request(json!({"t": "take", "side": "one"})).await;
    assert_eq!(blue["view"]["eyes"], json!({"side": "one"}));
    assert_eq!(blue["since"], 0);
    assert!(
        !blue["story"].as_array().unwrap().is_empty(),
        "Blue is told what Red did, as far as Blue may know"
    );
    let unit = hide.split_whitespace().nth(1).unwrap();
    assert!(!page.bytes.concat().contains(&format!("{unit} is the")), "but not which counter is real");
    assert!(page.asked());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_at_the_hotseat_asks_again_who_sits_there() {
    let served = local("reload").await;
    let me = Person::visit(served.addr).await;
    let id = me.found(json!({"one": "me", "two": "me"})).await;
    let mut page = me.sit(&id).await;
    page.request(json!({"t": "take", "side": "two"})).await;
    page.cut();
    let page = me.sit(&id).await;
    assert!(page.view.is_null());
    assert_eq!(page.handover, "two");
}
