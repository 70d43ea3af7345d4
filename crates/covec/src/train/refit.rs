//! A model fitted to other counts of the same words and levels, from where it stands or afresh.
//!
//! Ridge and strength of the deviations are the model's: a refit does not choose them again. From where the model stands a few sweeps are
//! enough, and dimensions keep order and sign: those of the refit are those of the model. But it stays near: a fit from the start
//! may have come to other axes and other weights, by the counts or by its seed, and words may have been let go farther or less far. How
//! much that differs only another fit from the start can show, which costs several times as much.

use std::path::Path;
use std::sync::Arc;

use super::TrainError;
use super::blocks::{Run, Trainer};
use super::deviations;
use super::examples::Examples;
use super::haste::Haste;
use super::parameters::{AutoOr, Solver, TrainParameters};
use super::seeds;
use super::state::{Layout, State};
use super::table::Table;
use crate::error::Error;
use crate::model::{Deviations, Model};
use crate::parameters::Whole;
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

/// A model, and other counts of its words and levels.
pub(crate) struct Recounted<'a> {
    model: &'a Model,
    examples: Examples,
    layout: Layout,
    prior: Arc<[f32]>,
    work: &'a Work<'a>,
}

impl<'a> Recounted<'a> {
    /// The counts of `tensor`, which has the model's words and levels, with the pairs of this `lot` held out; of 0 the model's.
    pub(crate) fn load(
        model: &'a Model,
        lot: u64,
        tensor: &Tensor,
        scratch: &Path,
        work: &'a Work<'a>,
    ) -> Result<Self, Error> {
        let parameters = &model.record.parameters;
        let mut examples = Examples::load_holding_out(lot, tensor, parameters, scratch, work)?;
        let layout = Layout::new(&tensor.covariates);
        let prior = examples.take_prior(&layout);
        Ok(Self { model, examples, layout, prior, work })
    }

    /// The model as it would be with these counts, from where it stands.
    pub(crate) fn refitted(&self, begin: Begin, sweeps: u32) -> Result<Model, Error> {
        let model = self.model;
        let parameters = &model.record.parameters;
        let mut state = State::start(self.layout.clone(), self.prior.clone(), parameters);
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
        let trainer = self.trainer(parameters);
        let mut run = Run::start(state, parameters);
        run.ridge = model.record.training.ridge;
        run.ridge_settled = true;
        let mut haste = Haste::default();
        let mut noise = 0.0;
        for sweep in 1..=sweeps {
            let before = run.state.squares.packed();
            let squares = trainer.pass(&mut run, sweep)?;
            noise = squares.iter().sum::<f64>() / self.examples.entries.max(1) as f64;
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
        run.state.centre(self.work)?;
        let own = self.model.record.training.deviations.as_ref().map(|earlier| {
            deviations::again(&trainer, &run.state, &self.model.vocabulary, earlier)
        });
        Ok(self.model_of(run.state, own.transpose()?))
    }

    /// The model that a fit from the start with another seed makes of these counts, its axes in the order of the model's that they
    /// are most like. Where documents were drawn again it also chooses how far words may deviate; shuffled labels are only asked
    /// for weights.
    pub(crate) fn afresh(&self, seed: u64, begin: Begin) -> Result<Model, Error> {
        let ridge = AutoOr::At(self.model.record.training.ridge);
        let earlier = self.model.record.parameters.clone();
        let parameters = &TrainParameters { seed: Whole(seed), seeds: 1, ridge, ..earlier };
        let trainer = self.trainer(parameters);
        let mut run = super::start(&trainer, &self.layout, &self.prior)?;
        super::solve(&trainer, &mut run, |_| Ok(()))?;
        if parameters.solver == Solver::Blocks {
            trainer.prune(&mut run)?;
        }
        run.state.canonical(self.work)?;
        seeds::align(
            &mut run.state,
            &Table::unpack(&self.model.vectors, self.model.dim),
            self.work,
        )?;
        let (vocabulary, ridge) = (&self.model.vocabulary, self.model.record.training.ridge);
        let own = self.model.record.training.deviations.as_ref().map(|earlier| match begin {
            Begin::Model => deviations::drawn(&trainer, &run.state, vocabulary, ridge, earlier),
            Begin::Even(_) => deviations::again(&trainer, &run.state, vocabulary, earlier),
        });
        Ok(self.model_of(run.state, own.transpose()?))
    }

    fn trainer<'t>(&'t self, parameters: &'t TrainParameters) -> Trainer<'t> {
        Trainer { examples: &self.examples, parameters, work: self.work }
    }

    /// A model of what was fitted. The same words may deviate, however often they were drawn.
    fn model_of(&self, state: State, own: Option<Deviations>) -> Model {
        Model {
            vectors: state.vectors.packed().into(),
            weights: state.squares.packed().iter().map(|x| libm::sqrtf(*x)).collect(),
            biases: state.biases.into(),
            deviations: own.unwrap_or_else(|| Deviations::none(self.model.dim)),
            ..self.model.clone()
        }
    }
}
