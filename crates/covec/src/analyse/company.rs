//! How far the company that a word is expected to keep differs between two views.
//!
//! Under a view the model predicts `ln A_ij = b_i + b_j + Σ_t c_t² v_it v_jt`. A change x of
//! `c² ∘ v_i` changes that, for a word j that is met with probability p_j, by `x·v_j`; what it
//! changes for all words alike is a matter of how often i occurs, not of its company. So
//!
//! ```text
//! size(x) = √ Σ_j p_j (x·(v_j − v̄))²  = √ (x' M x),   v̄ = Σ_j p_j v_j
//! ```
//!
//! is the root mean square change of a predicted log count: with 0.1 the typical word of its company is
//! met some 10 % more or less often. From view F to view T a word moves by two parts, in this one unit:
//!
//! ```text
//! topical   x = (c_T² − c_F²) ∘ v_i                     the same for every word with this vector
//! own       x = ½ (c_T² + c_F²) ∘ (δ_iT − δ_iF)         the word's own deviations
//! ```
//!
//! δ is counted from its mean over the levels of its factor, which is what it is in the base; p_j is
//! the mean of the shares that j has of the words of both views.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use super::{Lens, Part, View, levels_of};
use crate::error::Error;
use crate::model::Model;
use crate::parallel;
use crate::work::Work;

/// What is needed to tell how far words move from one view to another.
pub(crate) struct Company<'a> {
    model: &'a Model,
    from: &'a View,
    to: &'a View,
    /// M.
    metric: Mat<f32>,
    /// c_T² − c_F².
    difference: Vec<f32>,
    /// ½ (c_T² + c_F²).
    middle: Vec<f32>,
}

/// Words a task takes.
const STRETCH: usize = 512;

impl<'a> Company<'a> {
    pub(crate) fn new(model: &'a Model, from: &'a View, to: &'a View) -> Self {
        let [a, b] = [from, to].map(|view| Lens::new(model, view, Part::Topical).weight);
        let pairs = || a.iter().zip(&b);
        Self {
            model,
            from,
            to,
            metric: metric(model, &shares(model, [from, to])),
            difference: pairs().map(|(a, b)| b * b - a * a).collect(),
            middle: pairs().map(|(a, b)| 0.5 * (b * b + a * a)).collect(),
        }
    }

    /// Topical and own part of how far each word moves.
    pub(crate) fn moves(&self, words: &[u32], work: &Work<'_>) -> Result<Vec<(f64, f64)>, Error> {
        let dim = self.model.dim;
        let parts: Vec<&[u32]> = words.chunks(STRETCH).collect();
        let done = parallel::tasks(work.threads, parts.len(), |part| {
            work.proceed()?;
            let words = parts[part];
            let (mut topical, mut own) =
                (vec![0.0; words.len() * dim], vec![0.0; words.len() * dim]);
            for (row, &word) in topical.chunks_exact_mut(dim).zip(words) {
                let vector = self.model.vector(word as usize);
                for ((x, v), d) in row.iter_mut().zip(vector).zip(&self.difference) {
                    *x = v * d;
                }
            }
            for (row, &word) in own.chunks_exact_mut(dim).zip(words) {
                self.add_own(word as usize, self.to, 1.0, row);
                self.add_own(word as usize, self.from, -1.0, row);
                row.iter_mut().zip(&self.middle).for_each(|(x, m)| *x *= m);
            }
            let sizes = self.sizes(&topical).into_iter().zip(self.sizes(&own));
            Ok(sizes.collect::<Vec<_>>())
        })?;
        Ok(done.concat())
    }

    /// Adds a word's deviations in a view, less their mean over the levels of each factor.
    fn add_own(&self, word: usize, view: &View, sign: f32, sum: &mut [f32]) {
        let whole = sign * self.model.share_of_own(view.levels.len());
        for factor in 0..self.model.covariates.factors.len() {
            let levels = levels_of(self.model, factor);
            let Some(&named) = view.levels.iter().find(|level| levels.contains(level)) else {
                continue;
            };
            let share = 1.0 / levels.len() as f32;
            for level in levels {
                if let Some(deviation) = self.model.deviations.of(word, level) {
                    let factor = if level == named { 1.0 - share } else { -share };
                    for (sum, x) in sum.iter_mut().zip(deviation) {
                        *sum += whole * factor * x.to_f32();
                    }
                }
            }
        }
    }

    /// √ (x' M x) of every row.
    fn sizes(&self, rows: &[f32]) -> Vec<f64> {
        let dim = self.model.dim;
        let n = rows.len() / dim;
        let mut product = Mat::<f32>::zeros(dim, n);
        let rows_of = MatRef::from_column_major_slice(rows, dim, n);
        matmul(product.as_mut(), Accum::Replace, &self.metric, rows_of, 1.0, Par::Seq);
        let size = |(index, row): (usize, &[f32])| {
            let product = product.col_as_slice(index);
            let square: f64 =
                row.iter().zip(product).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            square.max(0.0).sqrt()
        };
        rows.chunks_exact(dim).enumerate().map(size).collect()
    }
}

/// The mean of the shares every word has of the words of two views.
fn shares(model: &Model, views: [&View; 2]) -> Vec<f64> {
    let words = model.vocabulary.len();
    let mut shares = vec![0.0; words];
    for view in views {
        let counts: Vec<f64> = (0..words).map(|word| view.count(model, word) as f64).collect();
        let total = counts.iter().sum::<f64>().max(1.0);
        shares.iter_mut().zip(counts).for_each(|(share, count)| *share += 0.5 * count / total);
    }
    shares
}

/// Σ_j p_j (v_j − v̄)(v_j − v̄)'.
fn metric(model: &Model, shares: &[f64]) -> Mat<f32> {
    let dim = model.dim;
    let mut mean = vec![0.0; dim];
    for (vector, share) in model.vectors.chunks_exact(dim).zip(shares) {
        mean.iter_mut().zip(vector).for_each(|(mean, x)| *mean += share * f64::from(*x));
    }
    let mut rows = Vec::with_capacity(model.vectors.len());
    for (vector, share) in model.vectors.chunks_exact(dim).zip(shares) {
        let root = share.sqrt();
        rows.extend(
            vector.iter().zip(&mean).map(|(x, mean)| ((f64::from(*x) - mean) * root) as f32),
        );
    }
    let rows = MatRef::from_column_major_slice(&rows, dim, shares.len());
    let mut metric = Mat::<f32>::zeros(dim, dim);
    matmul(metric.as_mut(), Accum::Replace, rows, rows.transpose(), 1.0, Par::Seq);
    metric
}
