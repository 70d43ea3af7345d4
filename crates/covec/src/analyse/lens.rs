//! The words' vectors as a view shows them.
//!
//! Under the levels k the vector of word i is
//!
//! ```text
//! c ∘ (v_i + s Σ_k δ_ik)      c = Π_k c_k
//! ```
//!
//! where s is 1 under one level and less under several, which would say the same twice ([`Model`]'s `share_of_own`);
//! and without its own deviations δ, `c ∘ v_i`: what the levels' weights alone make of it.

use std::num::NonZeroUsize;

use half::slice::HalfFloatSliceExt;

use super::View;
use crate::Error;
use crate::model::Model;
use crate::parallel;
use crate::work::Work;

/// Which part of a word's use is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What the levels' weights make of the base vector: topics, reweighted.
    Topical,
    /// That, and the word's own deviations.
    Whole,
}

/// Reads the vectors of a model under a view.
#[derive(Debug, Clone)]
pub struct Lens<'a> {
    model: &'a Model,
    /// What the base vector is multiplied by.
    pub weight: Vec<f32>,
    /// Levels whose deviations are added, and what they are taken times.
    own: Vec<usize>,
    share: f32,
}

/// Words a task takes.
const STRETCH: usize = 1024;
/// Numbers that one thread has read before others have begun.
const ALONE: usize = 1 << 20;

impl<'a> Lens<'a> {
    /// A view's.
    pub fn new(model: &'a Model, view: &View, part: Part) -> Self {
        let own: &[usize] = if part == Part::Whole { &view.levels } else { &[] };
        Self::mixed(model, &view.levels, own)
    }

    /// With the weights of some levels and the deviations of others.
    pub fn mixed(model: &'a Model, weights: &[usize], own: &[usize]) -> Self {
        let mut weight = vec![1.0; model.dim];
        for &level in weights {
            weight.iter_mut().zip(model.weight(level)).for_each(|(w, own)| *w *= own);
        }
        Self { model, weight, own: own.to_vec(), share: model.share_of_own(own.len()) }
    }

    /// Writes a word's vector.
    pub fn write(&self, word: usize, vector: &mut [f32]) {
        vector.copy_from_slice(self.model.vector(word));
        for &level in &self.own {
            if let Some(deviation) = self.model.deviations.of(word, level) {
                // In pieces: the machine converts many halves at once.
                let mut piece = [0.0; 64];
                for (halves, sums) in deviation.chunks(64).zip(vector.chunks_mut(64)) {
                    let piece = &mut piece[..halves.len()];
                    halves.convert_to_f32_slice(piece);
                    sums.iter_mut().zip(piece).for_each(|(sum, x)| *sum += self.share * *x);
                }
            }
        }
        vector.iter_mut().zip(&self.weight).for_each(|(x, weight)| *x *= weight);
    }

    /// A word's vector, of length 1; all zeros where it has no direction here.
    pub fn direction(&self, word: usize) -> Vec<f32> {
        let mut vector = vec![0.0; self.model.dim];
        self.write(word, &mut vector);
        normalise(&mut vector);
        vector
    }

    /// The words' vectors of length 1, row after row.
    pub fn directions(&self, words: &[u32], work: &Work<'_>) -> Result<Vec<f32>, Error> {
        let dim = self.model.dim;
        let parts = self.stretches(words, work, |words| {
            let mut rows = vec![0.0; words.len() * dim];
            for (row, &word) in rows.chunks_exact_mut(dim).zip(words) {
                self.write(word as usize, row);
                normalise(row);
            }
            rows
        })?;
        Ok(parts.concat())
    }

