//! How well the counts of pairs are predicted that were kept out of training.
//!
//! The pairs are the same for all models of a tensor, whatever the seed and the method. For pair (i, j) in cell c, with count A,
//! weight f(A) and prediction p = ln Â,
//!
//! ```text
//! error = Σ f(A) (p − ln A)² / Σ f(A)
//! ```
//!
//! over the pairs of a level. A model that also knows of pairs that never met predicts what is expected of all pairs, and is read through its
//! curve for those that met ([`Met`](crate::train::Met)).
//!
//! Beside it stands the same error where every method is read alike: every other pair says what predictions of a size stand for
//! ([`Calibration`]), and the rest is judged by that; then the other way round. What predicts:
//!
//! * a model with a vector for every word in every cell: x_i·x_j + b_i + b_j, with the vectors and biases of the cell's levels;
//! * a method that fits every level by itself predicts the level l as a whole. Where other factors cut the level into cells, every
//!   cell is given its share by independence: + o_i + o_j with o_i = ln(S_ic/S_il) − ½ ln(S_c/S_l), S being sums of counts;
//! * untied vectors, word and context, say two things of a pair, one for each order: their mean, ¼ (s_i·s_j − d_i·d_j) + b_i + b_j with s the
//!   sum and d the difference of word and context vector;
//! * where all levels share the context vectors α it is ½ (x_i·α_j + x_j·α_i) + b_i + b_j.
//!
//! Intervals are from draws of the pairs; more than [`LOTS`] pairs are dealt into so many lots, and lots are drawn.
//!
//! **Cost:** one pass over the tensor, and a product of vectors for every pair.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::calibration::{Calibration, Pair};
use super::resampled::{self, Resampling};
use super::{EvaluateError, EvaluateParameters, Scored};
use crate::analyse::{Lens, View};
use crate::error::Error;
use crate::model::{Model, Need, Spaces};
use crate::parallel;
use crate::tensor::Tensor;
use crate::train::examples::Held;
use crate::train::held_pairs;
use crate::work::Work;

/// Lots that pairs are dealt into.
const LOTS: usize = 4096;
/// Pairs a task takes.
const STRETCH: usize = 1 << 12;
/// What the rows are called.
const TEST: &str = "held-out pairs";
const MEASURE: &str = "weighted squared error";
const CALIBRATED: &str = "calibrated weighted squared error";
const ALL: &str = "all";

/// The error under every view; under the base, of all pairs.
pub fn held_out(
    model: &Model,
    tensor: &Tensor,
    views: &[View],
    parameters: &EvaluateParameters,
    work: &Work<'_>,
) -> Result<Vec<Scored>, Error> {
    parameters.check()?;
    model.gives(Need::Counts, "eval --held-out")?;
    let (expected, got) = (&model.record.tensor.fingerprint, &tensor.record.fingerprint);
    if expected != got {
        let (path, expected, got) = (tensor.path.clone(), expected.clone(), got.clone());
        return Err(EvaluateError::OtherTensor { path, expected, got }.into());
    }
    if model.covariates != tensor.covariates {
        return Err(EvaluateError::Extended.into());
    }
    let found = held_pairs(tensor, &model.record.parameters, work)?;
    if found.pairs.is_empty() {
        return Err(EvaluateError::NothingHeldOut.into());
    }
    let predictor = Predictor::new(model, &found.sums);
    let mut spoken: BTreeMap<Option<usize>, Spoken> = BTreeMap::new();
    let mut rows = Vec::new();
    for view in views {
        let Some(factor) = predictor.factor(view)? else { continue };
        let spoken = match spoken.entry(factor) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Spoken::new(&predictor, factor, &found.pairs, work)?),
        };
        let inside = predictor.inside(view);
        let own = |place: &usize| inside[found.pairs[*place].cell as usize];
        let places: Vec<usize> = (0..found.pairs.len()).filter(own).collect();
        let met = &model.record.training.met;
        let readings: [(_, &dyn Fn(usize) -> f64); 2] = [
            (MEASURE, &|place| met.read(spoken.pairs[place].told)),
            (CALIBRATED, &|place| spoken.read(place)),
        ];
        for (measure, read) in readings {
            let missed = places.iter().map(|&place| spoken.pairs[place].missed(read(place)));
            rows.push(scored(view, measure, &missed.collect::<Vec<_>>(), parameters));
        }
    }
    Ok(rows)
}

impl Pair {
    /// Weighted squared residual where this is said of it, and weight.
    fn missed(self, said: f64) -> (f64, f64) {
        let residual = self.target - said;
        (self.weight * residual * residual, self.weight)
    }
}

/// What was predicted of all pairs.
struct Spoken {
    pairs: Vec<Pair>,
    /// What the pairs at even places say of the others, and the other way round.
    halves: [Calibration; 2],
}

impl Spoken {
    fn new(
        predictor: &Predictor<'_>,
        factor: Option<usize>,
        held: &[Held],
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let pairs = parallel::tasks(work.threads, held.len().div_ceil(STRETCH), |task| {
            work.proceed()?;
            let end = ((task + 1) * STRETCH).min(held.len());
            let own = held[task * STRETCH..end].iter().map(|held| Pair {
                weight: held.weight.into(),
                told: predictor.predict(held, predictor.levels(held.cell as usize, factor)),
                target: held.target.into(),
            });
            Ok(own.collect::<Vec<_>>())
        })?
        .concat();
        let half = |first| Calibration::of(pairs.iter().skip(first).step_by(2).copied().collect());
        let halves = [half(0), half(1)];
        Ok(Self { pairs, halves })
    }

    /// What the other half makes of the prediction at a place.
    fn read(&self, place: usize) -> f64 {
        self.halves[1 - place % 2].read(self.pairs[place].told)
    }
}

