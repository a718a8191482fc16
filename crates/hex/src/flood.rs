//! Flood: the hexes that a line of supply can be traced to, and how far they are.

use crate::block::{BLOCKS, Block, LANES, across, inside, step, wide};
use crate::pocket::{Fill, PocketSides};
use crate::sweep::{Stripes, Sweep, stripe};
use crate::{Dir, Edge, Grid, Hex, HexSet, Route};

static NOWHERE: HexSet = HexSet::empty();

/// Hexsides that may not be crossed, in a form that a whole row can use at once.
#[derive(Clone, Debug)]
pub struct Sides {
    /// By block: which hexes may be entered in each direction of travel.
    open: Vec<[Block; 6]>,
    /// The same with the rows dealt into stripes.
    pub(crate) striped: [[Block; 6]; BLOCKS],
    /// By block of stripes: which hexes may be entered from the west and from the east along their row.
    pub(crate) along: [[Block; 2]; BLOCKS],
    /// The same for a board that fits into one block.
    pocket: Option<PocketSides>,
}

impl Sides {
    /// Asks of each hexside whether it is closed, and keeps the answers.
    pub fn new(grid: &Grid, mut closed: impl FnMut(Edge) -> bool) -> Sides {
        let mut open = vec![[Block::ZERO; 6]; BLOCKS];
        let mut admit = |to: Hex, dir: Dir| {
            let row = to.ix() / 64;
            open[row / LANES][dir.ix()].0[row % LANES] |= 1 << (to.ix() % 64);
        };
        for hex in grid.hexes() {
            for dir in [Dir::N, Dir::Ne, Dir::Se] {
                let Some((edge, to)) = Edge::new(grid, hex, dir).zip(grid.neighbour(hex, dir)) else {
                    continue;
                };
                if !closed(edge) {
                    admit(to, dir);
                    admit(hex, dir.opposite());
                }
            }
        }
        let mut striped = [[Block::ZERO; 6]; BLOCKS];
        let length = stripe(grid);
        for row in 0..length * LANES {
            for dir in 0..6 {
                striped[row % length][dir].0[row / length] = open[row / LANES][dir].0[row % LANES];
            }
        }
        // The hex beside one in its row lies to the north of east or of west if it is itself in a lower column.
        let lower = grid.lower_bits();
        let along = striped.map(|[_, ne, se, _, sw, nw]| {
            [ne.mask(!lower).or(se.mask(lower)), nw.mask(!lower).or(sw.mask(lower))]
        });
        let pocket = PocketSides::new(grid, |dir, row| open[row / LANES][dir].0[row % LANES]);
        Sides { open, striped, along, pocket }
    }

    /// True if one may step from a hex in a direction into that other hex.
    fn admits(&self, to: Hex, dir: Dir) -> bool {
        let row = to.ix() / 64;
        self.open[row / LANES][dir.ix()].0[row % LANES] >> (to.ix() % 64) & 1 != 0
    }
}

/// A line to be traced: from where, over which hexes, how far.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// Where lines begin. A source that is not in `open` counts for nothing.
    pub sources: &'a HexSet,
    /// The hexes that a line may pass.
    pub open: &'a HexSet,
    /// The hexsides that it may not cross, if there are any.
    pub sides: Option<&'a Sides>,
    /// The most steps that it may take.
    pub steps: Option<u16>,
    /// Hexes of which it may enter only so many in a row.
    pub rough: &'a HexSet,
    /// How many of `rough` it may enter in a row; the source itself is not counted.
    pub rough_run: Option<u8>,
}

impl<'a> Trace<'a> {
    /// A line of any length from the sources over open hexes.
    pub fn new(sources: &'a HexSet, open: &'a HexSet) -> Trace<'a> {
        Trace { sources, open, sides: None, steps: None, rough: &NOWHERE, rough_run: None }
    }

    fn layers(&self) -> usize {
        self.rough_run.map_or(1, |run| run as usize + 1)
    }
}

/// The room to trace in, kept by the caller and used again: no query allocates once it has grown.
#[derive(Clone, Debug, Default)]
pub struct Flood {
    set: HexSet,
    count: usize,
    stripes: Stripes,
    /// By layer and block from 1: the hexes entered last. A hex is in the layer of the number of rough hexes that
    /// were entered in a row up to it.
    fronts: Vec<Block>,
    /// By layer: the front as it was in the block above, because fronts are replaced from the top down.
    above: Vec<Block>,
    /// By layer and block: hexes entered with no more rough hexes in a row than that.
    seen: Vec<Block>,
    /// By step, layer and block: the hexes entered at that step. Only the blocks of `windows` hold anything.
    levels: Vec<Block>,
    windows: Vec<(u8, u8)>,
}

