//! A real server on loopback, and a page's end of the protocol: HTTP and a WebSocket.

use drill::Drill;
use futures_util::{SinkExt, StreamExt};
use game::{QuickDice, Registry};
use serde_json::{Value, json};
use server::store::{Sqlite, SqliteSettings, Store};
use server::{Config, House, Opponents};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// The games that are served.
pub fn registry() -> Registry {
    let drill = Drill::new().expect("the drill's data are sound");
    Registry::new().with(Box::new(drill)).with(Box::new(pm::Pm::new())).with(Box::new(s42::S42::new()))
}

/// A folder that goes away with the test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("verst-server-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server under test.
pub struct Served {
    pub addr: SocketAddr,
    pub house: Arc<House>,
    _folder: Option<Folder>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What differs from a local server with a store of its own.
pub fn config(club: bool) -> Config {
    Config {
        club,
        matches_at_once: 1e9,
        messages_at_once: 1e9,
        messages_a_second: 1e9,
        private_webhooks: true,
        ..Config::local("127.0.0.1:0".parse().unwrap(), "")
    }
}

pub async fn local(name: &str) -> Served {
    serve(name, config(false)).await
}

pub async fn club(name: &str) -> Served {
    serve(name, config(true)).await
}

pub async fn serve(name: &str, config: Config) -> Served {
    let folder = Folder::new(name);
    let db = Sqlite::open(&folder.0.join("verst.sqlite"), SqliteSettings::default()).unwrap();
    let store = Store::over(Arc::new(db)).await.unwrap();
    let mut served = serve_over(store, config).await;
    served._folder = Some(folder);
    served
}

pub async fn serve_over(store: Store, config: Config) -> Served {
    serve_with(store, config, Opponents::random()).await
}

pub async fn serve_with(store: Store, config: Config, opponents: Opponents) -> Served {
    let house = House::with_store(config, registry(), opponents, store).unwrap();
    let serving = server::serve(Arc::clone(&house)).await.unwrap();
    let addr = serving.addr;
    let task = tokio::spawn(async move { serving.run(std::future::pending()).await });
    Served { addr, house, _folder: None, task }
}

/// Someone with a browser: a cookie and the token against foreign pages.
#[derive(Clone, Debug)]
pub struct Person {
    pub addr: SocketAddr,
    pub cookie: Option<String>,
    pub csrf: String,
}

impl Person {
    pub async fn visit(addr: SocketAddr) -> Person {
        let mut p = Person { addr, cookie: None, csrf: String::new() };
        let (_, me) = p.get("/api/me").await;
        p.csrf = me["csrf"].as_str().unwrap().into();
        p
    }

    /// With an account of its own.
    pub async fn register(addr: SocketAddr, name: &str) -> Person {
        let mut p = Person::visit(addr).await;
        let body = json!({"name": name, "password": "correct horse battery"});
        let (status, me, cookie) = p.ask("POST", "/api/account/register", Some(body.to_string())).await;
        assert_eq!(status, 200, "{me}");
        p.cookie = cookie;
        p.csrf = me["csrf"].as_str().unwrap().into();
        p
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let (status, body, _) = self.ask("GET", path, None).await;
        (status, body)
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let (status, body, _) = self.ask("POST", path, Some(body.to_string())).await;
        (status, body)
    }

    pub async fn put(&self, path: &str, body: Value) -> (u16, Value) {
        let (status, body, _) = self.ask("PUT", path, Some(body.to_string())).await;
        (status, body)
    }

    /// Status, body (as a string when it is no JSON) and the cookie that was set.
    pub async fn ask(&self, method: &str, path: &str, body: Option<String>) -> (u16, Value, Option<String>) {
        let url = format!("http://{}{path}", self.addr);
        let (method, csrf, cookie) = (method.to_owned(), self.csrf.clone(), self.cookie.clone());
        tokio::task::spawn_blocking(move || {
            let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
            let mut request = ureq::http::Request::builder()
                .method(method.as_str())
                .uri(url)
                .header("content-type", "application/json")
                .header("x-verst-csrf", csrf);
            if let Some(cookie) = cookie {
                request = request.header("cookie", cookie);
            }
            let mut answer = match body {
                Some(body) => agent.run(request.body(body).unwrap()),
                None => agent.run(request.body(()).unwrap()),
            }
            .unwrap();
            let set = answer.headers().get("set-cookie").and_then(|c| c.to_str().ok());
            let set = set.and_then(|c| c.split(';').next()).map(str::to_owned);
            let text = answer.body_mut().with_config().limit(64 << 20).read_to_string().unwrap();
            let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
            (answer.status().as_u16(), value, set)
        })
        .await
        .unwrap()
    }

