//! `verst replay`: stepping through a game that was played, through any eyes.

use crate::board_text::Scene;
use crate::fail::Done;
use crate::paint::{self, Style};
use crate::{eyes, games, store, table_text};
use game::{Audience, Eyes, Game, Session};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// What `verst replay` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst replay evening.verst                 step with Enter, go to a choice with its number
  verst replay evening.verst --eyes blue     as Blue saw it
  verst replay evening.verst --story         the whole story at once")]
pub struct Args {
    /// A game's journal
    file: PathBuf,
    /// Who looks: a side, spectator or referee
    #[arg(long, default_value = "referee")]
    eyes: String,
    /// Begin after so many choices
    #[arg(long, default_value_t = 0, value_name = "N")]
    at: usize,
    /// Print the story and stop
    #[arg(long)]
    story: bool,
    /// A folder laid over the game's data
    #[arg(long, value_name = "FOLDER")]
    overlay: Option<PathBuf>,
}

/// Steps through the game.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let files = store::overlay(args.overlay.as_deref())?;
    let (game, session) = store::read(&registry, &args.file, files.as_ref())?;
    let mut eyes = eyes::eyes(game.info(), &args.eyes)?;
    for d in session.differences() {
        println!("line {}: {}: {}", d.number, d.text, d.what);
    }
    if args.story {
        for l in session.story(eyes, 0, usize::MAX) {
            println!("{:>4}  {} ({})", l.step, l.text, l.rule);
        }
        return Ok(());
    }
    let board = game.board(files.as_ref())?;
    let last = session.steps().len();
    let mut at = args.at.min(last);
    let mut input = std::io::stdin().lock();
    loop {
        show(game, &board, &session, eyes, at);
        print!("replay {at}/{last}> ");
        let _ = std::io::stdout().flush();
        let mut line = String::new();
        if !matches!(input.read_line(&mut line), Ok(n) if n > 0) {
            println!();
            return Ok(());
        }
        let line = line.trim();
        match line {
            "" | "n" => at = (at + 1).min(last),
            "p" | "b" => at = at.saturating_sub(1),
            "t" => at = turn_after(&session, at),
            "first" => at = 0,
            "last" => at = last,
            "q" | "quit" => return Ok(()),
            _ => match (line.parse::<usize>(), line.split_once(' ')) {
                (Ok(n), _) => at = n.min(last),
                (_, Some(("eyes", who))) => match eyes::eyes(game.info(), who) {
                    Ok(e) => eyes = e,
                    Err(e) => println!("{e}"),
                },
                _ => println!(
                    "Enter or n: next; p: back; t: next turn; N: go to choice N; eyes WHO; first; last; quit"
                ),
            },
        }
    }
}

/// The step at which the next turn begins.
fn turn_after(session: &Session, at: usize) -> usize {
    let turn = |i: usize| session.position_at(i).view(Eyes::Spectator).turn;
    let now = turn(at);
    (at..=session.steps().len()).find(|&i| turn(i) > now).unwrap_or(session.steps().len())
}

fn show(game: &dyn Game, board: &board::Board, session: &Session, eyes: Eyes, at: usize) {
    let p = session.position_at(at);
    let view = p.view(eyes);
    let colours = paint::wanted();
    let (wide, high) = paint::size();
    let step = at.checked_sub(1).and_then(|i| session.steps().get(i));
    let readable = |l: &&game::Line| match l.to {
        Audience::All => true,
        Audience::Only(s) => eyes.sees(s),
    };
    let told: Vec<_> = step.iter().flat_map(|s| s.told.iter()).filter(readable).collect();
    if colours {
        print!("\x1b[2J\x1b[H");
    }
    println!("{}", table_text::head(game.info(), &view, colours));
    let focus = told.iter().flat_map(|l| l.hexes.iter().copied()).collect();
    let (marks, tints) = (BTreeMap::new(), BTreeMap::new());
    let room = (wide, high.saturating_sub(6 + told.len()).max(9));
    let scene = Scene { board, info: game.info(), view: &view, marks, tints, focus, room, colours };
    println!("{}", scene.lines().join("\n"));
    if let Some(s) = step.filter(|s| eyes.sees(s.side)) {
        let dice: Vec<_> = s.rolls.iter().map(ToString::to_string).collect();
        let dice = if dice.is_empty() { String::new() } else { format!("   dice: {}", dice.join(" ")) };
        println!(
            "{}",
            Style::bold().paint(&format!("{}: {}{dice}", game.info().of(s.side).name, s.text), colours)
        );
    }
    for l in told {
        println!("- {} ({})", l.text, l.rule);
    }
}
