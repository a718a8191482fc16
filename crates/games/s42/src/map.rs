//! The map as the rules ask about it: every answer is a look into an array.

use crate::charts::{Across, Charts, Doubles, Ground};
use crate::ways::Ways;
use board::{Board, Survey};
use hex::{Dir, Edge, Grid, Hex, HexSet};
use std::sync::Arc;
use text::Faults;

/// Bits of what lies between two hexes.
pub mod side {
    /// 5.5.1
    pub const MINOR: u16 = 1;
    /// 5.5.2
    pub const MAJOR: u16 = 2;
    /// 5.5.3
    pub const VOLGA: u16 = 4;
    /// A lake hexside: impassable until frozen (9.5.6).
    pub const LAKE: u16 = 8;
    /// Impassable (2.2.3).
    pub const SEA: u16 = 16;
    /// Alpine (9.6.2).
    pub const ALPINE: u16 = 32;
    /// A road bridge over a Major River (5.5.4).
    pub const ROAD_BRIDGE: u16 = 64;
    /// A railroad bridge (5.5.4).
    pub const RAIL_BRIDGE: u16 = 128;
    /// A ferry (5.5.6).
    pub const FERRY: u16 = 256;
    /// A primary road passes.
    pub const PRIMARY: u16 = 512;
    /// A secondary road passes.
    pub const SECONDARY: u16 = 1024;
    /// A railroad passes.
    pub const RAIL: u16 = 2048;
    /// Of a line that railheads follow (17.1).
    pub const GREEN: u16 = 4096;
    /// A railroad that is still unfinished (17.5).
    pub const UNFINISHED: u16 = 8192;
    /// A lake that freezes in winter (23.4).
    pub const FREEZES: u16 = 16384;
    /// Any river.
    pub const RIVER: u16 = MINOR | MAJOR | VOLGA;
    /// Any road.
    pub const ROAD: u16 = PRIMARY | SECONDARY;
}

/// The kinds of hexside of the board that have bits.
const HEXSIDES: [(&str, u16); 9] = [
    ("minor-river", side::MINOR),
    ("major-river", side::MAJOR),
    ("volga", side::VOLGA),
    ("lake", side::LAKE),
    ("sea", side::SEA),
    ("alpine", side::ALPINE),
    ("road-bridge", side::ROAD_BRIDGE),
    ("rail-bridge", side::RAIL_BRIDGE),
    ("ferry", side::FERRY),
];

/// The kinds of line of the board that have bits where they cross a hexside.
const LINES: [(&str, u16); 3] =
    [("primary-road", side::PRIMARY), ("secondary-road", side::SECONDARY), ("railroad", side::RAIL)];

/// A settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Town {
    /// None.
    None,
    /// A landmark (9.3.5).
    Landmark,
    /// A town.
    Town,
    /// A Minor City.
    Minor,
    /// A Major City.
    Major,
}

/// A stretch of railroad without green highlight: repaired when both its ends are (17.1).
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its hexes in order.
    pub hexes: Vec<Hex>,
}

/// Sea of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sea {
    /// The Sea of Azov.
    Azov,
    /// The Black Sea.
    Black,
    /// The Kerch Strait (16.2.5).
    Kerch,
}

