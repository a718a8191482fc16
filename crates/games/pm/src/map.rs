//! The map as the rules ask about it: every answer is a look into an array.
//!
//! The board must know the terrains clear, forest, hills, marsh, sea and lake; the hexsides river, sea, lake and
//! strait; the line highway; the places town, large-town, city, fort, heavy-fort and stalin-line (flags `district`,
//! `port`); a zone `fort-NAME` for each line of 17.3; and the zones listed in [`Map::new`].

use crate::charts::Charts;
use board::{Board, Survey};
use hex::{Grid, Hex, HexSet, Sides};
use std::sync::Arc;
use text::Faults;

/// Natural terrain (12.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Terrain {
    /// 12.10
    Clear,
    /// 12.11
    Forest,
    /// 12.12
    Hills,
    /// 12.13
    Marsh,
    /// 12.14
    Sea,
    /// 9.14
    Lake,
}

/// A settlement (12.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Town {
    /// None.
    None,
    /// 14.21
    Town,
    /// 14.22
    Large,
    /// 14.23
    City,
}

/// A defensive work (12.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fort {
    /// None.
    None,
    /// 14.27
    Fort,
    /// 14.28
    Heavy,
    /// 14.30
    Stalin,
}

/// What lies between two hexes, as bits.
pub mod side {
    /// A river (12.15).
    pub const RIVER: u8 = 1;
    /// The Sivash or the Kerch Straits (9.15).
    pub const STRAIT: u8 = 2;
    /// All sea: nobody crosses.
    pub const SEA: u8 = 4;
    /// All lake (9.14).
    pub const LAKE: u8 = 8;
    /// The Minsk-Moscow highway (12.20).
    pub const HIGHWAY: u8 = 16;
}

/// No line: always intact from the start.
pub const NO_LINE: u8 = u8::MAX;

/// Flat tables over a [`Board`].
#[derive(Debug)]
pub struct Map {
    /// The board itself.
    pub board: Arc<Board>,
    /// Terrain by hex.
    pub terrain: Vec<Terrain>,
    /// Hexsides by hex and direction, see [`side`].
    pub sides: Vec<[u8; 6]>,
    /// Settlement by hex.
    pub town: Vec<Town>,
    /// Work by hex.
    pub fort: Vec<Fort>,
    /// Hexes with a work.
    pub forts: HexSet,
    /// The uncompleted line a work belongs to, as an index into the charts' lines, or [`NO_LINE`].
    pub fort_line: Vec<u8>,
    /// VP by hex (Moscow's on each of its hexes).
    pub vp: Vec<i16>,
    /// Land where units may be.
    pub land: HexSet,
    /// All lake hexes.
    pub lakes: HexSet,
    /// Cities and large towns: what control is kept for (3.9).
    pub held: HexSet,
    /// Cities.
    pub cities: HexSet,
    /// Military districts (8.7).
    pub districts: HexSet,
    /// Black Sea ports (9.17).
    pub ports: HexSet,
    /// The Greater German ZOMO.
    pub zomo_germany: HexSet,
    /// The Hungarian ZOMO.
    pub zomo_hungary: HexSet,
    /// The Romanian ZOMO.
    pub zomo_romania: HexSet,
    /// All three.
    pub zomo: HexSet,
    /// ZOMO hexes beside the northern OKH area (8.2).
    pub okh_north: HexSet,
    /// ZOMO hexes beside the southern OKH area (8.2).
    pub okh_south: HexSet,
    /// ZOMO hexes that give supply (9.11).
    pub german_sources: HexSet,
    /// Hexes of the eastern edge (9.10).
    pub soviet_sources: HexSet,
    /// East of the GAS line (9.3).
    pub gas_east: HexSet,
    /// The southern weather zone (13.2).
    pub south_weather: HexSet,
    /// The coast open to invasion (11.4).
    pub invasion_coast: HexSet,
    /// Border hexes that must each be garrisoned (3.3).
    pub border: HexSet,
    /// Border hexes of which every other must be (3.3).
    pub border_alternate: HexSet,
    /// Pairs of neighbours among them, in order.
    pub alternate_pairs: Vec<(Hex, Hex)>,
    /// The Frontier Zone (3.3).
    pub frontier: HexSet,
    /// The Interior Zone (3.4).
    pub interior: HexSet,
    /// The Interior Zone by hexrow (3.4).
    pub interior_rows: Vec<(u16, HexSet)>,
    /// On the northern sheet alone (7.2).
    pub north_sheet: HexSet,
    /// Moscow's hexes (4.3).
    pub moscow: HexSet,
    /// Leningrad (9.13).
    pub leningrad: Hex,
    /// Oranienbaum (9.13).
    pub oranienbaum: Hex,
    /// Hexsides closed to supply over land and straits (9.4, 9.15).
    pub overland: Sides,
    /// The same when lakes can be crossed (9.14).
    pub overlake: Sides,
}

