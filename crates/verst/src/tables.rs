//! The tables of a study, for other tools: the same rows as TSV and as Parquet.

use crate::fail::Fail;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::path::Path;
use std::sync::Arc;

/// The values of a column.
pub enum Values {
    /// Words.
    Text(Vec<String>),
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers.
    Real(Vec<f64>),
}

/// A table: named columns of one length.
#[derive(Default)]
pub struct Table {
    columns: Vec<(&'static str, Values)>,
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Text(v) => v.len(),
            Values::Whole(v) => v.len(),
            Values::Real(v) => v.len(),
        }
    }

    fn cell(&self, row: usize) -> String {
        match self {
            Values::Text(v) => v[row].replace(['\t', '\n'], " "),
            Values::Whole(v) => v[row].to_string(),
            Values::Real(v) => v[row].to_string(),
        }
    }

    fn kind(&self, name: &str) -> Result<Type> {
        let (physical, logical) = match self {
            Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Values::Whole(_) => (Physical::INT64, None),
            Values::Real(_) => (Physical::DOUBLE, None),
        };
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical)
            .build()
    }
}

impl Table {
    /// With one more column.
    pub fn column(mut self, name: &'static str, values: Values) -> Table {
        self.columns.push((name, values));
        self
    }

    /// As TSV, with a head line.
    pub fn tsv(&self) -> String {
        let heads: Vec<&str> = self.columns.iter().map(|c| c.0).collect();
        let mut out = heads.join("\t");
        out.push('\n');
        for row in 0..self.columns.iter().map(|c| c.1.len()).min().unwrap_or(0) {
            let cells: Vec<String> = self.columns.iter().map(|c| c.1.cell(row)).collect();
            out.push_str(&cells.join("\t"));
            out.push('\n');
        }
        out
    }

    /// As the bytes of a Parquet file.
    pub fn parquet(&self) -> Result<Vec<u8>> {
        let fields: Result<Vec<_>> =
            self.columns.iter().map(|(name, v)| Ok(Arc::new(v.kind(name)?))).collect();
        let schema = Type::group_type_builder("table").with_fields(fields?).build()?;
        let properties = Arc::new(WriterProperties::builder().build());
        let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties)?;
        let mut rows = writer.next_row_group()?;
        for (name, values) in &self.columns {
            let mut column = rows
                .next_column()?
                .ok_or_else(|| ParquetError::General(format!("column '{name}' has no place")))?;
            match (column.untyped(), values) {
                (ColumnWriter::ByteArrayColumnWriter(w), Values::Text(v)) => {
                    let bytes: Vec<ByteArray> = v.iter().map(|t| ByteArray::from(t.as_str())).collect();
                    w.write_batch(&bytes, None, None)?;
                }
                (ColumnWriter::Int64ColumnWriter(w), Values::Whole(v)) => {
                    w.write_batch(v, None, None)?;
                }
                (ColumnWriter::DoubleColumnWriter(w), Values::Real(v)) => {
                    w.write_batch(v, None, None)?;
                }
                _ => return Err(ParquetError::General(format!("column '{name}' is of another kind"))),
            }
            column.close()?;
        }
        rows.close()?;
        writer.into_inner()
    }

    /// Writes `NAME.tsv` and `NAME.parquet` into a folder, and says so.
    pub fn write(&self, folder: &Path, name: &str) -> std::result::Result<(), Fail> {
        let put = |path: &Path, bytes: &[u8]| {
            std::fs::write(path, bytes)
                .map_err(|e| Fail::File(format!("{}: cannot be written: {e}", path.display())))?;
            println!("{}", path.display());
            Ok(())
        };
        put(&folder.join(format!("{name}.tsv")), self.tsv().as_bytes())?;
        let path = folder.join(format!("{name}.parquet"));
        let bytes =
            self.parquet().map_err(|e| Fail::File(format!("{}: cannot be made: {e}", path.display())))?;
        put(&path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn a_table_reads_back_from_both_its_files() {
        let t = Table::default()
            .column("winner", Values::Text(vec!["german".into(), "soviet\tunion".into()]))
            .column("turns", Values::Whole(vec![3, 12]))
            .column("mean", Values::Real(vec![0.5, -7.25]));
        assert_eq!(t.tsv(), "winner\tturns\tmean\ngerman\t3\t0.5\nsoviet union\t12\t-7.25\n");
        let file = std::env::temp_dir().join(format!("verst-table-{}.parquet", std::process::id()));
        std::fs::write(&file, t.parquet().unwrap()).unwrap();
        let reader = SerializedFileReader::try_from(file.as_path()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(|r| r.unwrap()).collect();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].get_string(0).unwrap(), "soviet\tunion");
        assert_eq!(rows[1].get_long(1).unwrap(), 12);
        assert!((rows[1].get_double(2).unwrap() + 7.25).abs() < 1e-12);
    }
}
