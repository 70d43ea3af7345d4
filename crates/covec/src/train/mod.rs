//! Stage 4: training.
//!
//! * **In:** a tensor folder ([`crate::tensor`]).
//! * **Out:** a [`Model`].
//! * **Invariants:** the same bits for any number of threads and any memory, and for a run that was
//!   interrupted and resumed.
//! * **Cost:** about three passes of dot products and sums over all entries a sweep; 12 bytes an
//!   entry, or the disk.

mod average;
mod axes;
mod blocks;
mod canonical;
mod deviations;
mod error;
mod examples;
mod gradient;
mod loss;
mod parameters;
mod record;
mod ridge;
mod rotations;
mod row;
mod simd;
mod state;
mod table;
mod weights;

use std::path::Path;

pub use error::TrainError;
pub use parameters::{AutoOr, Checked, Diagonal, Solver, Start, Switch, TrainParameters};
pub use record::{CellShare, Deviating, RidgeTrial, Sweep, Training};

use crate::artefact::Artefact;
use crate::error::Error;
use crate::model::{self, Deviations, Model};
use crate::tensor::Tensor;
use crate::work::Work;
use blocks::{Run, Trainer};
use examples::Examples;
use gradient::{Adagrad, Adam};
use state::{Layout, State};

/// Trains a model on a tensor and writes it to the folder `output`.
///
/// The model is the same, bit for bit, for any number of threads and any memory.
pub fn train(
    tensor: &Tensor,
    parameters: Checked<'_>,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    let parameters = parameters.0;
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let examples = Examples::load(tensor, parameters, artefact.scratch(), work)?;
    let layout = Layout::new(&tensor.covariates);
    let state = State::start(layout, &examples, parameters);
    let trainer = Trainer { examples: &examples, parameters, work };
    let mut run = Run::start(state, parameters);
    let each = |_: &Run| Ok(());
    let rate = |auto: f64| parameters.learning_rate.at().unwrap_or(auto) as f32;
    match parameters.solver {
        Solver::Blocks => {
            trainer.train(&mut run, each)?;
            trainer.prune(&mut run)?;
        }
        Solver::Adam => {
            gradient::train(&trainer, &Adam { rate: rate(Adam::RATE) }, &mut run, each)?
        }
        Solver::Adagrad => {
            gradient::train(&trainer, &Adagrad { rate: rate(Adagrad::RATE) }, &mut run, each)?
        }
    }
    run.state.canonical();
    let (deviations, told) = match parameters.deviations {
        Switch::On => deviations::fit(&trainer, &run.state, &tensor.vocabulary, run.ridge)?,
        Switch::Off => (Deviations::new(run.state.dim()), None),
    };
    run.record.deviations = told;
    let model = finished(tensor, parameters, run, deviations);
    model.write(artefact)?;
    Ok(model)
}

fn finished(
    tensor: &Tensor,
    parameters: &TrainParameters,
    run: Run,
    deviations: Deviations,
) -> Model {
    let state = run.state;
    let mut model = Model {
        vocabulary: tensor.vocabulary.clone(),
        covariates: tensor.covariates.clone(),
        record: model::Record {
            covec: env!("CARGO_PKG_VERSION").to_owned(),
            format: model::FORMAT,
            stage: "train".to_owned(),
            fingerprint: String::new(),
            parameters: parameters.clone(),
            tensor: tensor.record.clone(),
            training: run.record,
        },
        dim: state.dim(),
        vectors: state.vectors.packed(),
        weights: state.squares.packed().iter().map(|x| libm::sqrtf(*x)).collect(),
        biases: state.biases,
        deviations,
    };
    model.record.fingerprint = model.fingerprint();
    model
}
