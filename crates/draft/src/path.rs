//! Courses on the flat map, and the cheapest way along something.

use crate::earth::Spot;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

/// A course on the map.
#[derive(Clone, Debug)]
pub struct Course(pub Vec<Spot>);

impl Course {
    /// The same course with points no further apart than `step`.
    pub fn dense(&self, step: f64) -> Course {
        let mut out: Vec<Spot> = Vec::new();
        for pair in self.0.windows(2) {
            let n = (pair[0].distance(pair[1]) / step).ceil().max(1.0) as usize;
            out.extend((0..n).map(|i| between(pair[0], pair[1], i as f64 / n as f64)));
        }
        out.extend(self.0.last());
        Course(out)
    }

    /// Its length.
    pub fn length(&self) -> f64 {
        self.0.windows(2).map(|p| p[0].distance(p[1])).sum()
    }

    /// The nearest point of the course, and how far that is.
    pub fn nearest(&self, to: Spot) -> (Spot, f64) {
        let mut best = (self.0[0], self.0[0].distance(to));
        for pair in self.0.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let len = dx * dx + dy * dy;
            let t = if len == 0.0 {
                0.0
            } else {
                (((to.x - a.x) * dx + (to.y - a.y) * dy) / len).clamp(0.0, 1.0)
            };
            let p = Spot::new(a.x + t * dx, a.y + t * dy);
            let d = p.distance(to);
            if d < best.1 {
                best = (p, d);
            }
        }
        best
    }

    /// The course without its first `length`.
    pub fn without_head(mut self, mut length: f64) -> Course {
        while self.0.len() > 2 && length > 0.0 {
            let d = self.0[0].distance(self.0[1]);
            if d > length {
                self.0[0] = between(self.0[0], self.0[1], length / d);
                break;
            }
            length -= d;
            self.0.remove(0);
        }
        self
    }

    /// The course the other way round.
    pub fn reversed(mut self) -> Course {
        self.0.reverse();
        self
    }
}

/// The point that divides the way from one spot to another.
pub fn between(a: Spot, b: Spot, t: f64) -> Spot {
    Spot::new(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
}

struct Entry<N>(f64, N);

impl<N: Ord> PartialEq for Entry<N> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<N: Ord> Eq for Entry<N> {}

impl<N: Ord> PartialOrd for Entry<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N: Ord> Ord for Entry<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then_with(|| other.1.cmp(&self.1))
    }
}

/// The cheapest path from any start (with its own cost) to any goal (with its own cost). Equal costs are settled by
/// the order of the nodes, so that the same map comes out every time.
pub fn cheapest<N: Ord + Copy>(
    starts: &BTreeMap<N, f64>,
    goals: &BTreeMap<N, f64>,
    mut next: impl FnMut(N, &mut Vec<(N, f64)>),
) -> Option<Vec<N>> {
    let mut cost: BTreeMap<N, f64> = starts.clone();
    let mut from: BTreeMap<N, N> = BTreeMap::new();
    let mut heap: BinaryHeap<Entry<N>> = starts.iter().map(|(n, c)| Entry(*c, *n)).collect();
    let mut best: Option<(f64, N)> = None;
    let mut out = Vec::new();
    while let Some(Entry(c, n)) = heap.pop() {
        if c > cost[&n] {
            continue;
        }
        if best.is_some_and(|(b, _)| c >= b) {
            break;
        }
        if let Some(end) = goals.get(&n)
            && best.is_none_or(|(b, _)| c + end < b)
        {
            best = Some((c + end, n));
        }
        out.clear();
        next(n, &mut out);
        for &(m, step) in &out {
            let total = c + step;
            if cost.get(&m).is_none_or(|old| total < *old) {
                cost.insert(m, total);
                from.insert(m, n);
                heap.push(Entry(total, m));
            }
        }
    }
    let (_, mut n) = best?;
    let mut path = vec![n];
    while let Some(&m) = from.get(&n) {
        path.push(m);
        n = m;
    }
    path.reverse();
    Some(path)
}
