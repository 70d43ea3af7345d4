//! p-values from shuffled labels, and q-values over everything that was tested.
//!
//! With b of B shuffles at least as extreme as what was found, p = (b + 1) / (B + 1). Of a few hundred
//! shuffles that is never below a few thousandths, far too coarse to pick ten words out of thousands; so the
//! shift scores of words, which are on one scale by their making, are compared with those of all words of like
//! frequency in all shuffles: b and B count them all.
//!
//! q (Benjamini and Hochberg 1995): of all that has q ≤ 0.1, about a tenth at most is there by chance.

/// Words of like frequency.
const LIKE: usize = 200;

/// p of every word's score against shuffled ones; none where a word has no score.
pub(crate) fn p_values(scores: &[f32], shuffled: &[&[f32]], counts: &[u64]) -> Vec<Option<f64>> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|&word| !scores[word].is_nan()).collect();
    order.sort_by_key(|&word| (std::cmp::Reverse(counts[word]), word));
    let mut p = vec![None; scores.len()];
    let parts = (order.len() / LIKE).max(1);
    for part in 0..parts {
        let own = &order[part * order.len() / parts..(part + 1) * order.len() / parts];
        let scores_of =
            |shuffle: &&[f32]| own.iter().map(|&word| shuffle[word]).collect::<Vec<_>>();
        let mut null: Vec<f32> = shuffled.iter().flat_map(scores_of).collect();
        null.retain(|score| !score.is_nan());
        null.sort_by(f32::total_cmp);
        for &word in own {
            let extreme = null.len() - null.partition_point(|score| *score < scores[word]);
            p[word] = Some((extreme + 1) as f64 / (null.len() + 1) as f64);
        }
    }
    p
}

/// p of one number against those of shuffles: how many of them are as far from their mean, to either side.
pub(crate) fn two_sided(found: f64, shuffled: &[f64]) -> Option<f64> {
    if shuffled.is_empty() {
        return None;
    }
    let mean = shuffled.iter().sum::<f64>() / shuffled.len() as f64;
    let extreme = shuffled.iter().filter(|x| (*x - mean).abs() >= (found - mean).abs()).count();
    Some((extreme + 1) as f64 / (shuffled.len() + 1) as f64)
}

/// p of a distance: how many shuffles are as large.
pub(crate) fn one_sided(found: f64, shuffled: &[f64]) -> Option<f64> {
    let extreme = shuffled.iter().filter(|x| **x >= found).count();
    (!shuffled.is_empty()).then(|| (extreme + 1) as f64 / (shuffled.len() + 1) as f64)
}

/// q of every p. Where these were picked from a larger number that were `tested`, the others are taken to have larger p: a pick
/// by p makes no q smaller than it would be among all of them.
pub(crate) fn q_values(p: &[Option<f64>], tested: usize) -> Vec<Option<f64>> {
    let mut order: Vec<(f64, usize)> =
        p.iter().enumerate().filter_map(|(index, p)| Some(((*p)?, index))).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let known = order.len();
    let all = known.max(tested);
    let mut q = vec![None; p.len()];
    let mut least = 1.0_f64;
    for (above, (p, index)) in order.into_iter().enumerate() {
        least = least.min(p * all as f64 / (known - above) as f64);
        q[index] = Some(least);
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lots::{End, Lots, Stream};

    #[test]
    fn p_counts_what_is_as_extreme_and_q_is_that_of_benjamini_and_hochberg() {
        let null: [&[f32]; 2] = [&[1.0, 2.0, f32::NAN], &[3.0, 4.0, 5.0]];
        let p = p_values(&[2.5, 9.0, f32::NAN], &null, &[5, 3, 1]);
        assert_eq!(p, [Some(3.0 / 5.0), Some(1.0 / 5.0), None]);
        let own = [Some(0.01), None, Some(0.04), Some(0.03), Some(0.5)];
        let q = q_values(&own, 0);
        let expected = [0.04, 0.0, 0.16 / 3.0, 0.16 / 3.0, 0.5];
        for (q, expected) in q.iter().zip(expected) {
            assert!((q.unwrap_or(0.0) - expected).abs() < 1e-12, "{q:?} {expected}");
        }
        // Picked from twenty, they are five times as likely there by chance.
        for (picked, q) in q_values(&own, 20).into_iter().zip(&q) {
            assert!(picked.zip(*q).is_none_or(|(a, b)| (a - (5.0 * b).min(1.0)).abs() < 1e-12));
        }
        assert_eq!(two_sided(0.0, &[1.0, 2.0, 3.0]), Some(0.25));
        assert_eq!(two_sided(2.0, &[1.0, 2.0, 3.0]), Some(1.0));
        assert_eq!(one_sided(2.5, &[1.0, 2.0, 3.0]), Some(0.5));
    }

    /// Where nothing is to be found, p is spread evenly and q says so.
    #[test]
    fn under_the_null_p_is_uniform() {
        let mut lots = Stream::new(3, End::Sample, 0);
        let words = 2000;
        let counts: Vec<u64> = (0..words).map(|word| 10_000 / (word + 1)).collect();
        // Rare words have wider scores, as they may.
        let mut draw = || -> Vec<f32> {
            let wide = |word: u64| 1.0 + word as f64 / words as f64;
            (0..words).map(|word| (wide(word) * lots.normal()).exp() as f32).collect()
        };
        let found = draw();
        let shuffles: Vec<Vec<f32>> = (0..20).map(|_| draw()).collect();
        let null: Vec<&[f32]> = shuffles.iter().map(Vec::as_slice).collect();
        let p = p_values(&found, &null, &counts);
        let mut sorted: Vec<f64> = p.iter().flatten().copied().collect();
        sorted.sort_by(f64::total_cmp);
        // Kolmogorov and Smirnov: 1.63/√n is exceeded once in a hundred times.
        let n = sorted.len() as f64;
        let off = sorted.iter().enumerate().map(|(i, p)| (p - (i as f64 + 0.5) / n).abs());
        assert!(off.fold(0.0, f64::max) < 1.63 / n.sqrt());
        assert!(q_values(&p, 0).iter().flatten().all(|q| *q > 0.1));
    }
}
