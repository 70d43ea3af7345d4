//! The planted world is what its truth says it is.

#![allow(clippy::unwrap_used)]

#[path = "synth/tensor.rs"]
mod tensor;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use covec::synth::{SynthParameters, Truth, truth_beside, write_corpus, write_tensor};
use covec::tensor::{CountParameters, Tensor, count};
use covec::{Error, Work};

fn parameters(given: &[(&str, &str)]) -> SynthParameters {
    let mut parameters = SynthParameters::default();
    given.iter().for_each(|(name, text)| parameters.set(name, text).unwrap());
    parameters
}

fn threads(n: usize) -> Work<'static> {
    Work { threads: NonZeroUsize::new(n).unwrap(), ..Work::default() }
}

/// Makes a corpus or tensor, and reads its truth.
fn make(home: &Path, given: &[(&str, &str)], threads_: usize) -> (PathBuf, Truth) {
    let parameters = parameters(given);
    let output = home.join(if parameters.tensor { "tensor" } else { "corpus.jsonl" });
    let truth = truth_beside(&output);
    let write = if parameters.tensor { write_tensor } else { write_corpus };
    write(parameters.checked().unwrap(), &output, &truth, &threads(threads_)).unwrap();
    let truth = Truth::read(&truth).unwrap();
    (output, truth)
}

const SMALL: &[(&str, &str)] = &[
    ("words", "300"),
    ("tokens", "20123"),
    ("dim", "6"),
    ("levels", "3,2"),
    ("shares", "0.7,0.2,0.1"),
    ("noise", "log:0.1"),
    ("density", "0.6"),
];

#[test]
fn the_seed_alone_decides_every_byte() {
    for tensor in ["false", "true"] {
        let bytes = |seed: &str, threads: usize| {
            let home = tempfile::tempdir().unwrap();
            let given = [SMALL, &[("seed", seed), ("tensor", tensor)]].concat();
            let (output, _) = make(home.path(), &given, threads);
            let truth = std::fs::read(truth_beside(&output)).unwrap();
            let file = if tensor == "true" { output.join("entries.parquet") } else { output };
            (std::fs::read(file).unwrap(), truth)
        };
        let one = bytes("1", 1);
        assert!(one == bytes("1", 2) && one == bytes("1", 5), "tensor {tensor}");
        let other = bytes("2", 1);
        assert!(one.0 != other.0 && one.1 != other.1);
    }
}

#[test]
fn text_has_the_asked_length_words_and_shares() {
    let home = tempfile::tempdir().unwrap();
    let (output, truth) = make(home.path(), SMALL, 2);
    let text = std::fs::read_to_string(output).unwrap();
    let documents: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(documents.len(), 403);
    let mut tokens = BTreeMap::new();
    for (number, document) in documents.iter().enumerate() {
        assert_eq!(document["id"], format!("d{}", number + 1));
        let words: Vec<&str> = document["text"].as_str().unwrap().split(' ').collect();
        assert_eq!(words.len(), if number == 402 { 23 } else { 50 });
        let cell = (document["group"].to_string(), document["period"].to_string());
        *tokens.entry(cell).or_insert(0) += words.len() as u64;
    }
    let planted: Vec<u64> = truth.cells.iter().map(|cell| cell.tokens).collect();
    assert_eq!(planted.iter().sum::<u64>(), 20_123);
    assert_eq!(tokens.into_values().collect::<Vec<_>>(), planted);
    let share = (planted[0] + planted[1]) as f64 / 20_123.0;
    assert!((share - 0.7).abs() < 0.01, "{share}");
}

/// Σ (seen − expected)² / expected, over all pairs.
fn chi_square(seen: &[f64], probability: impl Fn(usize, usize) -> f64, words: usize) -> f64 {
    let total: f64 = seen.iter().sum();
    let pair = |at: usize| {
        let expected = probability(at / words, at % words) * total;
        (seen[at] - expected) * (seen[at] - expected) / expected
    };
    (0..seen.len()).map(pair).sum()
}

