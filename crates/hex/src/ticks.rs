//! The kernel of reach.
//!
//! Hexes are settled tick by tick, a row of the map at a time, without a queue; the work depends on ticks and rows, not
//! on hexes. Each tick has two passes over the rows that movement has touched so far.
//!
//! The first pass steps from the hexes that set out at this tick, in all six directions. Where a step crosses a side
//! that adds to the price of the ground, the hex that it leads to is noted in the *due* ring as many ticks ahead as the
//! side adds; where the side has a price of its own (a road), it is noted in the *fixed* ring as many ticks ahead as
//! that is. The second pass settles the hexes entered at the next tick: those of each class of ground that were noted
//! as due as many ticks ago as the ground costs, and those that the fixed ring holds for just this tick.

use crate::block::{BLOCKS, Band, Block, LANES, across, beside, inside, wide};
use crate::split::Kind;
use crate::{Costs, Grid, Hex, HexSet, March};

/// What the kernel works on and leaves behind. Only the blocks that movement touches are ever written or read.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// The two rings, by slot.
    due: Vec<Band>,
    fixed: Vec<Band>,
    /// By tick: the hexes settled at that tick. Only the blocks of `windows` hold anything.
    pub levels: Vec<Band>,
    pub windows: Vec<(u8, u8)>,
    /// The hexes that need not be entered again.
    seen: Band,
    /// Where steps lead in each direction.
    steps: [[Block; 6]; BLOCKS],
    /// The hexes that set out at this tick, and those of them that may not step into `zoc`.
    out: Rows,
    late: Rows,
    pub reached: HexSet,
    pub count: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            due: Vec::new(),
            fixed: Vec::new(),
            levels: Vec::new(),
            windows: Vec::new(),
            seen: [Block::ZERO; BLOCKS],
            steps: [[Block::ZERO; 6]; BLOCKS],
            out: NO_ROWS,
            late: NO_ROWS,
            reached: HexSet::empty(),
            count: 0,
        }
    }
}

impl Room {
    /// Works out a move, as far as the goal if there is one.
    pub fn settle(&mut self, grid: &Grid, costs: &Costs, march: &March<'_>, goal: Hex) {
        self.windows.clear();
        self.reached.clear();
        self.count = 0;
        let surcharge = march.zoc_enter > 0 || march.zoc_leave > 0 || !march.zoc_to_zoc;
        let zoc = surcharge && !march.zoc.is_empty();
        let Some(kernel) = Kernel::new(self, grid, costs, march, goal, zoc) else { return };
        if zoc { wide(Wide::<true>(kernel)) } else { wide(Wide::<false>(kernel)) }
    }

    /// True if a hex was settled at that tick.
    #[inline]
    pub fn holds(&self, tick: usize, hex: Hex) -> bool {
        let row = hex.ix() / 64;
        let at = row / LANES;
        self.windows.get(tick).is_some_and(|&window| inside(window, at))
            && self.levels[tick][at].0[row % LANES] >> (hex.ix() % 64) & 1 != 0
    }
}

/// The kernel, with or without the surcharges of `zoc`, to be compiled for more than one kind of processor.
struct Wide<'a, const ZOC: bool>(Kernel<'a>);

impl<const ZOC: bool> pulp::NullaryFnOnce for Wide<'_, ZOC> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        self.0.run::<ZOC>();
    }
}

/// One run of the kernel.
struct Kernel<'a> {
    room: &'a mut Room,
    grid: &'a Grid,
    costs: &'a Costs,
    march: &'a March<'a>,
    goal: Hex,
    /// Slots of each ring, less one: a power of two, less one.
    mask: usize,
    enter: usize,
    leave: usize,
    /// The blocks touched so far.
    lo: usize,
    hi: usize,
    /// The last block of the grid.
    last: usize,
}

