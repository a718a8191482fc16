//! The grid: which hexes there are, what they are called, what touches what.

use std::fmt;

use crate::set::COLUMNS;
use crate::{Dir, GridError, GridSpec, Hex, HexSet, Parity};

/// A grid of hexes, built once from its [`GridSpec`].
///
/// Hexes are numbered row by row, 64 to a row whatever the width of the map, so that the number of a hex is also the
/// place of its bit in a [`HexSet`]. Numbers without a hex are never handed out.
#[derive(Clone, Debug)]
pub struct Grid {
    spec: GridSpec,
    all: HexSet,
    lower: u64,
    len: usize,
    neighbours: Vec<[Hex; 6]>,
}

/// The printed name of a hex: column, row and sheet, as in `2817N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HexName {
    /// The sheet's letter, if the map has sheets.
    pub suffix: Option<char>,
    /// The column.
    pub column: u16,
    /// The row, as printed on the sheet.
    pub row: u16,
}

impl fmt::Display for HexName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.column, self.row)?;
        self.suffix.map_or(Ok(()), |s| write!(f, "{s}"))
    }
}

impl Grid {
    /// Builds the grid, or says what is wrong with its description.
    pub fn new(spec: &GridSpec) -> Result<Grid, GridError> {
        spec.check()?;
        let mut grid =
            Grid { spec: spec.clone(), all: HexSet::empty(), lower: 0, len: 0, neighbours: Vec::new() };
        grid.len = (spec.rows.last - spec.rows.first + 1) as usize * COLUMNS;
        for column in spec.columns.first..=spec.columns.last {
            if spec.lower.has(column) {
                grid.lower |= 1 << (column - spec.columns.first);
            }
            let rows = spec.rows_of(column);
            for row in rows.first..=rows.last {
                grid.all.insert(grid.number(column, row));
            }
        }
        for name in &spec.absent {
            let hex = grid.find(name).ok_or_else(|| GridError::NotThere(name.clone()))?;
            grid.all.remove(hex);
        }
        grid.neighbours = (0..grid.len as u16).map(|h| grid.around(Hex(h))).collect();
        Ok(grid)
    }

    /// The number of a place inside the frame, whether or not there is a hex.
    fn number(&self, column: i16, row: i16) -> Hex {
        let (c, r) = (column - self.spec.columns.first, row - self.spec.rows.first);
        Hex(r as u16 * COLUMNS as u16 + c as u16)
    }

    fn around(&self, hex: Hex) -> [Hex; 6] {
        if !self.all.contains(hex) {
            return [Hex::NONE; 6];
        }
        let (column, row) = (self.column(hex), self.row(hex));
        // The side columns lie half a hex higher or lower: which row is to the north-east depends on our own parity.
        let low = i16::from(self.is_lower(hex));
        Dir::ALL.map(|dir| {
            let (dc, dr) = match dir {
                Dir::N => (0, -1),
                Dir::Ne => (1, low - 1),
                Dir::Se => (1, low),
                Dir::S => (0, 1),
                Dir::Sw => (-1, low),
                Dir::Nw => (-1, low - 1),
            };
            column.checked_add_signed(dc).and_then(|c| self.at(c, row + dr)).unwrap_or(Hex::NONE)
        })
    }

    /// The description it was built from.
    pub fn spec(&self) -> &GridSpec {
        &self.spec
    }

    /// One more than the highest number of a hex: the length of an array indexed by hexes. Not all numbers below it
    /// are hexes; see [`Grid::hexes`] and [`Grid::count`].
    #[expect(clippy::len_without_is_empty, reason = "a grid always has room for a hex")]
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The length of an array indexed by [`Edge::ix`](crate::Edge::ix).
    #[inline]
    pub fn edge_len(&self) -> usize {
        self.len * 3
    }

    /// How many hexes there are.
    pub fn count(&self) -> usize {
        self.all.count()
    }

    /// All hexes, as a set.
    #[inline]
    pub fn all(&self) -> &HexSet {
        &self.all
    }

