//! A board asked for what the rules of a game need, by name: what it lacks is a fault.

use crate::Board;
use hex::{Dir, Hex, HexSet};
use std::ops::BitOrAssign;
use std::sync::Arc;
use text::{Faults, Files, unknown};

/// What faults of a board name as their file when its own files are sound but a game needs more of it.
const FILE: &str = "map";

/// Takes from a board what a game needs, and notes what is not there.
#[derive(Debug)]
pub struct Survey<'a> {
    board: &'a Board,
    faults: &'a mut Faults,
    before: usize,
}

impl<'a> Survey<'a> {
    /// Begins to ask.
    pub fn new(board: &'a Board, faults: &'a mut Faults) -> Survey<'a> {
        let before = faults.len();
        Survey { board, faults, before }
    }

    /// The hexes of a zone.
    pub fn zone(&mut self, name: &str) -> HexSet {
        let found = self.board.zone(name).cloned();
        found.unwrap_or_else(|| self.missing("zone", name, self.board.zones().iter().map(|z| &z.name)))
    }

    /// The hexes of an edge area.
    pub fn edge(&mut self, name: &str) -> HexSet {
        let found = self.board.edge_area(name).map(|e| e.hexes.clone());
        found.unwrap_or_else(|| self.missing("edge", name, self.board.edge_areas().iter().map(|e| &e.name)))
    }

    /// The hex of a place.
    pub fn place(&mut self, name: &str) -> Hex {
        match self.board.place(name) {
            Some(p) => p.hex,
            None => {
                self.missing("place", name, self.board.places().iter().map(|p| &p.name));
                Hex::NONE
            }
        }
    }

    /// Notes something else that the board lacks.
    pub fn fault(&mut self, what: impl Into<String>) {
        self.faults.add(FILE, None, what);
    }

    /// Whether nothing was missing so far.
    pub fn sound(&self) -> bool {
        self.faults.len() == self.before
    }

    fn missing<'n>(&mut self, what: &str, name: &str, known: impl Iterator<Item = &'n String>) -> HexSet {
        let known: Vec<&String> = known.collect();
        self.fault(format!("the rules need more of the board: {}", unknown(what, name, &known)));
        HexSet::empty()
    }
}

impl Board {
    /// Reads the board in the folder `map` of a game's files; what is wrong with it joins the other faults.
    pub fn read(files: &Files, faults: &mut Faults) -> Option<Arc<Board>> {
        match Board::load(&files.under("map")) {
            Ok(board) => Some(Arc::new(board)),
            Err(f) => {
                faults.append(f);
                None
            }
        }
    }

    /// The hexes of playable land.
    pub fn land(&self) -> HexSet {
        self.playable() - self.water()
    }

    /// A hex's name with its place's, if it has one: `Minsk (2817N)`.
    pub fn called(&self, h: Hex) -> String {
        let name = self.grid().name(h).to_string();
        match self.places_at(h).find(|p| !p.name.is_empty()) {
            Some(p) => format!("{} ({name})", p.name),
            None => name,
        }
    }

    /// What lies between hexes as the bits of a game's own, by hex and direction: for kinds of hexside, then for kinds of
    /// line that cross there. Kinds that are not named have no bit.
    pub fn side_bits<B>(&self, hexsides: &[(&str, B)], lines: &[(&str, B)]) -> Vec<[B; 6]>
    where
        B: Copy + Default + BitOrAssign,
    {
        let bit = |words: &[(&str, B)], name: &str| {
            words.iter().find(|(n, _)| *n == name).map_or_else(B::default, |(_, bit)| *bit)
        };
        let of_sides: Vec<B> = self.hexside_kinds().iter().map(|k| bit(hexsides, &k.name)).collect();
        let of_lines: Vec<B> = self.line_kinds_declared().iter().map(|k| bit(lines, &k.name)).collect();
        let mut all = vec![[B::default(); 6]; self.grid().len()];
        for h in self.grid().hexes() {
            for d in Dir::ALL {
                let bits = &mut all[h.ix()][d.ix()];
                self.edge(h, d).iter().for_each(|k| *bits |= of_sides[k.ix()]);
                self.line_kinds(h, d).iter().for_each(|k| *bits |= of_lines[k.ix()]);
            }
        }
        all
    }
}