impl<'a> Kernel<'a> {
    #[inline]
    fn new(
        room: &'a mut Room,
        grid: &'a Grid,
        costs: &'a Costs,
        march: &'a March<'a>,
        goal: Hex,
        zoc: bool,
    ) -> Option<Kernel<'a>> {
        let blocks = march.starts.iter().filter(|&&h| grid.has(h)).map(|h| h.ix() / 64 / LANES);
        let (lo, hi) = blocks.fold((BLOCKS, 0), |(lo, hi), at| (lo.min(at), hi.max(at)));
        let (enter, leave) = if zoc { (march.zoc_enter as usize, march.zoc_leave as usize) } else { (0, 0) };
        let mask = (costs.memory + enter + 1).next_power_of_two() - 1;
        let last = (grid.len() / 64 - 1) / LANES;
        (lo <= hi).then_some(Kernel { room, grid, costs, march, goal, mask, enter, leave, lo, hi, last })
    }

    #[inline(always)]
    fn run<const ZOC: bool>(&mut self) {
        self.begin();
        // The longest wait between settling a hex and settling one stepped to from it.
        let wait = self.costs.most as usize + self.enter + self.leave;
        let mut quiet = 0;
        let mut tick = 0;
        loop {
            if ZOC {
                self.set_out(tick);
            }
            self.room.windows.push((self.lo as u8, self.hi as u8));
            let found = self.goal.is_some() && self.room.holds(tick, self.goal);
            if tick == self.march.budget as usize || quiet > wait || found {
                break;
            }
            self.widen::<ZOC>();
            self.set_foot::<ZOC>(tick);
            tick += 1;
            let any = self.arrive::<ZOC>(tick);
            quiet = if any { 0 } else { quiet + 1 };
        }
        self.end();
    }

    /// Makes room and puts the starts in place.
    #[inline(always)]
    fn begin(&mut self) {
        let room = &mut *self.room;
        for ring in [&mut room.due, &mut room.fixed] {
            if ring.len() <= self.mask {
                ring.resize(self.mask + 1, [Block::ZERO; BLOCKS]);
            }
        }
        room.out = NO_ROWS;
        room.late = NO_ROWS;
        for at in self.lo..=self.hi {
            self.open(at);
        }
        let room = &mut *self.room;
        if room.levels.is_empty() {
            room.levels.resize(16, [Block::ZERO; BLOCKS]);
        }
        room.levels[0][self.lo..=self.hi].fill(Block::ZERO);
        for start in self.march.starts.iter().filter(|&&h| self.grid.has(h)) {
            let (at, lane) = (start.ix() / 64 / LANES, start.ix() / 64 % LANES);
            let bit = 1 << (start.ix() % 64);
            room.levels[0][at].0[lane] |= bit;
            room.seen[at].0[lane] |= bit;
            room.out[at + 1][lane] |= bit;
        }
    }

    /// Clears a block that movement touches for the first time.
    #[inline(always)]
    fn open(&mut self, at: usize) {
        let room = &mut *self.room;
        for band in &mut room.due[..=self.mask] {
            band[at] = Block::ZERO;
        }
        if self.costs.adding < self.costs.kinds.len() {
            for band in &mut room.fixed[..=self.mask] {
                band[at] = Block::ZERO;
            }
        }
        room.seen[at] = Block::of(&self.march.blocked.words, at);
    }

    /// Takes in the block above or below if a step leads into it.
    #[inline(always)]
    fn widen<const ZOC: bool>(&mut self) {
        let (mut top, mut bottom) = (self.room.out[self.lo + 1][0], self.room.out[self.hi + 1][LANES - 1]);
        if ZOC {
            top |= self.room.late[self.lo + 1][0];
            bottom |= self.room.late[self.hi + 1][LANES - 1];
        }
        if top != 0 && self.lo > 0 {
            self.lo -= 1;
            self.open(self.lo);
        }
        if bottom != 0 && self.hi < self.last {
            self.hi += 1;
            self.open(self.hi);
        }
    }

    /// Steps in all directions from the hexes that set out at a tick.
    #[inline(always)]
    fn set_foot<const ZOC: bool>(&mut self, tick: usize) {
        let Room { due, fixed, steps, out, late, .. } = &mut *self.room;
        let (lower, mask, (lo, hi)) = (self.costs.lower, self.mask, (self.lo, self.hi));
        let steps = &mut steps[lo..=hi];
        for (at, steps) in (lo..).zip(steps.iter_mut()) {
            *steps = around(out, at, lower);
        }
        if ZOC {
            let zoc = self.march.zoc.words.as_chunks::<LANES>().0[lo..=hi].iter();
            for ((at, steps), zoc) in (lo..).zip(steps.iter_mut()).zip(zoc) {
                let late = around(late, at, lower);
                *steps = std::array::from_fn(|i| steps[i].or(late[i].minus(Block(*zoc))));
            }
        }
        let kinds = self.costs.kinds.iter().zip(&self.costs.sides).enumerate();
        for (i, (&Kind { ticks, fixed: priced }, sides)) in kinds {
            let ring = if priced { &mut *fixed } else { &mut *due };
            let band = &mut ring[(tick + ticks as usize) & mask][lo..=hi];
            let sides = &sides[lo..=hi];
            // The dearest kind of a ring comes first, and is the first to write to its slot since the ring came
            // round: it wipes it.
            if i == 0 || i == self.costs.adding {
                for ((place, steps), sides) in band.iter_mut().zip(&*steps).zip(sides) {
                    *place = across(steps, sides);
                }
            } else {
                for ((place, steps), sides) in band.iter_mut().zip(&*steps).zip(sides) {
                    *place = place.or(across(steps, sides));
                }
            }
        }
    }

    /// Settles the hexes that are entered at a tick; false if there is none.
    #[inline(always)]
    fn arrive<const ZOC: bool>(&mut self, tick: usize) -> bool {
        let (lo, hi) = (self.lo, self.hi);
        if self.room.levels.len() <= tick {
            self.room.levels.resize(tick + 16, [Block::ZERO; BLOCKS]);
        }
        let mut late = [Block::ZERO; BLOCKS];
        let Room { due, fixed, levels, seen, out, .. } = &mut *self.room;
        let level = &mut levels[tick][lo..=hi];
        gather(self.costs, due, fixed, tick, self.mask, lo, level);
        if ZOC {
            // Hexes of the zone are entered later than their ground alone would have it. Slots of ticks before the
            // first are still empty, so nothing is found too early.
            gather(self.costs, due, fixed, tick.wrapping_sub(self.enter), self.mask, lo, &mut late[lo..=hi]);
            let zoc = self.march.zoc.words.as_chunks::<LANES>().0[lo..=hi].iter();
            for ((level, late), zoc) in level.iter_mut().zip(&late[lo..=hi]).zip(zoc) {
                *level = level.minus(Block(*zoc)).or(late.and(Block(*zoc)));
            }
        }
        let stop = &self.march.stop.words.as_chunks::<LANES>().0[lo..=hi];
        let places = level.iter_mut().zip(&mut seen[lo..=hi]).zip(&mut out[lo + 1..=hi + 1]).zip(stop);
        let mut any = Block::ZERO;
        for (((level, seen), out), stop) in places {
            let here = level.minus(*seen);
            *level = here;
            *seen = seen.or(here);
            any = any.or(here);
            *out = here.minus(Block(*stop)).0;
        }
        any.any() != 0
    }

    /// Chooses the hexes that set out at a tick when `zoc` has a say in it: hexes of the zone set out later, by what
    /// it costs to leave them.
    #[inline(always)]
    fn set_out(&mut self, tick: usize) {
        let Room { levels, windows, out, late, .. } = &mut *self.room;
        for at in self.lo..=self.hi {
            let (zoc, stop) = (Block::of(&self.march.zoc.words, at), Block::of(&self.march.stop.words, at));
            let settled = |then: usize| {
                // The starts, and only they, may leave a stop.
                let here = levels[then][at];
                if then > 0 { here.minus(stop) } else { here }
            };
            let free = settled(tick).minus(zoc);
            let known = |then: &usize| *then == tick || inside(windows[*then], at);
            let slow = tick.checked_sub(self.leave).filter(known).map_or(Block::ZERO, settled).and(zoc);
            (out[at + 1], late[at + 1]) =
                if self.march.zoc_to_zoc { (free.or(slow).0, [0; LANES]) } else { (free.0, slow.0) };
        }
    }

    /// Puts down what was reached.
    #[inline(always)]
    fn end(&mut self) {
        let room = &mut *self.room;
        let rows = room.reached.words.as_chunks_mut::<LANES>().0.iter_mut().enumerate();
        for (at, words) in rows.take(self.hi + 1).skip(self.lo) {
            *words = room.seen[at].minus(Block::of(&self.march.blocked.words, at)).0;
        }
        for &start in self.march.starts.iter().filter(|&&h| self.grid.has(h)) {
            room.reached.insert(start);
        }
        let words = &room.reached.words[self.lo * LANES..(self.hi + 1) * LANES];
        room.count = words.iter().map(|w| w.count_ones() as usize).sum();
    }
}

