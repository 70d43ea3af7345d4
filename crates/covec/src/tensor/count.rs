//! `covec count`: the whole way from a corpus to a tensor folder.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::accumulator::{Amount, Id};
use super::chunk::{BYTES_PER_WORD, Chunk};
use super::covariates::Covariates;
use super::folder::{Folder, Written};
use super::gather::gather;
use super::placement::Placement;
use super::record::{CorpusRecord, Record};
use super::rows::Rows;
use super::runs::{self, Merged, Run};
use super::spool::Spool;
use super::survey::{survey, translate_cells};
use super::window::WindowParameters;
use super::{FILES, Tensor, write_folder};
use crate::Work;
use crate::artefact::Artefact;
use crate::corpus::{CorpusError, CorpusParameters, Plan, Source, expand};
use crate::error::Error;
use crate::parameters::{ParameterError, unknown};
use crate::vocabulary::{Vocabulary, VocabularyParameters};
use crate::work::Progress;

/// All that decides what is counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CountParameters {
    /// What is read.
    pub corpus: CorpusParameters,
    /// Which words are kept.
    pub vocabulary: VocabularyParameters,
    /// How pairs are counted.
    pub window: WindowParameters,
}

impl CountParameters {
    /// Sets a parameter of any of the stages from text.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ParameterError> {
        let has = |table: &[crate::parameters::Parameter]| table.iter().any(|row| row.name == name);
        if has(CorpusParameters::TABLE) {
            self.corpus.set(name, text)
        } else if has(VocabularyParameters::TABLE) {
            self.vocabulary.set(name, text)
        } else if has(WindowParameters::TABLE) {
            self.window.set(name, text)
        } else {
            Err(unknown(name))
        }
    }

    /// Every parameter inside its range; only what passes can be counted by.
    pub fn check(&self) -> Result<Checked<'_>, ParameterError> {
        self.corpus.check()?;
        self.vocabulary.check()?;
        self.window.check()?;
        self.window.check_together()?;
        Ok(Checked(self))
    }
}

/// Parameters that were checked.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'a>(&'a CountParameters);

/// Counts a corpus into the folder `output`.
///
/// The tensor is the same, bit for bit, for any number of threads, any memory and any order of the
/// inputs.
pub fn count(
    inputs: &[PathBuf],
    parameters: Checked<'_>,
    output: &Path,
    work: &Work<'_>,
) -> Result<Tensor, Error> {
    counted(inputs, &sources(inputs, parameters.0, work)?, parameters.0, None, output, work)
}

/// Counts a corpus by the words of a vocabulary that is there already, which keep their ids; the
/// rules of the vocabulary are off.
pub(crate) fn count_known(
    inputs: &[PathBuf],
    parameters: &CountParameters,
    words: &[String],
    output: &Path,
    work: &Work<'_>,
) -> Result<Tensor, Error> {
    let sources = sources(inputs, parameters, work)?;
    counted(inputs, &sources, parameters, Some(words), output, work)
}

/// The same for one file, which is read as its source says.
pub(crate) fn count_file(
    source: Source,
    parameters: &CountParameters,
    words: &[String],
    output: &Path,
    work: &Work<'_>,
) -> Result<Tensor, Error> {
    let inputs = [PathBuf::from(source.name())];
    counted(&inputs, &[Source { input: 0, ..source }], parameters, Some(words), output, work)
}

pub(super) fn sources(
    inputs: &[PathBuf],
    parameters: &CountParameters,
    work: &Work<'_>,
) -> Result<Vec<Source>, Error> {
    Plan::new(&parameters.corpus)?;
    expand(inputs, parameters.corpus.input_format, &mut |note| work.observer.note(&note))
}

fn counted(
    inputs: &[PathBuf],
    sources: &[Source],
    parameters: &CountParameters,
    known: Option<&[String]>,
    output: &Path,
    work: &Work<'_>,
) -> Result<Tensor, Error> {
    let plan = Plan::new(&parameters.corpus)?;
    let artefact = Artefact::begin(output, FILES, work.force)?;
    let scratch = artefact.scratch();

    let mut gathered = gather(inputs, sources, &plan, scratch, work.memory.0 / 4, work)?;
    if gathered.words == 0 {
        let way_out = match (gathered.documents, gathered.tally.skipped) {
            (0, 0) => "check that the input is the right file",
            (0, _) => "every document lacks a covariate: check --by",
            _ => "check --text, and that the texts are not numbers alone",
        };
        return Err(CorpusError::Empty { documents: gathered.documents, way_out }.into());
    }
    let least = parameters.corpus.min_level_tokens.0;
    let (covariates, left_out) =
        Covariates::settle(gathered.found(&plan), &parameters.corpus.order, least)?;
    for level in &left_out {
        work.observer.note(&format!(
            "left out {}={}: {} tokens, fewer than --min-level-tokens {least}",
            level.factor, level.level, level.tokens
        ));
    }
    let cells = translate_cells(&gathered.readers, &covariates);
    let survey = survey(
        &mut gathered,
        &cells,
        &covariates,
        &parameters.corpus,
        &parameters.vocabulary,
        known,
        work,
    )?;
    let corpus = CorpusRecord {
        documents: gathered.documents,
        empty_documents: gathered.empty,
        tokens: gathered.words,
        distinct_words: Some(survey.distinct),
        skipped_documents: gathered.tally.skipped,
        replaced_documents: gathered.tally.replaced,
    };
    let counter = Counter {
        spool: &gathered.spool,
        ids: &survey.ids,
        words: survey.vocabulary.len(),
        placement: Placement::AsRead(&cells),
        parameters,
        work,
        total: corpus.tokens,
    };
    let (inputs, rules) = (gathered.inputs, survey.rules);
    counter.tensor(artefact, output, survey.vocabulary, covariates, |record| Record {
        inputs,
        corpus: Some(corpus),
        left_out,
        rules,
        ..record
    })
}

