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

use crate::block::{BLOCKS, Block, LANES, across, inside, step, wide};
use crate::split::Kind;
use crate::{Costs, Grid, Hex, HexSet, March};

/// What the kernel works on and leaves behind.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// By block and slot: the due ring, then the fixed one.
    ring: Vec<Block>,
    /// By tick and block: the hexes settled at that tick. Only the blocks of `windows` hold anything.
    pub levels: Vec<Block>,
    pub windows: Vec<(u8, u8)>,
    /// By block: the hexes that need not be entered again.
    seen: [Block; BLOCKS],
    /// By block from 1: the hexes that set out at this tick, and those of them that may not step into `zoc`.
    out: [Block; BLOCKS + 2],
    late: [Block; BLOCKS + 2],
    pub reached: HexSet,
    pub count: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            ring: Vec::new(),
            levels: vec![Block::ZERO; 16 * BLOCKS],
            windows: Vec::new(),
            seen: [Block::ZERO; BLOCKS],
            out: [Block::ZERO; BLOCKS + 2],
            late: [Block::ZERO; BLOCKS + 2],
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
            && self.levels[tick * BLOCKS + at].0[row % LANES] >> (hex.ix() % 64) & 1 != 0
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
    /// Blocks of both rings together.
    span: usize,
    /// How many of the kinds add to the ground.
    adding: usize,
    enter: usize,
    leave: usize,
    /// The blocks touched so far.
    lo: usize,
    hi: usize,
    /// The blocks that can be touched at all.
    first: usize,
    last: usize,
}

impl<'a> Kernel<'a> {
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
        let slots = (costs.memory + enter + 1).next_power_of_two();
        let adding = costs.kinds.iter().filter(|k| !k.fixed).count();
        let rings = if adding < costs.kinds.len() { 2 } else { 1 };
        let rows = (march.budget / costs.least) as usize;
        let first = (lo * LANES).saturating_sub(rows) / LANES;
        let last = ((hi * LANES + LANES - 1 + rows) / LANES).min(BLOCKS - 1);
        let (mask, span) = (slots - 1, slots * rings);
        let kernel =
            Kernel { room, grid, costs, march, goal, mask, span, adding, enter, leave, lo, hi, first, last };
        (lo <= hi).then_some(kernel)
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

    /// Clears what the move can touch, and no more, and puts the starts in place.
    #[inline(always)]
    fn begin(&mut self) {
        let (room, first, last) = (&mut *self.room, self.first, self.last);
        if room.ring.len() < BLOCKS * self.span {
            room.ring.resize(BLOCKS * self.span, Block::ZERO);
        }
        room.ring[first * self.span..(last + 1) * self.span].fill(Block::ZERO);
        room.out[first..=last + 2].fill(Block::ZERO);
        room.late[first..=last + 2].fill(Block::ZERO);
        for at in first..=last {
            room.seen[at] = Block::of(&self.march.blocked.words, at);
        }
        room.levels[self.lo..=self.hi].fill(Block::ZERO);
        for start in self.march.starts.iter().filter(|&&h| self.grid.has(h)) {
            let (at, lane) = (start.ix() / 64 / LANES, start.ix() / 64 % LANES);
            let bit = 1 << (start.ix() % 64);
            room.levels[at].0[lane] |= bit;
            room.seen[at].0[lane] |= bit;
            room.out[at + 1].0[lane] |= bit;
        }
    }

    /// Takes in the block above or below if a step leads into it.
    #[inline(always)]
    fn widen<const ZOC: bool>(&mut self) {
        let (mut top, mut bottom) = (self.room.out[self.lo + 1], self.room.out[self.hi + 1]);
        if ZOC {
            top = top.or(self.room.late[self.lo + 1]);
            bottom = bottom.or(self.room.late[self.hi + 1]);
        }
        self.lo -= usize::from(top.0[0] != 0 && self.lo > self.first);
        self.hi += usize::from(bottom.0[LANES - 1] != 0 && self.hi < self.last);
    }

    /// Steps in all directions from the hexes that set out at a tick.
    #[inline(always)]
    fn set_foot<const ZOC: bool>(&mut self, tick: usize) {
        // All that the loop reads is taken out of its structs first: the compiler cannot know that nothing moves.
        let Room { ring, out, late, .. } = &mut *self.room;
        let Costs { lower, kinds, sides, .. } = self.costs;
        let (lower, span, mask, (lo, hi)) = (*lower, self.span, self.mask, (self.lo, self.hi));
        let (adding, priced) = kinds.split_at(self.adding);
        let mut rings = &mut ring[lo * span..(hi + 1) * span];
        let mut sides = &sides[lo * kinds.len()..(hi + 1) * kinds.len()];
        let rows = out[lo..hi + 3].windows(3).zip(late[lo..hi + 3].windows(3));
        for (at, (out, late)) in (lo..).zip(rows) {
            let (block, rest) = rings.split_at_mut(span);
            rings = rest;
            let (add, rest) = sides.split_at(adding.len());
            let (price, rest) = rest.split_at(priced.len());
            sides = rest;
            let mut steps = step(out, lower);
            if ZOC {
                let zoc = Block::of(&self.march.zoc.words, at);
                let late = step(late, lower);
                steps = std::array::from_fn(|i| steps[i].or(late[i].minus(zoc)));
            }
            let (due, fixed) = block.split_at_mut(mask + 1);
            note(due, adding, add, &steps, tick, mask);
            note(fixed, priced, price, &steps, tick, mask);
        }
    }

