//! Where words stand on an axis, level by level.

use covec::Error;
use covec::analyse::project::{Axis, project};
use covec::resample::as_in;

use crate::question::refused;
use crate::{Question, Told};

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, support, work, .. } = question;
    let written = question.needed("axis", "two ends, such as poor,weak:rich,strong")?;
    let axis = Axis::named(model, written)?;
    let views = question.views_with_base()?;
    let words = question.words()?;
    for word in words {
        support.anywhere(model, &[model.word(word)?], &views)?;
    }
    let answer = project(model, words, &axis, &views, support, work)?;
    if answer.rows.iter().all(|row| row.position.is_none()) {
        return Err(refused(
            format!(
                "--axis {written}: no word of one of its ends occurs often enough where the words do"
            ),
            format!("{} times or more", support.min_support.0),
            "more common words, or lower --min-support",
        ));
    }
    question.sure(answer, |model, rows| {
        Ok(as_in(rows, &project(model, words, &axis, &views, support, work)?.rows))
    })
}
