//! What all questions share: where to look, how rare words may be, how sure the answer is.

use covec::analyse::{AnalyseError, Answer, SupportParameters, View, factor_named};
use covec::model::Model;
use covec::resample::{Measured, Resamples, SureParameters};
use covec::{Error, Work};
use serde::Serialize;

use crate::{Asked, Table};

/// A question to a model.
pub struct Question<'a> {
    /// The model that is asked.
    pub model: &'a Model,
    /// What is asked.
    pub asked: &'a Asked,
    /// Which words are too rare to speak of.
    pub support: SupportParameters,
    /// Rows that are wanted.
    pub most: usize,
    /// Replicates that the answer is checked against.
    pub resamples: Option<Resamples>,
    /// How the work is done.
    pub work: Work<'a>,
}

/// An answer, and what is to be known beside it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    /// The answer.
    pub table: Table,
    /// Words that were too rare to be spoken of.
    pub left_out: usize,
    /// What is to be known beside it, a sentence each.
    pub notes: Vec<String>,
}

impl From<Table> for Told {
    fn from(table: Table) -> Self {
        Self { table, ..Self::default() }
    }
}

impl Told {
    /// The same with a sentence beside it.
    #[must_use]
    pub(crate) fn noting(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

impl<'a> Question<'a> {
    pub(crate) fn new(
        model: &'a Model,
        asked: &'a Asked,
        rows: usize,
        work: &Work<'a>,
    ) -> Result<Self, Error> {
        let mut support = SupportParameters::default();
        asked.take(SupportParameters::TABLE, |name, text| support.set(name, text))?;
        let resamples = resamples(model, asked)?;
        let most = asked.number("n")?.unwrap_or(rows);
        Ok(Self { model, asked, support, most, resamples, work: *work })
    }

    /// The views that were asked for; every level of the first factor where none were.
    pub(crate) fn views(&self) -> Result<Vec<View>, Error> {
        View::all_named(self.model, self.asked.texts("in"))
    }

    /// The same; where none were asked for, the base comes first.
    pub(crate) fn views_with_base(&self) -> Result<Vec<View>, Error> {
        views_with_base(self.model, self.asked.texts("in"))
    }

    /// What is compared: two levels, or the base with each level.
    pub(crate) fn comparisons(&self) -> Result<Vec<(View, View)>, Error> {
        comparisons(self.model, self.asked.texts("in"), self.asked.two("between")?)
    }

    /// The factor that was asked for, by its place.
    pub(crate) fn factor(&self) -> Result<usize, Error> {
        factor_named(self.model, self.asked.text("factor"))
    }

    /// Words that must be named.
    pub(crate) fn words(&self) -> Result<&'a [String], Error> {
        match self.asked.texts("word") {
            [] => Err(crate::asked::lacking("word", "one word or more")),
            words => Ok(words),
        }
    }

    /// A word or text that must be named.
    pub(crate) fn needed(&self, name: &str, expected: &str) -> Result<&'a str, Error> {
        self.asked.text(name).ok_or_else(|| crate::asked::lacking(name, expected))
    }

    /// All rows, with what was left out.
    pub(crate) fn told<R: Serialize + Default>(&self, answer: &Answer<R>) -> Told {
        Told { left_out: answer.left_out, ..Table::of(&answer.rows).into() }
    }

    /// As many rows as were asked for, with error bars where replicates were given. `ask` says what
    /// the rows' measures are in another model.
    pub(crate) fn sure<R: Measured + Serialize + Default>(
        &self,
        answer: Answer<R>,
        ask: impl Fn(&Model, &[R]) -> Result<Vec<f64>, Error>,
    ) -> Result<Told, Error> {
        self.sure_by(self.resamples.as_ref(), answer, ask)
    }

    /// The same where each row is about all of these views.
    pub(crate) fn sure_about<R: Measured + Serialize + Default>(
        &self,
        views: &[View],
        answer: Answer<R>,
        ask: impl Fn(&Model, &[R]) -> Result<Vec<f64>, Error>,
    ) -> Result<Told, Error> {
        let own = self.resamples.clone().map(|own| own.about(self.model, views, &self.work));
        self.sure_by(own.transpose()?.as_ref(), answer, ask)
    }

    fn sure_by<R: Measured + Serialize + Default>(
        &self,
        resamples: Option<&Resamples>,
        answer: Answer<R>,
        ask: impl Fn(&Model, &[R]) -> Result<Vec<f64>, Error>,
    ) -> Result<Told, Error> {
        let left_out = answer.left_out;
        let table = match resamples {
            None => Table::of(&answer.rows),
            Some(resamples) => {
                Table::of_some(&resamples.sure(self.model, answer.rows, ask, &self.work)?)
            }
        };
        Ok(Told { left_out, ..table.first(self.most).into() })
    }
}

/// The replicates that were given, if some were.
pub fn resamples(model: &Model, asked: &Asked) -> Result<Option<Resamples>, Error> {
    let mut parameters = SureParameters::default();
    asked.take(SureParameters::TABLE, |name, text| parameters.set(name, text))?;
    let paths = asked.paths("boot");
    match paths.is_empty() {
        true => Ok(None),
        false => Ok(Some(Resamples::open(&paths, model, &parameters)?)),
    }
}

/// A view for each text; the base, where the model has one, and every level of the first factor where there are none.
pub fn views_with_base(model: &Model, levels: &[String]) -> Result<Vec<View>, Error> {
    let mut views = View::all_named(model, levels)?;
    if levels.is_empty() && model.has_base() {
        views.insert(0, View::base());
    }
    Ok(views)
}

/// What is compared: two levels, or the base with each of some; with every level of the first factor
/// where none are named.
pub fn comparisons(
    model: &Model,
    levels: &[String],
    between: Option<[&str; 2]>,
) -> Result<Vec<(View, View)>, Error> {
    if let Some([a, b]) = between {
        let views = (View::named(model, a)?, View::named(model, b)?);
        views.0.differs_from(&views.1)?;
        return Ok(vec![views]);
    }
    let mut comparisons = Vec::new();
    for to in View::all_named(model, levels)? {
        View::base().differs_from(&to)?;
        comparisons.push((View::base(), to));
    }
    if comparisons.is_empty() {
        // Says that there are none.
        factor_named(model, None)?;
    }
    Ok(comparisons)
}

/// A question that cannot be answered as it was put.
pub(crate) fn refused(
    problem: impl Into<String>,
    expected: impl Into<String>,
    way_out: impl Into<String>,
) -> Error {
    AnalyseError::Question {
        problem: problem.into(),
        expected: expected.into(),
        way_out: way_out.into(),
    }
    .into()
}
