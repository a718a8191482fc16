//! Finding the few prices behind a table of steps.
//!
//! A movement chart prices a step as the ground entered, plus an extra for the side crossed, or at a rate of its own
//! along a road. A table of steps no longer shows that. This module finds it again: each hex gets a base, each side a
//! kind (so many ticks more than the base, or exactly so many ticks), with as few kinds and bases as a greedy search
//! finds. Any table can be split, however odd; the ordinary ones split into a handful.

use std::collections::BTreeMap;

/// A kind of side: `ticks` more than the base of the hex entered, or `ticks` whatever the hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub fixed: bool,
    pub ticks: u16,
}

/// The split of a table.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub kinds: Vec<Kind>,
    /// The base of each class of hexes.
    pub bases: Vec<u16>,
    /// The class of each hex; none for a hex that cannot be entered.
    pub class: Vec<Option<usize>>,
}

impl Kind {
    const PLAIN: Kind = Kind { fixed: false, ticks: 0 };

    fn explains(self, base: i16, cost: i16) -> bool {
        self.ticks as i16 + if self.fixed { 0 } else { base } == cost
    }
}

/// The prices of entering one hex and how many of its sides have each.
type Prices = BTreeMap<i16, usize>;

impl Split {
    /// Splits the table of the cost of entering each hex in six directions.
    pub fn new(enter: &[[u8; 6]], never: u8) -> Split {
        // Most hexes look alike: count how often each set of prices occurs.
        let mut shapes: BTreeMap<Vec<(i16, usize)>, usize> = BTreeMap::new();
        let shape = |sides: &[u8; 6]| -> Vec<(i16, usize)> {
            let mut prices = Prices::new();
            for &c in sides.iter().filter(|&&c| c != never) {
                *prices.entry(i16::from(c)).or_default() += 1;
            }
            prices.into_iter().collect()
        };
        for sides in enter {
            let key = shape(sides);
            if !key.is_empty() {
                *shapes.entry(key).or_default() += 1;
            }
        }
        let mut kinds = vec![Kind::PLAIN];
        while let Some(kind) = wanted(&shapes, &kinds) {
            kinds.push(kind);
        }
        // Those that add to the ground first, then those with a price of their own, the dearest of each first.
        kinds.sort_by_key(|k| (k.fixed, u16::MAX - k.ticks));
        let bases = bases(&shapes, &kinds);
        let whole = |shape: &[(i16, usize)]| {
            let fit = (0..bases.len()).filter(|&i| left(shape, &kinds, bases[i]) == 0);
            fit.max_by_key(|&i| (plain(shape, bases[i]), usize::MAX - i))
        };
        let class =
            enter.iter().map(|sides| Some(shape(sides)).filter(|s| !s.is_empty()).and_then(|s| whole(&s)));
        let class = class.collect();
        let bases = bases.into_iter().map(|b| b as u16).collect();
        Split { kinds, bases, class }
    }

    /// The kind of a side of a hex of that class and price; the split knows one for every side of its table.
    pub fn kind(&self, class: usize, cost: u8) -> usize {
        let base = self.bases[class] as i16;
        self.kinds.iter().position(|k| k.explains(base, i16::from(cost))).unwrap_or(0)
    }
}

/// How many sides of a shape a base leaves unexplained.
fn left(shape: &[(i16, usize)], kinds: &[Kind], base: i16) -> usize {
    shape.iter().filter(|&&(c, _)| !kinds.iter().any(|k| k.explains(base, c))).map(|&(_, n)| n).sum()
}

/// How many sides of a shape cost just the base.
fn plain(shape: &[(i16, usize)], base: i16) -> usize {
    shape.iter().find(|&&(c, _)| c == base).map_or(0, |&(_, n)| n)
}

/// The bases worth trying for a shape: those that make one of its prices one of the kinds.
fn tries(shape: &[(i16, usize)], kinds: &[Kind]) -> Vec<i16> {
    let relative = kinds.iter().filter(|k| !k.fixed);
    let mut out: Vec<i16> = relative.flat_map(|k| shape.iter().map(|&(c, _)| c - k.ticks as i16)).collect();
    // Bases of nothing or less would only add classes; the prices themselves are always there to try.
    out.retain(|&b| b > 0);
    out
}

