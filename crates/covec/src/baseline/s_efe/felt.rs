//! How likely a stretch of text is, and the slopes of that.
//!
//! With c the sum of the context vectors around a target, its own place aside, and ρ_v the level's
//! vector of word v, the target w and the words n drawn against it give
//!
//! ```text
//! ln σ(c · ρ_w) + Σ_n ln σ(−c · ρ_n)
//! e_v = [v is the target] − σ(c · ρ_v)      ∂/∂ρ_v = e_v c      ∂/∂c = Σ_v e_v ρ_v
//! ```
//!
//! and a context vector's slope is the sum of ∂/∂c over the targets in whose window it stands. Both sums
//! over windows slide along the text.

use pulp::{Simd, WithSimd};

use super::part::{Part, place};
use super::stretches::Drawn;
use crate::train::simd::{self, Rows};
use crate::train::table::Table;

/// What a stretch gives.
#[derive(Debug)]
pub(super) struct Felt {
    /// For every target, the sum of the context vectors around it.
    pub(super) contexts: Table,
    /// For every item its e; 0 for items that do not count.
    pub(super) errors: Vec<f32>,
    /// For every place, the slope of the context vector there.
    pub(super) slopes: Table,
    /// The logarithm of how likely the stretch is.
    pub(super) likelihood: f64,
}

/// Looks at a stretch.
pub(super) struct Feel<'a> {
    pub(super) drawn: &'a Drawn,
    pub(super) parts: &'a [Part],
    /// The first vector of each part among the batch's.
    pub(super) firsts: &'a [usize],
    /// The batch's vectors.
    pub(super) vectors: &'a Table,
    pub(super) window: usize,
    pub(super) outside: u32,
    /// Items of a target.
    pub(super) each: usize,
}

/// Less likely than this is taken for this: the logarithm must be finite.
const LEAST: f64 = 1e-30;

impl WithSimd for Feel<'_> {
    type Output = Felt;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Felt {
        let Self { drawn, parts, firsts, vectors, window, outside, each } = self;
        let (len, dim) = (drawn.words.len(), vectors.width());
        let mut contexts = Table::new(drawn.targets.len(), dim);
        let mut targets = drawn.targets.iter().enumerate().peekable();
        let context = |at: usize| {
            let (part, row) = place(drawn.words[at]);
            (drawn.words[at] != outside).then(|| parts[part].contexts.at.row(row))
        };
        slide(simd, len, window, dim, context, |at, sum| {
            if let Some((target, _)) = targets.next_if(|(_, place)| **place as usize == at) {
                contexts.row_mut(target).copy_from_slice(sum);
            }
        });
        let rows = Rows::<S>::new(vectors.all(), vectors.stride());
        let mut errors = vec![0.0; drawn.items.len()];
        // By place, so that they can be slid over.
        let mut felt = Table::new(len, dim);
        let (mut cols, mut items) = (Vec::new(), Vec::new());
        let mut likelihood = 0.0;
        for (target, &at) in drawn.targets.iter().enumerate() {
            cols.clear();
            items.clear();
            for item in target * each..(target + 1) * each {
                let word = drawn.items[item];
                if word != outside {
                    let (part, row) = place(word);
                    cols.push((firsts[part] + parts[part].slot(drawn.level, row)) as u32);
                    items.push(item);
                }
            }
            let context = S::as_simd_f32s(contexts.row(target)).0;
            let slope = S::as_mut_simd_f32s(felt.row_mut(at as usize)).0;
            let mut likely = 1.0_f64;
            simd::fold(simd, rows, &cols, context, slope, |n, dot| {
                let own = items[n] == target * each;
                // The probability of what is the case.
                let p = logistic(if own { dot } else { -dot });
                likely *= f64::from(p).max(LEAST);
                errors[items[n]] = if own { 1.0 - p } else { p - 1.0 };
                errors[items[n]]
            });
            likelihood += libm::log(likely.max(f64::MIN_POSITIVE));
        }
        let mut slopes = Table::new(len, dim);
        let own = |at: usize| Some(felt.row(at));
        slide(simd, len, window, dim, own, |at, sum| {
            if drawn.words[at] != outside {
                slopes.row_mut(at).copy_from_slice(sum);
            }
        });
        Felt { contexts, errors, slopes, likelihood }
    }
}

/// For every place, the sum of the rows at most `window` away, its own aside.
#[inline(always)]
fn slide<'a, S: Simd>(
    simd: S,
    len: usize,
    window: usize,
    dim: usize,
    row: impl Fn(usize) -> Option<&'a [f32]>,
    mut take: impl FnMut(usize, &[f32]),
) {
    let (mut sum, mut others) = (Table::new(1, dim), Table::new(1, dim));
    let add = |sum: &mut Table, at: usize, factor: f32| {
        if let Some(row) = row(at) {
            let sum = S::as_mut_simd_f32s(sum.all_mut()).0;
            simd::add_scaled(simd, factor, S::as_simd_f32s(row).0, sum);
        }
    };
    for at in 0..window.min(len) {
        add(&mut sum, at, 1.0);
    }
    for at in 0..len {
        if at + window < len {
            add(&mut sum, at + window, 1.0);
        }
        if at > window {
            add(&mut sum, at - window - 1, -1.0);
        }
        others.all_mut().copy_from_slice(sum.all());
        add(&mut others, at, -1.0);
        take(at, others.all());
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}
