//! Parquet: only the wanted columns are read, a batch of rows at a time.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::batch::{Field, Sink, Spot};
use super::compressed::Unpacked;
use super::source::Source;
use super::{CorpusError, Plan};
use crate::error::{Error, IoContext};
use crate::parquet_file::{self, guarded};

const ROWS: usize = 4096;

/// Reads batches of rows.
pub(crate) struct ColumnReader {
    reader: ParquetRecordBatchReader,
    columns: Arc<Vec<Option<usize>>>,
    names: Arc<Vec<String>>,
    row: u64,
    pub(crate) digest: (u64, String),
    /// Share of the file's bytes one row stands for, for progress.
    bytes_per_row: f64,
}

/// Some rows.
#[derive(Debug)]
pub(crate) struct Rows {
    batch: RecordBatch,
    first: u64,
    columns: Arc<Vec<Option<usize>>>,
    names: Arc<Vec<String>>,
}

impl ColumnReader {
    /// Opens a Parquet file; one that is packed or piped goes through a temporary file first,
    /// because Parquet is read from its end.
    pub(crate) fn open(source: &Source, plan: &Plan, scratch: &Path) -> Result<Self, Error> {
        let name = source.name();
        let mut input = Unpacked::open(source, &Arc::default())?;
        let digested = input.digested();
        let seekable = source.path.as_ref().filter(|path| input.is_plain() && path.is_file());
        let mut copy = match seekable {
            Some(_) => None,
            None => Some(tempfile::tempfile_in(scratch).at("make a temporary file in", scratch)?),
        };
        let mut block = vec![0; 1 << 20];
        loop {
            let got = input.fill(&mut block)?;
            if let Some(copy) = &mut copy {
                copy.write_all(&block[..got]).at("write into", scratch)?;
            }
            if got < block.len() {
                break;
            }
        }
        let file = match (copy, seekable) {
            (Some(copy), _) => copy,
            (None, Some(path)) => File::open(path).at("read", path)?,
            (None, None) => return Err(CorpusError::NoInput.into()),
        };
        let digest = digested.finish();
        let damaged = |detail: String| CorpusError::Parquet { file: name.clone(), detail };
        let metadata = parquet_file::open(&file).map_err(damaged)?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
        let names: Vec<String> =
            builder.schema().fields().iter().map(|f| f.name().clone()).collect();
        // Top-level columns only; a wanted name that is not there is reported with the first row.
        let wanted: Vec<usize> =
            (0..names.len()).filter(|&i| plan.fields.contains(&names[i])).collect();
        let columns = plan
            .fields
            .iter()
            .map(|field| wanted.iter().position(|&i| names[i] == *field))
            .collect();
        let rows = builder.metadata().file_metadata().num_rows().max(1) as f64;
        let mask = ProjectionMask::roots(builder.parquet_schema(), wanted.iter().copied());
        let builder = builder.with_projection(mask).with_batch_size(ROWS);
        let reader = guarded(|| builder.build()).map_err(damaged)?;
        let bytes_per_row = digest.0 as f64 / rows;
        Ok(Self {
            reader,
            columns: Arc::new(columns),
            names: Arc::new(names),
            row: 1,
            digest,
            bytes_per_row,
        })
    }

    pub(crate) fn next(&mut self, file: &str, total: &AtomicU64) -> Result<Option<Rows>, Error> {
        match guarded(|| self.reader.next().transpose()) {
            Ok(None) => Ok(None),
            Err(detail) => Err(CorpusError::Parquet { file: file.to_owned(), detail }.into()),
            Ok(Some(batch)) => {
                let first = self.row;
                self.row += batch.num_rows() as u64;
                total.fetch_add(
                    (batch.num_rows() as f64 * self.bytes_per_row) as u64,
                    Ordering::Relaxed,
                );
                let (columns, names) = (Arc::clone(&self.columns), Arc::clone(&self.names));
                Ok(Some(Rows { batch, first, columns, names }))
            }
        }
    }
}

impl std::fmt::Debug for ColumnReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ColumnReader").field("names", &self.names).finish_non_exhaustive()
    }
}