fn scored(
    view: &View,
    measure: &'static str,
    missed: &[(f64, f64)],
    parameters: &EvaluateParameters,
) -> Scored {
    let mut lots = vec![(0.0, 0.0); missed.len().min(LOTS)];
    for (place, pair) in missed.iter().enumerate() {
        let lot = &mut lots[place % LOTS];
        *lot = (lot.0 + pair.0, lot.1 + pair.1);
    }
    let error = |times: &[u32]| {
        let sum = |of: fn(&(f64, f64)) -> f64| -> f64 {
            lots.iter().zip(times).map(|(lot, times)| of(lot) * f64::from(*times)).sum()
        };
        let weight = sum(|lot| lot.1);
        (weight > 0.0).then(|| sum(|lot| lot.0) / weight)
    };
    let resampling = Resampling { draws: parameters.resamples.0 as usize, seed: parameters.seed.0 };
    let (low, high) = resampled::interval(resampling.of(lots.len(), error), parameters.confidence);
    let level = if view.levels.is_empty() { ALL } else { &view.name };
    Scored {
        test: TEST.to_owned(),
        level: level.to_owned(),
        measure,
        score: error(&vec![1; lots.len()]),
        low,
        high,
        used: missed.len(),
        items: missed.len(),
        coverage: 1.0,
    }
}

fn product(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// What a model says of pairs.
struct Predictor<'a> {
    model: &'a Model,
    /// The levels of every cell.
    cells: Vec<Vec<usize>>,
    /// Sums of counts of every word in every cell: cell × words + word.
    sums: &'a [f32],
    /// Sums of counts of every cell.
    totals: Vec<f64>,
    /// Whether levels were fitted each by itself.
    by_level: bool,
}

impl<'a> Predictor<'a> {
    fn new(model: &'a Model, sums: &'a [f32]) -> Self {
        let mut cells = model.covariates.flat_levels();
        // A model without factors has one level.
        cells.iter_mut().filter(|levels| levels.is_empty()).for_each(|levels| levels.push(0));
        let by_level = model.record.baseline.as_ref().is_some_and(|own| own.levels != Spaces::One);
        let words = model.vocabulary.len().max(1);
        let total = |own: &[f32]| own.iter().map(|&sum| f64::from(sum)).sum();
        let totals = sums.chunks_exact(words).map(total).collect();
        Self { model, cells, sums, totals, by_level }
    }

    /// Where levels were fitted each by itself and there are several factors, the factor whose levels predict in a view. No view
    /// where nothing does.
    fn factor(&self, view: &View) -> Result<Option<Option<usize>>, Error> {
        if self.by_level && view.levels.len() > 1 {
            self.model.gives(Need::Combination, "eval --held-out")?;
        }
        if !self.by_level || self.model.covariates.factors.len() < 2 {
            return Ok(Some(None));
        }
        // Of all pairs every factor's levels would have a say of their own.
        let level = view.levels.first();
        let factor = |level| self.cells.iter().find_map(|own| own.iter().position(|l| l == level));
        Ok(level.and_then(factor).map(Some))
    }

    /// Which cells a view has.
    fn inside(&self, view: &View) -> Vec<bool> {
        let inside = |own: &Vec<usize>| view.levels.iter().all(|level| own.contains(level));
        self.cells.iter().map(inside).collect()
    }

    /// The levels that predict a cell: its own, or the one of a factor.
    fn levels(&self, cell: usize, factor: Option<usize>) -> &[usize] {
        let own = &self.cells[cell];
        factor.map_or(own, |factor| &own[factor..=factor])
    }

    fn predict(&self, held: &Held, levels: &[usize]) -> f64 {
        let (row, col) = (held.row as usize, held.col as usize);
        let (model, words) = (self.model, self.model.vocabulary.len());
        let lens = Lens::mixed(model, levels, levels);
        let mut vectors = [vec![0.0; model.dim], vec![0.0; model.dim]];
        vectors.iter_mut().zip([row, col]).for_each(|(x, word)| lens.write(word, x));
        let [a, b] = &vectors;
        let mut dot = match (model.context(row), model.context(col)) {
            (Some(row), Some(col)) => f64::midpoint(product(a, col), product(b, row)),
            _ => product(a, b),
        };
        if !model.deviations.contexts.is_empty() {
            let contexts = [row, col].map(|word| model.deviations.context_of(word, levels[0]));
            if let [Some(a), Some(b)] = contexts {
                dot -= a.iter().zip(b).map(|(a, b)| a.to_f64() * b.to_f64()).sum::<f64>();
            }
            dot /= 4.0;
        }
        let bias = |word: usize| -> f64 {
            levels.iter().map(|level| f64::from(model.biases[level * words + word])).sum()
        };
        dot + bias(row) + bias(col) + self.share(held, levels)
    }

    /// What a cell has of the level that predicts it, by independence.
    fn share(&self, held: &Held, levels: &[usize]) -> f64 {
        let (words, cell) = (self.model.vocabulary.len(), held.cell as usize);
        if !self.by_level || self.cells[cell].len() == 1 {
            return 0.0;
        }
        let sum = |cell: usize, word: usize| f64::from(self.sums[cell * words + word]);
        let inside = || {
            let has = |cell: &usize| self.cells[*cell].contains(&levels[0]);
            (0..self.cells.len()).filter(has)
        };
        let part = |word: usize| {
            let level: f64 = inside().map(|cell| sum(cell, word)).sum();
            libm::log(sum(cell, word) / level)
        };
        let level: f64 = inside().map(|cell| self.totals[cell]).sum();
        let size = libm::log(self.totals[cell] / level);
        part(held.row as usize) + part(held.col as usize) - size
    }
}