/// The base that leaves the fewest sides unexplained; of several, the one whose plain price most sides have.
fn best(shape: &[(i16, usize)], kinds: &[Kind]) -> i16 {
    let rank = |b: &i16| (left(shape, kinds, *b), usize::MAX - plain(shape, *b), *b);
    tries(shape, kinds).into_iter().min_by_key(rank).unwrap_or(1)
}

/// The kind that would explain the most sides not yet explained, or none if all are.
fn wanted(shapes: &BTreeMap<Vec<(i16, usize)>, usize>, kinds: &[Kind]) -> Option<Kind> {
    let mut votes: BTreeMap<Kind, usize> = BTreeMap::new();
    for (shape, &count) in shapes {
        let base = best(shape, kinds);
        for &(cost, sides) in shape.iter().filter(|&&(c, _)| !kinds.iter().any(|k| k.explains(base, c))) {
            *votes.entry(Kind { fixed: true, ticks: cost as u16 }).or_default() += sides * count;
            if cost > base {
                *votes.entry(Kind { fixed: false, ticks: (cost - base) as u16 }).or_default() +=
                    sides * count;
            }
        }
    }
    votes.into_iter().min_by_key(|&(kind, votes)| (usize::MAX - votes, kind)).map(|(kind, _)| kind)
}

/// Few bases that explain every shape: those the shapes like best, less those they can do without.
fn bases(shapes: &BTreeMap<Vec<(i16, usize)>, usize>, kinds: &[Kind]) -> Vec<i16> {
    let mut liked: BTreeMap<i16, usize> = BTreeMap::new();
    for (shape, &count) in shapes {
        *liked.entry(best(shape, kinds)).or_default() += count;
    }
    let mut by_use: Vec<(usize, i16)> = liked.into_iter().map(|(base, count)| (count, base)).collect();
    by_use.sort();
    let mut kept: Vec<i16> = by_use.iter().map(|&(_, base)| base).collect();
    for (_, base) in by_use {
        let rest: Vec<i16> = kept.iter().copied().filter(|&b| b != base).collect();
        if shapes.keys().all(|shape| rest.iter().any(|&b| left(shape, kinds, b) == 0)) {
            kept = rest;
        }
    }
    kept.sort();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: u8 = u8::MAX;

    fn kinds(split: &Split) -> Vec<(bool, u16)> {
        split.kinds.iter().map(|k| (k.fixed, k.ticks)).collect()
    }

    #[test]
    fn a_chart_of_ground_rivers_and_roads_is_found_again() {
        // Two ticks to the point: ground 2 or 4, a river 4 more, a road at 1 whatever the ground.
        let clear = [2, 2, 6, 2, 1, 2];
        let forest = [4, 8, 4, 4, 1, 4];
        let hemmed = [6, 6, 6, 6, 6, 6];
        let split = Split::new(&[clear, forest, clear, forest, hemmed, [NEVER; 6]], NEVER);
        assert_eq!(kinds(&split), [(false, 4), (false, 0), (true, 1)]);
        assert_eq!(split.bases, [2, 4], "a clear hex behind rivers all round is no class of its own");
        assert_eq!(split.class, [Some(0), Some(1), Some(0), Some(1), Some(0), None]);
    }

    #[test]
    fn every_price_of_the_table_comes_back_from_its_class_and_kind() {
        let odd =
            [[1, 9, 3, NEVER, 200, 7], [250, 250, 1, 1, 2, 3], [5, 5, 5, 5, 5, 5], [7, 3, 1, 13, 31, 97]];
        let split = Split::new(&odd, NEVER);
        for (hex, sides) in odd.iter().enumerate() {
            let class = split.class[hex].expect("it can be entered");
            for &cost in sides.iter().filter(|&&c| c != NEVER) {
                let kind = split.kinds[split.kind(class, cost)];
                let base = if kind.fixed { 0 } else { split.bases[class] };
                assert_eq!(base + kind.ticks, u16::from(cost));
            }
        }
    }
}
