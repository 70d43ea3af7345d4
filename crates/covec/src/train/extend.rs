//! Fits new levels to a model that stands fast.
//!
//! Vectors, and the weights and biases of the levels that are there, stay as they are, bit for bit;
//! what is found are the weights and biases of the new levels. In turns: every word's new biases,
//! exactly, then a step of the new weights, until the loss stands still. A few passes over the new
//! entries, where training takes dozens over all.

use std::path::{Path, PathBuf};

use pulp::{Simd, WithSimd};

use super::blocks::Trainer;
use super::chance::Chance;
use super::examples::{Buffer, Examples, Row};
use super::loss;
use super::row::Strengths;
use super::simd::{self, Rows};
use super::state::{Layout, State, independence};
use super::table::Table;
use super::union::Union;
use super::{TrainError, TrainParameters};
use crate::artefact::Artefact;
use crate::error::Error;
use crate::lots::{End, Lots, Stream};
use crate::model::{self, Extension, Model, Need};
use crate::parallel;
use crate::parameters::Whole;
use crate::tensor::{self, CountParameters, Tensor};
use crate::vocabulary::{Vocabulary, VocabularyParameters};
use crate::work::{Progress, Work};

/// Rounds at most.
const ROUNDS: u32 = 60;
/// It stands still when a round lowers the loss by less than this share.
const STILL: f64 = 1e-4;
/// Turns between the new levels of one word; with a single new level one is exact.
const TURNS: usize = 8;

