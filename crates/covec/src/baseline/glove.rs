//! GloVe on all text, and on each level alone.
//!
//! * **Pooled:** the cells of the tensor are added up, and vectors v and biases b fitted to the sums. A level differs by how much its words
//!   occur, not by what they mean: its biases are those that independence makes of the level's own sums, moved by what the fit moved
//!   those of the whole by.
//! * **Slices:** the cells of every level are added up and fitted by themselves. Levels have nothing to do with each other.
//!
//! Both by the trainer of covec itself ([`single`]), so that what differs is the model and not the fitting. Pairs that are held
//! out in a cell are not in the sums either, which are scaled to make up for it.
//!
//! **Cost:** of a training on each, one after the other, and all vectors in memory.

use std::path::Path;

use super::parameters::{SliceParameters, told};
use super::slices::{Origin, Slice, Slices};
use super::within::Within;
use crate::artefact::Artefact;
use crate::error::Error;
use crate::model::{self, Baseline, Fit, Model, Spaces};
use crate::tensor::Tensor;
use crate::train::{
    AutoOr, Checked, Layout, Part, Single, Solver, Switch, TrainParameters, Vectors, held_pairs,
    independence, single,
};
use crate::work::Work;

/// What all text is called among the levels.
pub(super) const ALL: &str = "all";

/// GloVe on all text: a word has one vector, whatever the level.
pub fn pooled(
    tensor: &Tensor,
    parameters: Checked<'_>,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    let parameters = &plain(parameters.0, Vectors::Tied);
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let cells = vec![true; tensor.covariates.cells.len()];
    let sums = cell_sums(tensor, parameters, work)?;
    let part = Part { cells: &cells, sums: &sums };
    let own = single(tensor, part, parameters, Vectors::Tied, artefact.scratch(), work)?;
    let fit = fit(ALL, &own);
    let biases = level_biases(tensor, &sums, &own);
    let (slice, _) = slice(own, parameters.dim as usize);
    let mut base = vec![0.0; tensor.vocabulary.len() * parameters.dim as usize];
    slice.spread(&mut base);
    let dim = parameters.dim as usize;
    let found = Slices { dim, base: Some(base), biases, ..Slices::default() };
    let baseline = Baseline {
        method: "pooled".to_owned(),
        parameters: Default::default(),
        levels: Spaces::One,
        topics: false,
        counts: true,
        fits: vec![fit],
    };
    let model = found.into_model(&Origin::from(tensor), parameters, baseline);
    model.write(artefact)?;
    Ok(model)
}

/// GloVe on each level alone: every level has a space of its own.
pub fn slices(
    tensor: &Tensor,
    parameters: Checked<'_>,
    own: &SliceParameters,
    output: &Path,
    work: &Work<'_>,
) -> Result<Model, Error> {
    own.check()?;
    let parameters = &plain(parameters.0, own.vectors);
    let artefact = Artefact::begin(output, model::FILES, work.force)?;
    let sums = cell_sums(tensor, parameters, work)?;
    let (found, fits) = each(tensor, &sums, parameters, own.vectors, artefact.scratch(), 0, work)?;
    let baseline = Baseline {
        method: "slices".to_owned(),
        parameters: told(own),
        levels: Spaces::Apart,
        topics: false,
        counts: true,
        fits,
    };
    let model = found.into_model(&Origin::from(tensor), parameters, baseline);
    model.write(artefact)?;
    Ok(model)
}

/// The parameters of training as they count for one level.
pub(super) fn plain(parameters: &TrainParameters, vectors: Vectors) -> TrainParameters {
    let solver = match vectors {
        Vectors::Tied => Solver::Blocks,
        Vectors::Untied => Solver::Adagrad,
    };
    // GloVe knows of pairs that met alone, unless it is told otherwise.
    let chance = AutoOr::At(parameters.chance.at().unwrap_or(0.0));
    TrainParameters { solver, seeds: 1, chance, deviations: Switch::Off, ..parameters.clone() }
}

