//! Sections 5.2 and 5.5: what a step costs each kind of group, worked out once for the whole map when it is first asked for.

use crate::charts::Charts;
use crate::map::{Map, across, side};
use crate::reach::NEVER;
use hex::Dir;
use std::sync::OnceLock;

/// On the cost of a step over a Major River that only some may cross there: from where the move began, or by a pontoon
/// (5.5.2, 5.5.5).
pub const RIVER: u8 = 0x80;

/// What a group is, and the weather, as far as steps cost it more or less.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Some of it walk.
    pub foot: bool,
    /// Some of it drive.
    pub mech: bool,
    /// All are mountain troops (9.6.2).
    pub mountain: bool,
    /// The Soviet side's.
    pub soviet: bool,
    /// Rain or Mud (23.2.3).
    pub soft: bool,
    /// Seasonal marshes are marsh.
    pub wet: bool,
    /// Rivers are frozen (23.4).
    pub winter: bool,
}

impl Kind {
    const COUNT: usize = 1 << 7;

    fn bits(self) -> [bool; 7] {
        [self.foot, self.mech, self.mountain, self.soviet, self.soft, self.wet, self.winter]
    }

    /// Its place among all kinds.
    pub fn ix(self) -> usize {
        self.bits().iter().rev().fold(0, |n, &b| n << 1 | usize::from(b))
    }

    fn from_ix(n: usize) -> Kind {
        let [foot, mech, mountain, soviet, soft, wet, winter] = std::array::from_fn(|i| n >> i & 1 != 0);
        Kind { foot, mech, mountain, soviet, soft, wet, winter }
    }

    /// What a group pays where those on foot and those on wheels pay so much: the most (5.1), in halves.
    fn most(self, foot: u8, mech: u8) -> u8 {
        2 * u8::max(if self.foot { foot } else { 0 }, if self.mech { mech } else { 0 })
    }
}

/// The rows of the terrain chart as a kind of group pays them, in halves.
#[derive(Clone, Debug)]
pub struct Rates {
    /// By row of the terrain chart.
    enter: Vec<u8>,
    /// Over a Minor River.
    pub minor: u8,
    /// Over a Major River.
    pub major: u8,
    /// Over ice.
    pub frozen: u8,
    /// Over a railroad bridge.
    pub rail_bridge: u8,
    /// Along a primary road, and a secondary one.
    roads: [u8; 2],
}

impl Rates {
    fn new(k: Kind, charts: &Charts, map: &Map) -> Rates {
        let (minor, major, bridge) = (
            across(&charts.hexside, "minor-river"),
            across(&charts.hexside, "major-river"),
            across(&charts.crossing, "rail-bridge"),
        );
        let c = &charts.movement;
        let most = |foot: u8, mech: u8| k.most(foot, mech) / 2;
        let secondary = if k.soft { c.secondary_rain_mech_halves } else { c.road_mech_halves };
        Rates {
            enter: map.grounds.iter().map(|g| k.most(g.foot, g.mech)).collect(),
            minor: if k.soft {
                k.most(minor.rain_foot, minor.rain_mech)
            } else {
                k.most(minor.foot, minor.mech)
            },
            major: k.most(major.foot, major.mech),
            frozen: k.most(major.frozen_foot, major.frozen_mech),
            rail_bridge: k.most(bridge.foot, bridge.mech),
            roads: [most(c.road_foot_halves, c.road_mech_halves), most(c.road_foot_halves, secondary)],
        }
    }

    /// 5.2: what a hex of a row of the terrain chart costs, entered over a hexside with these bits.
    #[inline]
    pub fn enter(&self, row: u8, bits: u16) -> u8 {
        let cost = self.enter[usize::from(row)];
        if bits & side::PRIMARY != 0 {
            cost.min(self.roads[0])
        } else if bits & side::SECONDARY != 0 {
            cost.min(self.roads[1])
        } else {
            cost
        }
    }

    /// 5.5: what a hexside adds for a kind of group, with [`RIVER`] where not all may cross; [`NEVER`] if nobody can.
    /// The Flotilla is not in it.
    fn over(&self, k: Kind, bits: u16) -> u8 {
        let ice = k.winter && bits & side::FREEZES != 0;
        if bits & side::SEA != 0
            || bits & side::ALPINE != 0 && (k.winter || !k.mountain && bits & side::ROAD == 0)
        {
            return NEVER;
        }
        if bits & side::LAKE != 0 {
            return if ice { self.frozen } else { NEVER };
        }
        if bits & side::VOLGA != 0 {
            return match () {
                () if bits & side::FERRY != 0 => self.major,
                () if bits & side::RAIL_BRIDGE != 0 && k.soviet => self.rail_bridge,
                () => NEVER,
            };
        }
        if bits & side::MAJOR != 0 {
            return match () {
                () if bits & side::ROAD_BRIDGE != 0 => 0,
                () if bits & side::RAIL_BRIDGE != 0 => self.rail_bridge,
                () if ice => self.frozen,
                () if bits & side::FERRY != 0 => self.major,
                () => self.major | RIVER,
            };
        }
        if bits & side::MINOR != 0 && bits & (side::ROAD | side::RAIL) == 0 { self.minor } else { 0 }
    }
}

/// What every step on the map costs a kind of group.
#[derive(Debug)]
pub struct Steps {
    /// What it pays.
    pub rates: Rates,
    /// By hex and direction: halves, [`NEVER`], or halves with [`RIVER`].
    pub cost: Vec<[u8; 6]>,
}

impl Steps {
    fn new(k: Kind, map: &Map, charts: &Charts) -> Steps {
        let rates = Rates::new(k, charts, map);
        let rows = if k.wet { &map.terrain_wet } else { &map.terrain };
        let grid = map.grid();
        let mut cost = vec![[NEVER; 6]; grid.len()];
        for h in grid.hexes() {
            for d in Dir::ALL {
                let Some(n) = grid.neighbour(h, d) else { continue };
                let bits = map.sides[h.ix()][d.ix()];
                let over = rates.over(k, bits);
                if over != NEVER {
                    cost[h.ix()][d.ix()] = rates.enter(rows[n.ix()], bits) + over;
                }
            }
        }
        Steps { rates, cost }
    }
}

/// The tables of all kinds, each made when it is first asked for.
#[derive(Debug)]
pub struct Tables(Vec<OnceLock<Steps>>);

impl Default for Tables {
    fn default() -> Tables {
        Tables((0..Kind::COUNT).map(|_| OnceLock::new()).collect())
    }
}

impl Tables {
    /// The table of a kind.
    #[inline]
    pub fn of(&self, kind: usize, map: &Map, charts: &Charts) -> &Steps {
        self.0[kind].get_or_init(|| Steps::new(Kind::from_ix(kind), map, charts))
    }
}
