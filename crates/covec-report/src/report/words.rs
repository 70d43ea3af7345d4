//! Sections for single words: those that were asked for, or those that moved most.

use std::collections::BTreeMap;

use super::evidence;
use super::movers::LevelMoves;
use super::sheet::Sheet;
use super::word::{self, Page};
use super::{Question, ReportError};

/// Words with a section of their own where none were asked for.
const WORDS: usize = 5;
/// A word that is chosen occurs this many times as often as it must.
const OFTEN: u64 = 5;
/// One in so many words of the text is too common: those are the words of grammar.
const COMMON: u64 = 1000;

pub(super) fn write(
    question: &Question<'_>,
    moves: &[LevelMoves],
    sheet: &mut Sheet,
) -> Result<(), ReportError> {
    sheet.section("words", "Words, one by one");
    let asked = question.asked.words;
    let words = if asked.is_empty() { chosen(question, moves) } else { distinct(asked) };
    if words.is_empty() {
        sheet.text("No word occurs often enough in every level to be chosen; --words names some.");
        return Ok(());
    }
    if asked.is_empty() {
        sheet.text(&format!(
            "Of the words that occur at least {} times in every level, and are not among the most common of all, those that moved most by their own use. Others: covec \
             report --words freedom,labor.",
            OFTEN * question.least(),
        ));
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

fn distinct(words: &[String]) -> Vec<String> {
    let mut own: Vec<String> = Vec::new();
    for word in words {
        if !own.contains(word) {
            own.push(word.clone());
        }
    }
    own
}

/// Words that occur often in every level, by the largest own part of theirs. The words of grammar
/// are passed over unless there are no others.
fn chosen(question: &Question<'_>, moves: &[LevelMoves]) -> Vec<String> {
    let least = OFTEN * question.least();
    let all: u64 = question.model.covariates.cells.iter().map(|cell| cell.tokens).sum();
    let mut best: BTreeMap<&str, (f64, usize, bool)> = BTreeMap::new();
    for row in moves.iter().filter_map(|own| own.words.as_ref()).flat_map(|own| &own.rows) {
        if row.count_to >= least {
            let (most, levels, common) = best.entry(&row.word).or_default();
            *most = most.max(row.own);
            *levels += 1;
            *common = row.count_from > all / COMMON;
        }
    }
    let mut words: Vec<(&str, (f64, usize, bool))> =
        best.into_iter().filter(|(_, (_, levels, _))| *levels == moves.len()).collect();
    if words.iter().any(|(_, (.., common))| !common) {
        words.retain(|(_, (.., common))| !common);
    }
    words.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.0.cmp(b.0)));
    words.into_iter().take(WORDS).map(|(word, _)| word.to_owned()).collect()
}
