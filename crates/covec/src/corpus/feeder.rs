//! Hands out the corpus block by block, to whichever thread asks next.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::batch::{Document, Sink, Tally};
use super::columns::{ColumnReader, Rows};
use super::compressed::{Digested, Unpacked};
use super::lines::{LineReader, Lines};
use super::source::{Fingerprint, InputFormat, Kind, Source};
use super::table::{Records, TableReader};
use super::{Plan, folder};
use crate::error::Error;
use crate::parallel;
use crate::work::{Progress, Work};

/// Reads the sources in order. One thread at a time asks it for a batch; what takes time is done
/// by [`Batch::each`], outside the lock.
#[derive(Debug)]
pub(crate) struct Feeder<'a> {
    plan: &'a Plan,
    sources: &'a [Source],
    scratch: &'a Path,
    next: usize,
    open: Option<Open>,
    sequence: u64,
    /// Bytes read from the disk so far.
    read: Arc<AtomicU64>,
    /// Path inside its input, size and digest of every file read.
    digests: Vec<(usize, String, u64, String)>,
}

#[derive(Debug)]
enum Open {
    Lines(LineReader, InputFormat),
    Table(Box<TableReader>),
    Columns(ColumnReader),
}

/// A block of input, taken apart where it is used.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    source: &'a Source,
    content: Content,
    /// Place in the order of the corpus: the fault of the lowest batch is the one reported.
    pub(crate) sequence: u64,
    read: Arc<AtomicU64>,
}

#[derive(Debug)]
enum Content {
    Lines(Lines),
    Records(Records),
    Rows(Rows),
    Document,
}

/// All of a corpus, batch by batch, a thread for each state. `task` does a batch and says how many
/// words it had; the feeder and the words of all come back. The fault that is reported is the first in
/// the order of the corpus, whatever the threads do.
pub(crate) fn each_batch<'a, S: Send>(
    feeder: Feeder<'a>,
    states: &mut [S],
    stage: &'static str,
    work: &Work<'_>,
    task: impl Fn(&mut S, &Batch<'a>) -> Result<u64, Error> + Sync,
) -> Result<(Feeder<'a>, u64), Error> {
    let feeder = Mutex::new(feeder);
    let (failed, total) = (AtomicBool::new(false), AtomicU64::new(0));
    // One batch: false at the end of the corpus. A fault comes with its place in the corpus.
    let step = |state: &mut S| -> Result<bool, (u64, Error)> {
        let (batch, share) = {
            let mut feeder = feeder.lock().unwrap_or_else(PoisonError::into_inner);
            let batch = feeder.next().map_err(|error| (u64::MAX, error))?;
            (batch, feeder.share())
        };
        let Some(batch) = batch else { return Ok(false) };
        work.proceed().map_err(|error| (0, error))?;
        let words = task(state, &batch).map_err(|error| (batch.sequence, error))?;
        let words = total.fetch_add(words, Ordering::Relaxed) + words;
        work.observer.progress(Progress { stage, share, words });
        Ok(true)
    };
    let faults = parallel::each(states, |state| {
        while !failed.load(Ordering::Relaxed) {
            match step(state) {
                Ok(true) => {}
                Ok(false) => break,
                Err(fault) => {
                    failed.store(true, Ordering::Relaxed);
                    return vec![fault];
                }
            }
        }
        Vec::new()
    });
    match faults.into_iter().min_by_key(|(sequence, _)| *sequence) {
        Some((_, error)) => Err(error),
        None => {
            Ok((feeder.into_inner().unwrap_or_else(PoisonError::into_inner), total.into_inner()))
        }
    }
}

impl<'a> Feeder<'a> {
    pub(crate) fn new(plan: &'a Plan, sources: &'a [Source], scratch: &'a Path) -> Self {
        Self {
            plan,
            sources,
            scratch,
            next: 0,
            open: None,
            sequence: 0,
            read: Arc::default(),
            digests: Vec::new(),
        }
    }

