//! A model is extended by levels it did not have, and what it had stays as it was.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};
use std::slice::from_ref;

use common::{counted, planted_corpus, work};
use covec::Error;
use covec::model::Model;
use covec::train::{TrainError, TrainParameters, extend, train};

/// The documents of a planted corpus.
fn planted(home: &Path, levels: &str) -> Vec<String> {
    let path = planted_corpus(home, levels);
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// Those documents, in a file.
fn file<'a>(path: PathBuf, documents: impl Iterator<Item = &'a String>) -> PathBuf {
    let lines: Vec<String> = documents.map(|document| format!("{document}\n")).collect();
    std::fs::write(&path, lines.concat()).unwrap();
    path
}

fn trained(home: &Path, name: &str, corpus: PathBuf, by: &[(&str, &str)]) -> Model {
    let pairs = [&[("min_count", "1")], by].concat();
    let tensor = counted(&[corpus], &pairs, &home.join(format!("{name}-tensor")));
    let mut parameters = TrainParameters::default();
    for (name, text) in [("dim", "5"), ("deviations", "off"), ("axes", "2")] {
        parameters.set(name, text).unwrap();
    }
    train(&tensor, parameters.checked().unwrap(), &home.join(name), &work(2, 1 << 30)).unwrap()
}

fn group(document: &str, factor: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(document).unwrap();
    document[factor].as_str().map_or_else(|| document[factor].to_string(), str::to_owned)
}

/// What a level changes about every pair of words: the same however the axes are turned.
fn change(model: &Model, level: &str, words: &[String]) -> Vec<f64> {
    let level = model.levels_named(level).unwrap()[0];
    let ids: Vec<usize> = words.iter().map(|word| model.word(word).unwrap()).collect();
    let mut change = Vec::new();
    for (i, &a) in ids.iter().enumerate() {
        for &b in &ids[..i] {
            let parts = model.vector(a).iter().zip(model.vector(b)).zip(model.weight(level));
            change.push(parts.map(|((a, b), w)| f64::from(a * b * (w * w - 1.0))).sum());
        }
    }
    change
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(x, y)| f(x - ma, y - mb)).sum()
    };
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

/// All that the old model says of its levels is in the new one, bit for bit.
fn assert_frozen(old: &Model, new: &Model) {
    let words = old.vocabulary.len();
    assert!(old.vectors == new.vectors && old.vocabulary.words == new.vocabulary.words);
    for (level, name) in old.covariates.level_names().iter().enumerate() {
        let place = new.levels_named(name).unwrap()[0];
        assert_eq!(old.weight(level), new.weight(place), "{name}");
        let biases =
            |model: &Model, level: usize| model.biases[level * words..(level + 1) * words].to_vec();
        assert!(biases(old, level) == biases(new, place), "{name}");
    }
}

#[test]
fn a_level_that_was_left_out_is_found_as_if_it_had_been_there() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let documents = planted(home, "4");
    let levels: std::collections::BTreeSet<String> =
        documents.iter().map(|d| group(d, "group")).collect();
    let left_out = levels.iter().nth(1).unwrap();
    let is_left_out = |document: &&String| group(document, "group") == *left_out;
    let by = [("by", "group")];
    let full = trained(home, "full", file(home.join("all.jsonl"), documents.iter()), &by);
    let most = file(home.join("most.jsonl"), documents.iter().filter(|d| !is_left_out(d)));
    let part = trained(home, "part", most.clone(), &by);
    let rest = file(home.join("rest.jsonl"), documents.iter().filter(is_left_out));
    let new = extend(&part, from_ref(&rest), &home.join("new"), &work(2, 1 << 30)).unwrap();
    assert_frozen(&part, &new);
    let level = format!("group={left_out}");
    let words = &part.vocabulary.words[..80];
    let alike = correlation(&change(&full, &level, words), &change(&new, &level, words));
    assert!(alike > 0.95, "what {left_out} changes, in full and extended: {alike}");
    let at = new.levels_named(&level).unwrap()[0];
    let counts = &new.vocabulary.level_counts[at];
    let in_full = full.levels_named(&level).unwrap()[0];
    for (word, count) in counts.iter().enumerate() {
        let id = full.word(&new.vocabulary.words[word]).unwrap();
        assert_eq!(*count, full.vocabulary.level_counts[in_full][id]);
    }

    // It is a model like any other, at any number of threads, and can be extended no more by this.
    let opened = Model::open(&home.join("new")).unwrap();
    assert_eq!(opened.record.stage, "extend");
    assert_eq!(opened.record.extensions[0].levels, [level]);
    let other = extend(&part, from_ref(&rest), &home.join("other"), &work(1, 1 << 20)).unwrap();
    assert_eq!(other.record.fingerprint, new.record.fingerprint);
    for (model, corpus) in [(&opened, rest), (&part, most)] {
        let refused = extend(model, &[corpus], &home.join("no"), &work(1, 1 << 30));
        assert!(matches!(refused, Err(Error::Train(TrainError::KnownLevels { .. }))));
    }
    assert!(!home.join("no").exists());
}

#[test]
fn new_levels_may_meet_old_ones_of_other_factors() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let documents = planted(home, "4,3");
    let new_group = documents.iter().map(|d| group(d, "group")).max().unwrap();
    let is_new = |document: &&String| group(document, "group") == new_group;
    let by = [("by", "group"), ("by", "period")];
    let full = trained(home, "full", file(home.join("all.jsonl"), documents.iter()), &by);
    let most = file(home.join("most.jsonl"), documents.iter().filter(|d| !is_new(d)));
    let part = trained(home, "part", most, &by);
    let rest = file(home.join("rest.jsonl"), documents.iter().filter(is_new));
    let new = extend(&part, &[rest], &home.join("new"), &work(2, 1 << 30)).unwrap();
    assert_frozen(&part, &new);
    assert_eq!(new.covariates, full.covariates);
    let level = format!("group={new_group}");
    let words = &part.vocabulary.words[..80];
    // What it changes is mostly noise in so little text; what is near what there is less so.
    let near = |model: &Model| -> Vec<f64> {
        let at = model.levels_named(&level).unwrap();
        let vectors: Vec<Vec<f32>> =
            words.iter().map(|word| model.reweighted(model.word(word).unwrap(), &at)).collect();
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum();
        (0..words.len())
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| dot(&vectors[i], &vectors[j]))
            .collect()
    };
    let alike = correlation(&near(&full), &near(&new));
    assert!(alike > 0.7, "what is near what in {new_group}, in full and extended: {alike}");
}
