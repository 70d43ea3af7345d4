//! JSONL and plain text: blocks of whole lines, cut by one thread, taken apart by many.

use super::batch::{Field, Sink, Spot};
use super::compressed::{Digested, Unpacked};
use super::source::InputFormat;
use super::{CorpusError, Place, Plan, json};
use crate::error::Error;

/// Large enough that taking turns costs nothing, small enough to share the work.
const BLOCK: usize = 1 << 20;

/// Reads blocks of whole lines.
#[derive(Debug)]
pub(crate) struct LineReader {
    input: Unpacked,
    /// Bytes after the last whole line of the block before.
    rest: Vec<u8>,
    line: u64,
    ended: bool,
}

/// Whole lines of one file.
#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) bytes: Vec<u8>,
    /// Number of the first line, from 1.
    pub(crate) first: u64,
    pub(crate) format: InputFormat,
}

impl LineReader {
    pub(crate) fn new(input: Unpacked) -> Self {
        Self { input, rest: Vec::new(), line: 1, ended: false }
    }

    /// The next block, or none at the end of the file.
    pub(crate) fn next(
        &mut self,
        format: InputFormat,
        plan: &Plan,
        file: &str,
    ) -> Result<Option<Lines>, Error> {
        if self.ended {
            return Ok(None);
        }
        let limit = plan.parameters.max_document.0 as usize;
        let mut block = std::mem::take(&mut self.rest);
        loop {
            let known = block.len();
            block.resize(known + BLOCK, 0);
            let got = self.input.fill(&mut block[known..])?;
            block.truncate(known + got);
            self.ended = got < BLOCK;
            let whole = memchr::memrchr(b'\n', &block[known..]).map(|at| known + at + 1);
            if self.ended || whole.is_some() {
                if !self.ended {
                    self.rest = block.split_off(whole.unwrap_or(block.len()));
                }
                break;
            }
            if block.len() > limit {
                return Err(self.too_long(file, limit));
            }
        }
        if self.rest.len() > limit {
            return Err(self.too_long(file, limit));
        }
        let first = self.line;
        self.line += memchr::memchr_iter(b'\n', &block).count() as u64;
        Ok(Some(Lines { bytes: block, first, format }).filter(|lines| !lines.bytes.is_empty()))
    }

    /// Nothing more is read: another thread would begin in the middle of the line.
    fn too_long(&mut self, file: &str, limit: usize) -> Error {
        self.ended = true;
        let place = Place { file: file.to_owned(), line: self.line, unit: "line" };
        CorpusError::TooLong { place, limit: limit as u64 }.into()
    }

    pub(crate) fn digested(&self) -> Digested {
        self.input.digested()
    }
}

impl Lines {
    pub(crate) fn each(&self, sink: &mut Sink<'_>) -> Result<(), Error> {
        let (plan, file) = (sink.plan, sink.file);
        let limit = plan.parameters.max_document.0 as usize;
        let mut bytes = &self.bytes[..];
        let mut line = self.first;
        if line == 1 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        while !bytes.is_empty() {
            let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
            let (this, rest) = bytes.split_at(end);
            bytes = rest.get(1..).unwrap_or(&[]);
            let this = this.strip_suffix(b"\r").unwrap_or(this);
            let spot = Spot { file, line, unit: "line" };
            line += 1;
            if this.len() > limit {
                return Err(
                    CorpusError::TooLong { place: spot.place(), limit: limit as u64 }.into()
                );
            }
            if this.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let text = sink.decode(this, spot)?;
            if self.format == InputFormat::Jsonl {
                let fields = json::pick(&text, plan, spot)?;
                sink.take(spot, None, fields, || json::names(&text))?;
            } else {
                let mut fields = vec![Field::Absent; plan.fields.len()];
                fields[Plan::TEXT] = Field::Text(text);
                sink.take(spot, None, fields, || "none: plain text has no fields".to_owned())?;
            }
        }
        Ok(())
    }
}
