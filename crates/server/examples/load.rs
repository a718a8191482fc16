//! The server under load, on loopback: many matches in play, several viewers each, and how long a choice takes to
//! reach all of them. The server runs as a process of its own, so that its memory can be told from ours.
//!
//! `load [--game ID] [--scenario ID] [--matches N] [--viewers N] [--seconds N] [--warm CHOICES] [--pace SECONDS]
//! [--store ADDRESS] [--out FILE]`
//!
//! Matches begin with their set-up, which both sides fill at once and which is measured too; with `--warm` the measuring
//! begins when every match has made so many choices.

extern crate verst_server as server;

use futures_util::{SinkExt, StreamExt};
use game::{QuickDice, Registry};
use serde_json::{Value, json};
use server::{Config, House, Opponents};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// As in the command itself: memory that is let go returns to the system.
#[global_allocator]
static MEMORY: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// How long the set-ups may take before the measuring is given up.
const PATIENCE: Duration = Duration::from_secs(600);

/// What the command line says.
#[derive(Clone, Debug)]
struct Plan {
    game: String,
    scenario: String,
    matches: usize,
    viewers: usize,
    seconds: u64,
    warm: u64,
    pace: f64,
    store: String,
    out: Option<String>,
}

fn plan() -> Result<Plan, String> {
    let mut p = Plan {
        game: "pm".into(),
        scenario: String::new(),
        matches: 500,
        viewers: 4,
        seconds: 20,
        warm: 0,
        pace: 4.0,
        store: String::new(),
        out: None,
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
            "--warm" => p.warm = number()? as u64,
            "--out" => p.out = Some(value),
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
        club: true,
        matches_at_once: 1e9,
        ..Config::local("127.0.0.1:0".parse().map_err(|_| "no address")?, store)
    };
    let house = House::open(config, registry()?, Opponents::random()).await?;
    let serving = server::serve(house).await?;
    println!("{}", serving.addr);
    serving.run(std::future::pending()).await;
    Ok(())
}

struct Server {
    child: Child,
    addr: SocketAddr,
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
        Ok(Server { child, addr })
    }

    fn register(&self, name: &str) -> Result<Person, String> {
        let body = json!({"name": name, "password": "a long password"}).to_string();
        let mut answer = ureq::post(format!("http://{}/api/account/register", self.addr))
            .header("content-type", "application/json")
            .header("x-verst-csrf", "anonymous")
            .send(body)
            .map_err(|e| e.to_string())?;
        let cookie = answer.headers().get("set-cookie").and_then(|c| c.to_str().ok()).unwrap_or_default();
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        let me: Value = serde_json::from_str(&answer.body_mut().read_to_string().map_err(|e| e.to_string())?)
            .map_err(|e| e.to_string())?;
        Ok(Person { cookie, csrf: me["csrf"].as_str().unwrap_or_default().into() })
    }

    fn ask(&self, who: &Person, method: &str, path: &str, body: Value) -> Result<Value, String> {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.addr))
            .header("content-type", "application/json")
            .header("cookie", &who.cookie)
            .header("x-verst-csrf", &who.csrf);
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

    /// Seconds of processor time that the process has used.
    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
        // User and system time, in the hundredths that Linux counts.
        (ticks(11) + ticks(12)) / 100.0
    }

    /// Kilobytes of memory that the process has in use.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
    }
}

/// The people of a club: one on each side, one who looks on.
struct Person {
    cookie: String,
    csrf: String,
}

/// When each choice was sent and how many viewers still wait for it, by match and number; and what came of them.
#[derive(Default)]
struct Board {
    sent: Mutex<BTreeMap<(usize, u64), (Instant, usize)>>,
    /// Milliseconds until the last viewer of a match had his update.
    taken: Mutex<Vec<f64>>,
    first: Mutex<Vec<usize>>,
    sizes: Mutex<Vec<usize>>,
    /// Matches that have not made their first choices yet.
    cold: Mutex<BTreeSet<usize>>,
    /// When all of them had, and when the measuring ends.
    span: OnceLock<(Instant, Instant)>,
}

impl Board {
    fn measures(&self, at: Instant) -> bool {
        self.span.get().is_some_and(|span| at > span.0)
    }
}

