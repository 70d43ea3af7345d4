//! Words swapped in one level of real text: known differences in language as people write it.
//!
//! * **In:** a corpus, a level of one of its factors, [`PlantParameters`].
//! * **Out:** the corpus again, as JSON Lines in its order, in which words of a few pairs stand in each
//!   other's place inside the level, each occurrence with the probability given; and the truth
//!   ([`Planting`]): which words, how often they occur, how often they were swapped.
//! * **Invariants:** all but the swapped words is as it was, byte for byte. Words of a pair are about
//!   equally frequent in the level, so how often a word occurs does not give it away. Whether an
//!   occurrence is swapped depends on the seed, the document's number in the corpus and the word's
//!   number in the document alone, so the bytes are the same at any number of threads.
//! * **Cost:** two passes over the corpus, streamed; memory for its distinct words.

mod census;
mod error;
mod level;
mod lines;
mod pairs;
mod parameters;
mod truth;

use std::path::{Path, PathBuf};

pub use error::PlantError;
pub use parameters::PlantParameters;
pub use truth::{PlantedPair, PlantedWord, Planting};

use super::begin;
use crate::Work;
use crate::corpus::{By, CorpusError, CorpusParameters, Plan, Source, expand};
use crate::error::Error;
use census::Census;
use level::Target;
use lines::Lines;

/// What was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The truth, as it stands in its file.
    pub truth: Planting,
    /// Documents written.
    pub documents: u64,
    /// Their words.
    pub tokens: u64,
    /// Documents left out for a missing covariate.
    pub skipped: u64,
    /// Documents in which bytes were replaced that are not UTF-8.
    pub replaced: u64,
}

/// Reads a corpus and writes it to `output` with words swapped inside `level`, which is written as
/// `factor=level`; what was swapped goes to `truth`. Documents keep the fields that `corpus` and
/// [`PlantParameters::with`] name, under their names. `order` and `min_level_tokens` mean nothing here.
pub fn plant(
    inputs: &[PathBuf],
    corpus: &CorpusParameters,
    level: &str,
    parameters: &PlantParameters,
    output: &Path,
    truth: &Path,
    work: &Work<'_>,
) -> Result<Summary, Error> {
    parameters.checked()?;
    corpus.check()?;
    let named = Plan::new(corpus)?;
    let target = Target::named(level, &named.factors)?;
    let plan = carrying(&named, &parameters.with)?;
    let sources = expand(inputs, corpus.input_format, &mut |note| work.observer.note(&note))?;
    refuse_places(&sources, [output, truth])?;
    let (file, truth_file) = begin(output, &[], truth, work)?;
    let census = Census::take(&plan, &sources, file.scratch(), &target, work)?;
    let mut pairs = pairs::draw(&census, &target.name, corpus.tokens, parameters)?;
    let lines = Lines::new(&plan, &target, &pairs, parameters);
    let swapped = lines.write(&sources, file.scratch(), &census.batches, file.content(), work)?;
    for (pair, swapped) in pairs.iter_mut().zip(swapped.chunks_exact(2)) {
        (pair.first.swapped, pair.second.swapped) = (swapped[0], swapped[1]);
    }
    let planting = Planting::new(target.name, parameters, pairs);
    planting.write(truth_file.content())?;
    file.finish()?;
    truth_file.finish()?;
    Ok(Summary {
        truth: planting,
        documents: census.documents,
        tokens: census.tokens,
        skipped: census.tally.skipped,
        replaced: census.tally.replaced,
    })
}

/// The plan with fields to carry along, read like covariates that come after those of `--by`.
fn carrying(named: &Plan, with: &[String]) -> Result<Plan, Error> {
    let mut parameters = named.parameters.clone();
    for name in with {
        let by = By::Field { name: name.clone(), bins: None };
        let there = named.factors.iter().any(|factor| factor.name == *name);
        if !there && !parameters.by.contains(&by) {
            parameters.by.push(by);
        }
    }
    let plan = Plan::new(&parameters)?;
    let refuse = |given: &str, problem: &str| {
        Err(CorpusError::By { given: given.to_owned(), problem: problem.to_owned() }.into())
    };
    if parameters.by.contains(&By::Folder) {
        return refuse(
            "folder",
            "the output is one file, off which no folder can be read again\n  way out: --by 'name:(?<group>[^/]+)/', which makes it a field",
        );
    }
    if plan.factors.iter().any(|factor| factor.name == parameters.text) {
        return refuse(&parameters.text, "this is the field of the text itself");
    }
    Ok(plan)
}

/// Refuses what cannot be read twice, and outputs that would replace what is read.
fn refuse_places(sources: &[Source], outputs: [&Path; 2]) -> Result<(), PlantError> {
    let whole = outputs.map(|output| output.canonicalize().ok());
    for source in sources {
        let path = source.path.as_ref().ok_or(PlantError::StandardInput)?;
        let input = path.canonicalize().ok();
        if input.is_some() && whole.contains(&input) {
            return Err(PlantError::OwnInput(path.clone()));
        }
    }
    Ok(())
}
