//! Topics and levels: a heat map of the dimensions that tell the levels apart most.

use covec::analyse::coherence::{Coherence, DimensionCoherence, coherence};
use covec::analyse::topics::{LevelWeight, Topic, TopicWord, Wanted, topics};
use covec::resample::measures::of_weights;

use super::figures::{percent, short};
use super::sheet::{Sheet, drawn};
use super::sure::{Sureness, estimate};
use super::table::{Cell, Table};
use super::{Question, ReportError};
use crate::answers::short as level_name;
use crate::answers::topics as charts;

/// Dimensions that are drawn.
const ROWS: usize = 30;
/// Words of each end.
const WORDS: usize = 8;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) -> Result<(), ReportError> {
    let Question { model, asked, work, .. } = question;
    sheet.section("topics", "Topics, and what levels make of them");
    sheet.text(
        "A dimension is told by the words at its two ends: words at the same end draw each other, words at opposite \
         ends (“|”) repel each other. A level's squared weight says how much the dimension matters there: 1 is the \
         average of the factor, 2 twice as much, and a crossed-out 0 means that the level does without it. Those whose weights \
         differ most between the levels come first.",
    );
    let agreement = model.record.training.agreement.as_ref();
    match agreement {
        Some(own) => sheet.note(&format!(
            "The model was trained from {} seeds. Dimensions marked with ? were not found again by the others (|cos| below \
             {}): their words and weights are no firm ground.",
            1 + own.seeds.len(),
            covec::analyse::topics::STABLE,
        )),
        None => sheet.note(
            "Only one seed was trained, so it is not known which dimensions another run would find again: covec train \
             --seeds 3 tells.",
        ),
    }
    let coherent = match asked.tensor {
        Some(tensor) => Some(coherence(model, tensor, &asked.support, work)?),
        None => None,
    };
    if let Some(own) = &coherent {
        sheet.text(&told(own));
    }
    if model.covariates.factors.is_empty() {
        sheet.text("Without levels there are no weights to compare; covec info --show dimensions lists the dimensions.");
        return Ok(());
    }
    let factors: Vec<(String, usize)> = (model.covariates.factors.iter().enumerate())
        .map(|(place, factor)| (factor.name.clone(), place))
        .collect();
    sheet.choice("Factor", &factors, |sheet, &factor| -> Result<(), ReportError> {
        let found = topics(model, factor, Wanted::Spread, WORDS, &asked.support, work);
        let rows = match found {
            Ok(answer) => answer.rows,
            Err(covec::Error::Analyse(covec::analyse::AnalyseError::NoWords { .. })) => {
                sheet.text("Every word is too rare to say.");
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        let shown = &rows[..rows.len().min(ROWS)];
        drawn(sheet, charts::heatmap(shown, rows.len()))?;
        let weights: Vec<_> = shown.iter().flat_map(Topic::weights).collect();
        let sureness = question.sureness(&weights, of_weights)?;
        sheet.table(&table(shown, coherent.as_ref(), &sureness));
        Ok(())
    })
}

/// What coherence says of the model.
fn told(own: &Coherence) -> String {
    format!(
        "Do the words of a dimension belong together? Their coherence, the mean normalised pointwise mutual information \
         of the first words of each end by the counts themselves, is {} on average; with axes turned at random it is {} \
         (± {}). {} of the dimensions are above that. Coherence is often below 0, because rare words seldom meet at \
         all: only the difference from the random axes says something.",
        short(own.mean),
        short(own.baseline),
        short(own.baseline_spread),
        percent(own.share_above_baseline),
    )
}

fn listed(words: &[TopicWord], most: usize) -> String {
    words.iter().take(most).map(|word| word.word.as_str()).collect::<Vec<_>>().join(", ")
}

/// A row for each topic; `sureness` is of the weights of all levels, topic after topic.
fn table(topics: &[Topic], coherent: Option<&Coherence>, sureness: &Sureness) -> Table {
    let mut columns = vec!["dimension", "one end", "other end", "most in", "least in"];
    let agreement = topics.iter().any(|topic| topic.agreement.is_some());
    if agreement {
        columns.push("seeds agree");
    }
    if coherent.is_some() {
        columns.push("coherence");
    }
    let mut table = Table::new(columns);
    let mut sureness = sureness.iter();
    for topic in topics {
        let bars = sureness.by_ref().map(Some).chain(std::iter::repeat(None));
        let mut sorted: Vec<(&LevelWeight, _)> = topic.levels.iter().zip(bars).collect();
        sorted.sort_by(|(a, _), (b, _)| b.square.total_cmp(&a.square));
        let end = |level: Option<&(&LevelWeight, _)>| match level {
            Some(&(level, bars)) => {
                let square = estimate(level.square, bars, "square");
                Cell::of(level_name(&level.level), square, short)
            }
            None => Cell::text(""),
        };
        let unsure = if topic.unstable == Some(true) { " ?" } else { "" };
        let mut row = vec![
            Cell::number(&format!("{}{unsure}", topic.dimension)),
            Cell::long(&listed(&topic.above, WORDS)),
            Cell::long(&listed(&topic.below, WORDS)),
            end(sorted.first()),
            end(sorted.last()),
        ];
        if agreement {
            row.push(Cell::maybe(topic.agreement, |x| format!("{x:.2}")));
        }
        if let Some(coherent) = coherent {
            let own = coherent.dimensions.get(topic.dimension - 1);
            row.push(Cell::maybe(own.and_then(DimensionCoherence::mean), |x| format!("{x:.2}")));
        }
        table.push(row);
    }
    table
}
