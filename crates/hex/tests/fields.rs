//! Each fast field against its plain namesake, on boards drawn at random.

mod common;

use common::any_grid;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use verst_hex::{
    Costs, Dir, Edge, Flood, Grid, Hex, HexSet, Lines, March, Reach, Route, Sides, Trace, Ways, plain,
};

/// A board: ground, rivers, roads and closed sides, drawn by lot.
#[derive(Clone, Debug)]
struct Board {
    grid: Grid,
    ground: Vec<u16>,
    river: Vec<u16>,
    road: Vec<u16>,
    shut: Vec<bool>,
}

impl Board {
    /// Ticks of a step: the ground, an extra for a river, or the rate of a road; nothing over a closed side.
    fn ticks(&self, from: Hex, dir: Dir, to: Hex) -> Option<u16> {
        let side = Edge::new(&self.grid, from, dir)?.ix();
        let ground = self.ground[to.ix()];
        if ground == 0 || self.shut[side] {
            return None;
        }
        // Rivers are dearer downstream than up, so that the two ways across a side differ.
        let river = if dir.ix() < 3 { self.river[side] } else { self.river[side] / 2 };
        Some(if self.road[side] > 0 { self.road[side] } else { ground + river })
    }

    fn costs(&self) -> Costs {
        Costs::new(&self.grid, |from, dir, to| self.ticks(from, dir, to)).expect("all costs are in bounds")
    }

    fn pick(&self, index: &Index) -> Hex {
        self.grid.all().nth(index.index(self.grid.count())).expect("the grid has a hex there")
    }

    fn draw(&self, share: u32, mut seed: u64) -> HexSet {
        let mut lot = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32 % 100
        };
        self.grid.hexes().filter(|_| lot() < share).collect()
    }
}

fn any_board() -> impl Strategy<Value = Board> {
    // Whole points, half points and thirds of very different sizes, so that the split meets all sorts of tables.
    let scale = prop_oneof![Just(1u16), Just(2), Just(3), Just(7), Just(20)];
    let grid = prop_oneof![3 => any_grid(14, 14), 1 => any_grid(64, 88)];
    (grid, scale, any::<u64>(), 0..40u64, 0..40u64).prop_map(|(grid, scale, seed, rivers, roads)| {
        let mut seed = seed;
        let mut lot = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        let ground = (0..grid.len()).map(|_| if lot(12) == 0 { 0 } else { scale * (1 + lot(4) as u16) });
        let ground = ground.collect();
        let sides = grid.edge_len();
        let river =
            (0..sides).map(|_| if lot(100) < rivers { scale * (1 + lot(3) as u16) } else { 0 }).collect();
        let road = (0..sides).map(|_| if lot(100) < roads { (scale / 2).max(1) } else { 0 }).collect();
        let shut = (0..sides).map(|_| lot(20) == 0).collect();
        Board { grid, ground, river, road, shut }
    })
}

