//! The cheapest set of hexes that parts two regions: where a line must stand, or a ring must close. A minimum cut through
//! the hexes, found by pushing flow along shortest paths until none is left.

use hex::{Grid, Hex, HexSet};
use std::collections::VecDeque;

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
    // Each hex is two nodes, in and out; the flow through a hex and across each of its sides is kept.
    let mut through = vec![0u32; n];
    let mut across = vec![[0i32; 6]; n];
    let mut total = 0u32;
    loop {
        let reached = search(grid, open, cost, from, to, &through, &across);
        let Some((end, back)) = reached.found else {
            let mut line: Vec<Hex> = Vec::new();
            for h in grid.hexes() {
                if reached.seen[2 * h.ix()] && !reached.seen[2 * h.ix() + 1] && open.contains(h) {
                    line.push(h);
                }
            }
            return Some(line);
        };
        // Push one unit at a time: costs are small whole numbers.
        let mut node = end;
        while let Some((prev, dir)) = back[node] {
            match dir {
                Step::Through => through[node / 2] += 1,
                Step::Back => through[node / 2] -= 1,
                Step::Across(d) => {
                    let (a, b) = (prev / 2, node / 2);
                    across[a][usize::from(d)] += 1;
                    across[b][usize::from((d + 3) % 6)] -= 1;
                }
            }
            node = prev;
        }
        total += 1;
        if total > most {
            return None;
        }
    }
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

/// By node: the node before it, and the step that led here.
type Back = Vec<Option<(usize, Step)>>;

struct Reached {
    seen: Vec<bool>,
    found: Option<(usize, Back)>,
}

fn search(
    grid: &Grid,
    open: &HexSet,
    cost: &[u32],
    from: &HexSet,
    to: &HexSet,
    through: &[u32],
    across: &[[i32; 6]],
) -> Reached {
    let mut seen = vec![false; 2 * grid.len()];
    let mut back: Back = vec![None; 2 * grid.len()];
    let mut queue = VecDeque::new();
    for h in from {
        let out = 2 * h.ix() + 1;
        if !seen[out] {
            seen[out] = true;
            seen[2 * h.ix()] = true;
            queue.push_back(out);
        }
    }
    while let Some(node) = queue.pop_front() {
        let h = Hex((node / 2) as u16);
        if node % 2 == 1 {
            for (d, next) in grid.neighbours(h) {
                let inn = 2 * next.ix();
                if open.contains(next) && !seen[inn] {
                    seen[inn] = true;
                    back[inn] = Some((node, Step::Across(d.ix() as u8)));
                    queue.push_back(inn);
                }
            }
            let inn = 2 * h.ix();
            if through[h.ix()] > 0 && !seen[inn] {
                seen[inn] = true;
                back[inn] = Some((node, Step::Back));
                queue.push_back(inn);
            }
        } else {
            let room = cost.get(h.ix()).is_some_and(|&c| c == NEVER || through[h.ix()] < c);
            let out = node + 1;
            if room && !seen[out] {
                seen[out] = true;
                back[out] = Some((node, Step::Through));
                if to.contains(h) {
                    return Reached { seen, found: Some((out, back)) };
                }
                queue.push_back(out);
            }
            // Flow that came in over a side can be sent back over it.
            for (d, next) in grid.neighbours(h) {
                let came = across[next.ix()][(d.ix() + 3) % 6] > 0;
                let out = 2 * next.ix() + 1;
                if came && !seen[out] {
                    seen[out] = true;
                    back[out] = Some((node, Step::Across(d.ix() as u8)));
                    queue.push_back(out);
                }
            }
        }
    }
    Reached { seen, found: None }
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
