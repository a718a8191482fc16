//! The kernels of reach and of flood again, for boards of at most sixteen rows and sixteen columns.
//!
//! Sixteen bits to a row, such a board is a single block, and a tick of it needs no loop over blocks, no window and no
//! rows kept in memory. Everything else is as in the kernels for large boards, whose tables are used in this form.

use crate::block::{Block, LANES, across, beside};
use crate::set::ROWS;
use crate::sweep::run;
use crate::{Costs, Grid, Hex, HexSet, March, Trace};

/// Rows of a pocket, and columns.
pub(crate) const SIDE: usize = 16;
/// Rows to a word.
const FOLD: usize = SIDE / LANES;

/// The tables of [`Costs`] for a board that fits into a block.
#[derive(Clone, Debug)]
pub(crate) struct Pocket {
    lower: u64,
    /// By kind of side: which hexes are entered in each direction of travel.
    sides: Vec<[Block; 6]>,
    /// The hexes of each class of ground, in the order of the bases.
    grounds: Vec<(usize, Block)>,
}

/// What a run works on and leaves behind.
#[derive(Clone, Debug, Default)]
pub(crate) struct PocketRoom {
    ring: Vec<Block>,
    /// By tick: the hexes settled at that tick.
    pub levels: Vec<Block>,
}

impl Pocket {
    /// The tables in this form, if the grid is small enough; `sides` and `grounds` say row by row what they hold.
    pub fn new(
        grid: &Grid,
        kinds: usize,
        bases: &[u16],
        sides: impl Fn(usize, usize, usize) -> u64,
        grounds: impl Fn(usize, usize) -> u64,
    ) -> Option<Pocket> {
        fits(grid).then(|| {
            let side = |kind| std::array::from_fn(|dir| fold(|row| sides(kind, dir, row)));
            let ground = |(i, &base): (usize, &u16)| (usize::from(base), fold(|row| grounds(i, row)));
            Pocket {
                lower: lower(grid),
                sides: (0..kinds).map(side).collect(),
                grounds: bases.iter().enumerate().map(ground).collect(),
            }
        })
    }
}

fn fits(grid: &Grid) -> bool {
    let columns = grid.spec().columns;
    columns.last - columns.first < SIDE as i16 && grid.len() <= SIDE * 64
}

/// The lower columns, in each of the four rows of a word.
fn lower(grid: &Grid) -> u64 {
    let row = grid.lower_bits() & 0xffff;
    row | row << 16 | row << 32 | row << 48
}

/// Sixteen rows in one block.
#[inline(always)]
fn fold(word: impl Fn(usize) -> u64) -> Block {
    let four = |lane: usize| {
        let row = |i: usize| (word(lane * FOLD + i) & 0xffff) << (i * SIDE);
        row(0) | row(1) | row(2) | row(3)
    };
    Block([four(0), four(1), four(2), four(3)])
}

/// The first sixteen rows of a set.
#[inline(always)]
fn folded(words: &[u64; ROWS]) -> Block {
    fold(|row| words[row])
}

/// A row of a block, as a word of a set.
#[inline(always)]
pub(crate) fn row(block: &Block, row: usize) -> u64 {
    block.0[row / FOLD] >> (row % FOLD * SIDE) & 0xffff
}

/// True if a block has a hex of the first sixteen rows and columns.
#[inline(always)]
pub(crate) fn has(block: &Block, hex: Hex) -> bool {
    let at = hex.ix() / 64 * SIDE + hex.ix() % 64;
    block.0[at / 64] >> (at % 64) & 1 != 0
}

/// One run, to be compiled for more than one kind of processor. Its output is the hexes reached.
pub(crate) struct Ticks<'a> {
    pub room: &'a mut PocketRoom,
    pub costs: &'a Costs,
    pub pocket: &'a Pocket,
    pub march: &'a March<'a>,
    pub goal: Hex,
}