/// What stands in the way: shares of blocked, stopping and zone hexes, then the terms.
fn any_terms() -> impl Strategy<Value = (u32, u32, u32, u64, u16, u16, bool)> {
    let share = || prop_oneof![Just(0u32), Just(10), Just(30)];
    (share(), share(), share(), any::<u64>(), 0..9u16, 0..9u16, any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn reach_agrees_with_the_plain_one(board in any_board(), starts in vec(any::<Index>(), 1..4), terms in any_terms(), budget in 0..90u16, again in any::<Index>()) {
        let (grid, costs) = (&board.grid, board.costs());
        let (blocked, stop, zoc, seed, zoc_enter, zoc_leave, zoc_to_zoc) = terms;
        let (blocked, stop, zoc) = (board.draw(blocked, seed), board.draw(stop, seed ^ 77), board.draw(zoc, seed ^ 99));
        let starts: Vec<Hex> = starts.iter().map(|i| board.pick(i)).collect();
        let other = [board.pick(&again)];
        let march = March { blocked: &blocked, stop: &stop, zoc: &zoc, zoc_enter, zoc_leave, zoc_to_zoc, ..March::new(&starts, budget) };
        let (mut room, mut ways) = (Reach::new(), Ways::new());
        // The room is used twice, the second time smaller: nothing of the first move may show in the second.
        for march in [march, March { starts: &other, budget: budget / 2, ..march }] {
            let wanted = plain::reach(grid, &costs, &march);
            let reached = room.run(grid, &costs, &march);
            prop_assert_eq!(reached.set(), &plain::set(&wanted));
            let mut field = vec![u16::MAX; grid.len()];
            reached.fill(&mut field);
            for hex in grid.hexes() {
                prop_assert_eq!(reached.cost(hex), wanted[hex.ix()], "{}", grid.name(hex));
                prop_assert_eq!(field[hex.ix()], wanted[hex.ix()].unwrap_or(u16::MAX));
            }
            prop_assert_eq!((reached.iter().count(), reached.count()), (reached.set().count(), reached.set().count()));
            prop_assert_eq!(reached.counts().map(|c| c.1).sum::<usize>(), reached.set().count());
            let mut listed = Vec::new();
            reached.each_way(&mut ways, |hex, cost, way| listed.push((cost, hex, way)));
            prop_assert!(listed.is_sorted_by_key(|&(cost, _, _)| cost));
            listed.sort_by_key(|&(_, hex, _)| hex);
            let asked = reached.set().iter().filter_map(|h| Some((reached.cost(h)?, h, reached.route(h)?)));
            prop_assert_eq!(listed, asked.collect::<Vec<_>>());
            for hex in reached.set() {
                let back: Vec<Hex> = reached.back(hex).collect();
                let ends = back.last().is_some_and(|h| march.starts.contains(h));
                prop_assert!(back[0] == hex && ends);
                let route = reached.route(hex);
                prop_assert_eq!(route.is_some(), back.len() <= Route::MOST + 1);
                if let Some(route) = route {
                    prop_assert_eq!((route.end(grid), route.len()), (hex, back.len() - 1));
                    prop_assert_eq!(march.price(grid, &costs, route), wanted[hex.ix()]);
                }
            }
        }
    }

    #[test]
    fn a_path_costs_what_the_plain_reach_says(board in any_board(), a in any::<Index>(), b in any::<Index>(), terms in any_terms()) {
        let (grid, costs) = (&board.grid, board.costs());
        let (blocked, stop, zoc, seed, zoc_enter, zoc_leave, zoc_to_zoc) = terms;
        let (blocked, stop, zoc) = (board.draw(blocked, seed), board.draw(stop, seed ^ 77), board.draw(zoc, seed ^ 99));
        let (starts, goal) = ([board.pick(&a)], board.pick(&b));
        let march = March { blocked: &blocked, stop: &stop, zoc: &zoc, zoc_enter, zoc_leave, zoc_to_zoc, ..March::new(&starts, 0) };
        let wanted = plain::reach(grid, &costs, &March { budget: u16::MAX, ..march })[goal.ix()];
        let mut way = Vec::new();
        let found = Reach::new().path(grid, &costs, &march, goal, &mut way);
        prop_assert_eq!(found, wanted);
        match found {
            None => prop_assert!(way.is_empty()),
            Some(cost) => {
                let steps = way.windows(2).map(|w| march.step(grid, &costs, w[0], grid.dir(w[0], w[1])?));
                prop_assert_eq!(steps.sum::<Option<u16>>(), Some(cost));
                prop_assert_eq!((way.first(), way.last()), (Some(&starts[0]), Some(&goal)));
            }
        }
    }

    #[test]
    fn flood_agrees_with_the_plain_one(board in any_board(), shares in (0..20u32, 50..101u32, 0..70u32), seed in any::<u64>(), steps in proptest::option::of(0..30u16), run in proptest::option::of(0..6u8), walls in any::<bool>()) {
        let grid = &board.grid;
        let (sources, open, rough) = (board.draw(shares.0, seed), board.draw(shares.1, seed ^ 5), board.draw(shares.2, seed ^ 6));
        let closed = |edge: Edge| walls && board.shut[edge.ix()];
        let sides = Sides::new(grid, closed);
        let trace = Trace { sides: walls.then_some(&sides), steps, rough: &rough, rough_run: run, ..Trace::new(&sources, &open) };
        let wanted = plain::flood(grid, &trace, |a, b| Edge::between(grid, a, b).is_none_or(closed));
        let mut room = Flood::new();
        prop_assert_eq!(room.fill(grid, &trace), &plain::set(&wanted));
        prop_assert_eq!(room.count(), plain::set(&wanted).count());
        let traced = room.trace(grid, &trace);
        prop_assert_eq!(traced.set(), &plain::set(&wanted));
        let mut field = vec![u16::MAX; grid.len()];
        traced.fill(&mut field);
        for hex in grid.hexes() {
            prop_assert_eq!(traced.steps(hex), wanted[hex.ix()], "{}", grid.name(hex));
            prop_assert_eq!(field[hex.ix()], wanted[hex.ix()].unwrap_or(u16::MAX));
        }
        for hex in traced.set() {
            let line: Vec<Hex> = traced.back(hex).collect();
            prop_assert_eq!(line.len() as u16 - 1, wanted[hex.ix()].expect("it is in the set"));
            prop_assert!(line.last().is_some_and(|&h| sources.contains(h)));
            prop_assert!(line.iter().all(|&h| open.contains(h)));
            prop_assert!(line.windows(2).all(|w| Edge::between(grid, w[0], w[1]).is_some_and(|e| !closed(e))));
            if let Some(run) = run {
                let entered = &line[..line.len() - 1];
                let longest = entered.split(|&h| !rough.contains(h)).map(<[Hex]>::len).max();
                prop_assert!(longest.unwrap_or(0) <= run as usize);
            }
            prop_assert_eq!(traced.route(hex).is_some(), line.len() <= Route::MOST + 1);
        }
        // The same room without limits, after it held something else.
        let free = Trace { steps: None, rough_run: None, ..trace };
        let wanted = plain::flood(grid, &free, |a, b| Edge::between(grid, a, b).is_none_or(closed));
        prop_assert_eq!(room.fill(grid, &free), &plain::set(&wanted));
        prop_assert_eq!(room.count(), plain::set(&wanted).count());
    }

    #[test]
    fn lines_agree_with_the_plain_ones(board in any_board(), shares in (0..9u32, 0..9u32, 50..101u32, 0..60u32, 0..20u32), seed in any::<u64>(), steps in 0..9usize, walls in 0..40u32) {
        let grid = &board.grid;
        let draw = |share, salt: u64| board.draw(share, seed ^ salt.wrapping_mul(0x9e37_79b9));
        let (ends, beyond, open) = (draw(shares.0, 1), draw(shares.1, 2), draw(shares.2, 3));
        let (rough, shut) = (draw(shares.3, 4), draw(shares.4, 5));
        let ways: [HexSet; 6] = std::array::from_fn(|d| draw(100 - walls, 10 + d as u64));
        let dear: [HexSet; 6] = std::array::from_fn(|d| draw(30, 20 + d as u64));
        let lines = Lines { ends: &ends, beyond: &beyond, open: &open, shut: &shut, ways: &ways, dear: &dear, rough: &rough };
        let (mut near, mut far, mut alone) = (draw(50, 30), draw(50, 31), HexSet::empty());
        lines.trace(grid, steps, &mut near, &mut far);
        lines.within(grid, steps, &mut alone);
        prop_assert_eq!(&near, &plain::lines(grid, &lines, Some(steps)));
        prop_assert_eq!(&far, &plain::lines(grid, &lines, None));
        prop_assert_eq!(&near, &alone);
    }
}
