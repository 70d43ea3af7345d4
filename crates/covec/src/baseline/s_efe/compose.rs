//! The vectors a batch needs, made of what is learned.

use pulp::{Simd, WithSimd};

use super::network::Network;
use super::part::{Index, Part};
use crate::train::simd;

/// Writes the vectors of a part: the common ones with what the level has beyond them, or what its
/// network makes of them.
pub(super) struct Compose<'a> {
    pub(super) part: &'a Part,
    pub(super) index: &'a Index,
    /// By level; empty where levels have no networks.
    pub(super) networks: &'a [Network],
    /// Where they go, one after the other.
    pub(super) vectors: &'a mut [f32],
    /// Where the values of the networks' units go.
    pub(super) units: &'a mut [f32],
}

impl WithSimd for Compose<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { part, index, networks, vectors, units } = self;
        let stride = part.common.at.stride();
        let hidden = networks.first().map_or(0, Network::units);
        let all: Vec<u32> = (0..hidden as u32).collect();
        for (slot, &(level, row)) in index.vectors.iter().enumerate() {
            let vector = &mut vectors[slot * stride..(slot + 1) * stride];
            let common = part.common.at.row(row);
            vector.copy_from_slice(common);
            if let Some(network) = networks.get(level) {
                let units = &mut units[slot * hidden..(slot + 1) * hidden];
                network.forward(simd, &all, common, units, vector);
            } else {
                let own = S::as_simd_f32s(part.own.at.row(level * part.rows + row)).0;
                simd::add_scaled(simd, 1.0, own, S::as_mut_simd_f32s(vector).0);
            }
        }
    }
}
