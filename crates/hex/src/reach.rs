//! Reach: all hexes within a movement budget, with cost and the way back.
//!
//! Hexes are settled tick by tick, a row of the map at a time. Each tick has two passes over the rows that movement
//! has touched so far. The first gathers the hexes that are entered at this tick: for each pair of a class of ground
//! and a kind of side, those that were stepped to across such a side as many ticks ago as that costs. The second steps
//! from the hexes just settled in all six directions and keeps, for each kind of side, where that leads. There is no
//! queue, and the work depends on ticks and rows, not on hexes.

use crate::block::{BLOCKS, Block, LANES, across, inside, step};
use crate::costs::{Costs, Term};
use crate::{Dir, Grid, Hex, HexSet, Route};

static NOWHERE: HexSet = HexSet::empty();

/// One move to be worked out: from where, with how many ticks, and what stands in the way.
///
/// Starts are exempt from `blocked` and may leave `stop`. Hexes of `zoc` cost `zoc_enter` ticks more to enter and
/// `zoc_leave` more to leave, and if `zoc_to_zoc` is false no step leads from one of them straight into another.
#[derive(Clone, Copy, Debug)]
pub struct March<'a> {
    /// Where the move begins; the nearest of several counts.
    pub starts: &'a [Hex],
    /// The ticks to spend.
    pub budget: u16,
    /// Hexes that may not be entered.
    pub blocked: &'a HexSet,
    /// Hexes that may be entered but not left.
    pub stop: &'a HexSet,
    /// Hexes with the surcharges below.
    pub zoc: &'a HexSet,
    /// Ticks more to enter a hex of `zoc`.
    pub zoc_enter: u16,
    /// Ticks more to leave a hex of `zoc`.
    pub zoc_leave: u16,
    /// True if a step may lead from a hex of `zoc` into another.
    pub zoc_to_zoc: bool,
}

impl<'a> March<'a> {
    /// A move with nothing in the way.
    pub fn new(starts: &'a [Hex], budget: u16) -> March<'a> {
        March {
            starts,
            budget,
            blocked: &NOWHERE,
            stop: &NOWHERE,
            zoc: &NOWHERE,
            zoc_enter: 0,
            zoc_leave: 0,
            zoc_to_zoc: true,
        }
    }

    /// The ticks of one step of this move, or none if it is not allowed.
    pub fn step(&self, grid: &Grid, costs: &Costs, from: Hex, dir: Dir) -> Option<u16> {
        let to = grid.neighbour(from, dir)?;
        let (out, into) = (self.zoc.contains(from), self.zoc.contains(to));
        let stuck = self.stop.contains(from) && !self.starts.contains(&from);
        if stuck || self.blocked.contains(to) || (out && into && !self.zoc_to_zoc) {
            return None;
        }
        let extra = if out { self.zoc_leave } else { 0 } + if into { self.zoc_enter } else { 0 };
        Some(costs.step(from, dir)? + extra)
    }

    /// The ticks of a whole route under the terms of this move, or none if a step is not allowed or it begins
    /// elsewhere. The budget is not asked.
    pub fn price(&self, grid: &Grid, costs: &Costs, route: Route) -> Option<u16> {
        if !self.starts.contains(&route.start()) {
            return None;
        }
        let mut at = route.start();
        let mut sum = 0u16;
        for (i, dir) in route.dirs().enumerate() {
            if i > 0 && self.stop.contains(at) {
                return None;
            }
            sum = sum.checked_add(self.step(grid, costs, at, dir)?)?;
            at = grid.neighbour(at, dir)?;
        }
        Some(sum)
    }
}

/// The room to work out moves in, kept by the caller and used again: no query allocates once it has grown.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// By block, tick (in a ring) and kind: where the steps of that tick led.
    ring: Vec<Block>,
    /// By tick and block: the hexes settled at that tick. Only the blocks of `windows` hold anything.
    levels: Vec<Block>,
    windows: Vec<(u8, u8)>,
    seen: Vec<Block>,
    /// The hexes that set out at this tick, and those among them that may not step into `zoc`; by block, from 1.
    out: Vec<Block>,
    late: Vec<Block>,
    reached: HexSet,
    count: usize,
}

