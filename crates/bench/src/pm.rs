//! Proud Monster beside the time we allow it: listing choices, supply, copies, whole campaigns, random decisions.

use game::{Game, Terms};
use pm::state::Pos;
use table::{Side, Unit};

use crate::allowed::{decisions, listing, median, whole_game, within};
use crate::report::Report;

/// How many campaigns are played for the figures of listing.
const CAMPAIGNS: u64 = 3;
/// Some time in autumn: both armies on the map, the front broken.
const MIDDLE: usize = 9_000;

/// Adds the rows of the game.
pub fn run(report: &mut Report) -> Result<(), String> {
    if !report.wants("pm ") {
        return Ok(());
    }
    let game = pm::Pm::new();
    let start = |scenario: &str| game.start(&Terms::of(scenario), None).map_err(|f| f.to_string());
    let campaign = start("campaign")?;
    let middle = listing(report, "pm campaign", &*campaign, CAMPAIGNS, [50e3, 1e6], MIDDLE);
    let middle = middle.ok_or("no campaign lasted long enough to be measured")?;
    let p = middle.as_any().downcast_ref::<Pos>().ok_or("another game's position")?;
    within(report, "pm campaign, supply of every unit of both sides", supply(report.rounds, p), 200e3);
    let copy = median(report.rounds, || u64::from(middle.boxed().asks().is_some()));
    within(report, "pm campaign, a copy", copy, 10e3);
    let mut other = campaign.clone();
    let into = median(report.rounds, || u64::from(other.copy_from(&*middle)));
    within(report, "pm campaign, a copy into old memory", into, 10e3);
    whole_game(report, "pm campaign, a random game of twelve turns", &*campaign, 2e9);
    for scenario in ["campaign", "historical", "june", "typhoon"] {
        decisions(report, &format!("pm {scenario}"), &*start(scenario)?, 1e9 / 300e3);
    }
    Ok(())
}

/// Traces all lines anew and asks every unit on the map for its state.
fn supply(rounds: usize, p: &Pos) -> f64 {
    let mut p = p.clone();
    let units: Vec<Unit> = p.s.stacks.units().filter(|&u| p.on_map(u).is_some()).collect();
    median(rounds, || {
        p.stale_supply();
        p.check_supply(Side::One);
        p.check_supply(Side::Two);
        units.iter().map(|&u| u64::from(p.state_of(u) as u8)).sum::<u64>() + 1
    })
}
