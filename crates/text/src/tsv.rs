//! Tables with tabs: a header row, then a row for each thing; lines that begin with `#` are remarks.
//!
//! A file says where its values come from in a remark before the header: `# source: 17.7`.

use crate::{Faults, Files, Source, unknown};
use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;

/// A table that was read.
#[derive(Clone, Debug)]
pub struct Tsv {
    /// The file as faults show it.
    pub file: String,
    /// Where its values come from.
    pub source: Source,
    text: Cow<'static, str>,
    columns: Vec<String>,
    rows: Vec<(u32, Vec<Range<usize>>)>,
}

/// One row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    tsv: &'a Tsv,
    /// The line of the file, counted from 1.
    pub line: u32,
    cells: &'a [Range<usize>],
}

impl Tsv {
    /// Reads a table that must have the `required` columns and may have the `optional` ones, in any order.
    /// A column `note` is always allowed and never read.
    pub fn read(
        files: &Files,
        name: &str,
        required: &[&str],
        optional: &[&str],
        faults: &mut Faults,
    ) -> Option<Tsv> {
        match files.read(name) {
            Ok(text) => Tsv::parse(files.shown(name), text, required, optional, faults),
            Err(fault) => {
                faults.push(fault);
                None
            }
        }
    }

    fn parse(
        file: String,
        text: Cow<'static, str>,
        required: &[&str],
        optional: &[&str],
        faults: &mut Faults,
    ) -> Option<Tsv> {
        let mut source: Option<Source> = None;
        let mut columns: Option<Vec<String>> = None;
        let mut rows = Vec::new();
        let mut sound = true;
        let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut line = 0;
        for raw in text[at..].split_inclusive('\n') {
            line += 1;
            let start = at;
            at += raw.len();
            let row = raw.trim_end_matches(['\n', '\r']);
            if row.trim().is_empty() {
                continue;
            }
            if let Some(remark) = row.strip_prefix('#') {
                if let Some(words) = remark.trim().strip_prefix("source:") {
                    match Source::new(words) {
                        Ok(s) => source = source.or(Some(s)),
                        Err(what) => {
                            faults.add(&file, Some(line), what);
                            sound = false;
                        }
                    }
                }
                continue;
            }
            let mut cells = Vec::new();
            let mut from = start;
            for cell in row.split('\t') {
                let lead = cell.len() - cell.trim_start().len();
                let trimmed = cell.trim();
                cells.push(from + lead..from + lead + trimmed.len());
                from += cell.len() + 1;
            }
            let Some(columns) = &columns else {
                let names: Vec<String> = cells.iter().map(|c| text[c.clone()].to_string()).collect();
                sound &= check_header(&file, line, &names, required, optional, faults);
                columns = Some(names);
                continue;
            };
            while cells.len() > columns.len() && cells.last().is_some_and(|c| c.is_empty()) {
                cells.pop();
            }
            if cells.len() > columns.len() {
                let (got, want) = (cells.len(), columns.len());
                faults.add(&file, Some(line), format!("{got} cells; expected {want}, one for each column"));
                continue;
            }
            cells.resize(columns.len(), 0..0);
            rows.push((line, cells));
        }
        if columns.is_none() {
            faults.add(&file, None, format!("no header row; expected the columns {}", required.join(", ")));
        }
        if source.is_none() && sound {
            faults.add(&file, None, Source::wanted("no line \"# source: ...\""));
        }
        if !sound {
            return None;
        }
        Some(Tsv { file, source: source?, columns: columns?, rows, text })
    }

    /// The rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        self.rows.iter().map(|(line, cells)| Row { tsv: self, line: *line, cells })
    }

    /// The names of the columns in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }
}

fn check_header(
    file: &str,
    line: u32,
    names: &[String],
    required: &[&str],
    optional: &[&str],
    faults: &mut Faults,
) -> bool {
    let before = faults.len();
    let valid: Vec<&str> = required.iter().chain(optional).copied().chain(["note"]).collect();
    for (i, name) in names.iter().enumerate() {
        if names[..i].contains(name) {
            faults.add(file, Some(line), format!("the column \"{name}\" appears twice"));
        } else if !valid.contains(&name.as_str()) {
            faults.add(file, Some(line), unknown("column", name, &valid));
        }
    }
    for want in required {
        if !names.iter().any(|n| n == want) {
            faults.add(file, Some(line), format!("the column \"{want}\" is missing"));
        }
    }
    faults.len() == before
}