#[test]
fn pairs_of_words_occur_as_the_truth_says() {
    let home = tempfile::tempdir().unwrap();
    let given = [
        ("words", "12"),
        ("levels", "3"),
        ("dim", "3"),
        ("differing", "4"),
        ("zeros", "0.25"),
        ("document_words", "4"),
        ("tokens", "1_800_000"),
        ("seed", "11"),
    ];
    let (output, truth) = make(home.path(), &given, 2);
    let id: BTreeMap<&str, usize> = truth.words.iter().map(String::as_str).zip(0..).collect();
    let cell: BTreeMap<&str, usize> =
        truth.factors[0].levels.iter().map(String::as_str).zip(0..).collect();
    // One pair a document, so that pairs are independent: first and last word, or the middle ones.
    let mut seen = vec![[vec![0.0; 144], vec![0.0; 144]]; 3];
    for line in std::fs::read_to_string(output).unwrap().lines() {
        let document: serde_json::Value = serde_json::from_str(line).unwrap();
        let words: Vec<usize> =
            document["text"].as_str().unwrap().split(' ').map(|w| id[w]).collect();
        let seen = &mut seen[cell[document["group"].as_str().unwrap()]];
        seen[0][words[0] * 12 + words[3]] += 1.0;
        seen[1][words[1] * 12 + words[2]] += 1.0;
    }
    let mut without = truth.clone();
    without.differing.clear();
    let mut caught = 0;
    for (k, seen) in seen.iter().enumerate() {
        for seen in seen {
            assert_eq!(seen.iter().sum::<f64>(), 150_000.0);
            // 143 degrees of freedom: mean 143, spread 17.
            let chi = chi_square(seen, |i, j| truth.ln_expected(k, i, j).exp(), 12);
            eprintln!("chi-square of cell {k}: {chi:.1}");
            assert!(chi < 143.0 + 5.0 * 17.0, "chi-square {chi} in cell {k}");
            // Words drawn alone, without their neighbours, would not pass.
            let marginals = &truth.cells[k].marginals;
            let alone = chi_square(seen, |i, j| marginals[i] * marginals[j], 12);
            assert!(alone > 2000.0, "chi-square {alone} in cell {k}");
            // Nor would a world whose differing words do not differ.
            let chi = chi_square(seen, |i, j| without.ln_expected(k, i, j).exp(), 12);
            caught += usize::from(chi > 2000.0);
        }
    }
    assert_eq!(caught, 4, "two pairs of words differ, each in a level of its own");
}

#[test]
fn probabilities_sum_to_one_and_to_the_marginals() {
    let home = tempfile::tempdir().unwrap();
    let (_, truth) = make(home.path(), SMALL, 2);
    for (k, cell) in truth.cells.iter().enumerate() {
        let mut total = 0.0;
        for i in 0..300 {
            let sum: f64 = (0..300).map(|j| truth.ln_expected(k, i, j).exp()).sum();
            assert!((sum / cell.marginals[i] - 1.0).abs() < 1e-11, "{sum} {}", cell.marginals[i]);
            total += sum;
        }
        assert!((total - 1.0).abs() < 1e-11, "{total}");
    }
}

#[test]
fn the_truth_is_in_canonical_form_with_exact_zeros() {
    let home = tempfile::tempdir().unwrap();
    let given =
        [("words", "500"), ("levels", "6,4"), ("dim", "20"), ("zeros", "0.3"), ("tokens", "5000")];
    let (_, truth) = make(home.path(), &given, 2);
    assert!(truth.energies.is_sorted_by(|a, b| a >= b));
    let mut zeros = 0;
    for factor in &truth.factors {
        for t in 0..20 {
            let column: Vec<f64> = factor.weights.iter().map(|w| w[t]).collect();
            let mean = column.iter().map(|c| c * c).sum::<f64>() / column.len() as f64;
            assert!((mean - 1.0).abs() < 1e-12 && column.iter().all(|c| *c >= 0.0));
            zeros += column.iter().filter(|c| **c == 0.0).count();
        }
    }
    assert_eq!(zeros, 60);
    assert!((truth.zeros - 0.3).abs() < 1e-12);
    for t in 0..20 {
        let loadings: Vec<f64> = truth.vectors.iter().map(|v| v[t]).collect();
        let largest = loadings.iter().fold(0.0_f64, |m, x| if x.abs() > m.abs() { *x } else { m });
        assert!(largest > 0.0);
        let energy: f64 = loadings.iter().map(|x| x * x).sum();
        assert!((energy / truth.energies[t] - 1.0).abs() < 1e-12);
    }
    assert_eq!(truth.differing.len(), 20);
    for word in &truth.differing {
        assert_eq!(
            (&truth.words[word.id], &truth.words[word.partner_id]),
            (&word.word, &word.partner)
        );
    }
}

