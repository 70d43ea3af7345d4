//! A temporary file of whole numbers: written at its end, read anywhere, gone with the run.

use std::fs::File;
use std::path::{Path, PathBuf};

use zerocopy::{FromBytes, Immutable, IntoBytes};

use crate::error::{Error, IoContext};

/// A file without a name in the folder of the run.
#[derive(Debug)]
pub(crate) struct ScratchFile {
    file: File,
    folder: PathBuf,
    end: u64,
}

impl ScratchFile {
    pub(crate) fn new(folder: &Path) -> Result<Self, Error> {
        let file = tempfile::tempfile_in(folder).at("make a temporary file in", folder)?;
        Ok(Self { file, folder: folder.to_owned(), end: 0 })
    }

    /// Where the next numbers will stand, in bytes.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    pub(crate) fn append<T: IntoBytes + Immutable>(&mut self, numbers: &[T]) -> Result<(), Error> {
        use std::io::Write;
        self.file.write_all(numbers.as_bytes()).at("write a temporary file in", &self.folder)?;
        self.end += numbers.as_bytes().len() as u64;
        Ok(())
    }

    /// Fills `numbers` from `offset` on.
    pub(crate) fn read<T: IntoBytes + FromBytes>(
        &self,
        offset: u64,
        numbers: &mut [T],
    ) -> Result<(), Error> {
        read_exact_at(&self.file, numbers.as_mut_bytes(), offset)
            .at("read a temporary file in", &self.folder)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> std::io::Result<()> {
    while !buffer.is_empty() {
        let n = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if n == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[n..];
        offset += n as u64;
    }
    Ok(())
}
