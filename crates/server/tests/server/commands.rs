//! Two commanders on one side (1.2 of pm): each chooses for his part of the front, the senior one for the rest; and the
//! mail that calls someone to his turn.

use crate::page::{Page, Person, Served, club, config, serve};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};

async fn take(served: &Served, from: &Person, id: &str, seat: &str, name: &str) -> Person {
    let who = Person::register(served.addr, name).await;
    let (_, link) = from.post(&format!("/api/matches/{id}/invite"), json!({"seat": seat})).await;
    let (status, joined) =
        who.post(&format!("/api/join/{}", link["token"].as_str().unwrap()), json!({})).await;
    assert_eq!(status, 200, "{joined}");
    who
}

fn mine(page: &Page) -> Vec<String> {
    let all = page.ask["choices"].as_array().cloned().unwrap_or_default();
    let own = all.iter().filter(|c| c["mine"] == true);
    own.map(|c| c["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_commander_of_a_shared_side_makes_the_choices_of_his_front_and_no_others() {
    let served = club("commands").await;
    let anna = Person::register(served.addr, "Anna").await;
    let new = json!({"game": "pm", "scenario": "june",
        "seats": {"one": "me", "one.1": "open", "one.2": "open", "two": {"program": "random"}}});
    let id = anna.found_with(new).await;
    let ben = take(&served, &anna, &id, "one.1", "Ben").await;
    let carl = take(&served, &anna, &id, "one.2", "Carl").await;
    let mut pages = [anna.sit(&id).await, ben.sit(&id).await, carl.sit(&id).await];
    let (mut tried, mut undone) = (0, 0);
    for round in 0..60 {
        assert!(pages.iter().all(Page::asked), "the side is asked, so all three see the question");
        let all = pages[0].choices();
        let own: Vec<Vec<String>> = pages.iter().map(mine).collect();
        for c in &all {
            let holders = own.iter().filter(|o| o.contains(c)).count();
            assert_eq!(holders, 1, "'{c}' is one commander's and no other's");
        }
        // Whoever reaches over is refused, and nothing changes.
        for (i, page) in pages.iter_mut().enumerate() {
            if let Some(foreign) = all.iter().find(|c| !own[i].contains(c)) {
                let refused = page.play(foreign).await;
                assert_eq!(refused["code"], "not_yours", "{refused}");
                tried += 1;
            }
        }
        // A different commander each round, so that their choices stand one on another.
        let at = (0..3).map(|i| (round + i) % 3).find(|&i| !own[i].is_empty()).unwrap();
        let choice = own[at][round % own[at].len()].clone();
        let n = pages[at].n;
        assert_eq!(pages[at].play(&choice).await["t"], "accepted", "{choice}");
        for page in &mut pages {
            while page.n <= n {
                page.next().await.expect("an update");
            }
        }
        if !pages[0].asked() {
            break;
        }
        let other = if at == 1 { 2 } else { 1 };
        if at != 0 && undone < 5 {
            let (n, step) = (pages[other].n, pages[other].step);
            let back = pages[other].request(json!({"t": "undo", "n": n, "to": step - 1})).await;
            assert_eq!(back["t"], "refused", "one does not take back what another commander did: {back}");
            undone += 1;
        }
    }
    assert!(tried > 20 && undone > 0, "{tried} {undone}");
    // With the seat of a command left open, its choices are the senior commander's.
    let new =
        json!({"game": "pm", "scenario": "june", "seats": {"one": "me", "one.1": "open", "two": "open"}});
    let alone = anna.found_with(new).await;
    let page = anna.sit(&alone).await;
    assert_eq!(mine(&page).len(), page.choices().len());
}

/// Takes one mail in, as a mail server does; returns what was said after the greeting.
fn take_mail(listener: &std::net::TcpListener) -> String {
    let (stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(10))).unwrap();
    let mut out = stream.try_clone().unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut all = String::new();
    out.write_all(b"220 sink\r\n").unwrap();
    let mut in_data = false;
    while let Some(Ok(line)) = lines.next() {
        all.push_str(&line);
        all.push('\n');
        let answer: &[u8] = match (in_data, line.split(' ').next().unwrap_or_default()) {
            (true, ".") => {
                in_data = false;
                b"250 taken\r\n"
            }
            (true, _) => continue,
            (_, "EHLO" | "HELO") => b"250 sink\r\n",
            (_, "DATA") => {
                in_data = true;
                b"354 go on\r\n"
            }
            (_, "QUIT") => {
                let _ = out.write_all(b"221 bye\r\n");
                break;
            }
            _ => b"250 ok\r\n",
        };
        out.write_all(answer).unwrap();
        if all.contains("\n.\n") {
            break;
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_away_is_told_by_mail_that_it_is_his_turn_and_nothing_of_the_play() {
    let sink = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", sink.local_addr().unwrap());
    let mail = Some(server::Mail { url, from: "Verst <verst@example.org>".into() });
    let public_url = Some("https://verst.example.org".to_owned());
    let served = serve("mail", server::Config { mail, public_url, ..config(true) }).await;
    let anna = Person::register(served.addr, "Anna").await;
    let new = json!({"game": "drill", "scenario": "first", "title": "The \u{fc}bung\r\nBcc: eve@example.org",
        "seats": {"one": "me", "two": "open"}});
    let id = anna.found_with(new).await;
    let ben = take(&served, &anna, &id, "two", "Ben").await;
    let settings = json!({"email": "anna@example.org", "notices": "turn"});
    assert_eq!(anna.put("/api/account/settings", settings).await.0, 200);
    for bad in [
        json!({"email": "no address", "notices": "turn"}),
        json!({"webhook": "file:///etc/passwd", "notices": "turn"}),
    ] {
        assert_eq!(anna.put("/api/account/settings", bad).await.0, 400);
    }
    let got = tokio::task::spawn_blocking(move || take_mail(&sink));
    let mut red = ben.sit(&id).await;
    let choice = red.choices()[0].clone();
    assert_eq!(red.play(&choice).await["t"], "accepted");
    let text = tokio::time::timeout(std::time::Duration::from_secs(20), got).await.unwrap().unwrap();
    assert!(text.contains("RCPT TO:<anna@example.org>"), "{text}");
    assert!(
        !text.contains("RCPT TO:<eve@example.org>") && !text.contains("\nBcc:"),
        "a title adds no line: {text}"
    );
    let unfolded = text.replace("=\n", "");
    assert!(unfolded.contains(&format!("https://verst.example.org/match/{id}")), "{text}");
    assert!(!text.contains(&choice), "{text}");
    let (_, again): (u16, Value) = anna.get("/api/account/settings").await;
    assert_eq!(again["email"], "anna@example.org", "the last sound settings stand");
    assert_eq!(ben.get("/api/account/settings").await.1["email"], Value::Null, "and are nobody else's");
}
