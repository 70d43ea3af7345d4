//! Stage 7: how sure are we.
//!
//! * **In:** a model and the corpus it was counted from.
//! * **Out:** a folder of replicates: the model as it would be had other documents been drawn
//!   ([`bootstrap`]), or had the labels meant nothing ([`permute`]). Every analysis can be asked of a
//!   replicate as of the model itself; `interval.rs` and `significance.rs` make error bars and p-values of it.
//! * **Invariants:** a replicate depends on corpus, model, seed and its number alone; it is the same bits
//!   at any number of threads, alone or with others, on this machine or another; one that is finished is
//!   never lost.
//! * **Cost:** the corpus is read once; a replicate is counted, and refitted from the model in a few
//!   sweeps; some are fitted from the start as well.

mod draw;
mod error;
mod folder;
mod interval;
mod lift;
pub mod measures;
mod parameters;
mod shift;
mod significance;
pub mod stability;
pub mod steady;
mod sure;
pub mod tested;
mod widening;

use std::ops::Range;
use std::path::{Path, PathBuf};

pub use error::ResampleError;
pub use folder::{Plan, Replicate, Replicates, is_at, merge, short};
pub(crate) use interval::quantile;
pub use interval::{Interval, IntervalKind, Scale, SureParameters};
pub use parameters::{BootstrapParameters, PermuteParameters, Within};
pub use sure::{Bar, Measure, Measured, Resamples, Shifted, Sure, as_in, bars, picked_from, plain};
pub use widening::Widening;

use crate::analyse::{factor_named, levels_of};
use crate::corpus::By;
use crate::error::Error;
use crate::model::{Model, Need};
use crate::parallel;
use crate::tensor::recount::Kept;
use crate::train::{Begin, Recounted, rules};
use crate::work::{Observer, Progress, Work};
use draw::{Draw, Sample};
use folder::Folder;
use shift::Shifter;

const BOOTSTRAP: &str = "bootstrap";
const PERMUTE: &str = "permute";
/// What `--within` is called where nothing is.
const NOTHING: &str = "nothing";

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// Replicates that were asked for.
    pub asked: usize,
    /// Those of them that were there already.
    pub there: usize,
    /// Units that were drawn from.
    pub units: usize,
}

/// Draws documents, or whole units of them, again and refits the model to each draw; the replicates of these
/// numbers that the folder `output` lacks are added to it.
pub fn bootstrap(
    model: &Model,
    inputs: &[PathBuf],
    parameters: &BootstrapParameters,
    numbers: Range<u64>,
    output: &Path,
    work: &Work<'_>,
) -> Result<Done, Error> {
    model.gives(Need::Training, "bootstrap")?;
    let corpus = Corpus::read(model, inputs, &parameters.unit, work)?;
    let levels = parameters.within == Within::Levels;
    let draw = Draw::bootstrap(&corpus.kept, &model.covariates, levels, parameters.seed.0)?;
    if draw.fixed() > 0 {
        let (fixed, units) = (draw.fixed(), draw.units());
        work.observer.note(&format!(
            "{fixed} of {units} units are alone in their combination of levels, and so in every draw as they are: intervals are too \
             narrow by what they would add (--within nothing draws them too)"
        ));
    }
    let plan = Plan {
        unit: parameters.unit.iter().map(By::to_string).collect(),
        within: vec![if levels { "levels" } else { NOTHING }.to_owned()],
        sweeps: parameters.sweeps,
        afresh: parameters.afresh,
        seed: parameters.seed.0,
        units: draw.units() as u64,
        ..Plan::new(BOOTSTRAP, model)
    };
    corpus.replicate(model, (&draw, Begin::Model), &plan, numbers, output, work)
}

/// Shuffles the levels of a factor between documents, or whole units of them, and refits the model: what
/// would be found if the labels meant nothing.
pub fn permute(
    model: &Model,
    inputs: &[PathBuf],
    parameters: &PermuteParameters,
    numbers: Range<u64>,
    output: &Path,
    work: &Work<'_>,
) -> Result<Done, Error> {
    model.gives(Need::Training, "permute")?;
    let factor = factor_named(model, parameters.factor.as_deref())?;
    let all = 0..model.covariates.factors.len();
    let within: Vec<usize> = match &parameters.within[..] {
        [] => all.filter(|&other| other != factor).collect(),
        [nothing] if nothing == NOTHING => Vec::new(),
        names => {
            let named = |name: &String| factor_named(model, Some(name));
            names.iter().map(named).collect::<Result<_, _>>()?
        }
    };
    if within.contains(&factor) {
        let name = &model.covariates.factors[factor].name;
        return Err(ResampleError::Question {
            problem: format!("the levels of {name} cannot be shuffled within {name}"),
            expected: "another factor".to_owned(),
            way_out: "another --factor, or no --within".to_owned(),
        }
        .into());
    }
    let corpus = Corpus::read(model, inputs, &parameters.unit, work)?;
    let seed = parameters.seed.0;
    let draw = Draw::permutation(&corpus.kept, &model.covariates, factor, &within, seed)?;
    let name = |&factor: &usize| model.covariates.factors[factor].name.clone();
    let plan = Plan {
        unit: parameters.unit.iter().map(By::to_string).collect(),
        within: within.iter().map(name).collect(),
        factor: Some(name(&factor)),
        sweeps: parameters.sweeps,
        afresh: parameters.afresh,
        seed,
        units: draw.units() as u64,
        ..Plan::new(PERMUTE, model)
    };
    corpus.replicate(model, (&draw, Begin::Even(factor)), &plan, numbers, output, work)
}

/// The model's corpus, read.
struct Corpus {
    kept: Kept,
    /// Holds what does not fit into memory.
    _scratch: tempfile::TempDir,
}