    /// All hexes, row by row from the north, each from west to east.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + Clone + '_ {
        self.all.iter()
    }

    /// True if this is a hex of the grid.
    #[inline]
    pub fn has(&self, hex: Hex) -> bool {
        self.all.contains(hex)
    }

    /// The columns that lie lower, as bits of a row.
    #[inline]
    pub(crate) fn lower_bits(&self) -> u64 {
        self.lower
    }

    /// The column of a hex, as printed.
    #[inline]
    pub fn column(&self, hex: Hex) -> u16 {
        hex.0 % COLUMNS as u16 + self.spec.columns.first as u16
    }

    /// The row of a hex, counted over the whole map whatever its sheet.
    #[inline]
    pub fn row(&self, hex: Hex) -> i16 {
        (hex.0 / COLUMNS as u16) as i16 + self.spec.rows.first
    }

    /// True if the hex lies in one of the lower columns.
    #[inline]
    pub fn is_lower(&self, hex: Hex) -> bool {
        self.lower >> (hex.ix() % COLUMNS) & 1 != 0
    }

    /// The hex at a column and a row of the whole map.
    pub fn at(&self, column: u16, row: i16) -> Option<Hex> {
        let column = i16::try_from(column).ok()?;
        let framed = self.spec.columns.contains(column) && self.spec.rows.contains(row);
        framed.then(|| self.number(column, row)).filter(|&h| self.has(h))
    }

    /// The name of a hex. A hex on two sheets is called by the sheet that is listed first.
    pub fn name(&self, hex: Hex) -> HexName {
        let row = self.row(hex);
        match self.spec.sheets.iter().find(|s| s.has(row)) {
            Some(s) => HexName { suffix: Some(s.suffix), column: self.column(hex), row: (row - s.at) as u16 },
            None => HexName { suffix: None, column: self.column(hex), row: row as u16 },
        }
    }

    /// The hex of that name. A hex on two sheets is found by either name, and the letter may be small.
    pub fn find(&self, name: &str) -> Option<Hex> {
        let (digits, rest) = name.split_at_checked(4)?;
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number: i16 = digits.parse().ok()?;
        let (column, row) = (number / 100, number % 100);
        let mut letters = rest.chars();
        let base = match (letters.next(), letters.next()) {
            (None, _) if self.spec.sheets.is_empty() => 0,
            (Some(c), None) => {
                self.spec
                    .sheets
                    .iter()
                    .find(|s| s.suffix.eq_ignore_ascii_case(&c) && s.rows.contains(row))?
                    .at
            }
            _ => return None,
        };
        self.at(column as u16, row + base)
    }

    /// The hex next to this one in a direction, if there is one.
    #[inline]
    pub fn neighbour(&self, hex: Hex, dir: Dir) -> Option<Hex> {
        self.neighbours.get(hex.ix()).map(|n| n[dir.ix()]).filter(|h| h.is_some())
    }

    /// The neighbours in all six directions, [`Hex::NONE`] where there is none; the form for inner loops.
    #[inline]
    pub fn six(&self, hex: Hex) -> &[Hex; 6] {
        const NOTHING: &[Hex; 6] = &[Hex::NONE; 6];
        self.neighbours.get(hex.ix()).unwrap_or(NOTHING)
    }

    /// The neighbours that there are, clockwise from north.
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = (Dir, Hex)> + Clone + '_ {
        Dir::ALL.into_iter().zip(self.six(hex).iter().copied()).filter(|(_, h)| h.is_some())
    }

    /// The direction from one hex to one that touches it.
    pub fn dir(&self, from: Hex, to: Hex) -> Option<Dir> {
        self.neighbours(from).find(|&(_, h)| h == to).map(|(dir, _)| dir)
    }

    /// The centre of a hex, x to the right and y downwards, where two centres of touching hexes are 1 apart and the
    /// centre of column 0, row 0 lies at y = 0, or 0.5 if that column is lower.
    pub fn center(&self, hex: Hex) -> (f64, f64) {
        let half = if self.is_lower(hex) { 0.5 } else { 0.0 };
        (f64::from(self.column(hex)) * 0.75f64.sqrt(), f64::from(self.row(hex)) + half)
    }

    /// Which columns lie lower.
    pub fn lower(&self) -> Parity {
        self.spec.lower
    }
}
