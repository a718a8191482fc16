//! `verst serve`: the server.

use crate::fail::{Done, Fail};
use crate::games;
use server::{Config, House, Mail};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// What `verst serve` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Where to listen.
    #[arg(long, default_value = "127.0.0.1:8041")]
    addr: SocketAddr,
    /// The store: a file, made when it is not there, or postgres://user:password@host/database.
    #[arg(long, default_value = "verst.sqlite", env = "VERST_STORE", hide_env_values = true)]
    store: String,
    /// With accounts, invitations and spectators.
    #[arg(long)]
    club: bool,
    /// The address under which people reach the server, such as `https://verst.example.org`.
    #[arg(long)]
    public_url: Option<String>,
    /// The mail server for notices: smtps://user:password@host.
    #[arg(long, env = "VERST_SMTP", hide_env_values = true, requires = "mail_from")]
    smtp: Option<String>,
    /// Who mail comes from.
    #[arg(long)]
    mail_from: Option<String>,
    /// Lets webhooks point into the private network of the server.
    #[arg(long)]
    private_webhooks: bool,
    /// A folder of overlays to offer, as GAME/NAME in it; may be given several times.
    #[arg(long, value_name = "DIR")]
    overlays: Vec<PathBuf>,
    /// Seconds that a match stays in memory after the last viewer has gone.
    #[arg(long, default_value_t = 60)]
    idle: u64,
}

/// Serves until the process is told to end.
pub fn run(args: &Args) -> Done {
    let args = args.clone();
    serve(args).map_err(Fail::File)
}

fn serve(args: Args) -> Result<(), String> {
    let registry = games::registry().map_err(|f| f.to_string())?;
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init();
    if let Some(none) = args.overlays.iter().find(|d| !d.is_dir()) {
        return Err(format!("{}: there is no such folder of overlays", none.display()));
    }
    let config = Config {
        overlays: args.overlays,
        club: args.club,
        public_url: args.public_url,
        mail: args.smtp.zip(args.mail_from).map(|(url, from)| Mail { url, from }),
        private_webhooks: args.private_webhooks,
        idle: Duration::from_secs(args.idle),
        ..Config::local(args.addr, &args.store)
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| format!("the server cannot start: {e}"))?;
    runtime.block_on(async {
        let house = House::open(config, registry, crate::opponent::all()).await?;
        let serving = server::serve(house).await?;
        // On a line of its own, so that scripts find the port that was given.
        println!("Verst serves at http://{}", serving.addr);
        serving.run(ended()).await;
        Ok(())
    })
}

/// Waits until the process is asked to end.
async fn ended() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut terminated) => tokio::select! { _ = interrupted => {}, _ = terminated.recv() => {} },
            Err(_) => drop(interrupted.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupted.await);
}
