//! The largest singular values of a large matrix that is only known by its products, and their left sides.
//!
//! A random block is multiplied by the matrix and its transpose in turns, made orthogonal after each; what it spans comes near to the
//! span of the largest singular vectors. There the matrix is small, and decomposed exactly.

use faer::{Mat, Side};

use crate::error::Error;
use crate::train::average::{between, multiplied};
use crate::train::normal;
use crate::train::spectrum::orthogonal;
use crate::train::table::Table;
use crate::work::{Progress, Work};

/// Rounds of products.
const ROUNDS: usize = 6;
/// Columns of the block beyond those that are wanted.
const MORE: usize = 24;

/// A square matrix, by its products.
pub(super) trait Product {
    fn rows(&self) -> usize;
    /// The matrix, or its transpose, times a block.
    fn times(&self, block: &Table, transposed: bool) -> Result<Table, Error>;
}

/// U Σ^power of the `dim` largest singular values, largest first; zeros where there are fewer. The largest number of every
/// dimension is positive.
pub(super) fn left(
    matrix: &impl Product,
    dim: usize,
    power: f64,
    seed: u64,
    work: &Work<'_>,
) -> Result<Table, Error> {
    let rows = matrix.rows();
    let width = (dim + MORE).min(rows);
    let mut block = normal(rows, width, 1.0, seed, work.threads);
    let mut sides = Table::new(rows, width);
    for round in 0..ROUNDS {
        let share = Some(round as f64 / ROUNDS as f64);
        work.observer.progress(Progress { stage: "training", share, words: 0 });
        let image = matrix.times(&block, false)?;
        // A matrix of zeros has no directions.
        if image.all().iter().all(|x| *x == 0.0) {
            return Ok(Table::new(rows, dim));
        }
        sides = orthogonal(image, work)?;
        block = matrix.times(&sides, true)?;
        if round + 1 < ROUNDS {
            block = orthogonal(block, work)?;
        }
    }
    let inner = between(&block, &block, work)?;
    let inner = Mat::from_fn(width, width, |s, t| (inner[(s, t)] + inner[(t, s)]) / 2.0);
    let Ok(eigen) = inner.self_adjoint_eigen(Side::Lower) else {
        return Ok(Table::new(rows, dim));
    };
    let change = Mat::from_fn(width, dim, |s, t| match width.checked_sub(t + 1) {
        // The square roots of the eigenvalues are the singular values.
        Some(e) if eigen.S()[e] > 0.0 => eigen.U()[(s, e)] * libm::pow(eigen.S()[e], power / 2.0),
        _ => 0.0,
    });
    let mut vectors = multiplied(&sides, &change, work)?;
    let mut largest = vec![0.0_f32; dim];
    for row in 0..rows {
        for (largest, &x) in largest.iter_mut().zip(vectors.row(row)) {
            if x.abs() > largest.abs() {
                *largest = x;
            }
        }
    }
    for row in 0..rows {
        for (x, largest) in vectors.row_mut(row).iter_mut().zip(&largest) {
            *x = if *largest < 0.0 { -*x } else { *x };
        }
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lots::{End, Lots, Stream};

    struct Dense(Mat<f64>);

    impl Product for Dense {
        fn rows(&self) -> usize {
            self.0.nrows()
        }

        fn times(&self, block: &Table, transposed: bool) -> Result<Table, Error> {
            let mut image = Table::new(block.rows(), block.width());
            for i in 0..block.rows() {
                for t in 0..block.width() {
                    let at = |j: usize| if transposed { self.0[(j, i)] } else { self.0[(i, j)] };
                    let sum = (0..block.rows()).map(|j| at(j) * f64::from(block.row(j)[t]));
                    image.row_mut(i)[t] = sum.sum::<f64>() as f32;
                }
            }
            Ok(image)
        }
    }

    #[test]
    fn the_largest_singular_values_and_their_left_sides_are_those_of_the_whole() {
        let mut lots = Stream::new(3, End::Sample, 0);
        let (rows, dim) = (120, 6);
        // Values that fall as those of text do.
        let matrix = {
            let noise = Mat::from_fn(rows, rows, |_, _| lots.normal());
            let svd = noise.svd().unwrap();
            Mat::from_fn(rows, rows, |i, j| {
                let value = |t: usize| 10.0 / (1.0 + t as f64);
                (0..rows).map(|t| svd.U()[(i, t)] * value(t) * svd.V()[(j, t)]).sum::<f64>()
            })
        };
        let svd = matrix.svd().unwrap();
        for power in [0.5, 1.0] {
            let found = left(&Dense(matrix.clone()), dim, power, 1, &Work::default()).unwrap();
            for t in 0..dim {
                let value = libm::pow(svd.S()[t], power);
                let column = |i: usize| f64::from(found.row(i)[t]);
                let dot: f64 = (0..rows).map(|i| column(i) * svd.U()[(i, t)]).sum();
                let length: f64 = (0..rows).map(|i| column(i) * column(i)).sum::<f64>().sqrt();
                assert!((length / value - 1.0).abs() < 1e-3, "{t}: {length} {value}");
                assert!(dot.abs() / length > 0.999, "{t}: {}", dot.abs() / length);
            }
        }
    }

    #[test]
    fn more_dimensions_than_there_are_stay_zero() {
        let matrix = Mat::from_fn(3, 3, |i, j| if i == j { 3.0 - i as f64 } else { 0.0 });
        let found = left(&Dense(matrix), 5, 1.0, 1, &Work::default()).unwrap();
        for i in 0..3 {
            for t in 0..5 {
                let expected = if i == t { 3.0 - i as f32 } else { 0.0 };
                assert!((found.row(i)[t] - expected).abs() < 1e-4, "{i} {t} {}", found.row(i)[t]);
            }
        }
        let none = left(&Dense(Mat::zeros(3, 3)), 2, 0.5, 1, &Work::default()).unwrap();
        assert!(none.all().iter().all(|x| *x == 0.0));
    }
}
