//! A lost connection loses nothing and doubles nothing.

use crate::page::{Person, local};
use game::QuickDice;
use serde_json::json;

async fn hotseat(served: &crate::page::Served) -> (Person, String) {
    let me = Person::visit(served.addr).await;
    let new =
        json!({"game": "drill", "scenario": "first", "handover": false, "seats": {"one": "me", "two": "me"}});
    let id = me.found_with(new).await;
    (me, id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_choice_sent_again_after_a_lost_connection_is_played_once() {
    let served = local("resume").await;
    let (me, id) = hotseat(&served).await;
    let mut dice = QuickDice::new(5);
    let mut total = 0;
    for round in 0..40 {
        let mut page = me.sit(&id).await;
        if !page.asked() {
            break;
        }
        let (n, step) = (page.n, page.step);
        assert_eq!(step, total, "round {round}");
        let all = page.choices();
        let text = all[dice.below(all.len())].clone();
        let play = json!({"t": "play", "id": 1, "n": n, "text": text});
        page.send(play.clone()).await;
        // Cut at once, before the answer: it may or may not have arrived.
        page.cut();
        let mut page = me.sit(&id).await;
        let answer = page.request(play).await;
        assert_eq!(answer["t"], "accepted", "{answer}");
        page.drain().await;
        assert_eq!(page.step, step + 1, "it was played once");
        total += 1;
    }
    assert!(total >= 30);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_tabs_that_answer_one_question_one_is_accepted_and_the_other_told_so() {
    let served = local("tabs").await;
    let (me, id) = hotseat(&served).await;
    let mut first = me.sit(&id).await;
    let mut second = me.sit(&id).await;
    let all = first.choices();
    assert!(all.len() >= 2);
    let n = first.n;
    first.send(json!({"t": "play", "id": "a", "n": n, "text": all[0]})).await;
    second.send(json!({"t": "play", "id": "b", "n": n, "text": all[1]})).await;
    let told = [first.drain().await, second.drain().await];
    let answers: Vec<_> = told
        .iter()
        .map(|t| t.iter().find(|m| m["t"] == "accepted" || m["t"] == "refused").expect("an answer").clone())
        .collect();
    let accepted = answers.iter().filter(|a| a["t"] == "accepted").count();
    assert_eq!(accepted, 1, "{answers:?}");
    assert_eq!(answers.iter().find(|a| a["t"] == "refused").unwrap()["code"], "stale");
    assert_eq!((first.n, first.step), (second.n, second.step));
    assert_eq!(first.step, 1);
    assert_eq!(first.view, second.view, "both tabs show the same");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_dropped_from_memory_comes_back_as_it_was() {
    let config = server::Config { idle: std::time::Duration::from_millis(1), ..crate::page::config(false) };
    let served = crate::page::serve("idle", config).await;
    let (me, id) = hotseat(&served).await;
    let mut dice = QuickDice::new(8);
    let mut page = me.sit(&id).await;
    for _ in 0..30 {
        page.play_random(&mut dice).await;
    }
    let (view, n, step) = (crate::page::sorted(&page.view), page.n, page.step);
    page.cut();
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        if served.house.live.is_empty() {
            break;
        }
    }
    assert!(served.house.live.is_empty(), "nobody looks, so it is not kept in memory");
    let page = me.sit(&id).await;
    assert_eq!((crate::page::sorted(&page.view), page.n, page.step), (view, n, step));
}