    /// Makes a match of the drill; `seats` as in the protocol.
    pub async fn found(&self, seats: Value) -> String {
        self.found_with(json!({"game": "drill", "scenario": "first", "seats": seats})).await
    }

    pub async fn found_with(&self, new: Value) -> String {
        let (status, made) = self.post("/api/matches", new).await;
        assert_eq!(status, 200, "{made}");
        made["id"].as_str().unwrap().into()
    }

    pub async fn sit(&self, id: &str) -> Page {
        Page::open(self, id).await.expect("the match lets this person in")
    }
}

/// A page at a match: it keeps its view by patches, as the real page does.
pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub view: Value,
    pub ask: Value,
    pub n: u64,
    pub step: u64,
    pub handover: Value,
    pub since: Value,
    pub story: Vec<Value>,
    /// Every text that came over the line.
    pub bytes: Vec<String>,
    /// The code with which the server ended the connection, if it did.
    pub farewell: Option<u16>,
    next_id: u64,
}

impl Page {
    pub async fn open(who: &Person, id: &str) -> Result<Page, u16> {
        let mut request = format!("ws://{}/api/matches/{id}/ws", who.addr).into_client_request().unwrap();
        if let Some(cookie) = &who.cookie {
            request.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        let socket = match tokio_tungstenite::connect_async(request).await {
            Ok((socket, _)) => socket,
            Err(tokio_tungstenite::tungstenite::Error::Http(r)) => return Err(r.status().as_u16()),
            Err(e) => panic!("{e}"),
        };
        let mut page = Page {
            socket,
            view: Value::Null,
            ask: Value::Null,
            n: 0,
            step: 0,
            handover: Value::Null,
            since: Value::Null,
            story: Vec::new(),
            bytes: Vec::new(),
            farewell: None,
            next_id: 1,
        };
        page.until("state").await;
        Ok(page)
    }

    /// The next message, taken in; `None` when the connection is gone.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(20), self.socket.next()).await;
            match message.expect("the server answers") {
                Some(Ok(Message::Text(text))) => {
                    self.bytes.push(text.to_string());
                    let value: Value = serde_json::from_str(&text).unwrap();
                    self.take_in(&value);
                    return Some(value);
                }
                Some(Ok(Message::Close(why))) => {
                    self.farewell = why.map(|w| w.code.into());
                    return None;
                }
                Some(Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Reads on until the server ends the connection; the code that it ended it with.
    pub async fn until_farewell(&mut self) -> Option<u16> {
        while self.next().await.is_some() {}
        self.farewell
    }

    /// What is there already, without waiting for more than a moment.
    pub async fn drain(&mut self) -> Vec<Value> {
        let mut out = Vec::new();
        while let Ok(Some(Ok(message))) =
            tokio::time::timeout(Duration::from_millis(150), self.socket.next()).await
        {
            if let Message::Text(text) = message {
                self.bytes.push(text.to_string());
                let value: Value = serde_json::from_str(&text).unwrap();
                self.take_in(&value);
                out.push(value);
            }
        }
        out
    }

    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            let m = self.next().await.unwrap_or_else(|| panic!("the connection ended before '{kind}'"));
            if m["t"] == kind {
                return m;
            }
        }
    }

    fn take_in(&mut self, m: &Value) {
        match m["t"].as_str().unwrap_or_default() {
            "state" => {
                self.view = m["view"].clone();
                self.handover = m["handover"].clone();
                self.since = m["since"].clone();
                self.story = m["story"].as_array().cloned().unwrap_or_default();
                self.now(m);
            }
            "update" => {
                assert_eq!(m["from"], self.n, "an update follows on the view before it");
                patch(&mut self.view, &m["patch"]);
                self.story.extend(m["story"].as_array().cloned().unwrap_or_default());
                self.now(m);
            }
            "handover" => self.handover = m["to"].clone(),
            _ => {}
        }
    }

    fn now(&mut self, m: &Value) {
        self.n = m["n"].as_u64().unwrap();
        self.step = m["step"].as_u64().unwrap();
        self.ask = m["ask"].clone();
    }

    pub async fn send(&mut self, value: Value) {
        self.send_text(value.to_string()).await;
    }

    pub async fn send_text(&mut self, text: String) {
        self.socket.send(Message::Text(text.into())).await.unwrap();
    }

    pub async fn send_bytes(&mut self, bytes: Vec<u8>) {
        let _ = self.socket.send(Message::Binary(bytes.into())).await;
    }

    /// Sends and waits for the answer to it.
    pub async fn request(&mut self, mut value: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        value["id"] = json!(id);
        self.send(value).await;
        loop {
            let m = self.next().await.expect("an answer before the connection ends");
            if m["id"] == id {
                return m;
            }
        }
    }

    pub async fn play(&mut self, text: &str) -> Value {
        let n = self.n;
        self.request(json!({"t": "play", "n": n, "text": text})).await
    }

    /// The texts of the legal choices.
    pub fn choices(&self) -> Vec<String> {
        let list = self.ask["choices"].as_array().cloned().unwrap_or_default();
        let mut all: Vec<String> = list.iter().map(|c| c["text"].as_str().unwrap().to_owned()).collect();
        let words = |v: &Value| -> Vec<String> {
            v.as_array().into_iter().flatten().map(|w| w.as_str().unwrap().to_owned()).collect()
        };
        for p in self.ask["places"].as_array().into_iter().flatten() {
            for unit in words(&p["units"]) {
                for to in words(&p["hexes"]).into_iter().chain(words(&p["boxes"])) {
                    all.push(format!("{} {unit} {to}", p["verb"].as_str().unwrap()));
                }
            }
        }
        all
    }

    pub fn asked(&self) -> bool {
        !self.ask.is_null()
    }

    /// Plays a random choice and waits until its update is in.
    pub async fn play_random(&mut self, dice: &mut QuickDice) -> String {
        let all = self.choices();
        let text = all[dice.below(all.len())].clone();
        let n = self.n;
        let answer = self.play(&text).await;
        assert_eq!(answer["t"], "accepted", "{answer}");
        while self.n == n {
            self.next().await.expect("an update");
        }
        text
    }

    /// Leaves without saying so, as a lost network does.
    pub fn cut(self) {
        drop(self.socket);
    }
}

/// Changes a view as the protocol says.
pub fn patch(view: &mut Value, p: &Value) {
    for (field, value) in p["set"].as_object().into_iter().flatten() {
        view[field] = value.clone();
    }
    for list in ["stacks", "markers"] {
        for (hex, now) in p[list].as_object().into_iter().flatten() {
            let all = view[list].as_array_mut().unwrap();
            all.retain(|s| s["hex"] != hex.as_str());
            all.extend(now.as_array().unwrap().clone());
        }
    }
    for (id, now) in p["boxes"].as_object().into_iter().flatten() {
        let all = view["boxes"].as_array_mut().unwrap();
        all.retain(|b| b["id"] != id.as_str());
        if !now.is_null() {
            all.push(now.clone());
        }
    }
    for (hex, side) in p["control"].as_object().into_iter().flatten() {
        let all = view["control"].as_array_mut().unwrap();
        all.retain(|c| c["hex"] != hex.as_str());
        if !side.is_null() {
            all.push(json!({"hex": hex, "side": side}));
        }
    }
}

/// Whether two views show the same, in whatever order; without copying them, since whole games are compared.
pub fn alike(a: &Value, b: &Value) -> bool {
    fn key(v: &Value) -> [&str; 5] {
        ["hex", "id", "side", "kind", "text"].map(|name| v[name].as_str().unwrap_or_default())
    }
    fn in_order(v: &Value) -> Vec<&Value> {
        let mut all: Vec<&Value> = v.as_array().into_iter().flatten().collect();
        all.sort_by_key(|x| key(x));
        all
    }
    let (Some(x), Some(y)) = (a.as_object(), b.as_object()) else { return a == b };
    x.len() == y.len()
        && x.iter().all(|(field, v)| match (field.as_str(), y.get(field)) {
            (_, None) => false,
            ("stacks" | "markers" | "boxes" | "control", Some(w)) => v == w || in_order(v) == in_order(w),
            (_, Some(w)) => v == w,
        })
}

/// A view in which the order of things does not matter.
pub fn sorted(view: &Value) -> Value {
    let mut v = view.clone();
    for list in ["stacks", "markers", "boxes", "control"] {
        if let Some(all) = v[list].as_array_mut() {
            all.sort_by_cached_key(Value::to_string);
        }
    }
    v
}