/// Flat tables over a [`Board`].
#[derive(Debug)]
pub struct Map {
    /// The board itself.
    pub board: Arc<Board>,
    /// Terrain by hex: index into [`Map::grounds`].
    pub terrain: Vec<u8>,
    /// The same once seasonal marshes are marsh (23.2.3).
    pub terrain_wet: Vec<u8>,
    /// Terrain rows of the chart.
    pub grounds: Vec<Ground>,
    /// Hexsides by hex and direction, see [`side`].
    pub sides: Vec<[u16; 6]>,
    /// Roads out of each hex, as a mask of directions.
    pub roads: Vec<u8>,
    /// Railroads out of each hex, finished ones.
    pub rails: Vec<u8>,
    /// The turn from which the unfinished railroad may be used (17.5).
    pub unfinished_turn: u8,
    /// Railroads without green highlight.
    pub branches: Vec<Branch>,
    /// Towards the west along the green line; [`Hex::NONE`] at its beginning (17.3.1).
    pub rail_back: Vec<Hex>,
    /// By hex of a green line west of the start line: how far it is along the line to its east.
    pub rail_east: Vec<u8>,
    /// Hexes of green lines.
    pub green: HexSet,
    /// Settlement by hex.
    pub town: Vec<Town>,
    /// Hexes with a printed fortification (9.7.6).
    pub printed_forts: HexSet,
    /// Groups of printed fortifications (9.7.7): north, Donets, Rostov.
    pub fort_groups: [HexSet; 3],
    /// VP by hex.
    pub vp: Vec<i16>,
    /// Hexes worth VP, the peak apart (24.1.1).
    pub vp_hexes: HexSet,
    /// Land where units may be.
    pub land: HexSet,
    /// Major and Minor Cities.
    pub cities: HexSet,
    /// Major Cities.
    pub major_cities: HexSet,
    /// Cities and VP hexes: what control is kept for (16.3.4).
    pub held: HexSet,
    /// Ports and their sea (16.2.3).
    pub ports: Vec<(Hex, Sea)>,
    /// Shipping paths: the ports of each, by sea (5.7.1).
    pub shipping: Vec<(Sea, Vec<Hex>)>,
    /// West of the start line.
    pub west: HexSet,
    /// Maps A and B: on or north of row 43 (23.4).
    pub north_maps: HexSet,
    /// Maps C-1 and C-2 (30.0).
    pub caucasus_maps: HexSet,
    /// Stalingrad (20.6, S3.5).
    pub stalingrad: HexSet,
    /// Where 20.6 freezes units.
    pub south_of_rostov: HexSet,
    /// South of the Don below row 31 (S1.3).
    pub south_of_don: HexSet,
    /// Cities west of the start line (24.1.4).
    pub west_cities: HexSet,
    /// Hexsides of the Volga where the Flotilla may cross (5.5.3).
    pub flotilla: Vec<Edge>,
    /// The rail ferry (5.5.7): west bank, east bank.
    pub rail_ferry: (Hex, Hex),
    /// Desert hexes (16.5.4).
    pub desert: HexSet,
    /// The peak (24.3).
    pub elbrus: Hex,
    /// Saratov (31.0).
    pub saratov: Hex,
    /// Krasnodar and Voroshilovsk (20.8).
    pub volunteer_towns: [Hex; 2],
    /// Hexes whose terrain and places allow a Fortification, when seasonal marshes are dry and when they are not (9.7.3).
    pub fortable: [HexSet; 2],
    /// Rostov (9.7.7).
    pub rostov: Hex,
    /// Temryuk (16.2.4).
    pub temryuk: Hex,
    /// Taman (16.2.5).
    pub taman: Hex,
    /// What lines of supply may cross.
    pub ways: Ways,
}

/// Index of a terrain row by its name.
fn row(grounds: &[Ground], name: &str) -> Option<u8> {
    grounds.iter().position(|g| g.name == name).map(|i| i as u8)
}

