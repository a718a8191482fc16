//! The description of the interface for machines.

use crate::{account, documents, matches, message, overlays, socket, study};
use axum::Json;
use utoipa::OpenApi;

/// Everything that can be asked over HTTP.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Verst",
        description = "Hex-and-counter wargames by the book. The WebSocket is described in docs/protocol.md."
    ),
    paths(
        account::whoami,
        account::register,
        account::sign_in,
        account::sign_out,
        account::settings,
        account::set_settings,
        documents::games,
        documents::game,
        documents::charts,
        documents::opponents,
        documents::board,
        documents::layer,
        documents::font,
        overlays::list,
        overlays::look,
        matches::list,
        matches::create,
        matches::get,
        matches::remove,
        matches::invite,
        matches::join,
        matches::rematch,
        matches::notes,
        matches::keep_notes,
        study::view,
        study::story,
        study::stats,
        study::luck,
        study::journal,
        study::situation,
        study::import,
        socket::open,
    ),
    components(schemas(crate::fault::FaultBody, message::MatchView))
)]
pub struct Described;

/// The description.
pub async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Described::openapi())
}
