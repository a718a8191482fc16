//! 12.8-12.21 under 13.3-13.7 as tables: what each step of the map costs a group, worked out once for each mixture of classes and
//! weather and shared by all positions.

use crate::charts::{Charts, Ground, Weather};
use crate::data::NEVER;
use crate::map::{Map, Terrain, side};
use crate::units::Class;
use hex::Hex;
use std::sync::OnceLock;

/// Everything that what a step costs depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The classes in the group, a bit each by [`Class`]; every hex costs what it costs the dearest (12.7).
    pub classes: u8,
    /// Weather, north and south.
    pub weather: [Weather; 2],
    /// Whether rivers cost anything (5.5).
    pub rivers: bool,
    /// Whether the highway helps (12.20).
    pub highway: bool,
}

/// What steps cost under some [`Terms`].
#[derive(Debug)]
pub struct Steps {
    /// By hex and direction of leaving; [`NEVER`] where nobody can go. Straits are no steps (12.16). Two columns pad.
    leave: Vec<[u8; 8]>,
    /// Cost of a hex by weather zone and terrain.
    pub enter: [[u8; 6]; 2],
    /// Cost of a river by weather zone.
    pub river: [u8; 2],
    /// Whether lakes can be entered somewhere (13.7).
    pub lakes: bool,
    /// Whether straits are frozen (13.7).
    pub straits_frozen: bool,
}

impl Steps {
    /// What it costs to leave a hex in each direction.
    #[inline]
    pub fn row(&self, from: Hex) -> &[u8; 8] {
        const NOTHING: &[u8; 8] = &[NEVER; 8];
        self.leave.get(from.ix()).unwrap_or(NOTHING)
    }

    /// What a step costs, [`NEVER`] if it is not possible.
    #[inline]
    pub fn step(&self, from: Hex, dir: usize) -> u8 {
        self.row(from)[dir]
    }
}

/// Costs by class, weather and terrain, and the tables made of them so far.
#[derive(Debug)]
pub struct Costs {
    cost: [[[u8; 6]; 5]; 3],
    river: [u8; 3],
    highway: u8,
    tables: Vec<OnceLock<Steps>>,
}

const WEATHERS: [Weather; 5] = [Weather::D, Weather::R, Weather::M, Weather::F, Weather::S];
const CLASSES: [Class; 3] = [Class::Mech, Class::Foot, Class::Light];

impl Costs {
    /// Reads 17.9.
    pub fn new(charts: &Charts, ground: &[Ground]) -> Costs {
        let river =
            charts.hexside.iter().find(|g| g.name == "river").map_or([0; 3], |g| [g.mech, g.foot, g.foot]);
        let highway = ground[Terrain::Forest as usize].highway.unwrap_or(ground[1].mech);
        let mut tables = Vec::new();
        tables.resize_with(8 * 25 * 4, OnceLock::new);
        Costs { cost: costs(charts, ground), river, highway, tables }
    }

    /// The table of some terms.
    #[inline]
    pub fn steps(&self, map: &Map, charts: &Charts, terms: &Terms) -> &Steps {
        let [a, b] = terms.weather.map(Weather::ix);
        let flags = usize::from(terms.rivers) * 2 + usize::from(terms.highway);
        let at = ((usize::from(terms.classes & 7) * 5 + a) * 5 + b) * 4 + flags;
        self.tables[at].get_or_init(|| self.work_out(map, charts, terms))
    }

    fn work_out(&self, map: &Map, charts: &Charts, terms: &Terms) -> Steps {
        let conditions = terms.weather.map(|w| charts.condition(w));
        let has = |c: Class| terms.classes >> (c as u8) & 1 != 0;
        let mut steps = Steps {
            leave: vec![[NEVER; 8]; map.grid().len()],
            enter: [[0; 6]; 2],
            river: [0; 2],
            lakes: conditions.iter().any(|c| c.lakes_frozen),
            straits_frozen: conditions[1].straits_frozen,
        };
        for (z, condition) in conditions.iter().enumerate() {
            for c in CLASSES.into_iter().filter(|&c| has(c)) {
                for t in 0..6 {
                    let n = self.cost[c as usize][terms.weather[z].ix()][t];
                    steps.enter[z][t] = steps.enter[z][t].max(n);
                }
                if terms.rivers && !condition.rivers_frozen {
                    steps.river[z] = steps.river[z].max(self.river[c as usize]);
                }
            }
        }
        let on_foot = CLASSES.into_iter().filter(|&c| c != Class::Mech && has(c));
        let forest = |c: Class| self.cost[c as usize][terms.weather[0].ix()][Terrain::Forest as usize];
        let highway = self.highway.max(on_foot.map(forest).max().unwrap_or(0));
        for from in map.grid().hexes() {
            for (dir, to) in map.grid().neighbours(from) {
                let z = usize::from(map.south_weather.contains(to));
                let s = map.sides[from.ix()][dir.ix()];
                let frozen = (s & side::STRAIT != 0 && steps.straits_frozen)
                    || (s & side::LAKE != 0 && conditions[z].lakes_frozen);
                let water = s & (side::SEA | side::STRAIT | side::LAKE) != 0;
                let ground = map.land.contains(to) || (steps.lakes && map.lakes.contains(to));
                let terrain = map.terrain[to.ix()];
                let mut cost = steps.enter[z][terrain as usize];
                if !ground || s & side::SEA != 0 || (water && !frozen) || cost == NEVER {
                    continue;
                }
                if s & side::HIGHWAY != 0 && terrain == Terrain::Forest && terms.highway {
                    cost = cost.min(highway);
                }
                if s & side::RIVER != 0 {
                    cost += steps.river[z];
                }
                steps.leave[from.ix()][dir.ix()] = cost;
            }
        }
        steps
    }
}

/// 12.10-12.13 under 13.3-13.7: what each class pays to enter each terrain in each weather.
fn costs(charts: &Charts, ground: &[Ground]) -> [[[u8; 6]; 5]; 3] {
    let mut out = [[[NEVER; 6]; 5]; 3];
    for class in CLASSES {
        for w in WEATHERS {
            let condition = charts.condition(w);
            let row = &mut out[class as usize][w.ix()];
            for (t, cost) in row.iter_mut().enumerate().take(4) {
                let as_clear = t == Terrain::Marsh as usize && condition.marsh_as_clear;
                let g = &ground[if as_clear { Terrain::Clear as usize } else { t }];
                let base = match class {
                    Class::Mech => g.mech,
                    Class::Foot => g.foot,
                    Class::Light => g.costs.get("cavalry").copied().unwrap_or(g.foot),
                };
                *cost = base * condition.hex_times;
            }
            if condition.lakes_frozen {
                row[Terrain::Lake as usize] = ground[0].foot * condition.hex_times;
            }
        }
    }
    out
}
