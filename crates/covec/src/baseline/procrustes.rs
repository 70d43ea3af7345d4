//! Levels fitted each by itself ([`glove`](super::glove)), then turned onto each other ([`rotation`]).
//!
//! **Cost:** that of the levels, and of one more fit, to all text, where they have no order.

use std::path::Path;

use super::glove::{ALL, cell_sums, each, fit, plain, slice};
use super::parameters::{RotationParameters, SliceParameters, told};
use super::rotation;
use super::slices::Origin;
use super::within::Within;
use crate::artefact::Artefact;
use crate::error::Error;
use crate::model::{self, Baseline, Model, Spaces};
use crate::tensor::Tensor;
use crate::train::{Checked, Part, single};
use crate::work::Work;

/// Levels fitted each by itself and turned onto each other, so that they can be compared.
pub fn procrustes(
    tensor: &Tensor,
    parameters: Checked<'_>,
    own: &SliceParameters,
    turning: &RotationParameters,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    own.check()?;
    turning.check()?;
    let parameters = &plain(parameters.0, own.vectors);
    let dim = parameters.dim as usize;
    let origin = Origin::from(tensor);
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let scratch = artefact.scratch();
    let more = usize::from(rotation::needs_all(&origin));
    let sums = cell_sums(tensor, parameters, work)?;
    let (mut found, mut fits) = each(tensor, &sums, parameters, own.vectors, scratch, more, work)?;
    let all = if more == 0 {
        None
    } else {
        let within = Within::new(work, found.levels.len(), found.levels.len() + more);
        let inner = Work { observer: &within, ..*work };
        let cells = vec![true; tensor.covariates.cells.len()];
        let part = Part { cells: &cells, sums: &sums };
        let all = single(tensor, part, parameters, own.vectors, scratch, &inner)?;
        fits.push(fit(ALL, &all));
        Some(slice(all, dim).0)
    };
    rotation::turn(&origin, &mut found.levels, all.as_ref(), dim, turning, work)?;
    let mut parameters_told = told(own);
    parameters_told.extend(told(turning));
    let baseline = Baseline {
        method: "procrustes".to_owned(),
        parameters: parameters_told,
        levels: Spaces::Shared,
        topics: false,
        counts: true,
        fits,
    };
    let model = found.into_model(&origin, parameters, baseline);
    model.write(artefact)?;
    Ok(model)
}
