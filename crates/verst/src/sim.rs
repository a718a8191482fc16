//! `verst sim`: many games between programs, and who won them.

use crate::fail::{Done, Fail};
use crate::games;
use crate::opponent::Opponent;
use crate::store::TermsArgs;
use game::{DiceFrom, Game, Position, QuickDice, Quiet, Session};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use table::Side;
use text::Files;

/// What `verst sim` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst sim drill --games 1000
  verst sim drill --games 200 --one random --two random --seed 5 --json")]
pub struct Args {
    /// The game
    game: String,
    #[command(flatten)]
    terms: TermsArgs,
    /// How many games
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// The program of the first side
    #[arg(long, default_value = "random")]
    one: String,
    /// The program of the second side
    #[arg(long, default_value = "random")]
    two: String,
    /// The first game's seed; each further game has the next
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// No game is longer than this many choices
    #[arg(long, default_value_t = 1_000_000)]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write each game's journal into this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// Plays one game as fast as it goes; gives the number of choices.
fn quick(p: &mut dyn Position, seed: u64, limit: u32, programs: &mut [Opponent; 2]) -> u32 {
    let mut dice = QuickDice::new(seed);
    let mut n = 0;
    while let Some(side) = p.asks().filter(|_| n < limit) {
        let Some(c) = programs[side.ix()].choose(p) else { break };
        p.apply(c, &mut dice, &mut Quiet);
        n += 1;
    }
    n
}

/// Plays one game with its journal, which is written to the folder; `p` becomes its last position.
fn kept(
    game: &dyn Game,
    args: &Args,
    files: Option<&Files>,
    seed: u64,
    programs: &mut [Opponent; 2],
    folder: &Path,
    p: &mut dyn Position,
) -> Result<u32, Fail> {
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
    p.copy_from(session.position());
    Ok(n)
}

/// Plays the games and counts.
pub fn run(args: &Args) -> Done {
    let registry = games::registry()?;
    let game = games::find(&registry, &args.game)?;
    let info = game.info();
    let files = args.terms.overlay()?;
    let start = game.start(&args.terms.terms(game)?, files.as_ref())?;
    let mut ends: BTreeMap<(String, &'static str), u32> = BTreeMap::new();
    let mut decisions = 0u64;
    let mut p = start.clone();
    for i in 0..u64::from(args.games) {
        p.copy_from(&*start);
        let seed = args.seed.wrapping_add(i);
        let mut programs = [
            Opponent::find(&args.one, seed)?,
            Opponent::find(&args.two, seed.wrapping_mul(31).wrapping_add(7))?,
        ];
        let n = match &args.keep {
            Some(folder) => kept(game, args, files.as_ref(), seed, &mut programs, folder, &mut *p)?,
            None => quick(&mut *p, seed, args.limit, &mut programs),
        };
        decisions += u64::from(n);
        let end = match p.outcome() {
            Some(o) => (o.winner.map_or("draw".into(), |s| info.of(s).id.to_string()), o.kind),
            None => ("unfinished".into(), "limit"),
        };
        *ends.entry(end).or_default() += 1;
    }
    let share = |id: &str| {
        let n: u32 = ends.iter().filter(|((w, _), _)| w == id).map(|(_, n)| n).sum();
        f64::from(n) / f64::from(args.games.max(1))
    };
    if args.json {
        let kinds: Vec<_> = ends
            .iter()
            .map(|((winner, kind), n)| serde_json::json!({"winner": winner, "kind": kind, "games": n}))
            .collect();
        let out = serde_json::json!({
            "game": info.id, "games": args.games, "decisions": decisions, "ends": kinds,
            "share": { info.of(Side::One).id: share(info.of(Side::One).id),
                       info.of(Side::Two).id: share(info.of(Side::Two).id), "draw": share("draw") },
        });
        println!("{out}");
        return Ok(());
    }
    println!("{} games of {}, {} choices", args.games, info.name, decisions);
    for ((winner, kind), n) in &ends {
        println!(
            "  {winner:<12}{kind:<12}{n:>6}  {:>5.1}%",
            100.0 * f64::from(*n) / f64::from(args.games.max(1))
        );
    }
    Ok(())
}
