//! A model fitted to other counts of the same words and levels, from where it stands.
//!
//! Ridge, strength of the deviations and axes are the model's: they are not chosen again, so what
//! differs comes from the counts. A few sweeps are enough from there, where a fit from the start takes
//! many, turns of the axes, and trials of the ridge. Dimensions keep order and sign: those of the refit
//! are those of the model.

use std::path::Path;

use super::blocks::{Run, Trainer};
use super::deviations;
use super::examples::Examples;
use super::haste::Haste;
use super::state::{Layout, State};
use super::table::Table;
use super::{TrainError, parameters::TrainParameters};
use crate::error::Error;
use crate::model::{Deviations, Model};
use crate::tensor::Tensor;
use crate::work::Work;

/// Where the levels' weights begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begin {
    /// As the model has them.
    Model,
    /// Those of this factor's levels at 1, where its labels were shuffled: they are no nearer to the model's weights
    /// than to any others. From there a few sweeps would go part of the way only, and what was found would look larger
    /// than chance.
    Even(usize),
}

/// The model as it would be with the counts of `tensor`, which has its words and levels.
pub(crate) fn refit(
    model: &Model,
    tensor: &Tensor,
    (begin, sweeps): (Begin, u32),
    scratch: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    let parameters: &TrainParameters = &model.record.parameters;
    let mut examples = Examples::load(tensor, parameters, scratch, work)?;
    let layout = Layout::new(&tensor.covariates);
    let prior = examples.take_prior(&layout);
    let mut state = State::start(layout, prior, parameters);
    state.vectors = Table::unpack(&model.vectors, model.dim);
    let even = match begin {
        Begin::Model => 0..0,
        Begin::Even(factor) => state.layout.factors[factor].0.clone(),
    };
    for level in 0..model.levels() {
        for (x, weight) in state.squares.row_mut(level).iter_mut().zip(model.weight(level)) {
            *x = if even.contains(&level) { 1.0 } else { weight * weight };
        }
    }
    state.multiply_squares();
    state.biases = model.biases.to_vec();
    let trainer = Trainer { examples: &examples, parameters, work };
    let mut run = Run::start(state, parameters);
    run.ridge = model.record.training.ridge;
    run.ridge_settled = true;
    let mut haste = Haste::default();
    let mut noise = 0.0;
    for sweep in 1..=sweeps {
        let before = run.state.squares.packed();
        let squares = trainer.pass(&mut run, sweep)?;
        noise = squares.iter().sum::<f64>() / examples.entries.max(1) as f64;
        if !run.state.is_finite() {
            return Err(TrainError::NotFinite { sweep }.into());
        }
        // Where no sweep follows, the vectors could not come after.
        if sweep < sweeps {
            let step = (before, run.state.squares.packed());
            let next = haste.next(step, &trainer.importance(&run.state)?);
            run.state.set_squares(&next);
            run.state.normalise();
        }
    }
    trainer.pruned(&mut run, noise)?;
    run.state.normalise();
    run.state.centre(work)?;
    // The same words deviate, however often they were drawn.
    let deviations = match &model.record.training.deviations {
        Some(earlier) => deviations::again(&trainer, &run.state, &model.vocabulary, earlier)?,
        None => Deviations::none(model.dim),
    };
    let state = run.state;
    Ok(Model {
        vectors: state.vectors.packed().into(),
        weights: state.squares.packed().iter().map(|x| libm::sqrtf(*x)).collect(),
        biases: state.biases.into(),
        deviations,
        ..model.clone()
    })
}
