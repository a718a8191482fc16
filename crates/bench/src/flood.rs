//! The flood of supply from the west edge.

use std::collections::{HashSet, VecDeque};

use hex::{Flood, Hex, HexSet, Sides, Trace, plain};
use pathfinding::prelude::bfs_reach;
use petgraph::visit::{Bfs, NodeFiltered, Visitable};

use crate::contest::{self, Answer, Contender};
use crate::country::{Country, Lots};
use crate::peers::{Lists, Tiles, their_set, theirs};
use crate::report::Report;

/// How a board is measured: whether there are closed hexsides, and the ratio wanted of each peer.
pub struct Plan {
    sides: bool,
    wanted: fn(&str) -> Option<f64>,
}

const GRAPH: &str = "petgraph Bfs, filtered";

/// The random board.
pub const ON_RANDOM: Plan = Plan { sides: false, wanted: |peer| (peer == GRAPH).then_some(25.0) };
/// A game's board.
pub const ON_GAME: Plan = Plan { sides: true, wanted: |_| Some(10.0) };

struct Query {
    country: usize,
    sources: HexSet,
    open: HexSet,
    open_bytes: Vec<bool>,
    their_open: HashSet<hexx::Hex>,
}

/// Adds the rows for one kind of board: land with holes everywhere, and land behind a front.
pub fn run(report: &mut Report, board: &str, countries: &[Country], plan: &Plan) -> Result<(), String> {
    for (what, front) in [("flood, 4 hexes in 10 closed", false), ("flood behind a front", true)] {
        let name = format!("{what}, {board}");
        if report.wants(&name) {
            let queries = draw(countries, front);
            one(report, &name, countries, &queries, plan)?;
        }
    }
    Ok(())
}

fn draw(countries: &[Country], front: bool) -> Vec<Query> {
    let mut lots = Lots(0xf100d);
    let mut queries = Vec::new();
    for (i, country) in countries.iter().enumerate() {
        let grid = &country.grid;
        let columns = grid.spec().columns;
        let west = columns.first as u16;
        let wide = (columns.last - columns.first + 1) as usize;
        for _ in 0..64 / countries.len() {
            let mut open = lots.share(&country.land, if front { 92 } else { 60 });
            if front {
                // The front wanders east and west by a hex or two as it runs down the map.
                let mut line = wide * 7 / 10;
                for row in grid.spec().rows.first..=grid.spec().rows.last {
                    line = (line + lots.below(5)).saturating_sub(2).clamp(wide * 55 / 100, wide * 85 / 100);
                    for column in line..wide {
                        open.remove(grid.at(west + column as u16, row).unwrap_or(Hex::NONE));
                    }
                }
            }
            let sources = grid.hexes().filter(|&h| grid.column(h) == west).collect();
            let open_bytes = (0..grid.len()).map(|h| open.contains(Hex(h as u16))).collect();
            let their_open = their_set(grid, &open);
            queries.push(Query { country: i, sources, open, open_bytes, their_open });
        }
    }
    queries
}

fn one(
    report: &mut Report,
    name: &str,
    countries: &[Country],
    queries: &[Query],
    plan: &Plan,
) -> Result<(), String> {
    let lists = countries.iter().map(|c| if plan.sides { Lists::new(c) } else { all_sides(c) });
    let lists = lists.collect::<Result<Vec<_>, _>>()?;
    let tiles: Vec<Tiles> = countries.iter().map(Tiles::new).collect();
    let trace = |q: &'_ Query| -> Option<&Sides> { plan.sides.then(|| &countries[q.country].sides) };
    let seeds = |q: &Query| (&q.sources & &q.open).iter().map(|h| h.0).collect::<Vec<u16>>();
    let seeds: Vec<Vec<u16>> = queries.iter().map(seeds).collect();
    let expected: Vec<Answer> = queries
        .iter()
        .map(|q| {
            let Country { grid, costs, .. } = &countries[q.country];
            let shut = |a: Hex, b: Hex| plan.sides && grid.dir(a, b).and_then(|d| costs.step(a, d)).is_none();
            let field = plain::flood(grid, &Trace::new(&q.sources, &q.open), shut);
            plain::set(&field).iter().map(|h| (h, 0)).collect()
        })
        .collect();
    let mut room = Flood::new();
    let ours = Contender {
        name: "ours",
        solve: Box::new(|i, full| {
            let q = &queries[i];
            let trace = Trace { sides: trace(q), ..Trace::new(&q.sources, &q.open) };
            let set = room.fill(&countries[q.country].grid, &trace);
            if let Some(full) = full {
                full.extend(set.iter().map(|h| (h, 0)));
            }
            room.count()
        }),
    };
    let graph = Contender {
        name: GRAPH,
        solve: Box::new(|i, mut full| {
            let q = &queries[i];
            let graph = &lists[q.country].graph;
            let open = NodeFiltered::from_fn(graph, |n: u32| q.open_bytes[n as usize]);
            let mut bfs = Bfs { discovered: graph.visit_map(), ..Bfs::default() };
            for &seed in &seeds[i] {
                bfs.discovered.insert(seed.into());
                bfs.stack.push_back(seed.into());
            }
            let mut count = 0;
            while let Some(n) = bfs.next(&open) {
                note(&mut full, Hex(n as u16));
                count += 1;
            }
            count
        }),
    };
    let careful = Contender {
        name: "pathfinding bfs_reach, integer keys",
        solve: Box::new(|i, mut full| {
            // The crate takes one start: a node beyond the grid leads to all sources.
            let (q, to, root) = (&queries[i], &lists[queries[i].country].to, u16::MAX);
            let found = bfs_reach(root, |&n| {
                let list: &[(u16, u32)] = if n == root { &[] } else { &to[n as usize] };
                let seeds: &[u16] = if n == root { &seeds[i] } else { &[] };
                let open = list.iter().map(|l| l.0).filter(|&l| q.open_bytes[l as usize]);
                seeds.iter().copied().chain(open).collect::<Vec<_>>()
            });
            found.filter(|&n| n != root).inspect(|&n| note(&mut full, Hex(n))).count()
        }),
    };
    let hashed = Contender {
        name: "hexx neighbours and hash sets",
        solve: Box::new(|i, full| {
            let q = &queries[i];
            let grid = &countries[q.country].grid;
            let mut seen: HashSet<hexx::Hex> = seeds[i].iter().map(|&h| theirs(grid, Hex(h))).collect();
            let mut queue: VecDeque<hexx::Hex> = seen.iter().copied().collect();
            while let Some(at) = queue.pop_front() {
                for n in at.all_neighbors() {
                    let crossed = !plan.sides || tiles[q.country].step(at, n).is_some();
                    if crossed && q.their_open.contains(&n) && seen.insert(n) {
                        queue.push_back(n);
                    }
                }
            }
            if let Some(full) = full {
                full.extend(grid.hexes().filter(|&h| seen.contains(&theirs(grid, h))).map(|h| (h, 0)));
            }
            seen.len()
        }),
    };
    let timed = contest::run(name, report.rounds, &expected, vec![ours, graph, careful, hashed])?;
    report.add(name, &timed, &plan.wanted);
    Ok(())
}

/// The lists of a board on which every side may be crossed: supply asks only for hexes here.
fn all_sides(country: &Country) -> Result<Lists, String> {
    Lists::new(&Country::new(country.grid.clone(), 1, |_, _, _| Some(1))?)
}

fn note(full: &mut Option<&mut Answer>, hex: Hex) {
    if let Some(full) = full {
        full.push((hex, 0));
    }
}
