//! The average word's system of equations, which stands in for every word's own where only its
//! shape is needed: it tells conjugate gradients in which directions data is dense.

use faer::{Mat, Side};

use super::state::State;
use super::table::Table;
use crate::error::Error;
use crate::parallel::{self, Pieces};
use crate::work::Work;

/// Words that are summed together.
const STRETCH: usize = 1024;

/// Mean and second moments of the vectors about zero, every word with the weight of its data.
#[derive(Debug)]
pub(crate) struct Moments {
    pub(crate) mean: Vec<f64>,
    pub(crate) second: Mat<f64>,
}

impl Moments {
    pub(crate) fn new(state: &State, weights: &[f32], work: &Work<'_>) -> Result<Self, Error> {
        let (words, dim) = (state.words(), state.dim());
        let parts = parallel::tasks(work.threads, words.div_ceil(STRETCH), |task| {
            let first = task * STRETCH;
            let weights = &weights[first..words.min(first + STRETCH)];
            let roots: Vec<f32> = weights.iter().map(|weight| weight.sqrt()).collect();
            let scaled = columns(dim + 1, roots.len(), |i, column| {
                let vector = &state.vectors.row(first + i)[..dim];
                column.iter_mut().zip(vector).for_each(|(to, x)| *to = x * roots[i]);
                column[dim] = roots[i];
            });
            Ok(product(scaled.as_ref(), scaled.as_ref().transpose()))
        })?;
        let sum = added(parts, dim + 1, dim + 1);
        let all = sum[(dim, dim)].max(f64::MIN_POSITIVE);
        let mean = (0..dim).map(|t| sum[(dim, t)] / all).collect();
        Ok(Self { mean, second: Mat::from_fn(dim, dim, |s, t| sum[(s, t)] / all) })
    }
}

/// Mean and principal directions.
#[derive(Debug, Clone)]
pub(crate) struct Average {
    pub(crate) mean: Table,
    /// A row for every principal direction.
    pub(crate) directions: Table,
    /// The variance along each.
    pub(crate) variances: Vec<f32>,
}

impl Average {
    pub(crate) fn new(moments: &Moments) -> Self {
        let Moments { mean, second } = moments;
        let dim = mean.len();
        let covariance = Mat::from_fn(dim, dim, |s, t| second[(s, t)] - mean[s] * mean[t]);
        let mut directions = Table::new(dim, dim);
        let mut variances = vec![1.0; dim];
        if let Ok(eigen) = covariance.self_adjoint_eigen(Side::Lower) {
            for (e, variance) in variances.iter_mut().enumerate() {
                *variance = (eigen.S()[e] as f32).max(0.0);
                for t in 0..dim {
                    directions.row_mut(e)[t] = eigen.U()[(t, e)] as f32;
                }
            }
        } else {
            // Vectors that are not finite: found out by the caller.
            for e in 0..dim {
                directions.row_mut(e)[e] = 1.0;
            }
        }
        let mut mean_row = Table::new(1, dim);
        for (x, m) in mean_row.row_mut(0).iter_mut().zip(mean) {
            *x = *m as f32;
        }
        Self { mean: mean_row, directions, variances }
    }
}

/// `a'b`.
pub(crate) fn between(a: &Table, b: &Table, work: &Work<'_>) -> Result<Mat<f64>, Error> {
    let parts = parallel::tasks(work.threads, a.rows().div_ceil(STRETCH), |task| {
        Ok(product(stretch(a, task).as_ref(), stretch(b, task).as_ref().transpose()))
    })?;
    Ok(added(parts, a.width(), b.width()))
}

/// The sum of matrices of these rows and columns, in their order.
pub(crate) fn added(parts: Vec<Mat<f32>>, rows: usize, cols: usize) -> Mat<f64> {
    let mut sum = Mat::<f64>::zeros(rows, cols);
    for part in parts {
        for t in 0..cols {
            for s in 0..rows {
                sum[(s, t)] += f64::from(part[(s, t)]);
            }
        }
    }
    sum
}

/// A table times a matrix.
pub(crate) fn multiplied(
    table: &Table,
    change: &Mat<f64>,
    work: &Work<'_>,
) -> Result<Table, Error> {
    let change = Mat::<f32>::from_fn(change.nrows(), change.ncols(), |s, t| change[(s, t)] as f32);
    let mut out = Table::new(table.rows(), change.ncols());
    let stride = out.stride();
    let pieces = Pieces::even(out.all_mut(), STRETCH * stride);
    parallel::tasks(work.threads, pieces.len(), |task| {
        let part = product(change.as_ref().transpose(), stretch(table, task).as_ref());
        for (i, row) in pieces.take(task).chunks_exact_mut(stride).enumerate() {
            for (t, x) in row[..part.nrows()].iter_mut().enumerate() {
                *x = part[(t, i)];
            }
        }
        Ok(())
    })?;
    Ok(out)
}

/// Some rows of a table, each as a column.
fn stretch(table: &Table, task: usize) -> Mat<f32> {
    let first = task * STRETCH;
    let len = STRETCH.min(table.rows() - first);
    let width = table.width();
    columns(width, len, |i, column| column.copy_from_slice(&table.row(first + i)[..width]))
}

/// A matrix with a column for every word: as vectors lie in memory, so do they in it.
pub(crate) fn columns(rows: usize, words: usize, fill: impl Fn(usize, &mut [f32])) -> Mat<f32> {
    let mut matrix = Mat::zeros(rows, words);
    for word in 0..words {
        fill(word, matrix.col_as_slice_mut(word));
    }
    matrix
}

/// A product of matrices on this thread alone.
pub(crate) fn product(a: faer::MatRef<'_, f32>, b: faer::MatRef<'_, f32>) -> Mat<f32> {
    let mut out = Mat::zeros(a.nrows(), b.ncols());
    faer::linalg::matmul::matmul(&mut out, faer::Accum::Replace, a, b, 1.0, faer::Par::Seq);
    out
}