    /// The cosine of every word's vector with each of `queries`, word after word.
    pub fn cosines(
        &self,
        words: &[u32],
        queries: &[&[f32]],
        work: &Work<'_>,
    ) -> Result<Vec<f32>, Error> {
        let lengths: Vec<f32> = queries.iter().map(|query| dot(query, query).sqrt()).collect();
        let parts = self.stretches(words, work, |words| {
            let mut vector = vec![0.0; self.model.dim];
            let mut cosines = Vec::with_capacity(words.len() * queries.len());
            for &word in words {
                // Most words deviate nowhere: what is weighed need not be written down.
                let (square, product) = match queries {
                    [query] if !self.deviates(word as usize) => {
                        weighed(self.model.vector(word as usize), &self.weight, query)
                    }
                    _ => {
                        self.write(word as usize, &mut vector);
                        (dot(&vector, &vector), queries.first().map_or(0.0, |q| dot(&vector, q)))
                    }
                };
                let own = square.sqrt();
                cosines.extend(queries.iter().zip(&lengths).enumerate().map(
                    |(k, (query, length))| {
                        let scale = own * length;
                        let product = if k == 0 { product } else { dot(&vector, query) };
                        if scale > 0.0 { (product / scale).clamp(-1.0, 1.0) } else { 0.0 }
                    },
                ));
            }
            cosines
        })?;
        Ok(parts.concat())
    }

    /// Whether a word has deviations that are added.
    fn deviates(&self, word: usize) -> bool {
        self.own.iter().any(|&level| self.model.deviations.of(word, level).is_some())
    }

    fn stretches<R: Send>(
        &self,
        words: &[u32],
        work: &Work<'_>,
        task: impl Fn(&[u32]) -> R + Sync,
    ) -> Result<Vec<R>, Error> {
        let parts: Vec<&[u32]> = words.chunks(STRETCH).collect();
        let alone = words.len() * self.model.dim <= ALONE;
        let threads = if alone { NonZeroUsize::MIN } else { work.threads };
        parallel::tasks(threads, parts.len(), |index| {
            work.proceed()?;
            Ok(task(parts[index]))
        })
    }
}

/// Makes a vector one of length 1; zeros stay.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

/// The squared length of `vector ∘ weight`, and its product with `query`: the very bits that [`dot`] gives.
fn weighed(vector: &[f32], weight: &[f32], query: &[f32]) -> (f32, f32) {
    let ((v_lanes, v_rest), (w_lanes, w_rest), (q_lanes, q_rest)) =
        (vector.as_chunks::<8>(), weight.as_chunks::<8>(), query.as_chunks::<8>());
    let (mut squares, mut products) = ([0.0; 8], [0.0; 8]);
    for ((v, w), q) in v_lanes.iter().zip(w_lanes).zip(q_lanes) {
        for lane in 0..8 {
            let x = v[lane] * w[lane];
            squares[lane] += x * x;
            products[lane] += x * q[lane];
        }
    }
    let rest = || v_rest.iter().zip(w_rest).map(|(v, w)| v * w);
    let square: f32 = rest().map(|x| x * x).sum();
    let product: f32 = rest().zip(q_rest).map(|(x, q)| x * q).sum();
    (squares.iter().sum::<f32>() + square, products.iter().sum::<f32>() + product)
}

/// A dot product. Eight sums side by side, so that the compiler can use registers of any width and
/// the bits do not depend on which.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_lanes, a_rest) = a.as_chunks::<8>();
    let (b_lanes, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_weighed_on_the_way_is_what_is_weighed_before(
            rows in proptest::collection::vec([-9.0_f32..9.0, 0.0_f32..3.0, -9.0_f32..9.0], 0..70)
        ) {
            let [vector, weight, query] = [0, 1, 2].map(|at| rows.iter().map(|row| row[at]).collect::<Vec<f32>>());
            let before: Vec<f32> = vector.iter().zip(&weight).map(|(v, w)| v * w).collect();
            let (square, product) = weighed(&vector, &weight, &query);
            prop_assert_eq!(square.to_bits(), dot(&before, &before).to_bits());
            prop_assert_eq!(product.to_bits(), dot(&before, &query).to_bits());
        }
    }
}
