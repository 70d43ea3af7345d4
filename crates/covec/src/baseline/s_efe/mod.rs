//! Structured exponential family embeddings (Rudolph, Ruiz, Athey, Blei 2017).
//!
//! * **In:** a tensor and the corpus it was counted from: the same documents, words, levels and window.
//! * **Out:** a vector for every word in every level.
//! * **Invariants:** the same bits for any number of threads and any order of the inputs.
//! * **Cost:** an epoch takes two window sums and `2 + 3 · negatives` products of vectors a word, once for
//!   each factor; memory for levels × words × dimensions numbers twice (hierarchical), which is not bounded by `--memory`.
//!
//! A word v at a place of a text of level g, with c the sum of the context vectors α of the words
//! around it, is there with probability σ(c · ρ_gv), and a word that is not there is not with
//! σ(−c · ρ_gv): Bernoulli's likelihood, with some words drawn to stand for all that are not there. α
//! is common to all levels. What the ρ_gv of a word share is one of two things:
//!
//! ```text
//! hierarchical    ρ_gv = ρ_v + δ_gv      δ_gv ~ N(0, level_spread²)
//! amortised       ρ_gv = ρ_v + Σ_h tanh(w_gh · ρ_v) u_gh
//! α, ρ, w, u ~ N(0, spread²)
//! ```
//!
//! The sum of the logarithms of all of these is climbed by AdaGrad on batches. The hierarchical model is the
//! paper's, written with what a level has beyond the common vector (δ) where the paper writes ρ_gv itself:
//! the same objective, but text of every level then moves the common vectors directly. Where there are
//! several factors, a document is gone through once for each, as text of its level there.
//!
//! What the vectors say of counts is read off them when they are fitted (`reading.rs`).

mod climb;
mod compose;
mod expected;
mod felt;
mod learned;
mod network;
mod noise;
mod parameters;
mod part;
mod reading;
mod step;
mod stretches;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use parameters::{SEfeParameters, Sharing};

use super::BaselineError;
use super::parameters::told;
use super::slices::{Origin, Slice, Slices};
use super::texts::Texts;
use crate::artefact::Artefact;
use crate::error::Error;
use crate::model::{self, Baseline, Model, Spaces};
use crate::tensor::Tensor;
use crate::train::{Sweep, TrainParameters};
use crate::work::{Progress, Work};
use expected::Expected;
use noise::Noise;
use step::{Learning, Likely, Setting};
use stretches::{Draw, Stretch, batches, cut, kept, key};

/// The method's name, as on the command line.
const METHOD: &str = "s-efe";

/// Fits vectors to the documents a tensor was counted from, and writes the model to the folder `output`.
pub fn s_efe(
    inputs: &[PathBuf],
    tensor: &Tensor,
    parameters: &SEfeParameters,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    parameters.check()?;
    if tensor.covariates.level_names().len() < 2 {
        return Err(BaselineError::NoLevels { method: METHOD }.into());
    }
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let texts = Texts::read(tensor, inputs, work)?;
    let training =
        TrainParameters { dim: parameters.dim, seed: parameters.seed, ..Default::default() };
    let (mut found, likelihoods) = fit(tensor, &texts, parameters, work)?;
    let met = reading::read(&mut found, tensor, &training, work)?;
    let baseline = Baseline {
        method: METHOD.to_owned(),
        parameters: told(parameters),
        levels: Spaces::Shared,
        topics: false,
        counts: true,
        fits: Vec::new(),
    };
    let mut model = found.into_model(&Origin::from(tensor), &training, baseline);
    // How unlikely the text was, a word; less is better.
    let told = |(epoch, likelihood): (u32, f64)| Sweep {
        sweep: epoch,
        loss: -likelihood,
        objective: -likelihood,
        ..Sweep::default()
    };
    model.record.training.met = met;
    model.record.training.sweeps = (1..).zip(likelihoods).map(told).collect();
    model.write(artefact)?;
    Ok(model)
}

/// The vectors, and how likely an epoch's text was, in the mean over its words, epoch after epoch.
fn fit(
    tensor: &Tensor,
    texts: &Texts,
    parameters: &SEfeParameters,
    work: &Work<'_>,
) -> Result<(Slices, Vec<f64>), Error> {
    let levels = tensor.covariates.level_names().len();
    let (setting, stretches) = begin(tensor, texts, parameters, work);
    let words = tensor.vocabulary.len();
    let mut learning = Learning::start(words, levels, parameters);
    let mut likelihoods = Vec::new();
    for epoch in 0..parameters.epochs {
        let mut likely = Likely::default();
        let key = key(parameters.seed.0, epoch);
        let batches = batches(&stretches, parameters.batch as usize, parameters.seed.0, epoch);
        for (number, batch) in batches.iter().enumerate() {
            let batch: Vec<&Stretch> = batch.iter().map(|&stretch| &stretches[stretch]).collect();
            let here = learning.step(&setting, &batch, key)?;
            likely.sum += here.sum;
            likely.targets += here.targets;
            let done = f64::from(epoch) + (number + 1) as f64 / batches.len() as f64;
            work.observer.progress(Progress {
                stage: "fitting",
                share: Some(done / f64::from(parameters.epochs)),
                words: likely.targets,
            });
        }
        if !likely.sum.is_finite() {
            return Err(BaselineError::Diverged { epoch: epoch + 1 }.into());
        }
        likelihoods.push(likely.sum / likely.targets.max(1) as f64);
    }
    let all: Vec<u32> = (0..words as u32).collect();
    let slice = |level| {
        let vectors = learning.vectors(words, level)?;
        Ok(Slice { words: all.clone(), vectors, contexts: None })
    };
    let levels = (0..levels).map(slice).collect::<Result<_, Error>>()?;
    let (dim, contexts) = (parameters.dim as usize, learning.contexts(words));
    let slices = Slices { dim, levels, contexts, ..Slices::default() };
    Ok((slices, likelihoods))
}

/// What does not change while vectors are fitted, and the text in stretches.
fn begin<'a>(
    tensor: &Tensor,
    texts: &'a Texts,
    parameters: &'a SEfeParameters,
    work: &'a Work<'a>,
) -> (Setting<'a>, Vec<Stretch>) {
    let counts = &tensor.vocabulary.counts;
    let window = tensor.record.parameters.as_ref().map_or(0, |rules| rules.window.window);
    let draw = Draw {
        texts,
        window: window as usize,
        negatives: parameters.negatives as usize,
        kept: kept(counts, parameters.frequent),
        noise: Noise::new(counts),
    };
    let expected = Expected::new(&tensor.vocabulary, &draw);
    let stretches = cut(texts, &tensor.covariates.flat_levels());
    (Setting { draw, expected, parameters, work }, stretches)
}
