//! A club: accounts, foreign pages, limits, chat, notes, clocks, notices, playing again.

use crate::page::{Page, Person, club, config, serve};
use game::QuickDice;
use serde_json::json;
use std::io::{Read, Write};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_registered_once_and_opens_only_with_its_password() {
    let served = club("accounts").await;
    let anna = Person::register(served.addr, "Anna").await;
    let (_, me) = anna.get("/api/me").await;
    assert_eq!(me["person"]["name"], "Anna");
    let other = Person::visit(served.addr).await;
    let again = json!({"name": "ANNA", "password": "another long one"});
    assert_eq!(other.post("/api/account/register", again).await.0, 409);
    let short = json!({"name": "Carl", "password": "short"});
    assert_eq!(other.post("/api/account/register", short).await.0, 400);
    let wrong = json!({"name": "Anna", "password": "wrong horse battery"});
    assert_eq!(other.post("/api/account/login", wrong).await.0, 401);
    let right = json!({"name": "anna", "password": "correct horse battery"});
    let (status, me, cookie) = other.ask("POST", "/api/account/login", Some(right.to_string())).await;
    assert_eq!(status, 200);
    assert_eq!(me["person"]["name"], "Anna");
    let signed = Person { cookie, csrf: me["csrf"].as_str().unwrap().into(), ..other };
    assert_eq!(signed.post("/api/account/logout", json!({})).await.0, 200);
    assert_eq!(signed.get("/api/matches").await.0, 401, "a token that was signed out opens nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signing_out_closes_the_connections_of_that_login_and_no_others() {
    let served = club("sign-out").await;
    let (anna, ben, id) = pair(&served, usual()).await;
    let right = json!({"name": "Anna", "password": "correct horse battery"});
    let visit = Person::visit(served.addr).await;
    let (_, me, cookie) = visit.ask("POST", "/api/account/login", Some(right.to_string())).await;
    let elsewhere = Person { cookie, csrf: me["csrf"].as_str().unwrap().into(), ..visit };
    let mut tabs = [anna.sit(&id).await, anna.sit(&id).await];
    let (mut other, mut red) = (elsewhere.sit(&id).await, ben.sit(&id).await);
    assert_eq!(anna.post("/api/account/logout", json!({})).await.0, 200);
    for tab in &mut tabs {
        assert_eq!(tab.until_farewell().await, Some(server::socket::SIGNED_OUT));
    }
    assert_eq!(Page::open(&anna, &id).await.err(), Some(404), "nor does the old cookie let anyone in again");
    // Anna's other machine and Ben play on.
    for page in [&mut other, &mut red] {
        assert_eq!(page.request(json!({"t": "ping"})).await["t"], "pong");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_tries_too_often_must_wait() {
    let served = club("limits").await;
    let p = Person::visit(served.addr).await;
    let mut seen = Vec::new();
    for _ in 0..12 {
        let guess = json!({"name": "Anna", "password": "some long guess"});
        seen.push(p.post("/api/account/login", guess).await.0);
    }
    assert_eq!(seen.first(), Some(&401));
    assert_eq!(seen.last(), Some(&429));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_foreign_page_changes_nothing_and_opens_no_socket() {
    let served = club("csrf").await;
    let anna = Person::register(served.addr, "Anna").await;
    let id = anna.found(json!({"one": "me", "two": "me"})).await;
    let without = Person { csrf: String::new(), ..anna.clone() };
    let new = json!({"game": "drill", "scenario": "first", "seats": {}});
    assert_eq!(without.post("/api/matches", new.clone()).await.0, 403);
    let ben = Person::register(served.addr, "Ben").await;
    let borrowed = Person { csrf: ben.csrf, ..anna.clone() };
    assert_eq!(borrowed.post("/api/matches", new).await.0, 403, "another's token is no token");
    // The browser names the page a request comes from.
    let cookie = anna.cookie.clone().unwrap();
    let host = served.addr.to_string();
    let head = |origin: &str| {
        format!(
            "GET /api/matches/{id}/ws HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\ncookie: {cookie}\r\n\
             connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
    };
    assert!(raw(served.addr, head("http://evil.example")).await.starts_with("HTTP/1.1 403"));
    assert!(raw(served.addr, head(&format!("http://{host}"))).await.starts_with("HTTP/1.1 101"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_local_server_answers_to_no_strangers_name() {
    let served = crate::page::local("rebinding").await;
    let ask = |host: &str| format!("GET /api/me HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    assert!(raw(served.addr, ask("evil.example:80")).await.starts_with("HTTP/1.1 403"));
    assert!(raw(served.addr, ask("localhost:80")).await.starts_with("HTTP/1.1 200"));
    assert!(raw(served.addr, ask("127.0.0.1")).await.starts_with("HTTP/1.1 200"));
}

/// Sends bytes and reads the first line of the answer.
async fn raw(addr: std::net::SocketAddr, text: String) -> String {
    tokio::task::spawn_blocking(move || {
        let mut stream = std::net::TcpStream::connect(addr).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut bytes = [0; 64];
        let n = stream.read(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..n]).into_owned()
    })
    .await
    .unwrap()
}

/// Two people in a new match.
async fn pair(served: &crate::page::Served, new: serde_json::Value) -> (Person, Person, String) {
    let anna = Person::register(served.addr, "Anna").await;
    let ben = Person::register(served.addr, "Ben").await;
    let id = anna.found_with(new).await;
    let (_, link) = anna.post(&format!("/api/matches/{id}/invite"), json!({"seat": "two"})).await;
    let (status, _) = ben.post(&format!("/api/join/{}", link["token"].as_str().unwrap()), json!({})).await;
    assert_eq!(status, 200);
    (anna, ben, id)
}

fn usual() -> serde_json::Value {
    json!({"game": "drill", "scenario": "first", "seats": {"one": "me", "two": "open"}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chat_reaches_its_audience_and_notes_reach_nobody() {
    let served = club("chat").await;
    let (anna, ben, id) = pair(&served, usual()).await;
    let (mut blue, mut red) = (anna.sit(&id).await, ben.sit(&id).await);
    blue.send(json!({"t": "chat", "text": "good luck", "to": "all"})).await;
    let heard = red.until("chat").await;
    assert_eq!((heard["from"].as_str(), heard["text"].as_str()), (Some("Anna"), Some("good luck")));
    red.send(json!({"t": "chat", "text": "only for my side", "to": "side"})).await;
    red.until("chat").await;
    blue.drain().await;
    let again = anna.sit(&id).await;
    for page in [&blue, &again] {
        assert!(!page.bytes.concat().contains("only for my side"));
    }
    assert!(again.bytes.concat().contains("good luck"), "who comes later reads it too");
    let notes = format!("/api/matches/{id}/notes");
    assert_eq!(anna.put(&notes, json!({"text": "cross at night"})).await.0, 200);
    assert_eq!(anna.get(&notes).await.1["text"], "cross at night");
    assert_eq!(ben.get(&notes).await.1["text"], "");
    let long = red.request(json!({"t": "chat", "text": "x".repeat(5_000)})).await;
    assert_eq!(long["code"], "malformed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_a_clock_runs_out_the_match_is_over() {
    let served = club("clock").await;
    let mut new = usual();
    new["clock"] = json!({"minutes": 1, "add_seconds": 0});
    let (anna, ben, id) = pair(&served, new).await;
    let mut red = ben.sit(&id).await;
    let choice = red.choices()[0].clone();
    assert_eq!(red.play(&choice).await["t"], "accepted");
    let (_, shown) = anna.get(&format!("/api/matches/{id}")).await;
    assert_eq!(shown["clock"]["runs"], "one");
    assert!(shown["clock"]["left"]["one"].as_i64().unwrap() <= 60);
    // The time since the last choice is what the store says: let it lie two minutes back.
    {
        let live = served.house.live.find(&id).unwrap();
        let mut inner = live.inner.lock().await;
        inner.playing.as_mut().unwrap().row.turned -= 120_000;
    }
    let mut blue = anna.sit(&id).await;
    let n = blue.n;
    let late = blue.request(json!({"t": "play", "n": n, "text": "done"})).await;
    assert_eq!(late["code"], "over", "{late}");
    let (_, ended) = anna.get(&format!("/api/matches/{id}")).await;
    assert_eq!(
        (ended["clock"]["flag"].as_str(), ended["outcome"]["winner"].as_str()),
        (Some("one"), Some("two"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_away_is_told_by_webhook_that_it_is_his_turn() {
    let hook = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = hook.local_addr().unwrap().port();
    let served = club("notice").await;
    let (anna, ben, id) = pair(&served, usual()).await;
    let settings = json!({"webhook": format!("http://127.0.0.1:{port}/turn"), "notices": "turn"});
    assert_eq!(anna.put("/api/account/settings", settings).await.0, 200);
    let mut red = ben.sit(&id).await;
    let choice = red.choices()[0].clone();
    red.play(&choice).await;
    let posted = tokio::task::spawn_blocking(move || {
        let (mut stream, _) = hook.accept().unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(5))).unwrap();
        let mut text = String::new();
        let mut bytes = [0; 4096];
        while !text.contains('}') {
            let n = stream.read(&mut bytes).unwrap();
            text.push_str(&String::from_utf8_lossy(&bytes[..n]));
        }
        stream.write_all(b"HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n").unwrap();
        text
    });
    let text = tokio::time::timeout(std::time::Duration::from_secs(20), posted).await.unwrap().unwrap();
    assert!(text.contains("your_turn") && text.contains(&id), "{text}");
    assert!(!text.contains(&choice), "a notice tells nothing of the play");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_into_the_private_network_is_not_called() {
    let hook = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    hook.set_nonblocking(true).unwrap();
    let port = hook.local_addr().unwrap().port();
    let served = serve("private", server::Config { private_webhooks: false, ..config(true) }).await;
    let (anna, ben, id) = pair(&served, usual()).await;
    let settings = json!({"webhook": format!("http://127.0.0.1:{port}/turn"), "notices": "turn"});
    assert_eq!(anna.put("/api/account/settings", settings).await.0, 200);
    let mut red = ben.sit(&id).await;
    let choice = red.choices()[0].clone();
    red.play(&choice).await;
    tokio::time::sleep(std::time::Duration::from_millis(800)).await;
    assert!(hook.accept().is_err(), "nobody called");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_the_end_the_same_people_play_again_with_sides_changed() {
    let served = club("again").await;
    let (anna, ben, id) = pair(&served, usual()).await;
    let (status, _) = anna.post(&format!("/api/matches/{id}/rematch"), json!({})).await;
    assert_eq!(status, 409, "not before the end");
    let mut pages: [Page; 2] = [anna.sit(&id).await, ben.sit(&id).await];
    let mut dice = QuickDice::new(21);
    while pages[0].view["outcome"].is_null() {
        let at = usize::from(!pages[0].asked());
        if pages[at].asked() {
            pages[at].play_random(&mut dice).await;
        }
        let n = pages[at].n;
        while pages[1 - at].n < n {
            pages[1 - at].next().await;
        }
    }
    let (status, next) = anna.post(&format!("/api/matches/{id}/rematch"), json!({"swap": true})).await;
    assert_eq!(status, 200, "{next}");
    assert_eq!(next["mine"], json!(["two"]));
    let (_, same) = ben.post(&format!("/api/matches/{id}/rematch"), json!({"swap": true})).await;
    assert_eq!(same["id"], next["id"], "both are led to the same one");
    // After the end every pair of eyes may be used, and the whole journal is there with its secret.
    assert_eq!(anna.get(&format!("/api/matches/{id}/view?eyes=referee&step=3")).await.0, 200);
    let (_, journal) = ben.get(&format!("/api/matches/{id}/journal")).await;
    assert!(journal.as_str().unwrap().contains("!secret "));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_founds_too_many_matches_must_wait_and_others_need_not() {
    let served = serve("founding", server::Config { matches_at_once: 3.0, ..config(true) }).await;
    let anna = Person::register(served.addr, "Anna").await;
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(anna.post("/api/matches", usual()).await.0);
    }
    assert_eq!(seen, [200, 200, 200, 429, 429]);
    let ben = Person::register(served.addr, "Ben").await;
    assert_eq!(ben.post("/api/matches", usual()).await.0, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_says_what_it_is_and_runs_nothing() {
    let served = club("headers").await;
    for path in ["/api/me", "/api/games/drill/layers/ground.svg", "/", "/join/abc"] {
        let url = format!("http://{}{path}", served.addr);
        let answer = tokio::task::spawn_blocking(move || ureq::get(&url).call().unwrap()).await.unwrap();
        let head = |name: &str| {
            answer.headers().get(name).map(|v| v.to_str().unwrap().to_owned()).unwrap_or_default()
        };
        assert_eq!(
            (head("x-content-type-options"), head("referrer-policy")),
            ("nosniff".into(), "no-referrer".into()),
            "{path}"
        );
        if path.starts_with("/api/") {
            assert!(head("content-security-policy").contains("default-src 'none'"), "{path}");
        }
    }
    let body = json!({"name": "Anna", "password": "correct horse battery"}).to_string();
    let request = format!(
        "POST /api/account/register HTTP/1.1\r\nhost: {}\r\nx-verst-csrf: anonymous\r\nx-forwarded-proto: https\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        served.addr,
        body.len()
    );
    let addr = served.addr;
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = std::net::TcpStream::connect(addr).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = [0; 4096];
        let n = stream.read(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..n]).to_lowercase()
    });
    let answer = answer.await.unwrap();
    let cookie = answer.lines().find(|l| l.starts_with("set-cookie: verst=")).expect("a cookie");
    for part in ["httponly", "samesite=lax", "secure", "path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
}
