//! Which address leads where, and running it all.

use crate::{House, account, documents, door, guard, live, matches, openapi, overlays, page, socket, study};
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Router, middleware};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::timeout::RequestBodyTimeoutLayer;

/// All addresses.
pub fn router(house: Arc<House>) -> Router {
    let api = Router::new()
        .route("/api/openapi.json", get(openapi::openapi))
        .route("/api/me", get(account::whoami))
        .route("/api/account/register", post(account::register))
        .route("/api/account/login", post(account::sign_in))
        .route("/api/account/logout", post(account::sign_out))
        .route("/api/account/settings", get(account::settings).put(account::set_settings))
        .route("/api/games", get(documents::games))
        .route("/api/games/{game}", get(documents::game))
        .route("/api/games/{game}/charts", get(documents::charts))
        .route("/api/games/{game}/board", get(documents::board))
        .route("/api/games/{game}/layers/{layer}", get(documents::layer))
        .route("/api/games/{game}/overlays", get(overlays::list).post(overlays::look))
        .route("/api/fonts/{name}", get(documents::font))
        .route("/api/opponents", get(documents::opponents))
        .route("/api/matches", get(matches::list).post(matches::create))
        .route(
            "/api/matches/import",
            post(study::import).layer(DefaultBodyLimit::max(study::LONGEST_JOURNAL)),
        )
        .route("/api/matches/{id}", get(matches::get).delete(matches::remove))
        .route("/api/matches/{id}/invite", post(matches::invite))
        .route("/api/matches/{id}/rematch", post(matches::rematch))
        .route("/api/matches/{id}/notes", get(matches::notes).put(matches::keep_notes))
        .route("/api/matches/{id}/view", get(study::view))
        .route("/api/matches/{id}/story", get(study::story))
        .route("/api/matches/{id}/stats", get(study::stats))
        .route("/api/matches/{id}/luck", get(study::luck))
        .route("/api/matches/{id}/journal", get(study::journal))
        .route("/api/matches/{id}/situation", get(study::situation))
        .route("/api/matches/{id}/ws", get(socket::open))
        .route("/api/join/{token}", post(matches::join))
        .route("/api/{*rest}", get(nothing).post(nothing).put(nothing).delete(nothing));
    let patience = house.config.patience;
    let worth_it = SizeAbove::new(512).and(NotForContentType::IMAGES);
    api.fallback(page::page)
        .layer(middleware::from_fn_with_state(Arc::clone(&house), guard::own_page))
        .layer(DefaultBodyLimit::max(256 * 1024))
        .layer(CompressionLayer::new().compress_when(worth_it))
        .layer(RequestBodyTimeoutLayer::new(patience))
        .with_state(house)
}

async fn nothing() -> impl IntoResponse {
    (StatusCode::NOT_FOUND, crate::Fault::unknown("there is nothing at this address"))
}

/// A server that listens.
pub struct Serving {
    /// Where.
    pub addr: SocketAddr,
    /// All that it shares.
    pub house: Arc<House>,
    listener: TcpListener,
}

/// Begins to listen; [`Serving::run`] goes on with it.
pub async fn serve(house: Arc<House>) -> Result<Serving, String> {
    let wanted = house.config.addr;
    let listener = TcpListener::bind(wanted).await.map_err(|e| format!("cannot listen at {wanted}: {e}"))?;
    let addr = listener.local_addr().map_err(|e| e.to_string())?;
    Ok(Serving { addr, house, listener })
}

impl Serving {
    /// Serves until `end` comes.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) {
        let sweeping = tokio::spawn(Arc::clone(&self.house).sweep());
        let following = tokio::spawn(live::follow_others(Arc::clone(&self.house)));
        let patience = self.house.config.patience;
        door::open(self.listener, router(self.house), patience, end).await;
        sweeping.abort();
        following.abort();
    }
}
