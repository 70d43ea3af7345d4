use std::collections::BTreeSet;

use covec::analyse::control::control;
use covec::analyse::sparsity::{histogram, levels, overlaps, sweeps};
use covec::tensor::{Tensor, subsample};
use proptest::prelude::*;

use super::common::{bytes, entries, work};
use super::{MEMORY, planted, random_model, tiny, trained};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn zeros_overlaps_and_bins_are_counted_one_by_one(model in random_model(), bins in 1_usize..9) {
        let zeros = |level: usize| -> BTreeSet<usize> {
            (0..4).filter(|&t| model.weight(level)[t] == 0.0).collect()
        };
        let names = model.covariates.level_names();
        for (level, row) in levels(&model).iter().enumerate() {
            prop_assert_eq!(row.zeros, zeros(level).len());
            prop_assert_eq!(row.share, row.zeros as f64 / 4.0);
            prop_assert_eq!(&row.level, &names[level]);
        }
        let pairs = overlaps(&model);
        prop_assert_eq!(pairs.len(), 3);
        for (row, (a, b)) in pairs.iter().zip([(0, 1), (0, 2), (1, 2)]) {
            let both = zeros(a).intersection(&zeros(b)).count();
            let either = zeros(a).union(&zeros(b)).count();
            prop_assert_eq!((&row.a, &row.b, row.both), (&names[a], &names[b], both));
            prop_assert_eq!((row.a_zeros, row.b_zeros), (zeros(a).len(), zeros(b).len()));
            prop_assert_eq!(row.jaccard, (either > 0).then(|| both as f64 / either as f64));
        }
        let rows = histogram(&model, bins);
        prop_assert_eq!(rows.len(), 4 * (bins + 1));
        for (place, of) in rows.chunks(bins + 1).enumerate() {
            let own = if place == 0 { &model.weights[..] } else { model.weight(place - 1) };
            prop_assert_eq!(of.iter().map(|bin| bin.count).sum::<usize>(), own.len());
            for (number, bin) in of.iter().enumerate() {
                let last = number == bins;
                let inside = |weight: f64| match number {
                    0 => weight == 0.0,
                    _ => weight > bin.from && (weight <= bin.to || last),
                };
                let expected = own.iter().filter(|weight| inside(f64::from(**weight))).count();
                prop_assert_eq!(bin.count, expected, "{:?}", bin);
            }
        }
    }
}

#[test]
fn a_model_of_zeros_alone_has_a_histogram() {
    let mut model = tiny().1.clone();
    model.weights.fill(0.0);
    let rows = histogram(&model, 3);
    assert_eq!((rows[0].count, rows[0].to), (12, 0.0));
    assert!(rows.iter().all(|bin| bin.from.is_finite() && bin.to.is_finite()));
}

#[test]
fn sweeps_tell_every_level() {
    let model = &tiny().1;
    let rows = sweeps(model);
    let trained = &model.record.training.sweeps;
    assert_eq!(rows.len(), 3 * trained.len());
    assert_eq!(rows[4].zeros, trained[1].zeros[1]);
    assert_eq!((rows[4].sweep, &*rows[4].level), (2, "group=group-2"));
}

