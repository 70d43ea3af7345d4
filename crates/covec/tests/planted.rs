//! Analyses of planted corpora find what was planted.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use common::{counted, work};
use covec::analyse::drift::DriftParameters;
use covec::analyse::{SupportParameters, View, moved};
use covec::synth::{self, SynthParameters, Truth};
use covec::train::{self, TrainParameters};

/// The share of words of about the same frequency that moved less than the planted ones, by their own part.
#[test]
fn words_that_are_used_differently_in_a_level_moved_most_there() {
    let home = tempfile::tempdir().unwrap();
    let mut parameters = SynthParameters::default();
    for (name, value) in [
        ("tokens", "1e6"),
        ("words", "1000"),
        ("levels", "3"),
        ("dim", "8"),
        ("differing", "30"),
        ("seed", "4"),
    ] {
        parameters.set(name, value).unwrap();
    }
    let (corpus, truth) = (home.path().join("corpus.jsonl"), home.path().join("truth.json"));
    let work = work(2, 1 << 30);
    synth::write_corpus(parameters.checked().unwrap(), &corpus, &truth, &work).unwrap();
    let truth: Truth = serde_json::from_slice(&std::fs::read(truth).unwrap()).unwrap();
    let tensor = counted(&[corpus], &[("by", "group")], &home.path().join("t"));
    let mut parameters = TrainParameters::default();
    parameters.set("dim", "20").unwrap();
    let model = train::train(&tensor, parameters.checked().unwrap(), &home.path().join("m"), &work)
        .unwrap();

    let planted: BTreeSet<&str> = truth.differing.iter().map(|d| d.word.as_str()).collect();
    let (mut sum, mut words) = (0.0, 0.0);
    for view in View::of_factor(&model, 0) {
        let support = SupportParameters::default();
        let answer = moved::words(
            &model,
            &View::base(),
            &view,
            &DriftParameters::default(),
            &support,
            &work,
        )
        .unwrap();
        for differing in truth.differing.iter().filter(|d| d.level == view.name) {
            let Some(own) = answer.rows.iter().find(|row| row.word == differing.word) else {
                continue;
            };
            let matched = answer.rows.iter().filter(|row| {
                let ratio = row.count_to as f64 / own.count_to as f64;
                (0.7..1.4).contains(&ratio) && !planted.contains(row.word.as_str())
            });
            let (mut less, mut all) = (0.0, 0.0);
            for row in matched {
                less += f64::from(u8::from(row.own < own.own));
                all += 1.0;
            }
            sum += less / all;
            words += 1.0;
        }
    }
    assert!(words >= 20.0, "{words}");
    let auc = sum / words;
    assert!(auc >= 0.95, "AUC {auc}");
}
