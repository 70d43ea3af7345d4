//! `covec info`: what a tensor holds and how it came to be.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use covec::tensor::{Gaps, Tensor, Weights};
use serde_json::{Value, json};

use crate::arguments;
use crate::failure::Failure;
use crate::table::{Format, Table, thousands};

pub(crate) fn command() -> Command {
    let command = Command::new("info")
        .about("Say what a tensor holds and how it came to be")
        .after_help("Example:\n  covec info tensor/ --show rules\n  covec info tensor/ --show words -n 100 --format csv")
        .arg(arguments::folder("tensor", "Tensor folder"))
        .arg(
            Arg::new("show")
                .long("show")
                .value_name("WHAT")
                .help("The whole picture, or the rows of one thing")
                .value_parser(["summary", "levels", "cells", "rules", "words"])
                .default_value("summary"),
        );
    arguments::rows(command, "20")
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let tensor = Tensor::open(&arguments::path(matches, "tensor"))?;
    let (format, rows) = arguments::format(matches);
    // A table of levels or rules is whole unless fewer rows are asked for.
    let asked = matches.value_source("n") == Some(ValueSource::CommandLine);
    let most = if asked { rows } else { usize::MAX };
    match matches.get_one::<String>("show").map(String::as_str) {
        Some("levels") => levels(&tensor).print(format, most),
        Some("cells") => cells(&tensor).print(format, most),
        Some("rules") => rules(&tensor).print(format, most),
        Some("words") => words(&tensor).print(format, rows),
        _ => summary(&tensor, format),
    }
}

fn summary(tensor: &Tensor, format: Format) -> Result<(), Failure> {
    let facts = facts(tensor);
    if format != Format::Table {
        let mut table = Table::new(["what", "value"]);
        for (what, value) in facts {
            table.push(vec![json!(what), json!(value)]);
        }
        return table.print(format, usize::MAX);
    }
    let mut text = String::new();
    let width = facts.iter().map(|(what, _)| what.len()).max().unwrap_or(0);
    for (what, value) in &facts {
        text += &format!("{what:width$}  {value}\n");
    }
    if !tensor.covariates.factors.is_empty() {
        text +=
            "\nLevels (words: all that were read; entries: pairs of words seen together there)\n";
        text += &levels(tensor).text(Format::Table, 40)?;
        let count = tensor.covariates.level_names().len();
        if count > 40 {
            text += &format!(
                "… and {} more: covec info {} --show levels\n",
                count - 40,
                tensor.path.display()
            );
        }
    }
    if !tensor.record.rules.is_empty() {
        text += "\nHow the vocabulary was chosen, rule after rule\n";
        text += &rules(tensor).text(Format::Table, usize::MAX)?;
    }
    for level in &tensor.record.left_out {
        text += &format!(
            "left out: {}={} ({} words)\n",
            level.factor,
            level.level,
            thousands(level.tokens)
        );
    }
    let word =
        tensor.vocabulary.words.get(tensor.vocabulary.len() / 10).map_or("word", String::as_str);
    text += &format!(
        "\nNext: covec collocates {} {word}   what stands near a word, under every level\n",
        tensor.path.display()
    );
    crate::table::print(&text)
}

