//! PostgreSQL by URL: a few connections that work, and one that listens to what other processes change.

use super::{Batch, Database, Fut, Rows, Statement, StoreFault, Value};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as StdMutex};
use std::time::Duration;
use tokio::sync::{Mutex, broadcast};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, NoTls};

/// Connections that work; each waits for its own flush to disk, so several let games commit side by side.
const CONNECTIONS: usize = 6;

/// A store in a PostgreSQL database that several processes may share.
pub struct Postgres {
    config: Config,
    /// What this process calls itself, to pass over its own calls.
    name: String,
    clients: Vec<Mutex<Option<Client>>>,
    next: AtomicUsize,
    changes: broadcast::Sender<String>,
    texts: StdMutex<BTreeMap<&'static str, Arc<str>>>,
}

impl Postgres {
    /// Connects; a database that cannot be reached now is a fault now.
    pub async fn connect(url: &str) -> Result<Postgres, StoreFault> {
        let mut config: Config = url
            .parse()
            .map_err(|e| StoreFault::Other(format!("the address of the store is not valid: {e}")))?;
        config.connect_timeout(Duration::from_secs(5)).application_name("verst");
        let first = open(&config).await?;
        let changes = broadcast::channel(4096).0;
        let mut clients = vec![Mutex::new(Some(first))];
        clients.resize_with(CONNECTIONS, || Mutex::new(None));
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|e| StoreFault::Other(format!("no random numbers: {e}")))?;
        let name = format!("{:016x}", u64::from_le_bytes(bytes));
        tokio::spawn(listen(config.clone(), name.clone(), changes.clone()));
        Ok(Postgres {
            config,
            name,
            clients,
            next: AtomicUsize::new(0),
            changes,
            texts: StdMutex::new(BTreeMap::new()),
        })
    }

    /// A statement in PostgreSQL's words: values are `$1`, and its name for bytes is already ours.
    fn text(&self, sql: &'static str) -> Arc<str> {
        let mut texts = self.texts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(texts.entry(sql).or_insert_with(|| sql.replace('?', "$").into()))
    }

    async fn run_batch(&self, batch: Batch) -> Result<Vec<Rows>, StoreFault> {
        let at = self.next.fetch_add(1, Ordering::Relaxed) % self.clients.len();
        let mut held = self.clients[at].lock().await;
        if held.as_ref().is_none_or(Client::is_closed) {
            *held = Some(open(&self.config).await?);
        }
        let Some(client) = held.as_mut() else {
            return Err(StoreFault::Away("no connection".into()));
        };
        if let [only] = &batch[..] {
            return Ok(vec![self.query(&*client, only).await?]);
        }
        let transaction = client.transaction().await.map_err(fault)?;
        let mut out = Vec::with_capacity(batch.len());
        for s in &batch {
            out.push(self.query(&transaction, s).await?);
        }
        transaction.commit().await.map_err(fault)?;
        Ok(out)
    }

    async fn query(
        &self,
        client: &impl tokio_postgres::GenericClient,
        s: &Statement,
    ) -> Result<Rows, StoreFault> {
        let text = self.text(s.sql);
        let values: Vec<(&(dyn ToSql + Sync), Type)> = s
            .values
            .iter()
            .map(|v| match v {
                Value::Int(n) => (n as &(dyn ToSql + Sync), Type::INT8),
                Value::Text(t) => (t as &(dyn ToSql + Sync), Type::TEXT),
                Value::Bytes(b) => (b as &(dyn ToSql + Sync), Type::BYTEA),
                Value::Null => (&None::<String> as &(dyn ToSql + Sync), Type::TEXT),
            })
            .collect();
        let rows = client.query_typed(&text, &values).await.map_err(fault)?;
        rows.iter().map(|row| (0..row.len()).map(|i| read(row, i)).collect()).collect()
    }
}

