//! Parquet files: those that may be damaged are opened and read so that they are refused, never a panic;
//! our own are written column by column, as fast as we can.

pub(crate) mod column;
pub(crate) mod groups;
pub(crate) mod packing;

use std::fmt::Display;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

/// Reads what the end of the file says of it.
///
/// Types are taken from the Parquet schema alone: the copy of an Arrow schema that some tools add
/// says nothing we need, and its decoder panics on a damaged one (found by fuzzing). Negative
/// offsets and sizes are refused here, because the reader asserts that there are none.
pub(crate) fn open(file: &File) -> Result<ArrowReaderMetadata, String> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = guarded(|| ArrowReaderMetadata::load(file, options))?;
    for group in metadata.metadata().row_groups() {
        let negative = group.columns().iter().any(|column| {
            column.data_page_offset() < 0
                || column.dictionary_page_offset().is_some_and(|offset| offset < 0)
                || column.compressed_size() < 0
                || column.num_values() < 0
        });
        if negative || group.num_rows() < 0 {
            return Err("it names a negative offset or size".to_owned());
        }
    }
    Ok(metadata)
}

/// Reads with a library that may still panic on damage nobody has thought of.
pub(crate) fn guarded<T, E: Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err("its parts contradict each other".to_owned()),
    }
}
