//! What a model holds and how it came to be, as rows.

use covec::analyse::SupportParameters;
use covec::analyse::topics::ends;
use covec::model::Model;
use covec::tensor::Covariates;
use covec::vocabulary::Vocabulary;
use covec::{Error, Work};
use serde_json::{Value, json};

use crate::{Question, Table, Told};

/// What can be shown of a model.
const SHOWN: [&str; 6] = ["levels", "cells", "dimensions", "sweeps", "ridges", "words"];

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, work, most, .. } = question;
    let table = match asked.choice("show", &SHOWN)? {
        "cells" => cells(model),
        "dimensions" => dimensions(model, work)?,
        "sweeps" => sweeps(model),
        "ridges" => ridges(model),
        "words" => return Ok(words(&model.vocabulary, &model.covariates).first(*most).into()),
        _ => levels(model),
    };
    // What is given as n is kept to; by default it is of words only.
    Ok(if asked.has("n") { table.first(*most) } else { table }.into())
}

/// A row for every level; one for a model without factors.
pub fn levels(model: &Model) -> Table {
    let mut table = Table::new([
        "factor",
        "level",
        "words",
        "held-out loss",
        "zeros",
        "off-diagonal",
        "deviations",
    ]);
    let last = model.record.training.sweeps.last();
    let fits = model.record.baseline.as_ref().map_or(&[][..], |own| &own.fits);
    // Of a method that fits every level by itself.
    let fitted = |factor: &str, name: &str| {
        let slice = format!("{factor}={name}");
        fits.iter().find(|fit| fit.slice == slice).and_then(|fit| fit.held_out)
    };
    let of = |level: usize, factor: &str, name: &str, words: u64, shares: Value| {
        vec![
            json!(factor),
            json!(name),
            json!(words),
            json!(
                last.and_then(|sweep| sweep.held_out_levels.get(level).copied().flatten())
                    .or_else(|| fitted(factor, name))
            ),
            json!(model.weight(level).iter().filter(|weight| **weight == 0.0).count()),
            shares,
            json!(model.deviations.levels.iter().filter(|own| **own as usize == level).count()),
        ]
    };
    let mut next = 0;
    for (place, factor) in model.covariates.factors.iter().enumerate() {
        for (index, level) in factor.levels.iter().enumerate() {
            let inside = |cell: usize| model.covariates.cells[cell].levels[place] as usize == index;
            let share = json!(model.off_diagonal(inside));
            table.push(of(next, &factor.name, &level.name, level.tokens, share));
            next += 1;
        }
    }
    if next == 0 {
        let words = model.covariates.cells.iter().map(|cell| cell.tokens).sum();
        table.push(of(0, "", "all", words, json!(model.off_diagonal(|_| true))));
    }
    table
}

/// A row for every dimension: how much it explains, where levels do without it, its most telling
/// words (those of `covec topics`), and whether other seeds found it too.
pub fn dimensions(model: &Model, work: &Work<'_>) -> Result<Table, Error> {
    const WORDS: usize = 6;
    let mut table =
        Table::new(["dimension", "variance", "zeros", "seeds agree", "words above", "words below"]);
    let words = model.vocabulary.len();
    let places: Vec<usize> = (0..model.dim).collect();
    let ends = ends(model, &places, WORDS, &SupportParameters::default(), work)?;
    let agreement = model.record.training.agreement.as_ref();
    for (t, ends) in ends.into_iter().enumerate() {
        let squares = (0..words).map(|word| f64::from(model.vector(word)[t]).powi(2));
        let [above, below] = ends.map(|words| words.join(", "));
        table.push(vec![
            json!(t + 1),
            json!(squares.sum::<f64>() / words.max(1) as f64),
            json!((0..model.levels()).filter(|&level| model.weight(level)[t] == 0.0).count()),
            json!(agreement.and_then(|agreement| agreement.dimensions.get(t).copied())),
            json!(above),
            json!(below),
        ]);
    }
    Ok(table)
}

/// A row for every combination of levels.
pub fn cells(model: &Model) -> Table {
    let mut table = Table::new(["cell", "levels", "documents", "words", "entries", "off-diagonal"]);
    for (index, cell) in model.covariates.cells.iter().enumerate() {
        table.push(vec![
            json!(index),
            json!(model.covariates.cell_name(index)),
            json!(cell.documents),
            json!(cell.tokens),
            json!(model.record.tensor.entries.by_cell.get(index)),
            json!(model.off_diagonal(|cell| cell == index)),
        ]);
    }
    table
}

/// A row for every sweep of training.
pub fn sweeps(model: &Model) -> Table {
    let mut table =
        Table::new(["sweep", "loss", "objective", "held-out loss", "zeros", "axes turned"]);
    for sweep in &model.record.training.sweeps {
        table.push(vec![
            json!(sweep.sweep),
            json!(sweep.loss),
            json!(sweep.objective),
            json!(sweep.held_out),
            json!(sweep.zeros.iter().map(|&zeros| u64::from(zeros)).sum::<u64>()),
            json!(sweep.turned),
        ]);
    }
    table
}

/// The ridges that were tried.
pub fn ridges(model: &Model) -> Table {
    let mut table = Table::new(["after sweep", "ridge", "held-out loss"]);
    for trial in &model.record.training.ridges {
        table.push(vec![json!(trial.sweep), json!(trial.ridge), json!(trial.held_out)]);
    }
    table
}

/// The vocabulary, with how often each word occurs in every level.
pub fn words(vocabulary: &Vocabulary, covariates: &Covariates) -> Table {
    let mut columns: Vec<String> = ["id", "word", "count", "documents"].map(str::to_owned).into();
    columns.extend(covariates.level_names());
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
