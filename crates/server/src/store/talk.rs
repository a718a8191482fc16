//! Chat and private notes.

use super::{Statement, Store, StoreFault};

/// A line of chat.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatRow {
    /// Its number in the match.
    pub seq: i64,
    /// Who wrote it.
    pub who: String,
    /// The side he sits on: `one`, `two` or empty.
    pub side: String,
    /// Who may read it: `all`, `one` or `two`.
    pub audience: String,
    /// What it says.
    pub body: String,
    /// When, in unix milliseconds.
    pub at: i64,
}

impl Store {
    /// Adds a line of chat; its number is given here.
    pub async fn add_chat(&self, id: &str, c: &ChatRow) -> Result<(), StoreFault> {
        // Two lines at once may reach for the same number; the later one takes the next.
        for _ in 0..16 {
            let mut batch = vec![Statement::new(
                "INSERT INTO chat (match_id, seq, who, side, audience, body, at) \
                 SELECT ?1, COALESCE(MAX(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM chat WHERE match_id = ?1",
                [
                    id.into(),
                    c.who.as_str().into(),
                    c.side.as_str().into(),
                    c.audience.as_str().into(),
                    c.body.as_str().into(),
                    c.at.into(),
                ],
            )];
            batch.extend(self.told(id));
            match self.run(batch).await {
                Err(StoreFault::Taken) => {}
                other => return other.map(|_| ()),
            }
        }
        Err(StoreFault::Taken)
    }

    /// Lines of chat after a number, at most the last two hundred.
    pub async fn chat(&self, id: &str, after: i64) -> Result<Vec<ChatRow>, StoreFault> {
        let found = self
            .one(Statement::new(
                "SELECT seq, who, side, audience, body, at FROM chat \
                 WHERE match_id = ?1 AND seq > ?2 ORDER BY seq DESC LIMIT 200",
                [id.into(), after.into()],
            ))
            .await?;
        Ok(found
            .iter()
            .rev()
            .filter_map(|r| {
                let [seq, who, side, audience, body, at] = &r[..] else { return None };
                Some(ChatRow {
                    seq: seq.int(),
                    who: who.text(),
                    side: side.text(),
                    audience: audience.text(),
                    body: body.text(),
                    at: at.int(),
                })
            })
            .collect())
    }

    /// Someone's private notes on a match.
    pub async fn notes(&self, id: &str, person: &str) -> Result<String, StoreFault> {
        let sql = "SELECT body FROM notes WHERE match_id = ?1 AND person = ?2";
        let found = self.one(Statement::new(sql, [id.into(), person.into()])).await?;
        Ok(found.first().and_then(|r| r.first()).map(|v| v.text()).unwrap_or_default())
    }

    /// Keeps someone's private notes on a match.
    pub async fn keep_notes(&self, id: &str, person: &str, text: &str) -> Result<(), StoreFault> {
        self.one(Statement::new(
            "INSERT INTO notes (match_id, person, body) VALUES (?1, ?2, ?3) \
             ON CONFLICT (match_id, person) DO UPDATE SET body = excluded.body",
            [id.into(), person.into(), text.into()],
        ))
        .await
        .map(|_| ())
    }
}
