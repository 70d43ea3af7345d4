//! A corpus counted and fitted.

use std::path::{Path, PathBuf};

use covec::Work;
use covec::model::Model;
use covec::resample::{self, BootstrapParameters, PermuteParameters, Resamples, SureParameters};
use covec::tensor::{self, CountParameters};
use covec::train::{self, TrainParameters};

pub struct Fitted {
    pub corpus: PathBuf,
    pub model: Model,
    home: PathBuf,
}

impl Fitted {
    /// Fits a corpus in which `by`, if anything, is the covariate.
    pub fn new(
        corpus: &Path,
        by: Option<&str>,
        dim: Option<u32>,
        home: &Path,
        work: &Work<'_>,
    ) -> Result<Self, String> {
        let fail = |e: covec::Error| e.to_string();
        let mut rules = CountParameters::default();
        if let Some(by) = by {
            rules.set("by", by).map_err(|e| e.to_string())?;
        }
        let checked = rules.check().map_err(|e| e.to_string())?;
        let tensor = tensor::count(&[corpus.to_owned()], checked, &home.join("tensor"), work)
            .map_err(fail)?;
        let mut parameters = TrainParameters::default();
        parameters.dim = dim.unwrap_or(parameters.dim);
        let checked = parameters.checked().map_err(|e| e.to_string())?;
        let model = train::train(&tensor, checked, &home.join("model"), work).map_err(fail)?;
        Ok(Self { corpus: corpus.to_owned(), model, home: home.to_owned() })
    }

    /// Labels shuffled so many times.
    pub fn permuted(&self, times: u64, work: &Work<'_>) -> Result<Resamples, String> {
        let (inputs, output) = ([self.corpus.clone()], self.home.join("shuffled"));
        let work = Work { force: false, ..*work };
        // Of 39 four, as the default has of a hundred.
        let afresh = (times / 3).clamp(1, 12) as u32;
        let parameters = PermuteParameters { afresh, ..PermuteParameters::default() };
        resample::permute(&self.model, &inputs, &parameters, 0..times, &output, &work)
            .map_err(|e| e.to_string())?;
        self.open(output, &SureParameters::default())
    }

    /// Documents drawn again so many times; the folder.
    pub fn drawn(&self, times: u64, work: &Work<'_>) -> Result<PathBuf, String> {
        let (inputs, output) = ([self.corpus.clone()], self.home.join("drawn"));
        let work = Work { force: false, ..*work };
        let parameters = BootstrapParameters::default();
        resample::bootstrap(&self.model, &inputs, &parameters, 0..times, &output, &work)
            .map_err(|e| e.to_string())?;
        Ok(output)
    }

    pub fn open(&self, folder: PathBuf, parameters: &SureParameters) -> Result<Resamples, String> {
        Resamples::open(&[folder], &self.model, parameters).map_err(|e| e.to_string())
    }
}