/// Fits the new levels of a corpus to a model and writes the model with old and new levels to the
/// folder `output`.
///
/// The corpus is counted by the rules the model's own was counted by. Every document must have a
/// level that is new in some factor; its levels of other factors may be old. Old levels are not
/// scaled anew: their squared weights still average 1, the new ones are on the same scale.
pub fn extend(
    model: &Model,
    inputs: &[PathBuf],
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    model.gives(Need::Training, "extend")?;
    let rules = rules(model)?;
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let folder = artefact.scratch().join("tensor");
    let words = &model.vocabulary.words;
    let tensor = tensor::count_known(inputs, &rules, words, &folder, work)?;
    let union = Union::new(&model.covariates, &tensor.covariates)?;
    let parameters = &model.record.parameters;
    let examples = Examples::load(&tensor, parameters, artefact.scratch(), work)?;
    let mut state = start(model, &tensor, &union, &examples);
    let fit = Fit {
        examples: &examples,
        parameters,
        new: &union.new,
        strengths: Trainer { examples: &examples, parameters, work }
            .strengths(model.record.training.ridge),
        work,
    };
    let (rounds, loss) = fit.run(&mut state)?;
    let held = loss::held_out(&state, &examples, &model.record.training.met, work)?;
    let (squares, weights) =
        held.iter().fold((0.0, 0.0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
    let held_out = (weights > 0.0).then(|| squares / weights);
    let names = union.covariates.level_names();
    let extension = Extension {
        levels: names
            .into_iter()
            .zip(&union.new)
            .filter(|(_, new)| **new)
            .map(|(n, _)| n)
            .collect(),
        inputs: tensor.record.inputs.clone(),
        corpus: tensor.record.corpus.clone(),
        rounds,
        loss,
        held_out,
    };
    let extended = extended(model, &tensor, union, &state, extension);
    extended.write(artefact)?;
    Ok(extended)
}

/// The rules that the model's corpus was counted by, but for those that choose words and levels: the
/// words are there already, and a new level is wanted however small it is.
pub(crate) fn rules(model: &Model) -> Result<CountParameters, TrainError> {
    if model.covariates.factors.is_empty() {
        return Err(TrainError::NoFactors);
    }
    let Some(mut rules) = model.record.tensor.parameters.clone() else {
        return Err(TrainError::NoRules { stage: model.record.tensor.stage.clone() });
    };
    rules.vocabulary = VocabularyParameters::default();
    rules.corpus.min_level_tokens = Whole(0);
    rules.corpus.order = Vec::new();
    Ok(rules)
}

/// The model's state, its new levels where the average level stands. The cells are the corpus's.
fn start(model: &Model, tensor: &Tensor, union: &Union, examples: &Examples) -> State {
    let (words, dim, levels) = (model.vocabulary.len(), model.dim, union.new.len());
    let cells = tensor.covariates.flat_levels();
    let mut layout = Layout::new(&union.covariates);
    layout.cells =
        cells.iter().map(|cell| cell.iter().map(|&level| union.own[level]).collect()).collect();
    let mut squares = Table::filled(levels, dim, 1.0);
    for (level, &place) in union.old.iter().enumerate() {
        for (x, weight) in squares.row_mut(place).iter_mut().zip(model.weight(level)) {
            *x = weight * weight;
        }
    }
    // What old levels added up to is not kept with a model; their words' counts tell it nearly.
    let counts: u64 = tensor.vocabulary.counts.iter().sum();
    let pairs = tensor.record.entries.total / counts.max(1) as f64;
    let mut sums = vec![0.0; levels * words];
    for (&place, counts) in union.old.iter().zip(&model.vocabulary.level_counts) {
        for (sum, &count) in sums[place * words..].iter_mut().zip(counts) {
            *sum += (count as f64 * pairs) as f32;
        }
    }
    for (&place, own) in union.own.iter().zip(examples.sums.chunks_exact(words)) {
        for (sum, own) in sums[place * words..].iter_mut().zip(own) {
            *sum += own;
        }
    }
    let prior = independence(&layout, &sums, words);
    let mut biases = prior.to_vec();
    for (&place, old) in union.old.iter().zip(model.biases.chunks_exact(words)) {
        biases[place * words..(place + 1) * words].copy_from_slice(old);
    }
    let cell_squares = Table::new(layout.cells.len(), dim);
    let vectors = Table::unpack(&model.vectors, dim);
    let mut state = State { layout, vectors, squares, cell_squares, biases, prior };
    state.multiply_squares();
    state
}

/// Old numbers as they were, new ones from the state.
fn extended(
    model: &Model,
    tensor: &Tensor,
    union: Union,
    state: &State,
    extension: Extension,
) -> Model {
    let (words, dim, levels) = (model.vocabulary.len(), model.dim, union.new.len());
    let mut weights: Vec<f32> =
        state.squares.packed().iter().map(|square| libm::sqrtf(*square)).collect();
    let mut biases = state.biases.clone();
    let mut level_counts = vec![vec![0; words]; levels];
    for (level, &place) in union.old.iter().enumerate() {
        weights[place * dim..(place + 1) * dim].copy_from_slice(model.weight(level));
        let old = &model.biases[level * words..(level + 1) * words];
        biases[place * words..(place + 1) * words].copy_from_slice(old);
        level_counts[place].clone_from(&model.vocabulary.level_counts[level]);
    }
    for (&place, own) in union.own.iter().zip(&tensor.vocabulary.level_counts) {
        add(&mut level_counts[place], own);
    }
    let mut vocabulary = Vocabulary { level_counts, ..model.vocabulary.clone() };
    add(&mut vocabulary.counts, &tensor.vocabulary.counts);
    add(&mut vocabulary.documents, &tensor.vocabulary.documents);
    let mut deviations = model.deviations.clone();
    for level in &mut deviations.levels {
        *level = union.old[*level as usize] as u32;
    }
    let mut record = model.record.clone();
    env!("CARGO_PKG_VERSION").clone_into(&mut record.covec);
    "extend".clone_into(&mut record.stage);
    record.training.renumber(&union.old, levels, &union.old_cells);
    record.extensions.push(extension);
    let mut model = Model {
        vocabulary,
        covariates: union.covariates,
        record,
        dim,
        weights: weights.into(),
        biases: biases.into(),
        deviations,
        ..model.clone()
    };
    model.record.fingerprint = model.fingerprint();
    model
}

fn add(sums: &mut [u64], counts: &[u64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

/// What stays the same while new levels are fitted.
pub(super) struct Fit<'a> {
    pub(super) examples: &'a Examples,
    pub(super) parameters: &'a TrainParameters,
    pub(super) new: &'a [bool],
    pub(super) strengths: Strengths,
    pub(super) work: &'a Work<'a>,
}

impl Fit<'_> {
    fn trainer(&self) -> Trainer<'_> {
        Trainer { examples: self.examples, parameters: self.parameters, work: self.work }
    }

    /// Rounds until the loss stands still: how many, and the loss.
    pub(super) fn run(&self, state: &mut State) -> Result<(u32, f64), Error> {
        let trainer = self.trainer();
        let mut curvatures = vec![1.0; self.new.len()];
        let entries = self.examples.entries.max(1) as f64;
        let mut before = f64::INFINITY;
        for round in 1..=ROUNDS {
            let share = Some(f64::from(round) / f64::from(ROUNDS));
            self.work.observer.progress(Progress { stage: "extending", share, words: 0 });
            self.biases(state, round)?;
            let fixed = trainer.fixed(state)?;
            let steps = trainer.steps(&fixed);
            let mut squares = Vec::new();
            for (factor, (levels, _)) in state.layout.factors.clone().into_iter().enumerate() {
                if levels.clone().any(|level| self.new[level]) {
                    let free = |level: usize| self.new[level];
                    squares = steps.factor(state, factor, &mut curvatures, &free)?;
                }
            }
            let loss = squares.iter().sum::<f64>() / entries / 2.0;
            if !loss.is_finite() || !state.is_finite() {
                return Err(TrainError::NotFinite { sweep: round }.into());
            }
            if before - loss < STILL * before || round == ROUNDS {
                return Ok((round, loss));
            }
            before = loss;
        }
        Ok((ROUNDS, before))
    }

    /// The new biases of all words, block by block in random order as in training: words of one
    /// block do not see each other move.
    fn biases(&self, state: &mut State, round: u32) -> Result<(), Error> {
        let words = state.words();
        let mut order: Vec<usize> = (0..words).collect();
        Stream::new(self.parameters.seed.0, End::Order, u64::from(round)).shuffle(&mut order);
        // New biases of one word hardly touch what all words have in common.
        let chance = self.trainer().chance(state)?;
        let mut desks = Vec::new();
        for block in order.chunks((words / 64).clamp(8, 1024)) {
            self.work.proceed()?;
            let now = &*state;
            let solved = parallel::map(
                self.work.threads,
                block.len(),
                &mut desks,
                || Desk::new(now.dim()),
                |desk, i| self.word(now, chance.as_ref(), block[i], desk),
            )?;
            for (&word, solved) in block.iter().zip(solved) {
                for (level, bias) in solved {
                    state.biases[level * words + word] = bias;
                }
            }
        }
        Ok(())
    }

    /// The new biases of one word: where what it has of data and what draws it are in balance.
    fn word(
        &self,
        state: &State,
        chance: Option<&Chance>,
        word: usize,
        desk: &mut Desk,
    ) -> Result<Vec<(usize, f32)>, Error> {
        let Desk { buffer, scaled, weights } = desk;
        let row = self.examples.row(word, buffer)?;
        let mut pulls = pulp::Arch::new().dispatch(Visit { state, row, word, scaled, weights });
        if let Some(chance) = chance {
            pulls.extend(all_pairs(state, chance, word));
        }
        let words = state.words();
        let place = |level: usize| level * words + word;
        let mut biases: Vec<f64> =
            (0..self.new.len()).map(|level| f64::from(state.biases[place(level)])).collect();
        let own = f64::from(self.strengths.biases);
        let away =
            |biases: &[f64], level: usize| biases[level] - f64::from(state.prior[place(level)]);
        for _ in 0..TURNS {
            for (levels, _) in &state.layout.factors {
                for level in levels.clone().filter(|&level| self.new[level]) {
                    let (mut rest, mut bend) = (-own * away(&biases, level), own);
                    let holds = |cell: usize| state.layout.cells[cell].contains(&level);
                    for pull in pulls.iter().filter(|pull| holds(pull.cell)) {
                        rest += pull.rest;
                        bend += pull.weight;
                    }
                    if bend <= 0.0 {
                        continue;
                    }
                    let by = rest / bend;
                    biases[level] += by;
                    for pull in pulls.iter_mut().filter(|pull| holds(pull.cell)) {
                        pull.rest -= pull.weight * by;
                    }
                }
            }
        }
        let new = (0..self.new.len()).filter(|&level| self.new[level]);
        Ok(new.map(|level| (level, biases[level] as f32)).collect())
    }
}

/// What a thread needs.
struct Desk {
    buffer: Buffer,
    scaled: Table,
    weights: Vec<f32>,
}

impl Desk {
    fn new(dim: usize) -> Self {
        let scaled = Table::new(1, dim);
        Self { buffer: Buffer::default(), scaled, weights: Vec::new() }
    }
}

/// What the entries of a cell want of the word's bias.
struct Pull {
    cell: usize,
    /// Weighted sum of the residuals.
    rest: f64,
    weight: f64,
}

/// What pairs with all other words, met or not, want of the word's biases.
fn all_pairs(state: &State, chance: &Chance, word: usize) -> impl Iterator<Item = Pull> {
    (0..state.layout.cells.len()).map(move |cell| {
        let weight = f64::from(chance.share(word)) * f64::from(chance.weight(cell));
        let rest = -weight * chance.wants(state, word, cell);
        Pull { cell, rest, weight }
    })
}

struct Visit<'a> {
    state: &'a State,
    row: Row<'a>,
    word: usize,
    scaled: &'a mut Table,
    weights: &'a mut Vec<f32>,
}

impl WithSimd for Visit<'_> {
    type Output = Vec<Pull>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<Pull> {
        let Visit { state, row, word, scaled, weights } = self;
        let stride = state.vectors.stride();
        let table = Rows::<S>::new(state.vectors.all(), stride);
        let squares = Rows::<S>::new(state.cell_squares.all(), stride);
        let scaled = S::as_mut_simd_f32s(scaled.all_mut()).0;
        let mut pulls = Vec::with_capacity(row.groups.len());
        for (cell, run) in row.iter() {
            simd::times(simd, table.row(word), squares.row(cell), scaled);
            let own = state.bias(word, cell);
            run.weigh(weights);
            let (mut rest, mut weight) = (0.0, 0.0);
            simd::each_dot(simd, table, run.cols, scaled, |at, dot| {
                let col = run.cols[at] as usize;
                let residual = run.targets[at] - own - state.bias(col, cell) - dot;
                rest += f64::from(weights[at] * residual);
                weight += f64::from(weights[at]);
            });
            pulls.push(Pull { cell, rest, weight });
        }
        pulls
    }
}
