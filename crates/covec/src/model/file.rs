//! `model.safetensors`: vectors, weights, biases and deviations.

use std::collections::HashMap;
use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use zerocopy::{FromBytes, IntoBytes};

use super::{Deviations, Model, ModelError, Numbers, numbers};
use crate::error::{Error, IoContext};
use crate::vocabulary::FINGERPRINT;

/// What the file holds.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) fingerprint: String,
    pub(super) dim: usize,
    pub(super) vectors: Numbers<f32>,
    pub(super) weights: Numbers<f32>,
    pub(super) biases: Numbers<f32>,
    pub(super) deviations: Deviations,
    pub(super) contexts: Numbers<f32>,
}

pub(super) fn write(model: &Model, path: &Path) -> Result<(), Error> {
    save(path, &model.record.fingerprint, parts(model))
}

/// A tensor of the file: name, kind, shape, bytes.
pub(crate) type FilePart<'a> = (&'a str, Dtype, Vec<usize>, &'a [u8]);

/// The tensors of a model.
pub(crate) fn parts(model: &Model) -> Vec<FilePart<'_>> {
    let (words, levels, dim) = (model.vocabulary.len(), model.levels(), model.dim);
    let deviations = &model.deviations;
    let mut parts: Vec<FilePart<'_>> = vec![
        ("vectors", Dtype::F32, vec![words, dim], model.vectors.as_bytes()),
        ("weights", Dtype::F32, vec![levels, dim], model.weights.as_bytes()),
        ("biases", Dtype::F32, vec![levels, words], model.biases.as_bytes()),
    ];
    if !deviations.is_empty() {
        let n = deviations.len();
        parts.push(("deviations.words", Dtype::U32, vec![n], deviations.words.as_bytes()));
        parts.push(("deviations.levels", Dtype::U32, vec![n], deviations.levels.as_bytes()));
        parts.push(("deviations", Dtype::F16, vec![n, dim], deviations.numbers.as_bytes()));
        if !deviations.contexts.is_empty() {
            let contexts = deviations.contexts.as_bytes();
            parts.push(("deviations.contexts", Dtype::F16, vec![n, dim], contexts));
        }
    }
    if !model.contexts.is_empty() {
        parts.push(("contexts", Dtype::F32, vec![words, dim], model.contexts.as_bytes()));
    }
    parts
}

/// Writes tensors with a fingerprint.
pub(crate) fn save(path: &Path, fingerprint: &str, parts: Vec<FilePart<'_>>) -> Result<(), Error> {
    let failed =
        |e: safetensors::SafeTensorError| Error::io("write", path, std::io::Error::other(e));
    let mut views = Vec::new();
    for (name, kind, shape, bytes) in parts {
        views.push((name, TensorView::new(kind, shape, bytes).map_err(failed)?));
    }
    let metadata = HashMap::from([(FINGERPRINT.to_owned(), fingerprint.to_owned())]);
    // Not safetensors' own way to a file, which only its owner may read.
    let bytes = safetensors::serialize(views, Some(metadata)).map_err(failed)?;
    std::fs::write(path, bytes).at("write", path)
}

impl Content {
    /// Reads the file of a model with this many words and levels.
    pub(crate) fn read(path: &Path, words: usize, levels: usize) -> Result<Self, Error> {
        let map = numbers::map(path)?;
        let bytes: &[u8] = &map;
        let damaged = |problem: String| ModelError::Damaged { path: path.to_owned(), problem };
        let (_, metadata) =
            SafeTensors::read_metadata(bytes).map_err(|e| damaged(e.to_string()))?;
        let fingerprint = metadata
            .metadata()
            .as_ref()
            .and_then(|pairs| pairs.get(FINGERPRINT))
            .cloned()
            .unwrap_or_default();
        let file = SafeTensors::deserialize(bytes).map_err(|e| damaged(e.to_string()))?;
        // The vectors say how many dimensions there are; everything else must agree.
        let dim = file.tensor("vectors").ok().and_then(|part| part.shape().last().copied());
        let dim = dim.filter(|dim| *dim > 0).unwrap_or(1);
        let place = |part: &TensorView<'_>| {
            let start = part.data().as_ptr().addr() - bytes.as_ptr().addr();
            start..start + part.data().len()
        };
        let numbers = |name: &str, rows: usize, columns: usize| -> Result<Numbers<f32>, Error> {
            let part = part(&file, name, Dtype::F32, &[rows, columns]).map_err(damaged)?;
            Ok(Numbers::mapped(&map, place(&part)))
        };
        let vectors = numbers("vectors", words, dim)?;
        let deviations = if file.names().contains(&"deviations") {
            let own = file.tensor("deviations").map_err(|e| damaged(e.to_string()))?;
            let n = own.shape().first().copied().unwrap_or(0);
            let own = part(&file, "deviations", Dtype::F16, &[n, dim]).map_err(damaged)?;
            let ids = |name: &str| -> Result<Vec<u32>, Error> {
                Ok(cast(part(&file, name, Dtype::U32, &[n]).map_err(damaged)?.data()))
            };
            let contexts = if file.names().contains(&"deviations.contexts") {
                let own = part(&file, "deviations.contexts", Dtype::F16, &[n, dim]);
                Numbers::mapped(&map, place(&own.map_err(damaged)?))
            } else {
                Numbers::default()
            };
            Deviations::new(
                dim,
                ids("deviations.words")?,
                ids("deviations.levels")?,
                Numbers::mapped(&map, place(&own)),
            )
            .with_contexts(contexts)
        } else {
            Deviations::none(dim)
        };
        let contexts = match file.names().contains(&"contexts") {
            true => numbers("contexts", words, dim)?,
            false => Numbers::default(),
        };
        Ok(Self {
            fingerprint,
            dim,
            vectors,
            weights: numbers("weights", levels, dim)?,
            biases: numbers("biases", levels, words)?,
            deviations,
            contexts,
        })
    }
}

/// Whether all of a file is there: its head can be read, and what follows is as long as that says.
pub(crate) fn is_whole(path: &Path) -> bool {
    numbers::map(path).is_ok_and(|map| SafeTensors::deserialize(&map).is_ok())
}

/// The numbers of one tensor of a file.
pub(crate) fn numbers<T: FromBytes>(
    path: &Path,
    name: &str,
    kind: Dtype,
    shape: &[usize],
) -> Result<Vec<T>, Error> {
    let map = numbers::map(path)?;
    let damaged = |problem: String| ModelError::Damaged { path: path.to_owned(), problem };
    let file = SafeTensors::deserialize(&map).map_err(|e| damaged(e.to_string()))?;
    Ok(cast(part(&file, name, kind, shape).map_err(damaged)?.data()))
}

/// A tensor of this kind and shape.
pub(crate) fn part<'a>(
    file: &'a SafeTensors<'a>,
    name: &str,
    kind: Dtype,
    shape: &[usize],
) -> Result<TensorView<'a>, String> {
    let part = file.tensor(name).map_err(|_| format!("no tensor '{name}' in it"))?;
    if part.dtype() != kind || part.shape() != shape {
        return Err(format!(
            "'{name}' is {} of shape {:?}; expected {kind} of shape {shape:?}",
            part.dtype(),
            part.shape()
        ));
    }
    Ok(part)
}

/// Numbers from bytes that need not be aligned. Files are little-endian, like every machine covec
/// runs on.
pub(crate) fn cast<T: FromBytes>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).filter_map(|bytes| T::read_from_bytes(bytes).ok()).collect()
}
