//! Texts are attributed to the level they were drawn from, by scores that an obvious reference repeats.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::slice::from_ref;

use common::{counted, planted_corpus, work};
use covec::analyse::Groups;
use covec::analyse::attribute::{AttributeParameters, Attributed, attribute};
use covec::model::Model;
use covec::train::{TrainParameters, extend, train};

/// A planted corpus of six groups, of which every fifth document is held out, and a model of the
/// rest.
fn planted(home: &Path) -> (Model, BTreeMap<String, Vec<String>>) {
    let path = planted_corpus(home, "6");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut held_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut rest = String::new();
    for (number, line) in text.lines().enumerate() {
        if number % 5 == 0 {
            let document: serde_json::Value = serde_json::from_str(line).unwrap();
            let group = document["group"].as_str().unwrap().to_owned();
            held_out.entry(group).or_default().push(document["text"].as_str().unwrap().to_owned());
        } else {
            rest += &format!("{line}\n");
        }
    }
    let most = home.join("most.jsonl");
    std::fs::write(&most, rest).unwrap();
    let pairs = [("min_count", "1"), ("by", "group")];
    let tensor = counted(&[most], &pairs, &home.join("tensor"));
    let mut parameters = TrainParameters::default();
    for (name, text) in [("dim", "5"), ("deviations", "off"), ("axes", "2")] {
        parameters.set(name, text).unwrap();
    }
    let model =
        train(&tensor, parameters.checked().unwrap(), &home.join("m"), &work(2, 1 << 30)).unwrap();
    (model, held_out)
}

fn jsonl(path: PathBuf, texts: &[String], tail: &str) -> PathBuf {
    let lines: Vec<String> = texts.iter().map(|t| format!("{{\"text\": {t:?}{tail}}}\n")).collect();
    std::fs::write(&path, lines.concat()).unwrap();
    path
}

fn asked(pairs: &[(&str, &str)]) -> AttributeParameters {
    let mut parameters = AttributeParameters::default();
    for (name, text) in pairs {
        parameters.set(name, text).unwrap();
    }
    parameters
}

fn ask(model: &Model, texts: &[PathBuf], groups: Option<&Groups>, score: &str) -> Attributed {
    let parameters = asked(&[("score", score)]);
    attribute(model, texts, None, groups, &parameters, &work(2, 1 << 30)).unwrap()
}

fn squares(model: &Model, level: usize) -> Vec<f64> {
    model.weight(level).iter().map(|w| f64::from(w * w)).collect()
}

/// What `closeness` is of: centred squared weights times the energy of their dimension.
fn shape(model: &Model, squares: &[f64]) -> Vec<f64> {
    let levels = model.levels();
    (0..model.dim)
        .map(|t| {
            let mean = (0..levels).map(|k| f64::from(model.weight(k)[t]).powi(2)).sum::<f64>();
            let energy: f64 =
                (0..model.vocabulary.len()).map(|w| f64::from(model.vector(w)[t]).powi(2)).sum();
            (squares[t] - mean / levels as f64) * energy
        })
        .collect()
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn held_out_text_of_a_planted_world_goes_to_its_level_and_scores_are_what_they_say() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let (model, held_out) = planted(home);
    let texts: Vec<PathBuf> = held_out
        .iter()
        .map(|(group, texts)| jsonl(home.join(format!("{group}.jsonl")), texts, ""))
        .collect();
    for score in ["likelihood", "closeness", "combined"] {
        let answer = ask(&model, &texts, None, score);
        assert!(answer.trust.is_empty(), "single levels cannot be left out");
        assert_eq!(answer.rows.len(), 6 * 6);
        for row in answer.rows.iter().filter(|row| row.rank == 1) {
            let own = row.text.contains(&format!("{}.jsonl", row.candidate));
            assert!(own, "{score} attributes {} to {}", row.text, row.candidate);
        }
    }

    // The likelihood, by hand.
    let rows = ask(&model, &texts[..1], None, "likelihood").rows;
    let (group, own) = held_out.first_key_value().unwrap();
    let total: f64 = model.vocabulary.counts.iter().sum::<u64>() as f64;
    for row in &rows {
        let level = model.levels_named(&format!("group={}", row.candidate)).unwrap()[0];
        let counts = &model.vocabulary.level_counts[level];
        let size = counts.iter().sum::<u64>() as f64;
        let (mut sum, mut words) = (0.0, 0);
        for word in own.iter().flat_map(|text| text.split(' ')) {
            let Ok(id) = model.word(word) else { continue };
            let share = model.vocabulary.counts[id] as f64 / total;
            let smooth = total / 6.0;
            sum += ((counts[id] as f64 + smooth * share) / (size + smooth) / share).ln();
            words += 1;
        }
        assert_eq!(row.words, words);
        assert!((row.likelihood - sum / words as f64).abs() < 1e-9, "{row:?}");
    }

    // The weights, as covec extend finds them for a new level.
    let new = jsonl(home.join("new.jsonl"), own, ", \"group\": \"new\"");
    let extended = extend(&model, &[new], &home.join("extended"), &work(2, 1 << 30)).unwrap();
    let fitted = squares(&extended, extended.levels_named("group=new").unwrap()[0]);
    let fitted = shape(&model, &fitted);
    for row in &rows {
        let level = model.levels_named(&format!("group={}", row.candidate)).unwrap()[0];
        let expected = cosine(&fitted, &shape(&model, &squares(&model, level)));
        assert!((row.closeness - expected).abs() < 1e-3, "{row:?}: {expected} ({group})");
    }

    // At any number of threads.
    let parameters = asked(&[]);
    let again = attribute(&model, &texts[..1], None, None, &parameters, &work(1, 1 << 30));
    assert_eq!(again.unwrap().rows, rows);
}

