//! Neighbours, distance, lines, rings, ranges and sets, with `hexx` and plain code as judges.

mod common;

use std::collections::BTreeSet;

use common::any_grid;
use hexx::{HexOrientation, OffsetHexMode};
use proptest::prelude::*;
use proptest::sample::Index;
use verst_hex::{Dir, Grid, Hex, HexSet, Parity};

fn theirs(grid: &Grid, hex: Hex) -> hexx::Hex {
    let mode = if grid.lower() == Parity::Odd { OffsetHexMode::Odd } else { OffsetHexMode::Even };
    // hexx counts an even column as lower from zero; the row is the same in both.
    let at = [i32::from(grid.column(hex)), i32::from(grid.row(hex))];
    hexx::Hex::from_offset_coordinates(at, mode, HexOrientation::Flat)
}

fn pick(grid: &Grid, index: &Index) -> Hex {
    grid.all().nth(index.index(grid.count())).expect("the grid has a hex there")
}

fn set(grid: &Grid, picks: &[Index]) -> HexSet {
    picks.iter().map(|i| pick(grid, i)).collect()
}

proptest! {
    #[test]
    fn neighbours_agree_with_hexx(grid in any_grid(24, 24)) {
        for h in grid.hexes() {
            let six: BTreeSet<[i32; 2]> = theirs(&grid, h).all_neighbors().map(|n| [n.x, n.y]).into();
            for other in grid.hexes() {
                let n = theirs(&grid, other);
                prop_assert_eq!(grid.dir(h, other).is_some(), six.contains(&[n.x, n.y]));
            }
            for (dir, n) in grid.neighbours(h) {
                prop_assert_eq!(grid.neighbour(n, dir.opposite()), Some(h));
                let (a, b) = (grid.center(h), grid.center(n));
                let east = match dir { Dir::Ne | Dir::Se => 1, Dir::N | Dir::S => 0, _ => -1 };
                prop_assert_eq!((b.0 - a.0).round() as i32, east);
                prop_assert_eq!(b.1 < a.1, matches!(dir, Dir::N | Dir::Ne | Dir::Nw));
            }
        }
    }

    #[test]
    fn distance_ring_and_range_agree_with_hexx(grid in any_grid(40, 60), a in any::<Index>(), b in any::<Index>(), r in 0..9u32) {
        let (a, b) = (pick(&grid, &a), pick(&grid, &b));
        prop_assert_eq!(grid.distance(a, b), theirs(&grid, a).unsigned_distance_to(theirs(&grid, b)));
        let ring: BTreeSet<Hex> = grid.hexes().filter(|&h| grid.distance(a, h) == r).collect();
        prop_assert_eq!(grid.ring(a, r).into_iter().collect::<BTreeSet<_>>(), ring.clone());
        prop_assert_eq!(grid.ring(a, r).len(), ring.len());
        let range: BTreeSet<Hex> = grid.hexes().filter(|&h| grid.distance(a, h) <= r).collect();
        prop_assert_eq!(grid.range(a, r).into_iter().collect::<BTreeSet<_>>(), range.clone());
        prop_assert_eq!(grid.range(a, r).len(), range.len());
    }

    #[test]
    fn a_line_takes_the_shortest_way_close_to_the_straight_one(a in any::<Index>(), b in any::<Index>(), even in any::<bool>()) {
        let grid = if even { common::pmd() } else { common::pm() };
        let (a, b) = (pick(&grid, &a), pick(&grid, &b));
        let line = grid.line(a, b);
        prop_assert_eq!(line.len() as u32, grid.distance(a, b) + 1);
        prop_assert_eq!((line[0], line[line.len() - 1]), (a, b));
        prop_assert!(line.windows(2).all(|w| grid.dir(w[0], w[1]).is_some()));
        let mut back = grid.line(b, a);
        back.reverse();
        prop_assert_eq!(&line, &back);
        // No centre strays from the straight line by more than the half width across corners.
        let ((x, y), (u, v)) = (grid.center(a), grid.center(b));
        for &h in &line {
            let (p, q) = grid.center(h);
            let off = ((u - x) * (q - y) - (v - y) * (p - x)).abs() / (u - x).hypot(v - y).max(1.0);
            prop_assert!(off < 0.5774, "{} is {} off", grid.name(h), off);
        }
    }

    #[test]
    fn sets_agree_with_a_tree_of_hexes(grid in any_grid(64, 88), a in proptest::collection::vec(any::<Index>(), 0..80), b in proptest::collection::vec(any::<Index>(), 0..80)) {
        let (x, y) = (set(&grid, &a), set(&grid, &b));
        let tree = |s: &HexSet| s.iter().collect::<BTreeSet<Hex>>();
        let (s, t) = (tree(&x), tree(&y));
        prop_assert_eq!(tree(&(&x & &y)), &s & &t);
        prop_assert_eq!(tree(&(&x | &y)), &s | &t);
        prop_assert_eq!(tree(&(&x - &y)), &s - &t);
        prop_assert_eq!(tree(&(&x ^ &y)), &s ^ &t);
        prop_assert_eq!((x.count(), x.is_empty(), x.first()), (s.len(), s.is_empty(), s.first().copied()));
        prop_assert_eq!((x.meets(&y), x.is_subset(&y)), (!s.is_disjoint(&t), s.is_subset(&t)));
        prop_assert!(s.iter().enumerate().all(|(i, &h)| x.nth(i) == Some(h)));
        prop_assert_eq!(x.nth(s.len()), None);
        let zone: BTreeSet<Hex> = s.iter().flat_map(|&h| grid.neighbours(h).map(|(_, n)| n)).collect();
        prop_assert_eq!(tree(&x.dilate(&grid)), zone);
        for dir in Dir::ALL {
            let step: BTreeSet<Hex> = s.iter().filter_map(|&h| grid.neighbour(h, dir)).collect();
            prop_assert_eq!(tree(&x.step(&grid, dir)), step);
        }
        let json = serde_json::to_string(&x).expect("writes");
        prop_assert_eq!(&serde_json::from_str::<HexSet>(&json).expect("reads"), &x);
        let mut z = x.clone();
        for h in &y {
            prop_assert_eq!(z.insert(h), !s.contains(&h));
            prop_assert!(z.contains(h) && z.remove(h) && !z.remove(h));
        }
        prop_assert_eq!(z, &x - &y);
    }
}

#[test]
fn a_line_along_the_edge_stays_on_the_grid() {
    for grid in [common::pm(), common::pmd(), common::s42()] {
        let edge: Vec<Hex> = grid.hexes().filter(|&h| grid.neighbours(h).count() < 6).collect();
        for &a in &edge {
            for &b in &edge {
                let line = grid.line(a, b);
                assert_eq!(
                    line.len() as u32,
                    grid.distance(a, b) + 1,
                    "{} to {}",
                    grid.name(a),
                    grid.name(b)
                );
                assert!(line.windows(2).all(|w| grid.dir(w[0], w[1]).is_some()));
            }
        }
    }
}

#[test]
fn no_hex_is_never_in_a_set() {
    let mut set = HexSet::empty();
    assert!(!set.insert(Hex::NONE) && !set.contains(Hex::NONE) && !set.remove(Hex::NONE) && set.is_empty());
    assert!(serde_json::from_str::<HexSet>("[5632]").is_err());
}
