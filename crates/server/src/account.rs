//! Accounts: registering, signing in and out, settings.

use crate::guard::{self, COOKIE_NAME, From, Who};
use crate::store::{Login, Person, StoreFault, digest as digest_of};
use crate::{Code, Fault, House, chance};
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How long a login lasts, in milliseconds.
const LOGIN_LASTS: i64 = 30 * 24 * 3600 * 1000;

/// Who is asking.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Me {
    /// Whether the server has accounts.
    pub club: bool,
    /// The person, if signed in.
    pub person: Option<PersonView>,
    /// The token that requests which change something must carry.
    pub csrf: String,
    /// The version of the server.
    pub version: &'static str,
}

/// A person as others see him.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct PersonView {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
}

/// A new account.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct Register {
    /// The name that others see.
    pub name: String,
    /// At least ten characters.
    pub password: String,
    /// For notices.
    #[serde(default)]
    pub email: Option<String>,
}

/// A name and its password.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct SignIn {
    /// The name.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// When to be told what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Notices {
    /// Never.
    #[default]
    None,
    /// When it is one's turn and one is not looking.
    Turn,
}

/// What a person has set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Settings {
    /// Where mail goes.
    #[serde(default)]
    pub email: Option<String>,
    /// Where a notice is posted as JSON.
    #[serde(default)]
    pub webhook: Option<String>,
    /// When.
    #[serde(default)]
    pub notices: Notices,
}

impl Settings {
    fn check(&self) -> Result<(), Fault> {
        if let Some(mail) = &self.email
            && (mail.len() > 200 || mail.parse::<lettre::Address>().is_err())
        {
            return Err(Fault::malformed(format!("'{mail}' is no e-mail address")));
        }
        if let Some(hook) = &self.webhook
            && (hook.len() > 500 || !(hook.starts_with("https://") || hook.starts_with("http://")))
        {
            return Err(Fault::malformed(
                "a webhook must be an address that begins with https:// or http://",
            ));
        }
        Ok(())
    }
}

fn me(house: &House, who: &Who) -> Me {
    let person = who.person.clone().map(|id| PersonView { id, name: who.name.clone() });
    Me { club: house.config.club, person, csrf: guard::csrf(house, who), version: env!("CARGO_PKG_VERSION") }
}

/// Who one is.
#[utoipa::path(get, path = "/api/me", responses((status = 200, body = Me)))]
pub async fn whoami(State(house): State<Arc<House>>, who: Who) -> Json<Me> {
    Json(me(&house, &who))
}

/// Makes an account and signs in.
#[utoipa::path(post, path = "/api/account/register", request_body = Register, responses((status = 200, body = Me)))]
pub async fn register(
    State(house): State<Arc<House>>,
    From(from): From,
    headers: HeaderMap,
    Json(new): Json<Register>,
) -> Result<Response, Fault> {
    open_door(&house, from)?;
    let name = new.name.trim().to_owned();
    if !(2..=40).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return Err(Fault::malformed("a name has 2 to 40 characters"));
    }
    if !(10..=200).contains(&new.password.chars().count()) {
        return Err(Fault::malformed("a password has at least 10 characters, and at most 200"));
    }
    let settings = Settings { email: new.email.filter(|m| !m.is_empty()), ..Settings::default() };
    settings.check()?;
    let password = house.digest(new.password).await?;
    let settings = serde_json::to_string(&settings).map_err(Fault::inside)?;
    let person = Person { id: chance::id()?, name, password, settings };
    match house.store.add_person(&person, chance::now()).await {
        Err(StoreFault::Taken) => return Err(Fault::new(Code::Stale, "that name is in use; choose another")),
        other => other?,
    }
    signed_in(&house, &headers, person).await
}

/// Signs in.
#[utoipa::path(post, path = "/api/account/login", request_body = SignIn, responses((status = 200, body = Me)))]
pub async fn sign_in(
    State(house): State<Arc<House>>,
    From(from): From,
    headers: HeaderMap,
    Json(given): Json<SignIn>,
) -> Result<Response, Fault> {
    open_door(&house, from)?;
    let found = house.store.person_named(given.name.trim()).await?;
    // An unknown name costs the same time as a wrong password.
    let digest = found.as_ref().map_or_else(|| house.no_password.clone(), |p| p.password.clone());
    let right = house.verify(given.password, digest).await?;
    match found {
        Some(person) if right => signed_in(&house, &headers, person).await,
        _ => Err(Fault::new(Code::SignIn, "there is no such name with that password")),
    }
}

