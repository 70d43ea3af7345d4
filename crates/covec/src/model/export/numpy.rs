//! A `.npz` file: the numbers, and the names of rows as texts of fixed width, so that `numpy.load`
//! needs no pickle. It is a zip of `.npy` files, each a header in Python's notation and the bytes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use zerocopy::IntoBytes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::matrix::Matrix;
use super::written;
use crate::error::{Error, IoContext};
use crate::work::Work;

/// Rows that are turned into bytes at a time.
const ROWS: usize = 1 << 12;

type Archive<'a> = ZipWriter<&'a mut BufWriter<File>>;

pub(super) fn write(matrix: &Matrix, path: &Path, work: &Work<'_>) -> Result<(), Error> {
    let failed = |error| Error::io("write", path, std::io::Error::from(error));
    written(path, |out| {
        let mut zip = ZipWriter::new(out);
        let shape = [matrix.len(), matrix.columns.len()];
        let size = matrix.numbers.len() * size_of::<f32>();
        // Numbers like these hardly get smaller when they are packed.
        let plain = CompressionMethod::Stored;
        zip.start_file(format!("{}.npy", matrix.what), options(plain, size)).map_err(failed)?;
        zip.write_all(&header("<f4", &shape)).at("write", path)?;
        for part in matrix.numbers.chunks(ROWS * shape[1]) {
            work.proceed()?;
            zip.write_all(part.as_bytes()).at("write", path)?;
        }
        for (kind, names) in &matrix.names {
            texts(&mut zip, &format!("{kind}s"), names, path, work)?;
        }
        texts(&mut zip, "columns", &matrix.columns, path, work)?;
        zip.finish().map_err(failed)?;
        Ok(())
    })
}

/// Texts of fixed width, four bytes a character, filled up with zeros.
fn texts(
    zip: &mut Archive<'_>,
    what: &str,
    names: &[String],
    path: &Path,
    work: &Work<'_>,
) -> Result<(), Error> {
    let failed = |error| Error::io("write", path, std::io::Error::from(error));
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(1);
    let options = options(CompressionMethod::Deflated, names.len() * width * 4);
    zip.start_file(format!("{what}.npy"), options).map_err(failed)?;
    zip.write_all(&header(&format!("<U{width}"), &[names.len()])).at("write", path)?;
    for part in names.chunks(ROWS) {
        work.proceed()?;
        let mut characters: Vec<u32> = Vec::with_capacity(part.len() * width);
        for name in part {
            let end = characters.len() + width;
            characters.extend(name.chars().map(u32::from));
            characters.resize(end, 0);
        }
        zip.write_all(characters.as_bytes()).at("write", path)?;
    }
    Ok(())
}

/// The same bytes for the same model, whatever the time.
fn options(method: CompressionMethod, size: usize) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(DateTime::default())
        .large_file(size >= 1 << 31)
}

/// The head of a `.npy` file, format 1.0: its length is a multiple of 64.
fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let shape = shape.trim_end();
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    let before = MAGIC.len() + size_of::<u16>();
    while !(before + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let length = text.len() as u16;
    [MAGIC, &length.to_le_bytes(), text.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_what_numpy_writes() {
        for shape in [&[3][..], &[3, 100], &[1_000_000, 300]] {
            let header = header("<U12", shape);
            assert_eq!(header.len() % 64, 0);
            assert_eq!(header.len() - 10, usize::from(u16::from_le_bytes([header[8], header[9]])));
            assert_eq!(header.last(), Some(&b'\n'));
        }
        let text = String::from_utf8_lossy(&header("<f4", &[3])).into_owned();
        assert!(text.contains("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"));
    }
}
