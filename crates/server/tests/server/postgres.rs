//! PostgreSQL, a real one: the same behaviour as the file, and several servers on one database.
//!
//! Each test runs on a database of its own in one server that `tools/postgres` starts. Where PostgreSQL cannot be
//! installed the tests say so and pass.

use crate::page::{Page, Person, Served, config, serve_over, sorted};
use game::QuickDice;
use serde_json::json;
use server::store::{Entry, Store, StoreFault};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A server of PostgreSQL for one test.
struct Postgres {
    dir: PathBuf,
    url: String,
}

impl Postgres {
    fn start(name: &str) -> Option<Postgres> {
        let dir = std::env::temp_dir().join(format!("verst-postgres-{name}-{}", std::process::id()));
        let started = Command::new(tool()).arg("start").arg(&dir).output().expect("tools/postgres runs");
        if started.status.code() == Some(77) {
            eprintln!("SKIPPED: {}", String::from_utf8_lossy(&started.stderr).trim());
            return None;
        }
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        let url = String::from_utf8_lossy(&started.stdout).trim().lines().last().unwrap().to_owned();
        Some(Postgres { dir, url })
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = Command::new(tool()).arg("stop").arg(&self.dir).output();
    }
}

fn tool() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tools/postgres")
}

async fn server_on(pg: &Postgres) -> Served {
    serve_over(Store::open(&pg.url).await.unwrap(), config(true)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_on_one_database_serve_one_match_and_a_choice_is_accepted_once() {
    let Some(pg) = Postgres::start("two") else { return };
    // Both make the tables at once.
    let (first, second) = tokio::join!(server_on(&pg), server_on(&pg));
    let anna = Person::register(first.addr, "Anna").await;
    let new =
        json!({"game": "drill", "scenario": "first", "handover": false, "seats": {"one": "me", "two": "me"}});
    let id = anna.found_with(new).await;
    let there = Person { addr: second.addr, ..anna.clone() };
    let mut pages = [anna.sit(&id).await, there.sit(&id).await];
    let mut dice = QuickDice::new(77);
    let mut slowest = Duration::ZERO;
    let mut rounds = 0;
    while pages[0].asked() && rounds < 120 {
        let (n, step) = (pages[0].n, pages[0].step);
        let all = pages[0].choices();
        if rounds % 3 == 2 && all.len() > 1 {
            // Both answer the same question at the same time, differently.
            let answers = {
                let [a, b] = &mut pages;
                let (a, b) = tokio::join!(a.play(&all[0]), b.play(&all[1]));
                [a, b]
            };
            let accepted = answers.iter().filter(|a| a["t"] == "accepted").count();
            assert_eq!(accepted, 1, "{answers:?}");
            let other = answers.iter().find(|a| a["t"] == "refused").unwrap();
            assert_eq!(other["code"], "stale", "{other}");
        } else {
            let who = rounds % 2;
            let text = all[dice.below(all.len())].clone();
            let answer = pages[who].play(&text).await;
            assert_eq!(answer["t"], "accepted", "{answer}");
        }
        let sent = Instant::now();
        for page in &mut pages {
            while page.n <= n {
                page.next().await.expect("an update");
            }
        }
        slowest = slowest.max(sent.elapsed());
        assert_eq!((pages[0].n, pages[0].step), (pages[1].n, pages[1].step), "after step {step}");
        assert_eq!(sorted(&pages[0].view), sorted(&pages[1].view));
        rounds += 1;
    }
    assert!(rounds > 50);
    eprintln!("the other server's viewer saw each choice within {slowest:?}");
    // An undo crosses over too.
    let undo = pages[0].request(json!({"t": "sync"})).await["undo"].clone();
    if let Some(first) = undo.as_array().and_then(|u| u.first()) {
        let n = pages[0].n;
        let back = pages[0].request(json!({"t": "undo", "n": n, "to": first["to"]})).await;
        assert_eq!(back["t"], "accepted");
        while pages[1].n <= n {
            pages[1].next().await.unwrap();
        }
        assert_eq!(pages[1].step, first["to"].as_u64().unwrap());
    }
    pages[0].send(json!({"t": "chat", "text": "hello from afar"})).await;
    assert_eq!(pages[1].until("chat").await["text"], "hello from afar");
}

/// A store that hears nothing of what other processes do.
struct Deaf(server::store::Postgres, tokio::sync::broadcast::Sender<String>);

impl server::store::Database for Deaf {
    fn run(&self, batch: server::store::Batch) -> server::store::Fut<'_, Vec<server::store::Rows>> {
        self.0.run(batch)
    }

    fn changes(&self) -> tokio::sync::broadcast::Receiver<String> {
        self.1.subscribe()
    }

    fn shared(&self) -> bool {
        true
    }

    fn announce(&self, id: &str) -> Option<server::store::Statement> {
        self.0.announce(id)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_choice_reaches_another_servers_viewers_by_the_databases_own_notice() {
    let Some(pg) = Postgres::start("notice") else { return };
    let first = server_on(&pg).await;
    let second = server_on(&pg).await;
    let deaf = server::store::Postgres::connect(&pg.url).await.unwrap();
    let deaf = Deaf(deaf, tokio::sync::broadcast::Sender::new(16));
    let third = serve_over(Store::over(Arc::new(deaf)).await.unwrap(), config(true)).await;
    let anna = Person::register(first.addr, "Anna").await;
    let new =
        json!({"game": "drill", "scenario": "first", "handover": false, "seats": {"one": "me", "two": "me"}});
    let id = anna.found_with(new).await;
    let at = |served: &Served| Person { addr: served.addr, ..anna.clone() };
    let (mut here, mut there) = (anna.sit(&id).await, at(&second).sit(&id).await);
    let mut unhearing = at(&third).sit(&id).await;
    let begun = unhearing.n;
    let mut notices = second.house.store.changes();
    let mut dice = QuickDice::new(19);
    let mut slowest = Duration::ZERO;
    for _ in 0..40 {
        let n = here.n;
        let sent = Instant::now();
        here.play_random(&mut dice).await;
        while there.n <= n {
            there.next().await.expect("the other server's viewer sees it");
        }
        slowest = slowest.max(sent.elapsed());
        // A notice that names the match came before the view; none for what happened earlier is left over.
        let heard = std::iter::from_fn(|| notices.try_recv().ok()).filter(|name| *name == id).count();
        assert!(heard >= 1, "the viewer saw a choice of which no notice came");
    }
    eprintln!("a choice on one server was on the screen of another's viewer within {slowest:?}");
    // The same server without ears shows nothing of forty choices: there is no other way by which they come.
    assert_eq!(unhearing.request(json!({"t": "ping"})).await["t"], "pong");
    assert_eq!(unhearing.n, begun, "it looked by itself");
    assert!(there.n >= begun + 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signing_out_on_one_server_closes_the_connections_to_another() {
    let Some(pg) = Postgres::start("out") else { return };
    let (first, second) = (server_on(&pg).await, server_on(&pg).await);
    let anna = Person::register(first.addr, "Anna").await;
    let id = anna.found(json!({"one": "me", "two": "me"})).await;
    let mut there = Person { addr: second.addr, ..anna.clone() }.sit(&id).await;
    assert_eq!(anna.post("/api/account/logout", json!({})).await.0, 200);
    assert_eq!(there.until_farewell().await, Some(server::socket::SIGNED_OUT));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_is_stored_once_and_entries_of_a_batch_together_or_not_at_all() {
    let Some(pg) = Postgres::start("once") else { return };
    once(&Store::open(&pg.url).await.unwrap()).await;
    drop(pg);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_file_keeps_the_same_promise() {
    let folder = crate::page::Folder::new("once");
    once(&Store::open(folder.0.join("verst.sqlite").to_str().unwrap()).await.unwrap()).await;
}

/// The promise of both stores.
async fn once(store: &Store) {
    let row = server::store::MatchRow {
        id: "m".into(),
        version: 1,
        made: 1,
        turned: 1,
        over: false,
        body: "{}".into(),
        summary: "{}".into(),
    };
    store.add_match(&row, &["anna".into()], &[]).await.unwrap();
    let entry = |n: i64| Entry { n, seat: "one".into(), body: format!("line {n} \u{1F682} 'quoted'"), at: n };
    store.append("m", &[entry(1), entry(2)], false, "{\"n\":3}").await.unwrap();
    assert_eq!(store.append("m", &[entry(2)], false, "{}").await, Err(StoreFault::Taken));
    assert_eq!(store.append("m", &[entry(3), entry(2)], true, "{}").await, Err(StoreFault::Taken));
    let there = store.entries("m", 1).await.unwrap();
    assert_eq!(there, [entry(1), entry(2)], "the third was not stored without the second");
    let found = store.find_match("m").await.unwrap().unwrap();
    assert_eq!((found.turned, found.over, found.summary.as_str()), (2, false, "{\"n\":3}"));
    assert!(store.save_match(&found, &["ben".into()]).await.unwrap());
    assert!(!store.save_match(&found, &[]).await.unwrap(), "who saves an old version is told so");
    assert_eq!(store.matches_of("ben").await.unwrap().len(), 1);
    assert!(store.append("nowhere", &[entry(1)], false, "{}").await.is_err());
    store.drop_match("m").await.unwrap();
    assert!(store.entries("m", 1).await.unwrap().is_empty());
    // Forty at once to one number: one is stored.
    store.add_match(&row, &[], &[]).await.unwrap();
    let racers = (0..40).map(|_| {
        let (store, e) = (store.clone(), entry(1));
        tokio::spawn(async move { store.append("m", &[e], false, "{}").await })
    });
    let mut won = 0;
    for r in racers.collect::<Vec<_>>() {
        match r.await.unwrap() {
            Ok(()) => won += 1,
            Err(f) => assert_eq!(f, StoreFault::Taken),
        }
    }
    assert_eq!(won, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_the_database_goes_away_choices_are_refused_and_when_it_returns_play_goes_on() {
    let Some(pg) = Postgres::start("away") else { return };
    let served = server_on(&pg).await;
    let anna = Person::register(served.addr, "Anna").await;
    let new =
        json!({"game": "drill", "scenario": "first", "handover": false, "seats": {"one": "me", "two": "me"}});
    let id = anna.found_with(new).await;
    let mut page: Page = anna.sit(&id).await;
    let mut dice = QuickDice::new(6);
    for _ in 0..10 {
        page.play_random(&mut dice).await;
    }
    let control = |what: &[&str]| {
        let bin = std::fs::read_dir("/usr/lib/postgresql")
            .unwrap()
            .flatten()
            .next()
            .unwrap()
            .path()
            .join("bin/pg_ctl");
        let mut c = if std::env::var("USER").as_deref() == Ok("root")
            || std::env::var("HOME").as_deref() == Ok("/root")
        {
            let mut c = Command::new("setpriv");
            c.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(bin);
            c
        } else {
            Command::new(bin)
        };
        let done = c.arg("-D").arg(pg.dir.join("data")).args(what).current_dir("/").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let port = pg.url.rsplit(':').next().unwrap().split('/').next().unwrap().to_owned();
    control(&["-m", "immediate", "-w", "stop"]);
    let step = page.step;
    let choice = page.choices()[0].clone();
    let refused = page.play(&choice).await;
    assert_eq!(refused["code"], "store", "{refused}");
    let log = pg.dir.join("server.log");
    let options = format!(
        "-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories= -c max_connections=60"
    );
    control(&["-w", "-l", log.to_str().unwrap(), "-o", &options, "start"]);
    let mut answer = page.request(json!({"t": "sync"})).await;
    for _ in 0..40 {
        if answer["t"] == "state" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
        answer = page.request(json!({"t": "sync"})).await;
    }
    assert_eq!(answer["step"], step, "what was refused was not played; what was accepted is there: {answer}");
    page.play_random(&mut dice).await;
}
