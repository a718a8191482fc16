//! Scenarios (S1-S4) as `scenarios.toml` has them, and what the map is in each.

use crate::charts::Weather;
use crate::data::Area;
use crate::map::Map;
use hex::{Dir, Hex, HexSet};
use serde::Deserialize;
use table::{Side, Sided};
use text::Faults;

/// A unit freed on a turn.
#[derive(Clone, Debug, Deserialize)]
pub struct Freed {
    /// Who.
    pub unit: String,
    /// When.
    pub turn: u8,
}

/// A city hex that both sides hold (29).
#[derive(Clone, Debug, Deserialize)]
pub struct Contested {
    /// Where.
    pub hex: String,
    /// Its original defender.
    pub holder: String,
    /// The City Battle marker.
    pub city_battle: u8,
}

/// How a scenario begins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is the key of scenarios.toml")]
pub struct Start {
    pub railheads: Vec<String>,
    pub air: Vec<String>,
    pub planned_offensives_axis: u8,
    pub planned_offensives_soviet: u8,
    pub supply_points_soviet_ready: u8,
    pub axis_controls: Vec<String>,
    pub axis_start_points: i16,
    pub contested: Vec<Contested>,
    pub seasonal_marsh: String,
    pub forts_deactivated: Vec<String>,
}

/// Special rules of a scenario.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is the key of scenarios.toml")]
pub struct Special {
    pub turn_1_axis_tactical_only: bool,
    pub turn_1_frozen: Vec<String>,
    pub soviet_entrained_edges: Vec<String>,
    pub axis_exit_areas: Vec<String>,
    pub frozen_south_of_rostov: bool,
    pub freed: Vec<Freed>,
    pub fifth_reserve_turn: u8,
    pub fifth_reserve_entry: String,
    pub fifth_reserve_by_rail: u8,
    pub sixth_reserve_hex: String,
    pub sixth_reserve_turn: u8,
    pub soviet_pre_move: bool,
    pub first_turn_axis_initial_phase: Option<bool>,
    pub first_turn_soviet_reinforcement_waits: bool,
    pub air_units: Option<u8>,
    pub air_in: Vec<Weather>,
    pub air_none_turns: Vec<u8>,
    pub air_base_imagined: String,
    pub axis_resource_points: Option<u8>,
    pub axis_resource_points_from_turn: u8,
    pub soviet_resource_points: Option<u8>,
    pub axis_entry_first_turn: String,
    pub axis_supply_roads_north_edge_west_of: String,
    pub railhead_turn: u8,
    pub railhead_hex: String,
    pub railhead_second_hex: String,
    pub blucher: bool,
    pub volunteers: bool,
    pub uncoded_soviets_start_in: String,
    pub trans_caucasus_box: bool,
    pub first_turn_axis_turn: Option<bool>,
    pub first_turn_soviet_initial_phase: Option<bool>,
    pub first_turn_weather: Option<Weather>,
    pub first_turn_soviet_movement: Vec<String>,
    pub interchange_after_first_turn: bool,
    pub soviet_first_from_turn: u8,
    pub replacements_from_turn: u8,
    pub axis_south_entry: Vec<String>,
    pub wiking_upgraded_turn: u8,
    pub reserve_armies: Vec<String>,
    pub trans_caucasus_row: u8,
    pub maskirovka_turn: u8,
    pub vasilevsky_turn: u8,
    pub romanian_air_turn: u8,
}

/// Victory in a scenario.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "each field is the key of scenarios.toml")]
pub struct Victory {
    pub axis_points: i16,
    pub checked: String,
    pub isolated_from_soviets_counts: bool,
    pub exit_east_points: i16,
    pub exit_east_areas: Vec<String>,
    pub exit_south_points: i16,
    pub exit_south_areas: Vec<String>,
    pub exit_steps: u8,
    pub south_of_don_points: i16,
    pub hold_zone: String,
    pub hold_until_axis_turn: u8,
    pub elbrus_permanent: bool,
    pub turn_28_axis_points: i16,
}

/// A scenario of `scenarios.toml`.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the key of scenarios.toml")]
pub struct Scenario {
    pub id: String,
    pub name: String,
    pub about: String,
    pub rule: String,
    pub first_turn: u8,
    pub last_turn: u8,
    pub first_side: String,
    pub maps: Vec<String>,
    pub setups: Vec<String>,
    pub soviet_areas: Vec<String>,
    pub axis_areas: Vec<String>,
    pub replacements: String,
    pub reinforcements: String,
    pub benchmarks: bool,
    pub winter_offensive: bool,
    pub campaign_rules: bool,
    pub contested_cities: String,
    #[serde(default)]
    pub start: Start,
    #[serde(default)]
    pub special: Special,
    #[serde(default)]
    pub victory: Victory,
}

