//! Connections: taken one by one, and none may dawdle over saying what it wants.
//!
//! A browser speaks HTTP/1 to a server without encryption, and so does a proxy before us; a client that could also
//! announce another version would have all the time in the world for it.

use axum::extract::ConnectInfo;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::pin::pin;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower::Layer;

/// How long nothing is taken after the system refused a connection, for want of file handles as a rule.
const BREATHE: Duration = Duration::from_millis(200);

/// Serves whoever comes until `end`; then those who are being answered are answered first.
pub async fn open(listener: TcpListener, app: Router, patience: Duration, end: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    // Each connection holds an ear to this; when the last has let go of it, all are answered.
    let (closing, _) = watch::channel(());
    let mut end = pin!(end);
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            () = &mut end => break,
        };
        let (stream, from) = match taken {
            Ok(taken) => taken,
            Err(e) => {
                tracing::warn!("a connection could not be taken: {e}");
                tokio::time::sleep(BREATHE).await;
                continue;
            }
        };
        // Updates are small and wait for nothing: they shall not wait for each other's receipts either.
        if let Err(e) = stream.set_nodelay(true) {
            tracing::debug!("a connection sends in lumps: {e}");
        }
        let service = TowerToHyperService::new(Extension(ConnectInfo(from)).layer(app.clone()));
        let serving = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut ends = closing.subscribe();
        tokio::spawn(async move {
            let mut serving = pin!(serving);
            let served = tokio::select! {
                served = serving.as_mut() => served,
                _ = ends.changed() => {
                    serving.as_mut().graceful_shutdown();
                    serving.await
                }
            };
            if let Err(e) = served {
                tracing::debug!("a connection ended: {e}");
            }
        });
    }
    drop(listener);
    if closing.send(()).is_ok() {
        closing.closed().await;
    }
}