impl Corpus {
    fn read(
        model: &Model,
        inputs: &[PathBuf],
        unit: &[By],
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let rules = rules(model)?;
        let scratch = tempfile::tempdir()
            .map_err(|error| Error::io("make a folder in", &std::env::temp_dir(), error))?;
        let words = &model.vocabulary.words;
        let kept =
            Kept::read(inputs, &rules, words, &model.covariates, unit, scratch.path(), work)?;
        // Another corpus would give replicates of something else, and nobody would notice.
        let mut found = vec![0_u64; model.covariates.cells.len()];
        for document in &kept.documents {
            if let Some(cell) = document.cell {
                found[cell as usize] += u64::from(document.words);
            }
        }
        for (index, (cell, got)) in model.covariates.cells.iter().zip(found).enumerate() {
            if cell.tokens != got {
                let (level, expected) = (model.covariates.cell_name(index), cell.tokens);
                return Err(ResampleError::OtherCorpus { level, got, expected }.into());
            }
        }
        // A model that was extended knows of its new texts by their levels alone.
        let counts = &model.vocabulary.level_counts;
        let known = |word: usize| match model.covariates.factors.is_empty() {
            true => model.vocabulary.counts[word],
            false => levels_of(model, 0).map(|level| counts[level][word]).sum(),
        };
        for (place, &got) in kept.counts().iter().enumerate() {
            let (word, expected) = (&words[place], known(place));
            if got != expected {
                let word = word.clone();
                return Err(ResampleError::OtherWords { word, got, expected }.into());
            }
        }
        Ok(Self { kept, _scratch: scratch })
    }

    /// Adds to a folder the replicates that it lacks.
    fn replicate(
        &self,
        model: &Model,
        (draw, begin): (&Draw, Begin),
        plan: &Plan,
        numbers: Range<u64>,
        output: &Path,
        work: &Work<'_>,
    ) -> Result<Done, Error> {
        let folder = Folder::begin(output, plan, work.force)?;
        let asked = numbers.end.saturating_sub(numbers.start) as usize;
        let there = numbers.clone().filter(|&number| folder.has(Some(number))).count();
        let quiet = Quiet(work.observer);
        let inner = Work { observer: &quiet, force: true, ..*work };
        // Only shuffled labels are asked whether words' company shifted.
        let shifter = (plan.stage == PERMUTE).then(|| Shifter::new(model));
        let wanted = std::iter::once(None).chain(numbers.map(Some));
        let mut done = there;
        for number in wanted.filter(|&number| !folder.has(number)).collect::<Vec<_>>() {
            let share = Some(done as f64 / asked.max(1) as f64);
            work.observer.progress(Progress { stage: "replicating", share, words: 0 });
            let sample = match number {
                Some(number) => draw.replicate(number, &model.covariates),
                None => draw.reference(&model.covariates),
            };
            let how = How { begin, plan, number, shifter: shifter.as_ref() };
            match self.one(model, &sample, &how, &folder, &inner) {
                Err(Error::Interrupted) => {
                    let folder = folder.path;
                    return Err(ResampleError::Interrupted { folder, done, of: asked }.into());
                }
                other => other?,
            }
            done += usize::from(number.is_some());
        }
        Ok(Done { asked, there, units: draw.units() })
    }

    /// Counts, refits and writes one replicate.
    fn one(
        &self,
        model: &Model,
        sample: &Sample,
        how: &How<'_>,
        folder: &Folder,
        work: &Work<'_>,
    ) -> Result<(), Error> {
        let artefact = folder.artefact(how.number)?;
        let counts = artefact.scratch().join("tensor");
        let tensor = self.kept.count(&sample.drawn, &sample.covariates, &counts, work)?;
        let counts = &tensor.vocabulary.level_counts;
        let (refitted, afresh) = parallel::staffed(work.threads, || {
            let recounted = Recounted::load(model, how.lot(), &tensor, artefact.scratch(), work)?;
            let refitted = recounted.refitted(how.begin, how.plan.sweeps)?;
            let afresh = how.seed(model).map(|seed| recounted.afresh(seed, how.begin));
            Ok::<_, Error>((refitted, afresh.transpose()?))
        })?;
        if let (Some(afresh), Some(number)) = (afresh, how.number) {
            let artefact = folder.afresh(number)?;
            folder::write(&afresh, counts, None, artefact.content())?;
            artefact.finish()?;
        }
        let least = model.record.parameters.min_support.0;
        let shifts = how.shifter.map(|shifter| shifter.shifts(&tensor, least, work)).transpose()?;
        folder::write(&refitted, counts, shifts.as_ref(), artefact.content())?;
        artefact.finish()
    }
}

/// How a draw is fitted.
struct How<'a> {
    begin: Begin,
    plan: &'a Plan,
    /// None for the reference.
    number: Option<u64>,
    shifter: Option<&'a Shifter<'a>>,
}

impl How<'_> {
    /// The seed of a fit from the start, if there is to be one. None is the model's: a fit that differs by its counts alone would stay
    /// nearer.
    fn seed(&self, model: &Model) -> Option<u64> {
        let every = u64::from(self.plan.afresh);
        let number = self.number.filter(|number| every > 0 && number % every == 0)?;
        Some(model.record.parameters.seed.0.wrapping_add(1 + number / every))
    }

    /// Which pairs are held out. Other documents would have other pairs, and which they are decides how far words may deviate.
    fn lot(&self) -> u64 {
        match (self.begin, self.number) {
            (Begin::Model, Some(number)) => number + 1,
            _ => 0,
        }
    }
}

/// Passes on only whether to stop: what is told of a replicate's counting and training is nobody's concern.
struct Quiet<'a>(&'a dyn Observer);

impl Observer for Quiet<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}
