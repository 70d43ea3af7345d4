//! Labels that carry nothing: are p-values evenly spread, and is nothing found?
//!
//! Words of a corpus share documents, so their p-values are not independent. Shares are therefore taken in each corpus, and
//! their error from how corpora differ; for Kolmogorov and Smirnov's test one word is drawn from each level of each corpus.

use std::path::Path;

use covec::analyse::covariates::{Distance, Levels};
use covec::analyse::drift::DriftParameters;
use covec::analyse::specificity::specificity;
use covec::analyse::{SupportParameters, View, moved};
use covec::resample::measures::of_moved;
use covec::resample::{Sure, as_in};
use serde_json::{Value, json};

use crate::corpora::{relabelled, world};
use crate::fitted::Fitted;
use crate::lab::Lab;
use crate::lots::Lots;
use crate::numbers::{distance, error, kolmogorov, mean};
use crate::table::{percent, section};

const MEASURES: [&str; 6] = [
    "shift test",
    "own drift",
    "topical drift",
    "specificity",
    "topical specificity",
    "distance of levels",
];
const SHARES: [f64; 4] = [0.01, 0.05, 0.1, 0.5];

pub fn study(lab: &mut Lab) -> Result<String, String> {
    let (synthetic, real) =
        if lab.quick { (6, 0) } else { (16, if lab.real.is_some() { 8 } else { 0 }) };
    let mut names: Vec<String> = (1..=synthetic).map(|n| format!("world {n}")).collect();
    names.extend((1..=real).map(|n| format!("tweets {n}")));
    let results =
        lab.each("null", &names, |lab, number, home| one(lab, number, synthetic, home))?;
    let mut text = String::new();
    for (kind, about) in [
        ("world", "covec synth, labels shuffled over documents"),
        ("tweets", "tweets, labels shuffled over documents"),
    ] {
        let own: Vec<&Value> = results
            .iter()
            .filter(|(name, _)| name.starts_with(kind))
            .map(|(_, value)| value)
            .collect();
        if own.len() > 1 {
            text += &table(&own, about);
        }
    }
    Ok(text)
}

fn table(results: &[&Value], about: &str) -> String {
    let mut rows = Vec::new();
    for name in MEASURES {
        let of = |field: &str| -> Vec<f64> {
            results.iter().filter_map(|result| result[name][field].as_f64()).collect()
        };
        let draws: Vec<f64> = results
            .iter()
            .flat_map(|result| result[name]["draws"].as_array().into_iter().flatten())
            .filter_map(Value::as_f64)
            .collect();
        let off = distance(&draws);
        let any = of("found").iter().filter(|found| **found > 0.0).count();
        let mut row = vec![name.to_owned(), format!("{:.0}", of("tested").iter().sum::<f64>())];
        for share in SHARES {
            let shares = of(&share.to_string());
            row.push(if share == 0.05 {
                percent(mean(&shares))
            } else {
                format!("{} ± {}", percent(mean(&shares)), percent(error(&shares)))
            });
        }
        row.push(format!("{off:.3} of {} (p {:.2})", draws.len(), kolmogorov(off, draws.len())));
        row.push(format!("{any} of {}", results.len()));
        rows.push(row);
    }
    let title = format!("Null: {about}, {} corpora", results.len());
    let head = [
        "p of",
        "tested",
        "p ≤ 0.01",
        "p ≤ 0.05",
        "p ≤ 0.1",
        "p ≤ 0.5",
        "KS, one word a level",
        "corpora with any q ≤ 0.1",
    ];
    let note = "Share of p-values up to a bound, ± standard error over corpora.";
    section(&title, note, &head, &rows)
}