impl<'a> Row<'a> {
    /// The cell under a column, trimmed; empty if the cell or the column is not there.
    pub fn get(&self, column: &str) -> &'a str {
        match self.tsv.columns.iter().position(|c| c == column) {
            Some(i) => &self.tsv.text[self.cells[i].clone()],
            None => "",
        }
    }

    /// Notes a fault on this row.
    pub fn fault(&self, faults: &mut Faults, what: impl Into<String>) {
        faults.add(&self.tsv.file, Some(self.line), what);
    }

    /// The cell under a column; an empty one is a fault.
    pub fn need(&self, column: &str, faults: &mut Faults) -> Option<&'a str> {
        let cell = self.get(column);
        if cell.is_empty() {
            self.fault(faults, format!("the cell under \"{column}\" is empty; expected a value"));
            return None;
        }
        Some(cell)
    }

    /// The cell under a column as a value of another type; an empty or unfit one is a fault.
    /// `expected` says what fits, such as "a number from 0 to 255".
    pub fn parse<T: FromStr>(&self, column: &str, expected: &str, faults: &mut Faults) -> Option<T> {
        let cell = self.need(column, faults)?;
        let value = cell.parse().ok();
        if value.is_none() {
            self.fault(faults, format!("\"{cell}\" under \"{column}\"; expected {expected}"));
        }
        value
    }

    /// As [`Row::parse`], but an empty cell is no fault and gives none.
    pub fn parse_or_none<T: FromStr>(&self, column: &str, expected: &str, faults: &mut Faults) -> Option<T> {
        if self.get(column).is_empty() { None } else { self.parse(column, expected, faults) }
    }

    /// The cell under a column as the place of a word among valid ones; an unknown word is a fault.
    pub fn one_of<S: AsRef<str>>(&self, column: &str, valid: &[S], faults: &mut Faults) -> Option<usize> {
        let cell = self.need(column, faults)?;
        let place = valid.iter().position(|v| v.as_ref() == cell);
        if place.is_none() {
            self.fault(faults, unknown(column, cell, valid));
        }
        place
    }

    /// The words of a cell, split at spaces and commas.
    pub fn words(&self, column: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.get(column).split([' ', ',']).filter(|w| !w.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> (Option<Tsv>, String) {
        let mut faults = Faults::new();
        let tsv = Tsv::parse("t.tsv".into(), text.into(), &["hex", "kind"], &["vp"], &mut faults);
        (tsv, faults.to_string())
    }

    #[test]
    fn a_table_is_read_by_column_name_in_any_order() {
        let (tsv, faults) =
            read("\u{feff}# source: 17.7\r\nkind\thex\tvp\r\ntown\t0101\t3\r\n\r\ncity\t0202\r\n");
        assert_eq!(faults, "");
        let tsv = tsv.unwrap();
        let mut faults = Faults::new();
        let rows: Vec<_> = tsv
            .rows()
            .map(|r| {
                (r.line, r.get("hex"), r.get("kind"), r.parse_or_none::<u8>("vp", "a number", &mut faults))
            })
            .collect();
        assert_eq!(rows, [(3, "0101", "town", Some(3)), (5, "0202", "city", None)]);
        assert!(faults.is_empty());
    }

    #[test]
    fn unfit_cells_name_line_column_and_what_was_expected() {
        let (tsv, _) = read("# source: 17.7\nhex\tkind\tvp\n0101\ttwon\tmany\n\tcity\t\n");
        let tsv = tsv.unwrap();
        let mut faults = Faults::new();
        for row in tsv.rows() {
            row.need("hex", &mut faults);
            row.one_of("kind", &["town", "city"], &mut faults);
            row.parse_or_none::<u8>("vp", "a number from 0 to 255", &mut faults);
        }
        assert_eq!(
            faults.to_string(),
            "t.tsv:3: unknown kind \"twon\"; expected one of town, city; nearest valid value \"town\"\n\
             t.tsv:3: \"many\" under \"vp\"; expected a number from 0 to 255\n\
             t.tsv:4: the cell under \"hex\" is empty; expected a value"
        );
    }

    #[test]
    fn a_header_tells_all_that_is_wrong_with_it() {
        let (tsv, faults) = read("# source: 17.7\nhexx\tvp\tvp\n");
        assert!(tsv.is_none());
        assert!(faults.contains("t.tsv:2: unknown column \"hexx\""), "{faults}");
        assert!(faults.contains("the column \"vp\" appears twice"), "{faults}");
        assert!(faults.contains("the column \"kind\" is missing"), "{faults}");
    }

    #[test]
    fn a_table_without_source_is_refused() {
        let (tsv, faults) = read("hex\tkind\n");
        assert!(tsv.is_none());
        assert!(faults.starts_with("t.tsv: no line \"# source: ...\"; expected"), "{faults}");
        let (_, faults) = read("# source: reconstructed\nhex\tkind\n");
        assert!(faults.starts_with("t.tsv:1: the source says reconstructed but not how"), "{faults}");
    }

    #[test]
    fn a_row_with_too_many_cells_is_a_fault_and_the_rest_is_read() {
        let (tsv, faults) = read("# source: 1\nhex\tkind\n0101\ta\tb\n0102\ta\n");
        assert_eq!(tsv.unwrap().rows().len(), 1);
        assert_eq!(faults, "t.tsv:3: 3 cells; expected 2, one for each column");
    }
}
