//! Results tables: rows of a die, columns of odds or anything else, cells of a type that the game reads.

/// A table of results: `rows` by die (the first row is the lowest die), `columns` by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultsTable<R> {
    columns: Vec<String>,
    first_die: i32,
    rows: Vec<Vec<R>>,
}

impl<R: Copy> ResultsTable<R> {
    /// A table, or a sentence on what is wrong with its shape.
    pub fn new(columns: Vec<String>, first_die: i32, rows: Vec<Vec<R>>) -> Result<Self, String> {
        if rows.is_empty() || columns.is_empty() {
            return Err("a results table needs at least one row and one column".into());
        }
        if let Some((i, r)) = rows.iter().enumerate().find(|(_, r)| r.len() != columns.len()) {
            return Err(format!(
                "row for die {} has {} results, but there are {} columns",
                first_die + i as i32,
                r.len(),
                columns.len()
            ));
        }
        Ok(ResultsTable { columns, first_die, rows })
    }

    /// The result in a column for a die; a modified die beyond the table reads its nearest row.
    pub fn result(&self, column: usize, die: i32) -> R {
        let row = (die - self.first_die).clamp(0, self.rows.len() as i32 - 1) as usize;
        self.rows[row][column.min(self.columns.len() - 1)]
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The dice that have a row.
    pub fn dice(&self) -> std::ops::RangeInclusive<i32> {
        self.first_die..=self.first_die + self.rows.len() as i32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_beyond_the_table_reads_its_nearest_row() {
        let t = ResultsTable::new(vec!["1:1".into()], 1, vec![vec!['a'], vec!['b']]).unwrap();
        assert_eq!((t.result(0, 0), t.result(0, 1), t.result(0, 9)), ('a', 'a', 'b'));
    }

    #[test]
    fn a_ragged_table_is_refused_with_the_row_named() {
        let e = ResultsTable::new(vec!["1:1".into()], 1, vec![vec![1], vec![1, 2]]).unwrap_err();
        assert!(e.contains("die 2"), "{e}");
    }
}
