//! CSV and TSV: records are cut by one thread (a quoted field may hold line ends), and only the
//! wanted fields are passed on.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use super::batch::{Field, Sink, Spot};
use super::compressed::{Digested, Unpacked};
use super::quotes::{QuoteFault, Quotes};
use super::{CorpusError, Place, Plan};
use crate::error::Error;

const BLOCK: usize = 1 << 20;

/// Stops a record without an end (a quote that is never closed) before it fills the memory.
struct Leash {
    inner: Box<dyn Read + Send>,
    since_record: Arc<AtomicU64>,
    quotes: Quotes,
    ending: Arc<Ending>,
    limit: u64,
}

/// How the first line of a file ends. Where lines end in two bytes, the reader takes the second one for the beginning
/// of the next record, and tells the line before.
#[derive(Debug, Default)]
struct Ending {
    known: AtomicBool,
    two_bytes: AtomicBool,
    /// The last byte that was read.
    last: AtomicU8,
}

impl Ending {
    fn hear(&self, bytes: &[u8]) {
        if self.known.load(Ordering::Relaxed) {
            return;
        }
        if let Some(at) = memchr::memchr(b'\n', bytes) {
            let before = at.checked_sub(1).map(|at| bytes[at]);
            let before = before.unwrap_or(self.last.load(Ordering::Relaxed));
            self.two_bytes.store(before == b'\r', Ordering::Relaxed);
            self.known.store(true, Ordering::Relaxed);
        } else if let Some(&last) = bytes.last() {
            self.last.store(last, Ordering::Relaxed);
        }
    }

    /// The line of a record that is not the first of its file.
    fn line(&self, told: u64) -> u64 {
        told + u64::from(self.two_bytes.load(Ordering::Relaxed))
    }
}

impl Read for Leash {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if let Some(fault) = self.quotes.fault(false) {
            return Err(std::io::Error::other(fault));
        }
        let n = self.inner.read(buffer)?;
        self.ending.hear(&buffer[..n]);
        let good = self.quotes.watch(&buffer[..n]);
        // What stands before a fault goes on, so that faults of earlier records are told first.
        if let Some(fault) = self.quotes.fault(n == 0)
            && good == 0
        {
            return Err(std::io::Error::other(fault));
        }
        if self.since_record.fetch_add(n as u64, Ordering::Relaxed) > self.limit {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        Ok(good)
    }
}

/// Reads blocks of records.
pub(crate) struct TableReader {
    reader: csv::Reader<Leash>,
    since_record: Arc<AtomicU64>,
    ending: Arc<Ending>,
    /// A fault that comes after the records before it.
    fault: Option<Error>,
    blame: Box<dyn Fn(std::io::Error) -> Error + Send>,
    digested: Option<Digested>,
    header: Arc<Vec<String>>,
    /// Column of every wanted field.
    columns: Arc<Vec<Option<usize>>>,
}

/// The wanted fields of some records.
#[derive(Debug)]
pub(crate) struct Records {
    bytes: Vec<u8>,
    /// End of every wanted field of every record.
    ends: Vec<usize>,
    lines: Vec<u64>,
    header: Arc<Vec<String>>,
    columns: Arc<Vec<Option<usize>>>,
}

impl TableReader {
    pub(crate) fn new(
        input: Unpacked,
        delimiter: u8,
        plan: &Plan,
        file: &str,
    ) -> Result<Self, Error> {
        let (inner, blame, digested) = input.into_reader();
        let since_record = Arc::new(AtomicU64::new(0));
        let limit = plan.parameters.max_document.0;
        let ending = Arc::new(Ending::default());
        let leash = Leash {
            inner,
            since_record: Arc::clone(&since_record),
            quotes: Quotes::new(delimiter),
            ending: Arc::clone(&ending),
            limit,
        };
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(false)
            .buffer_capacity(1 << 16)
            .from_reader(leash);
        let mut this = Self {
            columns: Arc::default(),
            header: Arc::default(),
            since_record,
            ending,
            fault: None,
            blame: Box::new(blame),
            digested: Some(digested),
            reader: {
                reader.byte_headers().ok();
                reader
            },
        };
        let header = this.reader.byte_headers().cloned();
        let header = header.map_err(|error| this.explain(error, file, limit))?;
        let mut names: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        if let Some(first) = names.first_mut() {
            *first = first.trim_start_matches('\u{feff}').to_owned();
        }
        this.columns = Arc::new(
            plan.fields.iter().map(|field| names.iter().position(|name| name == field)).collect(),
        );
        this.header = Arc::new(names);
        Ok(this)
    }