impl Map {
    /// Reads the board into tables; what it lacks is a fault.
    pub fn new(board: Arc<Board>, charts: &Charts, faults: &mut Faults) -> Option<Map> {
        let grid = board.grid().clone();
        let mut survey = Survey::new(&board, faults);
        let terrain_of = |name: &str| match name {
            "clear" => Some(Terrain::Clear),
            "forest" => Some(Terrain::Forest),
            "hills" => Some(Terrain::Hills),
            "marsh" => Some(Terrain::Marsh),
            "sea" => Some(Terrain::Sea),
            "lake" => Some(Terrain::Lake),
            _ => None,
        };
        let mut terrain = vec![Terrain::Sea; grid.len()];
        let land = board.land();
        let mut lakes = HexSet::empty();
        for h in grid.hexes() {
            let entry = &board.terrains()[board.terrain(h).ix()];
            let t = terrain_of(&entry.name);
            if t.is_none() && entry.playable {
                survey.fault(format!("no rule knows the terrain '{}'", entry.name));
            }
            terrain[h.ix()] = t.unwrap_or(Terrain::Sea);
            if terrain[h.ix()] == Terrain::Lake {
                lakes.insert(h);
            }
        }
        let hexsides =
            [("river", side::RIVER), ("strait", side::STRAIT), ("sea", side::SEA), ("lake", side::LAKE)];
        let mut sides = board.side_bits(&hexsides, &[("highway", side::HIGHWAY)]);
        // A strait is an all-sea hexside that may be crossed (9.15).
        for bits in sides.iter_mut().flatten().filter(|b| **b & side::STRAIT != 0) {
            *bits &= !side::SEA;
        }
        let mut town = vec![Town::None; grid.len()];
        let mut fort = vec![Fort::None; grid.len()];
        let mut fort_line = vec![NO_LINE; grid.len()];
        let mut vp = vec![0i16; grid.len()];
        let mut sets: [HexSet; 4] = Default::default();
        let [held, cities, districts, ports] = &mut sets;
        for p in board.places() {
            let kind = board.place_kinds()[p.kind.ix()].name.as_str();
            let h = p.hex;
            let size = match kind {
                "town" => Town::Town,
                "large-town" => Town::Large,
                "city" => Town::City,
                _ => Town::None,
            };
            town[h.ix()] = town[h.ix()].max(size);
            if size >= Town::Large {
                held.insert(h);
            }
            if size == Town::City {
                cities.insert(h);
            }
            let work = match kind {
                "fort" => Fort::Fort,
                "heavy-fort" => Fort::Heavy,
                "stalin-line" => Fort::Stalin,
                _ => Fort::None,
            };
            if work != Fort::None {
                fort[h.ix()] = work;
            }
            if p.flags.has("district") {
                districts.insert(h);
            }
            if p.flags.has("port") {
                ports.insert(h);
            }
            vp[h.ix()] = vp[h.ix()].max(p.vp.unwrap_or(0));
        }
        for (i, line) in charts.fort_lines.iter().enumerate() {
            for h in &survey.zone(&format!("fort-{}", line.name)) {
                fort_line[h.ix()] = i as u8;
            }
        }
        let leningrad = survey.place("Leningrad");
        let oranienbaum = survey.place("Oranienbaum");
        let moscow: HexSet = board
            .places()
            .iter()
            .filter(|p| p.name == "Moscow" && cities.contains(p.hex))
            .map(|p| p.hex)
            .collect();
        let zomo_germany = survey.zone("zomo-germany");
        let zomo_hungary = survey.zone("zomo-hungary");
        let zomo_romania = survey.zone("zomo-romania");
        let zomo = &(&zomo_germany | &zomo_hungary) | &zomo_romania;
        let german_sources = &zomo - &survey.zone("zomo-cut-off");
        let soviet_sources = survey.edge("soviet-supply");
        let frontier = &survey.zone("frontier") & &land;
        let interior = &survey.zone("interior") & &land;
        let south_row = grid.spec().sheets.get(1).map_or(0, |s| s.at);
        let north_sheet: HexSet = grid.hexes().filter(|&h| grid.row(h) < south_row).collect();
        let border_alternate = survey.zone("border-alternate");
        let mut alternate_pairs = Vec::new();
        for h in &border_alternate {
            let later = grid.neighbours(h).filter(|&(_, n)| n > h && border_alternate.contains(n));
            alternate_pairs.extend(later.map(|(_, n)| (h, n)));
        }
        let mut interior_rows: Vec<(u16, HexSet)> = Vec::new();
        for h in &interior {
            let column = grid.column(h);
            match interior_rows.iter_mut().find(|(c, _)| *c == column) {
                Some((_, row)) => {
                    row.insert(h);
                }
                None => interior_rows.push((column, std::iter::once(h).collect())),
            }
        }
        let closed = |lakes: bool| {
            Sides::new(&grid, |e| {
                let s = sides[e.hex().ix()][e.dir().ix()];
                s & side::SEA != 0 || (s & side::LAKE != 0 && !lakes)
            })
        };
        let (overland, overlake) = (closed(false), closed(true));
        let map = Map {
            okh_north: survey.zone("okh-north-access"),
            okh_south: survey.zone("okh-south-access"),
            gas_east: survey.zone("east-of-gas"),
            south_weather: survey.zone("weather-south"),
            invasion_coast: survey.zone("invasion-coast"),
            border: survey.zone("border-full"),
            border_alternate,
            alternate_pairs,
            interior_rows,
            board: board.clone(),
            terrain,
            sides,
            town,
            forts: grid.hexes().filter(|h| fort[h.ix()] != Fort::None).collect(),
            fort,
            fort_line,
            vp,
            land,
            lakes,
            held: sets[0].clone(),
            cities: sets[1].clone(),
            districts: sets[2].clone(),
            ports: sets[3].clone(),
            zomo_germany,
            zomo_hungary,
            zomo_romania,
            zomo,
            german_sources,
            soviet_sources,
            frontier,
            interior,
            north_sheet,
            moscow,
            leningrad,
            oranienbaum,
            overland,
            overlake,
        };
        if map.moscow.count() != 2 {
            survey.fault("Moscow must be a city of two hexes (4.3)");
        }
        survey.sound().then_some(map)
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        self.board.grid()
    }

    /// A hex's name with its town's, if it has one: `Minsk (2817N)`.
    pub fn called(&self, h: Hex) -> String {
        self.board.called(h)
    }
}
