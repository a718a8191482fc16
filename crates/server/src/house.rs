//! Everything that a running server shares.

use crate::desk::Desks;
use crate::documents::Documents;
use crate::limits::Limit;
use crate::live::LiveTable;
use crate::notice::Messenger;
use crate::opponent::Opponents;
use crate::overlays::Overlays;
use crate::store::Store;
use crate::{Code, Config, Fault, account, chance};
use game::Registry;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A running server.
pub struct House {
    /// How it is set up.
    pub config: Config,
    /// The games.
    pub registry: Arc<Registry>,
    /// The programs that play.
    pub opponents: Opponents,
    /// What it keeps.
    pub store: Store,
    /// Matches in memory.
    pub live: LiveTable,
    /// Where choices are played, views looked through and messages written.
    pub desks: Desks,
    /// Boards and pictures, made once.
    pub documents: Documents,
    /// Overlays, read and checked once.
    pub overlays: Overlays,
    /// Sends notices.
    pub messenger: Messenger,
    /// How often an address may try to sign in.
    pub door: Limit<IpAddr>,
    /// How often a person may found or take in a match: each is tried out, and kept.
    pub founding: Limit<String>,
    /// How many passwords are digested at once.
    pub hashing: Semaphore,
    /// The digest that an unknown name is compared with.
    pub no_password: String,
    /// The token of the local player's page.
    pub local_csrf: String,
}

impl House {
    /// Opens the store and makes ready; a sentence says what failed.
    pub async fn open(
        config: Config,
        registry: Registry,
        opponents: Opponents,
    ) -> Result<Arc<House>, String> {
        let store = Store::open(&config.store).await.map_err(|e| format!("{}: {e}", shown(&config.store)))?;
        House::with_store(config, registry, opponents, store)
    }

    /// A server over a store that is open already.
    pub fn with_store(
        config: Config,
        registry: Registry,
        opponents: Opponents,
        store: Store,
    ) -> Result<Arc<House>, String> {
        let messenger = Messenger::new(&config)?;
        let no_password = account::digest(&chance::token().map_err(|f| f.why)?).map_err(|f| f.why)?;
        Ok(Arc::new(House {
            store,
            registry: Arc::new(registry),
            opponents,
            live: LiveTable::default(),
            desks: Desks::default(),
            documents: Documents::default(),
            overlays: Overlays::default(),
            messenger,
            door: Limit::new(10.0, 0.1),
            founding: Limit::new(config.matches_at_once, config.matches_at_once / 600.0),
            hashing: Semaphore::new(2),
            no_password,
            local_csrf: chance::token().map_err(|f| f.why)?,
            config,
        }))
    }
}

impl House {
    /// Whether a person may found one more match.
    pub fn may_found(&self, person: &str) -> Result<(), Fault> {
        if self.founding.allow(person.to_owned()) {
            return Ok(());
        }
        Err(Fault::new(Code::TooMany, "you founded many matches in a short time; wait a minute"))
    }
}

/// The address of a store without the password in it.
pub fn shown(store: &str) -> String {
    match (store.split_once("://"), store.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://...@{rest}"),
        _ => store.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_password_in_the_address_of_the_store_is_not_shown() {
        assert_eq!(shown("postgres://me:secret@host/db"), "postgres://...@host/db");
        assert_eq!(shown("verst.sqlite"), "verst.sqlite");
    }
}
