//! Reach: all hexes within a movement budget, with cost and the way back.
//!
//! Hexes are settled tick by tick, a row of the map at a time. Each tick has two passes over the rows that movement
//! has touched so far. The first gathers the hexes that are entered at this tick: for each pair of a class of ground
//! and a kind of side, those that were stepped to across such a side as many ticks ago as that costs. The second steps
//! from the hexes just settled in all six directions and keeps, for each kind of side, where that leads. There is no
//! queue, and the work depends on ticks and rows, not on hexes.

use crate::block::{BLOCKS, Block, LANES, across, inside, step, wide};
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
#[derive(Clone, Debug)]
pub struct Reach {
    /// By block, tick (in a ring) and kind: where the steps of that tick led.
    ring: Vec<Block>,
    /// For each term of the costs, its place in a block of the ring at this tick, and at the tick for `zoc`.
    picks: Vec<usize>,
    late_picks: Vec<usize>,
    /// By tick and block: the hexes settled at that tick. Only the blocks of `windows` hold anything.
    levels: Vec<Block>,
    windows: Vec<(u8, u8)>,
    /// By block: the hexes that need not be entered again.
    seen: [Block; BLOCKS],
    /// By block from 1: the hexes that set out at this tick, and those of them that may not step into `zoc`.
    out: [Block; BLOCKS + 2],
    late: [Block; BLOCKS + 2],
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

impl Default for Reach {
    fn default() -> Reach {
        Reach::new()
    }
}

impl Reach {
    /// An empty room.
    pub fn new() -> Reach {
        Reach {
            ring: Vec::new(),
            picks: Vec::new(),
            late_picks: Vec::new(),
            levels: Vec::new(),
            windows: Vec::new(),
            seen: [Block::ZERO; BLOCKS],
            out: [Block::ZERO; BLOCKS + 2],
            late: [Block::ZERO; BLOCKS + 2],
            reached: HexSet::empty(),
            count: 0,
        }
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
        let zoc = surcharge && !march.zoc.is_empty();
        let ticks = Ticks { room: self, grid, costs, march, goal };
        if zoc { wide(Settle::<true>(ticks)) } else { wide(Settle::<false>(ticks)) }
    }

    #[inline(always)]
    fn ticks<const ZOC: bool>(&mut self, grid: &Grid, costs: &Costs, march: &March<'_>, goal: Hex) {
        self.windows.clear();
        self.reached.clear();
        self.count = 0;
        let (mut lo, mut hi) = (BLOCKS, 0);
        for start in march.starts.iter().filter(|&&h| grid.has(h)) {
            let block = start.ix() / 64 / LANES;
            (lo, hi) = (lo.min(block), hi.max(block));
        }
        if lo > hi {
            return;
        }
        let enter = if ZOC { march.zoc_enter as usize } else { 0 };
        let ring = Ring::new(costs, enter);
        // No more rows than these can be touched, so no others need clearing.
        let rows = (march.budget / costs.least) as usize;
        let first = (lo * LANES).saturating_sub(rows) / LANES;
        let last = ((hi * LANES + LANES - 1 + rows) / LANES).min(BLOCKS - 1);
        self.begin::<ZOC>(grid, march, &ring, (lo, hi), (first, last));
        // The longest wait between settling a hex and settling one stepped to from it.
        let wait = costs.most as usize + enter + if ZOC { march.zoc_leave as usize } else { 0 };
        let mut quiet = 0;
        let mut tick = 0;
        loop {
            if ZOC {
                self.set_out(march, tick, lo, hi);
            }
            self.windows.push((lo as u8, hi as u8));
            if tick == march.budget as usize || quiet > wait || self.holds(tick, goal) {
                break;
            }
            let (top, bottom) =
                (self.out[lo + 1].or(self.late[lo + 1]), self.out[hi + 1].or(self.late[hi + 1]));
            lo -= usize::from(top.0[0] != 0 && lo > first);
            hi += usize::from(bottom.0[LANES - 1] != 0 && hi < last);
            self.set_foot::<ZOC>(costs, march, &ring, tick, lo, hi);
            tick += 1;
            let any = self.arrive::<ZOC>(costs, march, &ring, tick, lo, hi);
            quiet = if any { 0 } else { quiet + 1 };
        }
        let rows = self.reached.words.chunks_exact_mut(LANES).enumerate();
        for (at, words) in rows.take(hi + 1).skip(lo) {
            let here = self.seen[at].minus(Block::of(&march.blocked.words, at));
            words.copy_from_slice(&here.0);
        }
        self.reached.extend(march.starts.iter().copied().filter(|&h| grid.has(h)));
        self.count =
            self.reached.words[lo * LANES..(hi + 1) * LANES].iter().map(|w| w.count_ones() as usize).sum();
    }

