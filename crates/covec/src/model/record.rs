//! `run.json`: how a model came to be. It holds nothing that depends on threads, memory or time.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Baseline, Model, ModelError, read_json};
use crate::corpus::{Fingerprint, digest_text};
use crate::error::Error;
use crate::tensor;
use crate::train::{TrainParameters, Training};
use zerocopy::IntoBytes;

/// The version of the folder's format; a later one is refused.
pub const FORMAT: u32 = 1;

/// How a model came to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of covec that wrote it.
    pub covec: String,
    /// Version of the format.
    pub format: u32,
    /// `train`, `extend` or `baseline`.
    pub stage: String,
    /// Ties the files of the folder together: a digest of vocabulary, covariates and numbers.
    pub fingerprint: String,
    /// The parameters of training.
    pub parameters: TrainParameters,
    /// How the tensor came to be that it was trained on.
    pub tensor: tensor::Record,
    /// How training went.
    pub training: Training,
    /// What it was extended by since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<Extension>,
    /// The other method that made it; none where covec's own did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
}

/// Levels that were fitted to a model whose vectors stood fast.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extension {
    /// The levels, as `factor=level`.
    pub levels: Vec<String>,
    /// What was read.
    pub inputs: Vec<Fingerprint>,
    /// The corpus in numbers.
    pub corpus: Option<tensor::CorpusRecord>,
    /// Rounds of steps on biases and weights.
    pub rounds: u32,
    /// ½ · mean over the entries of weight · residual².
    pub loss: f64,
    /// Weighted mean of the squared residuals of held-out pairs; none where nothing is held out.
    pub held_out: Option<f64>,
}

impl Record {
    /// Whether this is the `run.json` of a model.
    pub(super) fn speaks_of_training(path: &Path) -> bool {
        let run = std::fs::read(path).unwrap_or_default();
        serde_json::from_slice::<serde_json::Value>(&run)
            .is_ok_and(|run| run.get("training").is_some())
    }

    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        /// What every version says.
        #[derive(Deserialize)]
        struct Version {
            covec: String,
            format: u32,
            training: Option<serde_json::Value>,
        }
        let version: Version = read_json(path)?;
        let folder = path.parent().unwrap_or(path).to_owned();
        if version.training.is_none() {
            let problem = "its run.json speaks of no training".to_owned();
            return Err(ModelError::NotAModel { path: folder, problem }.into());
        }
        if version.format != FORMAT {
            let (found, by) = (version.format, version.covec);
            return Err(ModelError::Format { path: folder, found, by }.into());
        }
        read_json(path)
    }
}

impl Model {
    /// The digest that ties a folder together.
    pub(crate) fn fingerprint(&self) -> String {
        let mut digest = Sha256::new();
        for word in &self.vocabulary.words {
            digest.update(format!("{word}\0"));
        }
        for counts in &self.vocabulary.level_counts {
            digest.update(counts.as_bytes());
        }
        digest.update(serde_json::to_string(&self.covariates).unwrap_or_default());
        for numbers in [&self.vectors, &self.weights, &self.biases] {
            digest.update(numbers.as_bytes());
        }
        digest.update(self.deviations.words.as_bytes());
        digest.update(self.deviations.levels.as_bytes());
        digest.update(self.deviations.numbers.as_bytes());
        digest.update(self.deviations.contexts.as_bytes());
        digest.update(self.contexts.as_bytes());
        digest_text(digest)
    }
}
