//! How a server is set up.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// What the command line says.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub addr: SocketAddr,
    /// The store: a file, or `postgres://...`.
    pub store: String,
    /// Whether people have accounts.
    pub club: bool,
    /// The address under which people reach the server: for links in notices, and the host that requests may name.
    pub public_url: Option<String>,
    /// How mail is sent, if it is.
    pub mail: Option<Mail>,
    /// Whether webhooks may point into the private network of the server.
    pub private_webhooks: bool,
    /// Folders of overlays that the server offers, each as `GAME/NAME`.
    pub overlays: Vec<PathBuf>,
    /// How long a match stays in memory after the last one who looked at it has gone.
    pub idle: Duration,
    /// How long a connection may take over the head of a request, and be silent within the body of one.
    pub patience: Duration,
    /// After how many choices a position is kept beside the journal.
    pub mark_every: usize,
    /// How many matches a person may found at once, and again in ten minutes.
    pub matches_at_once: f64,
    /// How many messages a connection may send at once.
    pub messages_at_once: f64,
    /// How many messages a second it may go on sending.
    pub messages_a_second: f64,
}

/// How mail is sent.
#[derive(Clone, Debug)]
pub struct Mail {
    /// The mail server: `smtps://user:password@host`, or `smtp://host:25` without encryption.
    pub url: String,
    /// Who it comes from.
    pub from: String,
}

impl Config {
    /// A server for the local player.
    pub fn local(addr: SocketAddr, store: &str) -> Config {
        Config {
            addr,
            store: store.into(),
            club: false,
            public_url: None,
            mail: None,
            private_webhooks: false,
            overlays: Vec::new(),
            idle: Duration::from_secs(60),
            patience: Duration::from_secs(30),
            mark_every: 256,
            matches_at_once: 60.0,
            messages_at_once: 200.0,
            messages_a_second: 50.0,
        }
    }
}
