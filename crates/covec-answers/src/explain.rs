//! Which dimensions caused a move.

use covec::analyse::concordance::Evidence;
use covec::analyse::explain::{CauseRow, Explanation, explain};
use covec::analyse::{Answer, SupportParameters, View};
use covec::model::Model;
use covec::resample::measures::of_causes;
use covec::resample::{Resamples, Sure, picked_from};
use covec::{Error, Work};

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
    let lines =
        evidence::wanted(question, &explanations)?.map(|found| by_rows(&explanations, found));
    let mut told = match (resamples, lines) {
        (Some(resamples), lines) => {
            let rows = sure_causes(model, rows, comparisons.len(), support, resamples, work)?;
            match lines {
                Some(lines) => Table::of_some(&evidence::shown(rows, lines)).into(),
                None => Table::of_some(&rows).into(),
            }
        }
        (None, Some(lines)) => {
            question.told(&Answer { rows: evidence::shown(rows, lines), left_out: 0 })
        }
        (None, None) => question.told(&Answer { rows, left_out: 0 }),
    };
    told.notes.extend(explanations.iter().map(Explanation::paragraph));
    Ok(told)
}

/// Lines of explanations, for each of their rows: every dimension of an explanation stands for the same two words.
pub fn by_rows(explanations: &[Explanation], found: Vec<Evidence>) -> Vec<Evidence> {
    let lines = explanations.iter().zip(found);
    lines.flat_map(|(told, found)| vec![found; told.dimensions.len()]).collect()
}

/// Dimensions that were picked from all of so many comparisons, with how sure their contributions are.
pub fn sure_causes<'a>(
    model: &Model,
    rows: Vec<CauseRow<'a>>,
    comparisons: usize,
    support: &SupportParameters,
    resamples: &Resamples,
    work: &Work<'_>,
) -> Result<Vec<Sure<CauseRow<'a>>>, Error> {
    let ask = |model: &Model, rows: &[CauseRow<'_>]| of_causes(model, rows, support);
    Ok(picked_from(resamples.sure(model, rows, ask, work)?, comparisons * model.dim))
}
