//! What is made: tensors, models, replicates, worlds.

use std::path::PathBuf;

use covec::Error;
use covec::corpus::CorpusParameters;
use covec::resample::{self, BootstrapParameters, PermuteParameters};
use covec::synth::{SynthParameters, truth_beside, write_corpus, write_tensor};
use covec::tensor::{self, CountParameters, ImportParameters, Tensor, WindowParameters};
use covec::train::TrainParameters;
use covec::vocabulary::VocabularyParameters;
use covec_answers::{Asked, collocates as near};
use pyo3::prelude::*;

use crate::model::Model;
use crate::parameters::{Texts, asked};
use crate::{rows, task};

type Listener = Option<Py<PyAny>>;

fn counting(asked: &Asked) -> Result<CountParameters, Error> {
    let mut parameters = CountParameters::default();
    for table in [CorpusParameters::TABLE, VocabularyParameters::TABLE, WindowParameters::TABLE] {
        asked.take(table, |name, text| parameters.set(name, text))?;
    }
    Ok(parameters)
}

fn training(asked: &Asked) -> Result<TrainParameters, Error> {
    let mut parameters = TrainParameters::default();
    asked.take(TrainParameters::TABLE, |name, text| parameters.set(name, text))?;
    Ok(parameters)
}

/// A corpus becomes a tensor.
#[pyfunction]
pub(crate) fn count(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<()> {
    let asked = asked(texts);
    task::run(py, &asked, listener, |work| {
        tensor::count(&inputs, counting(&asked)?.check()?, &output, work).map(drop)
    })
}

/// A tensor becomes a model.
#[pyfunction]
pub(crate) fn train(
    py: Python<'_>,
    tensor: PathBuf,
    output: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<Model> {
    let asked = asked(texts);
    let model = task::run(py, &asked, listener, |work| {
        let train = if asked.is_on("resume") { covec::train::resume } else { covec::train::train };
        train(&Tensor::open(&tensor)?, training(&asked)?.checked()?, &output, work)
    })?;
    Ok(model.into())
}

/// A corpus becomes a model.
#[pyfunction]
pub(crate) fn fit(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<Model> {
    let asked = asked(texts);
    let model = task::run(py, &asked, listener, |work| {
        covec::train::fit(
            &inputs,
            counting(&asked)?.check()?,
            training(&asked)?.checked()?,
            asked.paths("keep_tensor").first().map(PathBuf::as_path),
            &output,
            work,
            asked.is_on("resume"),
        )
    })?;
    Ok(model.into())
}

/// New levels for a model.
#[pyfunction]
pub(crate) fn extend(
    py: Python<'_>,
    model: &Model,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<Model> {
    let asked = asked(texts);
    let made = task::run(py, &asked, listener, |work| {
        covec::train::extend(&model.model, &inputs, &output, work)
    })?;
    Ok(made.into())
}

/// Documents drawn again, or with `shuffle` labels shuffled. Returns how many replicates were asked for, and how
/// many of them were there already.
#[pyfunction]
#[expect(clippy::too_many_arguments)]
pub(crate) fn replicate(
    py: Python<'_>,
    shuffle: bool,
    model: &Model,
    inputs: Vec<PathBuf>,
    numbers: (u64, u64),
    output: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<(usize, usize)> {
    let (asked, model) = (asked(texts), &model.model);
    let done = task::run(py, &asked, listener, |work| {
        let numbers = numbers.0..numbers.1;
        if shuffle {
            let mut parameters = PermuteParameters::default();
            asked.take(PermuteParameters::TABLE, |name, text| parameters.set(name, text))?;
            return resample::permute(model, &inputs, &parameters, numbers, &output, work);
        }
        let mut parameters = BootstrapParameters::default();
        asked.take(BootstrapParameters::TABLE, |name, text| parameters.set(name, text))?;
        resample::bootstrap(model, &inputs, &parameters, numbers, &output, work)
    })?;
    Ok((done.asked, done.there))
}

/// Tensors added up, or replicates put together.
#[pyfunction]
pub(crate) fn merge(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<()> {
    let asked = asked(texts);
    task::run(py, &asked, listener, |work| {
        if inputs.iter().any(|input| resample::is_at(input)) {
            return resample::merge(&inputs, &output, work.force).map(drop);
        }
        tensor::merge(&inputs, &output, work).map(drop)
    })
}

/// A tensor that somebody else counted.
#[pyfunction]
#[pyo3(name = "import_")]
pub(crate) fn import(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<()> {
    let asked = asked(texts);
    task::run(py, &asked, listener, |work| {
        let mut parameters = ImportParameters::default();
        asked.take(ImportParameters::TABLE, |name, text| parameters.set(name, text))?;
        tensor::import(&inputs, &parameters, &output, work).map(drop)
    })
}

/// Text or a tensor from a known world, the truth beside it.
#[pyfunction]
pub(crate) fn synth(
    py: Python<'_>,
    output: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<()> {
    let asked = asked(texts);
    task::run(py, &asked, listener, |work| {
        let mut parameters = SynthParameters::default();
        asked.take(SynthParameters::TABLE, |name, text| parameters.set(name, text))?;
        let truth = asked.paths("truth").pop().unwrap_or_else(|| truth_beside(&output));
        let write = if parameters.tensor { write_tensor } else { write_corpus };
        write(parameters.checked()?, &output, &truth, work).map(drop)
    })
}

/// What stands near words more than chance, straight from a tensor.
#[pyfunction]
pub(crate) fn collocates(
    py: Python<'_>,
    tensor: PathBuf,
    texts: Texts,
    listener: Listener,
) -> PyResult<rows::Answer> {
    let asked = asked(texts);
    let told = task::run(py, &asked, listener, |work| {
        near::answer(&Tensor::open(&tensor)?, &asked, work)
    })?;
    rows::answer(py, &told)
}
