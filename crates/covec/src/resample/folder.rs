//! A folder of replicates: `run.json`, `reference.safetensors`, `replicate-00000.safetensors` and on; of some of the same draws
//! `afresh-00000.safetensors`, fitted from the start.
//!
//! Every replicate is a file that is whole or not there, so a run can be killed and gone on with, and
//! folders of several machines be put together.

use std::path::{Path, PathBuf};

use safetensors::tensor::Dtype;
use serde::{Deserialize, Serialize};
use zerocopy::IntoBytes;

use super::shift::Shifts;
use super::{BOOTSTRAP, PERMUTE, ResampleError, Widening};
use crate::artefact::{self, Artefact};
use crate::error::{Error, IoContext};
use crate::model::file::{Content, is_whole, numbers, save};
use crate::model::{Model, ModelError};
use crate::tensor::record::write_json;

/// The version of the folder's format; any other is refused. Since 2, only shuffled labels have shifts; since 3, some draws are fitted
/// afresh as well; since 4, those choose how far words may deviate; since 5, every draw holds out pairs of its own.
const FORMAT: u32 = 5;
const RUN: &str = "run.json";
const REFERENCE: &str = "reference.safetensors";
const PREFIX: &str = "replicate-";
const AFRESH: &str = "afresh-";
const SUFFIX: &str = ".safetensors";

/// How the replicates of a folder are drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Version of covec that began it.
    pub covec: String,
    /// Version of the format.
    pub format: u32,
    /// `bootstrap` or `permute`.
    pub stage: String,
    /// Digest of the model.
    pub model: String,
    /// What a unit is; empty where every document is one.
    pub unit: Vec<String>,
    /// Units are drawn, or exchanged, within these.
    pub within: Vec<String>,
    /// The factor whose levels are shuffled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor: Option<String>,
    /// Sweeps of each refit. Folders of before it could be chosen do without: they are to be refused by their format.
    #[serde(default)]
    pub sweeps: u32,
    /// Of so many draws one is fitted afresh as well; 0 where none is.
    #[serde(default)]
    pub afresh: u32,
    /// The seed.
    pub seed: u64,
    /// Units of the corpus.
    pub units: u64,
}

impl Plan {
    /// What makes another run of it, if anything.
    fn differs(&self, now: &Self) -> Option<(&'static str, String, String)> {
        let list = |names: &[String]| match names {
            [] => "none".to_owned(),
            _ => names.join(", "),
        };
        let fields = [
            ("the command", self.stage.clone(), now.stage.clone()),
            ("the model", short(&self.model), short(&now.model)),
            ("--unit", list(&self.unit), list(&now.unit)),
            ("--within", list(&self.within), list(&now.within)),
            ("--factor", format!("{:?}", self.factor), format!("{:?}", now.factor)),
            ("--sweeps", self.sweeps.to_string(), now.sweeps.to_string()),
            ("--afresh", self.afresh.to_string(), now.afresh.to_string()),
            ("--seed", self.seed.to_string(), now.seed.to_string()),
            ("the number of units", self.units.to_string(), now.units.to_string()),
            ("the format", self.format.to_string(), now.format.to_string()),
        ];
        fields.into_iter().find(|(_, there, now)| there != now)
    }
}

/// The first digits of a digest, as messages name it.
pub fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}

/// A folder that replicates are written to.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
}

