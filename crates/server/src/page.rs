//! The page, built into the binary.

use crate::packed::Packed;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What `make web` built. `build.rs` makes the folder when it is not there.
#[derive(RustEmbed)]
#[folder = "../../web/dist/"]
struct Built;

const NOT_BUILT: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Verst</title>\
<h1>The page is not built</h1><p>This server was built without its page. Run <code>make web</code>, then build it again. \
The interface for programs is described at <a href=/api/openapi.json>/api/openapi.json</a>.";

/// Scripts and styles only from ourselves; nobody may frame us.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// A file of the page; any other path is the page itself, which finds its way by the address.
pub async fn page(request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = request.uri().path().trim_start_matches('/');
    let (path, file) = match Built::get(path) {
        Some(file) if !path.is_empty() => (path, file),
        _ if path.starts_with("assets/") => return StatusCode::NOT_FOUND.into_response(),
        _ => match Built::get("index.html") {
            Some(file) => ("index.html", file),
            None => return ([(CONTENT_TYPE, "text/html; charset=utf-8")], NOT_BUILT).into_response(),
        },
    };
    let digest: String = file.metadata.sha256_hash()[..12].iter().map(|b| format!("{b:02x}")).collect();
    let tag = format!("\"{digest}\"");
    // Files in assets/ carry a digest in their name and never change.
    let keep = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    if request.headers().get(IF_NONE_MATCH).is_some_and(|t| t.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
    }
    let head = [
        (CONTENT_TYPE, kind(path).to_owned()),
        (ETAG, tag.clone()),
        (CACHE_CONTROL, keep.to_owned()),
        (CONTENT_SECURITY_POLICY, POLICY.to_owned()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    let (packed, body) = kept(tag, kind(path), file.data).answer(request.headers());
    (head, AppendHeaders(packed), body).into_response()
}

/// A file of the page as it is sent; by its digest, for a debug build reads what lies on the disk.
fn kept(tag: String, kind: &str, data: Cow<'static, [u8]>) -> Packed {
    static KEPT: Mutex<BTreeMap<String, Packed>> = Mutex::new(BTreeMap::new());
    // Fonts are compressed in themselves, and pictures of the page too.
    if !kind.contains("text") && !kind.contains("json") && !kind.contains("svg") {
        return Packed::new(data.into_owned());
    }
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    // A debug build whose page is built again and again: the old ones go.
    if all.len() > 200 {
        all.clear();
    }
    all.entry(tag).or_insert_with(|| Packed::new(data.into_owned())).clone()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