    pub(crate) fn next(&mut self, plan: &Plan, file: &str) -> Result<Option<Records>, Error> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let limit = plan.parameters.max_document.0;
        let mut records = Records {
            bytes: Vec::with_capacity(BLOCK + BLOCK / 8),
            ends: Vec::new(),
            lines: Vec::new(),
            header: Arc::clone(&self.header),
            columns: Arc::clone(&self.columns),
        };
        let mut record = csv::ByteRecord::new();
        while records.bytes.len() < BLOCK && records.lines.len() < 1 << 16 {
            self.since_record.store(0, Ordering::Relaxed);
            match self.reader.read_byte_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.fault = Some(self.explain(error, file, limit));
                    break;
                }
            }
            let line = record.position().map_or(0, |at| self.ending.line(at.line()));
            // The leash is as long as a block of input; a record inside one is looked at here.
            if record.as_slice().len() as u64 > limit {
                let place = Place { file: file.to_owned(), line, unit: "line" };
                self.fault = Some(CorpusError::TooLong { place, limit }.into());
                break;
            }
            records.lines.push(line);
            for column in self.columns.iter() {
                if let Some(field) = column.and_then(|column| record.get(column)) {
                    records.bytes.extend_from_slice(field);
                }
                records.ends.push(records.bytes.len());
            }
        }
        if records.lines.is_empty() {
            return self.fault.take().map_or(Ok(None), Err);
        }
        Ok(Some(records))
    }

    fn explain(&self, error: csv::Error, file: &str, limit: u64) -> Error {
        let line = error
            .position()
            .map_or_else(|| self.reader.position().line(), |at| self.ending.line(at.line()));
        let place = Place { file: file.to_owned(), line, unit: "line" };
        match error.into_kind() {
            csv::ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                CorpusError::TooLong { place, limit }.into()
            }
            csv::ErrorKind::Io(error) => {
                let inner = error.get_ref();
                match inner.and_then(|inner| inner.downcast_ref::<QuoteFault>()) {
                    Some(fault) => CorpusError::Malformed {
                        place: Place { line: fault.opened, ..place },
                        expected: "a quotation mark that opens a field to be closed at the field's end",
                        detail: fault.told(),
                    }
                    .into(),
                    None => (self.blame)(error),
                }
            }
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => CorpusError::Malformed {
                place,
                expected: "as many fields as the first line names",
                detail: format!("{expected_len} named, {len} found (an unquoted comma or quote?)"),
            }
            .into(),
            kind => CorpusError::Malformed {
                place,
                expected: "a table with named columns",
                detail: format!("{kind:?}"),
            }
            .into(),
        }
    }

    pub(crate) fn digested(&mut self) -> Option<Digested> {
        self.digested.take()
    }
}

impl std::fmt::Debug for TableReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableReader").field("header", &self.header).finish_non_exhaustive()
    }
}

impl Records {
    pub(crate) fn each(&self, sink: &mut Sink<'_>) -> Result<(), Error> {
        let width = self.columns.len();
        for (record, &line) in self.lines.iter().enumerate() {
            let spot = Spot { file: sink.file, line, unit: "line" };
            let mut fields = Vec::with_capacity(width);
            for (slot, column) in self.columns.iter().enumerate() {
                let at = record * width + slot;
                let start = if at == 0 { 0 } else { self.ends[at - 1] };
                fields.push(match column {
                    None => Field::Absent,
                    Some(_) => Field::Text(sink.decode(&self.bytes[start..self.ends[at]], spot)?),
                });
            }
            sink.take(spot, None, fields, || self.header.join(", "))?;
        }
        Ok(())
    }
}
