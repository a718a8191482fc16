//! The command `verst`: one file for each subcommand.

mod board_text;
mod boards;
mod bout;
mod check;
mod completions;
mod eyes;
mod fail;
mod folder;
mod fuzz;
mod games;
mod ladder;
mod ledger;
mod map;
mod odds;
mod opponent;
mod paint;
mod picture;
mod places;
mod play;
mod progress;
mod replay;
mod serve;
mod show;
mod sim;
mod situation;
mod store;
mod study;
mod table_text;
mod tables;
mod verify;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The system's own allocator keeps what a match needed after its viewers left; this one gives it back.
#[global_allocator]
static MEMORY: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const AFTER: &str = "\
Examples:
  verst play drill                                play both sides at one keyboard
  verst play drill --as blue --against random     play Blue against a program
  verst play drill --as red --save evening.verst  keep the game in a file; the same command goes on with it
  verst show evening.verst --eyes blue            the position as Blue sees it
  verst replay evening.verst                      step through it
  verst verify evening.verst                      check its dice
  verst check crates/games/drill/situations       run worked positions
  verst map drill --png drill.png                 the map as a picture
  verst serve                                     play in the browser

Exit codes:
  0  all is well
  1  what was checked is not as it should be
  2  the command line asks for something that does not exist
  3  a file, overlay, store or address cannot be used, or a file holds nonsense";

/// Operational hex-and-counter wargames, played by the book.
#[derive(Parser)]
#[command(name = "verst", version, after_help = AFTER, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game in the terminal
    Play(play::Args),
    /// Show the position of a game or situation
    Show(show::Args),
    /// Step through a game that was played
    Replay(replay::Args),
    /// Throw every die of a game again from its secret, and say whether all is honest
    Verify(verify::Args),
    /// The chances of an attack
    Odds(odds::Args),
    /// Write a position of a game as a situation file
    Situation(situation::Args),
    /// Draw the map of a game
    Map(map::Args),
    /// Run situations and say what differs
    Check(check::Args),
    /// Every rule of a game, where it lives and what tests it
    Ledger(ledger::Args),
    /// Random play under the oracles
    Fuzz(fuzz::Args),
    /// Play many games between programs and count who wins
    Sim(sim::Args),
    /// Draw the report of a study, or compare two
    Study(study::Args),
    /// Play players against each other, both sides, and rate them
    Ladder(ladder::Args),
    /// List the games, or tell all about one
    Games(games::Args),
    /// Serve the page and the play in the browser
    Serve(serve::Args),
    /// Write the completions of a shell
    Completions(completions::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Play(a) => play::run(a),
        Command::Show(a) => show::run(a),
        Command::Replay(a) => replay::run(a),
        Command::Verify(a) => verify::run(a),
        Command::Odds(a) => odds::run(a),
        Command::Situation(a) => situation::run(a),
        Command::Map(a) => map::run(a),
        Command::Check(a) => check::run(a),
        Command::Ledger(a) => ledger::run(a),
        Command::Fuzz(a) => fuzz::run(a),
        Command::Sim(a) => sim::run(a),
        Command::Study(a) => study::run(a),
        Command::Ladder(a) => ladder::run(a),
        Command::Games(a) => games::run(a),
        Command::Serve(a) => serve::run(a),
        Command::Completions(a) => completions::run(a),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fail) => {
            let said = fail.to_string();
            if !said.is_empty() {
                eprintln!("verst: {said}");
            }
            ExitCode::from(fail.code())
        }
    }
}
