//! The words nearest to words, and how steady they are.

use covec::Error;
use covec::analyse::Answer;
use covec::analyse::neighbors::{Neighbor, neighbors};
use covec::resample::steady::{NEAREST, steady_neighbors};

use crate::evidence;
use crate::{Question, Table, Told};

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, support, work, most, .. } = question;
    let views = question.views_with_base()?;
    let words = question.words()?;
    if let Some(resamples) = &question.resamples {
        let steady = steady_neighbors(model, words, &views, *most, support, resamples, work)?;
        let plain: Vec<Neighbor> = steady.rows.iter().map(|own| own.sure.row.clone()).collect();
        let table = match evidence::wanted(question, &plain)? {
            None => Table::of_some(&steady.rows),
            Some(found) => Table::of_some(&evidence::shown(steady.rows, found)),
        };
        let told = Told { left_out: steady.left_out, ..table.into() };
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
