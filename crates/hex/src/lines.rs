//! Lines of limited and of any length over hexsides that open and close in play.

use crate::block::{BLOCKS, Band, Block, LANES, across, step, wide};
use crate::{Grid, HexSet};

/// A block more on either side, so that the rows above the first and below the last need no question.
type Padded = [Block; BLOCKS + 2];

/// Lines that are followed from where they end. Unlike those of [`crate::Trace`], the hexsides that bar them are sets of
/// hexes, cheap enough to be put together for each query, and a step may cost one or two.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// Where lines end.
    pub ends: &'a HexSet,
    /// Where they end too, but a step farther on.
    pub beyond: &'a HexSet,
    /// The hexes that a line may touch, its ends among them.
    pub open: &'a HexSet,
    /// Hexes that a line may begin in but not come into.
    pub shut: &'a HexSet,
    /// By direction, away from the end: the hexes that a line may be followed into.
    pub ways: &'a [HexSet; 6],
    /// Those of them for which the step counts as two.
    pub dear: &'a [HexSet; 6],
    /// Hexes of which it may not pass two in a row; it may begin in the second.
    pub rough: &'a HexSet,
}

impl Lines<'_> {
    /// The hexes from which a line of so many steps can be traced, and those from which one of any length can.
    pub fn trace(&self, grid: &Grid, steps: usize, near: &mut HexSet, far: &mut HexSet) {
        wide(Follow { lines: self, grid, steps, near, far: Some(far) });
    }

    /// The hexes from which a line of so many steps can be traced.
    pub fn within(&self, grid: &Grid, steps: usize, near: &mut HexSet) {
        wide(Follow { lines: self, grid, steps, near, far: None });
    }
}

struct Follow<'a, 'b> {
    lines: &'a Lines<'b>,
    grid: &'a Grid,
    steps: usize,
    near: &'a mut HexSet,
    far: Option<&'a mut HexSet>,
}

/// What the lines have come to.
struct Seen {
    /// Hexes that a line can pass.
    passed: Band,
    /// Hexes where it can begin besides: the second rough one in a row.
    begin: Band,
}

impl Seen {
    #[inline(always)]
    fn write(&self, blocks: usize, out: &mut HexSet) {
        out.clear();
        for at in 0..blocks {
            let all = self.passed[at].or(self.begin[at]);
            out.words[at * LANES..(at + 1) * LANES].copy_from_slice(&all.0);
        }
    }
}

/// Where one step leads from a front.
struct Led {
    /// Hexes that a line can pass.
    passed: Block,
    /// Rough hexes beyond a rough one.
    begin: Block,
}

impl Led {
    #[inline(always)]
    fn of((smooth, dirty): (Block, Block), rough: Block) -> Led {
        Led { passed: smooth.or(dirty.minus(rough)), begin: dirty.and(rough) }
    }
}

impl Lines<'_> {
    /// The rows of a front that is entered anew, smooth hexes and rough ones apart.
    #[inline(always)]
    fn front(&self, new: Block, at: usize) -> [Block; 2] {
        let new = new.minus(Block::of(&self.shut.words, at));
        let rough = Block::of(&self.rough.words, at);
        [new.minus(rough), new.and(rough)]
    }

    /// The hexes where lines end, as far as they may be touched.
    #[inline(always)]
    fn ends(&self, grid: &Grid, ends: &HexSet, at: usize) -> Block {
        let open = Block::of(&self.open.words, at).and(Block::of(&grid.all().words, at));
        Block::of(&ends.words, at).and(open)
    }

    /// A step from the fronts into some rows: what costs one, and what costs two.
    #[inline(always)]
    fn leads(&self, fronts: &[Padded; 2], at: usize, lower: u64) -> [Led; 2] {
        let (open, rough) = (Block::of(&self.open.words, at), Block::of(&self.rough.words, at));
        let smooth = step(&fronts[0][at..at + 3], lower);
        let dirty = step(&fronts[1][at..at + 3], lower);
        let (mut cheap, mut dear) = ([Block::ZERO; 6], [Block::ZERO; 6]);
        let sides = self.ways.iter().zip(self.dear);
        for ((cheap, dear), (way, twice)) in cheap.iter_mut().zip(&mut dear).zip(sides) {
            let (way, twice) = (Block::of(&way.words, at), Block::of(&twice.words, at));
            (*cheap, *dear) = (way.minus(twice), way.and(twice));
        }
        let one = (across(&smooth, &cheap).and(open), across(&dirty, &cheap).and(open));
        let two = (across(&smooth, &dear).and(open), across(&dirty, &dear).and(open));
        [Led::of(one, rough), Led::of(two, rough)]
    }
}

impl pulp::NullaryFnOnce for Follow<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Follow { lines, grid, steps, near, far } = self;
        let lower = grid.lower_bits();
        let blocks = grid.len().div_ceil(64 * LANES);
        let none: Band = [Block::ZERO; BLOCKS];
        let mut seen = Seen { passed: none, begin: none };
        let mut fronts: [Padded; 2] = [[Block::ZERO; BLOCKS + 2]; 2];
        // What is reached by steps spent, modulo three, because a step spends two at most.
        let mut due = [none; 3];
        for (due, ends) in due.iter_mut().zip([lines.ends, lines.beyond]) {
            for (at, due) in due.iter_mut().enumerate().take(blocks) {
                *due = lines.ends(grid, ends, at);
            }
        }
        for spent in 0..=steps {
            for (at, due) in due[spent % 3].iter_mut().enumerate().take(blocks) {
                let new = std::mem::take(due).minus(seen.passed[at]);
                seen.passed[at] = seen.passed[at].or(new);
                [fronts[0][at + 1], fronts[1][at + 1]] = lines.front(new, at);
            }
            if spent == steps {
                break;
            }
            for (at, begin) in seen.begin.iter_mut().enumerate().take(blocks) {
                for (more, led) in lines.leads(&fronts, at, lower).into_iter().enumerate() {
                    if spent + more < steps {
                        let next = &mut due[(spent + more + 1) % 3][at];
                        *next = next.or(led.passed);
                        *begin = begin.or(led.begin);
                    }
                }
            }
        }
        seen.write(blocks, near);
        let Some(far) = far else { return };
        // Of any length: all that is reached spreads on until nothing is new, in a window of the rows that change.
        for at in 0..blocks {
            seen.passed[at] = seen.passed[at].or(lines.ends(grid, lines.beyond, at));
            [fronts[0][at + 1], fronts[1][at + 1]] = lines.front(seen.passed[at], at);
        }
        let (mut lo, mut hi) = (0, blocks - 1);
        let mut next = none;
        loop {
            let mut window = None;
            for (at, next) in next.iter_mut().enumerate().take(hi + 1).skip(lo) {
                let [cheap, dear] = lines.leads(&fronts, at, lower);
                let new = cheap.passed.or(dear.passed).minus(seen.passed[at]);
                seen.passed[at] = seen.passed[at].or(new);
                seen.begin[at] = seen.begin[at].or(cheap.begin).or(dear.begin);
                *next = new;
                if new.any() != 0 {
                    window = Some((window.map_or(at, |(first, _)| first), at));
                }
            }
            for (at, &new) in next.iter().enumerate().take(hi + 1).skip(lo) {
                [fronts[0][at + 1], fronts[1][at + 1]] = lines.front(new, at);
            }
            let Some((first, last)) = window else { break };
            (lo, hi) = (first.saturating_sub(1), (last + 1).min(blocks - 1));
        }
        seen.write(blocks, far);
    }
}
