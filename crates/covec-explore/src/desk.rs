//! What lies on the desk while a model is explored.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use covec::analyse::{Groups, SupportParameters, View};
use covec::model::{Model, Need};
use covec::resample::{Resamples, SureParameters};
use covec_report::report::name_of;

use crate::ExploreError;

/// What is looked into.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The model's folder.
    pub model: PathBuf,
    /// What it was counted from; without it no lines of the text are shown.
    pub corpus: Vec<PathBuf>,
    /// Folders of replicates; without them nothing has an interval.
    pub boot: Vec<PathBuf>,
    /// How intervals are made.
    pub sure: SureParameters,
    /// `FACTOR:COLUMN`, and the table it is read from.
    pub groups: Option<(String, PathBuf)>,
    /// How often a word must occur before anything is said of it, unless a question says otherwise.
    pub support: SupportParameters,
}

/// All of it, opened.
#[derive(Debug)]
pub struct Desk {
    pub(crate) model: Model,
    pub(crate) name: String,
    pub(crate) corpus: Vec<PathBuf>,
    pub(crate) resamples: Option<Resamples>,
    pub(crate) confidence: f64,
    pub(crate) groups: Option<Groups>,
    pub(crate) support: SupportParameters,
    closing: AtomicBool,
}

impl Desk {
    /// Opens everything, and says what does not fit together.
    pub fn open(sources: &Sources) -> Result<Self, ExploreError> {
        let model = Model::open(&sources.model)?;
        model.gives(Need::Topics, "explore").map_err(covec::Error::from)?;
        if let Some(missing) = sources.corpus.iter().find(|path| !path.exists()) {
            return Err(ExploreError::NoCorpus(missing.clone()));
        }
        let resamples = match &sources.boot[..] {
            [] => None,
            paths => Some(Resamples::open(paths, &model, &sources.sure)?),
        };
        let groups = sources.groups.as_ref();
        let groups = groups.map(|(spec, path)| Groups::read(&model, spec, path)).transpose()?;
        Ok(Self {
            resamples,
            groups,
            name: name_of(&sources.model),
            corpus: sources.corpus.clone(),
            confidence: sources.sure.confidence,
            support: sources.support.clone(),
            closing: AtomicBool::new(false),
            model,
        })
    }

    /// The levels that are named; the base and every level of the first factor where none are, as far as they are
    /// not more than `most`.
    pub(crate) fn views(&self, names: &[String], most: usize) -> Result<Vec<View>, covec::Error> {
        let mut views = View::all_named(&self.model, names)?;
        if names.is_empty() {
            views.truncate(most - 1);
            views.insert(0, View::base());
        }
        Ok(views)
    }

    /// From now on all work ends as soon as it can.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }
}
