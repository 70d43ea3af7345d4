//! A model, its numbers and the questions to it.

use std::path::PathBuf;
use std::sync::Arc;

use covec::analyse::documents::documents;
use covec::analyse::{SupportParameters, View};
use covec::corpus::CorpusParameters;
use covec::model::export::ExportParameters;
use covec::tensor::Tensor;
use covec_answers::ask;
use covec_report::report::{Asked as Wanted, check_path, report, save};
use pyo3::prelude::*;

use crate::array::Array;
use crate::error::{exception, of_report};
use crate::parameters::{Texts, asked, columns_of};
use crate::{rows, task};

type Listener = Option<Py<PyAny>>;

/// A factor: its name, whether its levels have an order, and every level with how many words it has.
type Factor = (String, bool, Vec<(String, u64)>);

/// A model of the library.
#[pyclass(frozen, module = "covec._covec")]
pub(crate) struct Model {
    pub(crate) model: Arc<covec::model::Model>,
}

impl From<covec::model::Model> for Model {
    fn from(model: covec::model::Model) -> Self {
        Self { model: Arc::new(model) }
    }
}

#[pymethods]
impl Model {
    /// Opens a folder.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let model = py.detach(|| covec::model::Model::open(&path));
        model.map(Into::into).map_err(|error| exception(py, &error))
    }

    #[getter]
    fn dim(&self) -> usize {
        self.model.dim
    }

    fn words(&self) -> Vec<String> {
        self.model.vocabulary.words.clone()
    }

    /// Every factor.
    fn factors(&self) -> Vec<Factor> {
        let factors = self.model.covariates.factors.iter().map(|factor| {
            let levels = factor.levels.iter().map(|level| (level.name.clone(), level.tokens));
            (factor.name.clone(), factor.ordered, levels.collect())
        });
        factors.collect()
    }

    /// `run.json`: how it came to be.
    fn record(&self) -> String {
        serde_json::to_string(&self.model.record).unwrap_or_default()
    }

    /// The base vectors, a row for every word.
    fn base(&self) -> Array {
        Array::of(&self.model, |model| &model.vectors, self.model.dim)
    }

    /// The levels' weights, a row for every level.
    fn weights(&self) -> Array {
        Array::of(&self.model, |model| &model.weights, self.model.dim)
    }

    /// The biases, a row for every level, a column for every word.
    fn biases(&self) -> Array {
        Array::of(&self.model, |model| &model.biases, self.model.vocabulary.len())
    }

    /// How often every word occurs under a level.
    fn counts(&self, py: Python<'_>, level: &str) -> PyResult<Array> {
        let view = self.view(py, level)?;
        let words = 0..self.model.vocabulary.len();
        Ok(Array::whole(words.map(|word| view.count(&self.model, word)).collect()))
    }

    /// The vectors under a level, a row for every word.
    fn vectors(&self, py: Python<'_>, level: &str, deviations: bool) -> PyResult<Array> {
        let (view, model) = (self.view(py, level)?, &self.model);
        let numbers = py.detach(|| match deviations {
            true => model.vectors_in(&view.levels),
            false => (0..model.vocabulary.len())
                .flat_map(|word| model.reweighted(word, &view.levels))
                .collect(),
        });
        Ok(Array::matrix(numbers, model.dim))
    }

    /// A word's place.
    fn word(&self, py: Python<'_>, word: &str) -> PyResult<usize> {
        self.model.word(word).map_err(|error| exception(py, &error))
    }

    /// A word's vector under a level.
    fn vector(&self, py: Python<'_>, word: &str, level: &str) -> PyResult<Array> {
        let (word, view) = (self.word(py, word)?, self.view(py, level)?);
        Ok(Array::list(self.model.vector_in(word, &view.levels)))
    }

    /// A level by its full name.
    fn level(&self, py: Python<'_>, level: &str) -> PyResult<String> {
        Ok(self.view(py, level)?.name)
    }

    /// The columns of a table that the model's rules of reading speak of.
    fn columns(&self, py: Python<'_>, texts: Texts) -> PyResult<Vec<String>> {
        let asked = asked(texts);
        let mut units = CorpusParameters::default();
        for unit in asked.texts("unit") {
            units.set("by", unit).map_err(|error| exception(py, &error.into()))?;
        }
        let rules = self.model.record.tensor.parameters.as_ref().map(|rules| &rules.corpus);
        Ok(columns_of(rules.unwrap_or(&CorpusParameters::default()), &units.by))
    }

    /// Puts a question.
    fn ask(
        &self,
        py: Python<'_>,
        question: &str,
        texts: Texts,
        listener: Listener,
    ) -> PyResult<rows::Answer> {
        let asked = asked(texts);
        let told =
            task::run(py, &asked, listener, |work| ask(&self.model, question, &asked, work))?;
        rows::answer(py, &told)
    }

    /// Documents' vectors under their own levels, and how many known words each has.
    fn documents(
        &self,
        py: Python<'_>,
        inputs: Vec<PathBuf>,
        smooth: f64,
        texts: Texts,
        listener: Listener,
    ) -> PyResult<(Array, Array)> {
        let asked = asked(texts);
        let found = task::run(py, &asked, listener, |work| {
            documents(&self.model, &inputs, smooth, asked.is_on("unknown_as_base"), work)
        })?;
        Ok((Array::matrix(found.vectors, self.model.dim), Array::whole(found.words)))
    }

    /// Writes vectors for other tools.
    fn export(
        &self,
        py: Python<'_>,
        output: PathBuf,
        texts: Texts,
        listener: Listener,
    ) -> PyResult<()> {
        let asked = asked(texts);
        task::run(py, &asked, listener, |work| {
            let mut parameters = ExportParameters::default();
            asked.take(ExportParameters::TABLE, |name, text| parameters.set(name, text))?;
            self.model.export(asked.texts("in"), &parameters, &output, work).map(drop)
        })
    }

    /// Writes all that it says on one page.
    fn report(
        &self,
        py: Python<'_>,
        output: PathBuf,
        name: &str,
        rows: usize,
        texts: Texts,
        listener: Listener,
    ) -> PyResult<()> {
        let asked = asked(texts);
        let done = task::run_or(py, &asked, listener, |work| {
            check_path(&output, work.force)?;
            let mut support = SupportParameters::default();
            asked.take(SupportParameters::TABLE, |name, text| support.set(name, text))?;
            let tensor =
                asked.paths("tensor").first().map(|path| Tensor::open(path)).transpose()?;
            let resamples = covec_answers::resamples(&self.model, &asked)?;
            let wanted = Wanted {
                name,
                words: asked.texts("words"),
                rows,
                support,
                tensor: tensor.as_ref(),
                corpus: &asked.paths("corpus"),
                resamples: resamples.as_ref(),
            };
            save(&output, &report(&self.model, &wanted, work)?, work.force)
        })?;
        done.map_err(|error| of_report(py, &error))
    }
}

impl Model {
    fn view(&self, py: Python<'_>, level: &str) -> PyResult<View> {
        View::named(&self.model, level).map_err(|error| exception(py, &error))
    }
}
