//! `entries.parquet`: row, col, cell, value; sorted by row, cell, col.
//!
//! Both triangles are stored, so that a row holds all of a word's neighbours. A row group ends with
//! the first word that brings it to [`GROUP`] entries or more, so a word's entries are never split.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescriptor;
use pulp::{Simd, WithSimd};

use super::TensorError;
use super::accumulator::{Amount, Id};
use super::pages;
use super::rows::{Block, Rows, View, tasks};
use super::seal::Seal;
use crate::Work;
use crate::error::{Error, IoContext, parquet_write};
use crate::parallel;
use crate::parquet_file::column::{self, Encoded, Spare};
use crate::parquet_file::groups::GroupWriter;
use crate::parquet_file::packing::MINI;
use crate::parquet_file::{self, guarded};
use crate::work::Progress;

/// Entries after which a row group ends, with the word it is at.
pub const GROUP: usize = 1 << 20;

/// What was written.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Written {
    pub(crate) entries: u64,
    /// Entries below the least value asked for.
    pub(crate) dropped: u64,
    pub(crate) total: f64,
    pub(crate) by_cell: Vec<u64>,
    /// The digest that ties the folder together.
    pub(crate) fingerprint: String,
}

fn schema() -> Arc<Schema> {
    Arc::new(Schema::new(vec![
        Field::new("row", DataType::UInt32, false),
        Field::new("col", DataType::UInt32, false),
        Field::new("cell", DataType::UInt32, false),
        Field::new("value", DataType::Float64, false),
    ]))
}

/// Makes every row and writes it. `value` turns amounts into what is stored; smaller than `least`
/// is dropped.
pub(crate) fn write<R: Rows>(
    rows: &R,
    cells: usize,
    value: &(dyn Fn(<R::Amount as Amount>::Wide) -> f64 + Sync),
    least: f64,
    path: &Path,
    work: &Work<'_>,
    seal: &Seal<'_>,
) -> Result<Written, Error> {
    let file = File::create(path).at("create", path)?;
    let early = EarlySync::new(&file).at("write", path)?;
    let schema = ArrowSchemaConverter::new().convert(&schema()).map_err(parquet_write(path))?;
    let schema = Arc::new(schema);
    let writer = Mutex::new(GroupWriter::new(file, Arc::clone(&schema)).at("write", path)?);
    let mut written = Written { by_cell: vec![0; cells], ..Written::default() };
    let mut desks = Vec::new();
    let mut next = 0;
    // A conveyor: while some rows are made, those before them are encoded, and those before these
    // are written; so threads are busy to the end, and the disk is never waited for.
    let mut waiting: Vec<Block<R::Amount, R::Column>> = Vec::new();
    // Rows of the first block that are encoded already.
    let mut taken = 0;
    let spare: Mutex<Vec<Block<R::Amount, R::Column>>> = Mutex::default();
    let wanted = |amount: R::Amount| value(amount.widen()) >= least;
    let wanted: Option<&(dyn Fn(R::Amount) -> bool + Sync)> = (least > 0.0).then_some(&wanted);
    let mut encoded: Vec<Vec<Encoded>> = Vec::new();
    let pages = Spare::default();
    loop {
        work.proceed()?;
        let share = next as f64 / rows.len().max(1) as f64;
        work.observer.progress(Progress { stage: "writing", share: Some(share), words: 0 });
        let views: Vec<_> = waiting.iter().flat_map(Block::rows).skip(taken).collect();
        let groups = cut(&views, next == rows.len());
        let ranges = tasks(rows, next, work.threads.get() * 16, WORK);
        if groups.is_empty() && ranges.is_empty() && encoded.is_empty() {
            break;
        }
        let finished = Mutex::new(std::mem::take(&mut encoded));
        // Towards the end there is less to do than there are threads.
        let ending = ranges.is_empty();
        let jobs = 1 + groups.len() + ranges.len() + usize::from(ending);
        let done = parallel::map(
            work.threads,
            jobs,
            &mut desks,
            || (rows.desk(), Vec::new()),
            |(desk, indices), job| {
                if job == 0 {
                    let mut writer = lock(&writer);
                    let ready = std::mem::take(&mut *lock(&finished));
                    ready
                        .into_iter()
                        .try_for_each(|group| writer.append(group.into_iter().map(Ok), &pages))
                        .map_err(parquet_write(path))?;
                    if !ranges.is_empty() {
                        early.begin();
                    }
                    return Ok(Done::Nothing);
                }
                if let Some(group) = groups.get(job - 1) {
                    let rows = &views[group.clone()];
                    let group = Encode { rows, schema: &schema, value, indices, spare: &pages };
                    let (columns, total) =
                        pulp::Arch::new().dispatch(group).map_err(parquet_write(path))?;
                    return Ok(Done::Encoded(columns, total));
                }
                if ending {
                    seal.begin();
                    return Ok(Done::Nothing);
                }
                let made = lock(&spare).pop();
                let mut block = made.unwrap_or_else(|| Block::with_room(2 * WORK as usize));
                let range = ranges[job - 1 - groups.len()].clone();
                let dropped = block.fill(rows, range, desk, wanted.map(|wanted| wanted as _))?;
                Ok(Done::Made(block, dropped))
            },
        )?;
        next = ranges.last().map_or(next, |range| range.end);
        let end = groups.last().map_or(0, |range| range.end);
        for &(cell, len) in views[..end].iter().flat_map(|(_, row)| row.groups) {
            written.by_cell[cell as usize] += u64::from(len);
            written.entries += u64::from(len);
        }
        taken += end;
        while waiting.first().is_some_and(|block| block.len() <= taken) {
            let empty = waiting.remove(0);
            taken -= empty.len();
            lock(&spare).push(empty);
        }
        for done in done {
            match done {
                Done::Nothing => {}
                Done::Encoded(columns, total) => {
                    written.total += total;
                    encoded.push(columns);
                }
                Done::Made(block, dropped) => {
                    written.dropped += dropped;
                    waiting.push(block);
                }
            }
        }
    }
    work.proceed()?;
    if !written.total.is_finite() {
        return Err(TensorError::TooLarge.into());
    }
    if written.entries == 0 {
        work.observer.note(&format!(
            "the tensor is empty: no two words stand near each other, or --min-entry dropped them ({} dropped)",
            written.dropped
        ));
    }
    let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    let key = crate::vocabulary::FINGERPRINT.to_owned();
    written.fingerprint = seal.of(written.entries, written.total);
    let fingerprint = KeyValue::new(key, written.fingerprint.clone());
    writer.finish(vec![fingerprint]).map_err(parquet_write(path))?;
    early.end().at("write", path)?;
    Ok(written)
}

