//! What a prediction says of the count of a pair that met.
//!
//! Where pairs that never met count too, a model predicts what is expected of all pairs. Of a pair that is expected a hundredth
//! of a time, those that met have met at least once: among counts that are there, small predictions stand for larger counts. So
//! predictions are read through a curve before they are held to counts: the mean logarithm of the counts that predictions of the
//! size go with, over pairs that were learnt from. Where only pairs that met count, they are read as they are.

use pulp::{Simd, WithSimd};
use serde::{Deserialize, Serialize};

use super::examples::{Buffer, Examples, Row};
use super::simd::{self, Rows};
use super::state::State;
use super::table::Table;
use crate::error::Error;
use crate::parallel;
use crate::work::Work;

/// Width of the bins that pairs are sorted into by their predictions.
const WIDTH: f64 = 0.5;
/// Bins to either side of 0.
const BINS: usize = 40;
/// One word in so many is looked at.
const EVERY: usize = 16;
/// Share of the data a bin must have.
const LEAST: f64 = 1e-4;

/// A curve from predictions to logarithms of counts: straight between its points, level before the first and as steep as the
/// predictions themselves after the last. Without points, the predictions themselves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Met {
    /// Prediction and mean ln(count) where both are known, predictions rising.
    pub points: Vec<[f64; 2]>,
}

impl Met {
    /// Whether predictions are read as they are.
    pub fn is_plain(&self) -> bool {
        self.points.is_empty()
    }

    /// What ln(count) a prediction stands for.
    #[inline]
    pub fn read(&self, prediction: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] <= prediction);
        match (after.checked_sub(1).map(|i| self.points[i]), self.points.get(after)) {
            (None, None) => prediction,
            (None, Some(first)) => first[1],
            (Some([at, value]), None) => value + (prediction - at),
            (Some(a), Some(b)) => a[1] + (prediction - a[0]) * (b[1] - a[1]) / (b[0] - a[0]),
        }
    }

    /// The curve of a state.
    pub(crate) fn of(state: &State, examples: &Examples, work: &Work<'_>) -> Result<Self, Error> {
        let words = examples.words();
        // A prime number of tasks: neighbouring words, which are alike, are spread over them.
        let tasks = 61;
        let parts = parallel::map(
            work.threads,
            tasks,
            &mut Vec::new(),
            || (Buffer::default(), Table::new(1, state.dim()), Vec::new(), Vec::new()),
            |(buffer, scaled, left, weights), task| {
                let mut bins = Bins::default();
                for word in (task * EVERY..words).step_by(tasks * EVERY) {
                    let row = examples.row(word, buffer)?;
                    let bins = &mut bins;
                    pulp::Arch::new().dispatch(Sort {
                        state,
                        row,
                        word,
                        scaled,
                        left,
                        weights,
                        bins,
                    });
                }
                Ok(bins)
            },
        )?;
        let mut bins = Bins::default();
        parts.iter().for_each(|part| bins.join(part));
        Ok(bins.curve())
    }
}

/// Pairs by their predictions: of each bin weight, and weighted prediction and target.
#[derive(Debug, Clone)]
pub(crate) struct Bins(Vec<[f64; 3]>);

impl Default for Bins {
    fn default() -> Self {
        Self(vec![[0.0; 3]; 2 * BINS])
    }
}

impl Bins {
    #[inline(always)]
    pub(crate) fn add(&mut self, weight: f64, told: f64, target: f64) {
        let bin = (told / WIDTH + BINS as f64).clamp(0.0, 2.0 * BINS as f64 - 1.0);
        let sums = &mut self.0[bin as usize];
        sums[0] += weight;
        sums[1] += weight * told;
        sums[2] += weight * target;
    }

    pub(crate) fn join(&mut self, other: &Self) {
        for (sums, own) in self.0.iter_mut().zip(&other.0) {
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
    }

    /// The curve through the bins that have enough.
    pub(crate) fn curve(&self) -> Met {
        let all: f64 = self.0.iter().map(|sums| sums[0]).sum();
        let enough = self.0.iter().filter(|sums| sums[0] > LEAST * all);
        let points = enough.map(|[weight, told, target]| [told / weight, target / weight]);
        Met { points: points.collect() }
    }
}

/// Sorts the entries of a row into bins by their predictions.
struct Sort<'a> {
    state: &'a State,
    row: Row<'a>,
    word: usize,
    scaled: &'a mut Table,
    left: &'a mut Vec<f32>,
    weights: &'a mut Vec<f32>,
    bins: &'a mut Bins,
}

impl WithSimd for Sort<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Sort { state, row, word, scaled, left, weights, bins } = self;
        let stride = state.vectors.stride();
        let table = Rows::<S>::new(state.vectors.all(), stride);
        let cells = Rows::<S>::new(state.cell_squares.all(), stride);
        let scaled = S::as_mut_simd_f32s(scaled.all_mut()).0;
        for (cell, run) in row.iter() {
            simd::times(simd, table.row(word), cells.row(cell), scaled);
            run.without_biases(state, word, cell, left);
            run.weigh(weights);
            simd::each_dot(simd, table, run.cols, scaled, |at, dot| {
                let target = f64::from(run.targets[at]);
                let told = f64::from(dot) + (target - f64::from(left[at]));
                bins.add(f64::from(weights[at]), told, target);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_are_read_along_the_curve() {
        let plain = Met::default();
        assert_eq!(plain.read(-3.5), -3.5);
        let met = Met { points: vec![[-2.0, -1.0], [0.0, 0.0], [2.0, 1.5]] };
        let read: Vec<f64> = [-9.0, -2.0, -1.0, 1.0, 2.0, 4.0].map(|x| met.read(x)).to_vec();
        assert_eq!(read, [-1.0, -1.0, -0.5, 0.75, 1.5, 3.5]);
    }
}
