//! A level's network: what makes a word's vector there of the common one.
//!
//! ```text
//! ρ_g = ρ + Σ_h tanh(w_h · ρ) u_h
//! ```
//!
//! with the common vector itself passed on beside what the hidden units add to it: the residual
//! connection. The slopes, with r = ∂L/∂ρ_g and t_h = tanh(w_h · ρ):
//!
//! ```text
//! ∂L/∂u_h = t_h r      ∂L/∂w_h = b_h ρ      ∂L/∂ρ = r + Σ_h b_h w_h      b_h = (1 − t_h²) u_h · r
//! ```

use pulp::Simd;

use super::learned::Learned;
use crate::lots::{End, Lots, Stream};
use crate::train::simd::{self, Rows};
use crate::train::table::Table;

/// The numbers of a level: a row for each hidden unit in either table.
#[derive(Debug, Clone)]
pub(super) struct Network {
    /// `w`: what a unit looks for.
    pub(super) sought: Learned,
    /// `u`: what it adds.
    pub(super) added: Learned,
}

/// The slopes of a network.
#[derive(Debug, Clone)]
pub(super) struct Slopes {
    pub(super) sought: Table,
    pub(super) added: Table,
}

impl Slopes {
    pub(super) fn new(hidden: usize, dim: usize) -> Self {
        Self { sought: Table::new(hidden, dim), added: Table::new(hidden, dim) }
    }

    pub(super) fn add(&mut self, other: &Self) {
        let pairs = [(&mut self.sought, &other.sought), (&mut self.added, &other.added)];
        for (sums, own) in pairs {
            sums.all_mut().iter_mut().zip(own.all()).for_each(|(sum, own)| *sum += own);
        }
    }
}

impl Network {
    /// Units that look in random directions and add nothing yet: every level begins with the common vectors.
    pub(super) fn start(hidden: usize, dim: usize, seed: u64, level: usize) -> Self {
        let mut sought = Table::new(hidden, dim);
        let mut lots = Stream::new(seed, End::Networks, level as u64);
        let scale = 1.0 / (dim as f64).sqrt();
        for unit in 0..hidden {
            sought.row_mut(unit)[..dim].fill_with(|| (lots.normal() * scale) as f32);
        }
        Self { sought: Learned::of(sought), added: Learned::of(Table::new(hidden, dim)) }
    }

    /// Adds to `vector`, which is the common one, what the units make of it; `units` are their values.
    #[inline(always)]
    pub(super) fn forward<S: Simd>(
        &self,
        simd: S,
        all: &[u32],
        common: &[f32],
        units: &mut [f32],
        vector: &mut [f32],
    ) {
        let stride = self.sought.at.stride();
        let sought = Rows::<S>::new(self.sought.at.all(), stride);
        let common = S::as_simd_f32s(common).0;
        simd::each_dot(simd, sought, all, common, |unit, x| units[unit] = tanh(x));
        let added = Rows::<S>::new(self.added.at.all(), stride);
        simd::add_rows(simd, added, all, units, S::as_mut_simd_f32s(vector).0);
    }

    /// Adds to the slopes of the network, and to `slope`, which is that of the common vector.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn backward<S: Simd>(
        &self,
        simd: S,
        all: &[u32],
        common: &[f32],
        units: &[f32],
        felt: &[f32],
        slopes: &mut Slopes,
        bent: &mut [f32],
        slope: &mut [f32],
    ) {
        let stride = self.sought.at.stride();
        let (common, felt) = (S::as_simd_f32s(common).0, S::as_simd_f32s(felt).0);
        let added = Rows::<S>::new(self.added.at.all(), stride);
        simd::each_dot(simd, added, all, felt, |unit, x| {
            bent[unit] = (1.0 - units[unit] * units[unit]) * x;
        });
        for unit in 0..all.len() {
            let row = S::as_mut_simd_f32s(slopes.added.row_mut(unit)).0;
            simd::add_scaled(simd, units[unit], felt, row);
            let row = S::as_mut_simd_f32s(slopes.sought.row_mut(unit)).0;
            simd::add_scaled(simd, bent[unit], common, row);
        }
        let sought = Rows::<S>::new(self.sought.at.all(), stride);
        let slope = S::as_mut_simd_f32s(slope).0;
        simd::add_scaled(simd, 1.0, felt, slope);
        simd::add_rows(simd, sought, all, bent, slope);
    }

    /// How many units it has.
    pub(super) fn units(&self) -> usize {
        self.sought.at.rows()
    }

    /// A step up the slopes, with `pull` as in [`Learned::step`].
    pub(super) fn step(&mut self, slopes: &Slopes, pull: f32, rate: f32) {
        for (own, slopes) in [(&mut self.sought, &slopes.sought), (&mut self.added, &slopes.added)]
        {
            for unit in 0..slopes.rows() {
                own.step(unit, slopes.row(unit), pull, rate);
            }
        }
    }
}

fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (1.0 + libm::expf(2.0 * x))
}
