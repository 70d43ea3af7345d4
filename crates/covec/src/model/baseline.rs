//! What `run.json` says of a model that another method than covec's own made, and what can be asked of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Model, ModelError};
use crate::parameters::choice;

/// How a baseline came to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    /// The method, as on the command line.
    pub method: String,
    /// Its own parameters, beside those of training.
    pub parameters: BTreeMap<String, String>,
    /// How the vectors of levels stand to each other.
    pub levels: Spaces,
    /// Whether its dimensions mean something, so that there are topics.
    pub topics: bool,
    /// Whether vectors and biases say what the logarithm of a count is.
    pub counts: bool,
    /// What was fitted, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fits: Vec<Fit>,
}

choice! {
    /// How the vectors of levels stand to each other.
    pub enum Spaces {
        /// A word has one vector, whatever the level.
        One = "one",
        /// Every level has a space of its own; there is no base.
        Apart = "apart",
        /// All levels lie in one space, the base in their middle.
        Shared = "shared",
    }
}

/// Vectors that were fitted to one level, or to all text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// `factor=level`, or `all`.
    pub slice: String,
    /// Words that have a vector.
    pub words: u64,
    /// Entries they were fitted to.
    pub entries: u64,
    /// Sweeps over them; 0 where the method takes none.
    pub sweeps: u32,
    /// The ridge on the vectors; 0 without.
    pub ridge: f64,
    /// ½ · mean over the entries of weight · residual².
    pub loss: Option<f64>,
    /// Weighted mean of the squared residuals of held-out pairs.
    pub held_out: Option<f64>,
}

/// What a question needs of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A base: vectors that hold for all levels.
    Base,
    /// Vectors that differ between levels and can be compared.
    Comparison,
    /// One level at a time: what several factors' levels mean together is not known.
    Combination,
    /// Dimensions that are topics, and levels that weigh them.
    Topics,
    /// covec's own training, to go on with.
    Training,
    /// Predictions of counts.
    Counts,
}

impl Model {
    /// Whether there are base vectors.
    pub fn has_base(&self) -> bool {
        self.record.baseline.as_ref().is_none_or(|own| own.levels != Spaces::Apart)
    }

    /// An error where the model's method does not give what a question needs.
    pub fn gives(&self, need: Need, question: &'static str) -> Result<(), ModelError> {
        let Some(own) = &self.record.baseline else { return Ok(()) };
        let (apart, one) = (own.levels == Spaces::Apart, own.levels == Spaces::One);
        let (why, way_out) = match need {
            Need::Base if apart => (
                "every level has a space of its own, so there is no base",
                "--in LEVEL, or --in each; or a model of covec baseline procrustes",
            ),
            Need::Comparison if apart => (
                "every level has a space of its own, so levels cannot be compared",
                "a model of covec baseline procrustes, which turns them onto each other; or of covec train",
            ),
            Need::Comparison if one => (
                "a word has one vector, whatever the level",
                "a model of covec baseline procrustes, or of covec train",
            ),
            Need::Combination if !one => (
                "it knows levels one at a time, not what several factors' levels mean together",
                "one level; or a model of covec train",
            ),
            Need::Topics if !own.topics => (
                "its dimensions have no meaning of their own, and its levels do not weigh them",
                "a model of covec train",
            ),
            Need::Training => {
                ("only what covec train made can be fitted further", "a model of covec train")
            }
            Need::Counts if !own.counts => (
                "it does not predict counts",
                "covec train, or covec baseline pooled, slices or s-efe; or the other tests of covec eval",
            ),
            _ => return Ok(()),
        };
        Err(ModelError::Baseline { method: own.method.clone(), question, why, way_out })
    }
}