/// Signs out.
#[utoipa::path(post, path = "/api/account/logout", responses((status = 200, body = Me)))]
pub async fn sign_out(State(house): State<Arc<House>>, who: Who) -> Result<Response, Fault> {
    if let Some(token) = &who.login {
        house.store.drop_login(token).await?;
        house.signed_out(&digest_of(token)).await;
    }
    let gone = format!("{COOKIE_NAME}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    Ok(([(SET_COOKIE, gone)], Json(me(&house, &Who::default()))).into_response())
}

/// One's settings.
#[utoipa::path(get, path = "/api/account/settings", responses((status = 200, body = Settings)))]
pub async fn settings(State(house): State<Arc<House>>, who: Who) -> Result<Json<Settings>, Fault> {
    Ok(Json(house.settings_of(who.id()?).await?))
}

/// Changes one's settings.
#[utoipa::path(put, path = "/api/account/settings", request_body = Settings, responses((status = 200, body = Settings)))]
pub async fn set_settings(
    State(house): State<Arc<House>>,
    who: Who,
    Json(new): Json<Settings>,
) -> Result<Json<Settings>, Fault> {
    if !house.config.club {
        return Err(Fault::forbidden("the local player has no settings; start the server with --club"));
    }
    new.check()?;
    let text = serde_json::to_string(&new).map_err(Fault::inside)?;
    house.store.save_settings(who.id()?, &text).await?;
    Ok(Json(new))
}

fn open_door(house: &House, from: std::net::IpAddr) -> Result<(), Fault> {
    if !house.config.club {
        return Err(Fault::forbidden("this server has no accounts; start it with --club"));
    }
    if !house.door.allow(crate::limits::network(from)) {
        return Err(Fault::new(Code::TooMany, "too many attempts from your address; wait a minute"));
    }
    Ok(())
}

async fn signed_in(house: &Arc<House>, headers: &HeaderMap, person: Person) -> Result<Response, Fault> {
    let token = chance::token()?;
    let login = Login { person: person.id.clone(), until: chance::now() + LOGIN_LASTS };
    house.store.add_login(&token, &login, chance::now()).await?;
    // Behind a proxy that speaks https the cookie must never travel in the open.
    let proxied = headers.get("x-forwarded-proto").is_some_and(|p| p.as_bytes() == b"https");
    let https = proxied || house.config.public_url.as_deref().is_some_and(|u| u.starts_with("https://"));
    let secure = if https { "; Secure" } else { "" };
    let cookie = format!(
        "{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={}{secure}",
        LOGIN_LASTS / 1000
    );
    let who = Who { person: Some(person.id), name: person.name, login: Some(token) };
    Ok(([(SET_COOKIE, cookie)], Json(me(house, &who))).into_response())
}

impl House {
    /// The digest of a password. It takes a tenth of a second by intent, two at a time.
    async fn digest(&self, password: String) -> Result<String, Fault> {
        let _turn = self.hashing.acquire().await.map_err(Fault::inside)?;
        tokio::task::spawn_blocking(move || digest(&password)).await.map_err(Fault::inside)?
    }

    async fn verify(&self, password: String, digest: String) -> Result<bool, Fault> {
        let _turn = self.hashing.acquire().await.map_err(Fault::inside)?;
        let check = move || {
            PasswordHash::new(&digest)
                .is_ok_and(|d| argon2::Argon2::default().verify_password(password.as_bytes(), &d).is_ok())
        };
        tokio::task::spawn_blocking(check).await.map_err(Fault::inside)
    }

    /// A person's settings.
    pub async fn settings_of(&self, person: &str) -> Result<Settings, Fault> {
        let Some(person) = self.store.person(person).await? else { return Ok(Settings::default()) };
        serde_json::from_str(&person.settings).map_err(Fault::inside)
    }
}

/// The digest of a password, with a salt of its own.
pub fn digest(password: &str) -> Result<String, Fault> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(Fault::inside)?;
    let salt = SaltString::encode_b64(&salt).map_err(Fault::inside)?;
    let digest =
        argon2::Argon2::default().hash_password(password.as_bytes(), &salt).map_err(Fault::inside)?;
    Ok(digest.to_string())
}
