//! Four rows of the map at a time: as many words as one instruction of a common processor takes.

use crate::set::ROWS;

/// Rows of the grid that are computed together.
pub(crate) const LANES: usize = 4;
/// Groups of [`LANES`] rows in a grid.
pub(crate) const BLOCKS: usize = ROWS / LANES;

/// A whole grid, block by block.
pub(crate) type Band = [Block; BLOCKS];

/// The same bits of four rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct Block(pub [u64; LANES]);

impl Block {
    pub const ZERO: Block = Block([0; LANES]);

    #[inline(always)]
    pub fn of(words: &[u64; ROWS], at: usize) -> Block {
        let mut block = Block::ZERO;
        block.0.copy_from_slice(&words[at * LANES..(at + 1) * LANES]);
        block
    }

    #[inline(always)]
    fn zip(self, other: Block, f: impl Fn(u64, u64) -> u64) -> Block {
        let (a, b) = (self.0, other.0);
        Block([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
    }

    #[inline(always)]
    pub fn and(self, other: Block) -> Block {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    pub fn or(self, other: Block) -> Block {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    pub fn minus(self, other: Block) -> Block {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    pub fn mask(self, mask: u64) -> Block {
        Block(self.0.map(|a| a & mask))
    }

    #[inline(always)]
    pub fn east(self) -> Block {
        Block(self.0.map(|a| a << 1))
    }

    #[inline(always)]
    pub fn west(self) -> Block {
        Block(self.0.map(|a| a >> 1))
    }

    /// The rows above each of the four, given the block above.
    #[inline(always)]
    pub fn below(self, above: Block) -> Block {
        Block([above.0[3], self.0[0], self.0[1], self.0[2]])
    }

    /// The rows below each of the four, given the block below.
    #[inline(always)]
    pub fn above(self, below: Block) -> Block {
        Block([self.0[1], self.0[2], self.0[3], below.0[0]])
    }

    #[inline(always)]
    pub fn any(self) -> u64 {
        (self.0[0] | self.0[1]) | (self.0[2] | self.0[3])
    }
}

/// True if a block lies in a window.
#[inline(always)]
pub(crate) fn inside((lo, hi): (u8, u8), at: usize) -> bool {
    lo as usize <= at && at <= hi as usize
}

/// Where a step in each of the six directions leads from the middle one of three blocks and its fellows.
#[inline(always)]
pub(crate) fn step(rows: &[Block], lower: u64) -> [Block; 6] {
    beside(rows[1].below(rows[0]), rows[1], rows[1].above(rows[2]), lower)
}

/// Where a step in each of the six directions leads into these rows from them, the rows above and the rows below.
#[inline(always)]
pub(crate) fn beside(up: Block, here: Block, down: Block, lower: u64) -> [Block; 6] {
    let northward = down.mask(!lower).or(here.mask(lower));
    let southward = here.mask(!lower).or(up.mask(lower));
    [down, northward.east(), southward.east(), up, southward.west(), northward.west()]
}

/// Where the steps lead that cross a side of one kind.
#[inline(always)]
pub(crate) fn across(steps: &[Block; 6], sides: &[Block; 6]) -> Block {
    let six = |i: usize| steps[i].and(sides[i]);
    (six(0).or(six(1))).or(six(2).or(six(3))).or(six(4).or(six(5)))
}

/// Runs a kernel with the widest instructions that this processor has. Everything it calls must be inlined.
#[inline(always)]
pub(crate) fn wide<K: pulp::NullaryFnOnce>(kernel: K) -> K::Output {
    pulp::Arch::new().dispatch(kernel)
}
