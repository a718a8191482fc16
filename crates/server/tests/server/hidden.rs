//! Nothing of a side is in any byte sent to another: searched for, and proved with twins.
//!
//! In the drill Red decides in secret which of two counters is real. Twin matches differ in nothing but that decision,
//! with the same dice and the same choices after it: until the counter is turned up, every byte that Blue and a
//! spectator receive must be the same in both.

use crate::page::{Page, Person, Served, club};
use game::QuickDice;
use serde_json::{Value, json};

/// A match between Anna (Blue) and Ben (Red), watched by Eve, with dice that are the same in every such match.
pub struct Match {
    pub id: String,
    pub blue: Page,
    pub red: Page,
    pub eve: Page,
}

pub async fn people(served: &Served) -> [Person; 3] {
    let mut all = Vec::new();
    for name in ["Anna", "Ben", "Eve"] {
        all.push(Person::register(served.addr, name).await);
    }
    all.try_into().unwrap()
}

async fn found(served: &Served, [anna, ben, eve]: &[Person; 3]) -> Match {
    let new = json!({"game": "drill", "scenario": "first", "watch": "public",
        "seats": {"one": "me", "two": "open"}});
    let id = anna.found_with(new).await;
    let (_, link) = anna.post(&format!("/api/matches/{id}/invite"), json!({"seat": "two"})).await;
    ben.post(&format!("/api/join/{}", link["token"].as_str().unwrap()), json!({})).await;
    served
        .house
        .change_body(&id, |body, _| {
            body.secret = "5e".repeat(32);
            Ok(())
        })
        .await
        .unwrap();
    // The dice were keyed when the match was loaded: it is read anew.
    served.house.live.drop_match(&id);
    Match { blue: anna.sit(&id).await, red: ben.sit(&id).await, eve: eve.sit(&id).await, id }
}

/// What must not differ: ids and times are of the match, not of its secrets.
fn plain(bytes: &[String], id: &str) -> Vec<Value> {
    fn clean(v: &mut Value) {
        match v {
            Value::Object(o) => {
                for key in ["made", "turned", "at", "id", "clock"] {
                    if o.get(key).is_some_and(|x| x.is_number() || key == "clock") {
                        o.remove(key);
                    }
                }
                o.values_mut().for_each(clean);
            }
            Value::Array(a) => a.iter_mut().for_each(clean),
            _ => {}
        }
    }
    bytes
        .iter()
        .map(|text| {
            let mut v: Value = serde_json::from_str(&text.replace(id, "MATCH")).unwrap();
            clean(&mut v);
            v
        })
        // Presence depends on the moment at which the others connect.
        .filter(|v| v["t"] != "match")
        .map(|mut v| {
            if let Some(o) = v.as_object_mut() {
                o.remove("match");
            }
            v
        })
        .collect()
}

