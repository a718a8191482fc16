//! What a database must do for us, and no more: run a batch of statements whole or not at all.

use std::future::Future;
use std::pin::Pin;
use tokio::sync::broadcast;

/// A future of the store.
pub type Fut<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreFault>> + Send + 'a>>;

/// A value in a statement or a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number, or a time in unix milliseconds.
    Int(i64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Nothing.
    Null,
}

impl Value {
    /// The number, or zero.
    pub fn int(&self) -> i64 {
        if let Value::Int(n) = self { *n } else { 0 }
    }

    /// The text, or none.
    pub fn text(&self) -> String {
        if let Value::Text(s) = self { s.clone() } else { String::new() }
    }

    /// The bytes, or none.
    pub fn bytes(&self) -> Vec<u8> {
        if let Value::Bytes(b) = self { b.clone() } else { Vec::new() }
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Int(n)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Value {
        Value::Text(s.into())
    }
}

impl From<String> for Value {
    fn from(s: String) -> Value {
        Value::Text(s)
    }
}

/// A statement with its values, numbered `?1`, `?2` in the text.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The text, in the words that both databases share.
    pub sql: &'static str,
    /// Its values.
    pub values: Vec<Value>,
}

impl Statement {
    /// A statement.
    pub fn new(sql: &'static str, values: impl IntoIterator<Item = Value>) -> Statement {
        Statement { sql, values: values.into_iter().collect() }
    }

    /// Whether it only reads.
    pub fn reads(&self) -> bool {
        self.sql.trim_start().starts_with("SELECT")
    }
}

/// Statements that happen together or not at all.
pub type Batch = Vec<Statement>;

/// What a statement returned.
pub type Rows = Vec<Vec<Value>>;

/// Why the store could not do something. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFault {
    /// A row with that key exists: someone else was first.
    #[error("someone else was first")]
    Taken,
    /// The disk is full.
    #[error(
        "the disk that holds the store is full; nothing was changed: free some space and try again ({0})"
    )]
    Full(String),
    /// Another program holds the store.
    #[error(
        "the store is locked by another program; nothing was changed: close that program and try again ({0})"
    )]
    Locked(String),
    /// The database cannot be reached.
    #[error("the store cannot be reached; nothing was changed: check that it runs ({0})")]
    Away(String),
    /// What is stored cannot be read.
    #[error("the store holds something that cannot be read: {0}")]
    Broken(String),
    /// Anything else the database said.
    #[error("the store refused; nothing was changed ({0})")]
    Other(String),
}

/// A database.
pub trait Database: Send + Sync {
    /// Runs a batch; its changes are on disk when this returns, or none of them is made.
    fn run(&self, batch: Batch) -> Fut<'_, Vec<Rows>>;

    /// Matches changed by other processes.
    fn changes(&self) -> broadcast::Receiver<String>;

    /// Whether other processes may use it at the same time.
    fn shared(&self) -> bool;

    /// A statement that tells other processes that a match changed, if there can be any.
    fn announce(&self, id: &str) -> Option<Statement>;
}
