//! Sections 16.3 and 17.4: which hexsides lines of supply cross, as far as the map alone decides it.

use crate::map::side;
use hex::{Dir, Grid, Hex, HexSet};

/// Hexsides as lines of supply see them, by season where that matters.
#[derive(Debug)]
pub struct Ways {
    /// Before winter and in it, by direction away from a source: hexes from which an overland line may come back over that
    /// hexside (16.3.2). The Flotilla and bonds are not in it.
    pub overland: [[HexSet; 6]; 2],
    /// While seasonal marshes are dry and when they are not: those for which that step counts as two hexes (16.3.2).
    pub dear: [[HexSet; 6]; 2],
    /// Before winter and in it, by hex: directions in which a line follows a road (16.3.3).
    pub roads: [Vec<u8>; 2],
    /// Hexes where such a line can end: roads and ports.
    pub road_ends: HexSet,
    /// Before the unfinished railroad opens and after, by hex: directions of railroads (17.4, 17.5).
    pub rails: [Vec<u8>; 2],
}

/// 16.3.2: whether the map bars an overland line over a hexside; the Volga is crossed at ferries and by the bridge.
pub fn bars_overland(bits: u16, winter: bool) -> bool {
    if bits & side::VOLGA != 0 {
        return bits & (side::FERRY | side::RAIL_BRIDGE) == 0;
    }
    let ice = winter && bits & side::FREEZES != 0;
    bits & side::SEA != 0
        || (bits & side::LAKE != 0 && !ice)
        || (bits & side::ALPINE != 0 && (winter || bits & side::ROAD == 0))
}

/// 16.3.3: whether a line follows a road over a hexside; a ferry serves where a road comes to both banks.
fn follows_road(bits: u16, winter: bool, both_roads: bool) -> bool {
    let ferry = bits & side::FERRY != 0 && both_roads;
    let road = bits & side::ROAD != 0 || ferry;
    let crossing = bits & side::VOLGA == 0 || ferry || bits & side::ROAD_BRIDGE != 0;
    road && crossing && !(bits & side::ALPINE != 0 && winter)
}

/// Follows roads or railroads from the hexes of `from`, over open hexes and over the ferry if there is one; everything that is
/// come to is added to `out`, which has the first ones already.
pub fn follow(
    grid: &Grid,
    lines: &[u8],
    ferry: Option<(Hex, Hex)>,
    open: &HexSet,
    from: &mut Vec<Hex>,
    out: &mut HexSet,
) {
    while let Some(h) = from.pop() {
        let mut dirs = lines[h.ix()];
        while dirs != 0 {
            let d = Dir::from_ix(dirs.trailing_zeros() as usize);
            dirs &= dirs - 1;
            if let Some(n) = grid.neighbour(h, d)
                && open.contains(n)
                && out.insert(n)
            {
                from.push(n);
            }
        }
        let over = match ferry {
            Some((a, b)) if a == h => b,
            Some((a, b)) if b == h => a,
            _ => continue,
        };
        if open.contains(over) && out.insert(over) {
            from.push(over);
        }
    }
}

impl Ways {
    /// Works them out for a grid with these hexsides; `supply` says what a hex counts for, by hex and whether it is wet.
    pub fn new(grid: &Grid, sides: &[[u16; 6]], ports: &HexSet, supply: impl Fn(Hex, bool) -> u8) -> Ways {
        let none = || -> [HexSet; 6] { Default::default() };
        let zero = || vec![0u8; grid.len()];
        let mut w = Ways {
            overland: [none(), none()],
            dear: [none(), none()],
            roads: [zero(), zero()],
            road_ends: ports.clone(),
            rails: [zero(), zero()],
        };
        let has_road = |h: Hex| sides[h.ix()].iter().any(|bits| bits & side::ROAD != 0);
        for h in grid.hexes() {
            if has_road(h) {
                w.road_ends.insert(h);
            }
            for d in Dir::ALL {
                let bits = sides[h.ix()][d.ix()];
                if bits & side::RAIL != 0 {
                    w.rails[0][h.ix()] |= 1 << d.ix();
                }
                if bits & (side::RAIL | side::UNFINISHED) != 0 {
                    w.rails[1][h.ix()] |= 1 << d.ix();
                }
                let Some(n) = grid.neighbour(h, d) else { continue };
                let both = has_road(h) && has_road(n);
                for season in [0, 1] {
                    let late = season == 1;
                    if !bars_overland(bits, late) {
                        w.overland[season][d.ix()].insert(n);
                    }
                    if bits & side::ROAD == 0 && supply(h, late) > 1 {
                        w.dear[season][d.ix()].insert(n);
                    }
                    if follows_road(bits, late, both) {
                        w.roads[season][h.ix()] |= 1 << d.ix();
                    }
                }
            }
        }
        w
    }
}