/// The file.
#[derive(Deserialize)]
pub struct ScenarioFile {
    /// Its scenarios.
    pub scenario: Vec<Scenario>,
}

/// What the map is in a scenario: which hexes are in play, whose its edges are.
#[derive(Debug)]
pub struct Scene {
    /// All hexes of its maps, water too.
    pub inside: HexSet,
    /// Land of its maps.
    pub land: HexSet,
    /// Friendly areas of each side, as bits by area (22.2).
    pub friendly: Sided<u32>,
    /// By hex: the areas it borders, as bits.
    pub borders: Vec<u32>,
    /// By side and hex: hexsides whose anticlockwise end, and whose clockwise end, is a friendly map edge (7.5).
    pub anchors: Sided<Vec<[u8; 2]>>,
    /// By side: hexes of its friendly areas, from which it draws supply (16.2).
    pub edges: Sided<HexSet>,
    /// S2.2: hexes that are no source of the Axis, though they border its areas.
    no_source: HexSet,
}

impl Scene {
    /// What the map is in a scenario; what the board lacks is a fault.
    pub fn new(s: &Scenario, map: &Map, areas: &[Area], faults: &mut Faults) -> Option<Scene> {
        let grid = map.grid();
        let mut inside = HexSet::empty();
        for m in &s.maps {
            match map.board.zone(m) {
                Some(z) => inside |= z,
                None => faults.add("scenarios.toml", None, format!("{}: there is no map '{m}'", s.id)),
            }
        }
        let mut friendly = Sided([0u32; 2]);
        for (side, names) in [(Side::One, &s.axis_areas), (Side::Two, &s.soviet_areas)] {
            for name in names {
                match areas.iter().position(|a| a.name == *name) {
                    Some(i) => friendly[side] |= 1 << i,
                    None => {
                        let why = format!("{}: there is no Entry Area '{name}'", s.id);
                        faults.add("scenarios.toml", None, why);
                    }
                }
            }
        }
        let all = friendly[Side::One] | friendly[Side::Two];
        let mut borders = vec![0u32; grid.len()];
        for (i, a) in areas.iter().enumerate().filter(|(i, _)| all >> i & 1 != 0) {
            for h in &(&a.hexes & &inside) {
                borders[h.ix()] |= 1 << i;
            }
        }
        let mut anchors = Sided([vec![[0u8; 2]; grid.len()], vec![[0u8; 2]; grid.len()]]);
        for side in Side::BOTH {
            for h in &inside {
                for d in Dir::ALL {
                    let Some(n) = grid.neighbour(h, d).filter(|n| inside.contains(*n)) else { continue };
                    if (borders[h.ix()] | borders[n.ix()]) & friendly[side] == 0 {
                        continue;
                    }
                    for (i, e) in [d.anticlockwise(), d.clockwise()].into_iter().enumerate() {
                        if grid.neighbour(h, e).is_none_or(|x| !inside.contains(x)) {
                            anchors[side][h.ix()][i] |= 1 << d.ix();
                        }
                    }
                }
            }
        }
        let land = &inside & &map.land;
        let limit = grid.find(&s.special.axis_supply_roads_north_edge_west_of);
        let beyond = |h: &Hex| limit.is_some_and(|l| grid.column(*h) >= grid.column(l));
        let no_source = land.iter().filter(beyond).collect();
        let edges = Sided([HexSet::empty(), HexSet::empty()]);
        let mut scene = Scene { inside, land, friendly, borders, anchors, edges, no_source };
        scene.edges = Sided(Side::BOTH.map(|side| scene.edges_but(side, 0, areas)));
        Some(scene)
    }

    /// 16.2.1: the hexes of a side's friendly areas, some areas left out, as bits.
    pub fn edges_but(&self, side: Side, closed: u32, areas: &[Area]) -> HexSet {
        let mut out = HexSet::empty();
        for (i, a) in areas.iter().enumerate() {
            if (self.friendly[side] & !closed) >> i & 1 != 0 {
                out |= &a.hexes;
            }
        }
        if side == Side::One {
            out -= &self.no_source;
        }
        &out & &self.land
    }
}
