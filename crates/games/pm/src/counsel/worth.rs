//! What a position is worth, quickly: points, strength, garrisons, spearheads, and what lies open.

use super::{DEAR, DECIDES, POINT, pool_means};
use crate::data::Data;
use crate::state::Pos;
use game::Kept;
use hex::{Hex, HexSet};
use std::rc::Rc;
use std::sync::Arc;
use table::Side;

/// What the end of the game is worth.
const END: f64 = 10_000.0;
/// What a hex nearer to a place that is still wanted is worth to a full division: so little that an army which takes a place does
/// not regret that the next is far.
const NEARER: f64 = 0.02;
/// What a garrison is worth against the place it holds.
const GARRISON: f64 = 0.6;
/// What a Soviet unit in Greater Germany is worth before it counts (4.4).
const INCURSION: f64 = 0.7;
/// What a hex of Greater Germany is worth that Soviet units can enter next, as a share of what they cost there.
const OPEN: f64 = 0.015;
/// What a Soviet unit is worth that can enter there next, as the same share.
const RAIDER: f64 = 0.03;
/// What it is worth to stand beside a Soviet stack with enough to destroy it, as a share of its strength and of its place.
const CHANCE: f64 = 0.35;
/// The odds, ground included, at which that is sure enough, and those below which it is nothing.
const SURE: f64 = 4.0;
/// See above.
const EVEN: f64 = 1.0;
/// What it is worth to stand before a place that nobody holds, as a share of the place.
const SPEARHEAD: f64 = 0.45;
/// How far that is felt, in hexes: so much nearer makes it about three times as much.
const FADES: f64 = 9.0;
/// A defence, ground included, that halves it.
const BARS: f64 = 6.0;
/// Farther from a place than this no unit is its spearhead.
const AWAY: u32 = 24;
/// A German unit that attacks with less is no spearhead.
const LEAST: f64 = 2.0;
/// What it costs the German side that a place of its own lies open to a Soviet unit beside it, as a share of the place.
const UNKEPT: f64 = 0.6;
/// How far that is felt, in hexes: so much farther makes it about a third.
const STRAYS: f64 = 3.0;
/// A garrison that halves it.
const KEEPS: f64 = 0.5;
/// How far Soviet units see an open hex there.
const RAID: usize = 4;

/// What the ground says while control of towns does not change, worked out once and kept by each thread.
struct Ground {
    data: Arc<Data>,
    held: HexSet,
    places: Vec<(Hex, f64)>,
    /// By hex: steps to the nearest place that the German side wants, less its worth.
    wanted: Vec<f32>,
    /// By hex: steps to the nearest place that the Soviet side has, or a little more to one that it lost.
    home: Vec<f32>,
    /// By hex: the places near it, with the share of a threat that reaches there (1 on the place itself).
    close: Vec<Vec<(u8, f32)>>,
    /// By hex: the places that the German side wants, with how far they are.
    ways: Vec<Vec<(u8, u8)>>,
    /// By hex: the places that it holds, with how far they are.
    kept: Vec<Vec<(u8, u8)>>,
}

thread_local! {
    static KEPT: Kept<Ground> = const { Kept::new() };
}

impl Ground {
    fn of(p: &Pos) -> Rc<Ground> {
        let same = |g: &Ground| Arc::ptr_eq(&g.data, &p.data) && g.held == p.s.german_held;
        KEPT.with(|kept| kept.of(same, || Ground::read(p)))
    }

    fn read(p: &Pos) -> Ground {
        let places = p.places();
        let grid = p.data.map.grid();
        let held = p.s.german_held.clone();
        let n = grid.len();
        let (mut wanted, mut home) = (vec![0.0; n], vec![0.0; n]);
        let mut close = vec![Vec::new(); n];
        let mut ways = vec![Vec::new(); n];
        let mut kept = vec![Vec::new(); n];
        for h in &p.data.map.land {
            let (mut want, mut back) = (f32::MAX, f32::MAX);
            for (i, (g, worth)) in places.iter().enumerate() {
                let steps = grid.distance(h, *g);
                let dist = steps as f32;
                let german = held.contains(*g);
                if german {
                    if steps < AWAY / 2 {
                        kept[h.ix()].push((i as u8, steps as u8));
                    }
                } else {
                    if steps < AWAY {
                        ways[h.ix()].push((i as u8, steps as u8));
                    }
                    want = want.min(dist - *worth as f32);
                    if dist < 7.0 {
                        close[h.ix()].push((i as u8, 1.0 / (1.0 + dist)));
                    }
                }
                back = back.min(dist + if german { 2.0 } else { 0.0 });
            }
            wanted[h.ix()] = if want < f32::MAX { want } else { 0.0 };
            home[h.ix()] = if back < f32::MAX { back } else { 0.0 };
        }
        Ground { data: Arc::clone(&p.data), held, places, wanted, home, close, ways, kept }
    }
}

