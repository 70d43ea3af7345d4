//! One level fitted by itself: GloVe.
//!
//! With tied vectors it is what [`super::train`] does where there is but one level, bit for bit. With untied ones it is GloVe as
//! published (Pennington et al. 2014): a word and a context vector for every word, AdaGrad entry by entry, no ridge unless one
//! is asked for, everything starting uniformly within ±½ divided by the dimensions.

use std::path::Path;

use super::blocks::{Run, Trainer};
use super::examples::Examples;
use super::gradient::{self, Adagrad};
use super::parameters::{AutoOr, Solver, TrainParameters};
use super::record::Training;
use super::spectrum;
use super::state::{Layout, State};
use crate::error::Error;
use crate::lots::{End, Lots, Stream};
use crate::parameters::{Bytes, choice};
use crate::tensor::Tensor;
use crate::work::Work;

choice! {
    /// How many vectors a word has while a level is fitted.
    pub enum Vectors {
        /// One, on both sides of a pair, as in covec's own model.
        Tied = "tied",
        /// One as a word and one as a context, which are added up in the end, as GloVe was published.
        Untied = "untied",
    }
}

/// What was fitted.
pub(crate) struct Single {
    /// Whether a word has entries to learn from.
    pub(crate) seen: Vec<bool>,
    /// Vectors, word after word; of untied ones the sums of word and context.
    pub(crate) vectors: Vec<f32>,
    /// Of untied vectors the differences, word − context.
    pub(crate) contexts: Option<Vec<f32>>,
    /// Biases; of untied vectors the means of both.
    pub(crate) biases: Vec<f32>,
    /// What independence makes of the biases.
    pub(crate) prior: Vec<f32>,
    /// Entries that were learnt from, both orders of a pair.
    pub(crate) entries: u64,
    pub(crate) training: Training,
}

impl Single {
    /// Where there is nothing to learn from.
    fn nothing(prior: &[f32], parameters: &TrainParameters, contexts: Option<Vec<f32>>) -> Self {
        let stopped = "there was nothing to learn from".to_owned();
        Self {
            seen: vec![false; prior.len()],
            vectors: vec![0.0; prior.len() * parameters.dim as usize],
            contexts,
            biases: prior.to_vec(),
            prior: prior.to_vec(),
            entries: 0,
            training: Training { stopped, ..Training::default() },
        }
    }
}

/// Fits vectors to some cells of a tensor, added up.
pub(crate) fn single(
    tensor: &Tensor,
    cells: &[bool],
    parameters: &TrainParameters,
    vectors: Vectors,
    scratch: &Path,
    work: &Work<'_>,
) -> Result<Single, Error> {
    match vectors {
        Vectors::Tied => tied(tensor, cells, parameters, scratch, work),
        Vectors::Untied => untied(tensor, cells, parameters, scratch, work),
    }
}

fn tied(
    tensor: &Tensor,
    cells: &[bool],
    parameters: &TrainParameters,
    scratch: &Path,
    work: &Work<'_>,
) -> Result<Single, Error> {
    let mut examples = Examples::part(tensor, cells, parameters, scratch, work)?;
    let prior = examples.take_prior(&Layout::one());
    if examples.entries == 0 {
        return Ok(Single::nothing(&prior, parameters, None));
    }
    let trainer = Trainer { examples: &examples, parameters, work };
    let mut state = State::start(Layout::one(), prior.clone(), parameters);
    spectrum::start(&mut state, &examples, parameters.seed.0, work)?;
    let mut run = Run::start(state, parameters);
    trainer.train(&mut run, |_| Ok(()))?;
    trainer.prune(&mut run)?;
    run.state.canonical(work)?;
    Ok(Single {
        seen: seen(&examples),
        vectors: run.state.vectors.packed(),
        contexts: None,
        biases: run.state.biases,
        prior: prior.to_vec(),
        entries: examples.entries,
        training: run.record,
    })
}

fn untied(
    tensor: &Tensor,
    cells: &[bool],
    parameters: &TrainParameters,
    scratch: &Path,
    work: &Work<'_>,
) -> Result<Single, Error> {
    // Words and contexts apart take the room twice, and for a moment once more.
    let third = Work { memory: Bytes(work.memory.0 / 3), ..*work };
    let mut examples = Examples::part(tensor, cells, parameters, scratch, &third)?;
    let words = examples.words();
    let prior = examples.take_prior(&Layout::one());
    let entries = examples.entries;
    if entries == 0 {
        return Ok(Single::nothing(&prior, parameters, Some(Vec::new())));
    }
    let seen = seen(&examples);
    let examples = examples.doubled(scratch)?;
    let ridge = parameters.ridge.at().unwrap_or(0.0);
    let parameters = &TrainParameters {
        solver: Solver::Adagrad,
        ridge: AutoOr::At(ridge),
        ..parameters.clone()
    };
    let trainer = Trainer { examples: &examples, parameters, work };
    let mut state = State::start(Layout::one(), [&*prior, &*prior].concat().into(), parameters);
    scatter(&mut state, parameters.seed.0);
    let mut run = Run::start(state, parameters);
    let rate = parameters.learning_rate.at().unwrap_or(Adagrad::RATE) as f32;
    gradient::train(&trainer, &Adagrad { rate }, &mut run, |_| Ok(()))?;
    let all = run.state.vectors.packed();
    let (own, context) = all.split_at(all.len() / 2);
    let pairs = || own.iter().zip(context);
    let biases = run.state.biases.split_at(words);
    Ok(Single {
        seen,
        vectors: pairs().map(|(own, context)| own + context).collect(),
        contexts: Some(pairs().map(|(own, context)| own - context).collect()),
        biases: biases.0.iter().zip(biases.1).map(|(a, b)| (a + b) / 2.0).collect(),
        prior: prior.to_vec(),
        entries,
        training: run.record,
    })
}

fn seen(examples: &Examples) -> Vec<bool> {
    (0..examples.words()).map(|word| examples.len(word) > 0).collect()
}

/// Vectors and biases start as GloVe's do, every row with a stream of its own.
fn scatter(state: &mut State, seed: u64) {
    let dim = state.dim();
    for row in 0..state.words() {
        let mut lots = Stream::new(seed, End::Start, row as u64);
        let mut draw = || ((lots.share() - 0.5) / dim as f64) as f32;
        state.vectors.row_mut(row)[..dim].iter_mut().for_each(|x| *x = draw());
        state.biases[row] = draw();
    }
}
