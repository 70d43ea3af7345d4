//! `entries.parquet`: row, col, cell, value; sorted by row, cell, col.
//!
//! Both triangles are stored, so that a row holds all of a word's neighbours. A row group ends with
//! the first word that brings it to [`GROUP`] entries or more, so a word's entries are never split.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::statistics::Statistics;

use super::TensorError;
use crate::error::{Error, IoContext};
use crate::parquet_file::{self, guarded};

/// Entries after which a row group ends, with the word it is at.
pub const GROUP: usize = 1 << 20;

pub(super) fn schema() -> Arc<Schema> {
    Arc::new(Schema::new(vec![
        Field::new("row", DataType::UInt32, false),
        Field::new("col", DataType::UInt32, false),
        Field::new("cell", DataType::UInt32, false),
        Field::new("value", DataType::Float64, false),
    ]))
}

/// Some entries of a tensor, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entries {
    /// Ids of the words.
    pub rows: Vec<u32>,
    /// Ids of the words they stand beside.
    pub cols: Vec<u32>,
    /// Cells.
    pub cells: Vec<u32>,
    /// Weighted counts.
    pub values: Vec<f64>,
}

impl Entries {
    /// Adds a range of other entries.
    pub(crate) fn append(&mut self, other: &Self, range: std::ops::Range<usize>) {
        self.rows.extend_from_slice(&other.rows[range.clone()]);
        self.cols.extend_from_slice(&other.cols[range.clone()]);
        self.cells.extend_from_slice(&other.cells[range.clone()]);
        self.values.extend_from_slice(&other.values[range]);
    }
}

/// An opened `entries.parquet`.
#[derive(Debug, Clone)]
pub(crate) struct EntryFile {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    words: u32,
    cells: u32,
}

impl EntryFile {
    pub(crate) fn open(path: PathBuf, words: usize, cells: usize) -> Result<Self, Error> {
        let file = File::open(&path).at("read", &path)?;
        let metadata = parquet_file::open(&file).map_err(|problem| damaged(&path, problem))?;
        let found: Vec<_> = metadata
            .schema()
            .fields()
            .iter()
            .map(|f| (f.name().clone(), f.data_type().clone()))
            .collect();
        let wanted: Vec<_> =
            schema().fields().iter().map(|f| (f.name().clone(), f.data_type().clone())).collect();
        if found != wanted {
            let found: Vec<_> =
                found.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
            return Err(damaged(
                &path,
                format!(
                    "columns are {}; expected row, col, cell: UInt32, value: Float64",
                    found.join(", ")
                ),
            ));
        }
        Ok(Self { path, metadata, words: words as u32, cells: cells as u32 })
    }

    pub(crate) fn entries(&self) -> u64 {
        self.metadata.metadata().file_metadata().num_rows().max(0) as u64
    }

    pub(crate) fn fingerprint(&self) -> Option<&str> {
        let pairs = self.metadata.metadata().file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == crate::vocabulary::FINGERPRINT)?.value.as_deref()
    }

    pub(crate) fn groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// All entries, checked, some at a time.
    pub(crate) fn read(&self) -> Result<EntryReader, Error> {
        self.read_groups((0..self.groups()).collect())
    }

    /// The entries of the row groups that may hold one of these rows, which are sorted.
    pub(crate) fn read_near(&self, rows: &[u32]) -> Result<EntryReader, Error> {
        let metadata = self.metadata.metadata();
        let holds = |group: &usize| match metadata.row_group(*group).column(0).statistics() {
            Some(Statistics::Int32(s)) => {
                let from = s.min_opt().map_or(0, |&min| min as u32);
                let to = s.max_opt().map_or(u32::MAX, |&max| max as u32);
                rows.get(rows.partition_point(|&row| row < from)).is_some_and(|&row| row <= to)
            }
            _ => true,
        };
        self.read_groups((0..metadata.num_row_groups()).filter(holds).collect())
    }

    /// Every row with its entries, in order.
    pub(crate) fn each_row(
        &self,
        mut take: impl FnMut(u32, &Entries) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut row = Entries::default();
        for entries in self.read()? {
            let entries = entries?;
            let mut start = 0;
            while let Some(&id) = entries.rows.get(start) {
                let end = start + entries.rows[start..].partition_point(|&r| r == id);
                if let Some(&before) = row.rows.first()
                    && before != id
                {
                    take(before, &row)?;
                    row = Entries::default();
                }
                row.append(&entries, start..end);
                start = end;
            }
        }
        match row.rows.first() {
            Some(&id) => take(id, &row),
            None => Ok(()),
        }
    }

    pub(crate) fn read_groups(&self, groups: Vec<usize>) -> Result<EntryReader, Error> {
        let file = File::open(&self.path).at("read", &self.path)?;
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
                .with_row_groups(groups)
                .with_batch_size(1 << 16);
        let reader = guarded(|| builder.build()).map_err(|problem| damaged(&self.path, problem))?;
        Ok(EntryReader { reader, file: self.clone(), last: None })
    }
}

/// Reads entries and checks every promise of the format.
pub struct EntryReader {
    reader: ParquetRecordBatchReader,
    file: EntryFile,
    last: Option<(u32, u32, u32)>,
}

impl std::fmt::Debug for EntryReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EntryReader").field("file", &self.file.path).finish_non_exhaustive()
    }
}

impl Iterator for EntryReader {
    type Item = Result<Entries, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match guarded(|| self.reader.next().transpose()) {
            Ok(batch) => batch.map(|batch| self.check(&batch)),
            Err(problem) => Some(Err(damaged(&self.file.path, problem))),
        }
    }
}

impl EntryReader {
    fn check(&mut self, batch: &RecordBatch) -> Result<Entries, Error> {
        let path = &self.file.path;
        let ids = |column: usize| batch.column(column).as_primitive_opt::<UInt32Type>();
        let (Some(rows), Some(cols), Some(cells), Some(values)) =
            (ids(0), ids(1), ids(2), batch.column(3).as_primitive_opt::<Float64Type>())
        else {
            return Err(damaged(path, "columns are not of their types".to_owned()));
        };
        if batch.columns().iter().any(|column| column.null_count() > 0) {
            return Err(damaged(path, "an empty value".to_owned()));
        }
        let entries = Entries {
            rows: rows.values().to_vec(),
            cols: cols.values().to_vec(),
            cells: cells.values().to_vec(),
            values: values.values().to_vec(),
        };
        for i in 0..entries.values.len() {
            let (row, col, cell, value) =
                (entries.rows[i], entries.cols[i], entries.cells[i], entries.values[i]);
            let at = || format!("entry (row {row}, col {col}, cell {cell}, value {value})");
            if row >= self.file.words || col >= self.file.words || cell >= self.file.cells {
                return Err(damaged(
                    path,
                    format!(
                        "{}: there are {} words and {} cells",
                        at(),
                        self.file.words,
                        self.file.cells
                    ),
                ));
            }
            if !(value.is_finite() && value > 0.0) {
                return Err(damaged(path, format!("{}: values must be positive and finite", at())));
            }
            if self.last.is_some_and(|last| last >= (row, cell, col)) {
                return Err(damaged(path, format!("{}: not sorted by row, cell, col", at())));
            }
            self.last = Some((row, cell, col));
        }
        Ok(entries)
    }
}

fn damaged(path: &Path, problem: String) -> Error {
    TensorError::Damaged { path: path.to_owned(), problem }.into()
}