    /// The next batch, or none at the end of the corpus. Nothing comes after a fault: what another
    /// thread would read there might have a fault of its own, which would be told instead.
    pub(crate) fn next(&mut self) -> Result<Option<Batch<'a>>, Error> {
        let next = self.read_on();
        if next.is_err() {
            self.next = self.sources.len();
        }
        next
    }

    fn read_on(&mut self) -> Result<Option<Batch<'a>>, Error> {
        loop {
            let Some(source) = self.sources.get(self.next) else { return Ok(None) };
            let Kind::Records(format) = source.kind else {
                self.next += 1;
                return Ok(Some(self.batch(source, Content::Document)));
            };
            if self.open.is_none() {
                self.open = Some(self.open(source, format)?);
            }
            let file = source.name();
            let content = match &mut self.open {
                Some(Open::Lines(reader, format)) => {
                    reader.next(*format, self.plan, &file)?.map(Content::Lines)
                }
                Some(Open::Table(reader)) => reader.next(self.plan, &file)?.map(Content::Records),
                Some(Open::Columns(reader)) => reader.next(&file, &self.read)?.map(Content::Rows),
                None => None,
            };
            if let Some(content) = content {
                return Ok(Some(self.batch(source, content)));
            }
            let digest = match self.open.take() {
                Some(Open::Lines(reader, _)) => Some(reader.digested().finish()),
                Some(Open::Table(mut reader)) => reader.digested().map(Digested::finish),
                Some(Open::Columns(reader)) => Some(reader.digest),
                None => None,
            };
            if let Some((bytes, sha256)) = digest {
                self.digests.push((source.input, source.relative.clone(), bytes, sha256));
            }
            self.next += 1;
        }
    }

    fn open(&self, source: &Source, format: InputFormat) -> Result<Open, Error> {
        let unpacked = || Unpacked::open(source, &self.read);
        let table = |delimiter| TableReader::new(unpacked()?, delimiter, self.plan, &source.name());
        Ok(match format {
            InputFormat::Jsonl | InputFormat::Text => {
                Open::Lines(LineReader::new(unpacked()?), format)
            }
            InputFormat::Csv => Open::Table(Box::new(table(b',')?)),
            InputFormat::Tsv => Open::Table(Box::new(table(b'\t')?)),
            InputFormat::Parquet => {
                Open::Columns(ColumnReader::open(source, self.plan, self.scratch)?)
            }
        })
    }

    fn batch(&mut self, source: &'a Source, content: Content) -> Batch<'a> {
        self.sequence += 1;
        Batch { source, content, sequence: self.sequence, read: Arc::clone(&self.read) }
    }

    /// Share of the input that has been read, unless some of it is piped.
    pub(crate) fn share(&self) -> Option<f64> {
        if self.sources.iter().any(|source| source.path.is_none()) {
            return None;
        }
        let total: u64 = self.sources.iter().map(|source| source.bytes).sum();
        Some((self.read.load(Ordering::Relaxed) as f64 / total.max(1) as f64).min(1.0))
    }

    /// What every input was, in an order that does not depend on how it was given.
    pub(crate) fn fingerprints(
        self,
        inputs: &[std::path::PathBuf],
        documents: Vec<(usize, String, u64, String)>,
    ) -> Vec<Fingerprint> {
        let mut files: Vec<Vec<_>> = vec![Vec::new(); inputs.len()];
        for (input, relative, bytes, sha256) in self.digests.into_iter().chain(documents) {
            files[input].push((relative, bytes, sha256));
        }
        let mut prints: Vec<_> = inputs
            .iter()
            .zip(files)
            .map(|(input, files)| {
                let name = input.file_name().unwrap_or(input.as_os_str()).to_string_lossy();
                Fingerprint::join(name.into_owned(), files)
            })
            .collect();
        prints.sort();
        prints
    }
}

impl Batch<'_> {
    /// Every document of the batch. A file that is read whole returns what it was.
    pub(crate) fn each(
        &self,
        plan: &Plan,
        tally: &mut Tally,
        mut emit: impl FnMut(Document<'_>) -> Result<(), Error>,
    ) -> Result<Option<(usize, String, u64, String)>, Error> {
        let file = self.source.name();
        let sink = &mut Sink { plan, file: &file, tally, replaced: false, emit: &mut emit };
        match &self.content {
            Content::Lines(lines) => lines.each(sink)?,
            Content::Records(records) => records.each(sink)?,
            Content::Rows(rows) => rows.each(sink)?,
            Content::Document => {
                let (bytes, sha256) = folder::document(self.source, &self.read, sink)?;
                return Ok(Some((self.source.input, self.source.relative.clone(), bytes, sha256)));
            }
        }
        Ok(None)
    }
}
