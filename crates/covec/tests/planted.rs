//! Analyses of planted corpora find what was planted.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use common::{counted, work};
use covec::analyse::drift::DriftParameters;
use covec::analyse::{SupportParameters, View, moved};
use covec::evaluate::{EvaluateParameters, held_out};
use covec::parameters::Whole;
use covec::synth::{self, SynthParameters, Truth};
use covec::train::{self, TrainParameters};

/// A world of one factor, and the same once more as a second one, all but: what words do there both have heard.
#[test]
fn deviations_that_two_factors_share_are_not_counted_twice() {
    let home = tempfile::tempdir().unwrap();
    let mut parameters = SynthParameters::default();
    let world = [("tokens", "5e5"), ("words", "600"), ("levels", "3"), ("dim", "8")];
    for (name, value) in world.into_iter().chain([("differing", "60"), ("seed", "4")]) {
        parameters.set(name, value).unwrap();
    }
    let (corpus, truth) = (home.path().join("corpus.jsonl"), home.path().join("truth.json"));
    let work = work(2, 1 << 30);
    synth::write_corpus(parameters.checked().unwrap(), &corpus, &truth, &work).unwrap();
    let text = std::fs::read_to_string(&corpus).unwrap();
    let twice = text.lines().enumerate().map(|(at, line)| {
        let mut document: serde_json::Value = serde_json::from_str(line).unwrap();
        document["other"] = if at % 10 < 8 { document["group"].clone() } else { "none".into() };
        format!("{document}\n")
    });
    std::fs::write(&corpus, twice.collect::<String>()).unwrap();
    let by = [("by", "group"), ("by", "other")];
    let tensor = counted(&[corpus], &by, &home.path().join("t"));
    let [with, without] = ["on", "off"].map(|deviations| {
        let mut parameters = TrainParameters::default();
        parameters.set("dim", "20").unwrap();
        parameters.set("deviations", deviations).unwrap();
        let output = home.path().join(deviations);
        let model = train::train(&tensor, parameters.checked().unwrap(), &output, &work).unwrap();
        assert_eq!(model.deviations.is_empty(), deviations == "off");
        let parameters = EvaluateParameters { resamples: Whole(0), ..Default::default() };
        let rows = held_out(&model, &tensor, &[View::base()], &parameters, &work).unwrap();
        rows[0].score.unwrap()
    });
    assert!(with < 0.95 * without, "{with} with them, {without} without");
}

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
