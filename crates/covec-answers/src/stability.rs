//! How steady the words nearest to a word are.

use covec::Error;
use covec::analyse::{Answer, View};
use covec::model::Model;
use covec::resample::stability::{StabilityParameters, bands, stability};
use covec::tensor::Tensor;

use crate::question::refused;
use crate::{Question, Told};

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, support, work, most, resamples } = question;
    let mut parameters = StabilityParameters::default();
    asked.take(StabilityParameters::TABLE, |name, text| parameters.set(name, text))?;
    let boot = resamples.as_ref().and_then(|resamples| resamples.drawn.as_ref());
    let paths = asked.paths("tensor");
    if paths.is_empty() && boot.is_none() {
        return Err(refused(
            "nothing to compare the model with",
            "--tensor TENSOR, to train with other seeds, or --boot BOOT, or both",
            "give one of them",
        ));
    }
    let show = asked.choice("show", &["bands", "words"])?;
    let view = View::named(model, asked.text("in").unwrap_or(View::BASE))?;
    let tensor = paths.first().map(|path| Tensor::open(path)).transpose()?;
    if let Some(tensor) = &tensor {
        belongs(tensor, model)?;
    }
    let answer = stability(model, tensor.as_ref(), boot, &view, &parameters, support, work)?;
    let told = match show {
        "words" => question.told(&answer),
        _ => question.told(&Answer { rows: bands(&answer.rows), left_out: answer.left_out }),
    };
    Ok(Told { table: told.table.first(*most), ..told })
}

/// An error unless the model was trained on this tensor.
fn belongs(tensor: &Tensor, model: &Model) -> Result<(), Error> {
    if tensor.record.fingerprint == model.record.tensor.fingerprint {
        return Ok(());
    }
    Err(refused(
        format!("{} is not the tensor that the model was trained on", tensor.path.display()),
        "the tensor it was trained on",
        "that tensor, or --boot",
    ))
}