impl Map {
    /// Reads the board into tables; what it lacks is a fault.
    pub fn new(board: Arc<Board>, charts: &Charts, faults: &mut Faults) -> Option<Map> {
        let grid = board.grid().clone();
        let mut survey = Survey::new(&board, faults);
        let grounds = charts.terrain.clone();
        let n = grid.len();
        let (mut terrain, mut terrain_wet) = (vec![0u8; n], vec![0u8; n]);
        let land = board.land();
        let mut desert = HexSet::empty();
        for h in &land {
            let entry = &board.terrains()[board.terrain(h).ix()];
            let Some(t) = row(&grounds, &entry.name) else {
                survey.fault(format!("charts.toml has no [[terrain]] '{}'", entry.name));
                continue;
            };
            let g = &grounds[usize::from(t)];
            let dry = if g.before_rain.is_empty() { Some(t) } else { row(&grounds, &g.before_rain) };
            let wet = if g.after_rain.is_empty() { Some(t) } else { row(&grounds, &g.after_rain) };
            let (Some(dry), Some(wet)) = (dry, wet) else {
                survey.fault(format!("'{}' turns into a terrain that is not there", g.name));
                continue;
            };
            (terrain[h.ix()], terrain_wet[h.ix()]) = (dry, wet);
            if g.name == "desert" {
                desert.insert(h);
            }
        }
        // 23.4: the rivers of the two north maps freeze, those of the Caucasus do not.
        let north = survey.zone("north-maps");
        let mut sides = board.side_bits(&HEXSIDES, &LINES);
        for h in grid.hexes() {
            for dir in Dir::ALL {
                let mut bits = sides[h.ix()][dir.ix()];
                // A road or railroad over a river has a bridge, except over the Volga (5.2, 5.5.3).
                if bits & side::MAJOR != 0 && bits & side::ROAD != 0 {
                    bits |= side::ROAD_BRIDGE;
                }
                if bits & side::MAJOR != 0 && bits & side::RAIL != 0 {
                    bits |= side::RAIL_BRIDGE;
                }
                let touches_desert =
                    desert.contains(h) || grid.neighbour(h, dir).is_some_and(|m| desert.contains(m));
                let in_north = north.contains(h) || grid.neighbour(h, dir).is_some_and(|m| north.contains(m));
                let freezes = bits & side::LAKE != 0 && touches_desert || bits & side::MAJOR != 0 && in_north;
                if freezes {
                    bits |= side::FREEZES;
                }
                sides[h.ix()][dir.ix()] = bits;
            }
        }
        let mut green = HexSet::empty();
        let mut branches = Vec::new();
        let mut unfinished_turn = u8::MAX;
        for line in board.lines() {
            let kind = board.line_kinds_declared()[line.kind.ix()].name.as_str();
            if kind == "unfinished-railroad"
                && let Some(turn) = line.flags.value("opens").and_then(|v| v.parse::<u8>().ok())
            {
                unfinished_turn = unfinished_turn.min(turn);
                for pair in line.hexes.windows(2) {
                    if let Some(d) = grid.dir(pair[0], pair[1]) {
                        sides[pair[0].ix()][d.ix()] |= side::UNFINISHED;
                        sides[pair[1].ix()][d.opposite().ix()] |= side::UNFINISHED;
                    }
                }
            }
            if kind != "railroad" {
                continue;
            }
            if !line.flags.has("repair") {
                if !line.flags.has("dead-end") {
                    branches.push(Branch { hexes: line.hexes.clone() });
                }
                continue;
            }
            for pair in line.hexes.windows(2) {
                if let Some(d) = grid.dir(pair[0], pair[1]) {
                    sides[pair[0].ix()][d.ix()] |= side::GREEN;
                    sides[pair[1].ix()][d.opposite().ix()] |= side::GREEN;
                }
            }
            green.extend(line.hexes.iter().copied());
        }
        let mask = |bits: u16| -> Vec<u8> {
            let of = |s: &[u16; 6]| (0..6).filter(|&d| s[d] & bits != 0).fold(0u8, |m, d| m | 1 << d);
            sides.iter().map(of).collect()
        };
        let (roads, rails) = (mask(side::ROAD), mask(side::RAIL));
        let west = survey.zone("west-of-start");
        let rail_back = backwards(&grid, &sides, &green, &west);
        let rail_east = forwards(&grid, &sides, &green, &west);
        let mut town = vec![Town::None; n];
        let mut vp = vec![0i16; n];
        let mut printed_forts = HexSet::empty();
        let (mut cities, mut major_cities, mut vp_hexes) = Default::default();
        let mut ports = Vec::new();
        let set = |s: &mut HexSet, h: Hex| {
            s.insert(h);
        };
        for p in board.places() {
            let h = p.hex;
            let kind = board.place_kinds()[p.kind.ix()].name.as_str();
            let t = match kind {
                "major-city" => Town::Major,
                "minor-city" => Town::Minor,
                "town" => Town::Town,
                "landmark" => Town::Landmark,
                _ => Town::None,
            };
            town[h.ix()] = town[h.ix()].max(t);
            match kind {
                "major-city" => {
                    set(&mut cities, h);
                    set(&mut major_cities, h);
                }
                "minor-city" => set(&mut cities, h),
                "fortification" => set(&mut printed_forts, h),
                _ => {}
            }
            if let Some(n) = p.vp
                && kind != "peak"
            {
                vp[h.ix()] = n;
                set(&mut vp_hexes, h);
            }
            for (flag, sea) in
                [("port-azov", Sea::Azov), ("port-black-sea", Sea::Black), ("port-kerch", Sea::Kerch)]
            {
                if p.flags.has(flag) {
                    ports.push((h, sea));
                }
            }
        }
        for g in grounds.iter().filter(|g| !(1..=2).contains(&g.supply)) {
            survey
                .fault(format!("'{}': an overland line counts a hex as 1 or 2, not as {}", g.name, g.supply));
        }
        let ways = Ways::new(&grid, &sides, &ports.iter().map(|p| p.0).collect(), |h, wet| {
            let t = if wet { &terrain_wet } else { &terrain };
            grounds[usize::from(t[h.ix()])].supply
        });
        let shipping = shipping(&board, &ports);
        let flotilla_zone = survey.zone("flotilla");
        let mut flotilla = Vec::new();
        for h in &flotilla_zone {
            for dir in [Dir::N, Dir::Ne, Dir::Se] {
                let s = sides[h.ix()][dir.ix()];
                let other = grid.neighbour(h, dir).is_some_and(|m| land.contains(m));
                let free = s & side::VOLGA != 0 && s & (side::FERRY | side::RAIL_BRIDGE) == 0;
                if free && other && land.contains(h) {
                    flotilla.extend(Edge::new(&grid, h, dir));
                }
            }
        }
        let rail_ferry =
            board.links().iter().find(|l| l.kind == "ferry").map_or((Hex::NONE, Hex::NONE), |l| (l.a, l.b));
        let fortable = [false, true].map(|wet| {
            let t: &[u8] = if wet { &terrain_wet } else { &terrain };
            let fits = |h: &Hex| grounds[usize::from(t[h.ix()])].forts && !cities.contains(*h);
            land.iter().filter(fits).collect::<HexSet>()
        });
        let volunteer_towns = ["Krasnodar", "Voroshilovsk"].map(|n| survey.place(n));
        let elbrus = grid.find(&charts.victory.elbrus_hex).unwrap_or(Hex::NONE);
        let map = Map {
            terrain,
            terrain_wet,
            grounds,
            sides,
            roads,
            rails,
            unfinished_turn,
            branches,
            rail_back,
            rail_east,
            green,
            town,
            printed_forts,
            fort_groups: ["forts-north", "forts-donets", "forts-rostov"].map(|z| survey.zone(z)),
            vp,
            held: &cities | &vp_hexes,
            vp_hexes,
            land,
            cities,
            major_cities,
            ports,
            shipping,
            west,
            north_maps: north,
            caucasus_maps: survey.zone("caucasus-maps"),
            stalingrad: survey.zone("stalingrad"),
            south_of_rostov: survey.zone("south-of-rostov"),
            south_of_don: survey.zone("south-of-don"),
            west_cities: survey.zone("west-cities"),
            flotilla,
            rail_ferry,
            volunteer_towns,
            fortable,
            desert,
            elbrus,
            saratov: survey.place("Saratov"),
            rostov: survey.place("Rostov"),
            temryuk: survey.place("Temryuk"),
            taman: survey.place("Taman"),
            ways,
            board: board.clone(),
        };
        survey.sound().then_some(map)
    }

