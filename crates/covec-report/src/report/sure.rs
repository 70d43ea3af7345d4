//! How sure the page is: what its intervals and tests are, or how it would get some.

use covec::model::Model;
use covec::resample::{Bar, Measured};

use super::sheet::Sheet;
use super::{Question, ReportError};
use crate::Estimate;
use crate::answers::corrected;

/// How sure rows are: a bar for each of their measures; empty where no documents were drawn again.
pub(super) type Sureness = Vec<Vec<Bar>>;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) {
    sheet.section("sure", "How sure is this?");
    let Some(resamples) = question.asked.resamples else {
        sheet.text(
            "Not known: the numbers of this page stand without error bars, and differences between small groups may be chance. \
             covec bootstrap draws the documents again, covec permute shuffles the labels; covec report --boot FOLDER then \
             says of every number how sure it is.",
        );
        return;
    };
    resamples.meaning().iter().for_each(|text| sheet.text(text));
    resamples.cautions().iter().for_each(|text| sheet.note(text));
    if resamples.drawn.is_none() {
        sheet.note("No documents were drawn again (covec bootstrap), so there are no intervals.");
    }
    sheet.note(
        "An interval says how much the number would vary over corpora like this one, of this size; with much more text, levels that differ in \
         their topics may differ more than it says.",
    );
}

impl Question<'_> {
    /// How sure some rows are. `ask` says what their measures are in another model.
    pub(super) fn sureness<R: Measured + Clone>(
        &self,
        rows: &[R],
        ask: impl Fn(&Model, &[R]) -> Result<Vec<f64>, covec::Error>,
    ) -> Result<Sureness, ReportError> {
        let drawn = self.asked.resamples.filter(|resamples| resamples.drawn.is_some());
        let Some(resamples) = drawn else { return Ok(Vec::new()) };
        let sure = resamples.sure(self.model, rows.to_vec(), ask, self.work)?;
        Ok(covec::resample::bars(&sure))
    }
}

/// A measure of a row, as replicates have it if there are some.
pub(super) fn estimate(value: f64, bars: Option<&Vec<Bar>>, measure: &str) -> Estimate {
    let bar = bars.and_then(|bars| bars.iter().find(|bar| bar.name == measure));
    bar.map_or_else(|| value.into(), |bar| corrected(value, bar))
}