    /// Clears what the move can touch and puts the starts in place.
    #[inline(always)]
    fn begin<const ZOC: bool>(
        &mut self,
        grid: &Grid,
        march: &March<'_>,
        ring: &Ring,
        (lo, hi): (usize, usize),
        (first, last): (usize, usize),
    ) {
        if self.ring.len() < BLOCKS * ring.span {
            self.ring.resize(BLOCKS * ring.span, Block::ZERO);
        }
        self.ring[first * ring.span..(last + 1) * ring.span].fill(Block::ZERO);
        self.out[first..=last + 2].fill(Block::ZERO);
        self.late[first..=last + 2].fill(Block::ZERO);
        let blocked = march.blocked.words.chunks_exact(LANES);
        for (seen, blocked) in self.seen.iter_mut().zip(blocked).take(last + 1).skip(first) {
            seen.0.copy_from_slice(blocked);
        }
        if self.levels.is_empty() {
            self.levels.resize(16 * BLOCKS, Block::ZERO);
        }
        self.levels[lo..=hi].fill(Block::ZERO);
        for start in march.starts.iter().filter(|&&h| grid.has(h)) {
            let (at, lane) = (start.ix() / 64 / LANES, start.ix() / 64 % LANES);
            let bit = 1 << (start.ix() % 64);
            self.levels[at].0[lane] |= bit;
            self.seen[at].0[lane] |= bit;
            self.out[at + 1].0[lane] |= bit;
        }
    }

    /// Gathers and settles the hexes that are entered at a tick; false if there is none.
    #[inline(always)]
    fn arrive<const ZOC: bool>(
        &mut self,
        costs: &Costs,
        march: &March<'_>,
        ring: &Ring,
        tick: usize,
        lo: usize,
        hi: usize,
    ) -> bool {
        if self.levels.len() < (tick + 1) * BLOCKS {
            self.levels.resize((tick + 16) * BLOCKS, Block::ZERO);
        }
        ring.pick(&costs.terms, tick, &mut self.picks);
        if ZOC {
            ring.pick(&costs.terms, tick.wrapping_sub(march.zoc_enter as usize), &mut self.late_picks);
        }
        let terms = costs.terms.len();
        let blocks = self.ring[lo * ring.span..(hi + 1) * ring.span].chunks_exact(ring.span);
        let grounds = costs.grounds[lo * terms..(hi + 1) * terms].chunks_exact(terms);
        let level = &mut self.levels[tick * BLOCKS..(tick + 1) * BLOCKS][lo..=hi];
        let seen = &mut self.seen[lo..=hi];
        let stop = march.stop.words[lo * LANES..(hi + 1) * LANES].chunks_exact(LANES);
        let zoc = march.zoc.words[lo * LANES..(hi + 1) * LANES].chunks_exact(LANES);
        let out = &mut self.out[lo + 1..=hi + 1];
        let mut any = Block::ZERO;
        let places = blocks.zip(grounds).zip(level).zip(seen).zip(stop.zip(zoc)).zip(out);
        for (((((block, grounds), level), seen), (stop, zoc)), out) in places {
            let mut here = gather(&self.picks, block, grounds);
            if ZOC {
                // Hexes of the zone are entered later than their ground alone would have it.
                let zoc = Block::from(zoc);
                here = here.minus(zoc).or(gather(&self.late_picks, block, grounds).and(zoc));
            }
            here = here.minus(*seen);
            *seen = seen.or(here);
            *level = here;
            any = any.or(here);
            if !ZOC {
                *out = here.minus(Block::from(stop));
            }
        }
        any.any() != 0
    }

