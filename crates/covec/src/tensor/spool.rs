//! The corpus as word numbers, kept between reading it and counting it.
//!
//! The corpus is read once, but its vocabulary is known only at the end; so what was read is kept,
//! four bytes a word, in memory as far as that goes and in temporary files beyond.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::scratch::ScratchFile;

/// Some documents, in the numbers of the thread that read them: for each document its cell, its
/// length, its words.
#[derive(Debug)]
pub(crate) struct Piece {
    /// Whose word and cell numbers these are.
    pub(crate) reader: usize,
    /// Its place in the order of the corpus.
    pub(crate) sequence: u64,
    pub(crate) words: u64,
    pub(crate) documents: u64,
    held: Held,
}

#[derive(Debug)]
enum Held {
    Memory(Vec<u32>),
    Disk { offset: u64, len: usize },
}

/// All documents.
#[derive(Debug)]
pub(crate) struct Spool {
    pub(crate) pieces: Vec<Piece>,
    file: Option<ScratchFile>,
}

/// Takes pieces from any thread.
#[derive(Debug)]
pub(crate) struct SpoolWriter {
    folder: PathBuf,
    budget: u64,
    used: AtomicU64,
    kept: Mutex<Spool>,
}

impl SpoolWriter {
    /// A spool that holds up to `budget` bytes in memory.
    pub(crate) fn new(folder: &Path, budget: u64) -> Self {
        let kept = Mutex::new(Spool { pieces: Vec::new(), file: None });
        Self { folder: folder.to_owned(), budget, used: AtomicU64::new(0), kept }
    }

    pub(crate) fn keep(
        &self,
        (reader, sequence): (usize, u64),
        documents: u64,
        mut numbers: Vec<u32>,
    ) -> Result<(), Error> {
        let words = numbers.len() as u64 - 2 * documents;
        let bytes = numbers.len() as u64 * 4;
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let held = if self.used.fetch_add(bytes, Ordering::Relaxed) + bytes <= self.budget {
            numbers.shrink_to_fit();
            Held::Memory(numbers)
        } else {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
            if kept.file.is_none() {
                kept.file = Some(ScratchFile::new(&self.folder)?);
            }
            let file = kept.file.as_mut().map(|file| file.append(&numbers).map(|()| file.end()));
            let end = file.transpose()?.unwrap_or(bytes);
            Held::Disk { offset: end - bytes, len: numbers.len() }
        };
        kept.pieces.push(Piece { reader, sequence, words, documents, held });
        Ok(())
    }

    pub(crate) fn finish(self) -> Spool {
        self.kept.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Spool {
    /// The numbers of a piece, brought back from the disk if need be.
    pub(crate) fn numbers(&self, piece: usize) -> Result<Cow<'_, [u32]>, Error> {
        match (&self.pieces[piece].held, &self.file) {
            (Held::Memory(numbers), _) => Ok(Cow::Borrowed(numbers)),
            (Held::Disk { offset, len }, Some(file)) => {
                let mut numbers = vec![0_u32; *len];
                file.read(*offset, &mut numbers)?;
                Ok(Cow::Owned(numbers))
            }
            (Held::Disk { .. }, None) => Ok(Cow::Borrowed(&[])),
        }
    }
}

/// The documents of a piece: cell and words.
pub(crate) fn documents(numbers: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = numbers;
    std::iter::from_fn(move || {
        let [cell, len, tail @ ..] = rest else { return None };
        let (words, tail) = tail.split_at_checked(*len as usize)?;
        rest = tail;
        Some((*cell, words))
    })
}