    /// The grid.
    #[inline]
    pub fn grid(&self) -> &Grid {
        self.board.grid()
    }

    /// A hex's name with its town's, if it has one.
    pub fn called(&self, h: Hex) -> String {
        self.board.called(h)
    }

    /// The row of the terrain chart at a hex; `wet` once seasonal marshes are marsh.
    #[inline]
    pub fn ground(&self, h: Hex, wet: bool) -> &Ground {
        let t = if wet { &self.terrain_wet } else { &self.terrain };
        &self.grounds[usize::from(t[h.ix()])]
    }

    /// Whether a hex is of a kind of terrain that doubles everyone: a marsh (9.5.4).
    pub fn marsh(&self, h: Hex, wet: bool) -> bool {
        self.ground(h, wet).doubles == Doubles::All
    }

    /// Whether a hex is a mountain (9.6.1).
    pub fn mountain(&self, h: Hex) -> bool {
        self.ground(h, false).doubles == Doubles::InfantryTypes
    }

    /// The hexside between two hexes, if they touch.
    pub fn between(&self, a: Hex, b: Hex) -> Option<u16> {
        let d = self.grid().dir(a, b)?;
        Some(self.sides[a.ix()][d.ix()])
    }
}

/// A kind of hexside that costs nothing.
static FREE: Across = Across {
    name: String::new(),
    foot: 0,
    mech: 0,
    rain_foot: 0,
    rain_mech: 0,
    frozen_foot: 0,
    frozen_mech: 0,
};

