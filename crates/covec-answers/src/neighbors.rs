//! The words nearest to words, and how steady they are.

use covec::analyse::neighbors::neighbors;
use covec::analyse::{Answer, SupportParameters, View};
use covec::model::Model;
use covec::resample::Resamples;
use covec::resample::steady::{NEAREST, Steady, steady_neighbors};
use covec::{Error, Work};

use crate::evidence;
use crate::{Question, Table, Told};

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, support, work, most, .. } = question;
    let views = question.views_with_base()?;
    let words = question.words()?;
    if let Some(resamples) = &question.resamples {
        let steady = steady(model, words, &views, *most, support, resamples, work)?;
        let told = Told { left_out: steady.left_out, ..Table::of_some(&steady.rows).into() };
        return Ok(told.noting(format!(
            "among_nearest: share of the replicates in which it is among the {NEAREST} nearest"
        )));
    }
    let mut answer = Answer::default();
    for word in words {
        support.anywhere(model, &[model.word(word)?], &views)?;
        answer.join(neighbors(model, word, &views, *most, support, work)?);
    }
    evidence::told(question, answer)
}

/// The neighbours of words, each with how steady it is.
pub fn steady(
    model: &Model,
    words: &[String],
    views: &[View],
    most: usize,
    support: &SupportParameters,
    resamples: &Resamples,
    work: &Work<'_>,
) -> Result<Answer<Steady>, Error> {
    let mut steady = Answer::default();
    for word in words {
        steady.join(steady_neighbors(model, word, views, most, support, resamples, work)?);
    }
    Ok(steady)
}
