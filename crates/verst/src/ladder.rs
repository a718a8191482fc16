//! `verst ladder`: players against each other, both sides, the same seeds for both, with ratings.

use crate::bout::{self, Bout, Record, interval};
use crate::fail::{Done, Fail};
use crate::folder::{Folder, Manifest};
use crate::games;
use crate::opponent::{self, seconds};
use crate::progress::{Progress, interrupted};
use crate::store::TermsArgs;
use players::Budget;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use table::Side;
use text::Files;

/// What `verst ladder` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst ladder drill
  verst ladder pm --scenario june --players greedy,staff --games 100
  verst ladder pm --scenario june --players staff,search --games 40 --time 5 --out ladders/june

Each pair plays half of its games on either side, and both halves have the same seeds. A rating is on Elo's scale with the
first player at 0; the interval holds the true one in 95 cases of 100. Ctrl-C ends a ladder and prints what was played so far. With
--out every finished game is on the disk at once: the same command goes on where it was stopped, and more --games are added.")]
pub struct Args {
    /// The game
    game: String,
    #[command(flatten)]
    terms: TermsArgs,
    /// The players, weakest first
    #[arg(long, value_delimiter = ',', default_value = "random,greedy,staff")]
    players: Vec<String>,
    /// Games for each pair of players
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds that a player may think about a decision [default: what its level says]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Positions that a player may look at for a decision
    #[arg(long)]
    nodes: Option<u64>,
    /// How many cores to use [default: all]
    #[arg(long)]
    cores: Option<usize>,
    /// Pair only neighbours in the list
    #[arg(long)]
    neighbours: bool,
    /// No game is longer than this many choices
    #[arg(long, default_value_t = 1_000_000)]
    limit: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Keep the games in this folder, one inside it for each pair, and go on with what is there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// What a pair has played.
#[derive(Clone, Debug, Default, serde::Serialize)]
struct Pair {
    one: String,
    two: String,
    games: u64,
    /// Of the second player, draws as halves.
    points: f64,
    /// By the side that the second player had: games and points.
    as_side: [(u64, f64); 2],
    seconds: f64,
}

impl Pair {
    /// Counts a game: in even ones the second player has the first side, in odd ones the other.
    fn count(&mut self, info: &game::Info, r: &Record) {
        let side = Side::BOTH[(r.game % 2) as usize];
        let won = match info.side(&r.winner) {
            Some(s) if s == side => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        self.games += 1;
        self.points += won;
        self.as_side[side.ix()].0 += 1;
        self.as_side[side.ix()].1 += won;
    }
}

/// Plays the pairs and prints the table.
pub fn run(args: &Args) -> Done {
    for p in &args.players {
        opponent::Opponent::find(p, 0)?;
    }
    if args.players.len() < 2 {
        return Err(Fail::Usage("a ladder needs two players or more: --players greedy,staff".into()));
    }
    let registry = games::registry()?;
    let game = games::find(&registry, &args.game)?;
    let files = args.terms.overlay()?;
    let start = bout::begin(game, &args.terms.terms(game)?, files.as_ref())?;
    let budget = match (args.time, args.nodes) {
        (None, None) => None,
        (time, nodes) => Some(Budget { time: time.map(Duration::from_secs_f64), nodes }),
    };
    let mut terms = args.terms.terms(game)?;
    terms.overlay = files.as_ref().map(Files::digest).transpose()?;
    let stopped = interrupted();
    let stop = || stopped.load(Ordering::Relaxed);
    let mut pairs = Vec::new();
    for i in 0..args.players.len() {
        for j in i + 1..args.players.len() {
            if stop() || args.neighbours && j > i + 1 {
                continue;
            }
            let (one, two) = (args.players[i].clone(), args.players[j].clone());
            let mut pair = Pair { one: one.clone(), two: two.clone(), ..Pair::default() };
            let began = Instant::now();
            let manifest = Manifest {
                verst: env!("CARGO_PKG_VERSION").into(),
                code: env!("VERST_CODE").into(),
                game: game.info().id.into(),
                rules: game.info().rules_version,
                terms: terms.clone(),
                start: format!("{:016x}", start.fingerprint()),
                players: [one.clone(), two.clone()],
                nodes: args.nodes,
                time: args.time,
                paired: true,
                games: args.games,
                seed: args.seed,
                limit: args.limit,
            };
            let into = args.out.as_ref().map(|f| f.join(format!("{one}-{two}")));
            let mut folder = into.map(|f| Folder::open(&f, &manifest)).transpose()?;
            let bouts = [[two.clone(), one.clone()], [one, two]].map(|players| Bout {
                game,
                start: &*start,
                players,
                budget,
                limit: args.limit,
            });
            let mut numbers: Vec<u64> = (0..args.games).collect();
            if let Some(f) = &folder {
                f.notices.iter().for_each(|n| eprintln!("verst: {n}"));
                let known = |n: u64| f.done.iter().find(|r| r.game == n);
                for r in numbers.iter().filter_map(|&n| known(n)) {
                    pair.count(game.info(), r);
                }
                numbers.retain(|&n| known(n).is_none());
            }
            let label = format!("{} against {}: ", pair.two, pair.one);
            let progress = Progress::new(label, pair.games, args.games, !args.json);
            let play = |n: u64| bouts[(n % 2) as usize].play(n, args.seed.wrapping_add(n / 2), &stop);
            let mut done = |r: Record| {
                pair.count(game.info(), &r);
                progress.show(pair.games, &format!(", {:.1} points", pair.points));
                folder.as_mut().map_or(Ok(()), |f| f.add(r))
            };
            bout::on_cores(args.cores.unwrap_or_else(bout::cores), &numbers, &stop, &play, &mut done)?;
            pair.seconds = began.elapsed().as_secs_f64();
            progress.end();
            if let Some(f) = folder {
                f.close()?;
            }
            pairs.push(pair);
        }
    }
    if stop() {
        eprintln!(
            "verst: stopped; what follows is what was played{}",
            match args.out {
                Some(_) => ", and the same command goes on",
                None => "",
            }
        );
    }
    let ratings = rate(&args.players, &pairs);
    if args.json {
        let rows: Vec<_> = args
            .players
            .iter()
            .zip(&ratings)
            .map(|(p, (r, e))| serde_json::json!({"player": p, "rating": r, "give_or_take": e}))
            .collect();
        println!("{}", serde_json::json!({"game": game.info().id, "pairs": pairs, "ratings": rows}));
        return Ok(());
    }
    let info = game.info();
    println!(
        "{:<24} {:>6} {:>7}  {:<16} {:<14} {:<14}",
        "pair",
        "games",
        "share",
        "interval",
        info.of(Side::One).id,
        info.of(Side::Two).id
    );
    for p in &pairs {
        let (low, high) = interval(p.points, p.games as f64);
        let side = |s: Side| format!("{:.1} of {}", p.as_side[s.ix()].1, p.as_side[s.ix()].0);
        println!(
            "{:<24} {:>6} {:>6.1}%  {:>4.1}% to {:>5.1}%   {:<14} {:<14} {:.1} s",
            format!("{} over {}", p.two, p.one),
            p.games,
            100.0 * p.points / p.games.max(1) as f64,
            100.0 * low,
            100.0 * high,
            side(Side::One),
            side(Side::Two),
            p.seconds,
        );
    }
    println!();
    for (p, (r, e)) in args.players.iter().zip(&ratings) {
        println!("{p:<12} {r:>7.0} +- {e:.0}");
    }
    Ok(())
}

/// Ratings on Elo's scale by most likelihood, the first player at 0, with the half-width of their interval at 95 in 100.
/// Each pair is given half a game more to either side, so that a clean sweep has a rating too.
fn rate(players: &[String], pairs: &[Pair]) -> Vec<(f64, f64)> {
    const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
    let at = |p: &str| players.iter().position(|q| q == p).unwrap_or(0);
    let mut r = vec![0.0f64; players.len()];
    for _ in 0..4000 {
        let mut slope = vec![0.0f64; r.len()];
        let mut bend = vec![1e-9f64; r.len()];
        for p in pairs.iter().filter(|p| p.games > 0) {
            let (i, j) = (at(&p.one), at(&p.two));
            let (n, won) = (p.games as f64 + 1.0, p.points + 0.5);
            let expect = 1.0 / (1.0 + (r[i] - r[j]).exp());
            let d = won - n * expect;
            slope[j] += d;
            slope[i] -= d;
            let b = n * expect * (1.0 - expect);
            bend[i] += b;
            bend[j] += b;
        }
        for k in 1..r.len() {
            r[k] += (slope[k] / bend[k]).clamp(-1.0, 1.0) * 0.5;
        }
    }
    let mut out = Vec::new();
    for k in 0..r.len() {
        let bend: f64 = pairs
            .iter()
            .filter(|p| at(&p.one) == k || at(&p.two) == k)
            .map(|p| {
                let d = r[at(&p.one)] - r[at(&p.two)];
                let e = 1.0 / (1.0 + d.exp());
                (p.games as f64 + 1.0) * e * (1.0 - e)
            })
            .sum();
        out.push((r[k] * SCALE, if k == 0 { 0.0 } else { 1.96 * SCALE / bend.max(1e-9).sqrt() }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(one: &str, two: &str, games: u64, points: f64) -> Pair {
        Pair { one: one.into(), two: two.into(), games, points, ..Pair::default() }
    }

    #[test]
    fn equal_play_rates_equal_and_three_in_four_about_two_hundred_apart() {
        let players = vec!["a".to_string(), "b".to_string()];
        let r = rate(&players, &[pair("a", "b", 1000, 500.0)]);
        assert!(r[1].0.abs() < 1.0, "{r:?}");
        let r = rate(&players, &[pair("a", "b", 10_000, 7_600.0)]);
        assert!((r[1].0 - 200.0).abs() < 5.0, "{r:?}");
        assert!(r[1].1 > 0.0 && r[1].1 < 20.0);
    }

    #[test]
    fn a_clean_sweep_still_has_a_rating() {
        let players = vec!["a".to_string(), "b".to_string()];
        let r = rate(&players, &[pair("a", "b", 20, 20.0)]);
        assert!(r[1].0.is_finite() && r[1].0 > 300.0);
    }
}
