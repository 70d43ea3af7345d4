//! One cell of the world, ready for sums over all words.

use super::world::World;
use crate::Work;
use crate::error::Error;
use crate::parallel;
use crate::work::Progress;

/// Words that are handled at a time, so that their sums stay in the nearest cache.
const BLOCK: usize = 1024;

/// The weighted vectors c_k ⊙ v_ik and the biases of a cell.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// By dimension, then word; only dimensions with a weight.
    pub(super) scaled: Vec<Vec<f64>>,
    /// By word.
    pub(super) biases: Vec<f64>,
}

impl Cell {
    pub(super) fn new(world: &World, cell: usize, biases: Vec<f64>) -> Self {
        let weights = world.weights(cell);
        let vectors = world.vectors_in(cell);
        let scaled = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        let scaled =
            scaled.map(|(t, weight)| vectors.iter().map(|v| weight * v[t]).collect()).collect();
        Self { scaled, biases }
    }

    /// A word's squared length in this cell.
    pub(super) fn squared(&self, word: usize) -> f64 {
        self.scaled.iter().map(|row| row[word] * row[word]).sum()
    }

    /// Sets `logs[j]` to b_i + b_j + Σ_t c² v_i v_j, in the same bits as with i and j exchanged.
    pub(super) fn pairs(&self, word: usize, logs: &mut [f64]) {
        let own: Vec<f64> = self.scaled.iter().map(|row| row[word]).collect();
        let bias = self.biases[word];
        for (block, logs) in logs.chunks_mut(BLOCK).enumerate() {
            let start = block * BLOCK;
            let biases = &self.biases[start..start + logs.len()];
            logs.iter_mut().zip(biases).for_each(|(log, other)| *log = bias + other);
            self.add_products(start, &own, logs);
        }
    }

    /// Adds Σ_t by_t · c v_jt to `sums` for the words from `start` on.
    pub(super) fn add_products(&self, start: usize, by: &[f64], sums: &mut [f64]) {
        for (row, by) in self.scaled.iter().zip(by) {
            let row = &row[start..start + sums.len()];
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += by * x);
        }
    }

    /// The sums Σ_j exp(b_i + b_j + Σ_t c² v_i v_j) of every word, times exp(−M), and M. They cannot
    /// overflow: no pair is above the largest pair of a word with itself. Tells that this is `part.0`
    /// of `part.1` cells.
    pub(super) fn sums(
        &self,
        work: &Work<'_>,
        stage: &'static str,
        part: (usize, usize),
    ) -> Result<(Vec<f64>, f64), Error> {
        const ROWS: usize = 16;
        let words = self.biases.len();
        let tasks = words.div_ceil(ROWS);
        let most =
            (0..words).map(|i| 2.0 * self.biases[i] + self.squared(i)).fold(f64::MIN, f64::max);
        let task = |logs: &mut Vec<f64>, task: usize| {
            work.proceed()?;
            let share = (part.0 as f64 + task as f64 / tasks as f64) / part.1 as f64;
            work.observer.progress(Progress { stage, share: Some(share), words: 0 });
            let rows = task * ROWS..(task * ROWS + ROWS).min(words);
            let sum = |row| {
                self.pairs(row, logs);
                logs.iter().map(|log| libm::exp(log - most)).sum::<f64>()
            };
            Ok(rows.map(sum).collect::<Vec<f64>>())
        };
        let sums = parallel::map(work.threads, tasks, &mut Vec::new(), || vec![0.0; words], task)?;
        Ok((sums.concat(), most))
    }
}
