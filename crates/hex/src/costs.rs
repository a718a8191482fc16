//! What each step costs one class of units, in a form that a whole row of hexes can use at once.

use crate::block::{BLOCKS, Band, Block, LANES};
use crate::pocket::Pocket;
use crate::split::{Kind, Split};
use crate::{Dir, Grid, Hex};

/// What each step costs one class of units, in ticks.
///
/// A tick is the smallest fraction of a movement point that the game knows: with a road at half a point there are two
/// ticks to the point, and all sums are exact.
///
/// ```
/// use hex::{Costs, Grid, GridSpec, Parity, Span};
/// # use verst_hex as hex;
/// let grid = Grid::new(&GridSpec::rectangle(Span::new(1, 12), Span::new(1, 10), Parity::Even))?;
/// // Two ticks to the point: open ground 2, a road along row 5 at 1, nothing enters column 9.
/// let costs = Costs::new(&grid, |from, _, to| {
///     let road = grid.row(from) == 5 && grid.row(to) == 5;
///     (grid.column(to) != 9).then_some(if road { 1 } else { 2 })
/// })?;
/// let (a, b) = (grid.find("0305").unwrap(), grid.find("0405").unwrap());
/// assert_eq!(costs.step(a, grid.dir(a, b).unwrap()), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Costs {
    /// Ticks for leaving a hex in each direction; [`Costs::NEVER`] where that is forbidden.
    leave: Vec<[u8; 6]>,
    pub(crate) lower: u64,
    pub(crate) least: u16,
    pub(crate) most: u16,
    /// How many ticks can lie between the first note of a hex in a ring and the last look at it.
    pub(crate) memory: usize,
    /// The kinds of sides: first those that add to the ground, then those with a price of their own, dearest first.
    pub(crate) kinds: Vec<Kind>,
    /// How many of the kinds add to the ground.
    pub(crate) adding: usize,
    /// By kind and block: which hexes are entered in each direction of travel across a side of that kind.
    pub(crate) sides: Vec<[[Block; 6]; BLOCKS]>,
    /// The classes of ground, in fours: what they cost to enter over a plain side.
    pub(crate) bases: Vec<[u16; 4]>,
    /// The hexes of each class; those that fill up the last four have none.
    pub(crate) grounds: Vec<[Band; 4]>,
    /// The same for a board that fits into one block.
    pub(crate) pocket: Option<Pocket>,
}

/// Why a table of costs cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CostError {
    /// A step for nothing, which would make the order of hexes meaningless.
    #[error("a step from hex number {} costs nothing; every step costs at least one tick", .0.0)]
    Free(Hex),
    /// A step dearer than the table can hold.
    #[error("a step from hex number {} costs {ticks} ticks; at most {} fit", from.0, Costs::MOST)]
    Dear {
        /// Where the step begins.
        from: Hex,
        /// What it was said to cost.
        ticks: u16,
    },
}

impl Costs {
    /// The most ticks that a step may cost.
    pub const MOST: u16 = 250;
    pub(crate) const NEVER: u8 = u8::MAX;

    /// Asks for the ticks of each step (from a hex, in a direction, into a hex; none if that is forbidden) and keeps
    /// the answers. Built once for each class of units and weather.
    pub fn new(grid: &Grid, mut cost: impl FnMut(Hex, Dir, Hex) -> Option<u16>) -> Result<Costs, CostError> {
        let mut leave = vec![[Costs::NEVER; 6]; grid.len()];
        for hex in grid.hexes() {
            for (dir, to) in grid.neighbours(hex) {
                match cost(hex, dir, to) {
                    Some(0) => return Err(CostError::Free(hex)),
                    Some(c) if c > Costs::MOST => return Err(CostError::Dear { from: hex, ticks: c }),
                    Some(c) => leave[hex.ix()][dir.ix()] = c as u8,
                    None => {}
                }
            }
        }
        Ok(Costs::pack(grid, leave))
    }

    /// The ticks of one step, or none if it is forbidden or leaves the grid.
    #[inline]
    pub fn step(&self, from: Hex, dir: Dir) -> Option<u16> {
        self.leave.get(from.ix()).map(|c| c[dir.ix()]).filter(|&c| c != Costs::NEVER).map(u16::from)
    }

    /// As [`Costs::step`] for a hex of the grid, with [`Costs::NEVER`] for none: the form for inner loops.
    #[inline]
    pub(crate) fn raw(&self, from: Hex, dir: Dir) -> u8 {
        self.leave.get(from.ix()).map_or(Costs::NEVER, |c| c[dir.ix()])
    }

    /// The ticks of the cheapest step on the grid, or one if there is no step at all.
    pub fn least(&self) -> u16 {
        self.least
    }

    /// Sorts the steps into few classes of hexes and few kinds of sides.
    fn pack(grid: &Grid, leave: Vec<[u8; 6]>) -> Costs {
        // What it costs to enter each hex when travelling in each direction.
        let mut enter = vec![[Costs::NEVER; 6]; grid.len()];
        for hex in grid.hexes() {
            for (dir, to) in grid.neighbours(hex) {
                enter[to.ix()][dir.ix()] = leave[hex.ix()][dir.ix()];
            }
        }
        let split = Split::new(&enter, Costs::NEVER);
        let fours = split.bases.len().div_ceil(4).max(1);
        let mut bases = vec![[1; 4]; fours];
        for (i, &base) in split.bases.iter().enumerate() {
            bases[i / 4][i % 4] = base;
        }
        let mut sides = vec![[[Block::ZERO; 6]; BLOCKS]; split.kinds.len()];
        let mut grounds = vec![[[Block::ZERO; BLOCKS]; 4]; fours];
        let (mut least, mut most) = (Costs::MOST, 1);
        for hex in grid.hexes() {
            let Some(class) = split.class[hex.ix()] else { continue };
            let (row, bit) = (hex.ix() / 64, 1u64 << (hex.ix() % 64));
            let (block, lane) = (row / LANES, row % LANES);
            grounds[class / 4][class % 4][block].0[lane] |= bit;
            for (dir, &cost) in enter[hex.ix()].iter().enumerate().filter(|(_, c)| **c != Costs::NEVER) {
                sides[split.kind(class, cost)][block][dir].0[lane] |= bit;
                (least, most) = (least.min(u16::from(cost)), most.max(u16::from(cost)));
            }
        }
        let dearest =
            |fixed| split.kinds.iter().filter(|k| k.fixed == fixed).map(|k| k.ticks).max().unwrap_or(0);
        let base = split.bases.iter().copied().max().unwrap_or(1);
        let memory = usize::from((dearest(false) + base).max(dearest(true)));
        let adding = split.kinds.iter().filter(|k| !k.fixed).count();
        let side = |kind: usize, dir: usize, row: usize| sides[kind][row / LANES][dir].0[row % LANES];
        let ground = |class: usize, row: usize| grounds[class / 4][class % 4][row / LANES].0[row % LANES];
        let pocket = Pocket::new(grid, split.kinds.len(), &split.bases, side, ground);
        let (lower, kinds) = (grid.lower_bits(), split.kinds);
        Costs { leave, lower, least, most, memory, kinds, adding, sides, bases, grounds, pocket }
    }
}
