//! `verst odds`: the chances of an attack.

use crate::fail::{Done, Fail};
use crate::{games, store, table_text};
use game::Eyes;
use std::path::PathBuf;
use table::{Odds, Rounding};

/// What `verst odds` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  verst odds 26:7                                     the ratio alone, by both roundings
  verst odds evening.verst                            the attack being made
  verst odds river.toml 'attack 0606; add 1Inf,5Arm'  after these orders, which are not kept")]
pub struct Args {
    /// Two strengths such as 26:7, a game's journal, or a situation (.toml)
    what: String,
    /// Orders to give first
    orders: Vec<String>,
    /// Columns to shift, when two strengths are given
    #[arg(long, default_value_t = 0, allow_hyphen_values = true)]
    shift: i32,
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
    match session.position().forecast(Eyes::Side(side)) {
        None => Err(Fail::Usage("no attack is being made there; give the orders that begin one".into())),
        Some(f) if args.json => {
            let text = serde_json::to_string_pretty(&f);
            println!("{}", text.map_err(|e| Fail::File(format!("cannot be written as JSON: {e}")))?);
            Ok(())
        }
        Some(f) => {
            print!("{}", table_text::forecast(&f));
            Ok(())
        }
    }
}
