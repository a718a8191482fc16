//! `verst sim`: many games between programs, and who won them.

use crate::bout::{self, Bout, Record, interval};
use crate::fail::{Done, Fail};
use crate::folder::{Folder, Manifest};
use crate::games;
use crate::opponent::Opponent;
use crate::progress::{Progress, interrupted};
use crate::store::TermsArgs;
use game::{DiceFrom, Game, Session};
use players::Budget;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use table::Side;
use text::Files;

/// What `verst sim` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst sim drill --games 1000
  verst sim pm --scenario june --players staff,staff --games 200 --out studies/june
  verst sim drill --games 200 --players greedy,random --seed 5 --json

With --out every finished game is on the disk at once: stop when you like, give the same command again, and it goes on.
`verst study FOLDER` draws the report.")]
pub struct Args {
    /// The game
    game: String,
    #[command(flatten)]
    terms: TermsArgs,
    /// How many games
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// The programs of the first and the second side
    #[arg(long, value_delimiter = ',', num_args = 1..=2, default_value = "random,random", value_name = "A,B")]
    players: Vec<String>,
    /// The first game's seed; each further game has the next
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Positions that a program may look at for a decision [default: what its level says]
    #[arg(long)]
    nodes: Option<u64>,
    /// No game is longer than this many choices
    #[arg(long, default_value_t = 1_000_000)]
    limit: u64,
    /// How many cores to use [default: all]
    #[arg(long)]
    cores: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Keep the study in this folder, and go on with it if it is there
    #[arg(long, value_name = "FOLDER", conflicts_with = "keep")]
    out: Option<PathBuf>,
    /// Write each game's journal into this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

impl Args {
    fn programs(&self) -> Result<[String; 2], Fail> {
        match &self.players[..] {
            [a, b] => Ok([a.clone(), b.clone()]),
            [a] => Ok([a.clone(), a.clone()]),
            _ => Err(Fail::Usage("--players names two programs: --players staff,greedy".into())),
        }
    }
}

/// Plays one game with its journal, which is written to the folder.
fn kept(game: &dyn Game, args: &Args, files: Option<&Files>, seed: u64, folder: &Path) -> Result<(), Fail> {
    let names = args.programs()?;
    let mut programs =
        [Opponent::find(&names[0], seed)?, Opponent::find(&names[1], seed.wrapping_mul(31).wrapping_add(7))?];
    let terms = args.terms.terms(game)?;
    let mut session = Session::start(game, &terms, files, DiceFrom::Quick(seed))?;
    let mut n = 0;
    while let Some(side) = session.position().asks().filter(|_| n < args.limit) {
        let Some(c) = programs[side.ix()].choose(session.position()) else { break };
        let played = session.play(side, session.question_number(), c);
        played.map_err(|r| Fail::Amiss(format!("game {seed}: {r}")))?;
        n += 1;
    }
    let end = match session.position().outcome() {
        Some(o) => format!("{}-{}", o.winner.map_or("draw", |s| game.info().of(s).id), o.kind),
        None => "unfinished".into(),
    };
    let path = folder.join(format!("{}-{seed}-{end}.verst", terms.scenario));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, session.journal().text()))
        .map_err(|e| Fail::File(format!("{}: cannot be written: {e}", path.display())))?;
    Ok(())
}

/// Plays the games and counts.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let game = games::find(&registry, &args.game)?;
    let info = game.info();
    let files = args.terms.overlay()?;
    let mut terms = args.terms.terms(game)?;
    let players = args.programs()?;
    for p in &players {
        Opponent::find(p, 0)?;
    }
    let start = bout::begin(game, &terms, files.as_ref())?;
    if let Some(folder) = &args.keep {
        for i in 0..args.games {
            kept(game, args, files.as_ref(), args.seed.wrapping_add(i), folder)?;
        }
        return Ok(());
    }
    terms.overlay = files.as_ref().map(Files::digest).transpose()?;
    let manifest = Manifest {
        verst: env!("CARGO_PKG_VERSION").into(),
        code: env!("VERST_CODE").into(),
        game: info.id.into(),
        rules: info.rules_version,
        terms,
        start: format!("{:016x}", start.fingerprint()),
        players: players.clone(),
        nodes: args.nodes,
        time: None,
        paired: false,
        games: args.games,
        seed: args.seed,
        limit: args.limit,
    };
    let mut folder = args.out.as_ref().map(|f| Folder::open(f, &manifest)).transpose()?;
    let mut records: Vec<Record> = Vec::new();
    let mut begun: Vec<u64> = Vec::new();
    if let Some(f) = &folder {
        for n in &f.notices {
            eprintln!("verst: {n}");
        }
        begun = f.done.iter().map(|r| r.game).collect();
    }
    let left: Vec<u64> = (0..args.games).filter(|n| begun.binary_search(n).is_err()).collect();
    let progress = Progress::new(String::new(), begun.len() as u64, args.games, !args.json);
    let stopped = interrupted();
    let stop = || stopped.load(Ordering::Relaxed);
    let budget = args.nodes.map(Budget::nodes);
    let bout = Bout { game, start: &*start, players, budget, limit: args.limit };
    let play = |n: u64| bout.play(n, args.seed.wrapping_add(n), &stop);
    let mut done = |r: Record| {
        match &mut folder {
            Some(f) => {
                f.add(r)?;
                progress.show(f.done.len() as u64, "");
            }
            None => {
                records.push(r);
                progress.show(records.len() as u64, "");
            }
        }
        Ok(())
    };
    bout::on_cores(args.cores.unwrap_or_else(bout::cores), &left, &stop, &play, &mut done)?;
    progress.end();
    if stop() {
        eprintln!("verst: stopped");
    }
    if let Some(f) = folder {
        records = f.close()?;
    }
    records.sort_by_key(|r| r.game);
    print(args, info, &records);
    Ok(())
}

/// Who won how often, and how.
fn print(args: &Args, info: &game::Info, records: &[Record]) {
    let mut ends: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for r in records {
        *ends.entry((&r.winner, &r.kind)).or_default() += 1;
    }
    let n = records.len().max(1) as f64;
    let decisions: u64 = records.iter().map(|r| r.decisions[0] + r.decisions[1]).sum();
    let won = |id: &str| records.iter().filter(|r| r.winner == id).count() as f64;
    if args.json {
        let kinds: Vec<_> = ends
            .iter()
            .map(|((winner, kind), n)| serde_json::json!({"winner": winner, "kind": kind, "games": n}))
            .collect();
        let (one, two) = (info.of(Side::One).id, info.of(Side::Two).id);
        let out = serde_json::json!({
            "game": info.id, "games": records.len(), "decisions": decisions, "ends": kinds,
            "share": { one: won(one) / n, two: won(two) / n, "draw": won("draw") / n },
        });
        println!("{out}");
        return;
    }
    println!("{} games of {}, {} choices", records.len(), info.name, decisions);
    for ((winner, kind), k) in &ends {
        let (low, high) = interval(*k as f64, n);
        println!(
            "  {winner:<12}{kind:<12}{k:>6}  {:>5.1}%   ({:.1}% to {:.1}%)",
            100.0 * *k as f64 / n,
            100.0 * low,
            100.0 * high
        );
    }
}
