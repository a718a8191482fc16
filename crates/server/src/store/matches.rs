//! Matches and their journals.

use super::{Rows, Statement, Store, StoreFault, Value};

/// A match as it is stored. The play itself is in its entries.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRow {
    /// Its id.
    pub id: String,
    /// Raised by each change of `body`.
    pub version: i64,
    /// When it was made, in unix milliseconds.
    pub made: i64,
    /// When the last choice was made.
    pub turned: i64,
    /// Whether it has ended.
    pub over: bool,
    /// Terms, seats and settings.
    pub body: String,
    /// Where the play stands, for lists.
    pub summary: String,
}

/// One accepted choice, or an undo.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The number of the question that it answered.
    pub n: i64,
    /// The seat that answered.
    pub seat: String,
    /// The line of the journal.
    pub body: String,
    /// When, in unix milliseconds.
    pub at: i64,
}

/// A position kept so that a long journal need not be replayed from its beginning.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// After how many entries.
    pub n: i64,
    /// What is kept; see `live::marks`.
    pub body: Vec<u8>,
}

const COLUMNS: &str = "SELECT id, version, made, turned, over, body, summary FROM matches WHERE id = ?1";

fn row(r: &[Value]) -> Option<MatchRow> {
    let [id, version, made, turned, over, body, summary] = r else { return None };
    Some(MatchRow {
        id: id.text(),
        version: version.int(),
        made: made.int(),
        turned: turned.int(),
        over: over.int() != 0,
        body: body.text(),
        summary: summary.text(),
    })
}

fn rows(rows: &Rows) -> Vec<MatchRow> {
    rows.iter().filter_map(|r| row(r)).collect()
}

impl Store {
    /// Adds a match with the people who may find it in their lists.
    pub async fn add_match(
        &self,
        m: &MatchRow,
        members: &[String],
        entries: &[Entry],
    ) -> Result<(), StoreFault> {
        let mut batch = vec![Statement::new(
            "INSERT INTO matches (id, version, made, turned, over, body, summary) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            [
                m.id.as_str().into(),
                m.version.into(),
                m.made.into(),
                m.turned.into(),
                i64::from(m.over).into(),
                m.body.as_str().into(),
                m.summary.as_str().into(),
            ],
        )];
        batch.extend(members.iter().map(|p| member(&m.id, p)));
        batch.extend(entries.iter().map(|e| insert(&m.id, e)));
        self.run(batch).await.map(|_| ())
    }

    /// The match of an id.
    pub async fn find_match(&self, id: &str) -> Result<Option<MatchRow>, StoreFault> {
        Ok(self.one(Statement::new(COLUMNS, [id.into()])).await?.first().and_then(|r| row(r)))
    }

    /// The matches of a person, the latest first.
    pub async fn matches_of(&self, person: &str) -> Result<Vec<MatchRow>, StoreFault> {
        let found = self
            .one(Statement::new(
                "SELECT id, version, made, turned, over, body, summary FROM matches \
                 WHERE id IN (SELECT match_id FROM members WHERE person = ?1) \
                 ORDER BY over, turned DESC, id LIMIT 500",
                [person.into()],
            ))
            .await?;
        Ok(rows(&found))
    }

    /// Stores a changed body if nobody changed it meanwhile; `false` if somebody did. Members are added, never taken.
    pub async fn save_match(&self, m: &MatchRow, members: &[String]) -> Result<bool, StoreFault> {
        let saved = self
            .one(Statement::new(
                "UPDATE matches SET version = version + 1, body = ?1 WHERE id = ?2 AND version = ?3 RETURNING version",
                [m.body.as_str().into(), m.id.as_str().into(), m.version.into()],
            ))
            .await?;
        if saved.is_empty() {
            return Ok(false);
        }
        let mut batch: Vec<Statement> = members.iter().map(|p| member(&m.id, p)).collect();
        batch.extend(self.told(&m.id));
        if !batch.is_empty() {
            self.run(batch).await?;
        }
        Ok(true)
    }

    /// Forgets a match.
    pub async fn drop_match(&self, id: &str) -> Result<(), StoreFault> {
        self.one(Statement::new("DELETE FROM matches WHERE id = ?1", [id.into()])).await.map(|_| ())
    }

    /// Adds entries to a journal, all or none; [`StoreFault::Taken`] when one of their questions is answered already.
    /// `summary` and `over` say where the play stands then.
    pub async fn append(
        &self,
        id: &str,
        entries: &[Entry],
        over: bool,
        summary: &str,
    ) -> Result<(), StoreFault> {
        let Some(last) = entries.last() else { return Ok(()) };
        let mut batch: Vec<Statement> = entries.iter().map(|e| insert(id, e)).collect();
        batch.push(Statement::new(
            "UPDATE matches SET turned = ?1, over = ?2, summary = ?3 WHERE id = ?4",
            [last.at.into(), i64::from(over).into(), summary.into(), id.into()],
        ));
        batch.extend(self.told(id));
        self.run(batch).await.map(|_| ())
    }

    /// The entries of a journal from a number on.
    pub async fn entries(&self, id: &str, from: i64) -> Result<Vec<Entry>, StoreFault> {
        let found = self
            .one(Statement::new(
                "SELECT n, seat, body, at FROM entries WHERE match_id = ?1 AND n >= ?2 ORDER BY n",
                [id.into(), from.into()],
            ))
            .await?;
        Ok(found
            .iter()
            .filter_map(|r| {
                let [n, seat, body, at] = &r[..] else { return None };
                Some(Entry { n: n.int(), seat: seat.text(), body: body.text(), at: at.int() })
            })
            .collect())
    }

    /// Keeps a position beside the journal.
    pub async fn keep_snapshot(&self, id: &str, s: &Snapshot) -> Result<(), StoreFault> {
        self.one(Statement::new(
            "INSERT INTO snapshots (match_id, n, body) VALUES (?1, ?2, ?3) \
             ON CONFLICT (match_id, n) DO UPDATE SET body = excluded.body",
            [id.into(), s.n.into(), Value::Bytes(s.body.clone())],
        ))
        .await
        .map(|_| ())
    }

    /// The latest position that was kept after at most so many entries.
    pub async fn snapshot(&self, id: &str, at_most: i64) -> Result<Option<Snapshot>, StoreFault> {
        let found = self
            .one(Statement::new(
                "SELECT n, body FROM snapshots WHERE match_id = ?1 AND n <= ?2 ORDER BY n DESC LIMIT 1",
                [id.into(), at_most.into()],
            ))
            .await?;
        Ok(found.first().and_then(|r| {
            let [n, body] = &r[..] else { return None };
            Some(Snapshot { n: n.int(), body: body.bytes() })
        }))
    }

    /// The statement that tells other processes of a change, if there may be any.
    pub(super) fn told(&self, id: &str) -> Option<Statement> {
        self.db.announce(id)
    }
}

fn insert(id: &str, e: &Entry) -> Statement {
    Statement::new(
        "INSERT INTO entries (match_id, n, seat, body, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        [id.into(), e.n.into(), e.seat.as_str().into(), e.body.as_str().into(), e.at.into()],
    )
}

fn member(id: &str, person: &str) -> Statement {
    Statement::new(
        "INSERT INTO members (match_id, person) VALUES (?1, ?2) ON CONFLICT (match_id, person) DO NOTHING",
        [id.into(), person.into()],
    )
}
