//! Which dimensions levels do without.

use covec::Error;
use covec::analyse::control::control;
use covec::analyse::sparsity;
use covec::model::Need;
use covec::tensor::Tensor;

use crate::{Question, Table, Told};

/// Bins of a histogram, beside that of the zeros.
const BINS: usize = 20;

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, work, most, .. } = question;
    model.gives(Need::Topics, "sparsity")?;
    let table = match asked.choice("show", &["levels", "overlap", "histogram", "sweeps"])? {
        "overlap" => Table::of(&sparsity::overlaps(model)),
        "histogram" => Table::of(&sparsity::histogram(model, BINS)),
        "sweeps" => Table::of(&sparsity::sweeps(model)),
        _ => {
            let mut levels = sparsity::levels(model);
            if let Some(path) = asked.paths("control").first() {
                levels
                    .extend(control(model, &Tensor::open(path)?, asked.text("slice"), work)?.rows);
            }
            Table::of(&levels)
        }
    };
    Ok(table.first(*most).into())
}
