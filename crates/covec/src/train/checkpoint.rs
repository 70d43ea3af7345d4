//! Checkpoints: all that training has found so far, in the folder `OUT.checkpoint` beside the
//! output, so that a run that was interrupted or killed goes on to the same bits.
//!
//! A checkpoint is an artefact like any other: whole or not there. One that holds numbers that are
//! not finite is never written, so the last good one stays.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use faer::Mat;
use safetensors::tensor::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zerocopy::IntoBytes;

use super::TrainError;
use super::average::Average;
use super::blocks::Run;
use super::chance::Sums;
use super::parameters::TrainParameters;
use super::record::Training;
use super::state::State;
use super::table::Table;
use crate::artefact::{self, Artefact};
use crate::corpus::digest_text;
use crate::error::{Error, IoContext};
use crate::model::file::{cast, part, save};
use crate::tensor::Tensor;
use crate::tensor::record::write_json;
use crate::work::Work;

/// The version of the folder's format.
pub(crate) const FORMAT: u32 = 1;
const STATE: &str = "state.safetensors";
const RUN: &str = "run.json";
const FILES: &[&str] = &[STATE, RUN];
/// Parameters that bound a run and change nothing else: they may differ when it is resumed.
const BOUNDS: &[&str] = &["sweeps", "tolerance"];

/// `run.json`: what is not in the tables of numbers.
#[derive(Serialize, Deserialize)]
struct Record {
    covec: String,
    format: u32,
    stage: String,
    /// Of the numbers: ties the two files together.
    fingerprint: String,
    /// Fingerprint of the tensor.
    tensor: String,
    parameters: TrainParameters,
    ridge: f64,
    ridge_settled: bool,
    curvatures: Vec<f64>,
    blocks: usize,
    turned: bool,
    moments: usize,
    training: Training,
}

/// The place of a run's checkpoints.
pub(crate) struct Checkpoint<'a> {
    path: PathBuf,
    tensor: &'a Tensor,
    parameters: &'a TrainParameters,
    every: Duration,
    last: Instant,
    /// Sweeps that are in the checkpoint, if there is one of this run.
    kept: Option<u32>,
}

impl<'a> Checkpoint<'a> {
    /// The place beside `output`. What a kill left half done there is put right; a folder that is
    /// not a checkpoint is refused now rather than after the first sweeps.
    pub(crate) fn beside(
        output: &Path,
        tensor: &'a Tensor,
        parameters: &'a TrainParameters,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".checkpoint");
        let path = output.with_file_name(name);
        artefact::recover(&path)?;
        artefact::refuse_occupied(&path, FILES, true)?;
        let every = work.checkpoint;
        Ok(Self { path, tensor, parameters, every, last: Instant::now(), kept: None })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Sweeps that are in the checkpoint, if there is one of this run.
    pub(crate) fn kept(&self) -> Option<u32> {
        self.kept
    }

    /// Writes the run if it is time to.
    pub(crate) fn when_due(&mut self, run: &Run) -> Result<(), Error> {
        if !self.every.is_zero() && self.last.elapsed() >= self.every {
            self.write(run)?;
        }
        Ok(())
    }

    /// Writes the run, unless checkpoints are not wanted or the run has gone astray.
    pub(crate) fn write(&mut self, run: &Run) -> Result<(), Error> {
        if self.every.is_zero() || !sound(run) {
            return Ok(());
        }
        let parts = parts(run);
        let record = Record {
            covec: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            stage: "checkpoint".to_owned(),
            fingerprint: fingerprint(&parts),
            tensor: self.tensor.record.fingerprint.clone(),
            parameters: self.parameters.clone(),
            ridge: run.ridge,
            ridge_settled: run.ridge_settled,
            curvatures: run.curvatures.clone(),
            blocks: run.blocks,
            turned: run.turned,
            moments: run.moments.len(),
            training: run.record.clone(),
        };
        let artefact = Artefact::begin(&self.path, FILES, true)?;
        let folder = artefact.content();
        std::fs::create_dir(folder).at("make", folder)?;
        let views =
            parts.iter().map(|part| (&*part.name, part.kind, part.shape.clone(), &*part.bytes));
        save(&folder.join(STATE), &record.fingerprint, views.collect())?;
        write_json(&folder.join(RUN), &record)?;
        artefact.finish()?;
        self.kept = Some(run.record.sweeps.len() as u32);
        self.last = Instant::now();
        Ok(())
    }

    /// Why the checkpoint cannot be gone on with, as far as can be told without its numbers.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.kept = Some(self.record()?.training.sweeps.len() as u32);
        Ok(())
    }