/// Every level fitted by itself, `more` other fits beside them.
pub(super) fn each(
    tensor: &Tensor,
    sums: &[f32],
    parameters: &TrainParameters,
    vectors: Vectors,
    scratch: &Path,
    more: usize,
    work: &Work<'_>,
) -> Result<(Slices, Vec<Fit>), Error> {
    let levels = level_cells(tensor);
    let dim = parameters.dim as usize;
    let mut found = Slices { dim, ..Slices::default() };
    let mut fits = Vec::new();
    for (level, (name, cells)) in levels.iter().enumerate() {
        work.proceed()?;
        let within = Within::new(work, level, levels.len() + more);
        let own = Work { observer: &within, ..*work };
        let part = Part { cells, sums };
        let own = single(tensor, part, parameters, vectors, scratch, &own)?;
        fits.push(fit(name, &own));
        let (slice, biases) = slice(own, dim);
        found.levels.push(slice);
        found.biases.extend(biases);
    }
    Ok((found, fits))
}

/// For every level, its name and which cells it has; without factors one level has them all.
pub(super) fn level_cells(tensor: &Tensor) -> Vec<(String, Vec<bool>)> {
    let layout = Layout::new(&tensor.covariates);
    let mut names = tensor.covariates.level_names();
    if names.is_empty() {
        names.push(ALL.to_owned());
    }
    let cells = |level| layout.cells.iter().map(|levels| levels.contains(&level)).collect();
    names.into_iter().enumerate().map(|(level, name)| (name, cells(level))).collect()
}

/// What was fitted becomes a slice of the words that it was fitted to, and biases of all words.
pub(super) fn slice(own: Single, dim: usize) -> (Slice, Vec<f32>) {
    let words: Vec<u32> = (0..own.seen.len() as u32).filter(|&w| own.seen[w as usize]).collect();
    let rows = |numbers: &[f32]| -> Vec<f32> {
        let row = |&word: &u32| &numbers[word as usize * dim..(word as usize + 1) * dim];
        words.iter().flat_map(row).copied().collect()
    };
    let (vectors, contexts) = (rows(&own.vectors), own.contexts.as_deref().map(rows));
    (Slice { words, vectors, contexts }, own.biases)
}

pub(super) fn fit(slice: &str, own: &Single) -> Fit {
    let last = own.training.sweeps.last();
    Fit {
        slice: slice.to_owned(),
        words: own.seen.iter().filter(|seen| **seen).count() as u64,
        entries: own.entries,
        sweeps: own.training.sweeps.len() as u32,
        ridge: own.training.ridge,
        loss: last.map(|sweep| sweep.loss),
        held_out: last.and_then(|sweep| sweep.held_out),
    }
}

/// Sums of the counts of every word in every cell.
pub(super) fn cell_sums(
    tensor: &Tensor,
    parameters: &TrainParameters,
    work: &Work<'_>,
) -> Result<Vec<f32>, Error> {
    Ok(held_pairs(tensor, parameters, work)?.sums)
}

/// What the biases of all text are in every level.
fn level_biases(tensor: &Tensor, of_cells: &[f32], own: &Single) -> Vec<f32> {
    let layout = Layout::new(&tensor.covariates);
    if layout.levels() < 2 {
        return own.biases.clone();
    }
    let words = tensor.vocabulary.len();
    let mut sums = vec![0.0; layout.levels() * words];
    for (levels, own) in layout.cells.iter().zip(of_cells.chunks_exact(words.max(1))) {
        for level in levels {
            let sums = &mut sums[level * words..(level + 1) * words];
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
    }
    let prior = independence(&layout, &sums, words);
    let factors = layout.factors.len() as f32;
    let moved = |place: usize| (own.biases[place % words] - own.prior[place % words]) / factors;
    prior.iter().enumerate().map(|(place, prior)| prior + moved(place)).collect()
}
