//! Ends of a battle as they were foretold, beside those of so many battles that were played.

use crate::{End, Ends, Eyes, Position, QuickDice};
use serde::Serialize;
use std::collections::BTreeMap;

/// Battles that were played, by how they ended.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// How often each end came.
    pub found: BTreeMap<End, u64>,
    /// How many battles were played.
    pub battles: u64,
    dice: u64,
}

/// How often an end must be expected to be looked at by itself.
const RARE: f64 = 5.0;

/// An end, how often it was to be expected, and how often it came.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// How it ends.
    #[serde(flatten)]
    pub end: End,
    /// The chance foretold.
    pub said: f64,
    /// The share found.
    pub found: f64,
    /// By how many standard errors they differ; infinite for an end that was said to be impossible or certain and is not.
    pub z: f64,
}

/// A forecast beside a trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Each end that was foretold or found.
    pub rows: Vec<Row>,
    /// The largest difference of two shares.
    pub difference: f64,
    /// The largest difference in standard errors, of ends that were to come five times or more, or never.
    pub z: f64,
    /// The chance that honest play differs from the forecast at least as much as this (chi-square over all ends).
    pub p: f64,
}

impl Trial {
    /// A trial that takes its chances from a seed.
    pub fn new(seed: u64) -> Trial {
        Trial { dice: seed, ..Trial::default() }
    }

    /// Plays the battle in the making so many times, each in a world that fits what those eyes see; false where there is none.
    pub fn play(&mut self, p: &dyn Position, eyes: Eyes, battles: u64) -> bool {
        for _ in 0..battles {
            // Each battle has dice of its own, so that it is the same in a trial of any length.
            self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut dice = QuickDice::new(self.dice ^ 0x5851_f42d_4c95_7f2d);
            let Some(end) = p.fought(eyes, &mut dice) else { return false };
            *self.found.entry(end).or_default() += 1;
            self.battles += 1;
        }
        true
    }

    /// Holds a forecast against it.
    pub fn against(&self, said: &Ends) -> Verdict {
        let n = self.battles.max(1) as f64;
        let mut all: BTreeMap<End, (f64, u64)> = said.iter().map(|e| (e.end, (e.chance, 0))).collect();
        for (&end, &times) in &self.found {
            all.entry(end).or_default().1 = times;
        }
        let rows: Vec<Row> = all
            .into_iter()
            .map(|(end, (said, times))| {
                let found = times as f64 / n;
                let error = (said * (1.0 - said) / n).max(0.0).sqrt();
                let off = (found - said).abs();
                let z = if off < 1e-9 {
                    0.0
                } else if error > 1e-9 {
                    off / error
                } else {
                    f64::INFINITY
                };
                Row { end, said, found, z }
            })
            .collect();
        let largest = |f: &dyn Fn(&Row) -> f64| rows.iter().map(f).fold(0.0, f64::max);
        let counts = |r: &Row| r.said * n >= RARE || r.said <= 0.0;
        Verdict {
            difference: largest(&|r| (r.found - r.said).abs()),
            z: largest(&|r| if counts(r) { r.z } else { 0.0 }),
            p: self.chance_of(&rows),
            rows,
        }
    }

    /// Pearson's test; ends that would come less than five times are taken together.
    fn chance_of(&self, rows: &[Row]) -> f64 {
        if rows.iter().any(|r| r.said <= 0.0 && r.found > 0.0) {
            return 0.0;
        }
        let n = self.battles as f64;
        let (mut sum, mut cells) = (0.0, 0);
        let mut rare = (0.0, 0.0);
        for r in rows {
            if r.said * n < RARE {
                rare = (rare.0 + r.said * n, rare.1 + r.found * n);
            } else {
                sum += (r.found - r.said).powi(2) * n / r.said;
                cells += 1;
            }
        }
        if rare.0 > 0.0 {
            sum += (rare.1 - rare.0).powi(2) / rare.0;
            cells += 1;
        }
        if cells < 2 { 1.0 } else { beyond(sum, cells - 1) }
    }
}

/// The chance that a chi-square of so many degrees of freedom is larger: by the recurrence from one or two degrees up.
fn beyond(x: f64, degrees: u32) -> f64 {
    let half = x / 2.0;
    if half <= 0.0 {
        return 1.0;
    }
    // Q(a + 1, h) = Q(a, h) + h^a e^-h / Gamma(a + 1), from Q(1, h) = e^-h or Q(1/2, h) = erfc(sqrt h).
    let fade = (-half).exp();
    let (mut a, mut q, mut term) = if degrees.is_multiple_of(2) {
        (1.0, fade, half * fade)
    } else {
        (0.5, erfc(half.sqrt()), half.sqrt() * fade * 2.0 / std::f64::consts::PI.sqrt())
    };
    while 2.0 * a < f64::from(degrees) {
        q += term;
        a += 1.0;
        term *= half / a;
    }
    q.min(1.0)
}

/// The complementary error function, to six decimals (Abramowitz and Stegun 7.1.28).
fn erfc(x: f64) -> f64 {
    let c = [
        0.070_523_078_4,
        0.042_282_012_3,
        0.009_270_527_2,
        0.000_152_014_3,
        0.000_276_567_2,
        0.000_043_063_8,
    ];
    let sum = c.iter().rev().fold(0.0, |s, k| (s + k) * x) + 1.0;
    sum.powi(-16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_chi_square_are_those_of_the_tables() {
        for (x, degrees, p) in [
            (3.841, 1, 0.05),
            (5.991, 2, 0.05),
            (7.815, 3, 0.05),
            (18.307, 10, 0.05),
            (30.578, 15, 0.01),
            (16.266, 3, 0.001),
        ] {
            let found = beyond(x, degrees);
            assert!((found - p).abs() < p / 200.0, "{x} with {degrees}: {found} and not {p}");
        }
    }

    fn trial(found: &[(u16, u64)]) -> Trial {
        let found: BTreeMap<End, u64> =
            found.iter().map(|&(n, times)| (End { attacker: n, ..End::default() }, times)).collect();
        Trial { battles: found.values().sum(), found, dice: 0 }
    }

    fn said(list: &[(u16, f64)]) -> Ends {
        let mut e = Ends::default();
        list.iter().for_each(|&(n, p)| e.add(End { attacker: n, ..End::default() }, p));
        e
    }

    #[test]
    fn an_honest_trial_is_within_chance_and_a_loaded_one_is_not() {
        let fair = said(&[(0, 0.5), (1, 0.5)]);
        let v = trial(&[(0, 5_060), (1, 4_940)]).against(&fair);
        assert!(v.p > 0.05 && (v.z - 1.2).abs() < 0.01 && (v.difference - 0.006).abs() < 1e-9, "{v:?}");
        let v = trial(&[(0, 5_300), (1, 4_700)]).against(&fair);
        assert!(v.p < 1e-6 && v.z > 5.9, "{v:?}");
    }

    #[test]
    fn an_end_that_was_not_foretold_refutes_the_forecast() {
        let v = trial(&[(0, 9_999), (7, 1)]).against(&said(&[(0, 1.0)]));
        assert!(v.p == 0.0 && v.z.is_infinite(), "{v:?}");
    }
}
