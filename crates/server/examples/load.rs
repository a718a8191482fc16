//! The server under load, on loopback: many matches in play, several viewers each, and how long a choice takes to
//! reach all of them. The server runs as a process of its own, so that its memory can be told from ours.
//!
//! `load [--game ID] [--scenario ID] [--matches N] [--viewers N] [--seconds N] [--pace SECONDS] [--store ADDRESS]`

extern crate verst_server as server;

use futures_util::{SinkExt, StreamExt};
use game::{QuickDice, Registry};
use serde_json::{Value, json};
use server::{Config, House, Opponents};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

/// What the command line says.
#[derive(Clone, Debug)]
struct Plan {
    game: String,
    scenario: String,
    matches: usize,
    viewers: usize,
    seconds: u64,
    pace: f64,
    store: String,
}

fn plan() -> Result<Plan, String> {
    let mut p = Plan {
        game: "pm".into(),
        scenario: String::new(),
        matches: 500,
        viewers: 4,
        seconds: 20,
        pace: 4.0,
        store: String::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
        let number = || value.parse::<usize>().map_err(|_| format!("{name} needs a whole number"));
        match name.as_str() {
            "--game" => p.game = value,
            "--scenario" => p.scenario = value,
            "--matches" => p.matches = number()?,
            "--viewers" => p.viewers = number()?.max(1),
            "--seconds" => p.seconds = number()? as u64,
            "--pace" => p.pace = value.parse().map_err(|_| "--pace needs a number of seconds".to_owned())?,
            "--store" => p.store = value,
            _ => return Err(format!("'{name}' is no option")),
        }
    }
    Ok(p)
}

fn registry() -> Result<Registry, String> {
    let drill = drill::Drill::new().map_err(|f| f.to_string())?;
    Ok(Registry::new().with(Box::new(drill)).with(Box::new(pm::Pm::new())))
}

/// The server's process: the same program, told by its environment.
async fn serve(store: &str) -> Result<(), String> {
    let config = Config {
        idle: Duration::from_secs(3),
        ..Config::local("127.0.0.1:0".parse().map_err(|_| "no address")?, store)
    };
    let house = House::open(config, registry()?, Opponents::random()).await?;
    let serving = server::serve(house).await?;
    println!("{}", serving.addr);
    serving.run(std::future::pending()).await
}

struct Server {
    child: Child,
    addr: SocketAddr,
    csrf: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(store: &str) -> Result<Server, String> {
        let own = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut child = Command::new(own)
            .env("VERST_LOAD_SERVES", store)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or("no output")?;
        BufReader::new(out).read_line(&mut line).map_err(|e| e.to_string())?;
        let addr = line.trim().parse().map_err(|_| format!("the server did not start: '{line}'"))?;
        let mut server = Server { child, addr, csrf: String::new() };
        server.csrf = server.ask("GET", "/api/me", Value::Null)?["csrf"].as_str().unwrap_or_default().into();
        Ok(server)
    }

    fn ask(&self, method: &str, path: &str, body: Value) -> Result<Value, String> {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.addr))
            .header("content-type", "application/json")
            .header("x-verst-csrf", &self.csrf);
        let agent = ureq::Agent::new_with_defaults();
        let answer = if method == "GET" {
            agent.run(request.body(()).map_err(|e| e.to_string())?)
        } else {
            agent.run(request.body(body.to_string()).map_err(|e| e.to_string())?)
        };
        let text =
            answer.map_err(|e| e.to_string())?.body_mut().read_to_string().map_err(|e| e.to_string())?;
        serde_json::from_str(&text).map_err(|e| e.to_string())
    }

    /// Kilobytes of memory that the process has in use.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
    }
}

/// When each choice was sent and how many viewers still wait for it, by match and number.
#[derive(Default)]
struct Board {
    sent: Mutex<BTreeMap<(usize, u64), Instant>>,
    taken: Mutex<Vec<(f64, bool)>>,
    bytes: Mutex<Vec<usize>>,
}

