//! What the ground says while control of objectives does not change, worked out once and kept by each thread.

use crate::data::Data;
use crate::state::Pos;
use crate::units::is;
use game::Kept;
use hex::{Hex, HexSet};
use std::rc::Rc;
use std::sync::Arc;
use table::{Side, Unit};

/// How far places draw, in hexes.
const DEPTH: f32 = 8.0;
/// How far ground in the west draws the Soviet side, in hexes.
const NEAR_WEST: f32 = 5.0;
/// Within how many hexes a place is threatened.
const CLOSE: f32 = 7.0;

/// Places and how they draw, by hex.
pub(super) struct Ground {
    data: Arc<Data>,
    scenario: usize,
    held: HexSet,
    /// Places with their worth.
    pub places: Vec<(Hex, f64)>,
    /// The worth of those that the Axis holds.
    pub points: f64,
    /// By side and hex: how much places of the enemy draw, in victory points.
    pub pull: [Vec<f32>; 2],
    /// By side and hex: steps to the nearest place that it holds.
    pub home: [Vec<f32>; 2],
    /// By hex: how near it is to ground where Soviet units cost the Axis points (24.1.4), from 0 to 1.
    pub west: Vec<f32>,
    /// By hex: the places near it, with the share of a threat that reaches there (1 on the place itself).
    pub close: Vec<Vec<(u8, f32)>>,
}

thread_local! {
    static KEPT: Kept<Ground> = const { Kept::new() };
}

impl Ground {
    /// The ground of a position.
    pub fn of(p: &Pos) -> Rc<Ground> {
        let same =
            |g: &Ground| g.scenario == p.scenario && g.held == p.s.axis_held && Arc::ptr_eq(&g.data, &p.data);
        KEPT.with(|kept| kept.of(same, || Ground::read(p)))
    }

    fn read(p: &Pos) -> Ground {
        let map = &p.data.map;
        let grid = map.grid();
        let land = &p.scene().land;
        let held = p.s.axis_held.clone();
        let places: Vec<(Hex, f64)> =
            (&map.vp_hexes & land).iter().map(|h| (h, f64::from(map.vp[h.ix()]))).collect();
        let points = places.iter().filter(|(h, _)| held.contains(*h)).map(|(_, w)| w).sum();
        let n = grid.len();
        let (mut pull, mut home) = ([vec![0.0f32; n], vec![0.0f32; n]], [vec![0.0f32; n], vec![0.0f32; n]]);
        let mut close = vec![Vec::new(); n];
        let mut west = vec![0.0f32; n];
        let ward: Vec<Hex> = p.western_hexes().iter().collect();
        for h in land {
            let mut near = [f32::MAX; 2];
            for (i, &(g, worth)) in places.iter().enumerate() {
                let dist = grid.distance(h, g) as f32;
                let holder = usize::from(!held.contains(g));
                near[holder] = near[holder].min(dist);
                let draws = &mut pull[1 - holder][h.ix()];
                *draws = draws.max(worth.sqrt() as f32 * (-dist / DEPTH).exp());
                if dist < CLOSE {
                    close[h.ix()].push((i as u8, 1.0 / (1.0 + dist)));
                }
            }
            let far = ward.iter().map(|&g| grid.distance(h, g)).min();
            west[h.ix()] = far.map_or(0.0, |d| (-(d as f32) / NEAR_WEST).exp());
            for s in 0..2 {
                home[s][h.ix()] = if near[s] < f32::MAX { near[s] } else { 0.0 };
            }
        }
        Ground {
            data: Arc::clone(&p.data),
            scenario: p.scenario,
            held,
            places,
            points,
            pull,
            home,
            west,
            close,
        }
    }
}

/// No enemy is counted with more movement than this.
const MOST_LEFT: usize = 10;
/// What it costs more to leave a hex beside an enemy (6.2).
const LEAVE: u8 = 2;

impl Pos {
    /// About where the enemies of a side can go next if units of the side stand on some hexes: ZOC stop them, bonds bar them.
    pub(super) fn open_to_enemy(&self, own: Side, stands: &HexSet) -> HexSet {
        let grid = self.data.map.grid();
        let land = &self.scene().land;
        let zone = stands.dilate(grid);
        let shut =
            |h: Hex| (0..3).any(|d| stands.contains(grid.six(h)[d]) && stands.contains(grid.six(h)[d + 3]));
        // By what is left of a move: each hex is entered first by whoever has most left.
        let mut rounds: Vec<Vec<(Hex, bool)>> = vec![Vec::new(); MOST_LEFT + 1];
        for u in self.s.stacks.units() {
            if self.side(u) == own || !self.combat(u) || self.frozen(u).is_some() {
                continue;
            }
            if let Some(h) = self.on_map(u) {
                let speed = usize::from(self.allowance(u)) / 2;
                let left = if self.is(u, is::MECH | is::CAVALRY) { speed + speed / 2 } else { speed + 1 };
                rounds[left.min(MOST_LEFT)].push((h, true));
            }
        }
        // Who stands in a zone may go on from there, who enters it may not: a hex is done only when someone has gone on from it.
        let (mut seen, mut done) = (HexSet::empty(), HexSet::empty());
        for left in (0..=MOST_LEFT).rev() {
            for (h, from) in std::mem::take(&mut rounds[left]) {
                seen.insert(h);
                if zone.contains(h) && !from || !done.insert(h) {
                    continue;
                }
                let cost = 1 + if zone.contains(h) { LEAVE } else { 0 };
                let Some(then) = left.checked_sub(usize::from(cost)) else { continue };
                let six = grid.six(h);
                for d in 0..6 {
                    let n = six[d];
                    let bond = || stands.contains(six[(d + 5) % 6]) && stands.contains(six[(d + 1) % 6]);
                    let free = n.is_some() && land.contains(n) && !stands.contains(n) && !done.contains(n);
                    if free && !bond() && !shut(n) {
                        rounds[then].push((n, false));
                    }
                }
            }
        }
        seen
    }

    /// How many hexes more are open to the enemy if some units leave a hex for another.
    pub(super) fn hole(&self, own: Side, units: &[Unit], from: Hex, to: Hex) -> f64 {
        if from == to {
            return 0.0;
        }
        let now = self.s.zones.combat[own.ix()].clone();
        let mut then = now.clone();
        if !self.of_side(own, from).any(|u| self.combat(u) && !units.contains(&u)) {
            then.remove(from);
        }
        then.insert(to);
        if then == now {
            return 0.0;
        }
        let (before, after) = (self.open_to_enemy(own, &now), self.open_to_enemy(own, &then));
        (&after - &before).count() as f64
    }
}