fn read(row: &tokio_postgres::Row, i: usize) -> Result<Value, StoreFault> {
    let kind = row.columns()[i].type_().clone();
    let value = match kind {
        Type::INT8 => row.try_get::<_, Option<i64>>(i).map(|v| v.map(Value::Int)),
        Type::INT4 => row.try_get::<_, Option<i32>>(i).map(|v| v.map(|n| Value::Int(i64::from(n)))),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(i).map(|v| v.map(Value::Bytes)),
        Type::VOID => Ok(None),
        _ => row.try_get::<_, Option<String>>(i).map(|v| v.map(Value::Text)),
    };
    Ok(value.map_err(fault)?.unwrap_or(Value::Null))
}

async fn open(config: &Config) -> Result<Client, StoreFault> {
    let (client, connection) = config.connect(NoTls).await.map_err(fault)?;
    tokio::spawn(async move {
        if let Err(e) = connection.await {
            tracing::warn!("a connection to the store ended: {e}");
        }
    });
    Ok(client)
}

/// Hears what other processes change, and connects again when the connection is lost.
async fn listen(config: Config, name: String, changes: broadcast::Sender<String>) {
    loop {
        if let Err(e) = listen_once(&config, &name, &changes).await {
            tracing::warn!("the store does not tell what other servers change: {e}; trying again");
        }
        // Something may have been missed meanwhile: an empty name means every match.
        let _ = changes.send(String::new());
        tokio::time::sleep(Duration::from_millis(500)).await;
        if changes.receiver_count() == 0 && changes.strong_count() == 1 {
            return;
        }
    }
}

async fn listen_once(
    config: &Config,
    name: &str,
    changes: &broadcast::Sender<String>,
) -> Result<(), StoreFault> {
    let (client, mut connection) = config.connect(NoTls).await.map_err(fault)?;
    let (tx, mut rx) = tokio::sync::mpsc::unbounded_channel();
    let pump = tokio::spawn(async move {
        while let Some(message) = std::future::poll_fn(|cx| connection.poll_message(cx)).await {
            match message {
                Ok(AsyncMessage::Notification(n)) if tx.send(n.payload().to_owned()).is_err() => return,
                Ok(_) => {}
                Err(_) => return,
            }
        }
    });
    client.batch_execute("LISTEN verst").await.map_err(fault)?;
    let _ = changes.send(String::new());
    while let Some(call) = rx.recv().await {
        match call.split_once(' ') {
            Some((own, _)) if own == name => {}
            Some((_, id)) => {
                let _ = changes.send(id.to_owned());
            }
            None => {}
        }
    }
    pump.abort();
    Err(StoreFault::Away("the connection was lost".into()))
}

fn fault(e: tokio_postgres::Error) -> StoreFault {
    let text = match e.as_db_error() {
        Some(db) => db.to_string(),
        None => e.to_string(),
    };
    match e.code() {
        Some(code) if *code == SqlState::UNIQUE_VIOLATION => StoreFault::Taken,
        Some(code) if *code == SqlState::DUPLICATE_TABLE => StoreFault::Taken,
        Some(code) if *code == SqlState::DISK_FULL => StoreFault::Full(text),
        Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE => StoreFault::Locked(text),
        Some(code) if code.code().starts_with("57P") || code.code().starts_with("08") => {
            StoreFault::Away(text)
        }
        Some(_) => StoreFault::Other(text),
        None => StoreFault::Away(text),
    }
}

impl Database for Postgres {
    fn run(&self, batch: Batch) -> Fut<'_, Vec<Rows>> {
        Box::pin(self.run_batch(batch))
    }

    fn changes(&self) -> broadcast::Receiver<String> {
        self.changes.subscribe()
    }

    fn shared(&self) -> bool {
        true
    }

    fn announce(&self, id: &str) -> Option<Statement> {
        let call = format!("{} {id}", self.name);
        Some(Statement::new("SELECT pg_notify('verst', ?1)", [call.into()]))
    }
}