/// A row of the chart by name; one without cost where the chart has none.
pub fn across<'a>(rows: &'a [Across], name: &str) -> &'a Across {
    rows.iter().find(|r| r.name == name).unwrap_or(&FREE)
}

/// 17.3.1: which way is back, for every hex of a green line: the nearest way to the start line.
fn backwards(grid: &Grid, sides: &[[u16; 6]], green: &HexSet, west: &HexSet) -> Vec<Hex> {
    let mut back = vec![Hex::NONE; grid.len()];
    let mut queue: Vec<Hex> = (green & west).iter().collect();
    let mut seen = green & west;
    let mut at = 0;
    while at < queue.len() {
        let h = queue[at];
        at += 1;
        for (d, m) in grid.neighbours(h) {
            if sides[h.ix()][d.ix()] & side::GREEN != 0 && seen.insert(m) {
                back[m.ix()] = h;
                queue.push(m);
            }
        }
    }
    back
}

/// 17.2.1: how far it is along the green lines from hexes west of the start line to its east.
fn forwards(grid: &Grid, sides: &[[u16; 6]], green: &HexSet, west: &HexSet) -> Vec<u8> {
    let mut far = vec![u8::MAX; grid.len()];
    let mut queue: Vec<Hex> = (green - west).iter().collect();
    for h in &queue {
        far[h.ix()] = 0;
    }
    let mut at = 0;
    while at < queue.len() {
        let h = queue[at];
        at += 1;
        for (d, m) in grid.neighbours(h) {
            let joined = sides[h.ix()][d.ix()] & side::GREEN != 0;
            if joined && west.contains(m) && far[m.ix()] == u8::MAX {
                far[m.ix()] = far[h.ix()].saturating_add(1);
                queue.push(m);
            }
        }
    }
    far
}

/// 5.7.1: the ports along each shipping path, both ends and those it passes.
fn shipping(board: &Board, ports: &[(Hex, Sea)]) -> Vec<(Sea, Vec<Hex>)> {
    let mut out = Vec::new();
    for line in board.lines() {
        if board.line_kinds_declared()[line.kind.ix()].name != "shipping-path" {
            continue;
        }
        let on: Vec<(Hex, Sea)> = ports.iter().copied().filter(|(h, _)| line.hexes.contains(h)).collect();
        if let Some(&(_, sea)) = on.first() {
            out.push((sea, on.iter().filter(|(_, s)| *s == sea).map(|(h, _)| *h).collect()));
        }
    }
    out
}
