//! How much the meanings of words depend on the level.

use covec::analyse::specificity::{PREPOSITIONS, Specificity, means, specificity};
use covec::resample::{Bar, as_in};

use super::figures::{count, short};
use super::sheet::{Sheet, drawn};
use super::sure::estimate;
use super::table::{Cell, Table};
use super::{Question, ReportError};
use crate::answers::specificity::histogram;

pub(super) fn write(question: &Question<'_>, sheet: &mut Sheet) -> Result<(), ReportError> {
    let Question { model, asked, work, views } = question;
    sheet.section("specificity", "How much meanings depend on the level");
    let factors: Vec<(String, usize)> = (model.covariates.factors.iter().enumerate())
        .filter(|(place, _)| views[*place].len() >= 2)
        .map(|(place, factor)| (factor.name.clone(), place))
        .collect();
    if factors.is_empty() {
        sheet.text("This needs a factor with two levels or more, and the model has none.");
        return Ok(());
    }
    sheet.text(
        "Specificity is the mean cosine distance of a word's vectors over pairs of levels: 0 for a word that means the same \
         everywhere. Prepositions should mean about the same everywhere, so their mean, drawn in, says how much of it is noise: \
         what is not well above it is nothing to speak of. Common words have more text to differ by; so words are sorted by how far \
         they stand out from the hundred that occur about as often (excess, in robust standard deviations).",
    );
    let reference: Vec<String> = PREPOSITIONS.iter().map(|&word| word.to_owned()).collect();
    sheet.choice("Factor", &factors, |sheet, &factor| -> Result<(), ReportError> {
        let own = &views[factor];
        let answer = specificity(model, own, &reference, &asked.support, work)?;
        if answer.rows.is_empty() {
            sheet.text("Too rare to say: no word occurs often enough in two levels.");
            return Ok(());
        }
        drawn(sheet, histogram(&answer.rows))?;
        let (mean, prepositions) = means(&answer.rows);
        let noise = prepositions.map_or_else(
            || {
                "none of the common English prepositions occurs often enough to compare with"
                    .to_owned()
            },
            |x| format!("that of common prepositions {}", short(x)),
        );
        sheet.text(&format!("The mean of all words is {}; {noise}.", short(mean)));
        let sureness = question.sureness(&answer.rows, |model, rows| {
            let answer = specificity(model, own, &reference, &asked.support, work)?;
            Ok(as_in(rows, &answer.rows))
        })?;
        let rows = answer.rows.iter().enumerate();
        let rows = rows.map(|(at, row)| (row, sureness.get(at)));
        sheet.beside(&[
            table(
                "Depend most on the level, for how often they occur",
                rows.clone().take(asked.rows),
            ),
            table("Depend least on it", rows.rev().take(asked.rows)),
        ]);
        Ok(())
    })
}

fn table<'a>(
    caption: &str,
    rows: impl Iterator<Item = (&'a Specificity, Option<&'a Vec<Bar>>)>,
) -> Table {
    let mut table = Table::new(["word", "excess", "specificity", "topical", "levels", "occurs"])
        .with_caption(caption);
    for (row, bars) in rows {
        table.push(vec![
            Cell::text(&row.word),
            Cell::number(&short(row.excess)),
            Cell::estimate(estimate(row.specificity, bars, "specificity"), short),
            Cell::estimate(estimate(row.topical, bars, "topical"), short),
            Cell::number(&row.levels.to_string()),
            Cell::number(&count(row.count)),
        ]);
    }
    table
}