impl Folder {
    /// Begins a folder, or goes on with one of the same plan.
    pub(super) fn begin(path: &Path, plan: &Plan, force: bool) -> Result<Self, Error> {
        let this = Self { path: path.to_owned() };
        let run = path.join(RUN);
        if force && path.exists() {
            this.clear()?;
        }
        if run.is_file() {
            let there = read_plan(path)?;
            if let Some((field, there, now)) = there.differs(plan) {
                let path = path.to_owned();
                return Err(ResampleError::OtherRun { path, field, there, now }.into());
            }
            return Ok(this);
        }
        if path.exists() {
            // Somebody's folder, perhaps.
            artefact::refuse_occupied(path, &[RUN], true)?;
        } else {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
                let (path, parent) = (path.to_owned(), parent.to_owned());
                return Err(artefact::ArtefactError::NoParent { path, parent }.into());
            }
            std::fs::create_dir(path).at("make", path)?;
        }
        // Written beside and renamed: a killed run leaves a plan or none.
        let beside = path.join(format!(".{RUN}"));
        write_json(&beside, plan)?;
        std::fs::rename(&beside, &run).at("rename into", &run)?;
        Ok(this)
    }

    /// Removes what is covec's, if nothing else is there.
    fn clear(&self) -> Result<(), Error> {
        let names = own_files(&self.path);
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        artefact::remove(&self.path, &known)
    }

    fn file(&self, number: Option<u64>) -> PathBuf {
        self.path.join(number.map_or_else(|| REFERENCE.to_owned(), |number| name(PREFIX, number)))
    }

    /// Whether a replicate is there, and whole: one that the disk or somebody damaged is made again.
    pub(super) fn has(&self, number: Option<u64>) -> bool {
        is_whole(&self.file(number))
            && number.is_none_or(|number| {
                let afresh = self.path.join(name(AFRESH, number));
                !afresh.exists() || is_whole(&afresh)
            })
    }

    /// Begins a replicate; the reference has no number.
    pub(super) fn artefact(&self, number: Option<u64>) -> Result<Artefact, Error> {
        Artefact::begin(&self.file(number), &[], true)
    }

    /// Begins what is fitted afresh to the draw of this number. It is to be finished before the replicate: where that is, this is.
    pub(super) fn afresh(&self, number: u64) -> Result<Artefact, Error> {
        Artefact::begin(&self.path.join(name(AFRESH, number)), &[], true)
    }
}

/// The name of a draw's file.
fn name(prefix: &str, number: u64) -> String {
    format!("{prefix}{number:05}{SUFFIX}")
}

/// The number of a draw's file.
fn number(prefix: &str, name: &str) -> Option<u64> {
    name.strip_prefix(prefix)?.strip_suffix(SUFFIX)?.parse().ok()
}

/// Whether a file of this name is covec's.
fn is_own(name: &str) -> bool {
    let of_draw = [PREFIX, AFRESH].iter().any(|prefix| number(prefix, name).is_some());
    of_draw || name == REFERENCE || name == RUN
}

/// The names of a folder's files that are covec's, if there is such a folder.
fn own_files(path: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(path).into_iter().flatten();
    let names =
        entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    names.filter(|name| is_own(name)).collect()
}

/// Writes a replicate.
pub(super) fn write(
    model: &Model,
    counts: &[Vec<u64>],
    shifts: Option<&Shifts>,
    path: &Path,
) -> Result<(), Error> {
    let shape = vec![model.levels(), model.vocabulary.len()];
    let counts: Vec<u32> = counts.iter().flatten().map(|&count| count as u32).collect();
    let mut parts = crate::model::file::parts(model);
    parts.push(("counts", Dtype::U32, shape.clone(), counts.as_bytes()));
    if let Some(Shifts { squares, scores }) = shifts {
        parts.push(("shifts.squares", Dtype::F32, shape.clone(), squares.as_bytes()));
        parts.push(("shifts.scores", Dtype::F32, shape, scores.as_bytes()));
    }
    save(path, &model.record.fingerprint, parts)
}

fn read_plan(path: &Path) -> Result<Plan, Error> {
    let not = |problem: String| ResampleError::NotReplicates { path: path.to_owned(), problem };
    let run = path.join(RUN);
    if !run.is_file() {
        let problem = if path.is_dir() { "no run.json in it" } else { "there is no such folder" };
        return Err(not(problem.to_owned()).into());
    }
    let text = std::fs::read(&run).at("read", &run)?;
    let plan: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| not(error.to_string()))?;
    if let Some(stage) = plan["stage"].as_str().filter(|own| ![BOOTSTRAP, PERMUTE].contains(own)) {
        return Err(not(format!("it was made by covec {stage}")).into());
    }
    let plan: Plan = serde_json::from_value(plan).map_err(|error| not(error.to_string()))?;
    if plan.format != FORMAT {
        let (format, covec) = (plan.format, plan.covec);
        let way_out = format!("this one reads {FORMAT}: draw it again, to another folder");
        return Err(not(format!("its format is {format}, of covec {covec}; {way_out}")).into());
    }
    Ok(plan)
}

