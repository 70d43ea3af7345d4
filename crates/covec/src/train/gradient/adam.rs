//! The paper's rule: Adam on everything.
//!
//! A round is a minibatch: every word against one stratum, about a sixteenth of all entries. All
//! parameters take part in every step, as Adam is published, so there is one count of steps for all.
//! Steps after every row or entry would be more, but most of their work would be keeping moments.

use pulp::{Simd, WithSimd};

use super::strata::Stratum;
use super::{Found, Meeting, Rule, columns};
use crate::error::Error;
use crate::train::examples::Buffer;
use crate::train::simd::{self, Rows};
use crate::train::table::Table;

/// How long the mean of the slopes is remembered.
const MEAN: f32 = 0.9;
/// How long the mean of their squares is.
const SQUARES: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Adam with this learning rate.
pub(crate) struct Adam {
    pub(crate) rate: f32,
}

impl Adam {
    /// For some hundred steps, each over a large share of the entries.
    pub(crate) const RATE: f64 = 0.01;

    /// The learning rate, with what the moments lack in the first steps made up for.
    fn rate(&self, step: u32) -> f32 {
        let lacks = |share: f32| 1.0 - libm::pow(f64::from(share), f64::from(step));
        (f64::from(self.rate) * libm::sqrt(lacks(SQUARES)) / lacks(MEAN)) as f32
    }
}

/// How far a parameter goes down its slope.
#[inline(always)]
fn step(rate: f32, slope: f32, mean: &mut f32, squares: &mut f32) -> f32 {
    *mean = MEAN * *mean + (1.0 - MEAN) * slope;
    *squares = SQUARES * *squares + (1.0 - SQUARES) * slope * slope;
    rate * *mean / (squares.sqrt() + EPSILON)
}

impl Rule<2> for Adam {
    const START: f32 = 0.0;

    fn meet(&self, meeting: &Meeting<'_>, strata: &mut [Stratum<2>]) -> Result<Found, Error> {
        let (found, slopes) = slopes(meeting, strata)?;
        let rate = self.rate(meeting.step);
        for (stratum, slopes) in strata.iter_mut().zip(&slopes) {
            pulp::Arch::new().dispatch(|| stratum.descend(rate, slopes));
        }
        Ok(found)
    }

    fn step(&self, meeting: &Meeting<'_>, slope: f32, [mean, squares]: &mut [f32; 2]) -> f32 {
        step(self.rate(meeting.step), slope, mean, squares)
    }
}

impl Stratum<2> {
    #[inline(always)]
    fn descend(&mut self, rate: f32, slopes: &Slopes) {
        let go = |numbers: &mut [f32], means: &mut [f32], squares: &mut [f32], slopes: &[f32]| {
            let moments = means.iter_mut().zip(squares);
            for ((x, slope), (mean, squares)) in numbers.iter_mut().zip(slopes).zip(moments) {
                *x -= step(rate, *slope, mean, squares);
            }
        };
        let [means, squares] = self.vector_memory.each_mut().map(Table::all_mut);
        go(self.vectors.all_mut(), means, squares, slopes.vectors.all());
        let [means, squares] = &mut self.bias_memory;
        go(&mut self.biases, means, squares, &slopes.biases);
    }
}

/// The slopes of the objective along what is a stratum's own, laid out as in the stratum.
pub(super) struct Slopes {
    pub(super) vectors: Table,
    pub(super) biases: Vec<f32>,
}

impl Slopes {
    /// Those of the penalties.
    fn of_penalties(meeting: &Meeting<'_>, stratum: &Stratum<2>) -> Self {
        let mut vectors = stratum.vectors.clone();
        vectors.all_mut().iter_mut().for_each(|x| *x *= meeting.strengths.vectors);
        let away = stratum.biases.iter().zip(&stratum.prior);
        let biases = away.map(|(bias, prior)| meeting.strengths.biases * (bias - prior)).collect();
        Self { vectors, biases }
    }

    #[inline(always)]
    fn add_bias(&mut self, place: usize, levels: &[usize], slope: f32) {
        for level in levels {
            self.biases[level * self.vectors.rows() + place] += slope;
        }
    }
}

