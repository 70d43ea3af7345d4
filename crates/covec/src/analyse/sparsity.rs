//! Which dimensions levels do without: weights that are exactly 0.
//!
//! Training sets a weight to 0 where it cannot be told from 0, so zeros say which topics a level
//! does not have. Of every level: how many; of two levels of a factor with the zero sets Z_k and
//! Z_l: `both` = |Z_k ∩ Z_l| and `jaccard` = |Z_k ∩ Z_l| / |Z_k ∪ Z_l|; of all weights c_kt and of
//! each level's: a histogram, the zeros in a bin of their own. What chance alone makes of it is
//! measured by [`super::control`].
//!
//! **Cost:** levels² · dimensions.

use serde::Serialize;

use super::View;
use super::factor::levels_of;
use crate::model::Model;

/// What zeros are of that training made.
pub const MODEL: &str = "model";

/// The zeros of a level.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LevelZeros {
    /// `model`, or `control` for a level that was made by chance.
    pub of: &'static str,
    /// The level.
    pub level: String,
    /// Words of its documents.
    pub tokens: u64,
    /// Dimensions with weight 0.
    pub zeros: usize,
    /// Their share of all dimensions.
    pub share: f64,
}

/// What two levels of a factor have in common.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Overlap {
    /// One level.
    pub a: String,
    /// The other.
    pub b: String,
    /// Zeros of the first.
    pub a_zeros: usize,
    /// Zeros of the second.
    pub b_zeros: usize,
    /// Dimensions that both do without.
    pub both: usize,
    /// That by those that one of them does without; none where neither has zeros.
    pub jaccard: Option<f64>,
}

/// Weights of about the same size.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Bin {
    /// The level, or `all`.
    pub level: String,
    /// Weights above this; the first bin holds those that are exactly 0.
    pub from: f64,
    /// And up to this.
    pub to: f64,
    /// How many.
    pub count: usize,
}

/// The zeros of a level after a sweep of training.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SweepZeros {
    /// The sweep, from 1.
    pub sweep: u32,
    /// The level.
    pub level: String,
    /// Weights that were exactly 0.
    pub zeros: u32,
}

/// The level of everything, in a model without factors and in histograms.
const ALL: &str = "all";

/// The zeros of every level of every factor.
pub fn levels(model: &Model) -> Vec<LevelZeros> {
    zeros_of(model, MODEL)
}

pub(super) fn zeros_of(model: &Model, of: &'static str) -> Vec<LevelZeros> {
    let tokens = model.covariates.factors.iter().flat_map(|f| f.levels.iter().map(|l| l.tokens));
    let mut tokens: Vec<u64> = tokens.collect();
    if tokens.is_empty() {
        tokens.push(model.covariates.cells.iter().map(|cell| cell.tokens).sum());
    }
    let row = |((level, name), tokens): ((usize, String), u64)| {
        let zeros = zero_set(model, level).len();
        let share = zeros as f64 / model.dim as f64;
        LevelZeros { of, level: name, tokens, zeros, share }
    };
    names(model).into_iter().enumerate().zip(tokens).map(row).collect()
}

fn names(model: &Model) -> Vec<String> {
    let names = model.covariates.level_names();
    if names.is_empty() { vec![ALL.to_owned()] } else { names }
}

/// The dimensions with weight 0.
fn zero_set(model: &Model, level: usize) -> Vec<usize> {
    let weights = model.weight(level).iter().enumerate();
    weights.filter(|(_, weight)| **weight == 0.0).map(|(t, _)| t).collect()
}

/// What every two levels of the same factor have in common.
pub fn overlaps(model: &Model) -> Vec<Overlap> {
    let mut rows = Vec::new();
    for factor in 0..model.covariates.factors.len() {
        let views = View::of_factor(model, factor);
        let sets: Vec<Vec<usize>> =
            levels_of(model, factor).map(|level| zero_set(model, level)).collect();
        for (first, a) in sets.iter().enumerate() {
            for (second, b) in sets.iter().enumerate().skip(first + 1) {
                let both = a.iter().filter(|t| b.binary_search(t).is_ok()).count();
                let either = a.len() + b.len() - both;
                rows.push(Overlap {
                    a: views[first].name.clone(),
                    b: views[second].name.clone(),
                    a_zeros: a.len(),
                    b_zeros: b.len(),
                    both,
                    jaccard: (either > 0).then(|| both as f64 / either as f64),
                });
            }
        }
    }
    rows
}

/// All weights, then each level's, in a bin for 0 and `bins` equally wide ones up to the largest.
pub fn histogram(model: &Model, bins: usize) -> Vec<Bin> {
    let most = f64::from(model.weights.iter().copied().fold(0.0, f32::max));
    let width = most / bins.max(1) as f64;
    let one = |level: String, weights: &[f32]| {
        let mut counts = vec![0; bins.max(1) + 1];
        for weight in weights.iter().map(|weight| f64::from(*weight)) {
            let place = if weight > 0.0 { (weight / width).ceil() as usize } else { 0 };
            // A weight at the edge of a bin belongs to the bin that ends there.
            let place =
                if place > 1 && weight <= (place - 1) as f64 * width { place - 1 } else { place };
            counts[place.min(bins.max(1))] += 1;
        }
        let bin = move |(place, count): (usize, usize)| Bin {
            level: level.clone(),
            from: place.saturating_sub(1) as f64 * width,
            to: place as f64 * width,
            count,
        };
        counts.into_iter().enumerate().map(bin)
    };
    // Without factors the only level is all there is.
    let levels = if model.covariates.factors.is_empty() { Vec::new() } else { names(model) };
    let each = levels.into_iter().enumerate();
    let each = each.flat_map(|(level, name)| one(name, model.weight(level)));
    one(ALL.to_owned(), &model.weights).chain(each).collect()
}

/// How zeros came about in training, sweep by sweep.
pub fn sweeps(model: &Model) -> Vec<SweepZeros> {
    let names = names(model);
    let mut rows = Vec::new();
    for sweep in &model.record.training.sweeps {
        for (level, &zeros) in names.iter().zip(&sweep.zeros) {
            rows.push(SweepZeros { sweep: sweep.sweep, level: level.clone(), zeros });
        }
    }
    rows
}
