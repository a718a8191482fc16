//! Section 16 as it is shown: the line of each stack to its source, and what cuts the line of those that have none.

use crate::state::{Pos, Supplied};
use game::Overlay;
use hex::{Hex, HexSet};
use std::collections::VecDeque;
use table::Side;

/// A hex of an overland line: whether an enemy ZOC counts there, which it may not twice in a row (16.3.2).
type At = (Hex, bool);

/// Every overland line of a side, followed from its end: the next hex towards the end.
struct Overland {
    /// By hex and whether a ZOC counts there; the end of a line leads to itself.
    next: Vec<[Option<At>; 2]>,
    /// Hexes in which a line may begin though it could not pass.
    begins: Vec<Option<At>>,
}

impl Pos {
    /// The lines of Supply of both sides, each as far as its road joins one drawn before; and who is cut off by what.
    pub(crate) fn supply_lines(&self, sup: &Supplied, o: &mut Overlay) {
        let lexicon = &self.data.lexicon;
        let names = |line: &[Hex]| line.iter().map(|h| lexicon.hex(*h)).collect::<Vec<_>>();
        o.key("out", "units without a Line of Supply (16.1), and the way to where it is cut");
        o.key("block", "what cuts a line (16.3.2, 16.3.4)");
        for (side, class) in Side::BOTH.into_iter().zip(["axis", "soviet"]) {
            let los = &sup.los[side.ix()];
            let stacks = self.s.stacks.occupied(side);
            let (overland, roads) = (self.overland_ways(side, sup), self.road_ways(side, sup));
            let mut drawn = HexSet::empty();
            for h in &(stacks & los) {
                let first = overland.from(h).len();
                let mut line = self.whole_line(h, &overland, &roads);
                let joins = line.iter().skip(first).position(|at| drawn.contains(*at));
                line.truncate(joins.map_or(line.len(), |i| first + i + 1));
                drawn.extend(line.iter().copied());
                if line.len() > 1 {
                    o.paths.push((names(&line), class.into()));
                }
            }
            for h in &(stacks - los) {
                let (way, why) = self.cut(side, h, los);
                o.tint(lexicon, [h], "out", &format!("no Line of Supply: {why}"));
                if let Some(&block) = way.last().filter(|_| way.len() > 1) {
                    o.tint(lexicon, [block], "block", &format!("cuts the line of {}", lexicon.hex(h)));
                    o.paths.push((names(&way), "out".into()));
                }
            }
        }
    }

    /// The whole line that begins in a hex: overland, then along roads, to its source.
    fn whole_line(&self, h: Hex, overland: &Overland, roads: &[Option<Hex>]) -> Vec<Hex> {
        let mut line = overland.from(h);
        while let Some(&at) = line.last()
            && let Some(next) = roads[at.ix()].filter(|&n| n != at)
        {
            line.push(next);
        }
        line
    }

    /// Proves that lines are shown from just the hexes that have one, and that each ends at a source.
    pub fn lines_hold(&self) -> Result<(), String> {
        let sup = self.fresh_supply();
        for s in Side::BOTH {
            let (overland, roads) = (self.overland_ways(s, &sup), self.road_ways(s, &sup));
            let ends = self.sources(s);
            for h in self.data.map.grid().hexes() {
                let begins =
                    overland.next[h.ix()].iter().flatten().next().or(overland.begins[h.ix()].as_ref());
                let name = self.data.map.called(h);
                if begins.is_some() != sup.los[s.ix()].contains(h) {
                    return Err(format!("{s:?}: a line from {name} is shown or missing wrongly"));
                }
                let line = self.whole_line(h, &overland, &roads);
                if begins.is_some() && !line.last().is_some_and(|&end| ends.contains(end)) {
                    return Err(format!("{s:?}: the line from {name} does not come to a source"));
                }
                let beside = |w: &[Hex]| self.data.map.grid().distance(w[0], w[1]) == 1;
                if !line.windows(2).all(beside) {
                    return Err(format!("{s:?}: the line from {name} leaps"));
                }
            }
        }
        Ok(())
    }

