//! GloVe's format: a word and its numbers, a line a word.

use std::io::Write;
use std::path::Path;

use super::matrix::Matrix;
use super::{digits, written};
use crate::error::{Error, IoContext};
use crate::work::Work;

pub(super) fn write(matrix: &Matrix, path: &Path, work: &Work<'_>) -> Result<(), Error> {
    written(path, |out| lines(matrix, out, path, work))
}

pub(super) fn lines(
    matrix: &Matrix,
    out: &mut impl Write,
    path: &Path,
    work: &Work<'_>,
) -> Result<(), Error> {
    for (name, numbers) in matrix.rows() {
        work.proceed()?;
        let mut line = name.to_owned();
        for &x in numbers {
            line.push(' ');
            line += &digits(x);
        }
        line.push('\n');
        out.write_all(line.as_bytes()).at("write", path)?;
    }
    Ok(())
}
