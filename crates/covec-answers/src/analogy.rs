//! A is to B as C is to which word.

use covec::Error;
use covec::analyse::analogy::{Analogy, AnalogyParameters, analogy, enriched};
use covec::model::Model;
use covec::resample::{as_in, picked_from};

use crate::question::refused;
use crate::{Question, Table, Told};

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, support, work, most, resamples } = question;
    let mut parameters = AnalogyParameters::default();
    asked.take(AnalogyParameters::TABLE, |name, text| parameters.set(name, text))?;
    let word = |name| question.needed(name, "a word");
    let abc = [word("a")?, word("b")?, word("c")?];
    let mut views = question.views_with_base()?;
    if asked.is_on("enriched") {
        if resamples.is_some() {
            return Err(refused(
                "words that are enriched have no error bars",
                "the question without enriched",
                "leave enriched or boot out",
            ));
        }
        views.retain(|view| !view.levels.is_empty());
        let answer = enriched(model, abc, &views, &parameters, support, work)?;
        let told = question.told(&answer);
        return Ok(Told { table: told.table.first(*most), ..told });
    }
    if asked.texts("in").is_empty() {
        views.truncate(1);
    }
    let of = |model: &Model, n: usize| analogy(model, abc, &views, n, &parameters, support, work);
    let answer = of(model, *most)?;
    let Some(resamples) = resamples else { return Ok(question.told(&answer)) };
    let ask = |model: &Model, rows: &[Analogy]| Ok(as_in(rows, &of(model, usize::MAX)?.rows));
    let rows = resamples.sure(model, answer.rows, ask, work)?;
    let rows = picked_from(rows, support.picks(model, &views));
    Ok(Told { left_out: answer.left_out, ..Table::of_some(&rows).into() })
}
