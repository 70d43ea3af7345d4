//! How well scores tell planted words from others.

/// The probability that a planted score is above another one, ties counted half: the area under the ROC
/// curve, which is Mann and Whitney's U over the number of pairs,
///
/// ```text
/// AUC = ( #{p > o} + ½ #{p = o} ) / ( planted × others )
/// ```
///
/// None where either is empty or a score is not a number. Costs a sort of `others`.
pub fn auc(planted: &[f64], others: &[f64]) -> Option<f64> {
    let mut scores = planted.iter().chain(others);
    if planted.is_empty() || others.is_empty() || scores.any(|score| score.is_nan()) {
        return None;
    }
    let mut others = others.to_vec();
    others.sort_unstable_by(f64::total_cmp);
    // Whole numbers, so that the sum depends on no order: 2 for a win, 1 for a tie.
    let halves = |score: &f64| {
        let below = others.partition_point(|other| other < score);
        let not_above = others.partition_point(|other| other <= score);
        (below + not_above) as u128
    };
    let sum: u128 = planted.iter().map(halves).sum();
    Some(sum as f64 / (2.0 * planted.len() as f64 * others.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_share_of_pairs_in_order(
            planted in prop::collection::vec(-3..4_i32, 1..30),
            others in prop::collection::vec(-3..4_i32, 1..30),
        ) {
            let float = |scores: &[i32]| scores.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
            let mut halves = 0;
            for p in &planted {
                halves += others.iter().map(|o| 1 + (p - o).signum()).sum::<i32>();
            }
            let expected = f64::from(halves) / (2 * planted.len() * others.len()) as f64;
            let found = auc(&float(&planted), &float(&others)).unwrap();
            prop_assert!((found - expected).abs() < 1e-12, "{} {}", found, expected);
        }
    }

    #[test]
    fn zeros_of_either_sign_are_tied_and_nothing_has_no_area() {
        assert_eq!(auc(&[0.0, -0.0], &[-0.0, 0.0]), Some(0.5));
        assert_eq!(auc(&[f64::INFINITY], &[1.0]), Some(1.0));
        assert_eq!(auc(&[], &[1.0]), None);
        assert_eq!(auc(&[1.0], &[]), None);
        assert_eq!(auc(&[1.0], &[f64::NAN]), None);
    }
}
