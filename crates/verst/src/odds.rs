//! `verst odds`: the chances of an attack.

use crate::fail::{Done, Fail};
use crate::progress::{Progress, interrupted};
use crate::{games, store, table_text};
use game::{Eyes, Forecast, Position, Trial, TrialVerdict};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use table::{Odds, Rounding};

/// What `verst odds` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst odds 26:7                                     the ratio alone, by both roundings
  verst odds evening.verst                            the attack being made
  verst odds river.toml 'attack 0606; add 1Inf,5Arm'  after these orders, which are not kept
  verst odds evening.verst --simulate 100000          the same beside so many battles played

Every end is listed with its chance: over the table, later rolls, what the asking side cannot see, and the choices of
sensible players. What follows a battle (an advance, a breakthrough) is not part of it.")]
pub struct Args {
    /// Two strengths such as 26:7, a game's journal, or a situation (.toml)
    what: String,
    /// Orders to give first
    orders: Vec<String>,
    /// Columns to shift, when two strengths are given
    #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
    shift: i32,
    /// Play the battle so many times, in worlds that fit what the asking side sees, and print both side by side
    #[arg(long, value_name = "N")]
    simulate: Option<u64>,
    /// The seed of those battles
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// A folder laid over the game's data
    #[arg(long, value_name = "FOLDER")]
    overlay: Option<PathBuf>,
}

/// Prints sums, column, chances and expected losses.
pub fn run(args: &Args) -> Done {
    if let Some((a, d)) = args.what.split_once(':')
        && let (Ok(a), Ok(d)) = (a.trim().parse::<i32>(), d.trim().parse::<i32>())
    {
        if a < 1 || d < 1 {
            return Err(Fail::Usage("both strengths must be 1 or more".into()));
        }
        let odds = |r| Odds::of(a, d, r).shift(args.shift);
        println!(
            "{} ({} with a 3:2 column)",
            odds(Rounding::Defender),
            odds(Rounding::DefenderWithThreeToTwo)
        );
        return Ok(());
    }
    let registry = games::registry()?;
    let files = store::overlay(args.overlay.as_deref())?;
    let (_, mut session) = store::read(&registry, &PathBuf::from(&args.what), files.as_ref())?;
    for order in &args.orders {
        let Some(side) = session.position().asks() else {
            return Err(Fail::Usage("the game is over".into()));
        };
        let n = session.question_number();
        session.order(side, n, order).map_err(|e| Fail::Usage(e.to_string()))?;
    }
    let Some(side) = session.position().asks() else { return Err(Fail::Usage("the game is over".into())) };
    let eyes = Eyes::Side(side);
    let Some(f) = session.position().forecast(eyes) else {
        return Err(Fail::Usage("no attack is being made there; give the orders that begin one".into()));
    };
    let trial = match args.simulate {
        Some(n) => Some(simulate(session.position(), eyes, &f, n.max(1), args)?),
        None => None,
    };
    if args.json {
        println!("{}", json(&f, trial.as_ref(), args.seed)?);
        return Ok(());
    }
    print!("{}", table_text::forecast(&f));
    match &trial {
        Some((v, battles)) => print!("{}", table_text::trial(v, *battles)),
        None if !f.ends.is_empty() => print!("{}", table_text::ends(&f.ends, usize::MAX)),
        None => {}
    }
    Ok(())
}

/// How many battles are played between two looks at the clock.
const AT_ONCE: u64 = 200;

/// Plays the battle, and holds the forecast against it. Ctrl-C ends it with the battles played so far.
fn simulate(
    p: &dyn Position,
    eyes: Eyes,
    f: &Forecast,
    battles: u64,
    args: &Args,
) -> Result<(TrialVerdict, u64), Fail> {
    let mut trial = Trial::new(args.seed);
    let stop = interrupted();
    let progress = Progress::new(String::new(), 0, battles, battles > 10 * AT_ONCE).of("battles");
    while trial.battles < battles && !stop.load(Ordering::Relaxed) {
        let some = AT_ONCE.min(battles - trial.battles);
        if f.ends.is_empty() || !trial.play(p, eyes, some) {
            let why = "this battle cannot be played yet: it may not be fought, or several are possible; give the orders that begin one";
            return Err(Fail::Usage(why.into()));
        }
        progress.show(trial.battles, "");
    }
    progress.end();
    Ok((trial.against(&f.ends), trial.battles))
}

/// The forecast as data, with the trial beside it.
fn json(f: &Forecast, trial: Option<&(TrialVerdict, u64)>, seed: u64) -> Result<String, Fail> {
    let fault = |e: serde_json::Error| Fail::File(format!("cannot be written as JSON: {e}"));
    let mut value = serde_json::to_value(f).map_err(fault)?;
    if let (Some((verdict, battles)), Some(map)) = (trial, value.as_object_mut()) {
        let mut played = serde_json::to_value(verdict).map_err(fault)?;
        if let Some(played) = played.as_object_mut() {
            played.insert("battles".into(), (*battles).into());
            played.insert("seed".into(), seed.into());
        }
        map.insert("played".into(), played);
    }
    serde_json::to_string_pretty(&value).map_err(fault)
}
