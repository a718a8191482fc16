//! The board as rules ask it: every answer is a look into an array.

use crate::{
    Border, BorderEntry, BorderKind, EdgeArea, EdgeKind, EdgeKinds, EdgeSet, Flags, Hexside, HexsideEntry,
    Label, Line, LineEntry, LineKind, LineKinds, Link, OffMapBox, Place, PlaceEntry, PlaceId, PlaceKind,
    Shape, Terrain, TerrainEntry, Zone, ZoneId,
};
use hex::{Dir, Edge, Grid, Hex, HexSet};
use text::{Faults, Files, Source};

/// A map that was read and found sound.
#[derive(Clone, Debug)]
pub struct Board {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) grid: Grid,
    pub(crate) terrains: Vec<TerrainEntry>,
    pub(crate) hexside_kinds: Vec<HexsideEntry>,
    pub(crate) line_kinds: Vec<LineEntry>,
    pub(crate) place_kinds: Vec<PlaceEntry>,
    pub(crate) border_kinds: Vec<BorderEntry>,
    pub(crate) terrain: Vec<Terrain>,
    pub(crate) hex_flags: Vec<(String, HexSet)>,
    pub(crate) flags_of: Vec<(Hex, Flags)>,
    pub(crate) sides: Vec<[EdgeKinds; 6]>,
    pub(crate) crossings: Vec<[LineKinds; 6]>,
    pub(crate) hexsides: Vec<Hexside>,
    pub(crate) lines: Vec<Line>,
    pub(crate) links: Vec<Link>,
    pub(crate) places: Vec<Place>,
    pub(crate) places_in: Index,
    pub(crate) borders: Vec<Border>,
    pub(crate) zones: Vec<Zone>,
    pub(crate) zones_in: Index,
    pub(crate) edges: Vec<EdgeArea>,
    pub(crate) boxes: Vec<OffMapBox>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) labels: Vec<Label>,
    pub(crate) water: HexSet,
    pub(crate) playable: HexSet,
    pub(crate) blocking: EdgeSet,
}

/// For each hex a few small numbers, all in one array.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    start: Vec<u32>,
    items: Vec<u16>,
}

