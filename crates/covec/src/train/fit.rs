//! From a corpus to a model in one go.

use std::path::{Path, PathBuf};

use super::{Checked, trained};
use crate::artefact::Artefact;
use crate::error::Error;
use crate::model::{self, Model};
use crate::tensor;
use crate::work::Work;

/// Counts a corpus and trains a model on it, which is written to the folder `output`.
///
/// The tensor is made in a temporary folder beside the output, or in the folder `keep`. With
/// `resume`, the corpus is counted again and training goes on from `OUTPUT.checkpoint`: the same
/// corpus gives the same tensor.
pub fn fit(
    inputs: &[PathBuf],
    counting: tensor::Checked<'_>,
    training: Checked<'_>,
    keep: Option<&Path>,
    output: &Path,
    work: &Work<'_>,
    resume: bool,
) -> Result<Model, Error> {
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let folder = keep.map_or_else(|| artefact.scratch().join("tensor"), Path::to_owned);
    let tensor = tensor::count(inputs, counting, &folder, work)?;
    let go_on = match keep {
        Some(kept) => super::how_to_resume(kept, output),
        None => "the same command and --resume, which counts again".to_owned(),
    };
    trained(&tensor, training.0, output, artefact, work, resume, &go_on)
}
