//! The fields again, written plainly: the judges of the fast ones.
//!
//! Nothing here is quick or clever. The property tests draw boards at random and compare each fast field with its
//! namesake here, and the benchmark does the same before it times anything.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::{Costs, Grid, Hex, HexSet, Lines, March, Trace};

/// The ticks to each hex within the budget of a move: Dijkstra's algorithm with a heap.
pub fn reach(grid: &Grid, costs: &Costs, march: &March<'_>) -> Vec<Option<u16>> {
    let mut best: Vec<Option<u16>> = vec![None; grid.len()];
    let mut heap = BinaryHeap::new();
    for &start in march.starts.iter().filter(|&&h| grid.has(h)) {
        best[start.ix()] = Some(0);
        heap.push(Reverse((0u16, start)));
    }
    while let Some(Reverse((cost, hex))) = heap.pop() {
        if best[hex.ix()] != Some(cost) {
            continue;
        }
        for (dir, to) in grid.neighbours(hex) {
            let Some(step) = march.step(grid, costs, hex, dir) else { continue };
            let Some(sum) = cost.checked_add(step).filter(|&sum| sum <= march.budget) else { continue };
            if best[to.ix()].is_none_or(|old| sum < old) {
                best[to.ix()] = Some(sum);
                heap.push(Reverse((sum, to)));
            }
        }
    }
    best
}

/// The steps of the shortest line to each hex: breadth first over hexes and the rough hexes entered in a row.
pub fn flood(grid: &Grid, trace: &Trace<'_>, closed: impl Fn(Hex, Hex) -> bool) -> Vec<Option<u16>> {
    let runs = trace.rough_run.map_or(1, |run| run as usize + 1);
    let mut seen = vec![vec![false; runs]; grid.len()];
    let mut best: Vec<Option<u16>> = vec![None; grid.len()];
    let mut queue = VecDeque::new();
    for hex in grid.hexes().filter(|&h| trace.sources.contains(h) && trace.open.contains(h)) {
        seen[hex.ix()][0] = true;
        best[hex.ix()] = Some(0);
        queue.push_back((hex, 0usize, 0u16));
    }
    while let Some((hex, run, steps)) = queue.pop_front() {
        if trace.steps.is_some_and(|most| steps >= most) {
            continue;
        }
        for (_, to) in grid.neighbours(hex) {
            let rough = trace.rough_run.is_some() && trace.rough.contains(to);
            let run = if rough { run + 1 } else { 0 };
            if run >= runs || !trace.open.contains(to) || closed(hex, to) || seen[to.ix()][run] {
                continue;
            }
            seen[to.ix()][run] = true;
            best[to.ix()] = best[to.ix()].or(Some(steps + 1));
            queue.push_back((to, run, steps + 1));
        }
    }
    best
}

/// The hexes from which a line of so many steps, or of any length, can be traced: Dijkstra's algorithm again.
pub fn lines(grid: &Grid, lines: &Lines<'_>, steps: Option<usize>) -> HexSet {
    let most = steps.unwrap_or(usize::MAX);
    let mut out = HexSet::empty();
    let mut best = vec![usize::MAX; grid.len()];
    let mut heap = BinaryHeap::new();
    for (spent, ends) in [(0, lines.ends), (1, lines.beyond)] {
        for hex in grid.hexes().filter(|&h| ends.contains(h) && lines.open.contains(h)) {
            if spent <= most && spent < best[hex.ix()] {
                best[hex.ix()] = spent;
                heap.push(Reverse((spent, hex)));
            }
        }
    }
    while let Some(Reverse((spent, hex))) = heap.pop() {
        out.insert(hex);
        if spent != best[hex.ix()] || lines.shut.contains(hex) {
            continue;
        }
        for (dir, to) in grid.neighbours(hex) {
            if !lines.ways[dir.ix()].contains(to) || !lines.open.contains(to) {
                continue;
            }
            let sum = spent + 1 + usize::from(lines.dear[dir.ix()].contains(to));
            if sum > most {
                continue;
            }
            if lines.rough.contains(hex) && lines.rough.contains(to) {
                out.insert(to);
            } else if sum < best[to.ix()] {
                best[to.ix()] = sum;
                heap.push(Reverse((sum, to)));
            }
        }
    }
    out
}

/// The hexes that have a number in a field.
pub fn set(field: &[Option<u16>]) -> HexSet {
    (0..field.len()).filter(|&i| field[i].is_some()).map(|i| Hex(i as u16)).collect()
}
