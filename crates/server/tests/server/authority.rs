//! Only the seat that is asked chooses, only from the list, and only once.

use crate::page::{Page, Person, club, sorted};
use serde_json::json;

/// Two people in a match, both connected; Red, who hides its guards first, is the second.
async fn two(served: &crate::page::Served) -> (Person, Person, String) {
    let anna = Person::register(served.addr, "Anna").await;
    let ben = Person::register(served.addr, "Ben").await;
    let id = anna.found(json!({"one": "me", "two": "open"})).await;
    let (status, link) = anna.post(&format!("/api/matches/{id}/invite"), json!({"seat": "two"})).await;
    assert_eq!(status, 200, "{link}");
    let (status, joined) =
        ben.post(&format!("/api/join/{}", link["token"].as_str().unwrap()), json!({"word": "tulip"})).await;
    assert_eq!(status, 200, "{joined}");
    assert_eq!(joined["mine"], json!(["two"]));
    (anna, ben, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_seat_that_is_not_asked_is_refused_and_nothing_changes() {
    let served = club("authority").await;
    let (anna, ben, id) = two(&served).await;
    let (mut blue, mut red) = (anna.sit(&id).await, ben.sit(&id).await);
    assert!(red.asked() && !blue.asked());
    let choice = red.choices()[0].clone();
    let before = sorted(&red.view);
    let foreign = blue.play(&choice).await;
    assert_eq!((foreign["t"].as_str(), foreign["code"].as_str()), (Some("refused"), Some("not_asked")));
    let illegal = red.play("hide 1Inf").await;
    assert_eq!(illegal["code"], "illegal", "{illegal}");
    assert!(illegal["rule"].is_string(), "{illegal}");
    let nonsense = red.play("fly to the moon").await;
    assert_eq!(nonsense["code"], "malformed", "{nonsense}");
    let early = red.request(json!({"t": "play", "n": 7, "text": choice})).await;
    assert_eq!(early["code"], "stale", "{early}");
    let state = red.request(json!({"t": "sync"})).await;
    assert_eq!(state["n"], 1);
    assert_eq!(sorted(&state["view"]), before);
    assert_eq!(red.play(&choice).await["t"], "accepted");
    assert!(blue.until("update").await["ask"].is_object() || blue.asked());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_learns_not_even_that_the_match_exists() {
    let served = club("stranger").await;
    let (_, _, id) = two(&served).await;
    let eve = Person::register(served.addr, "Eve").await;
    assert_eq!(Page::open(&eve, &id).await.err(), Some(404));
    assert_eq!(Page::open(&eve, "nosuchmatch").await.err(), Some(404));
    for path in ["", "/view", "/story", "/stats", "/luck", "/journal", "/notes", "/situation"] {
        let there = eve.get(&format!("/api/matches/{id}{path}")).await;
        let nowhere = eve.get(&format!("/api/matches/nosuchmatch{path}")).await;
        assert_eq!(there, nowhere, "{path}");
        assert_eq!(there.0, 404, "{path}");
    }
    let nobody = Person::visit(served.addr).await;
    assert_eq!(nobody.get("/api/matches").await.0, 401);
    assert_eq!(Page::open(&nobody, &id).await.err(), Some(404));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spectator_looks_on_and_cannot_choose_or_look_with_other_eyes() {
    let served = club("spectator").await;
    let (anna, ben, id) = two(&served).await;
    let (_, link) = anna.post(&format!("/api/matches/{id}/invite"), json!({"seat": "watch"})).await;
    let eve = Person::register(served.addr, "Eve").await;
    let join = format!("/api/join/{}", link["token"].as_str().unwrap());
    assert_eq!(eve.post(&join, json!({})).await.0, 200);
    let mut watch = eve.sit(&id).await;
    assert_eq!(watch.view["eyes"], "spectator");
    assert!(!watch.asked());
    let mut red = ben.sit(&id).await;
    let choice = red.choices()[0].clone();
    assert_eq!(watch.play(&choice).await["code"], "forbidden");
    assert_eq!(watch.request(json!({"t": "undo", "n": 1, "to": 0})).await["code"], "forbidden");
    assert_eq!(watch.request(json!({"t": "take", "side": "two"})).await["code"], "forbidden");
    assert_eq!(watch.request(json!({"t": "why", "n": 1, "text": choice})).await["code"], "not_asked");
    for eyes in ["one", "two", "referee"] {
        let (status, fault) = eve.get(&format!("/api/matches/{id}/view?eyes={eyes}")).await;
        assert_eq!(status, 403, "{eyes}: {fault}");
    }
    assert_eq!(red.play(&choice).await["t"], "accepted");
    let seen = watch.until("update").await;
    assert_eq!(seen["ask"], json!(null));
    assert!(!watch.bytes.concat().contains(&choice), "what Red hid is not sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_is_given_once_and_a_taken_one_is_not_offered() {
    let served = club("seats").await;
    let (anna, _, id) = two(&served).await;
    let (status, fault) = anna.post(&format!("/api/matches/{id}/invite"), json!({"seat": "two"})).await;
    assert_eq!((status, fault["error"]["code"].as_str()), (409, Some("stale")));
    let (status, _) = anna.post(&format!("/api/matches/{id}/invite"), json!({"seat": "one.3"})).await;
    assert_eq!(status, 404);
    // A match that others play in is not removed.
    assert_eq!(anna.ask("DELETE", &format!("/api/matches/{id}"), None).await.0, 403);
    // A link that two people follow seats the first.
    let open = anna.found(json!({"one": "me", "two": "open"})).await;
    let (_, link) = anna.post(&format!("/api/matches/{open}/invite"), json!({"seat": "two"})).await;
    let join = format!("/api/join/{}", link["token"].as_str().unwrap());
    let carl = Person::register(served.addr, "Carl").await;
    let dora = Person::register(served.addr, "Dora").await;
    assert_eq!(carl.post(&join, json!({})).await.0, 200);
    assert_eq!(dora.post(&join, json!({})).await.0, 409);
    assert_eq!(carl.post(&join, json!({})).await.0, 200, "one may follow it again");
}