impl Pos {
    /// How the German side stands.
    pub(super) fn stands(&self) -> f64 {
        if let Some(o) = self.how_it_ended() {
            return if o.winner == Some(Side::One) { END } else { -END };
        }
        let means = pool_means(self);
        let ground = Ground::of(self);
        let mut v = DECIDES * f64::from(self.s.vp);
        v -= self.open_border() * DECIDES;
        let m = &self.data.map;
        let mut beside = vec![0.0f64; m.grid().len()];
        let mut garrison = vec![0.0f64; ground.places.len()];
        let mut threat = vec![0.0f64; ground.places.len()];
        let mut nearest = vec![u8::MAX; ground.places.len()];
        for u in self.s.stacks.units() {
            let Some(h) = self.on_map(u) else { continue };
            let (a, d) = self.known(&means, u);
            let strength = (a + d) / 2.0;
            if self.info(u).side == Side::One {
                v += DEAR[0] * strength;
                v -= NEARER * f64::from(ground.wanted[h.ix()]) * strength.min(10.0) / 5.0;
                for &(i, share) in &ground.close[h.ix()] {
                    threat[usize::from(i)] += a * f64::from(share);
                }
                m.grid().neighbours(h).for_each(|(_, n)| beside[n.ix()] += a);
                if a >= LEAST {
                    for &(i, steps) in &ground.ways[h.ix()] {
                        let best = &mut nearest[usize::from(i)];
                        *best = steps.min(*best);
                    }
                }
            } else {
                v -= DEAR[1] * strength;
                v += NEARER / 2.0 * f64::from(ground.home[h.ix()]) * strength / 5.0;
                if self.data.map.zomo_germany.contains(h) {
                    v -= INCURSION * DECIDES * f64::from(self.data.charts.numbers.zomo_vp);
                }
                for &(i, share) in &ground.close[h.ix()] {
                    if share == 1.0 {
                        garrison[usize::from(i)] += d;
                    }
                }
            }
        }
        // What stands before German guns with too little is half lost.
        for h in self.s.stacks.occupied(Side::Two).iter().filter(|h| beside[h.ix()] > 0.0) {
            let all = self.at(h).map(|u| self.known(&means, u));
            let (d, strength) = all.fold((0.0, 0.0), |(x, s), (a, d)| (x + d, s + (a + d) / 2.0));
            let odds = beside[h.ix()] / (f64::max(d, 1.0) * f64::from(self.cover(h)));
            let chance = ((odds - EVEN) / (SURE - EVEN)).clamp(0.0, 1.0);
            let place = if self.s.german_held.contains(h) { 0.0 } else { f64::from(m.vp[h.ix()].max(0)) };
            v += CHANCE * chance * (DEAR[1] * strength + DECIDES * place);
        }
        for (i, (h, worth)) in ground.places.iter().enumerate() {
            if !self.s.german_held.contains(*h) {
                let wanted = 4.0 + 2.0 * threat[i];
                let urgent = 0.15 + 0.85 * (threat[i] / 4.0).min(1.0);
                v -= GARRISON * POINT * worth * urgent * (garrison[i] / wanted).min(1.0);
                if nearest[i] != u8::MAX {
                    let bar = 1.0 + garrison[i] * f64::from(self.cover(*h)) / BARS;
                    v += SPEARHEAD * DECIDES * worth * (-f64::from(nearest[i]) / FADES).exp() / bar;
                }
            }
        }
        v
    }

    /// What the German side leaves open of its own when its move is over: whoever is nearest walks in where nobody stands. The
    /// Soviet side does not count it as gained: before it moves again the German one can shut it.
    pub(super) fn left_open(&self) -> f64 {
        let means = pool_means(self);
        let ground = Ground::of(self);
        let mut garrison = vec![0.0f64; ground.places.len()];
        let mut nearest = vec![u8::MAX; ground.places.len()];
        for u in self.s.stacks.units() {
            let Some(h) = self.on_map(u) else { continue };
            for &(i, steps) in &ground.kept[h.ix()] {
                if self.info(u).side == Side::Two {
                    let best = &mut nearest[usize::from(i)];
                    *best = steps.min(*best);
                } else if steps == 0 {
                    garrison[usize::from(i)] += self.known(&means, u).1;
                }
            }
        }
        let places = ground.places.iter().zip(nearest.iter().zip(&garrison));
        let near = places.filter(|(_, (near, _))| **near != u8::MAX);
        let cost = |(&(_, worth), (&near, held)): (&(Hex, f64), (&u8, &f64))| {
            UNKEPT * DECIDES * worth * (-f64::from(near) / STRAYS).exp() / (1.0 + held / KEEPS)
        };
        near.map(cost).sum()
    }

    /// 4.4: what lies open in Greater Germany to Soviet units that can come there between the German ones, in points.
    fn open_border(&self) -> f64 {
        let m = &self.data.map;
        let (own, foe) = (self.s.stacks.occupied(Side::One), self.s.stacks.occupied(Side::Two));
        let land = &m.land - own;
        let spread = |from: HexSet| (0..RAID).fold(from, |near, _| &near.dilate(m.grid()) & &land);
        let open = &(&spread(foe.clone()) & &m.zomo_germany) - foe;
        let raiders: usize = (&spread(open.clone()) & foe).iter().map(|h| self.s.stacks.height(h)).sum();
        self.toll() * (OPEN * open.count() as f64 + RAIDER * raiders as f64)
    }
}