/// Where a line can be traced to.
#[derive(Clone, Copy, Debug)]
pub struct Traced<'a> {
    room: &'a Flood,
    grid: &'a Grid,
    trace: Trace<'a>,
}

impl Flood {
    /// An empty room.
    pub fn new() -> Flood {
        Flood::default()
    }

    /// The hexes that a line can be traced to; the quick way when their distance does not matter.
    pub fn fill(&mut self, grid: &Grid, trace: &Trace<'_>) -> &HexSet {
        if trace.steps.is_some() || trace.rough_run.is_some() {
            wide(Spread { room: self, grid, trace });
        } else if let Some(sides) = trace.sides.and_then(|sides| sides.pocket.as_ref()) {
            if self.stripes.length != stripe(grid) {
                self.set.clear();
                self.stripes.length = stripe(grid);
            }
            self.count = wide(Fill { trace, sides, set: &mut self.set });
        } else {
            self.count = wide(Sweep { grid, trace, room: &mut self.stripes, set: &mut self.set });
        }
        &self.set
    }

    /// How many hexes the last flood reached.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The hexes that a line can be traced to, with their distance and the line back.
    pub fn trace<'a>(&'a mut self, grid: &'a Grid, trace: &Trace<'a>) -> Traced<'a> {
        wide(Spread { room: self, grid, trace });
        Traced { room: self, grid, trace: *trace }
    }

    /// Step by step, all hexes of a step at once.
    #[inline(always)]
    fn spread(&mut self, grid: &Grid, trace: &Trace<'_>) {
        let layers = trace.layers();
        let wide = BLOCKS + 2;
        self.windows.clear();
        self.set.clear();
        self.stripes.length = stripe(grid);
        self.count = 0;
        self.fronts.clear();
        self.fronts.resize(layers * wide, Block::ZERO);
        self.above.resize(layers, Block::ZERO);
        self.seen.clear();
        self.seen.resize(layers * BLOCKS, Block::ZERO);
        let blocks = grid.len().div_ceil(64 * LANES);
        let sources = |at| {
            let open = Block::of(&trace.open.words, at).and(Block::of(&grid.all().words, at));
            Block::of(&trace.sources.words, at).and(open)
        };
        let used = |at: &usize| sources(*at).any() != 0;
        let Some((mut lo, mut hi)) = (0..blocks).find(used).zip((0..blocks).rfind(used)) else { return };
        for at in lo..=hi {
            self.fronts[at + 1] = sources(at);
            for layer in 0..layers {
                self.seen[layer * BLOCKS + at] = sources(at);
            }
        }
        for tick in 0.. {
            let size = layers * BLOCKS;
            if self.levels.len() < (tick + 1) * size {
                self.levels.resize((tick + 16) * size, Block::ZERO);
            }
            for layer in 0..layers {
                let level = &mut self.levels[tick * size + layer * BLOCKS..][..BLOCKS];
                level[lo..=hi].copy_from_slice(&self.fronts[layer * wide + 1..][lo..=hi]);
            }
            self.windows.push((lo as u8, hi as u8));
            let steps = trace.steps.map_or(usize::MAX, usize::from);
            if tick == steps {
                break;
            }
            let edge =
                |at: usize, lane: usize| (0..layers).any(|l| self.fronts[l * wide + 1 + at].0[lane] != 0);
            let (up, down) = (lo > 0 && edge(lo, 0), hi + 1 < blocks && edge(hi, LANES - 1));
            (lo, hi) = (lo - usize::from(up), hi + usize::from(down));
            if self.advance(grid, trace, lo, hi) == 0 {
                break;
            }
        }
        let last = layers - 1;
        for at in lo..=hi {
            let words = self.seen[last * BLOCKS + at].0;
            self.set.words[at * LANES..(at + 1) * LANES].copy_from_slice(&words);
            self.count += words.iter().map(|w| w.count_ones() as usize).sum::<usize>();
        }
    }

    /// Moves all fronts on by one step; zero if none has anywhere to go.
    #[inline(always)]
    fn advance(&mut self, grid: &Grid, trace: &Trace<'_>, lo: usize, hi: usize) -> u64 {
        let layers = trace.layers();
        let wide = BLOCKS + 2;
        let mut any = 0;
        self.above.fill(Block::ZERO);
        for at in lo..=hi {
            let open = Block::of(&trace.open.words, at).and(Block::of(&grid.all().words, at));
            let rough = Block::of(&trace.rough.words, at);
            let rough = if trace.rough_run.is_some() { rough } else { Block::ZERO };
            let mut smooth = Block::ZERO;
            let mut from = Block::ZERO;
            for layer in 0..layers {
                let front = &self.fronts[layer * wide + at..][..3];
                let here = front[1];
                let steps = step(&[self.above[layer], here, front[2]], grid.lower_bits());
                let everywhere = [open; 6];
                let to = across(&steps, trace.sides.map_or(&everywhere, |s| &s.open[at])).and(open);
                smooth = smooth.or(to.minus(rough));
                let new = from.minus(self.seen[layer * BLOCKS + at]);
                if layer > 0 {
                    self.fronts[layer * wide + at + 1] = new;
                    any |= new.any();
                    for better in layer..layers {
                        let seen = &mut self.seen[better * BLOCKS + at];
                        *seen = seen.or(new);
                    }
                }
                from = to.and(rough);
                self.above[layer] = here;
            }
            let new = smooth.minus(self.seen[at]);
            self.fronts[at + 1] = new;
            any |= new.any();
            for layer in 0..layers {
                let seen = &mut self.seen[layer * BLOCKS + at];
                *seen = seen.or(new);
            }
        }
        any
    }
}

