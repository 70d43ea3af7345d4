//! How large topics are in the text of each level, and what that makes of words and levels.
//!
//! With θ_kt the share of topic t in the text of level k, and m_t its mean over the levels of k's factor,
//!
//! ```text
//! c_kt = √(θ_kt / m_t)      v_wt = √m_t · p(w | t)
//! ```
//!
//! so that c² averages 1, as in every model, and c_kt v_wt = √θ_kt · p(w | t): two words are alike in a level by
//! Σ_t θ_kt p(w | t) p(w' | t), which is how often both come up in the same place of its text.

use super::pieces::Pieces;
use super::topics::Topics;
use crate::tensor::Covariates;

/// Topics' shares, the largest topic first.
#[derive(Debug)]
pub(super) struct Shares {
    /// The topics.
    pub(super) order: Vec<usize>,
    /// Level after level, topic after topic, in their order: θ.
    levels: Vec<Vec<f64>>,
    /// Levels of each factor.
    factors: Vec<usize>,
}

impl Shares {
    pub(super) fn new(topics: &Topics, pieces: &Pieces, covariates: &Covariates) -> Self {
        let count = topics.mixtures.width();
        let flat = covariates.flat_levels();
        let factors: Vec<usize> = covariates.factors.iter().map(|f| f.levels.len()).collect();
        let mut all = vec![0.0; count];
        let mut levels = vec![vec![0.0; count]; factors.iter().sum()];
        for (piece, &cell) in pieces.cells.iter().enumerate() {
            for (k, &x) in topics.mixtures.row(piece)[..count].iter().enumerate() {
                let words = (f64::from(x) - topics.alpha).max(0.0);
                all[k] += words;
                flat[cell as usize].iter().for_each(|&level| levels[level][k] += words);
            }
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| all[b].total_cmp(&all[a]));
        let levels = levels.iter().map(|words| {
            let sum: f64 = words.iter().sum();
            order.iter().map(|&k| if sum > 0.0 { words[k] / sum } else { 0.0 }).collect()
        });
        Self { levels: levels.collect(), order, factors }
    }

    /// The mean shares over the levels of each factor.
    fn means(&self) -> Vec<Vec<f64>> {
        let mut rest = &self.levels[..];
        let mean = |&levels: &usize| {
            let (own, later) = rest.split_at(levels);
            rest = later;
            let of = |t: usize| own.iter().map(|shares| shares[t]).sum::<f64>() / levels as f64;
            (0..self.order.len()).map(of).collect()
        };
        self.factors.iter().map(mean).collect()
    }

    /// The levels' weights, level after level.
    pub(super) fn weights(&self) -> Vec<f32> {
        let means = self.means();
        let of_level = self.factors.iter().zip(&means).flat_map(|(&n, mean)| vec![mean; n]);
        let weight = |(share, mean): (&f64, &f64)| match *mean > 0.0 {
            true => libm::sqrt(share / mean) as f32,
            false => 1.0,
        };
        let rows = self.levels.iter().zip(of_level);
        rows.flat_map(|(shares, mean)| shares.iter().zip(mean).map(weight)).collect()
    }

    /// The words' vectors, word after word.
    pub(super) fn words(&self, topics: &Topics) -> Vec<f32> {
        let means = self.means();
        let totals = topics.totals();
        let factors = means.len().max(1) as f64;
        let scale = |(place, &k): (usize, &usize)| {
            let mean = means.iter().map(|mean| mean[place]).sum::<f64>() / factors;
            (k, libm::sqrt(mean) / totals[k])
        };
        let scales: Vec<(usize, f64)> = self.order.iter().enumerate().map(scale).collect();
        let words = 0..topics.words.rows();
        let of = |word| {
            let row = topics.words.row(word);
            scales.iter().map(move |&(k, scale)| (f64::from(row[k]) * scale) as f32)
        };
        words.flat_map(of).collect()
    }
}
