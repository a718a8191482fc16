//! The tables, and how an older store is brought up to date.

use super::{Database, Statement, StoreFault, Value};

/// Each step leads from one version of the tables to the next; a step once released is never changed.
const STEPS: &[&[&str]] = &[&[
    "CREATE TABLE matches (
        id TEXT PRIMARY KEY, version BIGINT NOT NULL, made BIGINT NOT NULL, turned BIGINT NOT NULL,
        over BIGINT NOT NULL, body TEXT NOT NULL, summary TEXT NOT NULL)",
    "CREATE TABLE members (
        match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, person TEXT NOT NULL, PRIMARY KEY (match_id, person))",
    "CREATE INDEX members_by_person ON members (person)",
    "CREATE TABLE entries (
        match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, n BIGINT NOT NULL, seat TEXT NOT NULL, body TEXT NOT NULL, at BIGINT NOT NULL,
        PRIMARY KEY (match_id, n))",
    "CREATE TABLE snapshots (
        match_id TEXT PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE, n BIGINT NOT NULL, rules BIGINT NOT NULL, body BYTEA NOT NULL)",
    "CREATE TABLE people (
        id TEXT PRIMARY KEY, folded TEXT NOT NULL UNIQUE, name TEXT NOT NULL, password TEXT NOT NULL,
        settings TEXT NOT NULL, made BIGINT NOT NULL)",
    "CREATE TABLE logins (token TEXT PRIMARY KEY, person TEXT NOT NULL, until BIGINT NOT NULL)",
    "CREATE TABLE invites (
        token TEXT PRIMARY KEY, match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, seat TEXT NOT NULL, made BIGINT NOT NULL)",
    "CREATE TABLE chat (
        match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, seq BIGINT NOT NULL, who TEXT NOT NULL, side TEXT NOT NULL, audience TEXT NOT NULL,
        body TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (match_id, seq))",
    "CREATE TABLE notes (
        match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, person TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (match_id, person))",
], &[
    "CREATE TABLE overlays (digest TEXT PRIMARY KEY, files TEXT NOT NULL)",
], &[
    "DROP TABLE snapshots",
    "CREATE TABLE snapshots (
        match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, n BIGINT NOT NULL, body BYTEA NOT NULL,
        PRIMARY KEY (match_id, n))",
]];

/// Makes the tables of a new store, or brings those of an older version up to date, in one transaction.
pub(super) async fn prepare(db: &dyn Database) -> Result<(), StoreFault> {
    let made = db
        .run(vec![Statement::new("CREATE TABLE IF NOT EXISTS verst (version BIGINT PRIMARY KEY)", [])])
        .await;
    // Two processes that start at once may both try; whoever loses finds the table there.
    if !matches!(made, Ok(_) | Err(StoreFault::Taken)) {
        made?;
    }
    for _ in 0..STEPS.len() + 2 {
        let rows = db.run(vec![Statement::new("SELECT MAX(version) FROM verst", [])]).await?;
        let have = rows.first().and_then(|r| r.first()).and_then(|r| r.first()).map_or(0, Value::int);
        let Ok(done) = usize::try_from(have) else {
            return Err(StoreFault::Broken(format!("the version of the store is {have}")));
        };
        if done == STEPS.len() {
            return Ok(());
        }
        let Some(step) = STEPS.get(done) else {
            return Err(StoreFault::Broken(format!(
                "it was written by a newer version of this program (store version {have}, this program knows {}); \
                 use the newer program",
                STEPS.len()
            )));
        };
        // The version row comes first: of two processes that upgrade at once, one waits on it and then fails whole.
        let mut batch =
            vec![Statement::new("INSERT INTO verst (version) VALUES (?1)", [Value::Int(have + 1)])];
        batch.extend(step.iter().map(|sql| Statement::new(sql, [])));
        match db.run(batch).await {
            Ok(_) | Err(StoreFault::Taken) => {}
            Err(other) => return Err(other),
        }
    }
    Err(StoreFault::Broken("its tables could not be brought up to date".into()))
}
