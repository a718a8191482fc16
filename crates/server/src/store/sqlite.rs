//! SQLite in one file: a thread that writes and a thread that reads.
//!
//! The writer takes all batches that wait and commits them together, so that many games share one flush to disk; a
//! batch that fails is rolled back alone, and nobody is answered before the commit.

use super::{Batch, Database, Fut, Rows, Statement, StoreFault, Value};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use tokio::sync::{broadcast, oneshot};

/// How many waiting batches share one commit at most.
const GROUP: usize = 256;

/// How the file is used.
#[derive(Clone, Debug)]
pub struct SqliteSettings {
    /// How long to wait for another program that holds the file.
    pub patience: Duration,
    /// The most pages the file may grow to; for those who share a disk, and to try out a full one.
    pub pages: Option<u32>,
}

impl Default for SqliteSettings {
    fn default() -> SqliteSettings {
        SqliteSettings { patience: Duration::from_secs(5), pages: None }
    }
}

/// A store in a SQLite file.
pub struct Sqlite {
    writer: Sender<Job>,
    reader: Sender<Job>,
    changes: broadcast::Sender<String>,
}

struct Job {
    batch: Batch,
    reply: oneshot::Sender<Result<Vec<Rows>, StoreFault>>,
}

impl Sqlite {
    /// Opens the file, and makes it if it is not there.
    pub fn open(path: &Path, settings: SqliteSettings) -> Result<Sqlite, StoreFault> {
        if let Some(dir) = path.parent().filter(|d| !d.as_os_str().is_empty()) {
            std::fs::create_dir_all(dir).map_err(|e| {
                StoreFault::Other(format!("the folder {} cannot be made: {e}", dir.display()))
            })?;
        }
        let writing = connect(path, &settings)?;
        let reading = connect(path, &settings)?;
        Ok(Sqlite {
            writer: start("store-writer", writing)?,
            reader: start("store-reader", reading)?,
            changes: broadcast::channel(1).0,
        })
    }
}

