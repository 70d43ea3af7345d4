//! A planted world: text or a tensor from a model that is known exactly; and, in [`plant`], real text in
//! which listed words are swapped.
//!
//! * **In:** [`SynthParameters`], the seed among them.
//! * **Out:** JSON Lines of documents, or a tensor folder; beside it `truth.json` ([`Truth`]) with the
//!   vectors, weights, biases and differing words they were made from (see `docs/synth.md`).
//! * **Invariants:** the same seed makes the same bytes for any number of threads; the expectation of
//!   every count is the model of the truth, without approximation.
//! * **Cost:** words² × dimensions for every cell, then words × dimensions for every document.

mod auc;
mod cell;
mod differing;
mod names;
mod parameters;
pub mod plant;
mod planted_tensor;
mod text;
mod truth;
mod weights;
mod world;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub use auc::auc;
pub use parameters::{Checked, Levels, Noise, Shares, SynthParameters};
pub use truth::{TrueCell, TrueDiffering, TrueFactor, Truth};

use crate::Work;
use crate::artefact::Artefact;
use crate::error::{Error, IoContext};
use crate::parallel;
use crate::parameters::{ParameterError, refusal};
use crate::tensor::{self, Record};
use crate::work::Progress;
use text::{Deal, Desk, Source, Writer};
use world::World;

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Distinct words.
    pub words: u64,
    /// Combinations of levels.
    pub cells: u64,
    /// Documents of text.
    pub documents: u64,
    /// Words of text.
    pub tokens: u64,
    /// Entries of the tensor.
    pub entries: u64,
    /// Words whose use differs in one level.
    pub differing: u64,
}

/// Where the truth goes unless somebody says otherwise: `truth.json` beside the output.
pub fn truth_beside(output: &Path) -> PathBuf {
    output.with_file_name("truth.json")
}

/// Writes text drawn from the planted world to `output`, as JSON Lines, and the world to `truth`.
pub fn write_corpus(
    parameters: Checked<'_>,
    output: &Path,
    truth: &Path,
    work: &Work<'_>,
) -> Result<Summary, Error> {
    let parameters = parameters.0;
    let deal = Deal::new(parameters);
    let cells = parameters.cells();
    let lengths: Vec<Vec<(u64, u64)>> = (0..cells).map(|cell| deal.lengths(cell)).collect();
    if lengths.iter().any(Vec::is_empty) {
        let given = parameters.tokens.0.to_string();
        return Err(refusal(SynthParameters::TABLE, "tokens", &given).into());
    }
    let (corpus, truth_file) = begin(output, &[], truth, work)?;
    let world = World::new(parameters);
    note_limits(parameters, &world, work);
    let sources: Vec<Source> =
        (0..cells).map(|cell| Source::new(&world, cell, work)).collect::<Result<_, _>>()?;
    let writer = Writer { world: &world, sources: &sources, deal: &deal, seed: parameters.seed.0 };
    write_lines(&writer, parameters.tokens.0, corpus.content(), work)?;
    let mut truth = Truth::new("text", parameters, &world);
    for (number, (source, lengths)) in sources.into_iter().zip(lengths).enumerate() {
        truth.cells.push(TrueCell {
            name: world.cell_name(number),
            levels: world.cells[number].clone(),
            documents: lengths.iter().map(|(_, documents)| documents).sum(),
            tokens: lengths.iter().map(|(length, documents)| length * documents).sum(),
            lengths,
            ln_normaliser: source.ln_normaliser,
            total: 1.0,
            biases: source.cell.biases,
            marginals: source.marginals,
        });
    }
    truth.write(truth_file.content())?;
    corpus.finish()?;
    truth_file.finish()?;
    Ok(Summary {
        documents: deal.cells.len() as u64,
        tokens: parameters.tokens.0,
        ..summary(&world)
    })
}

/// Writes a tensor made straight from the known factors to the folder `output`, and the world to
/// `truth`.
pub fn write_tensor(
    parameters: Checked<'_>,
    output: &Path,
    truth: &Path,
    work: &Work<'_>,
) -> Result<Summary, Error> {
    let parameters = parameters.0;
    let (folder, truth_file) = begin(output, tensor::FILES, truth, work)?;
    let world = World::new(parameters);
    note_limits(parameters, &world, work);
    let mut summary = summary(&world);
    let planted = planted_tensor::plant(parameters, world, work)?;
    planted.truth.write(truth_file.content())?;
    let (vocabulary, covariates) = (&planted.vocabulary, &planted.covariates);
    tensor::write_folder(folder, vocabulary, covariates, |folder| {
        let same = |value: f64| value;
        let written = folder.entries(&planted.tensor, &same, 0.0, work)?;
        summary.entries = written.entries;
        Ok(Record::new("synth", None, written))
    })?;
    truth_file.finish()?;
    Ok(summary)
}

/// Makes room for both outputs, or refuses both before any work is done.
fn begin(
    output: &Path,
    known: &[&str],
    truth: &Path,
    work: &Work<'_>,
) -> Result<(Artefact, Artefact), Error> {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if whole(truth).starts_with(whole(output)) {
        let (flag, given) = ("--truth".to_owned(), truth.display().to_string());
        let expected = "a place that is not the output's own".to_owned();
        return Err(ParameterError { flag, given, problem: String::new(), expected }.into());
    }
    Ok((Artefact::begin(output, known, work.force)?, Artefact::begin(truth, &[], work.force)?))
}

/// Tells where the world cannot be as it was asked for.
fn note_limits(parameters: &SynthParameters, world: &World, work: &Work<'_>) {
    if world.differing.is_empty() && parameters.differing > 0 {
        work.observer.note("no word differs: that takes two levels");
    }
    for factor in &world.factors {
        if factor.zeros() + 0.5 / (factor.levels.len() as f64) < parameters.zeros {
            work.observer.note(&format!(
                "{}: a share of {:.2} of the weights is zero, as every dimension keeps a level",
                factor.name,
                factor.zeros()
            ));
        }
    }
}

fn summary(world: &World) -> Summary {
    Summary {
        words: world.names.len() as u64,
        cells: world.cells.len() as u64,
        differing: world.differing.len() as u64,
        ..Summary::default()
    }
}

/// Draws the documents, many at a time, and writes them in their order.
fn write_lines(
    writer: &Writer<'_>,
    tokens: u64,
    path: &Path,
    work: &Work<'_>,
) -> Result<(), Error> {
    /// Documents of a task.
    const TASK: usize = 32;
    let mut file = BufWriter::new(File::create(path).at("create", path)?);
    let documents = writer.deal.cells.len();
    let mut desks = Vec::new();
    let desk = || Desk::new(writer.world.names.len());
    let mut next = 0;
    while next < documents {
        work.proceed()?;
        let share = next as f64 / documents as f64;
        let words = (tokens as f64 * share) as u64;
        work.observer.progress(Progress { stage: "drawing", share: Some(share), words });
        let end = (next + work.threads.get() * 8 * TASK).min(documents);
        let tasks = (end - next).div_ceil(TASK);
        let lines = parallel::map(work.threads, tasks, &mut desks, desk, |desk, task| {
            let first = next + task * TASK;
            Ok(writer.lines(first..(first + TASK).min(end), desk))
        })?;
        for lines in lines {
            file.write_all(lines.as_bytes()).at("write", path)?;
        }
        next = end;
    }
    file.flush().at("write", path)
}