#[test]
fn what_is_known_is_left_out_to_tell_how_far_groups_can_be_trusted() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let (model, held_out) = planted(home);
    let names: Vec<&String> = held_out.keys().collect();
    let table = home.join("t.csv");
    let write = |kinds: [&str; 6]| {
        let rows = names.iter().zip(kinds).map(|(name, kind)| format!("{name},{kind}\n"));
        std::fs::write(&table, format!("group,kind\n{}", rows.collect::<String>())).unwrap();
        Groups::read(&model, "group:kind", &table).unwrap()
    };
    let groups = write(["a", "b", "a", "b", "", "c"]);
    assert_eq!(groups.names(), ["a", "b", "c"]);
    let text = jsonl(home.join("x.jsonl"), held_out.values().next().unwrap(), "");
    let answer = ask(&model, from_ref(&text), Some(&groups), "closeness");
    assert_eq!(answer.rows.len(), 3);
    assert_eq!(answer.rows[0].candidate, "a");

    // By hand: each of the four levels that have a fellow, against what remains of the groups.
    let shapes: Vec<Vec<f64>> = (0..6).map(|k| shape(&model, &squares(&model, k))).collect();
    let mut right = BTreeMap::from([("a", 0), ("b", 0), ("c", 0)]);
    for level in 0..4 {
        let closeness = |name: &str| {
            let mut sum = vec![0.0; model.dim];
            for other in groups.levels_of(name).into_iter().filter(|&other| other != level) {
                sum.iter_mut().zip(&shapes[other]).for_each(|(s, x)| *s += x);
            }
            cosine(&shapes[level], &sum)
        };
        let best = ["a", "b", "c"].into_iter().max_by(|a, b| closeness(a).total_cmp(&closeness(b)));
        let own = groups.of_level[level].as_deref().unwrap();
        if best == Some(own) {
            *right.get_mut(own).unwrap() += 1;
        }
    }
    let trust = &answer.trust[1];
    assert_eq!((trust.right, trust.of), (right.values().sum(), 4));
    assert!((trust.guessing - 0.5).abs() < 1e-12);
    for row in &answer.rows {
        assert_eq!(row.known_right, Some(right[row.candidate.as_str()]), "{row:?}");
        assert_eq!(row.known, Some(if row.candidate == "c" { 0 } else { 2 }));
    }
}

#[test]
fn what_cannot_be_attributed_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let (model, held_out) = planted(home);
    let texts = held_out.values().next().unwrap();
    let short = home.join("short.txt");
    std::fs::write(&short, &texts[0]).unwrap();
    let refused = |texts: &[PathBuf], factor: Option<&str>, pairs: &[(&str, &str)]| {
        let parameters = asked(pairs);
        attribute(&model, texts, factor, None, &parameters, &work(1, 1 << 30)).unwrap_err()
    };
    let words = texts[0].split(' ').count();
    let told = refused(from_ref(&short), None, &[("min_words", "100000")]).to_string();
    assert!(told.contains(&format!("short.txt: {words} words")), "{told}");
    assert!(told.contains("100000 or more"), "{told}");
    std::fs::write(&short, "Wörter einer anderen Sprache").unwrap();
    let told = refused(from_ref(&short), None, &[("min_words", "0")]).to_string();
    assert!(told.contains("in the language of the model"), "{told}");
    std::fs::write(&short, "1 2 3").unwrap();
    let told = refused(from_ref(&short), None, &[]).to_string();
    assert!(told.contains("the corpus is empty"), "{told}");
    let told = refused(from_ref(&short), Some("grop"), &[]).to_string();
    assert!(told.contains("did you mean 'group'?"), "{told}");
    let tiny = Model::open(&common::tiny_model(home, 1)).unwrap();
    let parameters = asked(&[]);
    let told = attribute(&tiny, &[short], None, None, &parameters, &work(1, 1 << 30));
    let told = told.unwrap_err().to_string();
    assert!(told.contains("no rules of counting"), "{told}");
}
