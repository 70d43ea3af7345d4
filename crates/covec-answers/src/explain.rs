//! Which dimensions caused a move.

use covec::Error;
use covec::analyse::explain::{CauseRow, Explanation, explain};
use covec::analyse::{Answer, SupportParameters, View};
use covec::model::Model;
use covec::resample::measures::of_causes;

use crate::question::refused;
use crate::{Question, Table, Told, evidence};

/// Of several comparisons those in which both words occur often enough; one that is alone stays.
pub fn common_enough(
    model: &Model,
    [a, b]: [&str; 2],
    mut comparisons: Vec<(View, View)>,
    support: &SupportParameters,
) -> Result<Vec<(View, View)>, Error> {
    let words = [model.word(a)?, model.word(b)?];
    if comparisons.len() > 1 {
        let occur = |view: &View| {
            words.iter().all(|&word| view.count(model, word) >= support.min_support.0)
        };
        comparisons.retain(|(from, to)| occur(from) && occur(to));
    }
    Ok(comparisons)
}

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, support, work, most, resamples, .. } = question;
    let (a, b) = (question.needed("a", "a word")?, question.needed("b", "a word")?);
    let comparisons = common_enough(model, [a, b], question.comparisons()?, support)?;
    if comparisons.is_empty() {
        return Err(refused(
            format!("'{a}' and '{b}' do not both occur often enough in any level"),
            format!("{} times or more", support.min_support.0),
            "lower --min-support",
        ));
    }
    let mut explanations = Vec::new();
    for (from, to) in &comparisons {
        let told = explain(model, a, b, from, to, support)?;
        explanations.push(told.first(model, *most, support, work)?);
    }
    let rows: Vec<_> = explanations.iter().flat_map(Explanation::rows).collect();
    let mut told = if let Some(resamples) = resamples {
        let ask = |model: &Model, rows: &[CauseRow<'_>]| of_causes(model, rows, support);
        Table::of_some(&resamples.sure(model, rows, ask, work)?).into()
    } else if let Some(found) = evidence::wanted(question, &explanations)? {
        // Every dimension of an explanation stands for the same two words.
        let lines = explanations.iter().zip(found);
        let lines = lines.flat_map(|(told, found)| vec![found; told.dimensions.len()]);
        let rows = evidence::shown(rows, lines.collect());
        question.told(&Answer { rows, left_out: 0 })
    } else {
        question.told(&Answer { rows, left_out: 0 })
    };
    told.notes.extend(explanations.iter().map(Explanation::paragraph));
    Ok(told)
}
