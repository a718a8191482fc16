//! The warp: a thin-plate spline through displacements known at a few points.

use crate::earth::Spot;

/// A smooth displacement that is exact at its control points.
#[derive(Clone, Debug, Default)]
pub struct Spline {
    at: Vec<Spot>,
    // One weight for each control point, then constant, x and y, for each of the two directions.
    x: Vec<f64>,
    y: Vec<f64>,
}

/// r squared times the logarithm of r, from the two differences.
fn kernel(dx: f64, dy: f64) -> f64 {
    let square = dx * dx + dy * dy;
    if square == 0.0 { 0.0 } else { 0.5 * square * square.ln() }
}

impl Spline {
    /// The spline that moves each first spot onto its second one. Fewer than four points bend nothing.
    pub fn through(moves: &[(Spot, Spot)]) -> Spline {
        let n = moves.len();
        if n < 4 {
            return Spline::default();
        }
        let size = n + 3;
        let mut rows = vec![vec![0.0; size + 2]; size];
        for i in 0..n {
            let p = moves[i].0;
            for j in 0..n {
                rows[i][j] = kernel(p.x - moves[j].0.x, p.y - moves[j].0.y);
            }
            for (j, v) in [1.0, p.x, p.y].into_iter().enumerate() {
                rows[i][n + j] = v;
                rows[n + j][i] = v;
            }
            rows[i][size] = moves[i].1.x - p.x;
            rows[i][size + 1] = moves[i].1.y - p.y;
        }
        solve(&mut rows);
        Spline {
            at: moves.iter().map(|m| m.0).collect(),
            x: rows.iter().map(|r| r[size]).collect(),
            y: rows.iter().map(|r| r[size + 1]).collect(),
        }
    }

    /// How far a spot moves.
    pub fn shift(&self, p: Spot) -> (f64, f64) {
        let n = self.at.len();
        if n == 0 {
            return (0.0, 0.0);
        }
        let mut out = (
            self.x[n] + self.x[n + 1] * p.x + self.x[n + 2] * p.y,
            self.y[n] + self.y[n + 1] * p.x + self.y[n + 2] * p.y,
        );
        for (i, q) in self.at.iter().enumerate() {
            let u = kernel(p.x - q.x, p.y - q.y);
            out.0 += self.x[i] * u;
            out.1 += self.y[i] * u;
        }
        out
    }

    /// Where a spot goes.
    pub fn warp(&self, p: Spot) -> Spot {
        let (dx, dy) = self.shift(p);
        Spot::new(p.x + dx, p.y + dy)
    }

    /// The spot that goes here, by repeated correction to within a millionth of a hex; the warp never folds, so this
    /// settles.
    pub fn unwarp(&self, q: Spot) -> Spot {
        let mut p = q;
        for _ in 0..40 {
            let r = self.warp(p);
            p = Spot::new(p.x + q.x - r.x, p.y + q.y - r.y);
            if r.distance(q) < 1e-6 {
                break;
            }
        }
        p
    }

    /// The local change of area; below zero the sheet would fold.
    pub fn stretch(&self, p: Spot) -> f64 {
        let h = 1e-4;
        let (a, b) = (self.warp(Spot::new(p.x - h, p.y)), self.warp(Spot::new(p.x + h, p.y)));
        let (c, d) = (self.warp(Spot::new(p.x, p.y - h)), self.warp(Spot::new(p.x, p.y + h)));
        ((b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)) / (4.0 * h * h)
    }
}

/// Gauss-Jordan with row pivoting; the two last columns become the two solutions.
fn solve(rows: &mut [Vec<f64>]) {
    let n = rows.len();
    for c in 0..n {
        let pivot = (c..n).max_by(|&i, &j| rows[i][c].abs().total_cmp(&rows[j][c].abs())).unwrap_or(c);
        rows.swap(c, pivot);
        let p = rows[c][c];
        if p == 0.0 {
            continue;
        }
        rows[c].iter_mut().for_each(|v| *v /= p);
        let lead = rows[c].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let f = row[c];
            if i != c && f != 0.0 {
                row.iter_mut().zip(&lead).for_each(|(v, l)| *v -= f * l);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_points_go_exactly_where_they_are_told_and_come_back() {
        let moves: Vec<_> =
            [(0.0, 0.0, 0.3), (5.0, 1.0, -0.2), (2.0, 6.0, 0.1), (8.0, 8.0, 0.0), (4.0, 3.0, 0.4)]
                .map(|(x, y, d)| (Spot::new(x, y), Spot::new(x + d, y - d / 2.0)))
                .to_vec();
        let spline = Spline::through(&moves);
        for (from, to) in &moves {
            assert!(spline.warp(*from).distance(*to) < 1e-9);
            assert!(spline.unwarp(*to).distance(*from) < 1e-6);
        }
    }
}
