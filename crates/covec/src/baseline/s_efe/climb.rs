//! A step of AdaGrad on all that is learned of a part of the words.
//!
//! The objective is the likelihood of an epoch's text and the logarithms of the priors. A batch sees some
//! of the text, so of a row's prior it counts as much as it sees of the row's uses in an epoch.

use pulp::{Simd, WithSimd};

use super::SEfeParameters;
use super::expected::Expected;
use super::felt::Felt;
use super::network::{Network, Slopes};
use super::part::{Index, Part};
use super::stretches::Drawn;
use crate::train::simd;
use crate::train::table::Table;

/// Changes a part by what a batch of stretches gave.
pub(super) struct Climb<'a> {
    pub(super) part: &'a mut Part,
    pub(super) index: &'a Index,
    pub(super) networks: &'a [Network],
    /// The values of the networks' units, as they were for the part's vectors.
    pub(super) units: &'a [f32],
    pub(super) batch: &'a [Drawn],
    pub(super) felt: &'a [Felt],
    /// Items of a target.
    pub(super) each: usize,
    pub(super) expected: &'a Expected,
    pub(super) parameters: &'a SEfeParameters,
}

/// The slopes of a level's network.
pub(super) type OfLevel = (usize, Slopes);

impl WithSimd for Climb<'_> {
    /// Slopes of networks, for the levels of the batch in the order of the text.
    type Output = Vec<OfLevel>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<OfLevel> {
        let Self { part, index, networks, units, batch, felt, each, expected, parameters } = self;
        let (rows, dim) = (part.rows, part.common.at.width());
        let rate = parameters.rate as f32;
        let pull = precision(parameters.spread);
        let own_pull = precision(parameters.level_spread);
        let hidden = networks.first().map_or(0, Network::units);
        let all: Vec<u32> = (0..hidden as u32).collect();
        let mut of_levels: Vec<OfLevel> = Vec::new();
        if hidden > 0 {
            for drawn in batch {
                if of_levels.iter().all(|(level, _)| *level != drawn.level) {
                    of_levels.push((drawn.level, Slopes::new(hidden, dim)));
                }
            }
        }
        let mut common = Table::new(rows, dim);
        let mut uses = vec![0_usize; rows];
        let (mut slope, mut bent) = (Table::new(1, dim), vec![0.0; hidden]);
        for (slot, &(level, row)) in index.vectors.iter().enumerate() {
            slope.all_mut().fill(0.0);
            let items = index.items.of(slot);
            for &(stretch, item) in items {
                let felt = &felt[stretch as usize];
                let context = S::as_simd_f32s(felt.contexts.row(item as usize / each)).0;
                let sum = S::as_mut_simd_f32s(slope.all_mut()).0;
                simd::add_scaled(simd, felt.errors[item as usize], context, sum);
            }
            uses[row] += items.len();
            if let Some(network) = networks.get(level) {
                let units = &units[slot * hidden..(slot + 1) * hidden];
                let at = part.common.at.row(row);
                if let Some((_, slopes)) = of_levels.iter_mut().find(|(own, _)| *own == level) {
                    let sum = common.row_mut(row);
                    network.backward(simd, &all, at, units, slope.all(), slopes, &mut bent, sum);
                }
            } else {
                let sum = S::as_mut_simd_f32s(common.row_mut(row)).0;
                simd::add_scaled(simd, 1.0, S::as_simd_f32s(slope.all()).0, sum);
                let share = items.len() as f32 / expected.items(level, part.word(row));
                part.own.step(level * rows + row, slope.all(), own_pull * share, rate);
            }
        }
        for row in (0..rows).filter(|&row| uses[row] > 0) {
            let share = uses[row] as f32 / expected.common[part.word(row)];
            part.common.step(row, common.row(row), pull * share, rate);
        }
        for (slot, &row) in index.contexts.iter().enumerate() {
            slope.all_mut().fill(0.0);
            let places = index.places.of(slot);
            for &(stretch, at) in places {
                let own = S::as_simd_f32s(felt[stretch as usize].slopes.row(at as usize)).0;
                simd::add_scaled(simd, 1.0, own, S::as_mut_simd_f32s(slope.all_mut()).0);
            }
            let share = places.len() as f32 / expected.contexts[part.word(row)];
            part.contexts.step(row, slope.all(), pull * share, rate);
        }
        part.forget(index);
        of_levels
    }
}

/// Of a Gaussian with this standard deviation.
pub(super) fn precision(spread: f64) -> f32 {
    (1.0 / (spread * spread)) as f32
}
