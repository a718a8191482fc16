//! Plays a game to a wanted ending and writes its journal, the fixtures of finished games:
//! `finish s42 blau points axis 1 out.verst` (game, scenario, ending, winner, first seed, file).

mod pm;
mod s42;

use game::journal::{Deed, DiceKind, Header, Journal};
use game::{Game, Outcome, QuickDice, Recorder, Registry, Terms, Told};
use table::Side;

/// A game that goes on longer than this will not end as it should.
const MOST: usize = 40_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [id, scenario, ending, winner, seed, out] = &args[..] else {
        return Err("finish GAME SCENARIO ENDING WINNER SEED FILE".into());
    };
    let registry = Registry::new().with(Box::new(::pm::Pm::new())).with(Box::new(::s42::S42::new()));
    let game = registry.find(id)?;
    let side = Side::BOTH.into_iter().find(|&s| game.info().of(s).id == winner);
    let side = side.ok_or_else(|| format!("{id} has no side '{winner}'"))?;
    let first: u64 = seed.parse()?;
    for seed in first..first + 100 {
        let (journal, outcome) = play(game, scenario, ending, side, seed)?;
        let text = outcome.as_ref().map_or("not over".to_string(), |o| format!("{}: {}", o.kind, o.text));
        println!("seed {seed}: {text} after {} choices", journal.entries().len());
        if outcome.is_some_and(|o| o.kind == ending && o.winner == Some(side)) {
            return Ok(std::fs::write(out, journal.text())?);
        }
    }
    Err(format!("no game from seed {first} on ended so").into())
}

/// One game, played for that ending.
fn play(
    game: &dyn Game,
    scenario: &str,
    ending: &str,
    winner: Side,
    seed: u64,
) -> Result<(Journal, Option<Outcome>), Box<dyn std::error::Error>> {
    let terms = Terms::of(scenario);
    let mut p = game.start(&terms, None)?;
    let mut plan = s42::Plan::new(scenario, ending, winner);
    let mut journal = Journal::new(Header::new(game.info(), terms, DiceKind::Quick { seed }));
    let (mut dice, mut lot) = (QuickDice::new(seed), QuickDice::new(!seed));
    let mut list = Vec::new();
    while let Some(side) = p.asks() {
        list.clear();
        p.choices(&mut list);
        let answer = plan.answer(&*p, &list, &mut lot).or_else(|| pm::answer(&*p, ending, &list, &mut lot));
        let Some(c) = answer else { break };
        let text = p.lexicon().write(&c);
        let mut thrown = Recorder::new(&mut dice);
        p.apply(c, &mut thrown, &mut Told::default());
        journal.add(Some(side), Deed::Choice(text), thrown.rolls);
        if journal.entries().len() > MOST {
            break;
        }
    }
    Ok((journal, p.outcome()))
}
