//! Bytes as they lie on the disk become bytes to read: digested, counted, unpacked.

use std::fs::File;
use std::io::{Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

use super::source::{Source, digest_text};
use super::{CorpusError, Place};
use crate::error::{Error, IoContext};

/// How files are packed, told by their first bytes, whatever they are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

impl Packing {
    const LONGEST_MAGIC: usize = 4;

    fn of(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            // The second begins a frame that is to be skipped, as pzstd writes one first.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            _ => Self::Plain,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// Whether a file begins as text of two bytes a character does: with a mark, or with a character that has a byte of zeros.
fn is_utf16(head: &[u8]) -> bool {
    matches!(
        head,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [1..=127, 0, 1..=127, 0] | [0, 1..=127, 0, 1..=127]
    )
}

/// What was read of a file so far.
#[derive(Debug, Default)]
struct Tally {
    digest: Sha256,
    bytes: u64,
}

struct Tallied<R> {
    inner: R,
    tally: Arc<std::sync::Mutex<Tally>>,
    total: Arc<AtomicU64>,
}

impl<R: Read> Read for Tallied<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buffer)?;
        if let Ok(mut tally) = self.tally.lock() {
            tally.digest.update(&buffer[..n]);
            tally.bytes += n as u64;
        }
        self.total.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// A file's unpacked bytes.
pub(crate) struct Unpacked {
    reader: Box<dyn Read + Send>,
    packing: Packing,
    name: String,
    tally: Arc<std::sync::Mutex<Tally>>,
}

impl std::fmt::Debug for Unpacked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacked").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Unpacked {
    /// Opens a source; `total` counts the bytes read from the disk.
    pub(crate) fn open(source: &Source, total: &Arc<AtomicU64>) -> Result<Self, Error> {
        let raw: Box<dyn Read + Send> = match &source.path {
            Some(path) => Box::new(File::open(path).at("read", path)?),
            None => Box::new(std::io::stdin()),
        };
        let tally = Arc::default();
        let mut raw = Tallied { inner: raw, tally: Arc::clone(&tally), total: Arc::clone(total) };
        let name = source.name();
        let mut head = Vec::new();
        (&mut raw)
            .take(Packing::LONGEST_MAGIC as u64)
            .read_to_end(&mut head)
            .map_err(|error| Error::io("read", name.as_ref(), error))?;
        let packing = Packing::of(&head);
        if packing == Packing::Plain && is_utf16(&head) {
            return Err(CorpusError::Utf16 { file: name }.into());
        }
        let raw = Cursor::new(head).chain(raw);
        let reader: Box<dyn Read + Send> = match packing {
            Packing::Plain => Box::new(raw),
            Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(raw)),
            Packing::Zstd => {
                let mut decoder = zstd::Decoder::new(raw).at("read", name.as_ref())?;
                // The default refuses dumps that were written with a large window.
                decoder.window_log_max(31).at("read", name.as_ref())?;
                Box::new(decoder)
            }
        };
        Ok(Self { reader, packing, name, tally })
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.packing == Packing::Plain
    }

    /// Fills the buffer as far as the file goes.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.blame(error)),
            }
        }
        Ok(filled)
    }

    /// What a failed read means: damaged data where there is something to unpack.
    pub(crate) fn blame(&self, error: std::io::Error) -> Error {
        blame(self.packing, &self.name, error)
    }

    /// For readers that want to own the bytes; errors then go through the returned function.
    pub(crate) fn into_reader(
        self,
    ) -> (Box<dyn Read + Send>, impl Fn(std::io::Error) -> Error + use<>, Digested) {
        let (packing, name) = (self.packing, self.name);
        (self.reader, move |error| blame(packing, &name, error), Digested(self.tally))
    }

    pub(crate) fn digested(&self) -> Digested {
        Digested(Arc::clone(&self.tally))
    }

    /// The whole file, refused beyond `limit` bytes.
    pub(crate) fn read_all(mut self, limit: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut reader = (&mut self.reader).take(limit + 1);
        reader.read_to_end(&mut bytes).map_err(|e| blame(self.packing, &self.name, e))?;
        if bytes.len() as u64 > limit {
            let place = Place { file: self.name, line: 0, unit: "line" };
            return Err(CorpusError::TooLong { place, limit }.into());
        }
        Ok(bytes)
    }
}

fn blame(packing: Packing, name: &str, error: std::io::Error) -> Error {
    if packing == Packing::Plain {
        return Error::io("read", name.as_ref(), error);
    }
    CorpusError::Compressed {
        file: name.to_owned(),
        kind: packing.name(),
        detail: error.to_string(),
    }
    .into()
}

/// Tells size and digest once a file has been read to its end.
#[derive(Debug)]
pub(crate) struct Digested(Arc<std::sync::Mutex<Tally>>);

impl Digested {
    pub(crate) fn finish(self) -> (u64, String) {
        match self.0.lock() {
            Ok(tally) => (tally.bytes, digest_text(tally.digest.clone())),
            Err(_) => (0, String::new()),
        }
    }
}
