//! `verst show`: a position as text, picture or JSON, through any eyes.

use crate::board_text::Scene;
use crate::fail::{Done, Fail};
use crate::{eyes, games, map, paint, picture, store, table_text};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What `verst show` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst show evening.verst
  verst show evening.verst --at 40 --eyes red
  verst show evening.verst --png evening.png --scale 80
  verst show crates/games/drill/situations/river.toml --json")]
pub struct Args {
    /// A game's journal, or a situation (.toml)
    file: PathBuf,
    /// After so many choices [default: the last]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Who looks: a side, spectator or referee
    #[arg(long, default_value = "referee")]
    eyes: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write a picture to this file
    #[arg(long, value_name = "OUT")]
    png: Option<PathBuf>,
    /// Write a drawing to this file
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    look: map::Look,
    /// A folder laid over the game's data
    #[arg(long, value_name = "FOLDER")]
    overlay: Option<PathBuf>,
}

/// Prints the position.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let files = store::overlay(args.overlay.as_deref())?;
    let (game, session) = store::read(&registry, &args.file, files.as_ref())?;
    let eyes = eyes::eyes(game.info(), &args.eyes)?;
    let at = args.at.unwrap_or(session.steps().len());
    if at > session.steps().len() {
        return Err(Fail::Usage(format!("--at {at}: the game has {} choices", session.steps().len())));
    }
    let p = session.position_at(at);
    let view = p.view(eyes);
    if args.json {
        let text = serde_json::to_string_pretty(&view);
        println!("{}", text.map_err(|e| Fail::File(format!("cannot be written as JSON: {e}")))?);
        return Ok(());
    }
    let board = game.board(files.as_ref())?;
    if args.png.is_some() || args.svg.is_some() {
        let svg = picture::svg(&board, game.info(), &view, &args.look.style()?);
        if let Some(path) = &args.svg {
            map::write(path, svg.as_bytes())?;
        }
        if let Some(path) = &args.png {
            map::write(path, &map::pixels(&svg)?)?;
        }
        return Ok(());
    }
    let colours = paint::wanted();
    println!("{}", table_text::head(game.info(), &view, colours));
    let scene = Scene {
        board: &board,
        info: game.info(),
        view: &view,
        marks: BTreeMap::new(),
        tints: BTreeMap::new(),
        focus: Vec::new(),
        room: (paint::size().0, usize::MAX),
        colours,
    };
    println!("{}", scene.lines().join("\n"));
    print!("{}", table_text::stacks(game.info(), &view, None));
    if let Some(side) = p.asks().filter(|&s| eyes.sees(s)) {
        let q = p.question();
        println!("{}: {} ({})", game.info().of(side).name, q.prompt, q.rule);
    }
    Ok(())
}
