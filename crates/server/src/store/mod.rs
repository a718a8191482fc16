//! The store: journals, matches, people. Journals are the truth; everything else about a position is made from them.
//!
//! What is stored and asked is written once, in [`Store`]; a [`Database`] only runs batches of statements, each batch
//! whole or not at all. So SQLite and PostgreSQL cannot differ in what they mean.

mod database;
mod matches;
mod overlays;
mod people;
mod postgres;
mod schema;
mod sqlite;
mod talk;

pub use database::{Batch, Database, Fut, Rows, Statement, StoreFault, Value};
pub use matches::{Entry, MatchRow, Snapshot};
pub use people::{Invite, Login, Person, digest, ended_login};
pub use postgres::Postgres;
pub use sqlite::{Sqlite, SqliteSettings};
pub use talk::ChatRow;

use std::sync::Arc;
use tokio::sync::broadcast;

/// All that the server keeps, over either database.
#[derive(Clone)]
pub struct Store {
    db: Arc<dyn Database>,
}

impl Store {
    /// Opens the store of an address: `postgres://...` or a file, which is created when it is not there.
    pub async fn open(address: &str) -> Result<Store, StoreFault> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            Store::over(Arc::new(Postgres::connect(address).await?)).await
        } else {
            Store::over(Arc::new(Sqlite::open(address.as_ref(), SqliteSettings::default())?)).await
        }
    }

    /// A store over an open database, whose tables are made or brought up to date first.
    pub async fn over(db: Arc<dyn Database>) -> Result<Store, StoreFault> {
        schema::prepare(&*db).await?;
        Ok(Store { db })
    }

    /// Matches that another process has changed, as they change; [`ended_login`] tells a login that ended from them.
    pub fn changes(&self) -> broadcast::Receiver<String> {
        self.db.changes()
    }

    /// Whether other processes may serve the same matches.
    pub fn shared(&self) -> bool {
        self.db.shared()
    }

    async fn run(&self, batch: Batch) -> Result<Vec<Rows>, StoreFault> {
        self.db.run(batch).await
    }

    async fn one(&self, statement: Statement) -> Result<Rows, StoreFault> {
        Ok(self.db.run(vec![statement]).await?.pop().unwrap_or_default())
    }
}
