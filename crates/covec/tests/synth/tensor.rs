//! Tensors that are made straight from the known factors.

use std::path::Path;

use covec::synth::Truth;
use covec::tensor::Tensor;

use super::{make, read};

fn tensor(home: &Path, given: &[(&str, &str)]) -> (Tensor, Truth) {
    let (output, truth) = make(home, &[given, &[("tensor", "true")]].concat(), 2);
    (Tensor::open(&output).unwrap(), truth)
}

const PLANTED: &[(&str, &str)] = &[("words", "150"), ("dim", "5"), ("levels", "3,2")];

#[test]
fn a_tensor_without_noise_is_the_formula_in_every_entry() {
    for levels in ["3,2", "4"] {
        let home = tempfile::tempdir().unwrap();
        let (tensor, truth) = tensor(home.path(), &[PLANTED, &[("levels", levels)]].concat());
        let entries = read(&tensor);
        let cells = truth.cells.len();
        assert_eq!(entries.len(), 150 * 150 * cells);
        assert_eq!(tensor.vocabulary.words, truth.words);
        let mut totals = vec![0.0; cells];
        for (&(i, j, k), value) in &entries {
            let planted = truth.ln_expected(k as usize, i as usize, j as usize);
            assert!(
                (value.ln() - planted).abs() <= 1e-12 * planted.abs().max(1.0),
                "{value} {planted}"
            );
            assert_eq!(*value, entries[&(j, i, k)]);
            totals[k as usize] += value;
        }
        for (k, cell) in truth.cells.iter().enumerate() {
            assert!((totals[k] / cell.total - 1.0).abs() < 1e-11);
            assert!(levels != "4" || (cell.total / 1e6 - 1.0).abs() < 1e-11);
            assert_eq!(tensor.covariates.cell_name(k), cell.name);
            for (i, bias) in cell.biases.iter().enumerate() {
                let parts = truth.factors.iter().zip(&cell.levels);
                let sum: f64 = parts.map(|(f, &l)| f.biases.as_ref().unwrap()[l as usize][i]).sum();
                assert!((sum - bias).abs() < 1e-13);
            }
        }
        assert!((totals.iter().sum::<f64>() / cells as f64 / 1e6 - 1.0).abs() < 1e-11);
    }
}

#[test]
fn the_vocabulary_of_a_tensor_holds_its_rows_sums_and_is_sorted() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, _) = tensor(home.path(), &[PLANTED, &[("density", "0.5")]].concat());
    let vocabulary = &tensor.vocabulary;
    let flat = [[0, 3], [0, 4], [1, 3], [1, 4], [2, 3], [2, 4]];
    let mut sums = vec![vec![0.0; 150]; 5];
    for (&(i, _, k), value) in &read(&tensor) {
        flat[k as usize].iter().for_each(|&level| sums[level][i as usize] += value);
    }
    for (counts, sums) in vocabulary.level_counts.iter().zip(&sums) {
        assert!(
            counts.iter().zip(sums).all(|(count, sum)| (*count as f64 - sum).abs() <= 0.5 + 1e-6)
        );
    }
    for word in 0..150 {
        let count: u64 = vocabulary.level_counts[..3].iter().map(|level| level[word]).sum();
        assert_eq!(vocabulary.counts[word], count);
    }
    let order = |i: usize| (std::cmp::Reverse(vocabulary.counts[i]), &vocabulary.words[i]);
    assert!((1..150).all(|i| order(i - 1) < order(i)));
}

#[test]
fn density_is_the_share_of_pairs_that_are_seen() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, _) = tensor(home.path(), &[PLANTED, &[("density", "0.3")]].concat());
    let entries = read(&tensor);
    let pairs = entries.keys().filter(|(i, j, _)| i <= j).count() as f64;
    let all = 150.0 * 151.0 / 2.0 * 6.0;
    let error = (0.3_f64 * 0.7 / all).sqrt();
    assert!((pairs / all - 0.3).abs() < 5.0 * error, "{}", pairs / all);
    assert!(entries.keys().all(|&(i, j, k)| entries.contains_key(&(j, i, k))));
}

#[test]
fn noise_is_symmetric_and_of_the_asked_kind() {
    let home = tempfile::tempdir().unwrap();
    let (tensor_, truth) = tensor(home.path(), &[PLANTED, &[("noise", "log:0.1")]].concat());
    let entries = read(&tensor_);
    let (mut sum, mut squares, mut pairs) = (0.0, 0.0, 0.0_f64);
    for (&(i, j, k), value) in &entries {
        assert_eq!(*value, entries[&(j, i, k)]);
        if i <= j {
            let noise = value.ln() - truth.ln_expected(k as usize, i as usize, j as usize);
            (sum, squares, pairs) = (sum + noise, squares + noise * noise, pairs + 1.0);
        }
    }
    assert!((sum / pairs).abs() < 5.0 * 0.1 / pairs.sqrt());
    assert!((squares / pairs / 0.01 - 1.0).abs() < 5.0 * (2.0 / pairs).sqrt());

    let home = tempfile::tempdir().unwrap();
    let given = [PLANTED, &[("noise", "poisson"), ("scale", "1e5")]].concat();
    let (tensor, truth) = tensor(home.path(), &given);
    let entries = read(&tensor);
    // Chi-square over all pairs, and the number of pairs that were dropped.
    let (mut chi, mut pairs, mut missing, mut expected) = (0.0, 0.0_f64, 0.0, 0.0_f64);
    for k in 0..6_u32 {
        for i in 0..150_u32 {
            for j in i..150 {
                let mean = truth.ln_expected(k as usize, i as usize, j as usize).exp();
                let value = entries.get(&(i, j, k)).copied().unwrap_or(0.0);
                assert_eq!(value, entries.get(&(j, i, k)).copied().unwrap_or(0.0));
                assert_eq!(value.fract(), 0.0);
                missing += f64::from(value == 0.0);
                expected += (-mean).exp();
                chi += (value - mean) * (value - mean) / mean;
                pairs += 1.0;
            }
        }
    }
    assert!((missing - expected).abs() < 5.0 * expected.sqrt(), "{missing} {expected}");
    assert!((chi / pairs - 1.0).abs() < 0.1, "{}", chi / pairs);
    assert_eq!(tensor.record.entries.total.fract(), 0.0);
}