    fn record(&self) -> Result<Record, Error> {
        /// What every version says.
        #[derive(Deserialize)]
        struct Version {
            covec: String,
            format: u32,
        }
        if !self.exists() {
            return Err(TrainError::NoCheckpoint(self.path.clone()).into());
        }
        let path = self.path.join(RUN);
        let damaged = |e: serde_json::Error| self.damaged(RUN, e.to_string());
        let text = std::fs::read(&path).map_err(|e| self.damaged(RUN, e.to_string()))?;
        let version: Version = serde_json::from_slice(&text).map_err(damaged)?;
        if version.format != FORMAT || version.covec != env!("CARGO_PKG_VERSION") {
            let (path, found, by) = (self.path.clone(), version.format, version.covec);
            return Err(TrainError::Format { path, found, by }.into());
        }
        let record: Record = serde_json::from_slice(&text).map_err(damaged)?;
        if record.tensor != self.tensor.record.fingerprint {
            return Err(TrainError::OtherTensor {
                path: self.path.clone(),
                tensor: self.tensor.path.clone(),
                expected: self.tensor.record.fingerprint.clone(),
                got: record.tensor,
            }
            .into());
        }
        let differences = differences(&record.parameters, self.parameters);
        if !differences.is_empty() {
            let path = self.path.clone();
            return Err(TrainError::OtherParameters { path, differences }.into());
        }
        Ok(record)
    }

    /// The run as it was, from the state it once started from.
    pub(crate) fn read(&self, mut state: State) -> Result<Run, Error> {
        let record = self.record()?;
        let damaged = |problem: String| self.damaged(STATE, problem);
        let bytes = std::fs::read(self.path.join(STATE)).map_err(|e| damaged(e.to_string()))?;
        let file = SafeTensors::deserialize(&bytes).map_err(|e| damaged(e.to_string()))?;
        let (words, dim, levels) = (state.words(), state.dim(), state.layout.levels());
        let numbers = |name: &str, shape: &[usize]| -> Result<Vec<f32>, Error> {
            Ok(cast(part(&file, name, Dtype::F32, shape).map_err(damaged)?.data()))
        };
        state.vectors = Table::unpack(&numbers("vectors", &[words, dim])?, dim);
        state.squares = Table::unpack(&numbers("squares", &[levels, dim])?, dim);
        state.biases = numbers("biases", &[levels, words])?;
        state.multiply_squares();
        let average = if file.names().contains(&"average.mean") {
            Some(Average {
                mean: Table::unpack(&numbers("average.mean", &[1, dim])?, dim),
                directions: Table::unpack(&numbers("average.directions", &[dim, dim])?, dim),
                variances: numbers("average.variances", &[dim])?,
            })
        } else {
            None
        };
        let chance = if file.names().contains(&"chance") {
            let (rows, cols) = (dim + 1, dim + 1 + state.layout.cells.len());
            let sums = numbers("chance", &[rows, cols])?;
            Some(Sums(Mat::from_fn(rows, cols, |s, t| sums[s * cols + t])))
        } else {
            None
        };
        let mut moments = Vec::new();
        for i in 0..record.moments {
            let name = format!("moments.{i}");
            let size = file.tensor(&name).map_or(0, |part| part.shape().iter().product());
            moments.push(numbers(&name, &[size])?);
        }
        let run = Run {
            state,
            ridge: record.ridge,
            ridge_settled: record.ridge_settled,
            curvatures: record.curvatures,
            record: record.training,
            blocks: record.blocks,
            average,
            chance,
            turned: record.turned,
            moments,
        };
        if fingerprint(&parts(&run)) != record.fingerprint {
            return Err(damaged(format!("it does not fit {RUN}")));
        }
        if run.curvatures.len() != levels || !sound(&run) {
            return Err(self.damaged(RUN, "its numbers cannot be".to_owned()));
        }
        Ok(run)
    }

    fn damaged(&self, file: &str, problem: String) -> Error {
        TrainError::Damaged { path: self.path.join(file), problem }.into()
    }

    /// Takes the checkpoint away: the run is at its end.
    pub(crate) fn remove(self) -> Result<(), Error> {
        artefact::remove(&self.path, FILES)
    }
}

/// Whether a run can be gone on with.
fn sound(run: &Run) -> bool {
    run.state.is_finite()
        && run.ridge.is_finite()
        && run.record.sweeps.last().is_none_or(|sweep| sweep.loss.is_finite())
}

