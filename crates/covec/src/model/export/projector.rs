//! The two tables that the TensorFlow Embedding Projector loads: numbers without a header, and
//! beside them what each row is, with one.

use std::io::Write;
use std::path::Path;

use super::matrix::Matrix;
use super::{digits, written};
use crate::error::{Error, IoContext};
use crate::work::Work;

pub(super) fn write(
    matrix: &Matrix,
    vectors: &Path,
    metadata: &Path,
    work: &Work<'_>,
) -> Result<(), Error> {
    written(vectors, |out| {
        for (_, numbers) in matrix.rows() {
            work.proceed()?;
            let line: Vec<String> = numbers.iter().map(|&x| digits(x)).collect();
            writeln!(out, "{}", line.join("\t")).at("write", vectors)?;
        }
        Ok(())
    })?;
    written(metadata, |out| {
        let mut header: Vec<&str> = matrix.names.iter().map(|(kind, _)| *kind).collect();
        // The projector takes a header only where there is more than one column.
        let counted = !matrix.counts.is_empty();
        if counted {
            header.push("count");
        }
        if header.len() > 1 {
            writeln!(out, "{}", header.join("\t")).at("write", metadata)?;
        }
        for row in 0..matrix.len() {
            let mut line = matrix.name(row).collect::<Vec<_>>().join("\t");
            if counted {
                line += &format!("\t{}", matrix.counts[row]);
            }
            writeln!(out, "{line}").at("write", metadata)?;
        }
        Ok(())
    })
}
