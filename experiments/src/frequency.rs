//! Does a measure of change only measure how rare a word is? Labels are shuffled, so nothing changed at all.

use std::path::Path;

use covec::analyse::View;
use covec::resample::SureParameters;
use serde_json::{Value, json};

use crate::corpora::{relabelled, world};
use crate::fitted::Fitted;
use crate::lab::Lab;
use crate::moves::moves;
use crate::numbers::{mean, spearman};
use crate::table::section;

const COLUMNS: [&str; 5] =
    ["own", "own, corrected", "topical", "topical, corrected", "shift score"];
const BANDS: [(u64, u64); 4] = [(20, 50), (50, 200), (200, 1000), (1000, u64::MAX)];

pub fn study(lab: &mut Lab) -> Result<String, String> {
    let names: Vec<String> =
        (1..=if lab.quick { 1 } else { 3 }).map(|n| format!("corpus {n}")).collect();
    let results = lab.each("frequency", &names, one)?;
    let rows: Vec<&Vec<Value>> = results
        .iter()
        .filter_map(|(_, rows)| rows.as_array())
        .flatten()
        .filter_map(Value::as_array)
        .collect();
    let number = |row: &Vec<Value>, at: usize| row[at].as_f64();
    let mut table = Vec::new();
    let mut line = vec!["rank correlation with frequency".to_owned(), rows.len().to_string()];
    for at in 1..=COLUMNS.len() {
        let known: Vec<(f64, f64)> =
            rows.iter().filter_map(|row| Some((number(row, 0)?, number(row, at)?))).collect();
        let (counts, values): (Vec<f64>, Vec<f64>) = known.into_iter().unzip();
        line.push(format!("{:.2}", spearman(&counts, &values)));
    }
    table.push(line);
    for (from, to) in BANDS {
        let own: Vec<&&Vec<Value>> =
            rows.iter().filter(|row| (from..to).contains(&row[0].as_u64().unwrap_or(0))).collect();
        let label = if to == u64::MAX {
            format!("mean, {from} times or more")
        } else {
            format!("mean, {from} to {} times", to - 1)
        };
        let mut line = vec![label, own.len().to_string()];
        for at in 1..=COLUMNS.len() {
            let known: Vec<f64> = own.iter().filter_map(|row| number(row, at)).collect();
            line.push(if known.is_empty() {
                "–".to_owned()
            } else {
                format!("{:.3}", mean(&known))
            });
        }
        table.push(line);
    }
    let title = format!("Frequency: {} corpora in which nothing changed", results.len());
    let about = format!("{}, labels shuffled over documents.", lab.text());
    let head: Vec<&str> = ["", "words and levels"].into_iter().chain(COLUMNS).collect();
    Ok(section(&title, &about, &head, &table))
}

/// Of every word and level: how often it occurs, and the measures.
fn one(lab: &Lab, number: usize, home: &Path) -> Result<Value, String> {
    let fail = |e: covec::Error| e.to_string();
    let seed = 3000 + number as u64;
    let corpus = home.join("null.jsonl");
    let (by, dim) = match lab.real.as_ref().filter(|_| !lab.quick) {
        Some(real) => {
            relabelled(real, "congress", 30_000, seed, &corpus)?;
            ("congress", 50)
        }
        None => {
            let settings = [
                ("words", "400"),
                ("tokens", "100000"),
                ("levels", "3"),
                ("dim", "8"),
                ("differing", "0"),
            ];
            relabelled(
                &world(&settings, seed, home, &lab.work)?,
                "group",
                usize::MAX,
                seed,
                &corpus,
            )?;
            ("group", 8)
        }
    };
    let fitted = Fitted::new(&corpus, Some(by), Some(dim), home, &lab.work)?;
    let model = &fitted.model;
    let drawn = fitted.open(fitted.drawn(39, &lab.work)?, &SureParameters::default())?;
    let shuffled = fitted.permuted(1, &lab.work)?;
    let mut result = Vec::new();
    for view in View::of_factor(model, 0) {
        let shifted = shuffled.shifted(model, &view.levels).map_err(fail)?.unwrap_or_default();
        for sure in moves(model, &drawn, &view, &lab.work)? {
            let word = model.word(&sure.row.word).map_err(fail)?;
            let corrected =
                |measure: usize| sure.bars[measure].interval.map(|interval| interval.corrected);
            let score = shifted.iter().find(|row| row.word == word).map(|row| row.score);
            result.push(json!([
                sure.row.count_to,
                sure.row.own,
                corrected(0),
                sure.row.topical,
                corrected(1),
                score
            ]));
        }
    }
    Ok(json!(result))
}