impl pulp::NullaryFnOnce for Ticks<'_> {
    type Output = Block;

    #[inline(always)]
    fn call(self) -> Block {
        let Ticks { room, costs, pocket, march, goal } = self;
        let PocketRoom { ring, levels } = room;
        let mask = (costs.memory + 1).next_power_of_two() - 1;
        let budget = usize::from(march.budget);
        ring.clear();
        ring.resize(2 * (mask + 1), Block::ZERO);
        levels.clear();
        let (blocked, stop) = (folded(&march.blocked.words), folded(&march.stop.words));
        let mut starts = Block::ZERO;
        for start in march.starts.iter().filter(|h| h.ix() / 64 < SIDE && h.ix() % 64 < SIDE) {
            let at = start.ix() / 64 * SIDE + start.ix() % 64;
            starts.0[at / 64] |= 1 << (at % 64);
        }
        let mut seen = blocked.or(starts);
        // Those settled at this tick, and those of them that go on; the starts, and only they, may leave a stop.
        let (mut here, mut out) = (starts, starts);
        let mut quiet = 0;
        for tick in 0.. {
            levels.push(here);
            if tick == budget || (goal.is_some() && has(&here, goal)) {
                break;
            }
            if here.any() == 0 {
                quiet += 1;
                // Nothing new twice in a row: perhaps there is nothing on its way any more.
                if quiet == 2 && ring.iter().fold(Block::ZERO, |all, b| all.or(*b)).minus(seen).any() == 0 {
                    break;
                }
            } else {
                quiet = 0;
            }
            let steps = beside(south(out), out, north(out), pocket.lower);
            for (k, (kind, sides)) in costs.kinds.iter().zip(&pocket.sides).enumerate() {
                let slot = (tick + usize::from(kind.ticks)) & mask | if kind.fixed { mask + 1 } else { 0 };
                let Some(noted) = ring.get_mut(slot) else { continue };
                let new = across(&steps, sides);
                // The dearest kind of a ring is the first to write to its slot since the ring came round.
                *noted = if k == 0 || k == costs.adding { new } else { noted.or(new) };
            }
            let next = tick + 1;
            here = ring.get(mask + 1 + (next & mask)).copied().unwrap_or(Block::ZERO);
            for &(base, ground) in &pocket.grounds {
                let due = ring.get(next.wrapping_sub(base) & mask).copied().unwrap_or(Block::ZERO);
                here = here.or(due.and(ground));
            }
            here = here.minus(seen);
            seen = seen.or(here);
            out = here.minus(stop);
        }
        seen.minus(blocked).or(starts)
    }
}

/// The tables of [`crate::Sides`] for a board that fits into a block.
#[derive(Clone, Debug)]
pub(crate) struct PocketSides {
    lower: u64,
    all: Block,
    /// Which hexes may be entered in each direction of travel.
    open: [Block; 6],
    /// Which may be entered from the west and from the east along their row.
    along: [Block; 2],
}

impl PocketSides {
    /// The tables in this form, if the grid is small enough; `open` says row by row what they hold.
    pub fn new(grid: &Grid, open: impl Fn(usize, usize) -> u64) -> Option<PocketSides> {
        fits(grid).then(|| {
            let lower = lower(grid);
            let open = std::array::from_fn(|dir| fold(|row| open(dir, row)));
            let [_, ne, se, _, sw, nw] = open;
            // The hex beside one in its row lies to the north of east or of west if it is itself in a lower column.
            let along = [ne.mask(!lower).or(se.mask(lower)), nw.mask(!lower).or(sw.mask(lower))];
            PocketSides { lower, all: folded(&grid.all().words), open, along }
        })
    }
}

/// A flood that does not count its steps. Its output is how many hexes are flooded.
pub(crate) struct Fill<'a> {
    pub trace: &'a Trace<'a>,
    pub sides: &'a PocketSides,
    pub set: &'a mut HexSet,
}

impl pulp::NullaryFnOnce for Fill<'_> {
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let Fill { trace, sides, set } = self;
        let open = folded(&trace.open.words).and(sides.all);
        let (east, west) = (open.and(sides.along[0]), open.and(sides.along[1]));
        let admitted = sides.open.map(|side| side.and(open));
        let mut now = folded(&trace.sources.words).and(open);
        loop {
            let steps = beside(south(now), now, north(now), sides.lower);
            let new = run(now.or(across(&steps, &admitted)), east, west);
            if new.minus(now).any() == 0 {
                break;
            }
            now = new;
        }
        for at in 0..SIDE {
            set.words[at] = row(&now, at);
        }
        now.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// All rows moved down by one.
#[inline(always)]
fn south(Block([a, b, c, d]): Block) -> Block {
    Block([a << SIDE, b << SIDE | a >> 48, c << SIDE | b >> 48, d << SIDE | c >> 48])
}

/// All rows moved up by one.
#[inline(always)]
fn north(Block([a, b, c, d]): Block) -> Block {
    Block([a >> SIDE | b << 48, b >> SIDE | c << 48, c >> SIDE | d << 48, d >> SIDE])
}