impl Index {
    /// From pairs of a hex and a number; the numbers of a hex keep their order.
    pub(crate) fn new(grid: &Grid, mut pairs: Vec<(Hex, u16)>) -> Index {
        pairs.sort_by_key(|&(hex, _)| hex);
        let mut start = vec![0; grid.len() + 1];
        for &(hex, _) in &pairs {
            start[hex.ix() + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        Index { start, items: pairs.into_iter().map(|(_, item)| item).collect() }
    }

    #[inline]
    fn of(&self, hex: Hex) -> &[u16] {
        match (self.start.get(hex.ix()), self.start.get(hex.ix() + 1)) {
            (Some(&a), Some(&b)) => &self.items[a as usize..b as usize],
            _ => &[],
        }
    }
}

impl Board {
    /// Reads a board; if anything is wrong with it, all faults.
    pub fn load(files: &Files) -> Result<Board, Faults> {
        crate::read::load(files)
    }

    /// The board's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its values come from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The grid it lies on.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The terrain of a hex.
    #[inline]
    pub fn terrain(&self, hex: Hex) -> Terrain {
        self.terrain[hex.ix()]
    }

    /// The terrain of every hex, by [`Hex::ix`]; the form for tables of costs.
    pub fn terrain_by_hex(&self) -> &[Terrain] {
        &self.terrain
    }

    /// The declared terrains.
    pub fn terrains(&self) -> &[TerrainEntry] {
        &self.terrains
    }

    /// The terrain of that name.
    pub fn terrain_kind(&self, name: &str) -> Option<Terrain> {
        number_of(&self.terrains, name, |k| &k.name).map(Terrain)
    }

    /// What the side of a hex in a direction has; the same from both sides.
    #[inline]
    pub fn edge(&self, hex: Hex, dir: Dir) -> EdgeKinds {
        self.sides[hex.ix()][dir.ix()]
    }

    /// What all sides have, by [`Hex::ix`] and [`Dir::ix`].
    pub fn edges_by_hex(&self) -> &[[EdgeKinds; 6]] {
        &self.sides
    }

    /// The declared kinds of hexside.
    pub fn hexside_kinds(&self) -> &[HexsideEntry] {
        &self.hexside_kinds
    }

    /// The kind of hexside of that name.
    pub fn edge_kind(&self, name: &str) -> Option<EdgeKind> {
        number_of(&self.hexside_kinds, name, |k| &k.name).map(EdgeKind)
    }

    /// The features between hexes, in the order of their table.
    pub fn hexsides(&self) -> &[Hexside] {
        &self.hexsides
    }

    /// Whether nobody can cross the side of a hex: it blocks, and nothing there crosses.
    #[inline]
    pub fn blocked(&self, hex: Hex, dir: Dir) -> bool {
        self.blocking.crossed(&self.grid, hex, dir)
    }

    /// Which lines cross the side of a hex in a direction.
    #[inline]
    pub fn line_kinds(&self, hex: Hex, dir: Dir) -> LineKinds {
        self.crossings[hex.ix()][dir.ix()]
    }

    /// Which lines cross all sides, by [`Hex::ix`] and [`Dir::ix`].
    pub fn line_kinds_by_hex(&self) -> &[[LineKinds; 6]] {
        &self.crossings
    }

    /// Which lines touch a hex at all.
    pub fn line_kinds_in(&self, hex: Hex) -> LineKinds {
        self.crossings[hex.ix()].iter().fold(LineKinds::EMPTY, |all, &k| all | k)
    }

    /// The declared kinds of line.
    pub fn line_kinds_declared(&self) -> &[LineEntry] {
        &self.line_kinds
    }

    /// The kind of line of that name.
    pub fn line_kind(&self, name: &str) -> Option<LineKind> {
        number_of(&self.line_kinds, name, |k| &k.name).map(LineKind)
    }

    /// The lines, in the order of their table.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The links, in the order of their table.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The chief place of a hex.
    #[inline]
    pub fn place_at(&self, hex: Hex) -> Option<&Place> {
        self.places_in.of(hex).first().map(|&i| &self.places[i as usize])
    }

    /// All places of a hex, the chief one first.
    pub fn places_at(&self, hex: Hex) -> impl Iterator<Item = &Place> {
        self.places_in.of(hex).iter().map(|&i| &self.places[i as usize])
    }

    /// The place of that name; of a city over several hexes, the first in the table.
    pub fn place(&self, name: &str) -> Option<&Place> {
        self.places.iter().find(|p| p.name == name)
    }

    /// The places, in the order of their table.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The numbers of the places of a hex, the chief one first.
    pub fn place_ids_at(&self, hex: Hex) -> impl Iterator<Item = PlaceId> {
        self.places_in.of(hex).iter().map(|&i| PlaceId(i))
    }

    /// The declared kinds of place.
    pub fn place_kinds(&self) -> &[PlaceEntry] {
        &self.place_kinds
    }

    /// The kind of place of that name.
    pub fn place_kind(&self, name: &str) -> Option<PlaceKind> {
        number_of(&self.place_kinds, name, |k| &k.name).map(PlaceKind)
    }

    /// The hexes with a place of that kind.
    pub fn places_of(&self, kind: PlaceKind) -> HexSet {
        collect(self.places.iter().filter(|p| p.kind == kind).map(|p| p.hex))
    }

    /// The hexes of a zone.
    pub fn zone(&self, name: &str) -> Option<&HexSet> {
        self.zones.iter().find(|z| z.name == name).map(|z| &z.hexes)
    }

    /// The zones, in the order declared.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// The zones that a hex lies in, in the order declared.
    pub fn zones_of(&self, hex: Hex) -> impl Iterator<Item = ZoneId> {
        self.zones_in.of(hex).iter().map(|&i| ZoneId(i))
    }

    /// The hexsides of the line of that name; where two kinds share a name, of the first.
    pub fn border(&self, name: &str) -> Option<&EdgeSet> {
        self.borders.iter().find(|b| b.name == name).map(|b| &b.edges)
    }

    /// The lines along hexsides.
    pub fn borders(&self) -> &[Border] {
        &self.borders
    }

    /// The declared kinds of line along hexsides.
    pub fn border_kinds(&self) -> &[BorderEntry] {
        &self.border_kinds
    }

    /// The kind of border of that name.
    pub fn border_kind(&self, name: &str) -> Option<BorderKind> {
        number_of(&self.border_kinds, name, |k| &k.name).map(BorderKind)
    }

    /// The edge area of that name.
    pub fn edge_area(&self, name: &str) -> Option<&EdgeArea> {
        self.edges.iter().find(|e| e.name == name)
    }

    /// The edge areas: supply sources and entry areas.
    pub fn edge_areas(&self) -> &[EdgeArea] {
        &self.edges
    }

    /// The boxes off the map.
    pub fn boxes(&self) -> &[OffMapBox] {
        &self.boxes
    }

    /// The box of that name.
    pub fn off_map_box(&self, name: &str) -> Option<&OffMapBox> {
        self.boxes.iter().find(|b| b.name == name)
    }

    /// The hexes with a flag.
    pub fn flagged(&self, flag: &str) -> HexSet {
        self.hex_flags.iter().find(|(f, _)| f == flag).map_or_else(HexSet::empty, |(_, set)| set.clone())
    }

    /// The flags of a hex.
    pub fn flags(&self, hex: Hex) -> Option<&Flags> {
        self.flags_of.binary_search_by_key(&hex, |(h, _)| *h).ok().map(|i| &self.flags_of[i].1)
    }

    /// The hexes that are all water.
    pub fn water(&self) -> &HexSet {
        &self.water
    }

    /// The hexes where something may be, water included.
    pub fn playable(&self) -> &HexSet {
        &self.playable
    }

    /// Whether a hex is playable land.
    #[inline]
    pub fn is_land(&self, hex: Hex) -> bool {
        self.playable.contains(hex) && !self.water.contains(hex)
    }

    /// Whether a land hex touches water: a water hex, or a side that is all water.
    pub fn is_coast(&self, hex: Hex) -> bool {
        self.is_land(hex)
            && Dir::ALL.into_iter().any(|dir| {
                self.grid.neighbour(hex, dir).is_some_and(|n| self.water.contains(n))
                    || self.edge(hex, dir).iter().any(|k| self.hexside_kinds[k.ix()].is_water())
            })
    }

    /// True outlines of water and land, for the picture.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Lettering for seas, lakes and lands, for the picture.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The terrain's entry of a hex.
    pub(crate) fn entry(&self, hex: Hex) -> &TerrainEntry {
        &self.terrains[self.terrain[hex.ix()].ix()]
    }

    /// The kinds of hexside at a hexside.
    pub(crate) fn kinds_at(&self, edge: Edge) -> EdgeKinds {
        self.edge(edge.hex(), edge.dir())
    }
}

impl HexsideEntry {
    /// Whether a hexside of this kind is all water.
    pub fn is_water(&self) -> bool {
        matches!(self.draw.as_str(), "sea" | "lake" | "strait")
    }
}

/// The hexes of an iterator as a set.
pub(crate) fn collect(hexes: impl IntoIterator<Item = Hex>) -> HexSet {
    let mut set = HexSet::empty();
    for hex in hexes {
        set.insert(hex);
    }
    set
}

fn number_of<T>(entries: &[T], name: &str, of: impl Fn(&T) -> &String) -> Option<u8> {
    entries.iter().position(|e| of(e) == name).map(|i| i as u8)
}
