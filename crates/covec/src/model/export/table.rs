//! CSV: names of the rows, then the numbers, under a header.

use std::path::Path;

use super::matrix::Matrix;
use super::{digits, written};
use crate::error::Error;
use crate::work::Work;

pub(super) fn write(matrix: &Matrix, path: &Path, work: &Work<'_>) -> Result<(), Error> {
    let failed = |error: csv::Error| {
        let source = match error.into_kind() {
            csv::ErrorKind::Io(source) => source,
            other => std::io::Error::other(format!("{other:?}")),
        };
        Error::io("write", path, source)
    };
    written(path, |out| {
        let mut table = csv::Writer::from_writer(out);
        let kinds = matrix.names.iter().map(|(kind, _)| *kind);
        table
            .write_record(kinds.chain(matrix.columns.iter().map(String::as_str)))
            .map_err(failed)?;
        for (row, numbers) in matrix.numbers.chunks_exact(matrix.columns.len()).enumerate() {
            work.proceed()?;
            for name in matrix.name(row) {
                table.write_field(name).map_err(failed)?;
            }
            for &x in numbers {
                table.write_field(digits(x)).map_err(failed)?;
            }
            table.write_record(None::<&[u8]>).map_err(failed)?;
        }
        table.flush().map_err(|source| Error::io("write", path, source))
    })
}