impl Plan {
    pub(super) fn new(stage: &str, model: &Model) -> Self {
        Self {
            covec: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            stage: stage.to_owned(),
            model: model.record.fingerprint.clone(),
            unit: Vec::new(),
            within: Vec::new(),
            factor: None,
            sweeps: 0,
            afresh: 0,
            seed: 0,
            units: 0,
        }
    }
}

/// Replicates of a model, opened.
#[derive(Debug, Clone)]
pub struct Replicates {
    /// Where they are.
    pub path: PathBuf,
    /// How they were drawn.
    pub plan: Plan,
    /// Their numbers, rising.
    pub numbers: Vec<u64>,
    /// Those of them that were fitted afresh as well.
    pub afresh: Vec<u64>,
}

/// One of them.
#[derive(Debug)]
pub struct Replicate {
    /// The model as it would be. Its words' counts are those of the corpus as it is, so that the same words
    /// occur often enough.
    pub model: Model,
    /// How often every word was drawn, level after level.
    counts: Vec<u32>,
    /// How words' company shifted; of shuffled labels alone.
    pub(crate) shifts: Option<Shifts>,
}

impl Replicates {
    /// Opens a folder; its replicates must be of this model.
    pub fn open(path: &Path, model: &Model) -> Result<Self, Error> {
        let plan = read_plan(path)?;
        if plan.model != model.record.fingerprint {
            let (ours, theirs) = (short(&model.record.fingerprint), short(&plan.model));
            let (path, stage) = (path.to_owned(), plan.stage);
            return Err(ResampleError::OtherModel { path, ours, theirs, stage }.into());
        }
        Self::listed(path, plan)
    }

    /// What is in a folder, of whatever model.
    pub fn at(path: &Path) -> Result<Self, Error> {
        Self::listed(path, read_plan(path)?)
    }

    fn listed(path: &Path, plan: Plan) -> Result<Self, Error> {
        let names: Vec<String> = std::fs::read_dir(path)
            .at("read", path)?
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect();
        let [numbers, mut afresh] = [PREFIX, AFRESH].map(|prefix| {
            let mut found: Vec<u64> =
                names.iter().filter_map(|name| number(prefix, name)).collect();
            found.sort_unstable();
            found
        });
        // One whose replicate was never finished is made again with it.
        afresh.retain(|number| numbers.binary_search(number).is_ok());
        let not = |problem: &str| ResampleError::NotReplicates {
            path: path.to_owned(),
            problem: problem.to_owned(),
        };
        if numbers.is_empty() {
            return Err(not("no replicate is finished").into());
        }
        if !path.join(REFERENCE).is_file() {
            return Err(not("no reference.safetensors in it").into());
        }
        Ok(Self { path: path.to_owned(), plan, numbers, afresh })
    }

    /// Whether labels were shuffled.
    pub fn is_permutation(&self) -> bool {
        self.plan.stage == PERMUTE
    }

