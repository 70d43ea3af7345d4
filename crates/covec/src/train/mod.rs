//! Stage 4: training.
//!
//! * **In:** a tensor folder ([`crate::tensor`]).
//! * **Out:** a [`Model`]; on the way a checkpoint, from which [`resume`] goes on.
//! * **Invariants:** the same bits for any number of threads and any memory, and for a run that was
//!   interrupted and resumed.
//! * **Cost:** about three passes of dot products and sums over all entries a sweep; 8 bytes an
//!   entry, or the disk.

mod absences;
mod alone;
pub(crate) mod average;
mod axes;
mod blocks;
mod canonical;
mod chance;
mod checkpoint;
mod cores;
mod deviations;
mod doubled;
mod error;
pub(crate) mod examples;
mod extend;
mod fit;
mod gradient;
mod haste;
mod held;
pub(crate) mod loading;
mod loss;
pub(crate) mod met;
mod parameters;
mod record;
mod refit;
mod ridge;
mod rotations;
mod row;
mod seeds;
pub(crate) mod simd;
mod single;
pub(crate) mod spectrum;
mod state;
pub(crate) mod table;
mod union;
mod weighting;
mod weights;

use std::path::Path;
use std::sync::Arc;

pub(crate) use alone::{Alone, alone};
pub use error::TrainError;
pub use extend::extend;
pub(crate) use extend::rules;
pub use fit::fit;
pub(crate) use held::held_pairs;
pub(crate) use loading::Part;
pub use met::Met;
pub use parameters::{AutoOr, Checked, Diagonal, Solver, Start, Switch, TrainParameters};
pub use record::{Agreement, CellShare, Deviating, RidgeTrial, Sweep, Training};
pub(crate) use refit::{Begin, Recounted};
pub use single::Vectors;
pub(crate) use single::{Single, single};
pub(crate) use state::{Layout, independence, normal};

use crate::artefact::Artefact;
use crate::error::Error;
use crate::model::{self, Deviations, Model, Numbers};
use crate::parallel;
use crate::tensor::Tensor;
use crate::vocabulary::Vocabulary;
use crate::work::Work;
use blocks::{Run, Trainer};
use checkpoint::Checkpoint;
use examples::Examples;
use gradient::{Adagrad, Adam};
use state::State;

/// Trains a model on a tensor and writes it to the folder `output`.
///
/// The model is the same, bit for bit, for any number of threads and any memory. While it is
/// trained, what was found so far is kept in `OUTPUT.checkpoint`, as often as `work` says and when
/// the observer stops the work; [`resume`] goes on from there.
pub fn train(
    tensor: &Tensor,
    parameters: Checked<'_>,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    begin(tensor, parameters.0, output, work, false)
}

/// Goes on with training that was interrupted or killed, to the same bits as if it had not been.
///
/// The tensor and the parameters must be the same; only `sweeps` and `tolerance`, which bound a run,
/// may differ: the model then is the one that a run with these bounds from the start would have
/// made, unless it has gone beyond them already.
pub fn resume(
    tensor: &Tensor,
    parameters: Checked<'_>,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    begin(tensor, parameters.0, output, work, true)
}

fn begin(
    tensor: &Tensor,
    parameters: &TrainParameters,
    output: &Path,
    work: &Work<'_>,
    resume: bool,
) -> Result<Model, Error> {
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let go_on = how_to_resume(&tensor.path, output);
    trained(tensor, parameters, output, artefact, work, resume, &go_on)
}

fn how_to_resume(tensor: &Path, output: &Path) -> String {
    let (tensor, output) = (tensor.display(), output.display());
    format!("covec train {tensor} -o {output} --resume, and the other parameters as before")
}

/// Trains into an artefact that was begun at `output`; `go_on` tells a user who interrupts it how to
/// resume.
fn trained(
    tensor: &Tensor,
    parameters: &TrainParameters,
    output: &Path,
    artefact: Artefact,
    work: &Work<'_>,
    resume: bool,
    go_on: &str,
) -> Result<Model, Error> {
    let mut checkpoint = Checkpoint::beside(output, tensor, parameters, work)?;
    if resume {
        checkpoint.check()?;
    } else if checkpoint.exists() {
        work.observer.note(&format!(
            "{} holds what an earlier run had found; --resume would go on with it, this run starts afresh",
            checkpoint.path().display()
        ));
    }
    let trained = parallel::staffed(work.threads, || {
        run(tensor, parameters, &artefact, &mut checkpoint, work, resume)
    });
    let (run, deviations) = trained.map_err(|error| match (error, checkpoint.kept()) {
        (Error::Interrupted, Some(_)) => {
            Error::Kept { checkpoint: checkpoint.path().to_owned(), go_on: go_on.to_owned() }
        }
        // Before the first sweep there was nothing that could be made a model of.
        (Error::Train(TrainError::NotFinite { sweep }), Some(kept)) if kept > 0 => {
            let checkpoint = checkpoint.path().to_owned();
            TrainError::Diverged { sweep, kept, checkpoint }.into()
        }
        (error, _) => error,
    })?;
    let model = finished(tensor, parameters, run, deviations);
    model.write(artefact)?;
    checkpoint.remove()?;
    Ok(model)
}

