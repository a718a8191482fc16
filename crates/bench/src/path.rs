//! The cheapest path from corner to corner.
//!
//! On the board of a game we want ten times the best peer. The drill's board is exempt from that, though not from the
//! table: there a guided search looks at some forty hexes only, and what a row of bits does for all hexes at once has
//! little left to save. Five times is wanted there.

use hex::{Hex, March, Reach, plain};
use pathfinding::prelude::{astar, dijkstra};

use crate::contest::{self, Answer, Contender};
use crate::country::{Country, Lots};
use crate::peers::{Lists, Tiles, theirs};
use crate::report::Report;

/// Adds the row for one kind of board. The answer is the goal with the cost of the path to it.
pub fn run(report: &mut Report, board: &str, countries: &[Country]) -> Result<(), String> {
    let name = format!("path from corner to corner, {board}");
    if !report.wants(&name) {
        return Ok(());
    }
    let mut lots = Lots(0xc0a5);
    let mut queries = Vec::new();
    let mut expected: Vec<Answer> = Vec::new();
    for (i, country) in countries.iter().enumerate() {
        let (grid, land) = (&country.grid, &country.land);
        let ends = [land.first(), land.iter().last()].map(|h| h.unwrap_or(Hex::NONE));
        let corners = ends.map(|end| land.iter().filter(|&h| grid.distance(h, end) < 10).collect());
        // Not every pair is joined by land.
        let mut found = 0;
        for _ in 0..64 {
            if found == 16 {
                break;
            }
            let [start, goal] = [&corners[0], &corners[1]].map(|c| lots.hex(c));
            let march = March::new(std::slice::from_ref(&start), u16::MAX);
            if let Some(cost) = plain::reach(grid, &country.costs, &march)[goal.ix()] {
                queries.push((i, [start], goal));
                expected.push(vec![(goal, cost)]);
                found += 1;
            }
        }
    }
    if queries.is_empty() {
        return Ok(());
    }
    let lists = countries.iter().map(Lists::new).collect::<Result<Vec<_>, _>>()?;
    let tiles: Vec<Tiles> = countries.iter().map(Tiles::new).collect();
    let (mut room, mut way) = (Reach::new(), Vec::new());
    let answer = |full: Option<&mut Answer>, goal: Hex, cost: Option<u32>| {
        if let (Some(full), Some(cost)) = (full, cost) {
            full.push((goal, cost as u16));
        }
        usize::from(cost.is_some())
    };
    let ours = Contender {
        name: "ours",
        solve: Box::new(|i, full| {
            let (country, start, goal) = &queries[i];
            let country = &countries[*country];
            let cost = room.path(&country.grid, &country.costs, &March::new(start, 0), *goal, &mut way);
            answer(full, *goal, cost.map(u32::from))
        }),
    };
    let careful = Contender {
        name: "pathfinding dijkstra, integer keys",
        solve: Box::new(|i, full| {
            let (country, [start], goal) = &queries[i];
            let to = &lists[*country].to;
            let found = dijkstra(&start.0, |&n| to[n as usize].iter().copied(), |&n| n == goal.0);
            answer(full, *goal, found.map(|f| f.1))
        }),
    };
    let star = Contender {
        name: "pathfinding astar, integer keys",
        solve: Box::new(|i, full| {
            let (country, [start], goal) = &queries[i];
            let (to, grid) = (&lists[*country].to, &countries[*country].grid);
            let guess = |&n: &u16| grid.distance(Hex(n), *goal);
            let found = astar(&start.0, |&n| to[n as usize].iter().copied(), guess, |&n| n == goal.0);
            answer(full, *goal, found.map(|f| f.1))
        }),
    };
    let graph = Contender {
        name: "petgraph astar",
        solve: Box::new(|i, full| {
            let (country, [start], goal) = &queries[i];
            let (graph, grid) = (&lists[*country].graph, &countries[*country].grid);
            let guess = |n: u32| grid.distance(Hex(n as u16), *goal);
            let weight = |e: petgraph::csr::EdgeReference<'_, u32, petgraph::Directed, u32>| {
                *petgraph::visit::EdgeRef::weight(&e)
            };
            let found =
                petgraph::algo::astar(graph, start.0.into(), |n| n == u32::from(goal.0), weight, guess);
            answer(full, *goal, found.map(|f| f.0))
        }),
    };
    let tile = Contender {
        name: "hexx a_star",
        solve: Box::new(|i, full| {
            let (country, [start], goal) = &queries[i];
            let (tiles, grid) = (&tiles[*country], &countries[*country].grid);
            let ends = (theirs(grid, *start), theirs(grid, *goal));
            let found = hexx::algorithms::a_star(ends.0, ends.1, |a, b| tiles.step(a, b));
            let price = |way: Vec<hexx::Hex>| way.windows(2).filter_map(|w| tiles.step(w[0], w[1])).sum();
            answer(full, *goal, found.map(price))
        }),
    };
    let timed = contest::run(&name, report.rounds, &expected, vec![ours, careful, star, graph, tile])?;
    let small = countries.iter().all(|c| c.land.count() < 256);
    report.add(&name, &timed, &|_| Some(if small { 5.0 } else { 10.0 }));
    Ok(())
}