/// What a move can reach.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    room: &'a Reach,
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
        self.settle(grid, costs, march, Hex::NONE);
        Reached { room: self, grid, costs, march: *march }
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
        self.settle(grid, costs, &march, goal);
        let reached = Reached { room: self, grid, costs, march };
        way.clear();
        way.extend(reached.back(goal));
        way.reverse();
        reached.cost(goal)
    }

    fn settle(&mut self, grid: &Grid, costs: &Costs, march: &March<'_>, goal: Hex) {
        let surcharge = march.zoc_enter > 0 || march.zoc_leave > 0 || !march.zoc_to_zoc;
        if surcharge && !march.zoc.is_empty() {
            self.ticks::<true>(grid, costs, march, goal);
        } else {
            self.ticks::<false>(grid, costs, march, goal);
        }
    }

    #[inline(always)]
    fn ticks<const ZOC: bool>(&mut self, grid: &Grid, costs: &Costs, march: &March<'_>, goal: Hex) {
        self.windows.clear();
        self.reached.clear();
        self.count = 0;
        let mut starts = [Block::ZERO; BLOCKS];
        let (mut lo, mut hi) = (BLOCKS, 0);
        for &start in march.starts.iter().filter(|&&h| grid.has(h)) {
            let (block, lane) = (start.ix() / 64 / LANES, start.ix() / 64 % LANES);
            starts[block].0[lane] |= 1 << (start.ix() % 64);
            (lo, hi) = (lo.min(block), hi.max(block));
        }
        if lo > hi {
            return;
        }
        let (enter, leave) = if ZOC { (march.zoc_enter as usize, march.zoc_leave as usize) } else { (0, 0) };
        let kinds = costs.kinds;
        // The longest wait between settling a hex and settling one stepped to from it.
        let wait = costs.most as usize + enter + leave;
        let slots = (costs.most as usize + enter + 1).next_power_of_two();
        let span = slots * kinds;
        // No more rows than these can be touched, so no others need clearing.
        let rows = (march.budget / costs.least) as usize;
        let first = (lo * LANES).saturating_sub(rows) / LANES;
        let last = ((hi * LANES + LANES - 1 + rows) / LANES).min(BLOCKS - 1);
        if self.ring.len() < BLOCKS * span {
            self.ring.resize(BLOCKS * span, Block::ZERO);
        }
        self.ring[first * span..(last + 1) * span].fill(Block::ZERO);
        for out in [&mut self.out, &mut self.late] {
            out.clear();
            out.resize(BLOCKS + 2, Block::ZERO);
        }
        self.seen.resize(BLOCKS, Block::ZERO);
        for at in first..=last {
            self.seen[at] = Block::of(&march.blocked.words, at);
        }
        let mut quiet = 0;
        let mut tick = 0usize;
        loop {
            if self.levels.len() < (tick + 1) * BLOCKS {
                self.levels.resize((tick + 16) * BLOCKS, Block::ZERO);
            }
            let (before, level) = self.levels[..(tick + 1) * BLOCKS].split_at_mut(tick * BLOCKS);
            let mut any = 0;
            for at in lo..=hi {
                let mut here = starts[at];
                if tick > 0 {
                    let ring = &self.ring[at * span..(at + 1) * span];
                    let grounds = &costs.grounds[at * costs.classes..(at + 1) * costs.classes];
                    here = gather(&costs.terms, ring, grounds, tick, slots, kinds);
                    if ZOC {
                        let zoc = Block::of(&march.zoc.words, at);
                        // Hexes of the zone are entered later than their ground alone would have it. Before the
                        // first tick the ring is empty, so this finds nothing too early.
                        let late =
                            gather(&costs.terms, ring, grounds, tick.wrapping_sub(enter), slots, kinds);
                        here = here.minus(zoc).or(late.and(zoc));
                    }
                    here = here.minus(self.seen[at]);
                }
                self.seen[at] = self.seen[at].or(here);
                level[at] = here;
                any |= here.any();
                let stop = Block::of(&march.stop.words, at);
                let mut out = if tick > 0 { here.minus(stop) } else { here };
                if ZOC {
                    let zoc = Block::of(&march.zoc.words, at);
                    // Hexes of the zone set out later, by what it costs to leave them.
                    let mut late = match tick.checked_sub(leave) {
                        Some(then) if then == tick => here,
                        Some(then) if inside(self.windows[then], at) => before[then * BLOCKS + at],
                        _ => Block::ZERO,
                    };
                    if tick > leave {
                        late = late.minus(stop);
                    }
                    let late = late.and(zoc);
                    out = out.minus(zoc);
                    if march.zoc_to_zoc {
                        out = out.or(late);
                    } else {
                        self.late[at + 1] = late;
                    }
                }
                self.out[at + 1] = out;
            }
            self.windows.push((lo as u8, hi as u8));
            quiet = if any == 0 { quiet + 1 } else { 0 };
            let found = goal.ix() / 64 < BLOCKS * LANES
                && level[goal.ix() / 64 / LANES].0[goal.ix() / 64 % LANES] >> (goal.ix() % 64) & 1 != 0;
            if tick == march.budget as usize || quiet > wait || found {
                break;
            }
            let (top, bottom) = (lo + 1, hi + 1);
            if self.out[top].0[0] | self.late[top].0[0] != 0 && lo > first {
                lo -= 1;
            }
            if self.out[bottom].0[LANES - 1] | self.late[bottom].0[LANES - 1] != 0 && hi < last {
                hi += 1;
            }
            let slot = (tick & (slots - 1)) * kinds;
            for at in lo..=hi {
                let ring = &mut self.ring[at * span + slot..at * span + slot + kinds];
                let sides = &costs.sides[at * kinds..(at + 1) * kinds];
                let mut steps = step(&self.out[at..at + 3], costs.lower);
                if ZOC && !march.zoc_to_zoc {
                    let zoc = Block::of(&march.zoc.words, at);
                    let late = step(&self.late[at..at + 3], costs.lower);
                    steps = std::array::from_fn(|i| steps[i].or(late[i].minus(zoc)));
                }
                for (ring, sides) in ring.iter_mut().zip(sides) {
                    *ring = across(&steps, sides);
                }
            }
            tick += 1;
        }
        let rows = self.reached.words.chunks_exact_mut(LANES).zip(starts).enumerate();
        for (at, (words, start)) in rows.take(hi + 1).skip(lo) {
            let here = self.seen[at].minus(Block::of(&march.blocked.words, at)).or(start);
            words.copy_from_slice(&here.0);
            self.count += here.0.iter().map(|w| w.count_ones() as usize).sum::<usize>();
        }
    }
}