/// Looks at a match; the first viewer also plays, once in a while.
async fn view(addr: SocketAddr, at: usize, id: String, plays: Option<f64>, board: Arc<Board>, end: Instant) {
    let url = format!("ws://{addr}/api/matches/{id}/ws");
    let Ok((mut socket, _)) = tokio_tungstenite::connect_async(url).await else {
        eprintln!("a viewer was not let in");
        return;
    };
    let mut dice = QuickDice::new(at as u64);
    let mut choices: Vec<String> = Vec::new();
    let mut n = 0;
    let wait = |dice: &mut QuickDice| {
        let pace = plays.unwrap_or(1e6);
        Instant::now() + Duration::from_secs_f64(pace * (0.5 + dice.below(1000) as f64 / 1000.0))
    };
    let mut next = wait(&mut dice);
    let mut first = true;
    while Instant::now() < end {
        tokio::select! {
            message = socket.next() => {
                let Some(Ok(message)) = message else { return };
                let Message::Text(text) = message else { continue };
                let now = Instant::now();
                let Ok(m) = serde_json::from_str::<Value>(&text) else { continue };
                let kind = m["t"].as_str().unwrap_or_default();
                if kind == "refused" {
                    eprintln!("refused: {m}");
                }
                if kind != "state" && kind != "update" {
                    continue;
                }
                if first {
                    first = false;
                    board.bytes.lock().unwrap_or_else(|e| e.into_inner()).push(text.len());
                }
                n = m["n"].as_u64().unwrap_or(0);
                if let Some(then) = board.sent.lock().unwrap_or_else(|e| e.into_inner()).get(&(at, n)) {
                    let taken = now.duration_since(*then).as_secs_f64() * 1000.0;
                    board.taken.lock().unwrap_or_else(|e| e.into_inner()).push((taken, plays.is_some()));
                }
                if let Some(list) = m["ask"]["choices"].as_array() {
                    choices = list.iter().filter_map(|c| c["text"].as_str().map(str::to_owned)).collect();
                }
            }
            () = tokio::time::sleep_until(next.into()), if plays.is_some() => {
                next = wait(&mut dice);
                if choices.is_empty() {
                    continue;
                }
                let text = choices[dice.below(choices.len())].clone();
                board.sent.lock().unwrap_or_else(|e| e.into_inner()).insert((at, n + 1), Instant::now());
                let play = json!({"t": "play", "id": n, "n": n, "text": text}).to_string();
                if socket.send(Message::Text(play.into())).await.is_err() {
                    return;
                }
            }
            () = tokio::time::sleep_until(end.into()) => return,
        }
    }
}

async fn load(plan: Plan) -> Result<(), String> {
    let dir = std::env::temp_dir().join(format!("verst-load-{}", std::process::id()));
    std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
    let store = match plan.store.as_str() {
        "" => dir.join("verst.sqlite").display().to_string(),
        s => s.to_owned(),
    };
    let server = Server::start(&store)?;
    let info = server.ask("GET", &format!("/api/games/{}", plan.game), Value::Null)?;
    let scenario = match plan.scenario.as_str() {
        "" => info["scenarios"][0]["id"].as_str().unwrap_or_default().to_owned(),
        s => s.to_owned(),
    };
    let empty = server.memory();
    let began = Instant::now();
    let mut ids = Vec::new();
    for _ in 0..plan.matches {
        let new = json!({"game": plan.game, "scenario": scenario, "handover": false,
            "seats": {"one": "me", "two": "me"}});
        let made = server.ask("POST", "/api/matches", new)?;
        ids.push(made["id"].as_str().ok_or_else(|| made.to_string())?.to_owned());
    }
    let founded = began.elapsed();
    let idle = server.memory();
    let board = Arc::new(Board::default());
    let end = Instant::now() + Duration::from_secs(plan.seconds + 15);
    let mut tasks = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        for v in 0..plan.viewers {
            let pace = (v == 0).then_some(plan.pace);
            tasks.push(tokio::spawn(view(server.addr, at, id.clone(), pace, Arc::clone(&board), end)));
        }
        if at % 50 == 49 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    tokio::time::sleep(Duration::from_secs(15)).await;
    // Those of the first rush do not count.
    board.taken.lock().unwrap_or_else(|e| e.into_inner()).clear();
    tokio::time::sleep_until(end.into()).await;
    let busy = server.memory();
    for t in tasks {
        let _ = t.await;
    }
    tokio::time::sleep(Duration::from_secs(8)).await;
    let after = server.memory();
    let mut taken: Vec<f64> =
        board.taken.lock().unwrap_or_else(|e| e.into_inner()).iter().map(|t| t.0).collect();
    taken.sort_by(f64::total_cmp);
    let at =
        |share: f64| taken.get(((taken.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(f64::NAN);
    let first = board.bytes.lock().unwrap_or_else(|e| e.into_inner()).iter().copied().max().unwrap_or(0);
    let games = plan.matches as u64;
    let what = format!("{} {} x{} viewers", plan.matches, plan.game, plan.viewers);
    let row =
        |name: &str, value: String, allowed: &str| println!("server\t{what}\t{name}\t{value}\t{allowed}");
    println!("subject\tcase\tfigure\tvalue\tallowed");
    row("updates received", taken.len().to_string(), "");
    row("choice to a viewer's update, median", format!("{:.1} ms", at(0.5)), "20 ms");
    row("choice to a viewer's update, 99th percentile", format!("{:.1} ms", at(0.99)), "100 ms");
    row("longest", format!("{:.1} ms", at(1.0)), "");
    row("founding a match", format!("{:.1} ms", founded.as_secs_f64() * 1000.0 / games as f64), "");
    row("first state, before compression", format!("{} KB", first / 1024), "");
    row("memory of an idle match", format!("{} KB", idle.saturating_sub(empty) / games), "200 KB");
    row("memory of a match with viewers", format!("{} KB", busy.saturating_sub(empty) / games), "");
    row(
        "memory of a match after its viewers left",
        format!("{} KB", after.saturating_sub(empty) / games),
        "",
    );
    drop(server);
    let _ = std::fs::remove_dir_all(dir);
    Ok(())
}

fn main() -> Result<(), String> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|e| e.to_string())?;
    match std::env::var("VERST_LOAD_SERVES") {
        Ok(store) => runtime.block_on(serve(&store)),
        Err(_) => runtime.block_on(load(plan()?)),
    }
}
