//! Who asks, and whether the request comes from our own page.

use crate::store::Person;
use crate::{Code, Fault, House, chance};
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderValue, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The cookie that names a login.
pub const COOKIE_NAME: &str = "verst";
/// The header that carries the token against foreign pages.
pub const CSRF_HEADER: &str = "x-verst-csrf";
/// The person who plays without an account.
pub const LOCAL: &str = "local";

/// Whoever makes a request.
#[derive(Clone, Debug, Default)]
pub struct Who {
    /// The person's id; `None` when nobody is signed in.
    pub person: Option<String>,
    /// The name that others see.
    pub name: String,
    /// The login's token.
    pub login: Option<String>,
}

impl Who {
    /// The id of the person, who must be signed in.
    pub fn id(&self) -> Result<&str, Fault> {
        self.person.as_deref().ok_or_else(|| Fault::new(Code::SignIn, "sign in first"))
    }
}

/// Where a request came from.
#[derive(Clone, Copy, Debug)]
pub struct From(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for From {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<From, Fault> {
        let at = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(From(at.map_or(IpAddr::from([127, 0, 0, 1]), |c| c.0.ip())))
    }
}

impl FromRequestParts<Arc<House>> for Who {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<Who, Fault> {
        if !house.config.club {
            return Ok(Who { person: Some(LOCAL.into()), name: "You".into(), login: None });
        }
        let Some(token) = cookie(&parts.headers) else { return Ok(Who::default()) };
        let Some(login) = house.store.login(&token).await? else { return Ok(Who::default()) };
        if login.until < chance::now() {
            return Ok(Who::default());
        }
        let Some(Person { id, name, .. }) = house.store.person(&login.person).await? else {
            return Ok(Who::default());
        };
        Ok(Who { person: Some(id), name, login: Some(token) })
    }
}

/// The token in the cookie.
fn cookie(headers: &HeaderMap) -> Option<String> {
    let all = headers.get_all(COOKIE).into_iter().filter_map(|v| v.to_str().ok());
    all.flat_map(|v| v.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, value)| value.to_owned())
}

/// The token that a page must show with every request that changes something. Without a login there is nothing to
/// steal, but the header alone keeps foreign pages out: they may not send it.
pub fn csrf(house: &House, who: &Who) -> String {
    match (&who.login, house.config.club) {
        (Some(login), _) => {
            blake3::Hash::from(blake3::derive_key("verst csrf 1", login.as_bytes())).to_hex()[..32].to_owned()
        }
        (None, true) => "anonymous".into(),
        (None, false) => house.local_csrf.clone(),
    }
}

/// Refuses what a foreign page may have sent: a wrong host (a name that was pointed at us), a wrong origin, or a
/// change without the token.
pub async fn own_page(State(house): State<Arc<House>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Err(fault) = check(&house, &mut parts).await {
        return fault.into_response();
    }
    let api = parts.uri.path().starts_with("/api/");
    let mut answer = next.run(Request::from_parts(parts, body)).await;
    // What we send is what we say it is, invitations in an address go nowhere else, and a document runs nothing.
    let head = answer.headers_mut();
    head.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    head.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if api {
        let policy =
            "default-src 'none'; style-src 'unsafe-inline'; font-src 'self' data:; frame-ancestors 'none'";
        head.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    }
    answer
}

async fn check(house: &Arc<House>, parts: &mut Parts) -> Result<(), Fault> {
    let host = parts.headers.get(HOST).and_then(|h| h.to_str().ok()).unwrap_or_default().to_owned();
    if !house.config.club && !known_host(house, &host) {
        return Err(Fault::forbidden(format!(
            "this server does not answer to the name '{host}'; use its number, localhost, or start it with --public-url"
        )));
    }
    if let Some(origin) = parts.headers.get(ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let ours = origin.split_once("://").is_some_and(|(_, h)| h == host)
            || house.config.public_url.as_deref().is_some_and(|p| p.trim_end_matches('/') == origin);
        if !ours {
            return Err(Fault::forbidden("a page from elsewhere may not use this server"));
        }
    }
    if matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let who = Who::from_request_parts(parts, house).await?;
    let shown = parts.headers.get(CSRF_HEADER).and_then(|h| h.to_str().ok()).unwrap_or_default();
    if !same(shown.as_bytes(), csrf(house, &who).as_bytes()) {
        return Err(Fault::forbidden(format!("the header {CSRF_HEADER} must carry the token from /api/me")));
    }
    Ok(())
}

/// Compares without telling by its time where two texts differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    blake3::hash(a) == blake3::hash(b)
}

/// The local player reaches us by number or as localhost; a name could be anyone's.
fn known_host(house: &House, host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let public = house.config.public_url.as_deref().and_then(|p| p.split_once("://")).map(|(_, h)| h);
    name == "localhost"
        || name.ends_with(".localhost")
        || name.parse::<IpAddr>().is_ok()
        || public.is_some_and(|p| p.trim_end_matches('/') == host)
}
