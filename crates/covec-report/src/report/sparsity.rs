//! Which dimensions levels do without.

use covec::analyse::sparsity;

use super::figures::{count, counted, percent};
use super::sheet::{Sheet, drawn};
use super::{Question, ReportError};
use crate::answers::sparsity::{weights, zeros as bars};

const BINS: usize = 40;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) -> Result<(), ReportError> {
    let model = question.model;
    sheet.section("sparsity", "What levels do without");
    let levels = sparsity::levels(model);
    let zeros: u64 = levels.iter().map(|level| level.zeros as u64).sum();
    sheet.text(&format!(
        "Where a level's weight cannot be told from 0 it is 0: the level does without the dimension. {} of {} are \
         ({}).",
        counted(zeros, "weight"),
        count(model.weights.len() as u64),
        percent(zeros as f64 / model.weights.len().max(1) as f64),
    ));
    sheet.note(
        "A zero says that the corpus gives no reason for the dimension in the level, not that the level could not have it. How many \
         zeros chance alone makes depends on the size of a level; covec sparsity --control TENSOR measures it.",
    );
    if zeros > 0 {
        drawn(sheet, bars(&levels, model.dim))?;
    }
    drawn(sheet, weights(&sparsity::histogram(model, BINS)))?;
    Ok(())
}
