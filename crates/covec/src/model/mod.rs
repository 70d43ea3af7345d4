//! Stage 5: the model.
//!
//! * **In:** what training found ([`crate::train`]).
//! * **Out:** a model folder: `model.safetensors`, `vocabulary.parquet`, `covariates.json`,
//!   `run.json` (see `docs/model.md`).
//! * **Invariants:** always in canonical form; what is at the target is always whole; reading a model
//!   never needs the trainer.
//! * **Cost:** the numbers are mapped from the file, and looked at once to see that they are whole.

mod baseline;
mod deviations;
mod error;
pub mod export;
pub(crate) mod file;
mod numbers;
mod record;

use std::path::Path;

use serde::Deserialize;

pub use baseline::{Baseline, Fit, Need, Spaces};
pub use deviations::Deviations;
pub use error::ModelError;
pub use numbers::Numbers;
pub use record::{Extension, FORMAT, Record};

use crate::artefact::{Artefact, lacks};
use crate::error::{Error, IoContext};
use crate::tensor::Covariates;
use crate::tensor::record::write_json;
use crate::vocabulary::Vocabulary;

pub(crate) const NUMBERS: &str = "model.safetensors";
pub(crate) const VOCABULARY: &str = "vocabulary.parquet";
pub(crate) const COVARIATES: &str = "covariates.json";
pub(crate) const RUN: &str = "run.json";
/// The files of a model folder.
pub(crate) const FILES: &[&str] = &[NUMBERS, VOCABULARY, COVARIATES, RUN];

/// A model: what words mean, and how levels reweight it.
#[derive(Debug, Clone)]
pub struct Model {
    /// Its words.
    pub vocabulary: Vocabulary,
    /// Its factors, levels and cells.
    pub covariates: Covariates,
    /// How it came to be.
    pub record: Record,
    /// Dimensions.
    pub dim: usize,
    /// The base vectors, word after word.
    pub vectors: Numbers<f32>,
    /// The weights, level after level (all factors' levels in a row); a tensor without factors has
    /// one level.
    pub weights: Numbers<f32>,
    /// The biases: level after level, in each word after word.
    pub biases: Numbers<f32>,
    /// How words deviate from their base vectors in levels; empty without.
    pub deviations: Deviations,
    /// Vectors of words as context, word after word, the same in all levels: only of methods that tell words from contexts and
    /// share the latter. Empty otherwise.
    pub contexts: Numbers<f32>,
}

impl Model {
    /// Whether a folder is, or was meant to be, a model and not a tensor.
    pub fn is_at(path: &Path) -> bool {
        path.join(NUMBERS).is_file() || Record::speaks_of_training(&path.join(RUN))
    }

    /// Opens a folder and checks that its files are whole and belong together.
    pub fn open(path: &Path) -> Result<Self, Error> {
        if let Some(problem) = lacks(path, FILES) {
            return Err(ModelError::NotAModel { path: path.to_owned(), problem }.into());
        }
        let record = Record::read(&path.join(RUN))?;
        let covariates: Covariates = read_json(&path.join(COVARIATES))?;
        covariates
            .check()
            .map_err(|problem| ModelError::Damaged { path: path.join(COVARIATES), problem })?;
        let (vocabulary, own) =
            Vocabulary::read(&path.join(VOCABULARY), &covariates.level_names())?;
        let mixed = |file| ModelError::MixedUp { path: path.to_owned(), file };
        if own != record.fingerprint {
            return Err(mixed(VOCABULARY).into());
        }
        let levels = covariates.level_names().len().max(1);
        let numbers = file::Content::read(&path.join(NUMBERS), vocabulary.len(), levels)?;
        if numbers.fingerprint != record.fingerprint {
            return Err(mixed(NUMBERS).into());
        }
        let model = Self::assemble(vocabulary, covariates, record, numbers, &path.join(NUMBERS))?;
        if model.fingerprint() != model.record.fingerprint {
            return Err(mixed(COVARIATES).into());
        }
        Ok(model)
    }

    fn assemble(
        vocabulary: Vocabulary,
        covariates: Covariates,
        record: Record,
        numbers: file::Content,
        path: &Path,
    ) -> Result<Self, Error> {
        let model = Self {
            dim: numbers.dim,
            vectors: numbers.vectors,
            weights: numbers.weights,
            biases: numbers.biases,
            deviations: numbers.deviations,
            contexts: numbers.contexts,
            vocabulary,
            covariates,
            record,
        };
        model.check().map_err(|problem| ModelError::Damaged { path: path.to_owned(), problem })?;
        Ok(model)
    }

    /// The same words and levels with other numbers, which came from `path`.
    pub(crate) fn with(&self, numbers: file::Content, path: &Path) -> Result<Self, Error> {
        let (vocabulary, covariates) = (self.vocabulary.clone(), self.covariates.clone());
        Self::assemble(vocabulary, covariates, self.record.clone(), numbers, path)
    }

    /// What the numbers must fulfil.
    fn check(&self) -> Result<(), String> {
        let (words, levels, dim) = (self.vocabulary.len(), self.levels(), self.dim);
        for (what, numbers) in [
            ("vectors", &self.vectors),
            ("weights", &self.weights),
            ("biases", &self.biases),
            ("contexts", &self.contexts),
        ] {
            if let Some(place) = numbers.iter().position(|x| !x.is_finite()) {
                return Err(format!("{what}: number {place} is not finite"));
            }
        }
        if let Some(place) = self.weights.iter().position(|x| *x < 0.0) {
            return Err(format!("weights: number {place} is negative"));
        }
        self.deviations.check(words, levels, dim)
    }