/// From the start or a checkpoint to the end, in canonical form, with deviations.
fn run(
    tensor: &Tensor,
    parameters: &TrainParameters,
    artefact: &Artefact,
    checkpoint: &mut Checkpoint<'_>,
    work: &Work<'_>,
    resume: bool,
) -> Result<(Run, Deviations), Error> {
    let mut examples = Examples::load(tensor, parameters, artefact.scratch(), work)?;
    let layout = Layout::new(&tensor.covariates);
    let prior = examples.take_prior(&layout);
    let trainer = Trainer { examples: &examples, parameters, work };
    let begin =
        |parameters: &TrainParameters| start(&Trainer { parameters, ..trainer }, &layout, &prior);
    let mut run = if resume {
        let mut run = checkpoint.read(State::start(layout.clone(), prior.clone(), parameters))?;
        trainer.resume(&mut run);
        run
    } else {
        begin(parameters)?
    };
    let mut each = |run: &Run| {
        // Hours of training must not end for want of room for a checkpoint.
        if let Err(error) = checkpoint.when_due(run) {
            work.observer.note(&format!("no checkpoint was written: {error}"));
        }
        Ok(())
    };
    let trained = solve(&trainer, &mut run, &mut each);
    // What is left to do begins from what was trained, so an interruption there can be resumed too.
    let ended = trained.and_then(|()| {
        let (mut ended, deviations) = end(&trainer, run.clone(), &tensor.vocabulary)?;
        let to_end = |trainer: &Trainer<'_>, run: &mut Run| solve(trainer, run, |_| Ok(()));
        ended.record.agreement = seeds::agreement(&trainer, &ended.state, begin, to_end)?;
        Ok((ended, deviations))
    });
    if let Err(Error::Interrupted) = ended {
        checkpoint.write(&run)?;
    }
    ended
}

/// Where a run begins, by its seed.
fn start(trainer: &Trainer<'_>, layout: &Layout, prior: &Arc<[f32]>) -> Result<Run, Error> {
    let Trainer { examples, parameters, work } = *trainer;
    let mut state = State::start(layout.clone(), prior.clone(), parameters);
    let start = (parameters.seed.0, parameters.chance(examples.factors));
    match parameters.solver {
        Solver::Blocks => spectrum::start(&mut state, examples, start, work)?,
        Solver::Adam | Solver::Adagrad => state.scatter(start.0),
    }
    Ok(Run::start(state, parameters))
}

/// Sweeps until nothing moves any more, by the solver that was asked for.
fn solve(
    trainer: &Trainer<'_>,
    run: &mut Run,
    each: impl FnMut(&Run) -> Result<(), Error>,
) -> Result<(), Error> {
    let rate = |auto: f64| trainer.parameters.learning_rate.at().unwrap_or(auto) as f32;
    match trainer.parameters.solver {
        Solver::Blocks => trainer.train(run, each),
        Solver::Adam => gradient::train(trainer, &Adam { rate: rate(Adam::RATE) }, run, each),
        Solver::Adagrad => {
            gradient::train(trainer, &Adagrad { rate: rate(Adagrad::RATE) }, run, each)
        }
    }
}

/// Zeros, the one form, and the words' own deviations.
fn end(
    trainer: &Trainer<'_>,
    mut run: Run,
    vocabulary: &Vocabulary,
) -> Result<(Run, Deviations), Error> {
    if trainer.parameters.solver == Solver::Blocks {
        trainer.prune(&mut run)?;
    }
    run.state.canonical(trainer.work)?;
    run.record.met = trainer.met(&run.state)?;
    let (deviations, told) = match trainer.parameters.deviations {
        Switch::On => deviations::fit(trainer, &run.state, vocabulary, run.ridge)?,
        Switch::Off => (Deviations::none(run.state.dim()), None),
    };
    run.record.deviations = told;
    Ok((run, deviations))
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
            extensions: Vec::new(),
            baseline: None,
        },
        dim: state.dim(),
        vectors: state.vectors.packed().into(),
        weights: state.squares.packed().iter().map(|x| libm::sqrtf(*x)).collect(),
        biases: state.biases.into(),
        deviations,
        contexts: Numbers::default(),
    };
    model.record.fingerprint = model.fingerprint();
    model
}