    /// Settles the hexes that are entered at a tick; false if there is none.
    #[inline(always)]
    fn arrive<const ZOC: bool>(&mut self, tick: usize) -> bool {
        let Room { ring, levels, seen, out, .. } = &mut *self.room;
        if levels.len() < (tick + 1) * BLOCKS {
            levels.resize((tick + 16) * BLOCKS, Block::ZERO);
        }
        let Costs { bases, grounds, .. } = self.costs;
        let (bases, span, mask, (lo, hi)) = (&bases[..], self.span, self.mask, (self.lo, self.hi));
        let late = tick.wrapping_sub(self.enter);
        let March { stop, zoc, .. } = *self.march;
        let mut rings = &ring[lo * span..(hi + 1) * span];
        let mut grounds = &grounds[lo * bases.len()..(hi + 1) * bases.len()];
        let level = levels[tick * BLOCKS..(tick + 1) * BLOCKS][lo..=hi].iter_mut();
        let places = level.zip(&mut seen[lo..=hi]).zip(&mut out[lo + 1..=hi + 1]);
        let mut any = Block::ZERO;
        for (at, ((level, seen), out)) in (lo..).zip(places) {
            let (ring, rest) = rings.split_at(span);
            rings = rest;
            let (ground, rest) = grounds.split_at(bases.len());
            grounds = rest;
            let mut here = gather(bases, ring, ground, tick, mask);
            if ZOC {
                // Hexes of the zone are entered later than their ground alone would have it. Slots of ticks before
                // the first are still empty, so nothing is found too early.
                let zoc = Block::of(&zoc.words, at);
                here = here.minus(zoc).or(gather(bases, ring, ground, late, mask).and(zoc));
            }
            here = here.minus(*seen);
            *seen = seen.or(here);
            *level = here;
            any = any.or(here);
            if !ZOC {
                *out = here.minus(Block::of(&stop.words, at));
            }
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
                let here = levels[then * BLOCKS + at];
                if then > 0 { here.minus(stop) } else { here }
            };
            let free = settled(tick).minus(zoc);
            let known = |then: &usize| *then == tick || inside(windows[*then], at);
            let slow = tick.checked_sub(self.leave).filter(known).map_or(Block::ZERO, settled).and(zoc);
            (out[at + 1], late[at + 1]) =
                if self.march.zoc_to_zoc { (free.or(slow), Block::ZERO) } else { (free, slow) };
        }
    }

    /// Puts down what was reached.
    #[inline(always)]
    fn end(&mut self) {
        let room = &mut *self.room;
        let rows = room.reached.words.chunks_exact_mut(LANES).enumerate();
        for (at, words) in rows.take(self.hi + 1).skip(self.lo) {
            words.copy_from_slice(&room.seen[at].minus(Block::of(&self.march.blocked.words, at)).0);
        }
        room.reached.extend(self.march.starts.iter().copied().filter(|&h| self.grid.has(h)));
        let words = &room.reached.words[self.lo * LANES..(self.hi + 1) * LANES];
        room.count = words.iter().map(|w| w.count_ones() as usize).sum();
    }
}

/// Notes where steps lead across each kind of side, as many ticks ahead as the kind says.
#[inline(always)]
fn note(
    ring: &mut [Block],
    kinds: &[Kind],
    sides: &[[Block; 6]],
    steps: &[Block; 6],
    tick: usize,
    mask: usize,
) {
    // The dearest kind comes first, and is the first to write to its slot since the ring came round: it wipes it.
    let mut wipe = true;
    for (kind, sides) in kinds.iter().zip(sides) {
        let place = &mut ring[(tick + kind.ticks as usize) & mask];
        let to = across(steps, sides);
        *place = if wipe { to } else { place.or(to) };
        wipe = false;
    }
}

/// The hexes of a block that are entered at a tick.
#[inline(always)]
fn gather(bases: &[u16], ring: &[Block], grounds: &[Block], tick: usize, mask: usize) -> Block {
    let (due, fixed) = ring.split_at(mask + 1);
    let mut here = fixed.get(tick & mask).copied().unwrap_or(Block::ZERO);
    for (base, ground) in bases.iter().zip(grounds) {
        here = here.or(due[tick.wrapping_sub(*base as usize) & mask].and(*ground));
    }
    here
}
