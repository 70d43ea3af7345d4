//! Stage 3: the co-occurrence tensor.
//!
//! * **In:** documents as cells and words ([`crate::corpus`]) and the [`crate::vocabulary`]; or
//!   tensors that were counted elsewhere.
//! * **Out:** a tensor folder: `entries.parquet`, `vocabulary.parquet`, `covariates.json`,
//!   `run.json` (see `docs/format.md`).
//! * **Invariants:** the same bits for any number of threads, any memory and any order of the
//!   inputs; what is at the target is always whole.
//! * **Cost:** one pass over the corpus, then about 2 × window additions a word; memory is capped,
//!   beyond it sorted rows go to the disk.

mod accumulator;
mod belt;
mod chunk;
pub mod collocates;
mod conveyor;
mod count;
pub mod covariates;
mod drain;
mod early_sync;
mod entries;
mod error;
pub(crate) mod folder;
mod gather;
mod import;
mod merge;
mod orders;
mod pages;
pub(crate) mod placement;
pub(crate) mod record;
pub(crate) mod recount;
pub(crate) mod rows;
mod runs;
mod seal;
mod spool;
mod subsample;
mod survey;
mod window;

use std::path::{Path, PathBuf};

pub use count::{Checked, CountParameters, count};
pub(crate) use count::{count_file, count_known};
pub use covariates::Covariates;
pub use entries::{Entries, EntryReader, GROUP};
pub use error::TensorError;
pub use import::{ImportParameters, Layout, import};
pub use merge::merge;
pub use record::{CorpusRecord, EntriesRecord, Record};
pub use subsample::subsample;
pub use window::{Gaps, Weights, WindowParameters};

use crate::artefact::lacks;
use crate::error::Error;
use crate::vocabulary::Vocabulary;
use entries::EntryFile;
pub(crate) use folder::write_folder;
use seal::Seal;

const ENTRIES: &str = "entries.parquet";
const VOCABULARY: &str = "vocabulary.parquet";
const COVARIATES: &str = "covariates.json";
const RUN: &str = "run.json";
/// The files of a tensor folder.
pub(crate) const FILES: &[&str] = &[ENTRIES, VOCABULARY, COVARIATES, RUN];

/// An opened tensor folder. Its entries stay on the disk until they are asked for.
#[derive(Debug, Clone)]
pub struct Tensor {
    /// Where it is.
    pub path: PathBuf,
    /// Its words.
    pub vocabulary: Vocabulary,
    /// Its factors, levels and cells.
    pub covariates: Covariates,
    /// How it came to be.
    pub record: Record,
    file: EntryFile,
}

impl Tensor {
    /// Opens a folder and checks that its files are whole and belong together. The entries
    /// themselves are checked as they are read.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if let Some(problem) = lacks(path, FILES) {
            return Err(TensorError::NotATensor { path: path.to_owned(), problem }.into());
        }
        let version: Version = record::read_json(&path.join(RUN))?;
        if version.format != record::FORMAT {
            let (found, by) = (version.format, version.covec);
            return Err(TensorError::Format { path: path.to_owned(), found, by }.into());
        }
        let record: Record = record::read_json(&path.join(RUN))?;
        let covariates: Covariates = record::read_json(&path.join(COVARIATES))?;
        covariates
            .check()
            .map_err(|problem| TensorError::Damaged { path: path.join(COVARIATES), problem })?;
        let (vocabulary, own) =
            Vocabulary::read(&path.join(VOCABULARY), &covariates.level_names())?;
        let mixed = |file| TensorError::MixedUp { path: path.to_owned(), file };
        if own != record.fingerprint {
            return Err(mixed(VOCABULARY).into());
        }
        let entries = &record.entries;
        let seal = Seal::new(&vocabulary, &covariates).of(entries.stored, entries.total);
        if seal != record.fingerprint {
            return Err(mixed(COVARIATES).into());
        }
        Self::of(path, vocabulary, covariates, record)
    }

    /// A folder of which all but the entries is known, because it was read or just written.
    fn of(
        path: &Path,
        vocabulary: Vocabulary,
        covariates: Covariates,
        record: Record,
    ) -> Result<Self, Error> {
        let file = EntryFile::open(path.join(ENTRIES), vocabulary.len(), covariates.cells.len())?;
        let own = Some(&*record.fingerprint) == file.fingerprint();
        if !own || file.entries() != record.entries.stored {
            return Err(TensorError::MixedUp { path: path.to_owned(), file: ENTRIES }.into());
        }
        Ok(Self { path: path.to_owned(), vocabulary, covariates, record, file })
    }

    /// All entries, some at a time, each checked.
    pub fn entries(&self) -> Result<EntryReader, Error> {
        self.file.read()
    }

    /// Row groups of the entries; a word's entries are all in one.
    pub(crate) fn groups(&self) -> usize {
        self.file.groups()
    }

    /// The entries of one row group, each checked.
    pub(crate) fn group(&self, group: usize) -> Result<EntryReader, Error> {
        self.file.read_groups(vec![group])
    }

    /// The entries of one word.
    pub fn row(&self, word: u32) -> Result<Entries, Error> {
        let mut row = Entries::default();
        for entries in self.file.read_near(&[word])? {
            let entries = entries?;
            let range = entries.rows.partition_point(|&r| r < word)
                ..entries.rows.partition_point(|&r| r <= word);
            row.append(&entries, range);
        }
        Ok(row)
    }

    /// The entries of these words, sorted by id, and of some more.
    pub(crate) fn rows_of(&self, words: &[u32]) -> Result<EntryReader, Error> {
        self.file.read_near(words)
    }

    /// A word's id, or an error that suggests a near one.
    pub fn word(&self, word: &str) -> Result<u32, Error> {
        Ok(self.vocabulary.find(word)?)
    }
}

/// What every version of `run.json` says.
#[derive(serde::Deserialize)]
struct Version {
    covec: String,
    format: u32,
}