fn held<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    m.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The number behind a name near the beginning of a message, without reading the whole of it.
fn number(text: &str, name: &str) -> Option<u64> {
    let at = text.find(name)? + name.len();
    let digits: String = text[at..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// An answer to the question in a message: the set-up is filled, everything else is chosen at random.
fn answer(text: &str, dice: &mut QuickDice) -> Option<String> {
    let m: Value = serde_json::from_str(text).ok()?;
    let list = m["ask"]["choices"].as_array()?;
    let fill = list.iter().find(|c| c["verb"] == "fill");
    let chosen = fill.or_else(|| list.get(dice.below(list.len())))?;
    chosen["text"].as_str().map(str::to_owned)
}

/// Someone who looks at a match.
struct Viewer {
    addr: SocketAddr,
    at: usize,
    id: String,
    cookie: String,
    viewers: usize,
    pace: f64,
    plays: bool,
    warm: u64,
    seed: u64,
}

impl Viewer {
    async fn look(self, board: Arc<Board>, mut over: watch::Receiver<bool>) -> Result<(), String> {
        let url = format!("ws://{}/api/matches/{}/ws", self.addr, self.id);
        let mut request = url.into_client_request().map_err(|e| e.to_string())?;
        request.headers_mut().insert("cookie", self.cookie.parse().map_err(|_| "no cookie")?);
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await.map_err(|e| e.to_string())?;
        if let tokio_tungstenite::MaybeTlsStream::Plain(s) = socket.get_ref() {
            s.set_nodelay(true).map_err(|e| e.to_string())?;
        }
        let mut dice = QuickDice::new(self.seed);
        let mut asked: Option<(u64, String)> = None;
        let mut next = Instant::now();
        let mut first = true;
        loop {
            tokio::select! {
                message = socket.next() => {
                    let Some(Ok(message)) = message else { return Err("a connection ended early".into()) };
                    let Message::Text(text) = message else { continue };
                    let now = Instant::now();
                    let head = &text[..text.len().min(40)];
                    if head.starts_with("{\"t\":\"refused\"") {
                        return Err(format!("refused: {text}"));
                    }
                    let update = head.starts_with("{\"t\":\"update\"");
                    if !update && !head.starts_with("{\"t\":\"state\"") {
                        continue;
                    }
                    if std::mem::take(&mut first) {
                        held(&board.first).push(text.len());
                    } else if board.measures(now) {
                        held(&board.sizes).push(text.len());
                    }
                    let Some(n) = number(&text, "\"n\":") else { continue };
                    if n > self.warm {
                        held(&board.cold).remove(&self.at);
                    }
                    let mut sent = held(&board.sent);
                    if let Some((then, left)) = sent.get_mut(&(self.at, n)) {
                        *left -= 1;
                        if *left == 0 {
                            if board.measures(*then) {
                                held(&board.taken).push(now.duration_since(*then).as_secs_f64() * 1000.0);
                            }
                            sent.remove(&(self.at, n));
                        }
                    }
                    drop(sent);
                    if self.plays && !text.contains("\"ask\":null") {
                        asked = Some((n, text.to_string()));
                        next = now + Duration::from_secs_f64(self.pace * (0.5 + dice.below(1000) as f64 / 1000.0));
                    }
                }
                () = tokio::time::sleep_until(next.into()), if asked.is_some() => {
                    let Some((n, text)) = asked.take() else { continue };
                    let Some(choice) = answer(&text, &mut dice) else { continue };
                    held(&board.sent).insert((self.at, n + 1), (Instant::now(), self.viewers));
                    let play = json!({"t": "play", "id": n, "n": n, "text": choice}).to_string();
                    socket.send(Message::Text(play.into())).await.map_err(|e| e.to_string())?;
                }
                _ = over.changed() => return Ok(()),
            }
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
    let nobody = Person { cookie: String::new(), csrf: String::new() };
    let info = server.ask(&nobody, "GET", &format!("/api/games/{}", plan.game), Value::Null)?;
    let scenario = match plan.scenario.as_str() {
        "" => info["scenarios"][0]["id"].as_str().unwrap_or_default().to_owned(),
        s => s.to_owned(),
    };
    let people: Vec<Person> =
        ["Anna", "Ben", "Eve"].iter().map(|name| server.register(name)).collect::<Result<_, _>>()?;
    let empty = server.memory();
    let began = Instant::now();
    let mut ids = Vec::new();
    for _ in 0..plan.matches {
        let new = json!({"game": plan.game, "scenario": scenario, "watch": "public",
            "seats": {"one": "me", "two": "open"}});
        let made = server.ask(&people[0], "POST", "/api/matches", new)?;
        let id = made["id"].as_str().ok_or_else(|| made.to_string())?.to_owned();
        let link =
            server.ask(&people[0], "POST", &format!("/api/matches/{id}/invite"), json!({"seat": "two"}))?;
        let token = link["token"].as_str().unwrap_or_default();
        server.ask(&people[1], "POST", &format!("/api/join/{token}"), json!({}))?;
        ids.push(id);
    }
    let founded = began.elapsed();
    // Long enough for the server to let go of what nobody looks at.
    tokio::time::sleep(Duration::from_secs(6)).await;
    let idle = server.memory();
    let board = Arc::new(Board::default());
    *held(&board.cold) = (0..plan.matches).collect();
    let (stop, over) = watch::channel(false);
    let mut tasks = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        for v in 0..plan.viewers {
            let who = &people[v.min(2)];
            let viewer = Viewer {
                addr: server.addr,
                at,
                id: id.clone(),
                cookie: who.cookie.clone(),
                viewers: plan.viewers,
                pace: plan.pace,
                plays: v < 2,
                warm: plan.warm,
                seed: (at * plan.viewers + v) as u64,
            };
            tasks.push(tokio::spawn(viewer.look(Arc::clone(&board), over.clone())));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let patience = Instant::now() + PATIENCE;
    while !held(&board.cold).is_empty() {
        if Instant::now() > patience {
            let left = held(&board.cold).len();
            return Err(format!("{left} matches are still in their set-up after {} s", PATIENCE.as_secs()));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let warm = Instant::now();
    let end = warm + Duration::from_secs(plan.seconds);
    let _ = board.span.set((warm, end));
    let used = server.cpu();
    tokio::time::sleep_until(end.into()).await;
    let used = server.cpu() - used;
    let busy = server.memory();
    let mut failed = 0;
    let _ = stop.send(true);
    for t in tasks {
        if let Ok(Err(why)) = t.await {
            failed += 1;
            if failed < 4 {
                eprintln!("{why}");
            }
        }
    }
    // The matches are let go after three seconds; the allocator keeps what it was given back for ten more.
    tokio::time::sleep(Duration::from_secs(20)).await;
    let after = server.memory();
    let mut taken: Vec<f64> = std::mem::take(&mut *held(&board.taken));
    taken.sort_by(f64::total_cmp);
    let at =
        |share: f64| taken.get(((taken.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(f64::NAN);
    let first = held(&board.first).iter().copied().max().unwrap_or(0);
    let mut sizes = std::mem::take(&mut *held(&board.sizes));
    sizes.sort_unstable();
    let games = plan.matches as u64;
    let what = format!("{} {} x{} viewers", plan.matches, plan.game, plan.viewers);
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String, allowed: &str| {
        rows.push(format!("server\t{what}: {name}\t{value}\t{allowed}"));
    };
    row("choices that reached every viewer", taken.len().to_string(), "");
    row("connections that failed", failed.to_string(), "0");
    row("choice to all viewers' updates, median", format!("{:.1} ms", at(0.5)), "20 ms");
    row("choice to all viewers' updates, 99th percentile", format!("{:.1} ms", at(0.99)), "100 ms");
    row("choice to all viewers' updates, longest", format!("{:.1} ms", at(1.0)), "");
    row(
        "server's processor time for a choice",
        format!("{:.2} ms", used * 1000.0 / taken.len().max(1) as f64),
        "",
    );
    row(
        "update, median",
        format!("{:.1} KB", sizes.get(sizes.len() / 2).copied().unwrap_or(0) as f64 / 1024.0),
        "",
    );
    row(
        "founding a match with its invitation",
        format!("{:.1} ms", founded.as_secs_f64() * 1000.0 / games as f64),
        "",
    );
    row("first state, not compressed", format!("{} KB", first / 1024), "300 KB");
    row("memory of an idle match", format!("{} KB", idle.saturating_sub(empty) / games), "200 KB");
    row("memory of a match with viewers", format!("{} KB", busy.saturating_sub(empty) / games), "");
    row(
        "memory of a match after its viewers left",
        format!("{} KB", after.saturating_sub(empty) / games),
        "200 KB",
    );
    for r in &rows {
        println!("{r}");
    }
    if let Some(file) = &plan.out {
        let old = std::fs::read_to_string(file).unwrap_or_default();
        let kept: String =
            old.lines().filter(|l| !l.starts_with("server\t")).map(|l| format!("{l}\n")).collect();
        std::fs::write(file, kept + &rows.join("\n") + "\n").map_err(|e| format!("{file}: {e}"))?;
    }
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
