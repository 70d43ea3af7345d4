//! How Parquet files of others are opened.

use parquet::arrow::arrow_reader::ArrowReaderOptions;

/// Types are taken from the Parquet schema alone: the copy of an Arrow schema that some tools add
/// says nothing we need, and its decoder panics on a damaged one (found by fuzzing).
pub(crate) fn reading() -> ArrowReaderOptions {
    ArrowReaderOptions::new().with_skip_arrow_metadata(true)
}
