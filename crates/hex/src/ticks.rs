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
use crate::pocket::{self, PocketRoom, SIDE};
use crate::split::Kind;
use crate::{Costs, Grid, Hex, HexSet, March};

static NOTHING: Band = [Block::ZERO; BLOCKS];

/// What the kernel works on and leaves behind. Only the blocks that movement touches are ever written or read.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// The due ring and then the fixed one, by slot.
    ring: Vec<Band>,
    /// By tick: the hexes settled at that tick. Only the blocks of `windows` hold anything.
    pub levels: Vec<Band>,
    pub windows: Vec<(u8, u8)>,
    /// The hexes that need not be entered again.
    seen: Band,
    /// The hexes that set out at this tick, and those of them that may not step into `zoc`.
    out: Rows,
    late: Rows,
    pub reached: HexSet,
    pub count: usize,
    /// The rows of `reached` that may hold something.
    rows: (usize, usize),
    /// Used instead of all this where a board is small enough.
    small: PocketRoom,
    is_small: bool,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            ring: Vec::new(),
            levels: Vec::new(),
            windows: Vec::new(),
            seen: [Block::ZERO; BLOCKS],
            out: NO_ROWS,
            late: NO_ROWS,
            reached: HexSet::empty(),
            count: 0,
            rows: (0, 0),
            small: PocketRoom::default(),
            is_small: false,
        }
    }
}

impl Room {
    /// Works out a move, as far as the goal if there is one.
    pub fn settle(&mut self, grid: &Grid, costs: &Costs, march: &March<'_>, goal: Hex) {
        self.windows.clear();
        self.reached.words[self.rows.0..self.rows.1].fill(0);
        self.count = 0;
        let zoc = march.surcharge() && !march.zoc.is_empty();
        self.is_small = !zoc && costs.pocket.is_some();
        if let Some(pocket) = costs.pocket.as_ref().filter(|_| self.is_small) {
            let all = wide(pocket::Ticks { room: &mut self.small, costs, pocket, march, goal });
            for row in 0..SIDE {
                self.reached.words[row] = pocket::row(&all, row);
            }
            self.rows = (0, SIDE);
            self.count = all.0.iter().map(|w| w.count_ones() as usize).sum();
            return;
        }
        let Some(kernel) = Kernel::new(self, grid, costs, march, goal, zoc) else { return };
        if zoc { wide(Wide::<true>(kernel)) } else { wide(Wide::<false>(kernel)) }
    }

    /// How many ticks were worked out, the one before the first step among them.
    pub fn ticks(&self) -> usize {
        if self.is_small { self.small.levels.len() } else { self.windows.len() }
    }

    /// The rows with the hexes settled at a tick, each with its number.
    pub fn rows(&self, tick: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let (lo, hi) = self.windows.get(tick).map_or((0, 0), |&(lo, hi)| (lo.into(), usize::from(hi) + 1));
        let rows = if self.is_small { 0..SIDE } else { lo * LANES..hi * LANES };
        rows.map(move |row| {
            let word = if self.is_small {
                pocket::row(&self.small.levels[tick], row)
            } else {
                self.levels[tick][row / LANES].0[row % LANES]
            };
            (row, word)
        })
    }