/// The whole tensor: (row, col, cell) → value.
fn read(tensor: &Tensor) -> BTreeMap<(u32, u32, u32), f64> {
    let mut all = BTreeMap::new();
    for entries in tensor.entries().unwrap() {
        let entries = entries.unwrap();
        for i in 0..entries.values.len() {
            all.insert((entries.rows[i], entries.cols[i], entries.cells[i]), entries.values[i]);
        }
    }
    all
}

#[test]
fn counting_the_text_gives_the_expected_tensor() {
    let home = tempfile::tempdir().unwrap();
    let given = [
        ("words", "60"),
        ("levels", "3"),
        ("dim", "4"),
        ("differing", "4"),
        ("document_words", "10"),
        ("tokens", "1_500_003"),
        ("shares", "0.5,0.3,0.2"),
    ];
    let (corpus, truth) = make(home.path(), &given, 2);
    let mut parameters = CountParameters::default();
    for (name, text) in [("by", "group"), ("window", "3"), ("min_count", "1")] {
        parameters.set(name, text).unwrap();
    }
    let output = home.path().join("counted");
    let counted = count(&[corpus], parameters.check().unwrap(), &output, &threads(2)).unwrap();
    let id: BTreeMap<&str, usize> = truth.words.iter().map(String::as_str).zip(0..).collect();
    let ids: Vec<usize> = counted.vocabulary.words.iter().map(|word| id[word.as_str()]).collect();
    // W_k as truth.json explains it.
    let weight = |k: usize| -> f64 {
        let of = |&(length, documents): &(u64, u64)| -> f64 {
            let pairs = |d: u64| (length - d) as f64 / d as f64;
            documents as f64 * 2.0 * (1..=3.min(length - 1)).map(pairs).sum::<f64>()
        };
        truth.cells[k].lengths.iter().map(of).sum()
    };
    let weights: Vec<f64> = (0..3).map(weight).collect();
    let mut totals = [0.0; 3];
    let (mut seen, mut expected, mut pairs, mut worst, mut blind) = (0.0, 0.0, 0, 0.0_f64, 0.0_f64);
    for (&(i, j, k), value) in &read(&counted) {
        let (i, j, k) = (ids[i as usize], ids[j as usize], k as usize);
        totals[k] += value;
        let mean = truth.ln_expected(k, i, j).exp() * weights[k];
        if mean > 4000.0 {
            (seen, expected, pairs) = (seen + value, expected + mean, pairs + 1);
            worst = worst.max((value / mean - 1.0).abs());
            let marginals = &truth.cells[k].marginals;
            blind = blind.max((value / (marginals[i] * marginals[j] * weights[k]) - 1.0).abs());
        }
    }
    for (total, weight) in totals.iter().zip(&weights) {
        assert!((total / weight - 1.0).abs() < 1e-9, "{total} {weight}");
    }
    eprintln!("{pairs} pairs, worst {worst:.4}, together {:.5}, blind {blind:.2}", seen / expected);
    assert!(pairs > 100);
    assert!(worst < 0.1 && blind > 0.5, "{worst} {blind}");
    assert!((seen / expected - 1.0).abs() < 0.005, "{}", seen / expected);
}

#[test]
fn outputs_in_the_way_are_refused_before_any_work() {
    let home = tempfile::tempdir().unwrap();
    let (output, truth) = (home.path().join("corpus.jsonl"), home.path().join("truth.json"));
    let parameters = parameters(SMALL);
    let write = |output: &Path, truth: &Path, force| {
        write_corpus(parameters.checked().unwrap(), output, truth, &Work { force, ..threads(1) })
    };
    std::fs::write(&truth, "old").unwrap();
    assert!(matches!(write(&output, &truth, false), Err(Error::Artefact(_))));
    assert!(!output.exists());
    assert!(matches!(write(&truth, &truth, true), Err(Error::Parameter(_))));
    assert_eq!(std::fs::read_to_string(&truth).unwrap(), "old");
    write(&output, &truth, true).unwrap();
    assert!(Truth::read(&truth).is_ok());
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 2);
}

#[test]
fn text_too_short_for_every_level_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let parameters = parameters(&[("tokens", "150"), ("words", "50")]);
    let output = home.path().join("corpus.jsonl");
    let refused =
        write_corpus(parameters.checked().unwrap(), &output, &truth_beside(&output), &threads(1));
    assert!(refused.unwrap_err().to_string().starts_with("--tokens 150: expected"));
}
