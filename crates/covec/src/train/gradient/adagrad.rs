//! GloVe's rule: a step after every entry, each number's divided by the root of the sum of all
//! squares of its steps before division, and 1.
//!
//! The levels' weights see the sum over a round's entries instead, which grows with the corpus: their
//! steps are those of AdaGrad as published, which no scale of the slopes changes. Penalties act once a
//! round, as implicit steps: stable however strong.

use pulp::{Simd, WithSimd};

use super::strata::Stratum;
use super::{Found, Meeting, Rule, columns};
use crate::error::Error;
use crate::train::examples::{Buffer, Run};
use crate::train::table::Table;

/// AdaGrad with this learning rate.
pub(crate) struct Adagrad {
    pub(crate) rate: f32,
}

impl Adagrad {
    /// GloVe's.
    pub(crate) const RATE: f64 = 0.05;
}

impl Rule<1> for Adagrad {
    const START: f32 = 1.0;

    fn meet(&self, meeting: &Meeting<'_>, strata: &mut [Stratum<1>]) -> Result<Found, Error> {
        let found = pulp::Arch::new().dispatch(Entries { rate: self.rate, meeting, strata })?;
        for stratum in strata {
            self.draw(meeting, stratum);
        }
        Ok(found)
    }

    fn step(&self, _: &Meeting<'_>, slope: f32, [sum]: &mut [f32; 1]) -> f32 {
        *sum += slope * slope;
        self.rate * slope / sum.sqrt()
    }
}

impl Adagrad {
    /// Vectors are drawn to 0, biases to what they are drawn to.
    fn draw(&self, meeting: &Meeting<'_>, stratum: &mut Stratum<1>) {
        let pull = |strength: f32, sum: f32| self.rate * strength / sum.sqrt();
        let Stratum { vectors, biases, prior, vector_memory, bias_memory, .. } = stratum;
        for (x, &sum) in vectors.all_mut().iter_mut().zip(vector_memory[0].all()) {
            *x /= 1.0 + pull(meeting.strengths.vectors, sum);
        }
        for ((x, &sum), prior) in biases.iter_mut().zip(&bias_memory[0]).zip(prior) {
            let pull = pull(meeting.strengths.biases, sum);
            *x = (*x + pull * *prior) / (1.0 + pull);
        }
    }
}

/// All entries of a meeting, one after the other.
struct Entries<'a> {
    rate: f32,
    meeting: &'a Meeting<'a>,
    strata: &'a mut [Stratum<1>],
}

impl WithSimd for Entries<'_> {
    type Output = Result<Found, Error>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Result<Found, Error> {
        let Self { rate, meeting, strata } = self;
        let mut found = Found::nothing(meeting);
        let mut buffer = Buffer::default();
        // The row's own numbers stand apart while it meets its columns. A word that meets itself
        // meets itself as it was; what that does to the column is lost, as it should be.
        let mut vector = Table::new(1, meeting.squares.width());
        let mut sums = vector.clone();
        let (mut biases, mut weights) = (Vec::new(), Vec::new());
        let last = strata.len() - 1;
        for word in strata[0].words.clone() {
            let cols = columns(word, strata);
            let place = word - strata[0].words.start;
            vector.all_mut().copy_from_slice(strata[0].vectors.row(place));
            sums.all_mut().copy_from_slice(strata[0].vector_memory[0].row(place));
            for (cell, run) in meeting.examples.row(word, &mut buffer)?.iter() {
                let run = run.within(cols.clone());
                run.weigh(&mut weights);
                let levels = &meeting.layout.cells[cell][..];
                strata[0].biases_of(place, levels, &mut biases);
                let visit = Visit {
                    rate,
                    squares: S::as_simd_f32s(meeting.squares.row(cell)).0,
                    levels,
                    word,
                    vector: S::as_mut_simd_f32s(vector.all_mut()).0,
                    sums: S::as_mut_simd_f32s(sums.all_mut()).0,
                    biases: &mut biases,
                    weights: &weights,
                };
                visit.run(simd, run, &mut strata[last], cell, &mut found);
                strata[0].set_biases_of(place, levels, &biases);
            }
            strata[0].vectors.row_mut(place).copy_from_slice(vector.all());
            strata[0].vector_memory[0].row_mut(place).copy_from_slice(sums.all());
        }
        Ok(found)
    }
}

/// A row in one cell.
struct Visit<'a, S: Simd> {
    rate: f32,
    squares: &'a [S::f32s],
    levels: &'a [usize],
    word: usize,
    vector: &'a mut [S::f32s],
    sums: &'a mut [S::f32s],
    /// Bias and sum, level after level.
    biases: &'a mut [[f32; 2]],
    weights: &'a [f32],
}

