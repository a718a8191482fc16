//! The cheapest set of hexes that parts two regions: where a line must stand, or a ring must close. A minimum cut through
//! the hexes, found by pushing flow along shortest paths until none is left.

use hex::{Grid, Hex, HexSet};

/// A hex that cannot be part of the cut.
pub(crate) const NEVER: u32 = u32::MAX;

/// The hexes of a cheapest cut between two sets; `None` when they cannot be parted for `most` or less. `cost` is by hex, and
/// hexes of `to` may be part of the cut themselves; hexes outside `open` carry nothing.
pub(crate) fn cut(
    grid: &Grid,
    open: &HexSet,
    cost: &[u32],
    from: &HexSet,
    to: &HexSet,
    most: u32,
) -> Option<Vec<Hex>> {
    let n = grid.len();
    let mut flow = Flow {
        grid,
        open,
        cost,
        through: vec![0u32; n],
        across: vec![[0i32; 6]; n],
        seen: vec![0; 2 * n],
        round: 0,
        back: vec![(0, Step::Through); 2 * n],
        queue: Vec::with_capacity(2 * n),
    };
    let mut total = 0u32;
    while let Some(end) = flow.search(from, to) {
        total = total.saturating_add(flow.push(end, from));
        if total > most {
            return None;
        }
    }
    let parted = |h: &Hex| flow.saw(2 * h.ix()) && !flow.saw(2 * h.ix() + 1) && open.contains(*h);
    Some(grid.hexes().filter(parted).collect())
}

#[derive(Clone, Copy)]
enum Step {
    /// From the in-node of a hex to its out-node.
    Through,
    /// The same backwards.
    Back,
    /// Over a side, in the direction of that number.
    Across(u8),
}

/// A flow in the making. Each hex is two nodes, in and out; the flow through a hex and across each of its sides is kept. What a
/// search needs is kept from one to the next, since there are hundreds of them.
struct Flow<'a> {
    grid: &'a Grid,
    open: &'a HexSet,
    cost: &'a [u32],
    through: Vec<u32>,
    across: Vec<[i32; 6]>,
    /// By node: the last search that came there.
    seen: Vec<u32>,
    round: u32,
    /// By node: the node before it, and the step that led here.
    back: Vec<(u32, Step)>,
    queue: Vec<u32>,
}

impl Flow<'_> {
    /// Whether the last search came to a node.
    fn saw(&self, node: usize) -> bool {
        self.seen[node] == self.round
    }

    fn visit(&mut self, node: usize, before: usize, step: Step) -> bool {
        if self.saw(node) {
            return false;
        }
        self.seen[node] = self.round;
        self.back[node] = (before as u32, step);
        self.queue.push(node as u32);
        true
    }

    /// How much more may flow through a hex.
    fn room(&self, hex: usize) -> u32 {
        match self.cost.get(hex) {
            None => 0,
            Some(&NEVER) => NEVER,
            Some(&c) => c.saturating_sub(self.through[hex]),
        }
    }

    /// Looks for a shortest way for more flow; its last node.
    fn search(&mut self, from: &HexSet, to: &HexSet) -> Option<usize> {
        self.round += 1;
        self.queue.clear();
        for h in from {
            let out = 2 * h.ix() + 1;
            self.seen[out] = self.round;
            self.seen[out - 1] = self.round;
            self.queue.push(out as u32);
        }
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            let node = node as usize;
            let h = Hex((node / 2) as u16);
            if node % 2 == 1 {
                for (d, n) in self.grid.neighbours(h) {
                    if self.open.contains(n) {
                        self.visit(2 * n.ix(), node, Step::Across(d.ix() as u8));
                    }
                }
                if self.through[h.ix()] > 0 {
                    self.visit(node - 1, node, Step::Back);
                }
            } else {
                if self.room(h.ix()) > 0 && self.visit(node + 1, node, Step::Through) && to.contains(h) {
                    return Some(node + 1);
                }
                // Flow that came in over a side can be sent back over it.
                for (d, n) in self.grid.neighbours(h) {
                    if self.across[n.ix()][(d.ix() + 3) % 6] > 0 {
                        self.visit(2 * n.ix() + 1, node, Step::Across(d.ix() as u8));
                    }
                }
            }
        }
        None
    }

    /// Pushes as much as the way that was found can take; how much that is.
    fn push(&mut self, end: usize, from: &HexSet) -> u32 {
        let source = |node: usize| node % 2 == 1 && from.contains(Hex((node / 2) as u16));
        let mut most = NEVER;
        let mut node = end;
        while !source(node) {
            let (before, step) = self.back[node];
            let before = before as usize;
            most = most.min(match step {
                Step::Through => self.room(node / 2),
                Step::Back => self.through[node / 2],
                Step::Across(_) if before % 2 == 1 => NEVER,
                Step::Across(d) => self.across[node / 2][usize::from((d + 3) % 6)].unsigned_abs(),
            });
            node = before;
        }
        // Where nothing on the way costs anything, it cannot be parted.
        if most == NEVER {
            return NEVER;
        }
        node = end;
        while !source(node) {
            let (before, step) = self.back[node];
            let before = before as usize;
            match step {
                Step::Through => self.through[node / 2] += most,
                Step::Back => self.through[node / 2] -= most,
                Step::Across(d) => {
                    self.across[before / 2][usize::from(d)] += most as i32;
                    self.across[node / 2][usize::from((d + 3) % 6)] -= most as i32;
                }
            }
            node = before;
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of hexes, all open.
    fn grid() -> Grid {
        let p = drill_start();
        p.lexicon().grid().clone()
    }

    fn drill_start() -> Box<dyn game::Position> {
        use game::Game;
        let g = drill::Drill::new().unwrap_or_else(|f| panic!("{f}"));
        g.start(&game::Terms::of("first"), None).unwrap_or_else(|f| panic!("{f}"))
    }

    #[test]
    fn a_cut_parts_its_two_sides_and_prefers_what_is_cheap() {
        let grid = grid();
        let open = grid.all().clone();
        let (mut from, mut to) = (HexSet::empty(), HexSet::empty());
        let columns: Vec<u16> = grid.hexes().map(|h| grid.column(h)).collect();
        let last = columns.iter().copied().max().unwrap_or(0);
        let first = columns.iter().copied().min().unwrap_or(0);
        let mut cost = vec![3u32; grid.len()];
        for h in grid.hexes() {
            if grid.column(h) == first {
                from.insert(h);
            }
            if grid.column(h) == last {
                to.insert(h);
            }
            if grid.column(h) == first + 5 {
                cost[h.ix()] = 1;
            }
        }
        let line = cut(&grid, &open, &cost, &from, &to, 100).expect("the map can be parted");
        assert!(line.iter().all(|&h| grid.column(h) == first + 5), "the cheap column is the line");
        let rows = grid.hexes().filter(|&h| grid.column(h) == first + 5).count();
        assert_eq!(line.len(), rows);
    }

    #[test]
    fn what_cannot_be_parted_is_said() {
        let grid = grid();
        let open = grid.all().clone();
        let mut from = HexSet::empty();
        let mut to = HexSet::empty();
        let all: Vec<Hex> = grid.hexes().collect();
        from.insert(all[0]);
        to.insert(all[all.len() - 1]);
        let cost = vec![NEVER; grid.len()];
        assert!(cut(&grid, &open, &cost, &from, &to, 50).is_none());
    }
}