    /// What not to trust in them: too few were also fitted from the start.
    pub fn caution(&self) -> Option<&'static str> {
        (self.afresh.len() < Widening::LEAST).then_some(if self.is_permutation() {
            "without three fits from the start p of topical parts is too small (covec permute: more shuffles, or a lower --afresh, but not 0)"
        } else {
            "without three fits from the start intervals of weights and topical parts are too narrow (covec bootstrap: more draws, or a \
             lower --afresh, but not 0)"
        })
    }

    /// The corpus as it is, refitted like every replicate.
    pub fn reference(&self, model: &Model) -> Result<Replicate, Error> {
        self.read(model, &self.path.join(REFERENCE), self.is_permutation())
    }

    /// The replicate at this place.
    pub fn replicate(&self, model: &Model, place: usize) -> Result<Replicate, Error> {
        let path = self.path.join(name(PREFIX, self.numbers[place]));
        self.read(model, &path, self.is_permutation())
    }

    /// Where among the replicates the refits are to the same draws as what was fitted afresh.
    pub(super) fn refits_of_afresh(&self) -> Vec<usize> {
        // Of those that are kept every one has a replicate.
        self.afresh.iter().filter_map(|number| self.numbers.binary_search(number).ok()).collect()
    }

    /// What was fitted afresh, at this place.
    pub fn afresh(&self, model: &Model, place: usize) -> Result<Replicate, Error> {
        // The shift test asks counts, not fits.
        self.read(model, &self.path.join(name(AFRESH, self.afresh[place])), false)
    }

    fn read(&self, model: &Model, path: &Path, shifted: bool) -> Result<Replicate, Error> {
        let damaged = |problem: String| ResampleError::DamagedReplicate {
            path: path.to_owned(),
            problem,
            stage: self.plan.stage.clone(),
        };
        let content = Content::read(path, model.vocabulary.len(), model.levels());
        let content = content.map_err(|error| match error {
            Error::Model(ModelError::Damaged { problem, .. }) => damaged(problem).into(),
            other => other,
        })?;
        if content.fingerprint != model.record.fingerprint {
            let problem = format!("it is of the model {}", short(&content.fingerprint));
            return Err(damaged(problem).into());
        }
        let shape = [model.levels(), model.vocabulary.len()];
        let shifts = if shifted {
            let [squares, scores] = ["shifts.squares", "shifts.scores"]
                .map(|name| numbers(path, name, Dtype::F32, &shape));
            Some(Shifts { squares: squares?, scores: scores? })
        } else {
            None
        };
        let counts = numbers(path, "counts", Dtype::U32, &shape)?;
        Ok(Replicate { model: model.with(content, path)?, counts, shifts })
    }
}

impl Replicate {
    /// The model with the words' counts as they were drawn.
    pub fn recounted(&self) -> Model {
        let mut model = self.model.clone();
        let words = model.vocabulary.len();
        for (counts, drawn) in
            model.vocabulary.level_counts.iter_mut().zip(self.counts.chunks(words))
        {
            counts.iter_mut().zip(drawn).for_each(|(count, &drawn)| *count = u64::from(drawn));
        }
        model
    }
}

/// Puts the replicates of several folders of one plan into a new one.
pub fn merge(folders: &[PathBuf], output: &Path, force: bool) -> Result<usize, Error> {
    let plans = folders.iter().map(|path| read_plan(path)).collect::<Result<Vec<_>, _>>()?;
    for (path, plan) in folders.iter().zip(&plans).skip(1) {
        if let Some((field, there, now)) = plan.differs(&plans[0]) {
            let path = path.clone();
            return Err(ResampleError::OtherRun { path, field, there, now }.into());
        }
    }
    let there = own_files(output);
    let known: Vec<&str> = there.iter().map(String::as_str).chain([RUN, REFERENCE]).collect();
    let artefact = Artefact::begin(output, &known, force)?;
    let content = artefact.content();
    std::fs::create_dir(content).at("make", content)?;
    let mut count = 0;
    for folder in folders {
        for entry in std::fs::read_dir(folder).at("read", folder)? {
            let entry = entry.at("read", folder)?;
            let own = entry.file_name().to_string_lossy().into_owned();
            let target = content.join(&own);
            // Of one that is damaged here, another folder may have a whole one.
            let serves = own == RUN || is_whole(&entry.path());
            if is_own(&own) && serves && !target.exists() {
                std::fs::copy(entry.path(), &target).at("copy", &entry.path())?;
                count += usize::from(number(PREFIX, &own).is_some());
            }
        }
    }
    artefact.finish()?;
    Ok(count)
}

/// Whether a folder is one of replicates.
pub fn is_at(path: &Path) -> bool {
    path.join(REFERENCE).is_file() || read_plan(path).is_ok()
}
