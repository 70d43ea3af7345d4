//! Which dimensions levels do without.

use covec::Error;
use covec::analyse::control::control;
use covec::analyse::sparsity::{self, LevelZeros};
use covec::model::{Model, Need};
use covec::resample::as_in;
use covec::tensor::Tensor;

use crate::question::refused;
use crate::{Question, Table, Told};

/// Bins of a histogram, beside that of the zeros.
const BINS: usize = 20;

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, work, most, resamples, .. } = question;
    model.gives(Need::Topics, "sparsity")?;
    let show = asked.choice("show", &["levels", "overlap", "histogram", "sweeps"])?;
    if resamples.is_some() && show != "levels" {
        return Err(refused(
            format!("{show} has no error bars"),
            "show levels",
            "that, or no boot",
        ));
    }
    let table = match show {
        "overlap" => Table::of(&sparsity::overlaps(model)),
        "histogram" => Table::of(&sparsity::histogram(model, BINS)),
        "sweeps" => Table::of(&sparsity::sweeps(model)),
        _ => {
            let mut levels = sparsity::levels(model);
            if let Some(path) = asked.paths("control").first() {
                levels
                    .extend(control(model, &Tensor::open(path)?, asked.text("slice"), work)?.rows);
            }
            match resamples {
                None => Table::of(&levels),
                Some(resamples) => {
                    let ask = |model: &Model, rows: &[LevelZeros]| {
                        Ok(as_in(rows, &sparsity::levels(model)))
                    };
                    Table::of_some(&resamples.sure(model, levels, ask, work)?)
                }
            }
        }
    };
    Ok(table.first(*most).into())
}
