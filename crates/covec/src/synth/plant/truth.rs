//! `truth.json` beside a planted text: which words were swapped where.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::parameters::PlantParameters;
use crate::error::Error;
use crate::tensor::record::{read_json, write_json};

/// All that was planted in a text. See `docs/synth.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planting {
    /// Version of covec that planted it.
    pub covec: String,
    /// `planted`.
    pub kind: String,
    /// The level in which words were swapped, as `factor=level`.
    pub level: String,
    /// How likely each occurrence was swapped.
    pub probability: f64,
    /// The seed.
    pub seed: u64,
    /// How often words to swap had to occur in the level.
    pub least: u64,
    /// How often they could at most.
    pub most: u64,
    /// The pairs, the rarest first.
    pub pairs: Vec<PlantedPair>,
}

/// Two words in each other's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlantedPair {
    /// One word.
    pub first: PlantedWord,
    /// The other, in the level just as frequent, or the next more frequent one.
    pub second: PlantedWord,
}

/// A word that was swapped, as it occurred before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlantedWord {
    /// The word.
    pub word: String,
    /// How often it occurred in the level.
    pub count: u64,
    /// How often it occurs elsewhere.
    pub elsewhere: u64,
    /// How many of its occurrences in the level became the other word.
    pub swapped: u64,
}

impl Planting {
    pub(super) fn new(
        level: String,
        parameters: &PlantParameters,
        pairs: Vec<PlantedPair>,
    ) -> Self {
        Self {
            covec: env!("CARGO_PKG_VERSION").to_owned(),
            kind: "planted".to_owned(),
            level,
            probability: parameters.probability,
            seed: parameters.seed.0,
            least: parameters.least,
            most: parameters.most,
            pairs,
        }
    }

    /// Every word that was swapped.
    pub fn words(&self) -> impl Iterator<Item = &PlantedWord> {
        self.pairs.iter().flat_map(|pair| [&pair.first, &pair.second])
    }

    /// Reads a file that [`super::plant`] wrote.
    pub fn read(path: &Path) -> Result<Self, Error> {
        read_json(path)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        write_json(path, self)
    }
}
