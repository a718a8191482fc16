//! Telling someone who is away that it is his turn: by webhook and by mail.

use crate::account::{Notices, Settings};
use crate::{Config, Mail};
use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use serde::Serialize;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

/// What a notice says. It holds nothing of the position: a webhook may lead anywhere.
#[derive(Clone, Debug, Serialize)]
pub struct Notice {
    /// Always `your_turn`.
    pub kind: &'static str,
    /// The match.
    pub match_id: String,
    /// Its title.
    pub title: String,
    /// The side whose turn it is.
    pub side: String,
    /// Where to go.
    pub link: String,
}

/// Sends notices.
pub struct Messenger {
    mail: Option<(AsyncSmtpTransport<Tokio1Executor>, Mailbox)>,
    agent: ureq::Agent,
    /// What links begin with.
    base: String,
}

impl Messenger {
    /// A messenger by these settings, or a sentence on what is wrong with them.
    pub fn new(config: &Config) -> Result<Messenger, String> {
        let mail = config.mail.as_ref().map(mailer).transpose()?;
        let settings = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(10)))
            .max_redirects(0)
            .user_agent("verst")
            .build();
        let resolver = Careful { private: config.private_webhooks, inner: DefaultResolver::default() };
        let agent = ureq::Agent::with_parts(settings, DefaultConnector::new(), resolver);
        let base = match &config.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{}", config.addr),
        };
        Ok(Messenger { mail, agent, base })
    }

    /// The link to a match.
    pub fn link(&self, match_id: &str) -> String {
        format!("{}/match/{match_id}", self.base)
    }

    /// Sends a notice by every way the person has set. Failures are logged: play does not wait for the post.
    pub async fn send(&self, settings: &Settings, notice: &Notice) {
        if settings.notices == Notices::None {
            return;
        }
        if let Some(hook) = settings.webhook.clone() {
            let (agent, notice) = (self.agent.clone(), notice.clone());
            let post = move || {
                let body = serde_json::to_string(&notice).unwrap_or_default();
                agent.post(&hook).header("content-type", "application/json").send(body).map(|_| ())
            };
            match tokio::task::spawn_blocking(post).await {
                Ok(Ok(())) => {}
                Ok(Err(e)) => tracing::warn!("a webhook failed: {e}"),
                Err(e) => tracing::error!("a webhook ended early: {e}"),
            }
        }
        if let (Some((transport, from)), Some(to)) = (&self.mail, &settings.email)
            && let Err(e) = post(transport, from, to, notice).await
        {
            tracing::warn!("a mail was not sent: {e}");
        }
    }
}

fn mailer(mail: &Mail) -> Result<(AsyncSmtpTransport<Tokio1Executor>, Mailbox), String> {
    let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&mail.url)
        .map_err(|e| format!("the address of the mail server is not valid: {e}"))?
        .timeout(Some(Duration::from_secs(20)))
        .build();
    let from = mail.from.parse().map_err(|e| format!("'{}' cannot be the sender of mail: {e}", mail.from))?;
    Ok((transport, from))
}

async fn post(
    transport: &AsyncSmtpTransport<Tokio1Executor>,
    from: &Mailbox,
    to: &str,
    notice: &Notice,
) -> Result<(), String> {
    let to: Mailbox = to.parse().map_err(|e| format!("'{to}': {e}"))?;
    let title: String = notice.title.chars().filter(|c| !c.is_control()).collect();
    let message = Message::builder()
        .from(from.clone())
        .to(to)
        .subject(format!("Your turn: {title}"))
        .body(format!("It is your turn ({}) in {title}.\r\n\r\n{}\r\n", notice.side, notice.link))
        .map_err(|e| e.to_string())?;
    transport.send(message).await.map(|_| ()).map_err(|e| e.to_string())
}

/// Finds addresses, but none inside our own network unless that is allowed: a webhook must not reach what only the
/// server can reach.
#[derive(Debug)]
struct Careful {
    private: bool,
    inner: DefaultResolver,
}

impl Resolver for Careful {
    fn resolve(
        &self,
        uri: &ureq::http::Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if self.private || found.iter().all(|a: &SocketAddr| public(a.ip())) {
            return Ok(found);
        }
        Err(ureq::Error::Other("a webhook may not point into a private network".into()))
    }
}

/// Whether an address belongs to the open network.
fn public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v) => {
            let shared = v.octets()[0] == 100 && (64..128).contains(&v.octets()[1]);
            !(v.is_private()
                || v.is_loopback()
                || v.is_link_local()
                || v.is_unspecified()
                || v.is_broadcast()
                || v.is_multicast()
                || v.octets()[0] == 0
                || shared)
        }
        IpAddr::V6(v) => match v.to_ipv4_mapped() {
            Some(four) => public(IpAddr::V4(four)),
            None => {
                let head = v.segments()[0];
                let local = (head & 0xfe00) == 0xfc00 || (head & 0xffc0) == 0xfe80;
                !(v.is_loopback() || v.is_unspecified() || v.is_multicast() || local)
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_private_networks_are_known_as_such() {
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.9",
            "169.254.169.254",
            "100.64.0.1",
            "::1",
            "fe80::1",
            "fd00::1",
            "::ffff:127.0.0.1",
        ] {
            assert!(!public(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["93.184.216.34", "2606:2800:220:1::1"] {
            assert!(public(outside.parse().unwrap()), "{outside}");
        }
    }
}
