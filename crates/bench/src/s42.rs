//! Stalingrad '42 beside the time we allow it: listing choices, ZOC and bonds of moved units, supply, whole games.

use game::{Game, Terms};
use hex::Hex;
use s42::state::Pos;
use table::{Place, Side, Unit};

use crate::allowed::{decisions, listing, median, whole_game, within};
use crate::report::Report;

/// What listing may take, median and 99 in 100.
const LISTING: [f64; 2] = [100e3, 2e6];

/// Adds the rows of the game.
pub fn run(report: &mut Report) -> Result<(), String> {
    if !report.wants("s42 ") {
        return Ok(());
    }
    let game = s42::S42::new();
    let start = |scenario: &str| game.start(&Terms::of(scenario), None).map_err(|f| f.to_string());
    let (blau, campaign) = (start("blau")?, start("campaign")?);
    listing(report, "s42 blau", &*blau, 6, LISTING, 1_000);
    // Some weeks into the campaign: both armies on the map, the front broken. Most random campaigns end soon by their benchmarks.
    let middle = listing(report, "s42 campaign", &*campaign, 8, LISTING, 2_000);
    let middle = middle.ok_or("no campaign lasted long enough to be measured")?;
    let p = middle.as_any().downcast_ref::<Pos>().ok_or("another game's position")?;
    let zones = zones(report.rounds, p);
    within(report, "s42 campaign, ZOC and bonds of both sides after a unit has moved", zones, 1e3);
    within(report, "s42 campaign, supply of every unit of both sides", supply(report.rounds, p), 500e3);
    let mut other = campaign.clone();
    let into = median(report.rounds, || u64::from(other.copy_from(&*middle)));
    within(report, "s42 campaign, a copy into old memory", into, 10e3);
    whole_game(report, "s42 blau, a random game of eight turns", &*blau, 1e9);
    for (name, start) in [("s42 blau", &blau), ("s42 campaign", &campaign)] {
        decisions(report, name, &**start, 1e9 / 100e3);
    }
    Ok(())
}

/// Moves every Combat Unit to a free hex beside it and back; the time of one such move.
fn zones(rounds: usize, p: &Pos) -> f64 {
    let mut p = p.clone();
    let grid = p.data.map.grid().clone();
    let free = |h: Hex| p.scene().land.contains(h) && p.at(h).next().is_none();
    let moves: Vec<(Unit, Hex, Hex)> =
        p.s.stacks
            .units()
            .filter(|&u| p.combat(u))
            .filter_map(|u| {
                let from = p.on_map(u)?;
                let (_, to) = grid.neighbours(from).find(|&(_, n)| free(n))?;
                Some((u, from, to))
            })
            .collect();
    let there_and_back = median(rounds, || {
        for &(u, from, to) in &moves {
            p.put(u, Place::Hex(to));
            p.put(u, Place::Hex(from));
        }
        moves.len() as u64
    });
    there_and_back / (2 * moves.len()) as f64
}

/// Traces all lines anew and asks every unit on the map whether it is supplied.
fn supply(rounds: usize, p: &Pos) -> f64 {
    let mut p = p.clone();
    let units: Vec<Unit> = p.s.stacks.units().filter(|&u| p.on_map(u).is_some()).collect();
    median(rounds, || {
        p.s.supplied.fresh = [false; 2];
        p.check_supply(Side::One);
        p.check_supply(Side::Two);
        units.iter().map(|&u| u64::from(p.in_supply(u))).sum::<u64>() + 1
    })
}