    /// 16.3.2: how overland lines come to a road that leads to a source, or to an Entry Area.
    fn overland_ways(&self, s: Side, sup: &Supplied) -> Overland {
        let map = &self.data.map;
        let grid = map.grid();
        let (most, edge) = (self.overland(), self.edge_sources(s));
        let mut ways = Overland { next: vec![[None; 2]; grid.len()], begins: vec![None; grid.len()] };
        let mut queue: Vec<Vec<At>> = vec![Vec::new(); most + 1];
        let mut cost = vec![[usize::MAX; 2]; grid.len()];
        for (ends, first) in [(&sup.road[s.ix()], 0), (&edge, 1)] {
            for h in ends.iter().filter(|&h| self.line_open(s, h)) {
                let at = (h, self.zoc_bars(s, h));
                let best = &mut cost[h.ix()][usize::from(at.1)];
                if first < *best && first <= most {
                    *best = first;
                    ways.next[h.ix()][usize::from(at.1)] = Some(at);
                    queue[first].push(at);
                }
            }
        }
        for now in 0..=most {
            let mut i = 0;
            while let Some(&at) = queue[now].get(i) {
                i += 1;
                // A cheaper way was found after this one.
                if cost[at.0.ix()][usize::from(at.1)] < now {
                    continue;
                }
                for (d, n) in grid.neighbours(at.0) {
                    let bits = map.sides[at.0.ix()][d.ix()];
                    if !self.line_open(s, n)
                        || self.apart_for_supply(s, at.0, d, bits)
                        || self.bonded(s, n, d.opposite(), at.0)
                    {
                        continue;
                    }
                    let road = bits & crate::map::side::ROAD != 0;
                    let step = if road { 1 } else { map.ground(at.0, self.s.wet).supply };
                    let total = now + usize::from(step);
                    if total > most {
                        continue;
                    }
                    let barred = self.zoc_bars(s, n);
                    if barred && at.1 {
                        ways.begins[n.ix()].get_or_insert(at);
                    } else if total < cost[n.ix()][usize::from(barred)] {
                        cost[n.ix()][usize::from(barred)] = total;
                        ways.next[n.ix()][usize::from(barred)] = Some(at);
                        queue[total].push((n, barred));
                    }
                }
            }
        }
        ways
    }

    /// 16.3.3: the next hex along the roads towards a source, by hex; a source leads to itself.
    fn road_ways(&self, s: Side, sup: &Supplied) -> Vec<Option<Hex>> {
        let map = &self.data.map;
        let grid = map.grid();
        let road = &sup.road[s.ix()];
        let ways = &map.ways.roads[usize::from(self.s.winter)];
        let mut next: Vec<Option<Hex>> = vec![None; grid.len()];
        let mut queue: VecDeque<Hex> = (&self.sources(s) & road).iter().collect();
        for &h in &queue {
            next[h.ix()] = Some(h);
        }
        while let Some(h) = queue.pop_front() {
            for (d, n) in grid.neighbours(h) {
                let ferry = self.ferried().is_some_and(|(a, b, _)| (a, b) == (h, n) || (b, a) == (h, n));
                let leads = ways[h.ix()] >> d.ix() & 1 != 0 || ferry;
                if leads && road.contains(n) && next[n.ix()].is_none() {
                    next[n.ix()] = Some(h);
                    queue.push_back(n);
                }
            }
        }
        next
    }

    /// Whether a line may touch a hex at all.
    fn line_open(&self, s: Side, h: Hex) -> bool {
        self.scene().land.contains(h) && !self.foe_bars(s, h) && !self.closed_town(s, h)
    }

    /// The shortest way over the ground from a hex without a line to one that has one, as far as the first hex that the
    /// enemy bars, and what bars it.
    fn cut(&self, s: Side, from: Hex, los: &HexSet) -> (Vec<Hex>, String) {
        let map = &self.data.map;
        let grid = map.grid();
        let mut came: Vec<Option<Hex>> = vec![None; grid.len()];
        came[from.ix()] = Some(from);
        let mut queue = VecDeque::from([from]);
        let mut end = None;
        while let Some(h) = queue.pop_front() {
            if los.contains(h) {
                end = Some(h);
                break;
            }
            for (d, n) in grid.neighbours(h) {
                let bits = map.sides[h.ix()][d.ix()];
                let land = self.scene().land.contains(n) && !self.apart_for_supply(s, h, d, bits);
                if land && came[n.ix()].is_none() {
                    came[n.ix()] = Some(h);
                    queue.push_back(n);
                }
            }
        }
        let Some(end) = end else { return (Vec::new(), "no way leads to one (16.3)".into()) };
        let mut way = vec![end];
        while let Some(back) = way.last().and_then(|h| came[h.ix()]).filter(|b| Some(b) != way.last()) {
            way.push(back);
        }
        way.reverse();
        let what = |h: Hex| {
            let place = map.called(h);
            if self.foe_bars(s, h) {
                Some(format!("enemy units at {place} (16.3.2)"))
            } else if self.closed_town(s, h) {
                Some(format!("{place}, which the enemy holds (16.3.4)"))
            } else if self.zoc_bars(s, h) {
                Some(format!("an enemy ZOC at {place} (16.3.2)"))
            } else {
                None
            }
        };
        match way.iter().skip(1).position(|&h| what(h).is_some()) {
            Some(i) => {
                way.truncate(i + 2);
                let why = way.last().and_then(|&h| what(h)).unwrap_or_default();
                (way, why)
            }
            None => (Vec::new(), "too far from a road or an Entry Area (16.3.2)".into()),
        }
    }
}

impl Overland {
    /// The overland part of the line that begins in a hex.
    fn from(&self, h: Hex) -> Vec<Hex> {
        let [clean, dirty] = self.next[h.ix()];
        let mut line = vec![h];
        let mut at = match clean.or(dirty) {
            Some(next) => next,
            None => match self.begins[h.ix()] {
                Some(next) => next,
                None => return line,
            },
        };
        while line.last() != Some(&at.0) {
            line.push(at.0);
            match self.next[at.0.ix()][usize::from(at.1)] {
                Some(next) => at = next,
                None => break,
            }
        }
        line
    }
}