/// Brings a file to the disk while it is still being written, so that there is little to wait for
/// at the end. Its thread does nothing but wait for the disk.
struct EarlySync {
    tell: SyncSender<()>,
    thread: JoinHandle<std::io::Result<()>>,
}

impl EarlySync {
    fn new(file: &File) -> std::io::Result<Self> {
        let file = file.try_clone()?;
        let (tell, told) = sync_channel(1);
        let thread = std::thread::spawn(move || told.iter().try_for_each(|()| file.sync_data()));
        Ok(Self { tell, thread })
    }

    /// Begins to bring what was written so far to the disk.
    fn begin(&self) {
        // If it is full, the thread will come to it anyway.
        let _ = self.tell.try_send(());
    }

    /// Waits for what was begun; a fault of the disk is told only once, so it must not be lost.
    fn end(self) -> std::io::Result<()> {
        drop(self.tell);
        self.thread.join().unwrap_or(Ok(()))
    }
}

/// Work that a thread takes at a time, in pairs of words: so little that the rows of a round stay
/// in the caches until they are encoded.
const WORK: u64 = 1 << 16;

/// What became of a job.
enum Done<A, I> {
    /// Nothing that is needed here.
    Nothing,
    Encoded(Vec<Encoded>, f64),
    Made(Block<A, I>, u64),
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ranges of whole rows that make row groups; the last may be small if nothing follows.
fn cut<A: Amount, I: Id>(
    waiting: &[(u32, View<'_, A, I>)],
    ended: bool,
) -> Vec<std::ops::Range<usize>> {
    let mut groups = Vec::new();
    let (mut start, mut entries) = (0, 0);
    for (index, (_, row)) in waiting.iter().enumerate() {
        entries += row.len();
        if entries >= GROUP {
            groups.push(start..index + 1);
            (start, entries) = (index + 1, 0);
        }
    }
    if ended && entries > 0 {
        groups.push(start..waiting.len());
    }
    groups
}

/// Makes the columns of a row group, and the sum of its values.
struct Encode<'a, A: Amount, I> {
    rows: &'a [(u32, View<'a, A, I>)],
    schema: &'a SchemaDescriptor,
    value: &'a dyn Fn(A::Wide) -> f64,
    /// Memory to be used again.
    indices: &'a mut Vec<u16>,
    spare: &'a Spare,
}

impl<A: Amount, I: Id> WithSimd for Encode<'_, A, I> {
    type Output = Result<(Vec<Encoded>, f64), ParquetError>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let Self { rows, schema, value, indices, spare } = self;
        let mut total = 0.0;
        for (_, row) in rows {
            let mut sum = A::Wide::default();
            row.amounts.iter().for_each(|&amount| sum += amount.widen());
            total += value(sum);
        }
        let rows_of = rows.iter().map(|(id, row)| (*id, row.len()));
        let cells_of = rows.iter().flat_map(|(_, row)| row.groups);
        let ids = rows.iter().map(|(_, row)| row.columns);
        // Ids begin anew with every cell.
        let (cells, entries) = rows.iter().fold((0, 0), |(cells, entries), (_, row)| {
            (cells + row.groups.len(), entries + row.len())
        });
        let fallen = if entries < cells * MINI {
            pages::falling(&schema.column(1), ids.clone(), indices, spare)
        } else {
            None
        };
        let columns = vec![
            pages::runs(&schema.column(0), rows_of)?,
            fallen.unwrap_or_else(|| column::rising(&schema.column(1), spare, ids))?,
            pages::runs(&schema.column(2), cells_of.map(|&(cell, len)| (cell, len as usize)))?,
            pages::values(
                &schema.column(3),
                rows.iter().map(|(_, row)| row.amounts),
                value,
                indices,
                spare,
            )?,
        ];
        Ok((columns, total))
    }
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
