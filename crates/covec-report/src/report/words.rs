//! Sections for single words: those that were asked for, or those that tell most.

use covec::analyse::moved::Moved;
use covec::analyse::telling::telling;

use super::evidence;
use super::movers::LevelMoves;
use super::sheet::Sheet;
use super::word::{self, Page};
use super::{Question, ReportError};

/// Words with a section of their own where none were asked for.
const WORDS: usize = 5;

pub(super) fn write(
    question: &Question<'_>,
    moves: &[LevelMoves],
    sheet: &mut Sheet,
) -> Result<(), ReportError> {
    sheet.section("words", "Words, one by one");
    let asked = question.asked.words;
    let words =
        if asked.is_empty() { chosen(question, moves) } else { distinct(asked.iter(), usize::MAX) };
    if words.is_empty() {
        sheet.text("No word occurs often enough in some level to be chosen; --words names some.");
        return Ok(());
    }
    if asked.is_empty() {
        sheet.text(
            "Words whose own use stands out in some level from that of words that occur as often there, and that are \
             about something: they gather in fewer documents than chance would have it. Others: covec report --words \
             freedom,labor.",
        );
    }
    sheet.note(
        "Neighbours are words in similar company, which opposites are too. + marks what is not among the nearest in the base; \
         the small number is the cosine, 1 for the same company.",
    );
    let pages: Result<Vec<Page>, ReportError> =
        words.iter().map(|word| Page::ask(question, moves, word)).collect();
    let pages = pages?;
    let found = evidence::ask(question, &pages)?;
    for (place, (page, found)) in pages.iter().zip(&found).enumerate() {
        word::write(question, page, place, sheet)?;
        evidence::write(question, found, sheet);
    }
    Ok(())
}

/// The first words that differ, no more than `most`.
fn distinct<'a>(words: impl Iterator<Item = &'a String>, most: usize) -> Vec<String> {
    let mut own: Vec<String> = Vec::new();
    for word in words {
        if own.len() == most {
            break;
        }
        if !own.contains(word) {
            own.push(word.clone());
        }
    }
    own
}

/// The words that stand out; where those are too few, then those with the largest own part.
fn chosen(question: &Question<'_>, moves: &[LevelMoves]) -> Vec<String> {
    let rows: Vec<&[Moved]> =
        moves.iter().filter_map(|own| Some(&own.words.as_ref()?.rows[..])).collect();
    let found = telling(question.model, &rows, &question.asked.support, WORDS);
    let mut rows: Vec<&Moved> = rows.into_iter().flatten().collect();
    rows.sort_by(|a, b| b.own.total_cmp(&a.own).then(a.word.cmp(&b.word)));
    let others = rows.iter().map(|row| &row.word);
    distinct(found.iter().map(|word| &word.word).chain(others), WORDS)
}
