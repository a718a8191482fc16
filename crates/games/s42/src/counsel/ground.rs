//! What the ground says while control of objectives does not change, worked out once and kept by each thread.

use crate::data::Data;
use crate::state::Pos;
use game::Kept;
use hex::{Hex, HexSet};
use std::rc::Rc;
use std::sync::Arc;

/// How far places draw, in hexes.
const DEPTH: f32 = 8.0;
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
            for s in 0..2 {
                home[s][h.ix()] = if near[s] < f32::MAX { near[s] } else { 0.0 };
            }
        }
        Ground { data: Arc::clone(&p.data), scenario: p.scenario, held, places, points, pull, home, close }
    }
}
