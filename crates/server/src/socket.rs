//! The WebSocket of a match: reads messages, hands them in, sends what comes.

use crate::guard::Who;
use crate::limits::Bucket;
use crate::message::{LONGEST, Letter, Told};
use crate::{Code, Fault, House};
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// How often a silent connection is tried.
const PING_EVERY: Duration = Duration::from_secs(20);
/// How long a connection may stay silent, pings included.
const SILENCE: Duration = Duration::from_secs(65);
/// A page that is gone must not hold us up.
const SEND_WITHIN: Duration = Duration::from_secs(20);

/// The code with which connections of a login end when it signs out.
pub const SIGNED_OUT: u16 = 4401;

/// What the address of a socket may carry.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
pub struct Since {
    /// After how many choices the story shall begin.
    #[serde(default)]
    since: Option<usize>,
}

/// Opens the WebSocket of a match.
#[utoipa::path(get, path = "/api/matches/{id}/ws", params(("id" = String, Path, description = "the match"), Since),
    responses((status = 101, description = "messages as in docs/protocol.md")))]
pub async fn open(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    Query(since): Query<Since>,
    who: Who,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Fault> {
    // Connected before the answer, so that what is refused is refused with a status.
    let (live, viewer, mut outgoing) = house.connect(&id, &who, since.since).await?;
    let on_failure = (Arc::clone(&house), Arc::clone(&live));
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).on_failed_upgrade(move |_| {
        let (house, live) = on_failure;
        tokio::spawn(async move { house.disconnect(&live, viewer).await });
    });
    Ok(upgrade.on_upgrade(move |socket| async move {
        run(&house, &live, viewer, &who, socket, &mut outgoing).await;
        house.disconnect(&live, viewer).await;
    }))
}

async fn run(
    house: &Arc<House>,
    live: &Arc<crate::live::Live>,
    viewer: u64,
    who: &Who,
    socket: WebSocket,
    outgoing: &mut tokio::sync::mpsc::Receiver<axum::extract::ws::Utf8Bytes>,
) {
    let (mut send, mut receive) = socket.split();
    let mut allowance = Bucket::new(house.config.messages_at_once, house.config.messages_a_second);
    let mut pings = tokio::time::interval(PING_EVERY);
    let mut heard = tokio::time::Instant::now();
    loop {
        let out = tokio::select! {
            out = outgoing.recv() => match out {
                Some(text) => Message::Text(text),
                None => Message::Close(Some(farewell(house, who).await)),
            },
            _ = pings.tick() => {
                if heard.elapsed() > SILENCE {
                    return;
                }
                Message::Ping(axum::body::Bytes::new())
            }
            message = receive.next() => {
                heard = tokio::time::Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        if allowance.take() {
                            read(house, live, viewer, text.as_str()).await;
                        } else {
                            let fault = Fault::new(Code::TooMany, "too many messages; slow down");
                            refuse(live, viewer, &Value::Null, &fault).await;
                        }
                        continue;
                    }
                    Some(Ok(Message::Binary(_))) => {
                        refuse(live, viewer, &Value::Null, &Fault::malformed("messages are text")).await;
                        continue;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
            }
        };
        let last = matches!(out, Message::Close(_));
        let sent = tokio::time::timeout(SEND_WITHIN, send.send(out)).await;
        if last || !matches!(sent, Ok(Ok(()))) {
            return;
        }
    }
}

/// Why the house gave a viewer up: he signed out, or else he reads too slowly or the match is gone.
async fn farewell(house: &House, who: &Who) -> CloseFrame {
    let out = match &who.login {
        Some(token) => matches!(house.store.login(token).await, Ok(None)),
        None => false,
    };
    let (code, reason) = if out { (SIGNED_OUT, "signed out") } else { (1013, "connect again") };
    CloseFrame { code, reason: reason.into() }
}

async fn read(house: &Arc<House>, live: &Arc<crate::live::Live>, viewer: u64, text: &str) {
    match Letter::read(text) {
        Ok(letter) => house.act(live, viewer, letter).await,
        Err((id, fault)) => refuse(live, viewer, &id, &fault).await,
    }
}

async fn refuse(live: &Arc<crate::live::Live>, viewer: u64, id: &Value, fault: &Fault) {
    let mut inner = live.inner.lock().await;
    let n = inner.playing.as_ref().map_or(0, |p| p.session.question_number());
    inner.tell(viewer, Told::Refused { id, n, fault }.text());
}
