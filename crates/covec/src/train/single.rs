//! One level fitted by itself: GloVe.
//!
//! With tied vectors it is what [`super::train`] does where there is but one level, bit for bit. With untied ones it is GloVe as
//! published (Pennington et al. 2014): a word and a context vector for every word, AdaGrad entry by entry, no ridge unless one
//! is asked for, everything starting uniformly within ±½ divided by the dimensions, and as many sweeps as are asked for.

use std::path::Path;

use super::blocks::{Run, Trainer};
use super::examples::Examples;
use super::gradient::{self, Adagrad};
use super::loading::Part;
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
    part: Part<'_>,
    parameters: &TrainParameters,
    vectors: Vectors,
    scratch: &Path,
    work: &Work<'_>,
) -> Result<Single, Error> {
    match vectors {
        Vectors::Tied => tied(tensor, part, parameters, scratch, work),
        Vectors::Untied => untied(tensor, part, parameters, scratch, work),
    }
}

fn tied(
    tensor: &Tensor,
    part: Part<'_>,
    parameters: &TrainParameters,
    scratch: &Path,
    work: &Work<'_>,
) -> Result<Single, Error> {
    let mut examples = Examples::part(tensor, part, parameters, scratch, work)?;
    let prior = examples.take_prior(&Layout::one());
    if examples.entries == 0 {
        return Ok(Single::nothing(&prior, parameters, None));
    }
    let trainer = Trainer { examples: &examples, parameters, work };
    let mut state = State::start(Layout::one(), prior.clone(), parameters);
    let start = (parameters.seed.0, parameters.chance(examples.factors));
    spectrum::start(&mut state, &examples, start, work)?;
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
    part: Part<'_>,
    parameters: &TrainParameters,
    scratch: &Path,
    work: &Work<'_>,
) -> Result<Single, Error> {
    // Words and contexts apart take the room twice, and for a moment once more.
    let third = Work { memory: Bytes(work.memory.0 / 3), ..*work };
    let mut examples = Examples::part(tensor, part, parameters, scratch, &third)?;
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
        // The first sweeps go up and down, and would be taken for the end.
        tolerance: f64::NEG_INFINITY,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::weighting::Weighting;

    /// A random symmetric table, some of it empty.
    fn counts(words: usize) -> Vec<Vec<f64>> {
        let mut lots = Stream::new(5, End::Sample, 0);
        let mut table = vec![vec![0.0; words]; words];
        for (i, j) in (0..words).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let count = if lots.share() < 0.7 { lots.between(0.2, 30.0) } else { 0.0 };
            (table[i][j], table[j][i]) = (count, count);
        }
        table
    }

    /// GloVe's loss as it is printed in the paper, halved as its program has it: over all ordered pairs. First the vectors
    /// of words, then of contexts; then their biases.
    fn published(counts: &[Vec<f64>], dim: usize, numbers: &[f64], weighting: Weighting) -> f64 {
        let words = counts.len();
        let (vectors, biases) = numbers.split_at(2 * words * dim);
        let row = |row: usize| &vectors[row * dim..(row + 1) * dim];
        let mut sum = 0.0;
        for (i, j) in (0..words).flat_map(|i| (0..words).map(move |j| (i, j))) {
            if counts[i][j] > 0.0 {
                let log = libm::log(counts[i][j]);
                let dot: f64 = row(i).iter().zip(row(words + j)).map(|(a, b)| a * b).sum();
                let residual = dot + biases[i] + biases[words + j] - log;
                sum += f64::from(weighting.of(log as f32)) * residual * residual / 2.0;
            }
        }
        sum
    }

    /// What the solver moves, in the order of [`published`].
    fn numbers(state: &State) -> Vec<f64> {
        let all = state.vectors.packed();
        all.iter().chain(&state.biases).map(|x| f64::from(*x)).collect()
    }

    #[test]
    fn untied_vectors_follow_the_slope_of_the_published_loss() {
        let (words, dim, rate) = (9, 3, 1e-4);
        let parameters = TrainParameters {
            dim: dim as u32,
            sweeps: 1,
            solver: Solver::Adagrad,
            ridge: AutoOr::At(0.0),
            x_max: 10.0,
            ..TrainParameters::default()
        };
        let counts = counts(words);
        let examples = Examples::of_counts(&counts, &parameters);
        let examples = examples.doubled(Path::new(".")).unwrap();
        let work = Work::default();
        let trainer = Trainer { examples: &examples, parameters: &parameters, work: &work };
        let mut state = State::start(Layout::one(), vec![0.0; 2 * words].into(), &parameters);
        // Farther out than GloVe's own start, so that the slopes are not nearly 0.
        state.scatter(7);
        let before = numbers(&state);
        let mut run = Run::start(state, &parameters);
        gradient::train(&trainer, &Adagrad { rate }, &mut run, |_| Ok(())).unwrap();
        let after = numbers(&run.state);
        let weighting = Weighting::new(&parameters);
        let loss = |numbers: &[f64]| published(&counts, dim, numbers, weighting);
        for place in 0..before.len() {
            let mut near = [before.clone(), before.clone()];
            near[0][place] -= 1e-5;
            near[1][place] += 1e-5;
            let slope = (loss(&near[1]) - loss(&near[0])) / 2e-5;
            let step = (before[place] - after[place]) / f64::from(rate);
            assert!((step - slope).abs() < 0.02 * slope.abs().max(0.5), "{place}: {step} {slope}");
        }
        // The loss that is told is of both orders, and half the mean.
        let entries = counts.iter().flatten().filter(|count| **count > 0.0).count() as f64;
        let told = run.record.sweeps[0].loss;
        assert!((told - loss(&after) / entries).abs() < 1e-5 * told, "{told}");
    }

    #[test]
    fn words_and_contexts_apart_have_every_entry_once_in_each_direction() {
        let parameters = TrainParameters::default();
        let counts = counts(7);
        let mut examples = Examples::of_counts(&counts, &parameters);
        let held =
            super::super::examples::Held { row: 5, col: 2, cell: 0, weight: 1.0, target: 0.0 };
        examples.held = vec![held];
        let doubled = examples.doubled(Path::new(".")).unwrap();
        let mut buffer = super::super::examples::Buffer::default();
        for row in 0..14 {
            let own = doubled.row(row, &mut buffer).unwrap();
            let other = |col: u32| if row < 7 { col as usize - 7 } else { col as usize };
            let there = counts[row % 7].iter().filter(|count| **count > 0.0).count();
            assert_eq!(own.cols.len(), there);
            for (&col, &target) in own.cols.iter().zip(own.targets) {
                assert_eq!(target, libm::log(counts[row % 7][other(col)]) as f32);
            }
        }
        let pairs: Vec<(u32, u32)> = doubled.held.iter().map(|held| (held.row, held.col)).collect();
        assert_eq!(pairs, [(7 + 2, 5), (7 + 5, 2)]);
        assert_eq!(doubled.entries, 2 * examples.entries);
    }
}