fn connect(path: &Path, settings: &SqliteSettings) -> Result<Connection, StoreFault> {
    let named = |e: rusqlite::Error| match fault(e) {
        StoreFault::Other(why) => StoreFault::Other(format!("{}: {why}", path.display())),
        other => other,
    };
    let conn = Connection::open(path).map_err(named)?;
    conn.busy_timeout(settings.patience).map_err(named)?;
    // WAL with full synchronisation: a commit that was answered survives loss of power.
    conn.pragma_update(None, "journal_mode", "WAL").map_err(named)?;
    conn.pragma_update(None, "synchronous", "FULL").map_err(named)?;
    conn.pragma_update(None, "foreign_keys", "ON").map_err(named)?;
    if let Some(pages) = settings.pages {
        conn.pragma_update(None, "max_page_count", pages).map_err(named)?;
    }
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

fn start(name: &str, conn: Connection) -> Result<Sender<Job>, StoreFault> {
    let (tx, rx) = channel();
    std::thread::Builder::new()
        .name(name.into())
        .spawn(move || work(&conn, &rx))
        .map_err(|e| StoreFault::Other(format!("no thread for the store: {e}")))?;
    Ok(tx)
}

/// Runs jobs until every sender is gone.
fn work(conn: &Connection, jobs: &Receiver<Job>) {
    while let Ok(first) = jobs.recv() {
        let mut group = vec![first];
        while group.len() < GROUP
            && let Ok(job) = jobs.try_recv()
        {
            group.push(job);
        }
        let mut answers = run_group(conn, &group);
        for job in group {
            // Whoever asked may have gone; then nobody needs the answer.
            let _ = job.reply.send(answers.remove(0));
        }
    }
}

fn run_group(conn: &Connection, group: &[Job]) -> Vec<Result<Vec<Rows>, StoreFault>> {
    let writes = group.iter().any(|j| j.batch.iter().any(|s| !s.reads()));
    let all = |f: StoreFault| group.iter().map(|_| Err(f.clone())).collect();
    if let Err(e) = conn.execute_batch(if writes { "BEGIN IMMEDIATE" } else { "BEGIN" }) {
        return all(fault(e));
    }
    let mut answers = Vec::with_capacity(group.len());
    for job in group {
        let answer = run_batch(conn, &job.batch);
        // A full disk may roll back the whole transaction, not only the batch that met it.
        if conn.is_autocommit() {
            return all(answer
                .err()
                .unwrap_or_else(|| StoreFault::Other("the transaction ended early".into())));
        }
        answers.push(answer);
    }
    if let Err(e) = conn.execute_batch("COMMIT") {
        let f = fault(e);
        if !conn.is_autocommit()
            && let Err(e) = conn.execute_batch("ROLLBACK")
        {
            tracing::error!("a failed commit could not be rolled back: {e}");
        }
        return all(f);
    }
    answers
}

fn run_batch(conn: &Connection, batch: &[Statement]) -> Result<Vec<Rows>, StoreFault> {
    conn.execute_batch("SAVEPOINT batch").map_err(fault)?;
    let done = batch.iter().map(|s| run_one(conn, s)).collect::<Result<Vec<_>, _>>();
    if done.is_err() && !conn.is_autocommit() {
        conn.execute_batch("ROLLBACK TO batch").map_err(fault)?;
    }
    if !conn.is_autocommit() {
        conn.execute_batch("RELEASE batch").map_err(fault)?;
    }
    done.map_err(fault)
}

fn run_one(conn: &Connection, s: &Statement) -> Result<Rows, rusqlite::Error> {
    let mut prepared = conn.prepare_cached(s.sql)?;
    let columns = prepared.column_count();
    let mut rows = prepared.query(rusqlite::params_from_iter(&s.values))?;
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        out.push((0..columns).map(|i| row.get_ref(i).map(read)).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(out)
}

fn read(v: ValueRef<'_>) -> Value {
    match v {
        ValueRef::Integer(n) => Value::Int(n),
        ValueRef::Text(t) => Value::Text(String::from_utf8_lossy(t).into_owned()),
        ValueRef::Blob(b) => Value::Bytes(b.to_vec()),
        ValueRef::Real(_) | ValueRef::Null => Value::Null,
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Int(n) => ValueRef::Integer(*n),
            Value::Text(t) => ValueRef::Text(t.as_bytes()),
            Value::Bytes(b) => ValueRef::Blob(b),
            Value::Null => ValueRef::Null,
        }))
    }
}

fn fault(e: rusqlite::Error) -> StoreFault {
    let text = e.to_string();
    match e.sqlite_error().map(|e| (e.code, e.extended_code)) {
        Some((ErrorCode::ConstraintViolation, code))
            if code == rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY
                || code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE =>
        {
            StoreFault::Taken
        }
        Some((ErrorCode::DiskFull, _)) => StoreFault::Full(text),
        Some((ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _)) => StoreFault::Locked(text),
        Some((ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt, _)) => StoreFault::Broken(text),
        _ => StoreFault::Other(text),
    }
}

impl Database for Sqlite {
    fn run(&self, batch: Batch) -> Fut<'_, Vec<Rows>> {
        let to = if batch.iter().all(Statement::reads) { &self.reader } else { &self.writer };
        let (reply, answer) = oneshot::channel();
        let sent = to.send(Job { batch, reply });
        Box::pin(async move {
            let gone = || StoreFault::Away("its thread has ended".into());
            sent.map_err(|_| gone())?;
            answer.await.map_err(|_| gone())?
        })
    }

    fn changes(&self) -> broadcast::Receiver<String> {
        self.changes.subscribe()
    }

    fn shared(&self) -> bool {
        false
    }

    fn announce(&self, _: &str) -> Option<Statement> {
        None
    }
}
