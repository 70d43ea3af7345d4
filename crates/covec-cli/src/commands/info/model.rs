//! What a model holds, how well it fits and how it came to be.

use std::path::Path;

use covec::Work;
use covec::model::{Baseline, Model, Spaces};
use covec::train::TrainParameters;
use covec_answers::info::{cells, dimensions, levels, ridges, sweeps, words};
use serde_json::{Value, json};

use super::{Rows, lines, listed, sources};
use crate::failure::Failure;
use crate::table::{Format, Printed, Table, thousands};

/// What can be shown of a model.
pub(super) const SHOWN: [&str; 8] =
    ["summary", "levels", "cells", "dimensions", "sweeps", "ridges", "parameters", "words"];
/// |cos| from which on two seeds have found the same axis.
const SURE: f64 = 0.9;
/// Levels in the summary.
const LEVELS: usize = 40;
const LEGEND: &str = "\nLevels\n  held-out loss  squared error on pairs kept out of training, in the level\n  \
     zeros          dimensions that the level does without\n  \
     off-diagonal   how badly one set of topics, only reweighted, holds there: 0 perfectly, 1 not at all\n  \
     deviations     words that deviate from their base vector there\n";

pub(super) fn show(model: &Model, path: &Path, what: &str, rows: Rows) -> Result<(), Failure> {
    let Rows { format, some, all } = rows;
    match what {
        "levels" => levels(model).print(format, all),
        "cells" => cells(model).print(format, all),
        "dimensions" => dimensions(model, &Work::default())?.print(format, all),
        "sweeps" => sweeps(model).print(format, all),
        "ridges" => ridges(model).print(format, all),
        "parameters" => parameters(model).print(format, all),
        "words" => words(&model.vocabulary, &model.covariates).print(format, some),
        _ => summary(model, path, format),
    }
}

fn summary(model: &Model, path: &Path, format: Format) -> Result<(), Failure> {
    let facts = facts(model, path);
    if format != Format::Table {
        return listed(facts).print(format, usize::MAX);
    }
    let mut text = lines(&facts) + LEGEND + &levels(model).text(Format::Table, LEVELS)?;
    if model.levels() > LEVELS {
        let more = model.levels() - LEVELS;
        text += &format!("… and {more} more: covec info {} --show levels\n", path.display());
    }
    let level = model.covariates.level_names().into_iter().next();
    let level = level.map_or_else(String::new, |name| format!(" --in {name}"));
    text += &format!(
        "\nNext: covec export {}{level} -o vectors.txt   the vectors, for other tools\n",
        path.display()
    );
    crate::table::print(&text)
}

/// The model in some lines.
fn facts(model: &Model, path: &Path) -> Vec<(&'static str, String)> {
    let record = &model.record;
    let training = &record.training;
    let mut facts = vec![
        ("model", format!("{}, made by covec {} {}", path.display(), record.covec, record.stage)),
        (
            "tensor",
            format!(
                "made by covec {} {}{}; {} entries; fingerprint {}",
                record.tensor.covec,
                record.tensor.stage,
                sources(&record.tensor).map_or_else(String::new, |names| format!(" from {names}")),
                thousands(record.tensor.entries.stored),
                short(&record.tensor.fingerprint),
            ),
        ),
        ("words", thousands(model.vocabulary.len() as u64)),
        (
            "most common",
            model.vocabulary.words.iter().take(12).cloned().collect::<Vec<_>>().join(", "),
        ),
    ];
    for factor in &model.covariates.factors {
        let kind = if factor.ordered { ", in order" } else { "" };
        facts.push(("factor", format!("{}: {} levels{kind}", factor.name, factor.levels.len())));
    }
    let deviating = model.deviations.numbers.len();
    let numbers = model.vectors.len() + model.weights.len() + model.biases.len() + deviating;
    facts.push(("dimensions", thousands(model.dim as u64)));
    facts.push((
        "numbers",
        format!(
            "{}: {} in vectors, {} in weights, {} in biases, {} in deviations",
            thousands(numbers as u64),
            thousands(model.vectors.len() as u64),
            thousands(model.weights.len() as u64),
            thousands(model.biases.len() as u64),
            thousands(deviating as u64),
        ),
    ));
    match &record.baseline {
        Some(own) => of_baseline(own, &mut facts),
        None => of_training(model, &mut facts),
    }
    if let Some(agreement) = &training.agreement {
        let sure = agreement.dimensions.iter().filter(|cosine| **cosine >= SURE).count();
        facts.push((
            "seeds",
            format!(
                "{}; axes agree with mean |cos| {:.3}, {sure} of {} with {SURE} and more (--show dimensions)",
                1 + agreement.seeds.len(),
                agreement.mean(),
                agreement.dimensions.len(),
            ),
        ));
    }
    facts.push(("fingerprint", short(&record.fingerprint)));
    facts
}

