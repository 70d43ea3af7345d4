//! Whether the model fits: losses sweep by sweep, and what is said of every level.
//!
//! The held-out loss is the weighted mean of the squared errors of ln counts, of pairs that training
//! never saw; `exp(√loss)` is the factor by which the typical one is missed.

use covec::model::Model;

use super::figures::{count, loss, percent, short};
use super::sheet::{Sheet, drawn};
use super::table::{Cell, Table};
use super::{Question, ReportError};
use crate::answers::fit as charts;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) -> Result<(), ReportError> {
    let model = question.model;
    sheet.section("fit", "Does the model fit?");
    let sweeps = &model.record.training.sweeps;
    match sweeps.last().and_then(|sweep| sweep.held_out) {
        Some(held_out) => sheet.text(&format!(
            "Some pairs of words were kept out of training. How often these meet is predicted with a squared error of {} \
             on the scale of logarithms: a typical count is missed by a factor of {}. Where this number still falls \
             at the right end of the curve, more sweeps would help; where it rises, the model learns chance.",
            loss(held_out),
            short(held_out.max(0.0).sqrt().exp()),
        )),
        None => sheet.text(
            "Nothing was held out in training, so nothing can be said of how well the model predicts what it has not \
             seen; a falling loss only says that it learnt.",
        ),
    }
    if sweeps.len() > 1 {
        drawn(sheet, charts::losses(model))?;
    }
    levels(model, sheet);
    Ok(())
}

/// A row for every level.
fn levels(model: &Model, sheet: &mut Sheet) {
    if model.covariates.factors.is_empty() {
        return;
    }
    sheet.part("fit-levels", "Level by level");
    let last = model.record.training.sweeps.last();
    let mut table = Table::new([
        "level",
        "words",
        "held-out loss",
        "missed by a factor of",
        "explained by shared topics",
        "words used in an own way",
    ]);
    let names = model.covariates.level_names();
    let mut place = 0;
    for (f, factor) in model.covariates.factors.iter().enumerate() {
        for (index, level) in factor.levels.iter().enumerate() {
            let held_out = last.and_then(|s| s.held_out_levels.get(place).copied().flatten());
            let inside = |cell: usize| model.covariates.cells[cell].levels[f] as usize == index;
            let own = model.deviations.levels.iter().filter(|own| **own as usize == place).count();
            table.push(vec![
                Cell::text(&names[place]),
                Cell::number(&count(level.tokens)),
                Cell::maybe(held_out, loss),
                Cell::maybe(held_out, |x| short(x.max(0.0).sqrt().exp())),
                Cell::maybe(model.off_diagonal(inside), |share| percent(1.0 - share)),
                Cell::number(&count(own as u64)),
            ]);
            place += 1;
        }
    }
    sheet.table(&table);
    sheet.note(
        "Explained by shared topics: how much of what tells the level apart is said by giving the shared dimensions other \
         weights; the rest would need topics of its own, and is 1 − the “off-diagonal” share of covec info. Where it is \
         low, read the level's topics with care. A small level has a higher held-out loss because its counts are \
         small, not because it is strange.",
    );
}