    /// Chooses the hexes that set out at a tick when `zoc` has a say in it: hexes of the zone set out later, by what
    /// it costs to leave them.
    #[inline(always)]
    fn set_out(&mut self, march: &March<'_>, tick: usize, lo: usize, hi: usize) {
        let leave = march.zoc_leave as usize;
        for at in lo..=hi {
            let (zoc, stop) = (Block::of(&march.zoc.words, at), Block::of(&march.stop.words, at));
            let settled = |then: usize| {
                // The starts, and only they, may leave a stop.
                let here = self.levels[then * BLOCKS + at];
                if then > 0 { here.minus(stop) } else { here }
            };
            let free = settled(tick).minus(zoc);
            let known = |then: &usize| *then == tick || inside(self.windows[*then], at);
            let late = tick.checked_sub(leave).filter(known).map_or(Block::ZERO, settled).and(zoc);
            (self.out[at + 1], self.late[at + 1]) =
                if march.zoc_to_zoc { (free.or(late), Block::ZERO) } else { (free, late) };
        }
    }

    /// Steps in all directions from the hexes that set out at a tick.
    #[inline(always)]
    fn set_foot<const ZOC: bool>(
        &mut self,
        costs: &Costs,
        march: &March<'_>,
        ring: &Ring,
        tick: usize,
        lo: usize,
        hi: usize,
    ) {
        let slot = ring.slot(tick);
        let blocks = self.ring[lo * ring.span..(hi + 1) * ring.span].chunks_exact_mut(ring.span);
        let sides = costs.sides[lo * ring.kinds..(hi + 1) * ring.kinds].chunks_exact(ring.kinds);
        let out = self.out[lo..=hi + 2].windows(3).zip(self.late[lo..=hi + 2].windows(3));
        let zoc = march.zoc.words[lo * LANES..(hi + 1) * LANES].chunks_exact(LANES);
        for (((block, sides), (out, late)), zoc) in blocks.zip(sides).zip(out).zip(zoc) {
            let mut steps = step(out, costs.lower);
            if ZOC {
                let (zoc, late) = (Block::from(zoc), step(late, costs.lower));
                steps = std::array::from_fn(|i| steps[i].or(late[i].minus(zoc)));
            }
            for (place, sides) in block[slot..slot + ring.kinds].iter_mut().zip(sides) {
                *place = across(&steps, sides);
            }
        }
    }

    /// True if a hex was settled at a tick whose window is the last.
    fn holds(&self, tick: usize, hex: Hex) -> bool {
        let row = hex.ix() / 64;
        let at = row / LANES;
        self.windows.get(tick).is_some_and(|&window| inside(window, at))
            && self.levels[tick * BLOCKS + at].0[row % LANES] >> (hex.ix() % 64) & 1 != 0
    }
}

/// The measures of the ring.
struct Ring {
    kinds: usize,
    slots: usize,
    span: usize,
}

impl Ring {
    fn new(costs: &Costs, enter: usize) -> Ring {
        let slots = (costs.most as usize + enter + 1).next_power_of_two();
        Ring { kinds: costs.kinds, slots, span: slots * costs.kinds }
    }

    #[inline(always)]
    fn slot(&self, tick: usize) -> usize {
        (tick & (self.slots - 1)) * self.kinds
    }

    /// The place of each term in a block of the ring: as many ticks ago as it costs. Before the first tick the ring is
    /// empty, so nothing is found too early.
    #[inline(always)]
    fn pick(&self, terms: &[Term], tick: usize, picks: &mut Vec<usize>) {
        picks.clear();
        picks.extend(terms.iter().map(|t| self.slot(tick.wrapping_sub(t.cost as usize)) + t.kind as usize));
    }
}

/// All that a move is worked out from.
struct Ticks<'a> {
    room: &'a mut Reach,
    grid: &'a Grid,
    costs: &'a Costs,
    march: &'a March<'a>,
    goal: Hex,
}

/// Works out a move, with or without surcharges.
struct Settle<'a, const ZOC: bool>(Ticks<'a>);

impl<const ZOC: bool> pulp::NullaryFnOnce for Settle<'_, ZOC> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Ticks { room, grid, costs, march, goal } = self.0;
        room.ticks::<ZOC>(grid, costs, march, goal);
    }
}

/// The hexes entered at a tick.
#[inline(always)]
fn gather(picks: &[usize], block: &[Block], grounds: &[Block]) -> Block {
    picks.iter().zip(grounds).fold(Block::ZERO, |here, (&pick, &ground)| here.or(block[pick].and(ground)))
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

    /// The ticks that it takes to reach a hex, or none if it is not reached.
    pub fn cost(&self, hex: Hex) -> Option<u16> {
        if !self.room.reached.contains(hex) {
            return None;
        }
        (0..self.room.windows.len()).find(|&t| self.room.holds(t, hex)).map(|t| t as u16)
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
            self.room.holds(before as usize, from).then_some((from, before))
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