/// The hexes entered at a tick.
#[inline(always)]
fn gather(
    terms: &[Term],
    ring: &[Block],
    grounds: &[Block],
    tick: usize,
    slots: usize,
    kinds: usize,
) -> Block {
    let mut here = Block::ZERO;
    for term in terms {
        let slot = tick.wrapping_sub(term.cost as usize) & (slots - 1);
        here = here.or(ring[slot * kinds + term.kind as usize].and(grounds[term.class as usize]));
    }
    here
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
        self.room.windows.iter().enumerate().map(|(tick, &(lo, hi))| {
            let blocks = &self.room.levels[tick * BLOCKS + lo as usize..=tick * BLOCKS + hi as usize];
            (tick as u16, blocks.iter().flat_map(|b| b.0).map(|w| w.count_ones() as usize).sum())
        })
    }

    /// The hexes reached with their cost, cheapest first.
    pub fn iter(&self) -> impl Iterator<Item = (Hex, u16)> + '_ {
        self.room.windows.iter().enumerate().flat_map(move |(tick, &(lo, hi))| {
            (lo as usize..=hi as usize).flat_map(move |at| {
                self.room.levels[tick * BLOCKS + at].0.into_iter().enumerate().flat_map(
                    move |(lane, mut word)| {
                        std::iter::from_fn(move || {
                            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                            word &= word - 1;
                            Some((Hex((((at * LANES) + lane) * 64 + bit) as u16), tick as u16))
                        })
                    },
                )
            })
        })
    }

    fn at_level(&self, tick: usize, hex: Hex) -> bool {
        let (row, bit) = (hex.ix() / 64, hex.ix() % 64);
        let at = row / LANES;
        self.room.windows.get(tick).is_some_and(|&window| inside(window, at))
            && self.room.levels[tick * BLOCKS + at].0[row % LANES] >> bit & 1 != 0
    }

    /// The ticks that it takes to reach a hex, or none if it is not reached.
    pub fn cost(&self, hex: Hex) -> Option<u16> {
        if !self.room.reached.contains(hex) {
            return None;
        }
        (0..self.room.windows.len()).find(|&t| self.at_level(t, hex)).map(|t| t as u16)
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
        let mut next = self.cost(hex).map(|cost| (hex, cost));
        std::iter::from_fn(move || {
            let (at, cost) = next?;
            next = self.before(at, cost);
            Some(at)
        })
    }

    fn before(&self, hex: Hex, cost: u16) -> Option<(Hex, u16)> {
        if cost == 0 {
            return None;
        }
        self.grid.neighbours(hex).find_map(|(dir, from)| {
            let step = self.march.step(self.grid, self.costs, from, dir.opposite())?;
            let before = cost.checked_sub(step)?;
            self.at_level(before as usize, from).then_some((from, before))
        })
    }

    /// A cheapest way to a hex, as [`Reached::back`] chooses it; none if the hex is not reached or the way has more
    /// than [`Route::MOST`] steps.
    pub fn route(&self, hex: Hex) -> Option<Route> {
        let mut dirs = [Dir::N; Route::MOST];
        let mut used = 0;
        let mut way = self.back(hex);
        let mut at = way.next()?;
        for from in way {
            *dirs.get_mut(used)? = self.grid.dir(from, at)?;
            used += 1;
            at = from;
        }
        Route::of(at, dirs[..used].iter().rev().copied())
    }
}