/// The tensor in some lines.
fn facts(tensor: &Tensor) -> Vec<(&'static str, String)> {
    let record = &tensor.record;
    let vocabulary = &tensor.vocabulary;
    let mut facts = vec![(
        "tensor",
        format!("{}, made by covec {} {}", tensor.path.display(), record.covec, record.stage),
    )];
    let names: Vec<_> = record
        .inputs
        .iter()
        .map(|input| match input.files {
            1 => input.name.clone(),
            files => format!("{} ({} files)", input.name, thousands(files)),
        })
        .collect();
    if !names.is_empty() {
        facts.push(("read from", names.join(", ")));
    }
    if let Some(corpus) = &record.corpus {
        let mut text = format!(
            "{} documents, {} words",
            thousands(corpus.documents),
            thousands(corpus.tokens)
        );
        for (count, what) in [
            (corpus.empty_documents, "without a word"),
            (corpus.skipped_documents, "skipped for a missing covariate"),
            (corpus.replaced_documents, "with bytes replaced"),
        ] {
            if count > 0 {
                text += &format!("; {} {what}", thousands(count));
            }
        }
        let left_out = corpus.tokens.saturating_sub(counted_words(tensor));
        if left_out > 0 {
            text += &format!("; {} of them in levels that were left out", thousands(left_out));
        }
        facts.push(("corpus", text));
    }
    let kept: u64 = vocabulary.counts.iter().sum();
    facts.push((
        "vocabulary",
        match &record.corpus {
            Some(corpus) => {
                let of = corpus
                    .distinct_words
                    .map_or_else(String::new, |n| format!(" of {} distinct words", thousands(n)));
                let share = 100.0 * kept as f64 / counted_words(tensor).max(1) as f64;
                format!(
                    "{}{of}, which make up {share:.1} % of the text",
                    thousands(vocabulary.len() as u64)
                )
            }
            None => format!("{} words", thousands(vocabulary.len() as u64)),
        },
    ));
    facts.push((
        "most common",
        vocabulary.words.iter().take(12).cloned().collect::<Vec<_>>().join(", "),
    ));
    for factor in &tensor.covariates.factors {
        let kind = if factor.ordered { ", in order" } else { "" };
        facts.push(("factor", format!("{}: {} levels{kind}", factor.name, factor.levels.len())));
    }
    if tensor.covariates.factors.len() > 1 {
        facts.push((
            "cells",
            format!("{} combinations of levels occur", tensor.covariates.cells.len()),
        ));
    }
    if let Some(parameters) = &record.parameters {
        let window = &parameters.window;
        let weights = match window.weights {
            Weights::Inverse => "a pair counts 1/distance",
            Weights::Flat => "every pair counts 1",
        };
        let gaps = match window.gaps {
            Gaps::Keep => "words outside the vocabulary keep their place",
            Gaps::Close => "words outside the vocabulary close up",
        };
        facts.push((
            "counting",
            format!("{} words to each side within a document; {weights}; {gaps}", window.window),
        ));
    }
    let dropped = match record.entries.dropped {
        0 => String::new(),
        n => format!("; {} smaller ones dropped by --min-entry", thousands(n)),
    };
    facts.push((
        "entries",
        format!(
            "{} (word, word, cell) with a count, both orders of a pair; they sum to {}{dropped}",
            thousands(record.entries.stored),
            thousands(record.entries.total.round() as u64),
        ),
    ));
    facts.push(("fingerprint", record.fingerprint.chars().take(16).collect()));
    facts
}

fn levels(tensor: &Tensor) -> Table {
    let mut table = Table::new([
        "factor",
        "level",
        "documents",
        "words",
        "share",
        "entries",
        "vocabulary seen",
    ]);
    let total = counted_words(tensor);
    let mut counts = tensor.vocabulary.level_counts.iter();
    for (f, factor) in tensor.covariates.factors.iter().enumerate() {
        for (l, level) in factor.levels.iter().enumerate() {
            let entries: u64 = tensor
                .covariates
                .cells
                .iter()
                .zip(&tensor.record.entries.by_cell)
                .filter(|(cell, _)| cell.levels[f] as usize == l)
                .map(|(_, entries)| entries)
                .sum();
            let seen = counts.next().map_or(0, |counts| counts.iter().filter(|&&c| c > 0).count());
            table.push(vec![
                json!(factor.name),
                json!(level.name),
                json!(level.documents),
                json!(level.tokens),
                share(level.tokens, total),
                json!(entries),
                json!(seen),
            ]);
        }
    }
    table
}

fn cells(tensor: &Tensor) -> Table {
    let mut table = Table::new(["cell", "levels", "documents", "words", "entries"]);
    for (index, cell) in tensor.covariates.cells.iter().enumerate() {
        table.push(vec![
            json!(index),
            json!(tensor.covariates.cell_name(index)),
            json!(cell.documents),
            json!(cell.tokens),
            json!(tensor.record.entries.by_cell.get(index)),
        ]);
    }
    table
}

fn rules(tensor: &Tensor) -> Table {
    let mut table = Table::new(["rule", "words removed", "share of text removed", "words left"]);
    let tokens = counted_words(tensor);
    for rule in &tensor.record.rules {
        table.push(vec![
            json!(rule.rule),
            json!(rule.removed),
            share(rule.removed_tokens, tokens),
            json!(rule.left),
        ]);
    }
    table
}

fn words(tensor: &Tensor) -> Table {
    let vocabulary = &tensor.vocabulary;
    let mut columns: Vec<String> = ["id", "word", "count", "documents"].map(str::to_owned).into();
    columns.extend(tensor.covariates.level_names());
    let mut table = Table::new(columns);
    for (id, word) in vocabulary.words.iter().enumerate() {
        let mut row = vec![
            json!(id),
            json!(word),
            json!(vocabulary.counts[id]),
            json!(vocabulary.documents[id]),
        ];
        row.extend(vocabulary.level_counts.iter().map(|counts| json!(counts[id])));
        table.push(row);
    }
    table
}

/// Words in the levels that were kept.
fn counted_words(tensor: &Tensor) -> u64 {
    tensor.covariates.cells.iter().map(|cell| cell.tokens).sum()
}

fn share(part: u64, whole: u64) -> Value {
    json!((1e4 * part as f64 / whole.max(1) as f64).round() / 1e4)
}
