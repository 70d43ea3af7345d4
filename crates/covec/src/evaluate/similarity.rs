//! Pairs of words that people rated: Spearman's ρ of the ratings and the cosines.
//!
//! ρ is Pearson's correlation of the ranks, those that are equal sharing their mean rank.

use super::resampled::Resampling;
use super::{Measure, Space, TestSet};

pub(super) fn measures(
    test: &TestSet,
    space: &Space<'_>,
    resampling: &Resampling,
) -> (usize, Vec<Measure>) {
    let (mut ratings, mut cosines) = (Vec::new(), Vec::new());
    for item in &test.items {
        let vector = |word: &String| space.vector(space.find(word));
        if let (Some(a), Some(b)) = (vector(&item.words[0]), vector(&item.words[1])) {
            ratings.push(item.rating);
            cosines.push(a.iter().zip(&b).map(|(a, b)| f64::from(a * b)).sum());
        }
    }
    let orders = [order(&ratings), order(&cosines)];
    let spearman =
        |times: &[u32]| spearman([(&ratings, &orders[0]), (&cosines, &orders[1])], times);
    let score = spearman(&vec![1; ratings.len()]);
    let draws = resampling.of(ratings.len(), spearman);
    (ratings.len(), vec![Measure { name: "spearman", score, draws }])
}

/// The places of numbers, the smallest first.
fn order(numbers: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    order
}

/// ρ of pairs of numbers that each occur some times; none where one side does not vary. Sorted once, every draw
/// is a walk along the order.
fn spearman(sides: [(&Vec<f64>, &Vec<usize>); 2], times: &[u32]) -> Option<f64> {
    let count: f64 = times.iter().map(|times| f64::from(*times)).sum();
    let ranks = sides.map(|(numbers, order)| ranks(numbers, order, times));
    let middle = (count + 1.0) / 2.0;
    let (mut covariance, mut variances) = (0.0, [0.0; 2]);
    for (place, &times) in times.iter().enumerate() {
        let times = f64::from(times);
        let off = [ranks[0][place] - middle, ranks[1][place] - middle];
        covariance += times * off[0] * off[1];
        variances[0] += times * off[0] * off[0];
        variances[1] += times * off[1] * off[1];
    }
    let scale = (variances[0] * variances[1]).sqrt();
    (scale > 0.0).then(|| covariance / scale)
}

/// The mean rank of every number, from 1 on.
fn ranks(numbers: &[f64], order: &[usize], times: &[u32]) -> Vec<f64> {
    let mut ranks = vec![0.0; numbers.len()];
    let mut before = 0.0;
    for equal in order.chunk_by(|&a, &b| numbers[a] == numbers[b]) {
        let count: f64 = equal.iter().map(|&place| f64::from(times[place])).sum();
        let rank = before + (count + 1.0) / 2.0;
        equal.iter().for_each(|&place| ranks[place] = rank);
        before += count;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By the definition, with every item written out as often as it was drawn.
    fn naive(a: &[f64], b: &[f64]) -> Option<f64> {
        let rank = |numbers: &[f64]| -> Vec<f64> {
            let of = |x: &f64| {
                let below = numbers.iter().filter(|y| *y < x).count() as f64;
                let equal = numbers.iter().filter(|y| *y == x).count() as f64;
                below + (equal + 1.0) / 2.0
            };
            numbers.iter().map(of).collect()
        };
        let (a, b) = (rank(a), rank(b));
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        let product = |x: &[f64], y: &[f64]| -> f64 {
            let (mx, my) = (mean(x), mean(y));
            x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum()
        };
        let scale = (product(&a, &a) * product(&b, &b)).sqrt();
        (scale > 1e-12).then(|| product(&a, &b) / scale)
    }

    proptest! {
        #[test]
        fn draws_are_ranked_as_if_they_were_written_out(
            items in proptest::collection::vec((0_u8..6, 0_u8..6, 0_u32..3), 2..30)
        ) {
            let side = |of: fn(&(u8, u8, u32)) -> u8| -> Vec<f64> {
                items.iter().map(|item| f64::from(of(item))).collect()
            };
            let (a, b) = (side(|item| item.0), side(|item| item.1));
            let times: Vec<u32> = items.iter().map(|item| item.2).collect();
            let written = |numbers: &[f64]| -> Vec<f64> {
                let repeat = |(x, &times): (&f64, &u32)| vec![*x; times as usize];
                numbers.iter().zip(&times).flat_map(repeat).collect()
            };
            let expected = naive(&written(&a), &written(&b));
            let found = spearman([(&a, &order(&a)), (&b, &order(&b))], &times);
            match (found, expected) {
                (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-9),
                (found, expected) => prop_assert_eq!(found.is_some(), expected.is_some()),
            }
        }
    }
}
