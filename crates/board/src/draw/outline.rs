//! The outline of a set of hexes.

use crate::Corner;
use hex::{Dir, Grid, HexSet};

/// The closed outlines of a set of hexes, clockwise around it and the other way around holes.
pub(super) fn outlines(grid: &Grid, set: &HexSet) -> Vec<Vec<Corner>> {
    let mut steps: Vec<(Corner, Corner, Corner)> = Vec::new();
    for hex in set.iter() {
        for dir in Dir::ALL {
            if !grid.neighbour(hex, dir).is_some_and(|n| set.contains(n)) {
                let (from, to) = (Corner::of(grid, hex, dir.anticlockwise()), Corner::of(grid, hex, dir));
                steps.push((from, to, from));
            }
        }
    }
    // At a corner at most one step begins: three hexes meet there, and the set's side is one piece of them.
    joined(steps)
}

/// Steps from one key to another joined to closed lines of what each step carries.
pub(super) fn joined<K: Ord + Copy, P: Copy>(mut steps: Vec<(K, K, P)>) -> Vec<Vec<P>> {
    steps.sort_by_key(|s| (s.0, s.1));
    let mut used = vec![false; steps.len()];
    let mut loops = Vec::new();
    for first in 0..steps.len() {
        let mut line = Vec::new();
        let mut at = first;
        while !used[at] {
            used[at] = true;
            line.push(steps[at].2);
            match steps.binary_search_by_key(&steps[at].1, |s| s.0) {
                Ok(next) => at = next,
                Err(_) => break,
            }
        }
        if line.len() > 2 {
            loops.push(line);
        }
    }
    loops
}
