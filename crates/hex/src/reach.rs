//! Reach: all hexes within a movement budget, with cost and the way back; and the cheapest path.

use crate::ticks::Room;
use crate::{Costs, Dir, Grid, Hex, HexSet, March, Route};

/// The room to work out moves in, kept by the caller and used again: no query allocates once it has grown.
///
/// ```
/// use hex::{Costs, Grid, GridSpec, HexSet, March, Parity, Reach, Span};
/// # use verst_hex as hex;
/// let grid = Grid::new(&GridSpec::rectangle(Span::new(1, 12), Span::new(1, 10), Parity::Even))?;
/// let costs = Costs::new(&grid, |_, _, _| Some(1))?;
/// let enemy: HexSet = grid.find("0505").into_iter().collect();
/// let zone = enemy.dilate(&grid);
/// let start = [grid.find("0305").unwrap()];
/// let mut room = Reach::new();
/// let march = March { blocked: &enemy, stop: &zone, ..March::new(&start, 4) };
/// let reached = room.run(&grid, &costs, &march);
/// let behind = grid.find("0605").unwrap();
/// assert_eq!(reached.cost(behind), None);
/// assert_eq!(reached.cost(grid.find("0405").unwrap()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reach {
    room: Room,
}

/// The room for the ways to all hexes of a move, kept by the caller and used again.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    by_hex: Vec<Option<Route>>,
}

impl Ways {
    /// An empty room.
    pub fn new() -> Ways {
        Ways::default()
    }
}

/// What a move can reach.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    room: &'a Room,
    grid: &'a Grid,
    costs: &'a Costs,
    march: March<'a>,
}

impl Reach {
    /// An empty room.
    pub fn new() -> Reach {
        Reach::default()
    }

    /// Works out a move.
    pub fn run<'a>(&'a mut self, grid: &'a Grid, costs: &'a Costs, march: &March<'a>) -> Reached<'a> {
        self.room.settle(grid, costs, march, Hex::NONE);
        Reached { room: &self.room, grid, costs, march: *march }
    }

    /// The cheapest way to one hex, whatever it costs: writes its hexes, start and goal included, and says the ticks.
    /// The budget of the move is not asked; none if there is no way at all.
    pub fn path(
        &mut self,
        grid: &Grid,
        costs: &Costs,
        march: &March<'_>,
        goal: Hex,
        way: &mut Vec<Hex>,
    ) -> Option<u16> {
        let march = March { budget: u16::MAX, ..*march };
        self.room.settle(grid, costs, &march, goal);
        let reached = Reached { room: &self.room, grid, costs, march };
        way.clear();
        // The search ends with the tick that settles the goal.
        let cost = reached.set().contains(goal).then(|| self.room.ticks() as u16 - 1)?;
        way.extend(reached.back_from(goal, cost));
        way.reverse();
        Some(cost)
    }
}

impl Reached<'_> {
    /// The hexes reached, the starts among them.
    pub fn set(&self) -> &HexSet {
        &self.room.reached
    }

    /// How many hexes are reached, the starts among them.
    pub fn count(&self) -> usize {
        self.room.count
    }

    /// For each tick in turn, how many hexes are reached at just that cost.
    pub fn counts(&self) -> impl Iterator<Item = (u16, usize)> + '_ {
        (0..self.room.ticks())
            .map(|tick| (tick as u16, self.room.rows(tick).map(|(_, word)| word.count_ones() as usize).sum()))
    }

    /// The hexes reached with their cost, cheapest first.
    pub fn iter(&self) -> impl Iterator<Item = (Hex, u16)> + '_ {
        (0..self.room.ticks()).flat_map(move |tick| {
            self.room.rows(tick).flat_map(move |(row, mut word)| {
                std::iter::from_fn(move || {
                    let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                    word &= word - 1;
                    Some((Hex((row * 64 + bit) as u16), tick as u16))
                })
            })
        })
    }

    /// The ticks that it takes to reach a hex, or none if it is not reached.
    pub fn cost(&self, hex: Hex) -> Option<u16> {
        if !self.room.reached.contains(hex) {
            return None;
        }
        (0..self.room.ticks()).find(|&t| self.room.holds(t, hex)).map(|t| t as u16)
    }

    /// Writes the ticks of every hex reached into an array indexed by hexes; the others are left as they are.
    pub fn fill(&self, costs: &mut [u16]) {
        for (hex, cost) in self.iter() {
            if let Some(place) = costs.get_mut(hex.ix()) {
                *place = cost;
            }
        }
    }

    /// The hexes of a cheapest way to a hex, backwards from it to a start. Of several, at each hex the one that comes
    /// from the first direction clockwise from north. Empty if the hex is not reached.
    pub fn back(&self, hex: Hex) -> impl Iterator<Item = Hex> + '_ {
        self.cost(hex).into_iter().flat_map(move |cost| self.back_from(hex, cost))
    }

    /// As [`Reached::back`], for a hex whose cost is known.
    fn back_from(&self, hex: Hex, cost: u16) -> impl Iterator<Item = Hex> + '_ {
        let mut next = Some((hex, cost));
        std::iter::from_fn(move || {
            let (at, cost) = next?;
            next = self.before(at, cost);
            Some(at)
        })
    }

    /// Where a cheapest way to a hex comes from, and at what cost.
    #[inline]
    fn before(&self, hex: Hex, cost: u16) -> Option<(Hex, u16)> {
        if cost == 0 {
            return None;
        }
        let plain = !self.march.surcharge();
        Dir::ALL.into_iter().zip(self.grid.six(hex)).find_map(|(dir, &from)| {
            let ticks = self.costs.raw(from, dir.opposite());
            if ticks == Costs::NEVER {
                return None;
            }
            // Without surcharges the ticks alone say when the hex before was settled, and nearly always that it was
            // not: the other questions are put last.
            if plain && !cost.checked_sub(ticks.into()).is_some_and(|t| self.room.holds(t.into(), from)) {
                return None;
            }
            let step = self.march.step(self.grid, self.costs, from, dir.opposite())?;
            let before = cost.checked_sub(step)?;
            self.room.holds(before.into(), from).then_some((from, before))
        })
    }

    /// Hands over every hex reached with its cost and a cheapest way, as [`Reached::route`] gives it, cheapest first.
    /// The ways grow along with the cost, which is much quicker than asking for them one by one. A hex whose way has
    /// more than [`Route::MOST`] steps is passed over.
    pub fn each_way(&self, ways: &mut Ways, mut visit: impl FnMut(Hex, u16, Route)) {
        ways.by_hex.resize(ways.by_hex.len().max(self.grid.len()), None);
        for (hex, cost) in self.iter() {
            let way = match self.before(hex, cost) {
                None => Some(Route::from(hex)),
                Some((from, _)) => self.grid.dir(from, hex).and_then(|dir| ways.by_hex[from.ix()]?.push(dir)),
            };
            ways.by_hex[hex.ix()] = way;
            if let Some(way) = way {
                visit(hex, cost, way);
            }
        }
    }

    /// A cheapest way to a hex, as [`Reached::back`] chooses it; none if the hex is not reached or the way has more
    /// than [`Route::MOST`] steps.
    pub fn route(&self, hex: Hex) -> Option<Route> {
        Route::back(self.grid, self.back(hex))
    }
}