    /// True if a hex of the grid was settled at that tick.
    #[inline]
    pub fn holds(&self, tick: usize, hex: Hex) -> bool {
        if self.is_small {
            return self.small.levels.get(tick).is_some_and(|level| pocket::has(level, hex));
        }
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
            // Nothing new twice in a row: perhaps there is nothing on its way any more.
            if quiet == 2 && !ZOC && !self.pending() {
                break;
            }
            if quiet > 0 && !ZOC {
                self.rest(tick);
            } else {
                self.widen::<ZOC>();
                self.set_foot::<ZOC>(tick);
            }
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
        let slots = 2 * (self.mask + 1);
        if room.ring.len() < slots {
            room.ring.resize(slots, NOTHING);
        }
        room.out = NO_ROWS;
        room.late = NO_ROWS;
        for at in self.lo..=self.hi {
            self.open(at);
        }
        let room = &mut *self.room;
        if room.levels.is_empty() {
            room.levels.resize(16, NOTHING);
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
        let rings = if self.costs.adding < self.costs.kinds.len() { 2 } else { 1 };
        for band in &mut room.ring[..rings * (self.mask + 1)] {
            band[at] = Block::ZERO;
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

    /// Lets a tick pass at which nothing sets out.
    #[inline(always)]
    fn rest(&mut self, tick: usize) {
        let (costs, mask) = (self.costs, self.mask);
        let due = (tick + costs.kinds[0].ticks as usize) & mask;
        self.room.ring[due][self.lo..self.hi + 1].fill(Block::ZERO);
        if let Some(dearest) = costs.kinds.get(costs.adding) {
            let fixed = mask + 1 + ((tick + dearest.ticks as usize) & mask);
            self.room.ring[fixed][self.lo..self.hi + 1].fill(Block::ZERO);
        }
    }

    /// True if a hex that is not settled yet was noted.
    #[inline(always)]
    fn pending(&self) -> bool {
        let Room { ring, seen, .. } = &*self.room;
        let rings = if self.costs.adding < self.costs.kinds.len() { 2 } else { 1 };
        (self.lo..=self.hi).any(|at| {
            let noted =
                ring[..rings * (self.mask + 1)].iter().fold(Block::ZERO, |all, band| all.or(band[at]));
            noted.minus(seen[at]).any() != 0
        })
    }

    /// Steps in all directions from the hexes that set out at a tick.
    #[inline(always)]
    fn set_foot<const ZOC: bool>(&mut self, tick: usize) {
        // Several kinds of sides at a time, because finding where steps lead costs about as much as one kind.
        let (mut kind, kinds) = (0, self.costs.kinds.len());
        while kind + 4 <= kinds {
            self.cross::<ZOC, 4>(tick, kind);
            kind += 4;
        }
        match kinds - kind {
            1 => self.cross::<ZOC, 1>(tick, kind),
            2 => self.cross::<ZOC, 2>(tick, kind),
            3 => self.cross::<ZOC, 3>(tick, kind),
            _ => {}
        }
    }

    /// Notes where the steps lead that cross sides of some kinds, as many ticks ahead as each kind says.
    #[inline(always)]
    fn cross<const ZOC: bool, const N: usize>(&mut self, tick: usize, first: usize) {
        let (costs, march, (lo, hi)) = (self.costs, self.march, (self.lo, self.hi));
        let Room { ring, out, late, .. } = &mut *self.room;
        let slots = std::array::from_fn(|k| {
            let Kind { ticks, fixed } = costs.kinds[first + k];
            ((tick + ticks as usize) & self.mask) + if fixed { self.mask + 1 } else { 0 }
        });
        // The dearest kind of a ring comes first, and is the first to write to its slot since the ring came round: it
        // keeps nothing of it.
        let keep: [u64; N] =
            std::array::from_fn(|k| if first + k == 0 || first + k == costs.adding { 0 } else { !0 });
        let sides: [_; N] = std::array::from_fn(|k| &costs.sides[first + k]);
        let Ok(bands): Result<[&mut Band; N], _> = ring.get_disjoint_mut(slots) else { return };
        let lower = costs.lower;
        for at in lo..hi + 1 {
            let mut steps = around(out, at, lower);
            if ZOC {
                let (zoc, late) = (Block::of(&march.zoc.words, at), around(late, at, lower));
                steps = std::array::from_fn(|i| steps[i].or(late[i].minus(zoc)));
            }
            for k in 0..N {
                bands[k][at] = bands[k][at].mask(keep[k]).or(across(&steps, &sides[k][at]));
            }
        }
    }

    /// Settles the hexes that are entered at a tick; false if there is none.
    #[inline(always)]
    fn arrive<const ZOC: bool>(&mut self, tick: usize) -> bool {
        if self.room.levels.len() <= tick {
            self.room.levels.resize(tick + 16, NOTHING);
        }
        // Four classes of ground at a time; the last four settle what has come together.
        let Some(last) = self.costs.bases.len().checked_sub(1) else { return false };
        if last == 0 {
            return self.gather::<ZOC, true, true>(tick, 0);
        }
        self.gather::<ZOC, true, false>(tick, 0);
        for four in 1..last {
            self.gather::<ZOC, false, false>(tick, four);
        }
        self.gather::<ZOC, false, true>(tick, last)
    }

    /// Gathers the hexes of four classes of ground that are entered at a tick; settles all that were gathered if these
    /// are the last, and then says whether there was any.
    #[inline(always)]
    fn gather<const ZOC: bool, const FIRST: bool, const LAST: bool>(
        &mut self,
        tick: usize,
        four: usize,
    ) -> bool {
        let (costs, march, mask, (lo, hi)) = (self.costs, self.march, self.mask, (self.lo, self.hi));
        let Room { ring, levels, seen, out, .. } = &mut *self.room;
        let (level, grounds) = (&mut levels[tick], &costs.grounds[four]);
        // Hexes of the zone are entered later than their ground alone would have it. Slots of ticks before the first
        // are still empty, so nothing is found too early.
        let then = tick.wrapping_sub(self.enter);
        let now = due(ring, &costs.bases[four], tick, mask);
        let late = if ZOC { due(ring, &costs.bases[four], then, mask) } else { now };
        let (mut road, mut late_road) = (&NOTHING, &NOTHING);
        if FIRST && costs.adding < costs.kinds.len() {
            (road, late_road) = (&ring[mask + 1 + (tick & mask)], &ring[mask + 1 + (then & mask)]);
        }
        let mut any = Block::ZERO;
        for at in lo..hi + 1 {
            let mut here = of_four(&now, grounds, at);
            if FIRST {
                here = here.or(road[at]);
            }
            if ZOC {
                let zoc = Block::of(&march.zoc.words, at);
                let mut late = of_four(&late, grounds, at);
                if FIRST {
                    late = late.or(late_road[at]);
                }
                here = here.minus(zoc).or(late.and(zoc));
            }
            if !FIRST {
                here = here.or(level[at]);
            }
            if LAST {
                here = here.minus(seen[at]);
                seen[at] = seen[at].or(here);
                any = any.or(here);
                out[at + 1] = here.minus(Block::of(&march.stop.words, at)).0;
            }
            level[at] = here;
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
        room.rows = (self.lo * LANES, (self.hi + 1) * LANES);
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
    let up = Block([words[3], words[4], words[5], words[6]]);
    let here = Block([words[4], words[5], words[6], words[7]]);
    let down = Block([words[5], words[6], words[7], words[8]]);
    beside(up, here, down, lower)
}

/// What is due for four classes of ground at a tick. Closures would not do here: the compiler need not inline them, and
/// then compiles them for the oldest processor.
#[inline(always)]
fn due<'a>(ring: &'a [Band], bases: &[u16; 4], tick: usize, mask: usize) -> [&'a Band; 4] {
    let slot = [
        tick.wrapping_sub(bases[0] as usize) & mask,
        tick.wrapping_sub(bases[1] as usize) & mask,
        tick.wrapping_sub(bases[2] as usize) & mask,
        tick.wrapping_sub(bases[3] as usize) & mask,
    ];
    [&ring[slot[0]], &ring[slot[1]], &ring[slot[2]], &ring[slot[3]]]
}

/// The hexes of a block that are due and of the right ground.
#[inline(always)]
fn of_four(due: &[&Band; 4], grounds: &[Band; 4], at: usize) -> Block {
    let [a, b, c, d] = due;
    let [e, f, g, h] = grounds;
    (a[at].and(e[at])).or(b[at].and(f[at])).or((c[at].and(g[at])).or(d[at].and(h[at])))
}