    /// Writes a model whose numbers, words or levels were changed since it was opened to a folder of its own.
    pub fn save(&self, path: &Path, force: bool) -> Result<(), Error> {
        let mut own = self.clone();
        own.record.fingerprint = own.fingerprint();
        own.write(Artefact::begin(path, FILES, force)?)
    }

    /// Writes the folder.
    pub(crate) fn write(&self, artefact: Artefact) -> Result<(), Error> {
        let folder = artefact.content();
        std::fs::create_dir(folder).at("make", folder)?;
        file::write(self, &folder.join(NUMBERS))?;
        let fingerprint = &self.record.fingerprint;
        let names = self.covariates.level_names();
        self.vocabulary.write(&folder.join(VOCABULARY), &names, fingerprint)?;
        write_json(&folder.join(COVARIATES), &self.covariates)?;
        write_json(&folder.join(RUN), &self.record)?;
        artefact.finish()
    }

    /// Levels of all factors; one where there are no factors.
    pub fn levels(&self) -> usize {
        self.covariates.factors.iter().map(|f| f.levels.len()).sum::<usize>().max(1)
    }

    /// A word's base vector.
    pub fn vector(&self, word: usize) -> &[f32] {
        &self.vectors[word * self.dim..(word + 1) * self.dim]
    }

    /// A word's vector as context, where a method tells it from the word's own.
    pub(crate) fn context(&self, word: usize) -> Option<&[f32]> {
        self.contexts.get(word * self.dim..(word + 1) * self.dim)
    }

    /// A level's weights, among all factors' levels in a row.
    pub fn weight(&self, level: usize) -> &[f32] {
        &self.weights[level * self.dim..(level + 1) * self.dim]
    }

    /// What deviations are taken times where so many levels, of different factors, add theirs up: the fewer there are, the less
    /// is said twice.
    pub(crate) fn share_of_own(&self, levels: usize) -> f32 {
        let told = self.record.training.deviations.as_ref().and_then(|told| told.share);
        match (told, self.covariates.factors.len()) {
            (Some(share), factors @ 2..) if levels > 1 => {
                libm::pow(share, (levels - 1) as f64 / (factors - 1) as f64) as f32
            }
            _ => 1.0,
        }
    }

    /// A word's vector under levels, at most one of each factor: the product of their weights, times
    /// the base vector with the word's own deviations there.
    pub fn vector_in(&self, word: usize, levels: &[usize]) -> Vec<f32> {
        let mut vector = self.vector(word).to_vec();
        let share = self.share_of_own(levels.len());
        for &level in levels {
            if let Some(deviation) = self.deviations.of(word, level) {
                for (x, deviation) in vector.iter_mut().zip(deviation) {
                    *x += share * deviation.to_f32();
                }
            }
        }
        self.weigh(&mut vector, levels);
        vector
    }

    /// The same without the word's own deviations: what the levels' weights alone make of it.
    pub fn reweighted(&self, word: usize, levels: &[usize]) -> Vec<f32> {
        let mut vector = self.vector(word).to_vec();
        self.weigh(&mut vector, levels);
        vector
    }

    fn weigh(&self, vector: &mut [f32], levels: &[usize]) {
        for &level in levels {
            for (x, weight) in vector.iter_mut().zip(self.weight(level)) {
                *x *= weight;
            }
        }
    }

    /// All vectors under levels, word after word.
    pub fn vectors_in(&self, levels: &[usize]) -> Vec<f32> {
        (0..self.vocabulary.len()).flat_map(|word| self.vector_in(word, levels)).collect()
    }

    /// What a user means by `factor=level`, `level`, or several of them joined by commas, at most one
    /// of each factor.
    pub fn levels_named(&self, text: &str) -> Result<Vec<usize>, Error> {
        let levels = self.covariates.levels_named(text)?;
        let mut first = 0;
        for factor in &self.covariates.factors {
            let own = first..first + factor.levels.len();
            first = own.end;
            let mut named = levels.iter().filter(|level| own.contains(level));
            if let (Some(&a), Some(&b)) = (named.next(), named.next()) {
                let names = self.covariates.level_names();
                return Err(ModelError::OneFactor {
                    given: text.to_owned(),
                    factor: factor.name.clone(),
                    first: names[a].clone(),
                    second: names[b].clone(),
                }
                .into());
            }
        }
        Ok(levels)
    }

    /// The mean over some cells of the share that no choice of axes made diagonal, each cell by its
    /// entries; none where there was no axis step.
    pub fn off_diagonal(&self, inside: impl Fn(usize) -> bool) -> Option<f64> {
        let (mut sum, mut weight) = (0.0, 0.0);
        for own in &self.record.training.off_diagonal {
            let cell = own.cell as usize;
            if cell < self.covariates.cells.len() && inside(cell) {
                let entries = self.record.tensor.entries.by_cell.get(cell).copied().unwrap_or(0);
                sum += own.share * entries as f64;
                weight += entries as f64;
            }
        }
        (weight > 0.0).then(|| sum / weight)
    }

    /// A word's id, or an error that suggests a near one.
    pub fn word(&self, word: &str) -> Result<usize, Error> {
        Ok(self.vocabulary.find(word)? as usize)
    }

    /// How often a word occurs under levels; with several, at most as often as in each.
    pub fn count_in(&self, word: usize, levels: &[usize]) -> u64 {
        let of = |level: &usize| self.vocabulary.level_counts.get(*level).map(|c| c[word]);
        levels.iter().filter_map(of).min().unwrap_or(self.vocabulary.counts[word])
    }
}

/// Reads JSON of a model folder.
fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Error> {
    let text = std::fs::read(path).at("read", path)?;
    serde_json::from_slice(&text).map_err(|error| {
        ModelError::Damaged { path: path.to_owned(), problem: error.to_string() }.into()
    })
}
