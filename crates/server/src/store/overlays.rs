//! Overlays that matches were begun with, each kept once, by its digest: a folder that changes later changes no match.

use super::{Statement, Store, StoreFault};
use std::collections::BTreeMap;

impl Store {
    /// Keeps the files of an overlay; one that is there already stays as it is.
    pub async fn keep_overlay(
        &self,
        digest: &str,
        files: &BTreeMap<String, String>,
    ) -> Result<(), StoreFault> {
        let text = serde_json::to_string(files).map_err(|e| StoreFault::Other(e.to_string()))?;
        let sql = "INSERT INTO overlays (digest, files) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING";
        self.one(Statement::new(sql, [digest.into(), text.into()])).await.map(|_| ())
    }

    /// The files of an overlay.
    pub async fn overlay(&self, digest: &str) -> Result<Option<BTreeMap<String, String>>, StoreFault> {
        let sql = "SELECT files FROM overlays WHERE digest = ?1";
        let found = self.one(Statement::new(sql, [digest.into()])).await?;
        let Some(text) = found.first().and_then(|r| r.first()).map(|v| v.text()) else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|e| StoreFault::Broken(format!("an overlay: {e}")))
    }
}