pub async fn settle(pages: [&mut Page; 3], n: u64) {
    for page in pages {
        while page.n < n {
            page.next().await.expect("an update");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twins_that_differ_in_a_secret_send_the_same_bytes_until_it_is_revealed() {
    let served = club("twins").await;
    let people = people(&served).await;
    let mut compared = 0;
    for seed in 0..3 {
        let mut sent: Vec<[Vec<Value>; 2]> = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        let mut revealed_at = usize::MAX;
        for twin in 0..2 {
            let mut m = found(&served, &people).await;
            let hide = m.red.choices();
            assert_eq!(hide.len(), 2);
            assert_eq!(m.red.play(&hide[twin]).await["t"], "accepted");
            let mut dice = QuickDice::new(seed);
            for at in 0.. {
                let n = m.red.n.max(m.blue.n).max(m.eve.n);
                settle([&mut m.blue, &mut m.red, &mut m.eve], n).await;
                let revealed = !m.blue.view.to_string().contains("\"concealed\"");
                if revealed || !m.blue.view["outcome"].is_null() || at >= revealed_at {
                    revealed_at = revealed_at.min(at);
                    break;
                }
                let asked = if m.blue.asked() { &mut m.blue } else { &mut m.red };
                let all = asked.choices();
                let text = match texts.get(at) {
                    Some(text) if twin == 1 => text.clone(),
                    _ => all[dice.below(all.len())].clone(),
                };
                if !all.contains(&text) {
                    // Only what follows a revelation may differ.
                    revealed_at = at;
                    break;
                }
                if twin == 0 {
                    texts.push(text.clone());
                }
                let answer = asked.play(&text).await;
                assert_eq!(answer["t"], "accepted", "{answer}");
                let n = asked.n;
                settle([&mut m.blue, &mut m.red, &mut m.eve], n.max(answer["n"].as_u64().unwrap() + 1)).await;
            }
            sent.push([plain(&m.blue.bytes, &m.id), plain(&m.eve.bytes, &m.id)]);
        }
        let [first, second] = &sent[..] else { panic!("two twins") };
        for (a, b) in first.iter().zip(second) {
            // The message that reveals comes last in one of them.
            let same = a.len().min(b.len()).saturating_sub(2);
            for (i, (x, y)) in a.iter().zip(b).take(same).enumerate() {
                assert_eq!(x, y, "seed {seed}, message {i}");
            }
            compared += same;
        }
    }
    assert!(compared > 60, "enough was compared: {compared}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bytes_of_a_whole_random_game_hold_no_secret_of_the_other_side() {
    let served = club("search").await;
    let people = people(&served).await;
    for seed in 0..2 {
        let mut m = found(&served, &people).await;
        let real = m.red.choices()[seed as usize % 2].split_whitespace().nth(1).unwrap().to_owned();
        m.red.play(&format!("hide {real}")).await;
        let mut dice = QuickDice::new(seed);
        let mut reds = Vec::new();
        let mut before_reveal = [String::new(), String::new()];
        while m.blue.view["outcome"].is_null() {
            let n = m.red.n.max(m.blue.n).max(m.eve.n);
            settle([&mut m.blue, &mut m.red, &mut m.eve], n).await;
            if m.blue.view.to_string().contains("\"concealed\"") {
                before_reveal = [m.blue.bytes.concat(), m.eve.bytes.concat()];
            }
            if m.blue.asked() {
                m.blue.play_random(&mut dice).await;
            } else if m.red.asked() {
                reds.push(m.red.play_random(&mut dice).await);
            }
            let n = m.red.n.max(m.blue.n);
            settle([&mut m.blue, &mut m.red, &mut m.eve], n).await;
        }
        for bytes in &before_reveal {
            assert!(!bytes.contains(&format!("hide {real}")));
            assert!(!bytes.contains(&format!("{real} is the")));
            assert!(!bytes.contains("\"kind\":\"decoy\""));
        }
        // During the whole game: no dice to come, no choices of the enemy, no journal lines.
        let secret = "5e".repeat(32);
        for page in [&m.blue, &m.eve, &m.red] {
            assert!(!page.bytes.concat().contains(&secret));
        }
        for text in &m.eve.bytes {
            let v: Value = serde_json::from_str(text).unwrap();
            assert!(v["ask"].is_null(), "a spectator is shown no choices");
            assert!(v["undo"].as_array().is_none_or(Vec::is_empty));
        }
        for text in &m.blue.bytes {
            let v: Value = serde_json::from_str(text).unwrap();
            assert!(v["ask"].is_null() || v["ask"]["side"] == "one", "only one's own questions");
        }
        assert!(reds.len() > 5);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_exported_during_play_seals_what_the_other_side_chose() {
    let served = club("sealed").await;
    let people = people(&served).await;
    let mut m = found(&served, &people).await;
    let hide = m.red.choices()[1].clone();
    m.red.play(&hide).await;
    let journal = format!("/api/matches/{}/journal", m.id);
    for who in [&people[0], &people[2]] {
        let (status, text) = who.get(&journal).await;
        assert_eq!(status, 200);
        let text = text.as_str().unwrap();
        assert!(
            !text.contains(&hide) && !text.contains("\nsalt ") && !text.contains(&"5e".repeat(32)),
            "{text}"
        );
        assert!(text.lines().count() > 5, "the sealed line is there");
    }
    let (_, own) = people[1].get(&journal).await;
    assert!(own.as_str().unwrap().contains(&hide), "one's own choices are readable");
    let (status, _) = people[0].get(&format!("{journal}?eyes=two")).await;
    assert_eq!(status, 403);
}
