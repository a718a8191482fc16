//! Reach within a budget, with costs.
//!
//! `hexx` has a field of movement too, but it cannot price a hexside and gives no costs, so it cannot do the same work;
//! its coordinates are the keys of the documented use of `pathfinding`.

use std::collections::HashSet;

use hex::{Hex, HexSet, March, Reach, plain};
use pathfinding::prelude::dijkstra_reach;
use petgraph::visit::NodeFiltered;

use crate::contest::{self, Answer, Contender};
use crate::country::{Country, Lots};
use crate::peers::{Lists, Tiles, their_set, theirs};
use crate::report::Report;

const CAREFUL: &str = "pathfinding, integer keys";
const IDIOM: &str = "pathfinding, as documented";
const DISC: &str = "petgraph, filtered to a disc";

/// How a board is measured: movement points, whether enemies are about, and the ratios wanted.
pub struct Plan {
    points: &'static [u16],
    enemies: bool,
    wanted: fn(&str) -> Option<f64>,
}

/// The random board: the bare field.
pub const ON_RANDOM: Plan = Plan {
    points: &[10, 24],
    enemies: false,
    wanted: |peer| match peer {
        CAREFUL => Some(25.0),
        IDIOM => Some(75.0),
        _ => None,
    },
};

/// A game's board: enemies to be avoided, and zones that stop.
pub const ON_GAME: Plan = Plan { points: &[10, 24], enemies: true, wanted: |_| Some(10.0) };

/// A query: where, on which board, among which enemies.
struct Query {
    country: usize,
    start: [Hex; 1],
    enemies: usize,
}

/// Units in the way and the zone that they control, in our form and in that of the idiom.
struct Enemies {
    blocked: HexSet,
    stop: HexSet,
    their_blocked: HashSet<hexx::Hex>,
    their_stop: HashSet<hexx::Hex>,
}

/// Adds the rows for one kind of board.
pub fn run(report: &mut Report, board: &str, countries: &[Country], plan: &Plan) -> Result<(), String> {
    let mut lots = Lots(0x5eed);
    let mut queries = Vec::new();
    let mut enemies = Vec::new();
    for (i, country) in countries.iter().enumerate() {
        for _ in 0..4 {
            let mut blocked = HexSet::empty();
            if plan.enemies {
                blocked = lots.share(&country.land, 4);
            }
            let stop = blocked.dilate(&country.grid);
            let (b, s) = (their_set(&country.grid, &blocked), their_set(&country.grid, &stop));
            enemies.push(Enemies { blocked, stop, their_blocked: b, their_stop: s });
            for _ in 0..256 / (4 * countries.len()) {
                queries.push(Query {
                    country: i,
                    start: [lots.hex(&country.land)],
                    enemies: enemies.len() - 1,
                });
            }
        }
    }
    let lists = countries.iter().map(Lists::new).collect::<Result<Vec<_>, _>>()?;
    let tiles: Vec<Tiles> = countries.iter().map(Tiles::new).collect();
    for &points in plan.points {
        let name = format!("reach, {points} points, {board}");
        if !report.wants(&name) {
            continue;
        }
        let march = |q: &'_ Query| -> (usize, u16) { (q.country, points * countries[q.country].point) };
        let terms = |i: usize| {
            let q: &Query = &queries[i];
            let e = &enemies[q.enemies];
            March { blocked: &e.blocked, stop: &e.stop, ..March::new(&q.start, march(q).1) }
        };
        let expected: Vec<Answer> = (0..queries.len())
            .map(|i| {
                let country = &countries[queries[i].country];
                let field = plain::reach(&country.grid, &country.costs, &terms(i)).into_iter().enumerate();
                field.filter_map(|(h, cost)| Some((Hex(h as u16), cost?))).collect()
            })
            .collect();
        let mut room = Reach::new();
        let ours = Contender {
            name: "ours",
            solve: Box::new(|i, full| {
                let country = &countries[queries[i].country];
                let reached = room.run(&country.grid, &country.costs, &terms(i));
                if let Some(full) = full {
                    full.extend(reached.iter());
                }
                reached.count()
            }),
        };
        let careful = Contender {
            name: CAREFUL,
            solve: Box::new(|i, mut full| {
                let (country, budget) = march(&queries[i]);
                let (start, terms, to) = (queries[i].start[0], terms(i), &lists[country].to);
                let steps = |&at: &u16| {
                    let stuck = plan.enemies && at != start.0 && terms.stop.contains(Hex(at));
                    let list: &[(u16, u32)] = if stuck { &[] } else { &to[at as usize] };
                    list.iter().copied().filter(|&(n, _)| !plan.enemies || !terms.blocked.contains(Hex(n)))
                };
                let within =
                    dijkstra_reach(&start.0, steps).take_while(|r| r.total_cost <= u32::from(budget));
                within.inspect(|r| note(&mut full, Hex(r.node), r.total_cost)).count()
            }),
        };
        let idiom = Contender {
            name: IDIOM,
            solve: Box::new(|i, mut full| {
                let (country, budget) = march(&queries[i]);
                let (tiles, e) = (&tiles[country], &enemies[queries[i].enemies]);
                let start = theirs(&countries[country].grid, queries[i].start[0]);
                let steps = |&at: &hexx::Hex| {
                    let stuck = plan.enemies && at != start && e.their_stop.contains(&at);
                    let open = |n: &hexx::Hex| !stuck && (!plan.enemies || !e.their_blocked.contains(n));
                    let priced = |n: hexx::Hex| tiles.step(at, n).map(|c| (n, c));
                    at.all_neighbors().into_iter().filter(open).filter_map(priced).collect::<Vec<_>>()
                };
                let within = dijkstra_reach(&start, steps).take_while(|r| r.total_cost <= u32::from(budget));
                within.inspect(|r| note(&mut full, tiles.ours[&r.node], r.total_cost)).count()
            }),
        };
        let disc = Contender {
            name: DISC,
            solve: Box::new(|i, mut full| {
                let (country, budget) = march(&queries[i]);
                let (start, terms, grid) = (queries[i].start[0], terms(i), &countries[country].grid);
                let radius = u32::from(budget / countries[country].costs.least());
                let near = NodeFiltered::from_fn(&lists[country].graph, |n: u32| {
                    let hex = Hex(n as u16);
                    hex == start || (grid.distance(start, hex) <= radius && !terms.blocked.contains(hex))
                });
                // The graph cannot forbid leaving a hex; a step out of a stop is priced out of reach instead.
                let price = |e: petgraph::csr::EdgeReference<'_, u32, petgraph::Directed, u32>| {
                    use petgraph::visit::EdgeRef;
                    let from = Hex(e.source() as u16);
                    if plan.enemies && from != start && terms.stop.contains(from) {
                        1 << 20
                    } else {
                        *e.weight()
                    }
                };
                let found = petgraph::algo::dijkstra(&near, u32::from(start.0), None, price);
                let within = found.into_iter().filter(|&(_, cost)| cost <= u32::from(budget));
                within.inspect(|&(n, cost)| note(&mut full, Hex(n as u16), cost)).count()
            }),
        };
        let timed = contest::run(&name, report.rounds, &expected, vec![ours, careful, idiom, disc])?;
        report.add(&name, &timed, &plan.wanted);
    }
    Ok(())
}

fn note(full: &mut Option<&mut Answer>, hex: Hex, cost: u32) {
    if let Some(full) = full {
        full.push((hex, cost as u16));
    }
}