/// One table of `state.safetensors`.
struct Part {
    name: String,
    kind: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

fn parts(run: &Run) -> Vec<Part> {
    let state = &run.state;
    let (words, dim, levels) = (state.words(), state.dim(), state.layout.levels());
    let floats = |name: &str, shape: Vec<usize>, numbers: &[f32]| Part {
        name: name.to_owned(),
        kind: Dtype::F32,
        shape,
        bytes: numbers.as_bytes().to_vec(),
    };
    let mut parts = vec![
        floats("vectors", vec![words, dim], &state.vectors.packed()),
        floats("squares", vec![levels, dim], &state.squares.packed()),
        floats("biases", vec![levels, words], &state.biases),
    ];
    if let Some(average) = &run.average {
        parts.push(floats("average.mean", vec![1, dim], &average.mean.packed()));
        parts.push(floats("average.directions", vec![dim, dim], &average.directions.packed()));
        parts.push(floats("average.variances", vec![dim], &average.variances));
    }
    if let Some(Sums(sums)) = &run.chance {
        let numbers = (0..sums.nrows()).flat_map(|s| (0..sums.ncols()).map(move |t| sums[(s, t)]));
        let shape = vec![sums.nrows(), sums.ncols()];
        parts.push(floats("chance", shape, &numbers.collect::<Vec<f32>>()));
    }
    for (i, moments) in run.moments.iter().enumerate() {
        parts.push(floats(&format!("moments.{i}"), vec![moments.len()], moments));
    }
    parts
}

fn fingerprint(parts: &[Part]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(format!("{}\0{:?}\n", part.name, part.shape));
        digest.update(&part.bytes);
    }
    digest_text(digest)
}

/// `--dim 8, not 16`, for every parameter that must not differ and does.
fn differences(kept: &TrainParameters, given: &TrainParameters) -> String {
    let values = |parameters| serde_json::to_value(parameters).unwrap_or_default();
    let (kept, given) = (values(kept), values(given));
    let told: Vec<String> = TrainParameters::TABLE
        .iter()
        .filter(|row| !BOUNDS.contains(&row.name) && kept[row.name] != given[row.name])
        .map(|row| format!("{} {}, not {}", row.flag(), kept[row.name], given[row.name]))
        .collect();
    told.join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::examples::Examples;
    use super::super::state::Layout;
    use super::*;
    use crate::synth::{SynthParameters, truth_beside, write_tensor};

    fn tensor(home: &Path) -> Tensor {
        let mut world = SynthParameters::default();
        for (name, text) in
            [("tensor", "true"), ("words", "60"), ("dim", "3"), ("levels", "2"), ("differing", "0")]
        {
            world.set(name, text).unwrap();
        }
        let path = home.join("t");
        let world = world.checked().unwrap();
        write_tensor(world, &path, &truth_beside(&path), &Work::default()).unwrap();
        Tensor::open(&path).unwrap()
    }

    fn files(path: &Path) -> Vec<Vec<u8>> {
        FILES.iter().map(|name| std::fs::read(path.join(name)).unwrap()).collect()
    }

    #[test]
    fn a_run_that_goes_astray_leaves_the_last_good_checkpoint() {
        let home = tempfile::tempdir().unwrap();
        let tensor = tensor(home.path());
        let parameters = TrainParameters { dim: 4, ..TrainParameters::default() };
        let work = Work { checkpoint: Duration::from_nanos(1), ..Work::default() };
        let mut examples = Examples::load(&tensor, &parameters, home.path(), &work).unwrap();
        let layout = Layout::new(&tensor.covariates);
        let prior = examples.take_prior(&layout);
        let mut state = State::start(layout, prior, &parameters);
        state.scatter(parameters.seed.0);
        let mut run = Run::start(state, &parameters);
        // Finite still, but their products are not.
        run.state.vectors.all_mut().iter_mut().for_each(|x| *x *= 1e30);
        let output = home.path().join("m");
        let mut checkpoint = Checkpoint::beside(&output, &tensor, &parameters, &work).unwrap();
        checkpoint.write(&run).unwrap();
        let path = checkpoint.path().to_owned();
        let before = files(&path);
        run.state.biases[0] = f32::NAN;
        checkpoint.write(&run).unwrap();
        assert!(files(&path) == before, "not a number is never kept");
        let refused = super::super::resume(&tensor, parameters.checked().unwrap(), &output, &work)
            .unwrap_err();
        assert!(matches!(refused, Error::Train(TrainError::NotFinite { sweep: 1 })), "{refused}");
        assert!(!refused.to_string().contains("--sweeps"), "{refused}");
        assert!(files(&path) == before && !output.exists());
    }
}
