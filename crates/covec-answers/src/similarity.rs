//! How near two words are, level by level.

use covec::Error;
use covec::analyse::View;
use covec::analyse::similarity::similarity;
use covec::resample::as_in;

use crate::{Question, Told};

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, support, .. } = question;
    let mut views = question.views()?;
    if question.asked.texts("in").is_empty() {
        views = View::each(model);
        views.insert(0, View::base());
    }
    let (a, b) = (question.needed("a", "a word")?, question.needed("b", "a word")?);
    support.anywhere(model, &[model.word(a)?, model.word(b)?], &views)?;
    let answer = similarity(model, a, b, &views, support)?;
    question.sure(answer, |model, rows| {
        Ok(as_in(rows, &similarity(model, a, b, &views, support)?.rows))
    })
}