impl<S: Simd> Visit<'_, S> {
    #[inline(always)]
    fn run(
        mut self,
        simd: S,
        run: Run<'_>,
        others: &mut Stratum<1>,
        cell: usize,
        found: &mut Found,
    ) {
        let words = others.words.clone();
        let vectors = S::as_mut_simd_f32s(others.vectors.all_mut()).0;
        let sums = S::as_mut_simd_f32s(others.vector_memory[0].all_mut()).0;
        let downhill = S::as_mut_simd_f32s(found.downhill.row_mut(cell)).0;
        let width = self.squares.len();
        for (at, &col) in run.cols.iter().enumerate() {
            let place = col as usize - words.start;
            let range = place * width..(place + 1) * width;
            let (vector, sums) = (&mut vectors[range.clone()], &mut sums[range]);
            let mut residual = run.targets[at] - self.dot(simd, vector);
            for (level, [bias, _]) in self.levels.iter().zip(&*self.biases) {
                residual -= bias + others.biases[level * words.len() + place];
            }
            let pull = self.weights[at] * residual;
            // A word with itself is one entry, not two.
            let orders = if col as usize == self.word { 1 } else { 2 };
            found.squares += f64::from(orders as f32 * pull * residual);
            found.entries += orders;
            self.step(simd, pull, orders as f32 / 2.0, vector, sums, downhill);
            for (level, [bias, sum]) in self.levels.iter().zip(&mut *self.biases) {
                let at = level * words.len() + place;
                step(self.rate * pull, bias, sum);
                step(self.rate * pull, &mut others.biases[at], &mut others.bias_memory[0][at]);
            }
        }
    }

    /// What the vectors say of the pair.
    #[inline(always)]
    fn dot(&self, simd: S, other: &[S::f32s]) -> f32 {
        let mut sum = simd.splat_f32s(0.0);
        for ((square, own), other) in self.squares.iter().zip(&*self.vector).zip(other) {
            sum = simd.mul_add_e_f32s(simd.mul_f32s(*square, *own), *other, sum);
        }
        simd.reduce_sum_f32s(sum)
    }

    /// Both vectors take a step; `share` of the slope along the weights is noted.
    #[inline(always)]
    fn step(
        &mut self,
        simd: S,
        pull: f32,
        share: f32,
        other: &mut [S::f32s],
        other_sums: &mut [S::f32s],
        downhill: &mut [S::f32s],
    ) {
        let (by, share) = (simd.splat_f32s(self.rate * pull), simd.splat_f32s(share * pull));
        let go = |by: S::f32s, x: &mut S::f32s, sum: &mut S::f32s| {
            *x = simd.add_f32s(*x, simd.div_f32s(by, simd.sqrt_f32s(*sum)));
            *sum = simd.mul_add_e_f32s(by, by, *sum);
        };
        let own = self.vector.iter_mut().zip(&mut *self.sums);
        let others = other.iter_mut().zip(other_sums);
        let shared = self.squares.iter().zip(downhill);
        for (((own, own_sum), (other, other_sum)), (square, downhill)) in
            own.zip(others).zip(shared)
        {
            let by = simd.mul_f32s(by, *square);
            let (by_other, by_own) = (simd.mul_f32s(by, *other), simd.mul_f32s(by, *own));
            *downhill = simd.mul_add_e_f32s(simd.mul_f32s(share, *own), *other, *downhill);
            go(by_other, own, own_sum);
            go(by_own, other, other_sum);
        }
    }
}

/// One number takes a step.
#[inline(always)]
fn step(by: f32, number: &mut f32, sum: &mut f32) {
    *number += by / sum.sqrt();
    *sum += by * by;
}

impl Stratum<1> {
    /// A word's biases and their sums in some levels.
    fn biases_of(&self, place: usize, levels: &[usize], out: &mut Vec<[f32; 2]>) {
        out.clear();
        let at = levels.iter().map(|level| level * self.words.len() + place);
        out.extend(at.map(|at| [self.biases[at], self.bias_memory[0][at]]));
    }

    fn set_biases_of(&mut self, place: usize, levels: &[usize], biases: &[[f32; 2]]) {
        for (level, &[bias, sum]) in levels.iter().zip(biases) {
            let at = level * self.words.len() + place;
            (self.biases[at], self.bias_memory[0][at]) = (bias, sum);
        }
    }
}
