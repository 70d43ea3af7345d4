//! Training finds what was planted.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;

use common::{MEMORY, planted, trained, work};
use covec::model::Model;
use covec::synth::{SynthParameters, Truth, truth_beside, write_corpus};
use covec::tensor::{self, CountParameters};

fn column(vectors: &[f64], dim: usize, t: usize) -> Vec<f64> {
    let column: Vec<f64> = vectors.iter().skip(t).step_by(dim).copied().collect();
    let mean = column.iter().sum::<f64>() / column.len() as f64;
    column.into_iter().map(|x| x - mean).collect()
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// How near fitted axes are to planted ones.
struct Recovery {
    /// Mean |cos| of matched axes.
    axes: f64,
    /// Relative error of the weights, by factor.
    weights: Vec<f64>,
    /// F1 of exact zeros.
    zeros: f64,
}

fn recovery(model: &Model, truth: &Truth) -> Recovery {
    let dim = model.dim;
    let fitted: Vec<f64> = model.vectors.iter().map(|&x| f64::from(x)).collect();
    let planted: Vec<f64> = truth.vectors.iter().flatten().copied().collect();
    let cosines: Vec<Vec<f64>> = (0..dim)
        .map(|t| {
            let own = column(&planted, dim, t);
            (0..dim).map(|s| cosine(&own, &column(&fitted, dim, s)).abs()).collect()
        })
        .collect();
    // The best pair first: axes that are recovered are recovered beyond doubt.
    let mut matched = vec![usize::MAX; dim];
    let mut taken = vec![false; dim];
    for _ in 0..dim {
        let pairs = (0..dim).flat_map(|t| (0..dim).map(move |s| (t, s)));
        let free = pairs.filter(|&(t, s)| matched[t] == usize::MAX && !taken[s]);
        let (t, s) = free.max_by(|a, b| cosines[a.0][a.1].total_cmp(&cosines[b.0][b.1])).unwrap();
        matched[t] = s;
        taken[s] = true;
    }
    let axes = (0..dim).map(|t| cosines[t][matched[t]]).sum::<f64>() / dim as f64;
    let (mut first, mut weights) = (0, Vec::new());
    let (mut both, mut either) = (0, 0);
    for factor in &truth.factors {
        let (mut error, mut size) = (0.0, 0.0);
        for (l, planted) in factor.weights.iter().enumerate() {
            let own = model.weight(first + l);
            for t in 0..dim {
                let (fitted, planted) = (f64::from(own[matched[t]]), planted[t]);
                error += (fitted - planted) * (fitted - planted);
                size += planted * planted;
                both += 2 * usize::from(fitted == 0.0 && planted == 0.0);
                either += usize::from(fitted == 0.0) + usize::from(planted == 0.0);
            }
        }
        weights.push((error / size).sqrt());
        first += factor.levels.len();
    }
    Recovery { axes, weights, zeros: both as f64 / f64::from(either.max(1) as u32) }
}

#[test]
fn without_noise_axes_weights_and_zeros_are_found() {
    for (dim, levels, density) in [("10", "5", "1"), ("16", "6", "0.3")] {
        let home = tempfile::tempdir().unwrap();
        let given = [("dim", dim), ("levels", levels), ("density", density)];
        let (tensor, truth) = planted(home.path(), &given);
        // What is not among the entries was not looked at; that says nothing of it.
        let model = trained(&tensor, home.path(), &[("dim", dim), ("chance", "0")]);
        let found = recovery(&model, &truth);
        assert!(found.axes >= 0.99, "axes {}", found.axes);
        assert!(found.weights[0] <= 0.02, "weights {:?}", found.weights);
        assert!(found.zeros >= 0.95, "zeros {}", found.zeros);
    }
}

#[test]
fn with_noise_they_are_found_nearly() {
    for noise in ["log:0.3", "poisson"] {
        let home = tempfile::tempdir().unwrap();
        let given = [("dim", "10"), ("levels", "5"), ("noise", noise)];
        let (tensor, truth) = planted(home.path(), &given);
        // Weights that are drawn to the base's are not found to be 0.
        let model = trained(&tensor, home.path(), &[("dim", "10"), ("chance", "0")]);
        let found = recovery(&model, &truth);
        assert!(found.axes >= 0.95, "{noise}: axes {}", found.axes);
        assert!(found.zeros >= 0.95, "{noise}: zeros {}", found.zeros);
    }
}

#[test]
fn two_factors_at_once_are_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, truth) = planted(home.path(), &[("dim", "8"), ("levels", "4,3")]);
    let model = trained(&tensor, home.path(), &[("dim", "8")]);
    let found = recovery(&model, &truth);
    assert!(found.axes >= 0.99, "axes {}", found.axes);
    assert!(found.weights.iter().all(|error| *error <= 0.02), "weights {:?}", found.weights);
}