/// A flood that counts its steps.
struct Spread<'a, 'b> {
    room: &'a mut Flood,
    grid: &'a Grid,
    trace: &'a Trace<'b>,
}

impl pulp::NullaryFnOnce for Spread<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.room.spread(self.grid, self.trace);
    }
}

impl Traced<'_> {
    /// The hexes that a line can be traced to, the sources among them.
    pub fn set(&self) -> &HexSet {
        &self.room.set
    }

    fn at_level(&self, step: usize, layer: usize, hex: Hex) -> bool {
        let row = hex.ix() / 64;
        let at = row / LANES;
        self.room.windows.get(step).is_some_and(|&window| inside(window, at))
            && self.room.levels[(step * self.trace.layers() + layer) * BLOCKS + at].0[row % LANES]
                >> (hex.ix() % 64)
                & 1
                != 0
    }

    fn state(&self, hex: Hex) -> Option<(usize, usize)> {
        let layers = self.trace.layers();
        let mut states =
            (0..self.room.windows.len()).flat_map(|step| (0..layers).map(move |layer| (step, layer)));
        if !self.room.set.contains(hex) {
            return None;
        }
        states.find(|&(step, layer)| self.at_level(step, layer, hex))
    }

    /// The steps of the shortest line to a hex, or none if there is no line.
    pub fn steps(&self, hex: Hex) -> Option<u16> {
        self.state(hex).map(|(step, _)| step as u16)
    }

    /// Writes the steps to every hex traced into an array indexed by hexes: a distance field. The others are left as
    /// they are.
    pub fn fill(&self, field: &mut [u16]) {
        let layers = self.trace.layers();
        // Backwards, so that the shortest of several lines is written last.
        for (step, &(lo, hi)) in self.room.windows.iter().enumerate().rev() {
            for layer in 0..layers {
                for at in lo as usize..=hi as usize {
                    let block = self.room.levels[(step * layers + layer) * BLOCKS + at];
                    for (lane, mut word) in block.0.into_iter().enumerate() {
                        while word != 0 {
                            let hex = (at * LANES + lane) * 64 + word.trailing_zeros() as usize;
                            word &= word - 1;
                            if let Some(place) = field.get_mut(hex) {
                                *place = step as u16;
                            }
                        }
                    }
                }
            }
        }
    }

    /// The hexes of a shortest line, backwards from a hex to a source. Of several, at each hex the one that comes from
    /// the first direction clockwise from north. Empty if there is no line.
    pub fn back(&self, hex: Hex) -> impl Iterator<Item = Hex> + '_ {
        let mut next = self.state(hex).map(|state| (hex, state));
        std::iter::from_fn(move || {
            let (at, state) = next?;
            next = self.before(at, state);
            Some(at)
        })
    }

    fn before(&self, hex: Hex, (step, layer): (usize, usize)) -> Option<(Hex, (usize, usize))> {
        let before = step.checked_sub(1)?;
        let layers = if layer > 0 { layer - 1..layer } else { 0..self.trace.layers() };
        self.grid.neighbours(hex).find_map(|(dir, from)| {
            if !self.trace.sides.is_none_or(|s| s.admits(hex, dir.opposite())) {
                return None;
            }
            let layer = layers.clone().find(|&l| self.at_level(before, l, from))?;
            Some((from, (before, layer)))
        })
    }

    /// A shortest line to a hex as a route from its source; none if there is no line or it has more than
    /// [`Route::MOST`] steps.
    pub fn route(&self, hex: Hex) -> Option<Route> {
        Route::back(self.grid, self.back(hex))
    }
}
