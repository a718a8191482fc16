//! What a map's `grid.toml` says about its grid.

use serde::{Deserialize, Serialize};

use crate::set::{COLUMNS, ROWS};

/// From a first number to a last one, both included; `[0, 28]` in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[i16; 2]", into = "[i16; 2]")]
pub struct Span {
    /// The first number.
    pub first: i16,
    /// The last number, itself included.
    pub last: i16,
}

impl Span {
    /// From `first` to `last`, both included.
    pub const fn new(first: i16, last: i16) -> Span {
        Span { first, last }
    }

    /// True if the number lies between the ends or is one of them.
    pub const fn contains(self, n: i16) -> bool {
        self.first <= n && n <= self.last
    }
}

impl From<[i16; 2]> for Span {
    fn from([first, last]: [i16; 2]) -> Span {
        Span { first, last }
    }
}

impl From<Span> for [i16; 2] {
    fn from(span: Span) -> [i16; 2] {
        [span.first, span.last]
    }
}

/// Which columns lie half a hex lower than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Parity {
    /// The odd ones.
    Odd,
    /// The even ones.
    Even,
}

impl Parity {
    /// True if the column is of this parity.
    pub const fn has(self, column: i16) -> bool {
        (column & 1 != 0) == matches!(self, Parity::Odd)
    }
}

/// A sheet of a map whose rows are numbered for themselves and marked with a letter, as in `2817N`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// The letter after the number.
    pub suffix: char,
    /// The row of the whole map on which this sheet's row 00 lies.
    #[serde(default)]
    pub at: i16,
    /// The sheet's own rows. They may overlap another sheet's.
    pub rows: Span,
}

/// Columns whose rows differ from the rest of the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ragged {
    /// The columns it is about.
    pub columns: Span,
    /// The rows that they have (rows of the whole map).
    pub rows: Span,
}

/// A flat-topped grid in vertical columns, numbered CCRR.
///
/// ```
/// use hex::{Grid, GridSpec};
/// # use verst_hex as hex;
/// let spec: GridSpec = toml::from_str(r#"
///     columns = [10, 60]
///     rows = [0, 52]
///     lower = "odd"
///     sheets = [{ suffix = "N", rows = [0, 28] }, { suffix = "S", at = 28, rows = [0, 24] }]
/// "#)?;
/// let grid = Grid::new(&spec)?;
/// assert_eq!(grid.find("1028N"), grid.find("1000S"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridSpec {
    /// The first and the last column.
    pub columns: Span,
    /// The first and the last row of the whole map.
    pub rows: Span,
    /// The rows of odd columns, where they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odd_rows: Option<Span>,
    /// The rows of even columns, where they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub even_rows: Option<Span>,
    /// The columns that lie half a hex lower.
    pub lower: Parity,
    /// The sheets, if rows are numbered by sheet. Where two overlap, a hex is called by the one listed first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sheets: Vec<Sheet>,
    /// Columns with rows of their own; the last entry for a column counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ragged: Vec<Ragged>,
    /// Single hexes that the map does not have, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
}

/// Why a grid cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// A span that ends before it begins.
    #[error("{what} [{}, {}] ends before it begins", span.first, span.last)]
    Backwards {
        /// The field at fault.
        what: &'static str,
        /// Its value.
        span: Span,
    },
    /// A number that does not fit into two digits.
    #[error("{what} [{}, {}] must lie between 0 and 99: hexes are numbered with two digits each", span.first, span.last)]
    Digits {
        /// The field at fault.
        what: &'static str,
        /// Its value.
        span: Span,
    },
    /// A grid wider or higher than a set of hexes can hold.
    #[error("the grid has {columns} columns and {rows} rows; at most {COLUMNS} columns and {ROWS} rows fit")]
    Large {
        /// Its columns.
        columns: usize,
        /// Its rows.
        rows: usize,
    },
    /// Rows outside the rows of the whole map.
    #[error("{what} [{}, {}] leaves the rows of the map [{}, {}]", span.first, span.last, rows.first, rows.last)]
    Outside {
        /// The field at fault.
        what: &'static str,
        /// Its value.
        span: Span,
        /// The rows of the map.
        rows: Span,
    },
    /// A row that no sheet has.
    #[error("row {0} lies on no sheet: extend the rows of a sheet")]
    NoSheet(i16),
    /// Two sheets with one letter.
    #[error("two sheets have the suffix {0}; give each its own letter")]
    SameSuffix(char),
    /// A suffix that would be read as part of the number.
    #[error("{0:?} cannot be the suffix of a sheet: use a letter")]
    Suffix(char),
    /// A hex listed as absent that the grid would not have anyway.
    #[error("absent: {0} is not a hex of this grid")]
    NotThere(String),
}