/// The slopes for every stratum of the meeting, and for the weights.
pub(super) fn slopes(
    meeting: &Meeting<'_>,
    strata: &[Stratum<2>],
) -> Result<(Found, Vec<Slopes>), Error> {
    let mut slopes: Vec<Slopes> =
        strata.iter().map(|stratum| Slopes::of_penalties(meeting, stratum)).collect();
    let found = pulp::Arch::new().dispatch(Entries { meeting, strata, slopes: &mut slopes })?;
    Ok((found, slopes))
}

/// All entries of a meeting.
struct Entries<'a> {
    meeting: &'a Meeting<'a>,
    strata: &'a [Stratum<2>],
    slopes: &'a mut [Slopes],
}

impl WithSimd for Entries<'_> {
    type Output = Result<Found, Error>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Result<Found, Error> {
        let Self { meeting, strata, slopes } = self;
        let mut found = Found::nothing(meeting);
        let (rows, others) = (&strata[0], &strata[strata.len() - 1]);
        let stride = meeting.squares.stride();
        let squares = Rows::<S>::new(meeting.squares.all(), stride);
        let table = Rows::<S>::new(others.vectors.all(), stride);
        let mut room = [0; 3].map(|_| Table::new(1, meeting.squares.width()));
        let [scaled, sum, rest] =
            room.each_mut().map(|table| S::as_mut_simd_f32s(table.all_mut()).0);
        let mut buffer = Buffer::default();
        let (mut places, mut left, mut pulls) = (Vec::new(), Vec::new(), Vec::new());
        let mut weights = Vec::new();
        for word in rows.words.clone() {
            let cols = columns(word, strata);
            let place = word - rows.words.start;
            let own = S::as_simd_f32s(rows.vectors.row(place)).0;
            rest.fill(simd.splat_f32s(0.0));
            for (cell, run) in meeting.examples.row(word, &mut buffer)?.iter() {
                let run = run.within(cols.clone());
                if run.cols.is_empty() {
                    continue;
                }
                let levels = &meeting.layout.cells[cell][..];
                places.clear();
                places.extend(run.cols.iter().map(|&col| col - others.words.start as u32));
                // What is left of the targets once the biases are taken away.
                let bias = rows.bias(place, levels);
                left.clear();
                left.extend(
                    places.iter().zip(run.targets).map(|(&other, target)| {
                        target - bias - others.bias(other as usize, levels)
                    }),
                );
                run.weigh(&mut weights);
                pulls.clear();
                simd::times(simd, own, squares.row(cell), scaled);
                sum.fill(simd.splat_f32s(0.0));
                simd::fold(simd, table, &places, scaled, sum, |at, dot| {
                    let residual = left[at] - dot;
                    // A word with itself is one entry, not two, and pulls at both its ends.
                    let share = if run.cols[at] as usize == word { 0.5 } else { 1.0 };
                    let pull = share * weights[at] * residual;
                    found.squares += f64::from(2.0 * pull * residual);
                    found.entries += (2.0 * share) as u64;
                    pulls.push(pull);
                    pull
                });
                simd::add_times(simd, squares.row(cell), sum, rest);
                simd::add_times(
                    simd,
                    own,
                    sum,
                    S::as_mut_simd_f32s(found.downhill.row_mut(cell)).0,
                );
                slopes[0].add_bias(place, levels, -pulls.iter().sum::<f32>());
                let slopes = &mut slopes[strata.len() - 1];
                for (&other, pull) in places.iter().zip(&pulls) {
                    let slope = S::as_mut_simd_f32s(slopes.vectors.row_mut(other as usize)).0;
                    simd::add_scaled(simd, -pull, scaled, slope);
                    slopes.add_bias(other as usize, levels, -pull);
                }
            }
            let slope = S::as_mut_simd_f32s(slopes[0].vectors.row_mut(place)).0;
            simd::add_scaled(simd, -1.0, rest, slope);
        }
        Ok(found)
    }
}
