//! The kernel of a flood that does not count its steps.

use crate::block::{BLOCKS, Band, Block, LANES, across, beside};
use crate::set::ROWS;
use crate::{Grid, HexSet, Sides, Trace};

/// Grows the sources over the open hexes until nothing changes.
///
/// For this the rows are dealt into four stripes, north to south, one to each lane of a block. The row above is then
/// the block before, in all four lanes, and a sweep down the stripes carries everything that goes south with it.
pub(crate) struct Sweep<'a> {
    pub grid: &'a Grid,
    pub trace: &'a Trace<'a>,
    pub room: &'a mut Stripes,
    pub set: &'a mut HexSet,
}

/// The room of a sweep.
#[derive(Clone, Debug)]
pub(crate) struct Stripes {
    now: Band,
    open: Band,
    /// Rows to a stripe when the set was last cleared: no rows beyond them are ever written.
    pub length: usize,
}

impl Default for Stripes {
    fn default() -> Stripes {
        Stripes { now: [Block::ZERO; BLOCKS], open: [Block::ZERO; BLOCKS], length: 0 }
    }
}

impl pulp::NullaryFnOnce for Sweep<'_> {
    /// How many hexes are flooded.
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let Sweep { grid, trace, room, set } = self;
        let lower = grid.lower_bits();
        match trace.sides {
            Some(sides) => sweep(grid, trace, room, set, &Walled { lower, sides }),
            None => sweep(grid, trace, room, set, &Free { lower }),
        }
    }
}

/// How a flood grows by a step. Closures would not do here: the compiler need not inline them, and then compiles them
/// for the oldest processor.
trait Grow {
    /// The hexes of some rows that are flooded next, from them and the rows above and below.
    fn grow(&self, up: Block, here: Block, down: Block, open: Block, at: usize) -> Block;
}

/// All hexsides may be crossed.
struct Free {
    lower: u64,
}

impl Grow for Free {
    #[inline(always)]
    fn grow(&self, up: Block, here: Block, down: Block, open: Block, _: usize) -> Block {
        let beside = here.or(up.mask(self.lower)).or(down.mask(!self.lower));
        let now = here.or(up).or(down).or(beside.east()).or(beside.west()).and(open);
        // Hexes beside each other in a row always touch.
        run(now, open, open)
    }
}

/// Some hexsides may not be crossed.
struct Walled<'a> {
    lower: u64,
    sides: &'a Sides,
}

impl Grow for Walled<'_> {
    #[inline(always)]
    fn grow(&self, up: Block, here: Block, down: Block, open: Block, at: usize) -> Block {
        let steps = beside(up, here, down, self.lower);
        let (sides, [east, west]) = (&self.sides.striped[at], self.sides.along[at]);
        let now = here.or(across(&steps, sides)).and(open);
        run(now, open.and(east), open.and(west))
    }
}

/// Runs on along the rows by three hexes, given those that may be entered from the west and from the east.
#[inline(always)]
pub(crate) fn run(now: Block, east: Block, west: Block) -> Block {
    // What is passed two at a time does not depend on what is flooded, and so costs no waiting.
    let (east_two, west_two) = (east.and(east.east()), west.and(west.west()));
    let right = now.or(now.east().and(east));
    let left = now.or(now.west().and(west));
    let right = right.or(right.east().east().and(east_two));
    let left = left.or(left.west().west().and(west_two));
    right.or(left)
}

/// Rows in each of the four stripes of a grid.
pub(crate) fn stripe(grid: &Grid) -> usize {
    grid.len().div_ceil(64 * LANES).min(BLOCKS)
}

/// The words of four rows, one from each stripe.
#[inline(always)]
fn deal(words: &[u64; ROWS], at: usize, length: usize) -> Block {
    Block([words[at], words[at + length], words[at + 2 * length], words[at + 3 * length]])
}

#[inline(always)]
fn sweep<G: Grow>(grid: &Grid, trace: &Trace<'_>, room: &mut Stripes, set: &mut HexSet, how: &G) -> usize {
    let length = stripe(grid);
    let (now, open) = (&mut room.now[..length], &mut room.open[..length]);
    for at in 0..length {
        open[at] = deal(&trace.open.words, at, length).and(deal(&grid.all().words, at, length));
        now[at] = deal(&trace.sources.words, at, length).and(open[at]);
    }
    let end = length - 1;
    loop {
        let mut changed = Block::ZERO;
        // Above the first row of a stripe is the last one of the stripe before.
        let mut up = now[end].below(Block::ZERO);
        for at in 0..length {
            let down = if at < end { now[at + 1] } else { now[0].above(Block::ZERO) };
            let new = how.grow(up, now[at], down, open[at], at);
            changed = changed.or(new.minus(now[at]));
            now[at] = new;
            up = new;
        }
        if changed.any() == 0 {
            break;
        }
        let mut changed = Block::ZERO;
        let mut down = now[0].above(Block::ZERO);
        for at in (0..length).rev() {
            let up = if at > 0 { now[at - 1] } else { now[end].below(Block::ZERO) };
            let new = how.grow(up, now[at], down, open[at], at);
            changed = changed.or(new.minus(now[at]));
            now[at] = new;
            down = new;
        }
        if changed.any() == 0 {
            break;
        }
    }
    if room.length != length {
        set.clear();
        room.length = length;
    }
    let mut count = 0;
    for (at, block) in now.iter().enumerate() {
        for lane in 0..LANES {
            set.words[lane * length + at] = block.0[lane];
            count += block.0[lane].count_ones() as usize;
        }
    }
    count
}
