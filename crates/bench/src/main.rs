//! `make bench`: what our fields and games cost, beside what one would otherwise use for the same work in the same
//! run. Prints a table and writes `target/bench/summary.tsv`.
//!
//! Each subject is a file with one function that adds rows to the report. The board of a game is found by itself when it
//! lies in the game's `data/map`; what its terrain costs is what the game's charts say (`chart.rs`).
//! Times are thread CPU time; contenders take turns, a batch of a few milliseconds each, and the median of their
//! rounds counts, so that a busy machine disturbs all of them alike. Before anything is timed, every contender must
//! give the plain answer to every query.

mod allowed;
mod chart;
mod contest;
mod country;
mod decisions;
mod flood;
mod load;
mod openspiel;
mod path;
mod peers;
mod players;
mod pm;
mod reach;
mod report;
mod s42;
mod zoc;

use std::process::ExitCode;

const HELP: &str = "usage: bench [--rounds N] [--only TEXT] [--out FILE]
  --rounds N   how often each contender takes its turn (31)
  --only TEXT  run only the subjects whose name contains TEXT
  --out FILE   where to write the summary (target/bench/summary.tsv)";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("bench: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut rounds = 31;
    let mut only = String::new();
    let mut out = String::from("target/bench/summary.tsv");
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value\n{HELP}"));
        match arg.as_str() {
            "--rounds" => {
                rounds = value()?.parse().map_err(|_| "--rounds needs a whole number".to_owned())?
            }
            "--only" => only = value()?,
            "--out" => out = value()?,
            "--bench" => {}
            _ => return Err(format!("{arg} is not an option\n{HELP}")),
        }
    }
    let mut report = report::Report::new(rounds, only);
    let random = country::random();
    reach::run(&mut report, "random 60x70", &random, &reach::ON_RANDOM)?;
    path::run(&mut report, "random 60x70", &random)?;
    flood::run(&mut report, "random 60x70", &random, &flood::ON_RANDOM)?;
    zoc::run(&mut report, "random 60x70", &random, 100.0)?;
    for (name, country) in country::games()? {
        let countries = std::slice::from_ref(&country);
        reach::run(&mut report, &name, countries, &reach::ON_GAME)?;
        path::run(&mut report, &name, countries)?;
        flood::run(&mut report, &name, countries, &flood::ON_GAME)?;
        zoc::run(&mut report, &name, countries, 10.0)?;
    }
    decisions::run(&mut report)?;
    load::run(&mut report)?;
    pm::run(&mut report)?;
    s42::run(&mut report)?;
    players::run(&mut report)?;
    report.finish(&out)
}