impl GridSpec {
    /// A plain rectangle.
    pub const fn rectangle(columns: Span, rows: Span, lower: Parity) -> GridSpec {
        GridSpec {
            columns,
            rows,
            odd_rows: None,
            even_rows: None,
            lower,
            sheets: Vec::new(),
            ragged: Vec::new(),
            absent: Vec::new(),
        }
    }

    /// The rows that a column has, before single hexes are taken out.
    pub fn rows_of(&self, column: i16) -> Span {
        let by_parity = if column & 1 != 0 { self.odd_rows } else { self.even_rows };
        let own = self.ragged.iter().rev().find(|r| r.columns.contains(column)).map(|r| r.rows);
        own.or(by_parity).unwrap_or(self.rows)
    }

    /// Finds the first fault of the numbers; names are checked when the grid is built.
    pub(crate) fn check(&self) -> Result<(), GridError> {
        let rows = self.rows;
        let ordered = |what, span: Span| {
            if span.first > span.last { Err(GridError::Backwards { what, span }) } else { Ok(()) }
        };
        let digits = |what, span: Span| {
            let two = Span::new(0, 99);
            if two.contains(span.first) && two.contains(span.last) {
                Ok(())
            } else {
                Err(GridError::Digits { what, span })
            }
        };
        ordered("columns", self.columns)?;
        digits("columns", self.columns)?;
        ordered("rows", rows)?;
        let columns = (self.columns.last - self.columns.first) as usize + 1;
        let high = i32::from(rows.last) - i32::from(rows.first) + 1;
        if columns > COLUMNS || high as usize > ROWS {
            return Err(GridError::Large { columns, rows: high as usize });
        }
        if self.sheets.is_empty() {
            digits("rows", rows)?;
        }
        let inner = [("odd_rows", self.odd_rows), ("even_rows", self.even_rows)];
        let inner = inner.into_iter().filter_map(|(what, span)| Some((what, span?)));
        for (what, span) in inner.chain(self.ragged.iter().map(|r| ("ragged rows", r.rows))) {
            ordered(what, span)?;
            if !rows.contains(span.first) || !rows.contains(span.last) {
                return Err(GridError::Outside { what, span, rows });
            }
        }
        for ragged in &self.ragged {
            ordered("ragged columns", ragged.columns)?;
        }
        for (i, sheet) in self.sheets.iter().enumerate() {
            ordered("rows of a sheet", sheet.rows)?;
            digits("rows of a sheet", sheet.rows)?;
            if !sheet.suffix.is_ascii_alphabetic() {
                return Err(GridError::Suffix(sheet.suffix));
            }
            if self.sheets[..i].iter().any(|s| s.suffix.eq_ignore_ascii_case(&sheet.suffix)) {
                return Err(GridError::SameSuffix(sheet.suffix));
            }
        }
        let no_sheet = |row: &i16| !self.sheets.is_empty() && !self.sheets.iter().any(|s| s.has(*row));
        match (rows.first..=rows.last).find(no_sheet) {
            Some(row) => Err(GridError::NoSheet(row)),
            None => Ok(()),
        }
    }
}

impl Sheet {
    /// True if the row of the whole map lies on this sheet.
    pub fn has(&self, row: i16) -> bool {
        row.checked_sub(self.at).is_some_and(|own| self.rows.contains(own))
    }
}
