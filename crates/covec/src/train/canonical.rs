//! The one form in which models are kept.
//!
//! Scaling a dimension of the vectors up and of every level's weights down changes nothing, nor does
//! the order or the sign of the dimensions. So: the mean over all cells of a factor's squared weights
//! is 1 in every dimension, dimensions are sorted by how much they explain, and the largest loading
//! of each is positive.
//!
//! Over cells, not levels: with several factors a level is held at the others' average, and levels
//! that meet few others must not make up that average. With one factor its levels are the cells.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use super::state::State;
use super::table::LANES;
use crate::error::Error;
use crate::parallel::{self, Pieces};
use crate::work::Work;

/// Where a dimension comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) from: usize,
    pub(crate) flipped: bool,
}

impl State {
    /// Every factor's squared weights average 1 over the cells; the vectors take up the rest.
    pub(crate) fn normalise(&mut self) {
        let dim = self.dim();
        for (levels, _) in self.layout.factors.clone() {
            let mut means = vec![0.0_f64; dim];
            let cells = &self.layout.cells;
            for level in cells.iter().flatten().filter(|level| levels.contains(level)) {
                for (mean, x) in means.iter_mut().zip(self.squares.row(*level)) {
                    *mean += f64::from(*x) / cells.len() as f64;
                }
            }
            for level in levels.clone() {
                for (x, mean) in self.squares.row_mut(level).iter_mut().zip(&means) {
                    // A dimension that no level uses is left to the vectors, which then are 0.
                    *x = if *mean > 0.0 { (f64::from(*x) / mean) as f32 } else { 1.0 };
                }
            }
            let roots: Vec<f32> = means.iter().map(|mean| libm::sqrt(*mean) as f32).collect();
            // A level by itself is always 1.
            if roots.iter().any(|root| *root != 1.0) {
                self.vectors.each_mut(|row| {
                    row.iter_mut().zip(&roots).for_each(|(x, root)| *x *= root);
                });
            }
        }
        self.multiply_squares();
    }

    /// Moves the vectors so that their mean is 0; the biases take up what that changes. With several
    /// factors they cannot quite (biases add up, weights multiply), and the vectors stay.
    pub(crate) fn centre(&mut self, work: &Work<'_>) -> Result<(), Error> {
        if self.layout.factors.len() > 1 {
            return Ok(());
        }
        let dim = self.dim();
        let own = |level: usize| self.squares.row(level)[..dim].iter().map(|&w| f64::from(w));
        let weights: Vec<Vec<f64>> = (0..self.layout.levels()).map(|l| own(l).collect()).collect();
        self.centre_by(&weights, work)
    }

    /// The same with several factors, as well as sums over a cell's levels can take it up; cells count by their data.
    pub(crate) fn nearly_centred(&self, data: &[f64], work: &Work<'_>) -> Result<Self, Error> {
        /// Of the data: levels that say nothing of their own stay where they are.
        const LEAST: f64 = 1e-9;
        let (dim, levels) = (self.dim(), self.layout.levels());
        let cells = || self.layout.cells.iter().zip(data).enumerate();
        let least = LEAST * data.iter().sum::<f64>();
        let mut matrix = Mat::from_fn(levels, levels, |a, b| if a == b { least } else { 0.0 });
        let mut right = Mat::<f64>::zeros(levels, dim);
        for (cell, (own, data)) in cells() {
            for &a in own {
                own.iter().for_each(|&b| matrix[(a, b)] += data);
                for (t, &square) in self.cell_squares.row(cell)[..dim].iter().enumerate() {
                    right[(a, t)] += data * f64::from(square);
                }
            }
        }
        let mut state = self.clone();
        if let Ok(factor) = matrix.llt(Side::Lower) {
            let found = factor.solve(right);
            let row = |level: usize| (0..dim).map(|t| found[(level, t)]).collect();
            state.centre_by(&(0..levels).map(row).collect::<Vec<_>>(), work)?;
        }
        Ok(state)
    }