/// How covec's own training went.
fn of_training(model: &Model, facts: &mut Vec<(&'static str, String)>) {
    let (record, training) = (&model.record, &model.record.training);
    let solver = setting(&record.parameters, "solver");
    facts.push(("solver", format!("{solver}, seed {}", record.parameters.seed.0)));
    facts.push(("sweeps", format!("{} ({})", training.sweeps.len(), training.stopped)));
    if let Some(last) = training.sweeps.last() {
        facts.push((
            "loss",
            format!("{}; with penalties {}", figure(last.loss), figure(last.objective)),
        ));
        let held_out = last.held_out.map_or("nothing was held out".to_owned(), figure);
        facts.push(("held-out loss", held_out));
    }
    let ridge = figure(training.ridge);
    facts.push((
        "ridge",
        match training.ridges.len() {
            0 => format!("{ridge}, as given"),
            n => {
                let tried = || training.ridges.iter().map(|trial| trial.ridge);
                let least = figure(tried().fold(f64::INFINITY, f64::min));
                let most = figure(tried().fold(0.0, f64::max));
                format!("{ridge}, chosen on held-out pairs in {n} trials from {least} to {most}")
            }
        },
    ));
    facts.push((
        "deviations",
        match &training.deviations {
            Some(own) => format!(
                "{} of words in levels; ridge {}",
                thousands(model.deviations.len() as u64),
                figure(own.ridge)
            ),
            None => "none".to_owned(),
        },
    ));
}

/// Which other method it was, and what it fitted.
fn of_baseline(own: &Baseline, facts: &mut Vec<(&'static str, String)>) {
    let settings: Vec<String> =
        own.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let settings =
        if settings.is_empty() { String::new() } else { format!(": {}", settings.join(", ")) };
    facts.push(("method", format!("covec baseline {}{settings}", own.method)));
    let spaces = match own.levels {
        Spaces::One => "one vector a word, whatever the level",
        Spaces::Apart => "a space of its own for every level; no base",
        Spaces::Shared => "all in one space",
    };
    facts.push(("levels", spaces.to_owned()));
    for fit in &own.fits {
        let (words, entries) = (thousands(fit.words), thousands(fit.entries));
        let fitted = match (fit.loss, fit.held_out) {
            (Some(loss), held_out) => format!(
                "; {} sweeps; ridge {}; loss {}; held-out loss {}",
                fit.sweeps,
                figure(fit.ridge),
                figure(loss),
                held_out.map_or("none".to_owned(), figure)
            ),
            (None, _) => String::new(),
        };
        facts.push(("fit", format!("{}: {words} words, {entries} entries{fitted}", fit.slice)));
    }
}

/// Digits that matter, however small the number.
fn figure(x: f64) -> String {
    if x == 0.0 || x.abs() >= 1e-3 { format!("{x:.5}") } else { format!("{x:.2e}") }
}

fn short(fingerprint: &str) -> String {
    fingerprint.chars().take(16).collect()
}

/// A parameter as users write it.
fn setting(parameters: &TrainParameters, name: &str) -> String {
    let all = serde_json::to_value(parameters).unwrap_or_default();
    match all.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

fn parameters(model: &Model) -> Table {
    let mut table = Table::new(["parameter", "value"]);
    for row in TrainParameters::TABLE {
        let value = setting(&model.record.parameters, row.name);
        table.push(vec![json!(row.name), json!(value)]);
    }
    table
}
