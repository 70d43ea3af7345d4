//! The inner loops: the topics of a piece, the topics of a word.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::pieces::Pieces;
use crate::special::digamma;
use crate::train::simd::{self, Rows};
use crate::train::table::Table;

/// Turns on a piece in an epoch, at most.
const TURNS: usize = 30;
/// A piece stands still when fewer than this share of its words change their topic.
const STILL: f32 = 1e-3;
/// A word that no topic of a piece has leaves nothing to divide by.
const LEAST: f32 = 1e-30;

/// Finds the topics of some pieces.
pub(super) struct Mix<'a> {
    pub(super) pieces: &'a Pieces,
    pub(super) own: Range<usize>,
    pub(super) mixtures: &'a mut [f32],
    pub(super) likely: &'a mut [f32],
    pub(super) factors: &'a mut [f32],
    pub(super) typical: &'a Table,
    pub(super) alpha: f64,
    pub(super) topics: usize,
}

impl WithSimd for Mix<'_> {
    /// What they add to the bound.
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { pieces, own, mixtures, likely, factors, typical, alpha, topics } = self;
        let stride = typical.stride();
        let rows = Rows::<S>::new(typical.all(), stride);
        let first = pieces.starts[own.start];
        let mut sums = Table::new(1, topics);
        let mut logs = vec![0.0; topics];
        let mut bound = 0.0;
        for (at, piece) in own.enumerate() {
            let mixture = &mut mixtures[at * stride..at * stride + topics];
            let likely = &mut likely[at * stride..(at + 1) * stride];
            let places = pieces.starts[piece]..pieces.starts[piece + 1];
            let (words, counts) = (&pieces.words[places.clone()], &pieces.counts[places.clone()]);
            let factors = &mut factors[places.start - first..places.end - first];
            let close = STILL * counts.iter().sum::<f32>();
            let mut turns = 0..TURNS;
            loop {
                let total: f64 = mixture.iter().map(|&x| f64::from(x)).sum();
                let whole = digamma(total);
                for ((log, likely), &x) in logs.iter_mut().zip(&mut *likely).zip(&*mixture) {
                    *log = digamma(f64::from(x)) - whole;
                    *likely = libm::exp(*log) as f32;
                }
                sums.all_mut().fill(0.0);
                let (u, y) = (S::as_simd_f32s(likely).0, S::as_mut_simd_f32s(sums.all_mut()).0);
                simd::fold(simd, rows, words, u, y, |place, norm| {
                    factors[place] = counts[place] / norm.max(LEAST);
                    factors[place]
                });
                // Ends here, where all numbers are of the same mixture.
                if turns.next().is_none() {
                    bound -= libm::lgamma(total);
                    break;
                }
                let mut change = 0.0;
                for ((x, likely), sum) in mixture.iter_mut().zip(&*likely).zip(sums.all()) {
                    let new = alpha as f32 + likely * sum;
                    change += (new - *x).abs();
                    *x = new;
                }
                if change < close {
                    turns = TURNS..TURNS;
                }
            }
            for (log, &x) in logs.iter().zip(&*mixture) {
                let x = f64::from(x);
                bound += (alpha - x) * log + libm::lgamma(x);
            }
            for (count, factor) in counts.iter().zip(factors) {
                bound += f64::from(*count) * libm::log(f64::from(*count / *factor));
            }
        }
        bound
    }
}

/// Finds the topics of some words.
pub(super) struct Gather<'a> {
    pub(super) pieces: &'a Pieces,
    pub(super) first: usize,
    pub(super) words: &'a mut [f32],
    pub(super) likely: &'a Table,
    pub(super) typical: &'a Table,
    pub(super) factors: &'a [f32],
    pub(super) eta: f32,
    pub(super) topics: usize,
}

impl WithSimd for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { pieces, first, words, likely, typical, factors, eta, topics } = self;
        let rows = Rows::<S>::new(likely.all(), likely.stride());
        let mut sums = Table::new(1, topics);
        let (mut cols, mut own) = (Vec::new(), Vec::new());
        for (row, word) in words.chunks_exact_mut(typical.stride()).zip(first..) {
            let uses = &pieces.uses[pieces.word_starts[word]..pieces.word_starts[word + 1]];
            cols.clear();
            own.clear();
            cols.extend(uses.iter().map(|(piece, _)| *piece));
            own.extend(uses.iter().map(|(_, place)| factors[*place as usize]));
            sums.all_mut().fill(0.0);
            simd::add_rows(simd, rows, &cols, &own, S::as_mut_simd_f32s(sums.all_mut()).0);
            let numbers = row.iter_mut().zip(typical.row(word)).zip(sums.all());
            for ((x, typical), sum) in numbers.take(topics) {
                *x = eta + typical * sum;
            }
        }
    }
}