impl Rows {
    pub(crate) fn each(&self, sink: &mut Sink<'_>) -> Result<(), Error> {
        for row in 0..self.batch.num_rows() {
            let spot = Spot { file: sink.file, line: self.first + row as u64, unit: "record" };
            let mut fields = Vec::with_capacity(self.columns.len());
            for column in self.columns.iter() {
                fields.push(match column {
                    None => Field::Absent,
                    Some(column) => field(self.batch.column(*column), row, spot, sink)?,
                });
            }
            let limit = sink.plan.parameters.max_document.0;
            if matches!(&fields[Plan::TEXT], Field::Text(text) if text.len() as u64 > limit) {
                return Err(CorpusError::TooLong { place: spot.place(), limit }.into());
            }
            sink.take(spot, None, fields, || self.names.join(", "))?;
        }
        Ok(())
    }
}

/// One value of a column, whatever its type.
fn field<'a>(
    array: &'a ArrayRef,
    row: usize,
    spot: Spot<'_>,
    sink: &mut Sink<'_>,
) -> Result<Field<'a>, Error> {
    if array.is_null(row) {
        return Ok(Field::Null);
    }
    let text = |text: &'a str| Ok(Field::Text(text.into()));
    macro_rules! number {
        ($kind:ty) => {
            Ok(Field::Scalar(array.as_primitive::<$kind>().value(row).to_string()))
        };
    }
    match array.data_type() {
        DataType::Null => Ok(Field::Null),
        DataType::Utf8 => text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => text(array.as_string_view().value(row)),
        DataType::Binary => {
            Ok(Field::Text(sink.decode(array.as_binary::<i32>().value(row), spot)?))
        }
        DataType::LargeBinary => {
            Ok(Field::Text(sink.decode(array.as_binary::<i64>().value(row), spot)?))
        }
        DataType::BinaryView => {
            Ok(Field::Text(sink.decode(array.as_binary_view().value(row), spot)?))
        }
        DataType::Boolean => Ok(Field::Scalar(array.as_boolean().value(row).to_string())),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float32 => Ok(real(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => Ok(real(array.as_primitive::<Float64Type>().value(row))),
        DataType::Date32 => Ok(array
            .as_primitive::<Date32Type>()
            .value_as_date(row)
            .map_or(Field::Null, |date| Field::Scalar(date.to_string()))),
        DataType::Timestamp(unit, _) => Ok(moment(array, row, *unit)),
        DataType::Decimal128(..) => {
            Ok(Field::Scalar(array.as_primitive::<Decimal128Type>().value_as_string(row)))
        }
        DataType::List(_) | DataType::LargeList(_) => Ok(Field::Other("a list")),
        DataType::Struct(_) => Ok(Field::Other("a structure")),
        _ => Ok(Field::Other("a value of another type")),
    }
}

/// A number, unless it is none: pandas writes what is missing among numbers as NaN.
fn real<T: std::fmt::Display>(number: T) -> Field<'static> {
    let text = number.to_string();
    if text == "NaN" { Field::Null } else { Field::Scalar(text) }
}

/// A moment as a day, or as a day and a time where it is not the day's beginning.
fn moment(array: &ArrayRef, row: usize, unit: TimeUnit) -> Field<'static> {
    let moment = match unit {
        TimeUnit::Second => array.as_primitive::<TimestampSecondType>().value_as_datetime(row),
        TimeUnit::Millisecond => {
            array.as_primitive::<TimestampMillisecondType>().value_as_datetime(row)
        }
        TimeUnit::Microsecond => {
            array.as_primitive::<TimestampMicrosecondType>().value_as_datetime(row)
        }
        TimeUnit::Nanosecond => {
            array.as_primitive::<TimestampNanosecondType>().value_as_datetime(row)
        }
    };
    let told = moment.map(|moment| moment.to_string());
    told.map_or(Field::Null, |told| {
        Field::Scalar(told.strip_suffix(" 00:00:00").unwrap_or(&told).to_owned())
    })
}