#[test]
fn subsamples_are_halves_of_a_level_and_symmetric_at_any_number_of_threads() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, _) = planted(
        home.path(),
        &[("words", "60"), ("dim", "3"), ("levels", "2,2"), ("noise", "poisson"), ("scale", "2e4")],
    );
    let (one, four) = (home.path().join("one"), home.path().join("four"));
    let parts = subsample(&tensor, 1, 3, 7, &one, &work(1, MEMORY)).unwrap();
    subsample(&tensor, 1, 3, 7, &four, &work(4, MEMORY)).unwrap();
    assert_eq!(bytes(&one), bytes(&four));
    subsample(&tensor, 1, 3, 8, &four, &work(1, MEMORY)).unwrap();
    assert_ne!(bytes(&one), bytes(&four), "another seed draws otherwise");
    let kept = entries(&parts);
    let mut whole = std::collections::BTreeMap::<(String, String), f64>::new();
    for ((a, cell, b), value) in entries(&tensor) {
        if cell.starts_with("group=group-2,") {
            *whole.entry((a, b)).or_default() += value;
        }
    }
    let total: f64 = whole.values().sum();
    let part = |number: usize| format!("control=part-{number}");
    for number in 1..=3 {
        let own: f64 = kept.iter().filter(|(key, _)| key.1 == part(number)).map(|x| x.1).sum();
        assert!((own / total - 0.5).abs() < 0.02, "part {number} has {}", own / total);
    }
    for ((a, part, b), value) in &kept {
        assert_eq!(kept[&(b.clone(), part.clone(), a.clone())], *value);
        assert!(*value <= whole[&(a.clone(), b.clone())]);
    }
    // What is kept of a pair in one part says nothing of another part.
    let (mut product, mut squares) = (0.0, 0.0);
    for ((a, b), value) in &whole {
        let off = |number: usize| {
            let key = (a.clone(), part(number), b.clone());
            kept.get(&key).copied().unwrap_or(0.0) - value / 2.0
        };
        product += off(1) * off(2);
        squares += off(1) * off(1);
    }
    assert!((product / squares).abs() < 0.15, "{}", product / squares);
    for (id, word) in parts.vocabulary.words.iter().enumerate() {
        let before = tensor.word(word).unwrap() as usize;
        let counts = parts.vocabulary.level_counts.iter().map(|counts| counts[id]);
        assert_eq!(parts.vocabulary.counts[id], counts.sum::<u64>());
        let once = tensor.vocabulary.level_counts[1][before];
        assert_eq!(parts.vocabulary.counts[id], (3 * once).div_ceil(2));
    }
}

#[test]
fn planted_zeros_are_found_and_chance_makes_next_to_none() {
    let home = tempfile::tempdir().unwrap();
    let given = [("dim", "8"), ("zeros", "0.3"), ("noise", "poisson"), ("scale", "2e6")];
    let (tensor, truth) = planted(home.path(), &given);
    let model = trained(&tensor, home.path(), &[("dim", "8")]);
    let planted: usize =
        truth.factors[0].weights.iter().flatten().filter(|weight| **weight == 0.0).count();
    let found: usize = levels(&model).iter().map(|row| row.zeros).sum();
    assert!(found * 3 >= planted * 2 && found <= planted + 2, "{found} zeros, {planted} planted");
    let by_chance = control(&model, &tensor, None, &work(2, MEMORY)).unwrap();
    assert_eq!(by_chance.rows.len(), 3);
    assert!(
        by_chance.rows.iter().all(|row| row.zeros <= 2 && row.of == "control"),
        "{by_chance:?}"
    );
    let mean = by_chance.rows.iter().map(|row| row.zeros).sum::<usize>() as f64 / 3.0;
    assert!(mean < found as f64 / 4.0, "{by_chance:?}, {found} zeros in 4 levels");
    // The largest level, unless another is named.
    let factor = &tensor.covariates.factors[0];
    let largest = factor.levels.iter().max_by_key(|level| level.tokens).unwrap();
    assert_eq!(by_chance.slice, format!("group={}", largest.name));
    let named = control(&model, &tensor, Some("group-2"), &work(1, MEMORY)).unwrap();
    assert_eq!(named.slice, "group=group-2");
}

#[test]
fn a_control_on_the_wrong_tensor_or_level_is_refused() {
    let (home, model) = tiny();
    let tensor = Tensor::open(&home.path().join("t1")).unwrap();
    let told = |tensor: &Tensor, slice: &str| {
        let refused = control(model, tensor, Some(slice), &work(1, MEMORY)).unwrap_err();
        assert!(refused.is_refusal());
        refused.to_string()
    };
    assert!(told(&tensor, "group-9").contains("no level 'group-9'"));
    assert!(told(&tensor, "group-1,group-2").contains("several levels"));
    let other = tempfile::tempdir().unwrap();
    let (other, _) = planted(other.path(), &[("words", "80"), ("dim", "4")]);
    assert!(told(&other, "group-1").contains("80 there, 60 in the model"));
}
