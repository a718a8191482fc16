//! Enemies who can get into ground that must stay free, where units have zones.

use super::desk::reach_of;
use super::field::FAR;
use game::Piece;
use hex::{Grid, Hex, HexSet};

/// How far units come who are not beside one of ours, against their speed: on roads, or marching all day.
const FAST: f64 = 1.8;
/// What it costs more to leave a hex beside one of ours.
const LEAVE: u16 = 2;
/// How far units come that are not on the map yet.
const ARRIVING: u16 = 7;

/// Hexes that an enemy can enter in a phase, if ours stand on some: beside them he stops, it is dear to leave such a hex, and
/// between two of ours who stand two hexes apart nobody passes.
fn way(grid: &Grid, land: &HexSet, stands: &HexSet, zone: &HexSet, from: Hex, reach: u16) -> HexSet {
    let shut = |h: Hex| (0..3).any(|d| [d, d + 3].iter().all(|&d| stands.contains(grid.six(h)[d])));
    let mut spent = vec![FAR; grid.len()];
    let mut rounds: Vec<Vec<Hex>> = vec![Vec::new(); usize::from(reach) + 1];
    spent[from.ix()] = 0;
    rounds[0].push(from);
    let mut seen = HexSet::empty();
    for round in 0..rounds.len() {
        for h in std::mem::take(&mut rounds[round]) {
            if !seen.insert(h) {
                continue;
            }
            if zone.contains(h) && h != from {
                continue;
            }
            let cost = round as u16 + 1 + if zone.contains(h) { LEAVE } else { 0 };
            let six = grid.six(h);
            for d in 0..6 {
                let n = six[d];
                let between = || [six[(d + 5) % 6], six[(d + 1) % 6]].iter().all(|s| stands.contains(*s));
                if n.is_some()
                    && land.contains(n)
                    && !stands.contains(n)
                    && cost < spent[n.ix()]
                    && cost <= reach
                {
                    if between() || shut(n) {
                        continue;
                    }
                    spent[n.ix()] = cost;
                    rounds[usize::from(cost)].push(n);
                }
            }
        }
    }
    seen
}

/// Where those stand who can get into the ground past ours, and every hex that they can enter; who comes through a door onto the
/// map stands there.
pub(crate) fn prowlers<'a>(
    grid: &Grid,
    land: &HexSet,
    stands: &HexSet,
    ward: &HexSet,
    foes: impl Iterator<Item = &'a Piece>,
    doors: &HexSet,
) -> (HexSet, HexSet) {
    let zone = stands.dilate(grid);
    let (mut from, mut open) = (HexSet::empty(), HexSet::empty());
    for h in &(doors - &(&zone | ward)) {
        let seen = way(grid, land, stands, &zone, h, ARRIVING);
        if seen.meets(ward) {
            from.insert(h);
            open |= &seen;
        }
    }
    for p in foes.filter(|p| p.hex.is_some() && p.defence > 0.0) {
        if ward.contains(p.hex) {
            continue;
        }
        let reach = if zone.contains(p.hex) { reach_of(p) } else { (FAST * p.speed).round() as u16 };
        let seen = way(grid, land, stands, &zone, p.hex, reach);
        if seen.meets(ward) {
            from.insert(p.hex);
            open |= &seen;
        }
    }
    (from, open)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The drill's map; ours stand in the fourth column so that each of its hexes is beside one of them; behind it lies the ground.
    fn guarded() -> (Grid, HexSet, HexSet, Hex) {
        use game::Game;
        let g = drill::Drill::new().unwrap_or_else(|f| panic!("{f}"));
        let p = g.start(&game::Terms::of("first"), None).unwrap_or_else(|f| panic!("{f}"));
        let grid = p.lexicon().grid().clone();
        let first = grid.hexes().map(|h| grid.column(h)).min().unwrap_or(0);
        let column: Vec<Hex> = grid.hexes().filter(|&h| grid.column(h) == first + 3).collect();
        let last = column.len() - 1;
        let stands = column.iter().enumerate().filter(|(i, _)| i % 3 == 1 || *i == last).map(|(_, h)| *h);
        let stands: HexSet = stands.collect();
        let behind: HexSet = grid.hexes().filter(|&h| grid.column(h) > first + 3).collect();
        let door = grid.hexes().find(|&h| grid.column(h) == first).expect("the map has a first column");
        (grid, stands, behind, door)
    }

    #[test]
    fn whoever_comes_beside_one_of_ours_stops_there() {
        let (grid, stands, behind, from) = guarded();
        let land = grid.all().clone();
        let zone = stands.dilate(&grid);
        let open = way(&grid, &land, &HexSet::empty(), &HexSet::empty(), from, 12);
        assert!(open.meets(&behind), "the way is open while nobody stands in it");
        assert!(
            !way(&grid, &land, &stands, &zone, from, 12).meets(&behind),
            "two in three hexes are empty, all are shut"
        );
    }

    #[test]
    fn who_is_not_on_the_map_yet_is_watched_for_at_its_doors() {
        let (grid, stands, behind, door) = guarded();
        let land = grid.all().clone();
        let doors: HexSet = [door].into_iter().collect();
        let none = std::iter::empty::<&Piece>;
        let (from, _) = prowlers(&grid, &land, &HexSet::empty(), &behind, none(), &doors);
        assert!(from.contains(door), "who comes in there gets behind the front");
        let (from, open) = prowlers(&grid, &land, &stands, &behind, none(), &doors);
        assert!(from.is_empty() && open.is_empty(), "with the front manned nobody does");
    }
}