/// What there is to count.
#[derive(Clone, Copy)]
pub(super) struct Counter<'a> {
    pub(super) spool: &'a Spool,
    /// For every reader and every word number of it: the id, or the size of the vocabulary.
    pub(super) ids: &'a [Vec<u32>],
    /// The size of the vocabulary.
    pub(super) words: usize,
    pub(super) placement: Placement<'a>,
    pub(super) parameters: &'a CountParameters,
    pub(super) work: &'a Work<'a>,
    /// Words of the corpus.
    pub(super) total: u64,
}

enum Counted {
    /// The whole corpus fits: its rows are made as they are written.
    Short(Chunk<u16>),
    /// The same with a large vocabulary.
    Long(Chunk<u32>),
    /// Its parts were counted one by one.
    Parts(Merged<u64>),
}

impl Counter<'_> {
    /// Counts everything into a folder. Of the vocabulary the counts by level are found here; `told`
    /// adds to the record what only the caller knows.
    pub(super) fn tensor(
        &self,
        artefact: Artefact,
        output: &Path,
        mut vocabulary: Vocabulary,
        covariates: Covariates,
        told: impl FnOnce(Record) -> Record,
    ) -> Result<Tensor, Error> {
        let (counted, level_counts) = if self.words <= u16::MOST {
            self.rows(&covariates, artefact.scratch(), Counted::Short)?
        } else {
            self.rows(&covariates, artefact.scratch(), Counted::Long)?
        };
        vocabulary.level_counts = level_counts;
        let record = write_folder(artefact, &vocabulary, &covariates, |folder| {
            let written = match counted {
                Counted::Short(chunk) => self.write_chunk(&chunk, folder)?,
                Counted::Long(chunk) => self.write_chunk(&chunk, folder)?,
                Counted::Parts(merged) => self.write(&merged, folder)?,
            };
            let parameters = Some(self.parameters.clone());
            let unit = Some(self.parameters.window.unit());
            Ok(told(Record { parameters, ..Record::new("count", unit, written) }))
        })?;
        Tensor::of(output, vocabulary, covariates, record)
    }

    fn write_chunk<I: Id>(&self, chunk: &Chunk<I>, folder: &Folder<'_>) -> Result<Written, Error> {
        if chunk.has_small_sums() {
            self.write(&chunk.counts::<u32>(), folder)
        } else {
            self.write(&chunk.counts::<u64>(), folder)
        }
    }

    fn write<R: Rows<Amount: Amount<Wide = u64>>>(
        &self,
        rows: &R,
        folder: &Folder<'_>,
    ) -> Result<Written, Error> {
        let window = &self.parameters.window;
        let unit = window.unit() as f64;
        let value = |units: u64| units as f64 / unit;
        folder.entries(rows, &value, window.min_entry, self.work)
    }

    /// The rows, and how often each word occurs in each level.
    fn rows<I: Id>(
        &self,
        covariates: &Covariates,
        scratch: &Path,
        whole: impl FnOnce(Chunk<I>) -> Counted,
    ) -> Result<(Counted, Vec<Vec<u64>>), Error> {
        let (flat, levels) = (covariates.flat_levels(), covariates.level_names().len());
        let parts = self.parts();
        let words = self.words;
        if let [all] = &parts[..] {
            let chunk = self.chunk(all.clone())?;
            let counts = chunk.level_counts(&flat, levels, self.work)?;
            return Ok((whole(chunk), counts));
        }
        let mut counts = vec![vec![0; words]; levels];
        let mut runs = Vec::new();
        let mut before = 0;
        for part in parts {
            let here: u64 = self.spool.pieces[part.clone()].iter().map(|piece| piece.words).sum();
            let told = |share: f64| {
                let words = before + (here as f64 * share) as u64;
                Progress { stage: "counting", share: Some(words as f64 / self.total as f64), words }
            };
            let chunk = self.chunk::<I>(part)?;
            let own = chunk.level_counts(&flat, levels, self.work)?;
            for (sums, counts) in counts.iter_mut().zip(own) {
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
            let run = Run::write(&chunk.counts::<u64>(), scratch, self.work, &told)?;
            runs::keep::<u64>(&mut runs, run, scratch, self.work, told(1.0))?;
            before += here;
        }
        Ok((Counted::Parts(Merged::new(runs, words)), counts))
    }

    fn chunk<I: Id>(&self, pieces: std::ops::Range<usize>) -> Result<Chunk<I>, Error> {
        let window = &self.parameters.window;
        Chunk::new(self.spool, pieces, self.ids, self.placement, self.words, window, self.work)
    }

    /// Ranges of pieces that fit in half of the memory; always at least one.
    fn parts(&self) -> Vec<std::ops::Range<usize>> {
        let most = (self.work.memory.0 / 2 / BYTES_PER_WORD).min(u64::from(u32::MAX) / 2);
        let margin = u64::from(self.parameters.window.window);
        let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
        let mut room = 0;
        for (index, piece) in self.spool.pieces.iter().enumerate() {
            let size = (piece.words + piece.documents * (margin + 2)) * self.placement.most(index);
            match parts.last_mut() {
                Some(part) if size <= room => {
                    part.end = index + 1;
                    room -= size;
                }
                _ => {
                    parts.push(index..index + 1);
                    room = most.saturating_sub(size);
                }
            }
        }
        parts
    }
}
