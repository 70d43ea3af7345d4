use covec::analyse::coherence::{WORDS, coherence};
use covec::analyse::topics::{Topic, Wanted, topics};
use covec::analyse::{SupportParameters, View};
use covec::model::Model;
use covec::parameters::Whole;
use covec::tensor::Tensor;
use covec::train::Agreement;
use proptest::prelude::*;

use super::common::{entries, work};
use super::{MEMORY, planted, random_model, tiny, trained};

fn at_least(min_support: u64) -> SupportParameters {
    SupportParameters { min_support: Whole(min_support) }
}

/// A word's place along a dimension, as the definition says.
fn place(model: &Model, word: usize, t: usize) -> f64 {
    let energy = |t: usize| -> f64 {
        (0..model.vocabulary.len()).map(|i| f64::from(model.vector(i)[t]).powi(2)).sum()
    };
    let scaled = |t: usize| f64::from(model.vector(word)[t]) / energy(t).sqrt();
    let length = (0..model.dim).map(|s| scaled(s).powi(2)).sum::<f64>().sqrt();
    scaled(t) / length
}

fn square(model: &Model, level: usize, t: usize) -> f64 {
    f64::from(model.weight(level)[t]).powi(2)
}

fn asked(model: &Model, wanted: Wanted<'_>, n: usize, least: u64, threads: usize) -> Vec<Topic> {
    let answer = topics(model, 0, wanted, n, &at_least(least), &work(threads, MEMORY)).unwrap();
    let rare = model.vocabulary.counts.iter().filter(|count| **count < least).count();
    assert_eq!(answer.left_out, rare);
    answer.rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn words_weights_and_order_are_those_of_the_definition(model in random_model(), n in 1_usize..20) {
        let rows = asked(&model, Wanted::Spread, n, 20, 2);
        prop_assert_eq!(&rows, &asked(&model, Wanted::Spread, n, 20, 1));
        let mut spreads = Vec::new();
        for row in &rows {
            let t = row.dimension - 1;
            let squares: Vec<f64> = (0..3).map(|level| square(&model, level, t)).collect();
            let mean = squares.iter().sum::<f64>() / 3.0;
            let spread = squares.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 3.0;
            prop_assert!((row.spread - spread).abs() < 1e-9);
            for (level, square) in row.levels.iter().zip(squares) {
                prop_assert!((level.square - square).abs() < 1e-9);
            }
            spreads.push(spread);
            let words: Vec<usize> = (0..60).filter(|&i| model.vocabulary.counts[i] >= 20).collect();
            for (sign, own) in [(1.0, &row.above), (-1.0, &row.below)] {
                let mut expected: Vec<f64> = words.iter().map(|&i| sign * place(&model, i, t)).collect();
                expected.retain(|x| *x > 0.0);
                expected.sort_by(|a, b| b.total_cmp(a));
                expected.truncate(n);
                prop_assert_eq!(own.len(), expected.len());
                for (word, expected) in own.iter().zip(expected) {
                    let id = model.word(&word.word).unwrap();
                    prop_assert!((sign * word.coordinate - expected).abs() < 1e-5);
                    prop_assert!((word.coordinate - place(&model, id, t)).abs() < 1e-5);
                    prop_assert_eq!(word.count, model.vocabulary.counts[id]);
                }
            }
        }
        prop_assert!(spreads.is_sorted_by(|a, b| a >= b));
        let mut dimensions: Vec<usize> = rows.iter().map(|row| row.dimension).collect();
        dimensions.sort_unstable();
        prop_assert_eq!(dimensions, [1, 2, 3, 4]);
        for row in rows {
            let one = asked(&model, Wanted::One(row.dimension), n, 20, 2);
            prop_assert_eq!(one, vec![row]);
        }
    }

    #[test]
    fn a_contrast_orders_by_the_difference_of_squared_weights(model in random_model()) {
        let views = View::of_factor(&model, 0);
        let rows = asked(&model, Wanted::Contrast(&views[2], &views[0]), 3, 1, 2);
        let mut expected: Vec<(f64, usize)> =
            (0..4).map(|t| (square(&model, 0, t) - square(&model, 2, t), t + 1)).collect();
        expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (row, (difference, dimension)) in rows.iter().zip(expected) {
            prop_assert!((row.difference.unwrap() - difference).abs() < 1e-9);
            prop_assert_eq!(row.dimension, dimension);
        }
    }
}

#[test]
fn words_without_a_direction_and_dimensions_without_words_are_left_out() {
    let mut model = tiny().1.clone();
    for word in 0..60 {
        model.vectors[word * 4 + 1] = 0.0;
    }
    model.vectors[..4].fill(0.0);
    let rows = asked(&model, Wanted::One(2), 60, 0, 1);
    assert!(rows[0].above.is_empty() && rows[0].below.is_empty() && rows[0].energy == 0.0);
    let rows = asked(&model, Wanted::One(1), 60, 0, 1);
    let named = |word: &str| rows[0].above.iter().chain(&rows[0].below).any(|w| w.word == word);
    assert!(!named(&model.vocabulary.words[0]) && named(&model.vocabulary.words[1]));
}

