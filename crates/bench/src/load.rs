//! How long a board takes to load and to draw, beside the time we allow.

use std::path::Path;

use board::{Board, draw};
use text::Files;

use crate::contest::{Timed, now};
use crate::report::Report;

/// What a board may take to load, in nanoseconds.
const LOAD: f64 = 50e6;
/// What its picture as SVG may take: a page waits for it.
const DRAW: f64 = 500e6;

/// Loads and draws the board of each game that has one.
pub fn run(report: &mut Report) -> Result<(), String> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    let entries = std::fs::read_dir(&games).map_err(|e| format!("cannot list {}: {e}", games.display()))?;
    let mut names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    for name in names {
        let folder = games.join(&name).join("data/map");
        let (load, draw) = (format!("load {name}"), format!("draw {name}"));
        if !folder.join("board.toml").is_file() || !(report.wants(&load) || report.wants(&draw)) {
            continue;
        }
        let files = Files::folder(folder);
        let board = Board::load(&files).map_err(|faults| format!("{name}: {faults}"))?;
        if report.wants(&load) {
            let time = median(report.rounds, || Board::load(&files).is_ok());
            within(report, &load, time, LOAD);
        }
        if report.wants(&draw) {
            let style = draw::Style::default();
            let time = median(report.rounds.min(7), || !draw::svg(&board, &style).is_empty());
            within(report, &draw, time, DRAW);
        }
    }
    Ok(())
}

fn median(rounds: usize, mut work: impl FnMut() -> bool) -> f64 {
    let mut times: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            let start = now();
            assert!(std::hint::black_box(work()));
            now() - start
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn within(report: &mut Report, name: &str, median: f64, allowed: f64) {
    let ours = Timed { name: "ours".into(), median };
    let limit = Timed { name: format!("allowed: {} ms", allowed / 1e6), median: allowed };
    report.add(name, &[ours, limit], &|_| Some(1.0));
}
