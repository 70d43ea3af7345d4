//! Where the vectors start: the principal directions of what the biases leave unexplained.
//!
//! If every pair weighed what its words' data make one expect, w_i w_j, the best vectors would
//! follow from the largest eigenvalues of Σ f r / √(w_i w_j), r being what independence leaves of
//! ln(count). Real weights differ, and sweeps see to that; but they begin near a good end, and those
//! of different seeds near the same. The eigenvectors come from a few products with a random block,
//! each about half a pass over the data.

use faer::{Mat, Side};
use pulp::{Simd, WithSimd};

use super::average::{between, multiplied};
use super::examples::{Buffer, Examples, Row};
use super::simd::{self, Rows};
use super::state::{self, State};
use super::table::Table;
use crate::error::Error;
use crate::parallel::{self, Pieces};
use crate::work::{Progress, Work};

/// Products with the block.
const PRODUCTS: usize = 3;
/// Columns of the block beyond the dimensions: some eigenvalues are below 0 and of no use.
const MORE: usize = 8;
/// Data that every word has at least, relative to the average word's: rare words would have
/// eigenvectors of their own.
const LEAST_DATA: f64 = 1.0;
/// No dimension starts with less than this share of the largest eigenvalue.
const LEAST: f64 = 1e-3;

/// Sets the vectors of a state whose biases stand; `chance` is how strongly pairs are drawn to independence.
pub(crate) fn start(
    state: &mut State,
    examples: &Examples,
    (seed, chance): (u64, f64),
    work: &Work<'_>,
) -> Result<(), Error> {
    let (words, dim) = (state.words(), state.dim());
    let width = dim + MORE;
    let scales = scales(examples);
    let mut block = state::normal(words, width, 1.0, seed, work.threads);
    for done in 1..PRODUCTS {
        let share = Some((done - 1) as f64 / PRODUCTS as f64);
        work.observer.progress(Progress { stage: "starting", share, words: 0 });
        let image = times(state, examples, &scales, &block, work)?;
        block = orthogonal(image, work)?;
    }
    let image = times(state, examples, &scales, &block, work)?;
    let inner = between(&block, &image, work)?;
    let inner = Mat::from_fn(width, width, |s, t| (inner[(s, t)] + inner[(t, s)]) / 2.0);
    let Ok(eigen) = inner.self_adjoint_eigen(Side::Lower) else {
        // Numbers that are not finite: the first sweep finds them too, and tells.
        state.scatter(seed);
        return Ok(());
    };
    // What chance would make of all pairs shrinks them alike.
    let total: f64 = examples.cell_weights.iter().sum();
    let cells = examples.cell_weights.iter().zip(&examples.unmet);
    let unmet: f64 = cells.map(|(weight, unmet)| weight * unmet).sum();
    let shrunk = 1.0 + chance * unmet / total.max(f64::MIN_POSITIVE);
    let largest = eigen.S()[width - 1];
    let change = Mat::from_fn(width, dim, |s, t| {
        let e = width - 1 - t;
        eigen.U()[(s, e)] * libm::sqrt(eigen.S()[e].max(LEAST * largest).max(0.0) / shrunk)
    });
    let mut vectors = multiplied(&block, &change, work)?;
    for (word, scale) in scales.iter().enumerate() {
        for x in vectors.row_mut(word) {
            *x *= scale;
        }
    }
    state.vectors = vectors;
    Ok(())
}

/// 1/√w of every word.
fn scales(examples: &Examples) -> Vec<f32> {
    let total: f64 = examples.cell_weights.iter().sum();
    let least = LEAST_DATA * total / examples.words().max(1) as f64;
    let root = libm::sqrt(total.max(f64::MIN_POSITIVE));
    let scale = |&weight: &f32| {
        let weight = (f64::from(weight) + least) / root;
        if weight > 0.0 { (1.0 / libm::sqrt(weight)) as f32 } else { 0.0 }
    };
    examples.row_weights.iter().map(scale).collect()
}

/// The same span, with orthonormal columns.
pub(crate) fn orthogonal(mut block: Table, work: &Work<'_>) -> Result<Table, Error> {
    let width = block.width();
    // Once for the shape, once more for what rounding left.
    for _ in 0..2 {
        let gram = between(&block, &block, work)?;
        let Ok(eigen) = gram.self_adjoint_eigen(Side::Lower) else { return Ok(block) };
        let least = (1e-12 * eigen.S()[width - 1]).max(f64::MIN_POSITIVE);
        let change = Mat::from_fn(width, width, |s, e| {
            eigen.U()[(s, e)] / libm::sqrt(eigen.S()[e].max(least))
        });
        block = multiplied(&block, &change, work)?;
    }
    Ok(block)
}

/// The scaled residuals times a block.
fn times(
    state: &State,
    examples: &Examples,
    scales: &[f32],
    block: &Table,
    work: &Work<'_>,
) -> Result<Table, Error> {
    let stretches = examples.stretches();
    let mut image = Table::new(block.rows(), block.width());
    let stride = image.stride();
    let lengths = stretches.iter().map(|range| range.len() * stride);
    let pieces = Pieces::cut(image.all_mut(), lengths);
    parallel::map(
        work.threads,
        stretches.len(),
        &mut Vec::new(),
        || (Buffer::default(), [Vec::new(), Vec::new()]),
        |(buffer, room), task| {
            work.proceed()?;
            let out = pieces.take(task).chunks_exact_mut(stride);
            for (word, out) in stretches[task].clone().zip(out) {
                let row = examples.row(word, buffer)?;
                pulp::Arch::new().dispatch(Times { state, row, word, scales, block, room, out });
            }
            Ok(())
        },
    )?;
    Ok(image)
}

struct Times<'a> {
    state: &'a State,
    row: Row<'a>,
    word: usize,
    scales: &'a [f32],
    block: &'a Table,
    /// For what is left of the targets, and for weights.
    room: &'a mut [Vec<f32>; 2],
    out: &'a mut [f32],
}

impl WithSimd for Times<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Times { state, row, word, scales, block, room: [factors, weights], out } = self;
        let table = Rows::<S>::new(block.all(), block.stride());
        let out = S::as_mut_simd_f32s(out).0;
        for (cell, run) in row.iter() {
            run.without_biases(state, word, cell, factors);
            run.weigh(weights);
            for (at, factor) in factors.iter_mut().enumerate() {
                *factor *= weights[at] * scales[word] * scales[run.cols[at] as usize];
            }
            simd::add_rows(simd, table, run.cols, factors, out);
        }
    }
}