#[test]
fn dimensions_that_other_seeds_did_not_find_are_marked() {
    let mut model = tiny().1.clone();
    assert!(asked(&model, Wanted::One(1), 1, 0, 1)[0].unstable.is_none());
    model.record.training.agreement = Some(Agreement {
        seeds: vec![2],
        means: vec![0.9],
        dimensions: vec![0.95, 0.5, 0.9, 0.89],
    });
    let marks: Vec<_> =
        (1..=4).map(|t| asked(&model, Wanted::One(t), 1, 0, 1)[0].unstable.unwrap()).collect();
    assert_eq!(marks, [false, true, false, true]);
}

#[test]
fn questions_without_an_answer_say_what_would_have_one() {
    let model = &tiny().1;
    let views = View::of_factor(model, 0);
    for (wanted, least, told) in [
        (Wanted::One(0), 1, "expected: 1 to 4"),
        (Wanted::One(5), 1, "expected: 1 to 4"),
        (Wanted::Contrast(&views[1], &views[1]), 1, "contrasted with itself"),
        (Wanted::Spread, u64::MAX, "lower --min-support"),
    ] {
        let refused = topics(model, 0, wanted, 3, &at_least(least), &work(1, MEMORY)).unwrap_err();
        assert!(refused.is_refusal() && refused.to_string().contains(told), "{refused}");
    }
}

#[test]
fn coherence_is_the_mean_npmi_of_all_pairs() {
    let (home, model) = tiny();
    let tensor = Tensor::open(&home.path().join("t1")).unwrap();
    let support = at_least(0);
    let found = coherence(model, &tensor, &support, &work(2, MEMORY)).unwrap();
    assert_eq!(found, coherence(model, &tensor, &support, &work(1, MEMORY)).unwrap());
    let all = entries(&tensor);
    let total: f64 = all.values().sum();
    let sum = |wanted: &dyn Fn(&str, &str) -> bool| -> f64 {
        all.iter().filter(|((a, _, b), _)| wanted(a, b)).map(|(_, value)| value).sum::<f64>()
            / total
    };
    let (mut means, mut stronger) = (Vec::new(), Vec::new());
    for (t, own) in found.dimensions.iter().enumerate() {
        let row = asked(model, Wanted::One(t + 1), WORDS, 0, 1).remove(0);
        let up = row.above[0].coordinate.abs() >= row.below[0].coordinate.abs();
        stronger.push(if up { own.above.unwrap() } else { own.below.unwrap() });
        for (words, found) in [(row.above, own.above), (row.below, own.below)] {
            let mut scores = Vec::new();
            for (place, a) in words.iter().enumerate() {
                for b in &words[..place] {
                    let both = sum(&|x, y| x == a.word && y == b.word);
                    let [p, q] = [a, b].map(|word| sum(&|x, _| x == word.word));
                    scores.push(if both > 0.0 { (both / (p * q)).ln() / -both.ln() } else { -1.0 });
                }
            }
            let expected = scores.iter().sum::<f64>() / scores.len() as f64;
            assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?} {expected}");
        }
        means.push((own.above.unwrap() + own.below.unwrap()) / 2.0);
    }
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    assert!((found.mean - mean).abs() < 1e-12);
    let mean = stronger.iter().sum::<f64>() / stronger.len() as f64;
    assert!((found.stronger - mean).abs() < 1e-12);
    let above = means.iter().filter(|x| **x > found.baseline).count() as f64 / 4.0;
    assert_eq!(found.share_above_baseline, above);
}

#[test]
fn planted_topics_are_found_and_more_coherent_than_turned_ones() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, truth) =
        planted(home.path(), &[("dim", "10"), ("words", "300"), ("zeros", "0.3")]);
    let model = trained(&tensor, home.path(), &[("dim", "10"), ("deviations", "off")]);
    // The words of a topic load on one planted dimension, more than on any other.
    let rows = asked(&model, Wanted::Spread, 5, 0, 2);
    let mut sure = 0;
    for row in &rows {
        let loads = |t: usize| -> f64 {
            let ids = row.above.iter().map(|word| model.word(&word.word).unwrap());
            ids.map(|id| truth.vectors[id][t]).sum::<f64>().abs()
        };
        let mut loads: Vec<f64> = (0..10).map(loads).collect();
        loads.sort_by(|a, b| b.total_cmp(a));
        sure += usize::from(loads[0] > 2.0 * loads[1]);
    }
    assert!(sure >= 8, "{sure} of 10 topics are planted ones");
    let found = coherence(&model, &tensor, &at_least(0), &work(2, MEMORY)).unwrap();
    assert!(found.mean > found.baseline + 3.0 * found.baseline_spread, "{found:?}");
    assert!(found.share_above_baseline >= 0.8, "{found:?}");
    assert!(found.stronger > found.baseline_stronger, "{found:?}");
}

#[test]
fn a_tensor_of_other_words_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (other, _) = planted(home.path(), &[("words", "80"), ("dim", "4"), ("levels", "3")]);
    let refused = coherence(&tiny().1, &other, &at_least(0), &work(1, MEMORY)).unwrap_err();
    let told = refused.to_string();
    assert!(refused.is_refusal(), "{told}");
    assert!(told.contains("80 there, 60 in the model") && told.contains("trained on"), "{told}");
}