/// The words of all rows by block from 1, with nothing above and below.
type Rows = [[u64; LANES]; BLOCKS + 2];

const NO_ROWS: Rows = [[0; LANES]; BLOCKS + 2];

/// Where a step in each of the six directions leads within a block, from it and the rows above and below.
#[inline(always)]
fn around(rows: &Rows, at: usize, lower: u64) -> [Block; 6] {
    // Three reads that overlap are cheaper than moving rows from lane to lane.
    let words = &rows.as_flattened()[at * LANES..(at + 3) * LANES];
    let four = |from: usize| Block(std::array::from_fn(|i| words[from + i]));
    beside(four(LANES - 1), four(LANES), four(LANES + 1), lower)
}

/// The hexes that are entered at a tick, from a first block on.
#[inline(always)]
fn gather(
    costs: &Costs,
    due: &[Band],
    fixed: &[Band],
    tick: usize,
    mask: usize,
    lo: usize,
    level: &mut [Block],
) {
    let size = level.len();
    for (i, (bases, grounds)) in costs.bases.iter().zip(&costs.grounds).enumerate() {
        // Four classes at a time.
        let [a, b, c, d] = bases.map(|base| &due[tick.wrapping_sub(base as usize) & mask][lo..lo + size]);
        let [e, f, g, h] = grounds.each_ref().map(|band| &band[lo..lo + size]);
        for at in 0..size {
            let four = (a[at].and(e[at])).or(b[at].and(f[at])).or((c[at].and(g[at])).or(d[at].and(h[at])));
            level[at] = if i == 0 { four } else { level[at].or(four) };
        }
    }
    if costs.adding < costs.kinds.len() {
        let roads = &fixed[tick & mask][lo..lo + size];
        for (level, road) in level.iter_mut().zip(roads) {
            *level = level.or(*road);
        }
    }
}
