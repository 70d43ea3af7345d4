//! How many zeros chance alone makes: the paper's control.
//!
//! One level of the tensor is subsampled [`PARTS`] times ([`crate::tensor::subsample`]), so that the
//! parts differ by chance and by nothing else. A model is trained on them with the parameters of the
//! model in question, and its zeros are counted. Of a level and itself there is nothing to do
//! without, so there should be next to none: the paper found 0 to 2 a part, and eras, communities and
//! books of 63,000 to 890,000 words have 0.
//!
//! The parts overlap, as subsamples do, so this says that noise makes no zeros where text is shared.
//! It does not make zeros of tiny levels sure: disjoint thirds of a book, 21,000 to 44,000 words each
//! with 100 dimensions, have 2 to 24 zeros a part, and none from 98,000 words on.
//!
//! Only the words' own deviations are not fitted, which come after the zeros.
//!
//! **Cost:** a training on one level, in a temporary folder.

use super::coherence::check_words;
use super::factor::{factor_named, levels_of};
use super::question;
use super::sparsity::{LevelZeros, zeros_of};
use crate::error::{Error, IoContext};
use crate::model::{Model, Need};
use crate::tensor::{Tensor, subsample};
use crate::train::{self, Switch, TrainParameters};
use crate::work::Work;

/// Times that a level is subsampled.
pub const PARTS: usize = 3;

/// The zeros of a control.
#[derive(Debug, Clone, PartialEq)]
pub struct Control {
    /// The level that was subsampled.
    pub slice: String,
    /// The zeros of each part.
    pub rows: Vec<LevelZeros>,
}

/// Subsamples a level of the tensor that the model was trained on, the largest of the first factor
/// where none is named, and trains on the parts.
pub fn control(
    model: &Model,
    tensor: &Tensor,
    slice: Option<&str>,
    work: &Work<'_>,
) -> Result<Control, Error> {
    model.gives(Need::Training, "control")?;
    check_words(model, tensor)?;
    let factor = factor_named(model, None)?;
    let level = match slice {
        Some(name) => match tensor.covariates.levels_named(name)?[..] {
            [level] => level,
            _ => {
                let problem = format!("--slice {name}: several levels");
                return Err(question(problem, "one level", "leave the others away").into());
            }
        },
        None => {
            let levels = &tensor.covariates.factors[factor].levels;
            // Of equally large levels the first.
            let largest = (0..levels.len()).rev().max_by_key(|&level| levels[level].tokens);
            levels_of(model, factor).start + largest.unwrap_or(0)
        }
    };
    let slice = tensor.covariates.level_names()[level].clone();
    let home = tempfile::tempdir().at("make", &std::env::temp_dir())?;
    let seed = model.record.parameters.seed.0;
    work.observer.note(&format!("subsampling {slice} {PARTS} times"));
    let parts = subsample(tensor, level, PARTS, seed, &home.path().join("tensor"), work)?;
    let parameters =
        TrainParameters { seeds: 1, deviations: Switch::Off, ..model.record.parameters.clone() };
    let work = Work { checkpoint: std::time::Duration::ZERO, ..*work };
    let trained = train::train(&parts, parameters.checked()?, &home.path().join("model"), &work)?;
    Ok(Control { slice, rows: zeros_of(&trained, "control") })
}
