//! What was trained on what.

use std::fmt::Write as _;

use covec::model::Model;

use super::Question;
use super::differences::settings;
use super::figures::{count, counted, percent};
use super::sheet::Sheet;
use super::table::{Cell, Table};
use crate::svg::canvas::escape;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) {
    let model = question.model;
    sheet.section("corpus", "The corpus and the model");
    let mut html = String::from("<dl>\n");
    for (what, value) in facts(model) {
        let _ = writeln!(html, "<dt>{what}</dt><dd>{}</dd>", escape(&value));
    }
    html.push_str("</dl>");
    sheet.raw(&html);
    levels(model, sheet);
    parameters(model, sheet);
}

fn facts(model: &Model) -> Vec<(&'static str, String)> {
    let record = &model.record;
    let tensor = &record.tensor;
    let mut facts = Vec::new();
    let names: Vec<String> = tensor
        .inputs
        .iter()
        .map(|input| match input.files {
            1 => input.name.clone(),
            files => format!("{} ({})", input.name, counted(files, "file")),
        })
        .collect();
    if !names.is_empty() {
        facts.push(("read from", names.join(", ")));
    }
    if let Some(corpus) = &tensor.corpus {
        let mut text = format!(
            "{} with {}",
            counted(corpus.documents, "document"),
            counted(corpus.tokens, "word")
        );
        if let Some(distinct) = corpus.distinct_words {
            let _ = write!(text, ", {} of them different", count(distinct));
        }
        if corpus.skipped_documents > 0 {
            let skipped = counted(corpus.skipped_documents, "document");
            let _ = write!(text, "; {skipped} left out for a missing covariate");
        }
        facts.push(("corpus", text));
    }
    let words = model.vocabulary.words.iter().take(8).map(String::as_str).collect::<Vec<_>>();
    let size = counted(model.vocabulary.len() as u64, "word");
    facts.push(("vocabulary", format!("{size}; the most common: {}", words.join(", "))));
    facts.push((
        "counted",
        format!(
            "{} pairs of words that stand near each other in some group",
            count(tensor.entries.stored)
        ),
    ));
    facts.push((
        "model",
        format!(
            "{} dimensions; {} ({})",
            model.dim,
            counted(record.training.sweeps.len() as u64, "sweep"),
            record.training.stopped
        ),
    ));
    if !model.deviations.is_empty() {
        let own = counted(model.deviations.len() as u64, "case");
        facts.push((
            "own deviations",
            format!("{own} of a word that is used in its own way in a level"),
        ));
    }
    for extension in &record.extensions {
        facts.push(("extended by", extension.levels.join(", ")));
    }
    facts.push(("made by", format!("covec {} {}", record.covec, record.stage)));
    facts.push(("fingerprint", record.fingerprint.chars().take(16).collect()));
    facts
}

fn levels(model: &Model, sheet: &mut Sheet) {
    sheet.part("levels", "Factors and levels");
    if model.covariates.factors.is_empty() {
        sheet.text(
            "The corpus was counted without covariates: all documents are of one kind, and there are no levels \
             to compare.",
        );
        return;
    }
    let total: u64 = model.covariates.cells.iter().map(|cell| cell.tokens).sum();
    let mut table = Table::new(["factor", "level", "documents", "words", "share of all words"]);
    for factor in &model.covariates.factors {
        for level in &factor.levels {
            table.push(vec![
                Cell::text(&factor.name),
                Cell::text(&level.name),
                Cell::number(&count(level.documents)),
                Cell::number(&count(level.tokens)),
                Cell::number(&percent(level.tokens as f64 / total.max(1) as f64)),
            ]);
        }
    }
    sheet.table(&table);
    let left_out = &model.record.tensor.left_out;
    if !left_out.is_empty() {
        let names: Vec<String> =
            left_out.iter().map(|out| format!("{}={}", out.factor, out.level)).collect();
        sheet.note(&format!(
            "Left out, with too few words to be a level (--min-level-tokens): {}.",
            names.join(", ")
        ));
    }
}

fn parameters(model: &Model, sheet: &mut Sheet) {
    sheet.part("parameters", "Parameters that are not the defaults");
    let record = &model.record;
    let found = settings(record.tensor.parameters.as_ref(), &record.parameters);
    if found.is_empty() {
        sheet.text("None: everything was counted and trained with the defaults.");
        return;
    }
    let mut table = Table::new(["stage", "parameter", "value", "default"]);
    for setting in found {
        table.push(vec![
            Cell::text(setting.stage),
            Cell::text(&setting.name),
            Cell::text(&setting.value),
            Cell::faint(&setting.default),
        ]);
    }
    sheet.table(&table);
}
