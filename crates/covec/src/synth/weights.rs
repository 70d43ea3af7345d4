//! Known weights of the levels, some of them exactly zero.

use super::names;
use crate::lots::Lots;

/// A factor: its levels and how much each makes of every dimension.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Factor {
    pub(super) name: String,
    pub(super) levels: Vec<String>,
    /// By level, then dimension. Never negative; the squares' mean over the levels is 1.
    pub(super) weights: Vec<Vec<f64>>,
}

impl Factor {
    /// The factor number `place`, with this share of its weights zero as far as can be: every
    /// dimension keeps a level.
    pub(super) fn new(
        place: usize,
        levels: usize,
        dim: usize,
        zeros: f64,
        lots: &mut impl Lots,
    ) -> Self {
        let asked = (zeros * (levels * dim) as f64).round() as usize;
        // Spread over the dimensions, so that none rests on few levels with huge weights.
        let most = ((2.0 * zeros * levels as f64).ceil() as usize).min(levels - 1);
        let mut places: Vec<(usize, usize)> =
            (0..levels).flat_map(|level| (0..dim).map(move |t| (level, t))).collect();
        lots.shuffle(&mut places);
        let mut squares: Vec<Vec<f64>> =
            (0..levels).map(|_| (0..dim).map(|_| lots.between(0.25, 1.75)).collect()).collect();
        let (mut set, mut by_dimension) = (0, vec![0; dim]);
        for (level, t) in places {
            if set < asked && by_dimension[t] < most {
                squares[level][t] = 0.0;
                by_dimension[t] += 1;
                set += 1;
            }
        }
        let name = names::factor(place);
        let level_names = (0..levels).map(|level| names::level(&name, level, levels)).collect();
        let mut weights = vec![vec![0.0; dim]; levels];
        for t in 0..dim {
            let mean = squares.iter().map(|level| level[t]).sum::<f64>() / levels as f64;
            for (weights, squares) in weights.iter_mut().zip(&squares) {
                weights[t] = libm::sqrt(squares[t] / mean);
            }
        }
        Self { name, levels: level_names, weights }
    }

    /// Share of the weights that are zero.
    pub(super) fn zeros(&self) -> f64 {
        let zeros = self.weights.iter().flatten().filter(|weight| **weight == 0.0).count();
        zeros as f64 / self.weights.iter().map(Vec::len).sum::<usize>() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lots::{End, Stream};

    fn factor(levels: usize, dim: usize, zeros: f64) -> Factor {
        Factor::new(0, levels, dim, zeros, &mut Stream::new(3, End::Weights, 0))
    }

    #[test]
    fn squares_have_mean_one_and_zeros_the_share_asked_for() {
        for (levels, dim, zeros) in [(4, 20, 0.15), (2, 7, 0.5), (9, 30, 0.4), (6, 10, 0.0)] {
            let factor = factor(levels, dim, zeros);
            assert!(
                (factor.zeros() - zeros).abs() <= 0.5 / (levels * dim) as f64,
                "{levels} {zeros}"
            );
            for t in 0..dim {
                let squares = factor.weights.iter().map(|w| w[t] * w[t]);
                assert!((squares.sum::<f64>() / levels as f64 - 1.0).abs() < 1e-12);
            }
            assert!(factor.weights.iter().flatten().all(|w| *w >= 0.0));
        }
    }

    #[test]
    fn every_dimension_keeps_a_level() {
        assert_eq!(factor(1, 5, 0.15).weights, [vec![1.0; 5]]);
        let most = factor(4, 10, 0.99);
        assert_eq!(most.zeros(), 0.75);
        assert!((0..10).all(|t| most.weights.iter().any(|w| w[t] > 0.0)));
    }
}
