//! What a tensor holds and how it came to be.

use covec::tensor::{Gaps, Tensor, Weights};
use covec_answers::info::words;
use serde_json::{Value, json};

use super::{Rows, lines, listed, share, sources};
use crate::failure::Failure;
use crate::table::{Format, Printed, Table, counted, thousands};

/// What can be shown of a tensor.
pub(super) const SHOWN: [&str; 5] = ["summary", "levels", "cells", "rules", "words"];

pub(super) fn show(tensor: &Tensor, what: &str, rows: Rows) -> Result<(), Failure> {
    match what {
        "levels" => levels(tensor).print(rows.format, rows.all),
        "cells" => cells(tensor).print(rows.format, rows.all),
        "rules" => rules(tensor).print(rows.format, rows.all),
        "words" => words(&tensor.vocabulary, &tensor.covariates).print(rows.format, rows.some),
        _ => summary(tensor, rows.format),
    }
}

fn summary(tensor: &Tensor, format: Format) -> Result<(), Failure> {
    let facts = facts(tensor);
    if format != Format::Table {
        return listed(facts).print(format, usize::MAX);
    }
    let mut text = lines(&facts);
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
    if let Some(names) = sources(record) {
        facts.push(("read from", names));
    }
    if let Some(corpus) = &record.corpus {
        let mut text = format!(
            "{}, {}",
            counted(corpus.documents, "document"),
            counted(corpus.tokens, "word")
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
                documents(tensor, level.documents),
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
            documents(tensor, cell.documents),
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

/// How many documents there are; counts that somebody else made do not tell.
fn documents(tensor: &Tensor, count: u64) -> Value {
    let told = tensor.covariates.cells.iter().any(|cell| cell.documents > 0);
    if told { json!(count) } else { Value::Null }
}

/// Words in the levels that were kept.
fn counted_words(tensor: &Tensor) -> u64 {
    tensor.covariates.cells.iter().map(|cell| cell.tokens).sum()
}