fn one(lab: &Lab, number: usize, synthetic: usize, home: &Path) -> Result<Value, String> {
    let seed = 1000 + number as u64;
    let corpus = home.join("null.jsonl");
    let by = if number < synthetic {
        let size = if lab.quick {
            [("words", "300"), ("tokens", "60000")]
        } else {
            [("words", "1000"), ("tokens", "300000")]
        };
        let settings = [
            size[0],
            size[1],
            ("levels", "3"),
            ("dim", "8"),
            ("differing", "0"),
            ("document_words", "25"),
        ];
        let text = world(&settings, seed, home, &lab.work)?;
        relabelled(&text, "group", usize::MAX, seed, &corpus)?;
        "group"
    } else {
        let real = lab.real.as_ref().ok_or("no real text")?;
        relabelled(real, "congress", 30_000, seed, &corpus)?;
        "congress"
    };
    let dim = if number < synthetic { 8 } else { 50 };
    let fitted = Fitted::new(&corpus, Some(by), Some(dim), home, &lab.work)?;
    let model = &fitted.model;
    let resamples = fitted.permuted(if lab.quick { 19 } else { 39 }, &lab.work)?;
    let mut lots = Lots::new(seed);
    let mut result = json!({});
    let levels: Vec<usize> = (0..model.levels()).collect();
    let fail = |e: covec::Error| e.to_string();
    let shifted = resamples.shifted(model, &levels).map_err(fail)?.unwrap_or_default();
    let tests: Vec<(usize, f64, f64)> =
        shifted.iter().map(|row| (row.level, row.p, row.q)).collect();
    result[MEASURES[0]] = told(&tests, &mut lots);
    let support = SupportParameters::default();
    let (mut own, mut topical) = (Vec::new(), Vec::new());
    for (level, view) in View::of_factor(model, 0).into_iter().enumerate() {
        let base = View::base();
        let parameters = DriftParameters::default();
        let rows =
            moved::words(model, &base, &view, &parameters, &support, &lab.work).map_err(fail)?.rows;
        let ask =
            |model: &_, rows: &[_]| of_moved(model, rows, (&base, &view), &support, &lab.work);
        let sure = resamples.sure(model, rows, ask, &lab.work).map_err(fail)?;
        own.extend(bars(&sure, 0, |_| level));
        topical.extend(bars(&sure, 1, |_| level));
    }
    result[MEASURES[1]] = told(&own, &mut lots);
    result[MEASURES[2]] = told(&topical, &mut lots);
    let views = View::of_factor(model, 0);
    let ask = |model: &_| specificity(model, &views, &[], &support, &lab.work);
    let rows = ask(model).map_err(fail)?.rows;
    let sure = resamples
        .sure(model, rows, |model, rows| Ok(as_in(rows, &ask(model)?.rows)), &lab.work)
        .map_err(fail)?;
    result[MEASURES[3]] = told(&bars(&sure, 0, |_| 0), &mut lots);
    result[MEASURES[4]] = told(&bars(&sure, 1, |_| 0), &mut lots);
    let pairs = |model: &_| Ok(Levels::new(model, 0, Distance::Cosine)?.pairs());
    let rows = pairs(model).map_err(fail)?;
    let sure = resamples
        .sure(model, rows, |model, rows| Ok(as_in(rows, &pairs(model)?)), &lab.work)
        .map_err(fail)?;
    result[MEASURES[5]] = told(&bars(&sure, 0, |_| 0), &mut lots);
    Ok(result)
}

/// Level, p and q of every row.
fn bars<R>(
    rows: &[Sure<R>],
    measure: usize,
    level: impl Fn(&R) -> usize,
) -> Vec<(usize, f64, f64)> {
    let of = |row: &Sure<R>| Some((level(&row.row), row.bars[measure].p?, row.bars[measure].q?));
    rows.iter().filter_map(of).collect()
}

/// What a corpus tells of a measure.
fn told(tests: &[(usize, f64, f64)], lots: &mut Lots) -> Value {
    let mut result = json!({"tested": tests.len()});
    for share in SHARES {
        let below = tests.iter().filter(|(_, p, _)| *p <= share).count();
        result[share.to_string()] = json!(below as f64 / tests.len().max(1) as f64);
    }
    result["found"] = json!(tests.iter().filter(|(_, _, q)| *q <= 0.1).count());
    let levels = tests.iter().map(|(level, ..)| level + 1).max().unwrap_or(0);
    let draws = (0..levels).filter_map(|level| {
        let own: Vec<f64> =
            tests.iter().filter(|test| test.0 == level).map(|test| test.1).collect();
        (!own.is_empty()).then(|| own[lots.below(own.len())])
    });
    result["draws"] = json!(draws.collect::<Vec<_>>());
    result
}