    /// Takes the mean off the vectors; each level's bias takes it up as if these were its squared weights.
    fn centre_by(&mut self, weights: &[Vec<f64>], work: &Work<'_>) -> Result<(), Error> {
        let (words, dim) = (self.words(), self.dim());
        let mut mean = vec![0.0_f64; dim];
        for row in self.vectors.each() {
            for (mean, x) in mean.iter_mut().zip(row) {
                *mean += f64::from(*x);
            }
        }
        mean.iter_mut().for_each(|mean| *mean /= words as f64);
        let Self { vectors, biases, .. } = self;
        let levels = Pieces::even(biases, words.max(1));
        parallel::tasks(work.threads, levels.len(), |level| {
            let mut scaled: Vec<f64> =
                weights[level].iter().zip(&mean).map(|(w, mean)| w * mean).collect();
            let own: f64 = scaled.iter().zip(&mean).map(|(s, mean)| s * mean).sum();
            scaled.resize(vectors.stride(), 0.0);
            let biases = levels.take(level);
            pulp::Arch::new().dispatch(|| {
                for (word, bias) in biases.iter_mut().enumerate() {
                    *bias += (by_lanes(&scaled, vectors.row(word)) - own / 2.0) as f32;
                }
            });
            Ok(())
        })?;
        let mean: Vec<f32> = mean.into_iter().map(|mean| mean as f32).collect();
        self.vectors.each_mut(|row| row.iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean));
        Ok(())
    }

    /// How much each dimension explains: the size of its part of the model.
    pub(crate) fn energies(&self) -> Vec<f64> {
        let dim = self.dim();
        let mut energies = vec![0.0; dim];
        for word in 0..self.words() {
            for (energy, x) in energies.iter_mut().zip(self.vectors.row(word)) {
                *energy += f64::from(*x) * f64::from(*x);
            }
        }
        let cells = self.layout.cells.len() as f64;
        for (t, energy) in energies.iter_mut().enumerate() {
            let squares: f64 = (0..self.layout.cells.len())
                .map(|cell| libm::pow(f64::from(self.cell_squares.row(cell)[t]), 2.0))
                .sum();
            *energy *= libm::sqrt(squares / cells);
        }
        energies
    }

    /// Brings the state into the one form.
    pub(crate) fn canonical(&mut self, work: &Work<'_>) -> Result<(), Error> {
        self.normalise();
        self.centre(work)?;
        let dim = self.dim();
        let energies = self.energies();
        let mut order: Vec<usize> = (0..dim).collect();
        order.sort_by(|&a, &b| energies[b].total_cmp(&energies[a]).then(a.cmp(&b)));
        let mut largest = vec![0.0_f32; dim];
        for word in 0..self.words() {
            for (largest, &x) in largest.iter_mut().zip(self.vectors.row(word)) {
                if x.abs() > largest.abs() {
                    *largest = x;
                }
            }
        }
        let axes: Vec<Axis> =
            order.into_iter().map(|from| Axis { from, flipped: largest[from] < 0.0 }).collect();
        self.rearrange(&axes);
        Ok(())
    }

    /// Dimensions in another order, some with the other sign.
    pub(crate) fn rearrange(&mut self, axes: &[Axis]) {
        let dim = self.dim();
        let mut old = vec![0.0; dim];
        for word in 0..self.words() {
            let row = &mut self.vectors.row_mut(word)[..dim];
            old.copy_from_slice(row);
            for (x, axis) in row.iter_mut().zip(axes) {
                *x = if axis.flipped { -old[axis.from] } else { old[axis.from] };
            }
        }
        for level in 0..self.squares.rows() {
            let row = &mut self.squares.row_mut(level)[..dim];
            old.copy_from_slice(row);
            for (x, axis) in row.iter_mut().zip(axes) {
                *x = old[axis.from];
            }
        }
        self.multiply_squares();
    }
}

/// A dot product, in lanes of their own, so that the compiler may use registers: with many levels there is one for every word and level.
#[inline(always)]
fn by_lanes(a: &[f64], b: &[f32]) -> f64 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * f64::from(b[lane]);
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::train::TrainParameters;
    use crate::train::state::Layout;

    #[test]
    fn a_level_counts_as_often_as_it_meets_others_and_nothing_predicted_changes() {
        // Two levels, and three of which the last two meet one of them only.
        let cells = vec![vec![0, 2], vec![1, 2], vec![0, 3], vec![0, 4]];
        let layout = Layout { cells, factors: vec![(0..2, false), (2..5, false)] };
        let parameters = TrainParameters { dim: 3, ..TrainParameters::default() };
        let mut state = State::start(layout, vec![0.0; 5 * 2].into(), &parameters);
        state.scatter(1);
        for level in 0..5 {
            let row = state.squares.row_mut(level).iter_mut().enumerate().take(3);
            row.for_each(|(t, x)| *x = 0.1 + (level * 3 + t) as f32);
        }
        state.multiply_squares();
        let said = |state: &State| -> Vec<f64> {
            (0..4).map(|cell| state.predict(&state.vectors, 0, 1, cell)).collect()
        };
        let before = said(&state);
        state.normalise();
        for t in 0..3 {
            let square = |level: usize| f64::from(state.squares.row(level)[t]);
            let first = (3.0 * square(0) + square(1)) / 4.0;
            let second = (2.0 * square(2) + square(3) + square(4)) / 4.0;
            assert!((first - 1.0).abs() < 1e-6 && (second - 1.0).abs() < 1e-6);
        }
        for (before, after) in before.iter().zip(said(&state)) {
            assert!((before - after).abs() < 1e-4 * before.abs().max(1.0), "{before} {after}");
        }
    }

    #[test]
    fn with_two_factors_the_mean_is_taken_up_where_sums_can() {
        let mut state = State::random(40, 7);
        for word in 0..40 {
            state.vectors.row_mut(word)[..7].iter_mut().for_each(|x| *x += 0.5);
        }
        // Weights of one factor alone are sums; products of two are not.
        let shifted = |second: f32| {
            let mut state = state.clone();
            for level in 3..5 {
                state.squares.row_mut(level)[..7].fill(1.0);
            }
            state.squares.row_mut(4)[2] = second;
            state.multiply_squares();
            let centred =
                state.nearly_centred(&[1.0, 2.0, 1.0, 3.0, 1.0, 2.0], &Work::default()).unwrap();
            for t in 0..7 {
                let sum: f32 = (0..40).map(|word| centred.vectors.row(word)[t]).sum();
                assert!(sum.abs() < 1e-4, "{sum}");
            }
            let apart = |cell: usize| {
                let before = state.predict(&state.vectors, 3, 17, cell);
                (centred.predict(&centred.vectors, 3, 17, cell) - before).abs()
            };
            (0..6).map(apart).fold(0.0, f64::max)
        };
        assert!(shifted(1.0) < 1e-4, "{}", shifted(1.0));
        let (slight, more) = (shifted(1.2), shifted(3.0));
        assert!(slight > 1e-4 && more > slight, "{slight} {more}");
    }
}
