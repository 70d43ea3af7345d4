//! A table in memory becomes a file that the library reads: Arrow's stream in, Parquet out, batch by
//! batch, without a Python object for any value.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use arrow_select::take::take;
use covec::Error;
use covec_answers::Asked;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::raise;
use crate::task;

/// Writes the columns that are wanted of a table (anything with `__arrow_c_stream__`) to `path`.
/// Returns how many rows there were.
#[pyfunction]
#[pyo3(signature = (table, columns, path, listener=None))]
pub(crate) fn spool(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    columns: Vec<String>,
    path: PathBuf,
    listener: Option<Py<PyAny>>,
) -> PyResult<usize> {
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let reader = reader(capsule.cast::<PyCapsule>()?).map_err(|problem| {
        raise(py, "CorpusError", &format!("the table cannot be read: {problem}"))
    })?;
    let written = task::run_or(py, &Asked::new(), listener, |work| {
        write(reader, &columns, &path, || work.observer.stop())
    })?;
    written.map_err(|problem| raise(py, "CorpusError", &problem))
}

/// Takes the stream out of its capsule.
#[allow(unsafe_code)]
fn reader(capsule: &Bound<'_, PyCapsule>) -> Result<ArrowArrayStreamReader, String> {
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream")).map_err(|e| e.to_string())?;
    // SAFETY: the name says that a stream is there. It is moved out, and what is left behind is marked as
    // released, as the interface demands.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.cast().as_ptr()) };
    ArrowArrayStreamReader::try_new(stream).map_err(|e| e.to_string())
}

fn write(
    reader: ArrowArrayStreamReader,
    columns: &[String],
    path: &Path,
    stop: impl Fn() -> bool,
) -> Result<usize, String> {
    let schema = reader.schema();
    let mut wanted = Vec::with_capacity(columns.len());
    for name in columns {
        let places: Vec<usize> =
            (0..schema.fields().len()).filter(|&at| schema.field(at).name() == name).collect();
        match places[..] {
            [place] => wanted.push(place),
            [] => {
                let there: Vec<&str> =
                    schema.fields().iter().map(|field| field.name().as_str()).collect();
                return Err(format!(
                    "the table has no column '{name}'\n  columns there: {}\n  way out: name one of these",
                    there.join(", ")
                ));
            }
            _ => {
                return Err(format!(
                    "the table has {} columns of the name '{name}'\n  way out: leave one",
                    places.len()
                ));
            }
        }
    }
    let schema = Arc::new(unpacked_schema(&schema, &wanted));
    let file = File::create(path).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    // Read once, soon and here: packing would cost more than it saves. Without Arrow's own schema, columns come
    // back as plain ones, whatever they were packed as.
    let properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(parquet::file::properties::EnabledStatistics::None)
        .set_max_row_group_row_count(Some(1 << 16))
        .build();
    let options =
        ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let cannot = |e: &dyn std::fmt::Display| {
        format!(
            "the table cannot be written for reading: {e}\n  expected: columns of text, numbers, dates or true/false"
        )
    };
    let mut writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options)
        .map_err(|e| cannot(&e))?;
    let mut rows = 0;
    for batch in reader {
        if stop() {
            return Err(Error::Interrupted.to_string());
        }
        let batch = batch.map_err(|e| format!("the table broke off after {rows} rows: {e}"))?;
        rows += batch.num_rows();
        let columns: Result<Vec<ArrayRef>, ArrowError> =
            wanted.iter().map(|&at| unpacked(batch.column(at))).collect();
        let batch = columns.and_then(|columns| RecordBatch::try_new(Arc::clone(&schema), columns));
        let batch = batch.map_err(|e| cannot(&e))?;
        writer.write(&batch).map_err(|e| cannot(&e))?;
    }
    writer.close().map_err(|e| cannot(&e))?;
    Ok(rows)
}

/// The columns that are wanted, categories as the values they stand for.
fn unpacked_schema(schema: &Schema, wanted: &[usize]) -> Schema {
    let field = |&at: &usize| {
        let field = schema.field(at);
        let kind = match field.data_type() {
            DataType::Dictionary(_, value) => (**value).clone(),
            other => other.clone(),
        };
        Field::new(field.name(), kind, true)
    };
    Schema::new(wanted.iter().map(field).collect::<Vec<_>>())
}

/// A column with its values in place of numbers of categories.
fn unpacked(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.as_any_dictionary_opt() {
        Some(packed) => take(packed.values(), packed.keys(), None),
        None => Ok(Arc::clone(column)),
    }
}
