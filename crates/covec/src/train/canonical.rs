//! The one form in which models are kept.
//!
//! Scaling a dimension of the vectors up and of every level's weights down changes nothing, nor does
//! the order or the sign of the dimensions. So: the mean over a factor's levels of the squared
//! weights is 1 in every dimension, dimensions are sorted by how much they explain, and the largest
//! loading of each is positive.

use super::state::State;
use crate::error::Error;
use crate::parallel::{self, Pieces};
use crate::work::Work;

impl State {
    /// Squared weights average 1 over the levels of every factor; the vectors take up the rest.
    pub(crate) fn normalise(&mut self) {
        let dim = self.dim();
        for (levels, _) in self.layout.factors.clone() {
            let mut means = vec![0.0_f64; dim];
            for level in levels.clone() {
                for (mean, x) in means.iter_mut().zip(self.squares.row(level)) {
                    *mean += f64::from(*x) / levels.len() as f64;
                }
            }
            for level in levels.clone() {
                for (x, mean) in self.squares.row_mut(level).iter_mut().zip(&means) {
                    // A dimension that no level uses is left to the vectors, which then are 0.
                    *x = if *mean > 0.0 { (f64::from(*x) / mean) as f32 } else { 1.0 };
                }
            }
            let roots: Vec<f32> = means.iter().map(|mean| libm::sqrt(*mean) as f32).collect();
            for word in 0..self.words() {
                for (x, root) in self.vectors.row_mut(word).iter_mut().zip(&roots) {
                    *x *= root;
                }
            }
        }
        self.multiply_squares();
    }

    /// Moves the vectors so that their mean is 0; the biases take up what that changes. With several
    /// factors they cannot (biases add up, weights multiply), and the vectors stay.
    pub(crate) fn centre(&mut self, work: &Work<'_>) -> Result<(), Error> {
        if self.layout.factors.len() > 1 {
            return Ok(());
        }
        let (words, dim) = (self.words(), self.dim());
        let mut mean = vec![0.0_f64; dim];
        for word in 0..words {
            for (mean, x) in mean.iter_mut().zip(self.vectors.row(word)) {
                *mean += f64::from(*x) / words as f64;
            }
        }
        let Self { vectors, squares, biases, .. } = self;
        let levels = Pieces::even(biases, words.max(1));
        parallel::tasks(work.threads, levels.len(), |level| {
            let scaled: Vec<f64> = squares.row(level)[..dim]
                .iter()
                .zip(&mean)
                .map(|(w, mean)| f64::from(*w) * mean)
                .collect();
            let own: f64 = scaled.iter().zip(&mean).map(|(s, mean)| s * mean).sum();
            for (word, bias) in levels.take(level).iter_mut().enumerate() {
                let row = vectors.row(word);
                let dot: f64 = scaled.iter().zip(row).map(|(s, x)| s * f64::from(*x)).sum();
                *bias += (dot - own / 2.0) as f32;
            }
            Ok(())
        })?;
        for word in 0..words {
            for (x, mean) in self.vectors.row_mut(word).iter_mut().zip(&mean) {
                *x -= *mean as f32;
            }
        }
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
        let mut old = vec![0.0; dim];
        for word in 0..self.words() {
            let row = &mut self.vectors.row_mut(word)[..dim];
            old.copy_from_slice(row);
            for (x, &from) in row.iter_mut().zip(&order) {
                *x = if largest[from] < 0.0 { -old[from] } else { old[from] };
            }
        }
        for level in 0..self.squares.rows() {
            let row = &mut self.squares.row_mut(level)[..dim];
            old.copy_from_slice(row);
            for (x, &from) in row.iter_mut().zip(&order) {
                *x = old[from];
            }
        }
        self.multiply_squares();
        Ok(())
    }
}
