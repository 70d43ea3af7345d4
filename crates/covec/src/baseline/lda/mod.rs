//! Latent Dirichlet allocation (Blei, Ng, Jordan 2003).
//!
//! * **In:** a tensor and the corpus it was counted from: the same documents, words and levels. Where words
//!   stand in a document does not matter here, nor does the window.
//! * **Out:** a model whose dimensions are the topics: a level's squared weights are the shares of the topics
//!   in its text, over those in the text of the mean level; a word's base vector says how typical it is of each topic.
//! * **Invariants:** the same bits for any number of threads and any order of the inputs; the bound never
//!   falls.
//! * **Cost:** an epoch takes up to 30 products of a vector of topics for each distinct word of each piece;
//!   memory for pieces × topics, words × topics and 20 bytes for each distinct word of each piece.

mod parameters;
mod pieces;
mod seeds;
mod shares;
#[cfg(test)]
mod tests;
mod topics;
mod turns;

use std::path::{Path, PathBuf};

pub use parameters::LdaParameters;

use super::BaselineError;
use super::parameters::told;
use super::slices::{Origin, Slices};
use super::texts::Texts;
use crate::artefact::Artefact;
use crate::error::Error;
use crate::model::{self, Baseline, Model, Spaces};
use crate::tensor::Tensor;
use crate::train::{Sweep, TrainParameters};
use crate::work::{Progress, Work};
use pieces::Pieces;
use shares::Shares;
use topics::Topics;

/// The method's name, as on the command line.
const METHOD: &str = "lda";

/// Fits topics to the documents a tensor was counted from, and writes the model to the folder `output`.
pub fn lda(
    inputs: &[PathBuf],
    tensor: &Tensor,
    parameters: &LdaParameters,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    parameters.check()?;
    if tensor.covariates.level_names().len() < 2 {
        return Err(BaselineError::NoLevels { method: METHOD }.into());
    }
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let texts = Texts::read(tensor, inputs, work)?;
    let words = tensor.vocabulary.len();
    let pieces = Pieces::cut(&texts, words, parameters.piece_words as usize);
    drop(texts);
    let (topics, bounds) = fit(&pieces, words, parameters, work)?;
    let shares = Shares::new(&topics, &pieces, &tensor.covariates);
    let baseline = Baseline {
        method: METHOD.to_owned(),
        parameters: told(parameters),
        levels: Spaces::Shared,
        topics: true,
        counts: false,
        fits: Vec::new(),
    };
    let training =
        TrainParameters { dim: parameters.topics, seed: parameters.seed, ..Default::default() };
    let found =
        Slices { dim: shares.order.len(), base: Some(shares.words(&topics)), ..Slices::default() };
    let mut model = found.into_model(&Origin::from(tensor), &training, baseline);
    model.weights = shares.weights().into();
    // The bound a word, turned so that less is better.
    let told = |(epoch, bound): (u32, f64)| Sweep {
        sweep: epoch,
        loss: -bound,
        objective: -bound,
        ..Sweep::default()
    };
    model.record.training.sweeps = (1..).zip(bounds).map(told).collect();
    model.record.fingerprint = model.fingerprint();
    model.write(artefact)?;
    Ok(model)
}

/// Topics, and the bound a word, epoch after epoch.
fn fit(
    pieces: &Pieces,
    words: usize,
    parameters: &LdaParameters,
    work: &Work<'_>,
) -> Result<(Topics, Vec<f64>), Error> {
    let mut topics = Topics::start(pieces, words, parameters);
    let mut bounds: Vec<f64> = Vec::new();
    let total = pieces.total().max(1.0);
    for epoch in 0..parameters.epochs {
        let bound = topics.epoch(pieces, work)? / total;
        let share = Some(f64::from(epoch + 1) / f64::from(parameters.epochs));
        work.observer.progress(Progress { stage: "fitting", share, words: 0 });
        let last = bounds.last().copied();
        bounds.push(bound);
        if last.is_some_and(|last| bound - last < parameters.tolerance * last.abs()) {
            break;
        }
    }
    Ok((topics, bounds))
}
