//! What a score would be with other items: they are drawn again, with replacement.

use crate::lots::{End, Lots, Stream};
use crate::resample::quantile;

/// How items are drawn.
pub(super) struct Resampling {
    pub(super) draws: usize,
    pub(super) seed: u64,
}

impl Resampling {
    /// What `score` is for every draw of so many items; it is told how many times each was drawn. The draws
    /// depend on the seed and the number of items alone, so that models are compared on the same ones.
    pub(super) fn of(&self, items: usize, score: impl Fn(&[u32]) -> Option<f64>) -> Vec<f64> {
        let mut times = vec![0; items];
        let mut scores = Vec::with_capacity(self.draws);
        for draw in 0..if items > 1 { self.draws } else { 0 } {
            let mut lots = Stream::new(self.seed, End::Items, draw as u64);
            times.fill(0);
            (0..items).for_each(|_| times[lots.below(items)] += 1);
            scores.extend(score(&times));
        }
        scores
    }
}

/// The ends of an interval by percentiles.
pub(super) fn interval(mut draws: Vec<f64>, confidence: f64) -> (Option<f64>, Option<f64>) {
    if draws.is_empty() {
        return (None, None);
    }
    draws.sort_by(f64::total_cmp);
    let tail = (1.0 - confidence) / 2.0;
    (Some(quantile(&draws, tail)), Some(quantile(&draws, 1.0 - tail)))
}

/// The mean of numbers that each occur some times.
pub(super) fn mean(numbers: &[f64], times: &[u32]) -> Option<f64> {
    let count: u32 = times.iter().sum();
    let sum: f64 = numbers.iter().zip(times).map(|(x, times)| x * f64::from(*times)).sum();
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_mean_is_as_wide_as_its_error() {
        let numbers: Vec<f64> = (0..400).map(|i| f64::from(i % 20)).collect();
        let resampling = Resampling { draws: 2000, seed: 1 };
        let draws = resampling.of(numbers.len(), |times| mean(&numbers, times));
        let (low, high) = interval(draws, 0.95);
        // Standard deviation of 0..20 over √400, to either side 1.96 times.
        let half = 1.96 * 5.766 / 20.0;
        assert!((low.unwrap() - (9.5 - half)).abs() < 0.06, "{low:?}");
        assert!((high.unwrap() - (9.5 + half)).abs() < 0.06, "{high:?}");
        assert_eq!(interval(resampling.of(1, |times| mean(&[1.0], times)), 0.95), (None, None));
    }
}
