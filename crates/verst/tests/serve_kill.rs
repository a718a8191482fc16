//! `kill -9` under load: every choice that was acknowledged is there afterwards.
//!
//! On SQLite and on PostgreSQL. How often: `VERST_KILLS` (five if it is not set; `make soak` asks for a hundred).

use futures_util::{SinkExt, StreamExt};
use game::QuickDice;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

/// A server as a process of its own.
struct Server {
    child: Child,
    addr: SocketAddr,
}

impl Server {
    fn start(store: &str) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_verst"))
            .args(["serve", "--addr", "127.0.0.1:0", "--store"])
            .arg(store)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("verst starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let addr = line.trim().rsplit("http://").next().unwrap().parse().expect("it says where it serves");
        Server { child, addr }
    }

    /// As a loss of power would end it: no warning, no tidying.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn ask(addr: SocketAddr, method: &str, path: &str, csrf: &str, body: Value) -> Value {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let request = ureq::http::Request::builder()
        .method(method)
        .uri(format!("http://{addr}{path}"))
        .header("content-type", "application/json")
        .header("x-verst-csrf", csrf);
    let mut answer = if method == "GET" {
        agent.run(request.body(()).unwrap()).unwrap()
    } else {
        agent.run(request.body(body.to_string()).unwrap()).unwrap()
    };
    serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap()
}

/// The texts that were acknowledged in a match, in order.
type Acknowledged = Arc<Mutex<Vec<String>>>;

/// Plays a match at random until the connection ends.
async fn play(addr: SocketAddr, id: String, seed: u64, acknowledged: Acknowledged) {
    let Ok((mut socket, _)) =
        tokio_tungstenite::connect_async(format!("ws://{addr}/api/matches/{id}/ws")).await
    else {
        return;
    };
    let mut dice = QuickDice::new(seed);
    let mut waiting: Option<(u64, String)> = None;
    // The question comes with the update, which is sent before the acknowledgement of the answer that led to it.
    let mut asked: Option<(u64, Vec<Value>)> = None;
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let m: Value = serde_json::from_str(&text).unwrap();
        if m["t"] == "accepted"
            && let Some((n, text)) = waiting.take()
        {
            assert_eq!(m["n"], n);
            acknowledged.lock().unwrap().push(text);
        }
        if let Some(choices) = m["ask"]["choices"].as_array() {
            asked = Some((m["n"].as_u64().unwrap(), choices.clone()));
        }
        if waiting.is_none()
            && let Some((n, choices)) = asked.take()
        {
            let text = choices[dice.below(choices.len())]["text"].as_str().unwrap().to_owned();
            waiting = Some((n, text.clone()));
            let play = json!({"t": "play", "id": n, "n": n, "text": text}).to_string();
            if socket.send(Message::Text(play.into())).await.is_err() {
                return;
            }
        }
    }
}

#[test]
fn every_acknowledged_choice_survives_kill_9_at_a_random_moment() {
    let dir: PathBuf = std::env::temp_dir().join(format!("verst-kill-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    killed_and_counted("SQLite", dir.join("verst.sqlite").to_str().unwrap());
    std::fs::remove_dir_all(dir).unwrap();
}

/// The PostgreSQL that `tools/postgres` starts, stopped with the test.
struct Postgres(PathBuf);

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = Command::new(tool()).arg("stop").arg(&self.0).output();
    }
}

fn tool() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/postgres")
}

#[test]
fn every_acknowledged_choice_survives_kill_9_on_postgresql_too() {
    let dir = std::env::temp_dir().join(format!("verst-kill-postgres-{}", std::process::id()));
    let started = Command::new(tool()).arg("start").arg(&dir).output().expect("tools/postgres runs");
    if started.status.code() == Some(77) {
        eprintln!("SKIPPED: {}", String::from_utf8_lossy(&started.stderr).trim());
        return;
    }
    assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
    let _stops = Postgres(dir);
    let said = String::from_utf8_lossy(&started.stdout).into_owned();
    killed_and_counted("PostgreSQL", said.trim().lines().last().unwrap());
}

fn killed_and_counted(what: &str, store: &str) {
    let kills: u64 = std::env::var("VERST_KILLS").ok().and_then(|k| k.parse().ok()).unwrap_or(5);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut dice = QuickDice::new(2026);
    let mut survived = 0;
    for round in 0..kills {
        let server = Server::start(store);
        let me = ask(server.addr, "GET", "/api/me", "", Value::Null);
        let csrf = me["csrf"].as_str().unwrap().to_owned();
        let matches: Vec<(String, Acknowledged)> = (0..6)
            .map(|_| {
                let new = json!({"game": "drill", "scenario": "first", "handover": false,
                    "seats": {"one": "me", "two": "me"}});
                let made = ask(server.addr, "POST", "/api/matches", &csrf, new);
                (made["id"].as_str().unwrap().to_owned(), Acknowledged::default())
            })
            .collect();
        let players: Vec<_> = matches
            .iter()
            .enumerate()
            .map(|(i, (id, acknowledged))| {
                let seed = round * 100 + i as u64;
                runtime.spawn(play(server.addr, id.clone(), seed, Arc::clone(acknowledged)))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(100 + dice.below(900) as u64));
        server.kill();
        for p in players {
            runtime.block_on(p).expect("a player ends with its connection");
        }
        let server = Server::start(store);
        for (id, acknowledged) in &matches {
            let acknowledged = acknowledged.lock().unwrap();
            // Both sides are ours, so the journal shows every choice; it is also replayed by this.
            let journal = read(server.addr, &format!("/api/matches/{id}/journal?eyes=referee"));
            let stored: Vec<&str> = journal
                .lines()
                .filter_map(|l| l.split('\t').nth(2))
                .filter(|d| !d.starts_with('!'))
                .collect();
            assert!(
                stored.len() >= acknowledged.len(),
                "round {round}: {} acknowledged, {} stored",
                acknowledged.len(),
                stored.len()
            );
            assert_eq!(stored[..acknowledged.len()], acknowledged[..], "round {round}");
            assert!(stored.len() <= acknowledged.len() + 1, "at most the one under way came on top");
            survived += acknowledged.len();
        }
        server.kill();
    }
    eprintln!("{what}: {kills} kills, {survived} acknowledged choices, none lost");
    assert!(survived as u64 > kills * 10, "there was load: {survived}");
}

fn read(addr: SocketAddr, path: &str) -> String {
    let mut answer = ureq::get(format!("http://{addr}{path}")).call().expect("the match loads");
    answer.body_mut().with_config().limit(64 << 20).read_to_string().unwrap()
}
