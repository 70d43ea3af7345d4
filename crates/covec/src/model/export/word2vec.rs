//! word2vec's two formats, as the C program writes them and gensim's `KeyedVectors` reads them.

use std::io::Write;
use std::path::Path;

use zerocopy::IntoBytes;

use super::matrix::Matrix;
use super::{glove, written};
use crate::error::{Error, IoContext};
use crate::work::Work;

/// `WORDS DIMENSIONS`, then a line a word.
pub(super) fn text(matrix: &Matrix, path: &Path, work: &Work<'_>) -> Result<(), Error> {
    written(path, |out| {
        writeln!(out, "{} {}", matrix.len(), matrix.columns.len()).at("write", path)?;
        glove::lines(matrix, out, path, work)
    })
}

/// The same first line; then a word, a space, its numbers as bytes (little-endian), a line end.
pub(super) fn binary(matrix: &Matrix, path: &Path, work: &Work<'_>) -> Result<(), Error> {
    written(path, |out| {
        writeln!(out, "{} {}", matrix.len(), matrix.columns.len()).at("write", path)?;
        for (name, numbers) in matrix.rows() {
            work.proceed()?;
            write!(out, "{name} ").at("write", path)?;
            out.write_all(numbers.as_bytes()).at("write", path)?;
            out.write_all(b"\n").at("write", path)?;
        }
        Ok(())
    })
}
