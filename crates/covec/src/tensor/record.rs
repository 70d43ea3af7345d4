//! `run.json`: how a tensor came to be. It holds nothing that depends on threads, memory or time.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::covariates::LeftOut;
use super::folder::Written;
use super::{CountParameters, TensorError};
use crate::corpus::Fingerprint;
use crate::error::{Error, IoContext};
use crate::vocabulary::Rule;

/// The version of the folder's format; a later one is refused.
pub const FORMAT: u32 = 1;

/// How a tensor came to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of covec that wrote it.
    pub covec: String,
    /// Version of the format.
    pub format: u32,
    /// `count`, `merge`, `import` or `synth`.
    pub stage: String,
    /// Ties the files of the folder together: a digest of vocabulary, covariates and entries' totals.
    pub fingerprint: String,
    /// The rules it was counted by; none for tensors that somebody else counted.
    pub parameters: Option<CountParameters>,
    /// What was read.
    pub inputs: Vec<Fingerprint>,
    /// The corpus in numbers; none for tensors that somebody else counted.
    pub corpus: Option<CorpusRecord>,
    /// Levels that were left out.
    pub left_out: Vec<LeftOut>,
    /// What the rules of the vocabulary did.
    pub rules: Vec<Rule>,
    /// The entries in numbers.
    pub entries: EntriesRecord,
}

/// The corpus in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusRecord {
    /// Documents that were read.
    pub documents: u64,
    /// Documents among them without a word.
    pub empty_documents: u64,
    /// Words, inside the vocabulary or not.
    pub tokens: u64,
    /// Distinct words before any rule; not known of a merged tensor.
    pub distinct_words: Option<u64>,
    /// Documents left out for a missing covariate.
    pub skipped_documents: u64,
    /// Documents in which bytes that are not UTF-8 were replaced.
    pub replaced_documents: u64,
}

/// The entries in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntriesRecord {
    /// Entries stored, both triangles.
    pub stored: u64,
    /// Entries dropped by `--min-entry`.
    pub dropped: u64,
    /// Sum of the stored values.
    pub total: f64,
    /// Values are whole multiples of 1/unit; none if they can be anything.
    pub unit: Option<u64>,
    /// Entries stored, by cell.
    pub by_cell: Vec<u64>,
}

impl Record {
    /// What every stage says of the entries it wrote; the rest is for the stage to add.
    pub(crate) fn new(stage: &str, unit: Option<u64>, written: Written) -> Self {
        Self {
            covec: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            stage: stage.to_owned(),
            fingerprint: written.fingerprint,
            parameters: None,
            inputs: Vec::new(),
            corpus: None,
            left_out: Vec::new(),
            rules: Vec::new(),
            entries: EntriesRecord {
                stored: written.entries,
                dropped: written.dropped,
                total: written.total,
                unit,
                by_cell: written.by_cell,
            },
        }
    }
}

/// Writes JSON that people can read, with a line end.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|e| Error::io("write", path, std::io::Error::other(e)))?;
    text.push('\n');
    std::fs::write(path, text).at("write", path)
}

/// Reads JSON of a tensor folder.
pub(crate) fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Error> {
    let text = std::fs::read(path).at("read", path)?;
    serde_json::from_slice(&text).map_err(|error| {
        TensorError::Damaged { path: path.to_owned(), problem: error.to_string() }.into()
    })
}
