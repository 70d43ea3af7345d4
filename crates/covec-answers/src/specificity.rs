//! How much the words' meanings depend on the level.

use covec::Error;
use covec::analyse::histogram::histogram;
use covec::analyse::specificity::{PREPOSITIONS, Specificity, means, specificity};
use covec::analyse::{AnalyseError, Answer, View};
use covec::resample::as_in;

use crate::question::refused;
use crate::{Question, Told};

/// Bins of the histogram.
pub const BINS: usize = 30;

/// The mean of all words, and of those that should mean the same everywhere.
pub fn in_short(rows: &[Specificity]) -> String {
    let (mean, nothing) = means(rows);
    let nothing =
        nothing.map_or_else(String::new, |mean| format!("; of the reference words: {mean:.3}"));
    format!("mean of {} words: {mean:.3}{nothing}", rows.len())
}

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, support, work, .. } = question;
    let show = asked.choice("show", &["words", "least", "histogram"])?;
    let views = match asked.texts("in") {
        [] => View::of_factor(model, question.factor()?),
        _ => question.views()?,
    };
    let reference = match asked.texts("reference") {
        [] => PREPOSITIONS.iter().map(|&word| word.to_owned()).collect(),
        given => given.to_vec(),
    };
    let mut answer = specificity(model, &views, &reference, support, work)?;
    if answer.rows.is_empty() {
        let least = support.min_support.0;
        return Err(AnalyseError::NoWords { level: "two levels".to_owned(), least }.into());
    }
    let note = in_short(&answer.rows);
    if show == "histogram" {
        if question.resamples.is_some() {
            return Err(refused(
                "a histogram has no error bars",
                "show words or least",
                "one of these, or no boot",
            ));
        }
        let numbers: Vec<f64> = answer.rows.iter().map(|row| row.specificity).collect();
        let rows = histogram(&numbers, BINS);
        return Ok(question.told(&Answer { rows, left_out: answer.left_out }).noting(note));
    }
    if show == "least" {
        answer.rows.reverse();
    }
    let told = question.sure_about(&views, answer, |model, rows| {
        Ok(as_in(rows, &specificity(model, &views, &reference, support, work)?.rows))
    })?;
    Ok(told.noting(note))
}