#[test]
fn the_form_is_canonical_and_two_seeds_can_be_laid_beside_each_other() {
    let home = tempfile::tempdir().unwrap();
    let given = [("dim", "8"), ("levels", "5"), ("noise", "log:0.1")];
    let (tensor, _) = planted(home.path(), &given);
    let models: Vec<Model> = ["1", "2"]
        .map(|seed| trained(&tensor, home.path(), &[("dim", "8"), ("seed", seed)]))
        .into();
    for model in &models {
        let vectors: Vec<f64> = model.vectors.iter().map(|&x| f64::from(x)).collect();
        let mut last = f64::INFINITY;
        for t in 0..8 {
            let mean: f64 =
                (0..5).map(|l| f64::from(model.weight(l)[t]).powi(2)).sum::<f64>() / 5.0;
            assert!((mean - 1.0).abs() < 1e-5, "mean square {mean}");
            let own: Vec<f64> = vectors.iter().skip(t).step_by(8).copied().collect();
            let largest = own.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
            assert!(largest > 0.0);
            assert!(own.iter().sum::<f64>().abs() < 1e-2);
            let squares: f64 = (0..5).map(|l| f64::from(model.weight(l)[t]).powi(4)).sum();
            let energy = own.iter().map(|x| x * x).sum::<f64>() * squares.sqrt();
            assert!(energy <= last * 1.001, "dimension {t} explains more than the one before");
            last = energy;
        }
    }
    // Dimensions that explain nearly the same may change places.
    let columns = models.iter().map(|model| {
        let vectors: Vec<f64> = model.vectors.iter().map(|&x| f64::from(x)).collect();
        (0..8).map(|t| column(&vectors, 8, t)).collect::<Vec<_>>()
    });
    let columns: Vec<_> = columns.collect();
    for own in &columns[0] {
        let best = columns[1].iter().map(|other| cosine(own, other)).fold(-1.0, f64::max);
        assert!(best > 0.99, "an axis that the other seed does not have: {best}");
    }
}

#[test]
fn several_seeds_tell_how_far_they_agree_and_leave_the_model_alone() {
    let home = tempfile::tempdir().unwrap();
    let given = [("dim", "8"), ("levels", "5"), ("noise", "log:0.1")];
    let (tensor, _) = planted(home.path(), &given);
    let one = trained(&tensor, home.path(), &[("dim", "8")]);
    assert!(one.record.training.agreement.is_none());
    fs::remove_dir_all(home.path().join("model")).unwrap();
    let three = trained(&tensor, home.path(), &[("dim", "8"), ("seeds", "3")]);
    assert_eq!(one.vectors, three.vectors);
    assert_eq!(one.weights, three.weights);
    let agreement = three.record.training.agreement.unwrap();
    assert_eq!(agreement.seeds, [2, 3]);
    assert_eq!(agreement.dimensions.len(), 8);
    assert!(agreement.dimensions.iter().all(|&cosine| cosine > 0.99 && cosine <= 1.0 + 1e-5));
    assert!(agreement.mean() > 0.99);
}

