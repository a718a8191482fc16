//! Which games there are, and the subcommand that lists them.

use crate::fail::{Done, Fail};
use game::{Game, Kind, Registry};

/// The games of the house. A new game is added here and nowhere else.
pub fn registry() -> Result<Registry, Fail> {
    Ok(Registry::new()
        .with(Box::new(drill::Drill::new()?))
        .with(Box::new(pm::Pm::new()))
        .with(Box::new(s42::S42::new())))
}

/// A game by its id.
pub fn find<'a>(registry: &'a Registry, id: &str) -> Result<&'a dyn Game, Fail> {
    registry.find(id).map_err(Fail::Usage)
}

/// What `verst games` takes.
#[derive(clap::Args)]
pub struct Args {
    /// One game in detail: scenarios, options and overlays
    game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// `verst games`: lists the games, or tells all about one.
pub fn run(args: &Args) -> Done {
    let registry = registry()?;
    if let Some(id) = &args.game {
        let game = find(&registry, id)?;
        if args.json {
            println!("{}", json(&game.info())?);
        } else {
            print!("{}", describe(game));
        }
        return Ok(());
    }
    if args.json {
        println!("{}", json(&registry.games().map(Game::info).collect::<Vec<_>>())?);
        return Ok(());
    }
    for game in registry.games() {
        let info = game.info();
        let scenarios: Vec<_> = info.scenarios.iter().map(|s| s.id.as_str()).collect();
        println!("{:<8}{}\n        scenarios: {}", info.id, info.name, scenarios.join(", "));
    }
    Ok(())
}

fn json(value: &impl serde::Serialize) -> Result<String, Fail> {
    serde_json::to_string_pretty(value).map_err(|e| Fail::File(format!("cannot be written as JSON: {e}")))
}

fn describe(game: &dyn Game) -> String {
    let info = game.info();
    let mut out = format!("{} ({})\n{}\n\nSides: ", info.name, info.id, info.about);
    out.push_str(&info.sides.iter().map(|s| format!("{} ({})", s.name, s.id)).collect::<Vec<_>>().join(", "));
    out.push_str("\n\nScenarios\n");
    for s in &info.scenarios {
        out.push_str(&format!("  {:<12}{}, {} turns. {}\n", s.id, s.name, s.turns, s.about));
        out.push_str(&format!("  {:<12}source: {}\n", "", s.source));
    }
    if !info.options.is_empty() {
        out.push_str("\nOptions (--option NAME=VALUE)\n");
    }
    for o in &info.options {
        let values = match &o.kind {
            Kind::Flag => "on, off".into(),
            Kind::OneOf(words) => words.join(", "),
        };
        out.push_str(&format!("  {:<12}{} ({}) [{values}; {}]\n", o.id, o.about, o.rule, o.default));
    }
    out.push_str("\nOverlays\n");
    for (name, what) in info.overlays {
        out.push_str(&format!("  {name:<12}{what}\n"));
    }
    out
}
