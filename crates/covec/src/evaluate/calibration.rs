//! What counts a method's predictions stand for, learnt from pairs that were kept out.
//!
//! Methods speak on scales of their own: one tells what is to be expected of a pair, another of those that met alone. A curve through
//! what predictions of a size went with takes that out of a comparison, for all methods alike.

/// Pieces of the curve, at most.
const PIECES: usize = 40;
/// Pairs behind every point of it, at least.
const LEAST: usize = 50;

/// A pair: its weight, what is predicted of it, and what it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) weight: f64,
    pub(super) told: f64,
    pub(super) target: f64,
}

/// Straight between the means of equally heavy parts of the pairs, from the smallest predictions to the largest; beyond them it goes on as
/// it began and ended.
#[derive(Debug)]
pub(super) struct Calibration {
    /// What is told and what it stands for, rising in what is told.
    points: Vec<[f64; 2]>,
}

impl Calibration {
    pub(super) fn of(mut pairs: Vec<Pair>) -> Self {
        pairs.sort_by(|a, b| a.told.total_cmp(&b.told));
        let all: f64 = pairs.iter().map(|pair| pair.weight).sum();
        let pieces = (pairs.len() / LEAST).clamp(1, PIECES) as f64;
        let mut points: Vec<[f64; 2]> = Vec::new();
        let (mut before, mut sums, mut count) = (0.0, [0.0; 3], 0);
        for (place, Pair { weight, told, target }) in pairs.iter().copied().enumerate() {
            count += 1;
            [weight, weight * told, weight * target]
                .iter()
                .zip(&mut sums)
                .for_each(|(x, sum)| *sum += x);
            let full = before + sums[0] >= all * (points.len() + 1) as f64 / pieces;
            // What is left over is not a part of its own.
            let rest = pairs.len() - place - 1;
            if rest == 0 || full && count >= LEAST && rest >= LEAST {
                let [weight, told, target] = sums;
                let point = [told / weight, target / weight];
                if points.last().is_none_or(|last| last[0] < point[0]) {
                    points.push(point);
                }
                (before, sums, count) = (before + weight, [0.0; 3], 0);
            }
        }
        Self { points }
    }

    /// What a prediction stands for.
    pub(super) fn read(&self, told: f64) -> f64 {
        let [first, .., last] = &self.points[..] else {
            return self.points.first().map_or(told, |point| point[1] + told - point[0]);
        };
        let after = self.points.partition_point(|point| point[0] <= told);
        let (a, b) = match after {
            0 => (first, &self.points[1]),
            after if after == self.points.len() => (&self.points[after - 2], last),
            after => (&self.points[after - 1], &self.points[after]),
        };
        a[1] + (told - a[0]) * (b[1] - a[1]) / (b[0] - a[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(count: u32, target: impl Fn(f64) -> f64) -> Vec<Pair> {
        let told = |i: u32| f64::from(i * 7919 % count) / f64::from(count) * 4.0 - 2.0;
        let pair = |i| Pair { weight: 1.0, told: told(i), target: target(told(i)) };
        (0..count).map(pair).collect()
    }

    #[test]
    fn a_scale_of_its_own_is_taken_out_and_goes_on_beyond_what_was_seen() {
        let line = Calibration::of(pairs(4001, |told| 0.5 * told + 3.0));
        for told in [-9.0, -2.0, -0.3, 0.0, 1.7, 2.0, 5.0] {
            assert!((line.read(told) - (0.5 * told + 3.0)).abs() < 1e-9, "{told}");
        }
        let bend = Calibration::of(pairs(4001, |told| told.max(0.0)));
        for told in [-1.9_f64, -1.0, 0.0, 0.5, 1.9] {
            assert!((bend.read(told) - told.max(0.0)).abs() < 0.03, "{told}");
        }
    }

    #[test]
    fn few_pairs_tell_how_far_off_a_method_is_and_none_tell_nothing() {
        let few = Calibration::of(pairs(60, |told| told + 1.0));
        assert!((few.read(0.3) - 1.3).abs() < 1e-9);
        assert_eq!(few.points.len(), 1);
        assert_eq!(Calibration::of(Vec::new()).read(0.3), 0.3);
        // All alike, as of a method that knows nothing.
        let same = Calibration::of(
            pairs(999, |told| told).into_iter().map(|p| Pair { told: 2.0, ..p }).collect(),
        );
        assert!(same.points.len() == 1 && same.read(2.0).is_finite());
    }
}