#[test]
fn a_sweep_never_raises_the_objective() {
    let home = tempfile::tempdir().unwrap();
    let given = [("dim", "10"), ("levels", "4,2"), ("noise", "poisson"), ("density", "0.5")];
    let (tensor, _) = planted(home.path(), &given);
    // Far stronger ridges trade with the weights, which are drawn to 1 and are no part of what is told.
    // Weights are brought back to a mean of 1, which what is left to chance is not blind to.
    for (ridge, chance, slight) in [
        ("0", "0", 1e-4),
        ("0.01", "0", 1e-4),
        ("0.1", "0", 1e-4),
        ("0", "2", 1e-2),
        ("0.1", "2", 1e-2),
    ] {
        let given = [
            ("dim", "10"),
            ("ridge", ridge),
            ("chance", chance),
            ("axes", "0"),
            ("sweeps", "15"),
            ("tolerance", "0"),
        ];
        let model = trained(&tensor, home.path(), &given);
        for pair in model.record.training.sweeps.windows(2) {
            let (before, after) = (pair[0].objective, pair[1].objective);
            assert!(after <= before * (1.0 + slight), "ridge {ridge}: {before} -> {after}");
        }
    }
}

#[test]
fn a_word_that_one_level_uses_differently_is_seen() {
    let home = tempfile::tempdir().unwrap();
    let mut parameters = SynthParameters::default();
    for (name, text) in [
        ("tokens", "1000000"),
        ("words", "1000"),
        ("dim", "8"),
        ("levels", "3"),
        ("differing", "40"),
    ] {
        parameters.set(name, text).unwrap();
    }
    let corpus = home.path().join("corpus.jsonl");
    let truth = truth_beside(&corpus);
    write_corpus(parameters.checked().unwrap(), &corpus, &truth, &work(2, MEMORY)).unwrap();
    let truth = Truth::read(&truth).unwrap();
    let mut count = CountParameters::default();
    count.set("by", "group").unwrap();
    let folder = home.path().join("tensor");
    let tensor =
        tensor::count(&[corpus], count.check().unwrap(), &folder, &work(2, MEMORY)).unwrap();
    let model = trained(&tensor, home.path(), &[("dim", "8")]);
    let told = model.record.training.deviations.clone().unwrap();
    for (without, with) in told.held_out_without.iter().zip(&told.held_out_with) {
        assert!(with.is_none_or(|with| with < without.unwrap()), "{told:?}");
    }
    // How far words went in the levels in which some are planted to differ: those must stand out
    // among words of about the same frequency.
    let (mut above, mut pairs) = (0.0, 0.0);
    for differing in &truth.differing {
        let Some(word) = model.vocabulary.id(&differing.word) else { continue };
        let level = model.levels_named(&differing.level).unwrap()[0];
        let moved = |word: usize| {
            let own = model.deviations.of(word, level)?;
            let base = model.vector(word);
            let there: Vec<f64> =
                base.iter().zip(own).map(|(b, d)| f64::from(*b) + f64::from(d.to_f32())).collect();
            let base: Vec<f64> = base.iter().map(|&b| f64::from(b)).collect();
            Some(1.0 - cosine(&there, &base))
        };
        let Some(own) = moved(word as usize) else { continue };
        let is_planted =
            |w: usize| truth.differing.iter().any(|d| d.word == model.vocabulary.words[w]);
        let near =
            (word as usize).saturating_sub(40)..(word as usize + 40).min(model.vocabulary.len());
        for other in near.filter(|&other| !is_planted(other)).filter_map(moved) {
            above += f64::from(own > other);
            pairs += 1.0;
        }
    }
    assert!(pairs > 500.0, "{pairs}");
    assert!(above / pairs > 0.8, "area under the curve {}", above / pairs);
}
