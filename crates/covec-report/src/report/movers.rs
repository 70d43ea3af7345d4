//! What moved most under every level: words, by their own and by the topical part, and pairs.

use covec::analyse::drift::{Direction, DriftParameters};
use covec::analyse::moved::{self, Moved, MovedBy, MovedPair};
use covec::analyse::{AnalyseError, Answer, View};

use super::figures::{count, counted};
use super::sheet::Sheet;
use super::table::{Cell, Table};
use super::{Question, ReportError};
use crate::{Chart, ChartError, Point, Scatter};

/// Words of a scatter: all that moved most, and some of the rest.
const FIRST: usize = 400;
const POINTS: usize = 1500;

/// What moved from the base to a level.
pub(super) struct LevelMoves {
    pub(super) view: View,
    /// All words, by their own part; none where too few occur often enough.
    pub(super) words: Option<Answer<Moved>>,
    pairs: Vec<MovedPair>,
}

/// Asks for every level that is compared.
pub(super) fn ask(question: &Question<'_>) -> Result<Vec<LevelMoves>, ReportError> {
    let Question { model, asked, work, .. } = question;
    let (base, parameters) = (View::base(), DriftParameters::default());
    let all = question.compared().count().max(1) as f64;
    let mut moves = Vec::new();
    for (place, view) in question.compared().enumerate() {
        question.tell("what moved", 0.1 + 0.8 * place as f64 / all);
        let words = moved::words(model, &base, view, &parameters, &asked.support, work);
        let words = match words {
            Err(covec::Error::Analyse(AnalyseError::NoWords { .. })) => None,
            found => Some(found?),
        };
        let pairs = match words {
            Some(_) => moved::pairs(model, &base, view, asked.rows, &asked.support, work)?.rows,
            None => Vec::new(),
        };
        moves.push(LevelMoves { view: view.clone(), words, pairs });
    }
    Ok(moves)
}

pub(super) fn write(
    question: &Question<'_>,
    moves: &[LevelMoves],
    sheet: &mut Sheet,
) -> Result<(), ReportError> {
    sheet.section("moved", "Words that are used differently");
    if moves.is_empty() {
        sheet.text("Without levels nothing can be compared.");
        return Ok(());
    }
    sheet.text(
        "From the base to a level, the words a word is expected to meet change. Two parts are told apart. Topical: the \
         level talks more or less of whole topics, and the word goes with them. Own: the word itself is used in another way \
         there. Both are in one unit: 0.1 means that the typical word of its company is met some 10 % more or less often.",
    );
    sheet.note(
        "Of a rare word little is known, and its own part is drawn to 0 as long as that is so: that it is small does not say that the \
         word is used as elsewhere. Compare a word with others that occur as often, at the same place from left to \
         right in the picture. Overlap is the share of its 100 nearest words that a word keeps.",
    );
    question.left_out().into_iter().for_each(|text| sheet.note(&text));
    let panels: Vec<(String, &LevelMoves)> =
        moves.iter().map(|own| (own.view.name.clone(), own)).collect();
    sheet.choice("Level", &panels, |sheet, own| panel(question, own, sheet))
}

fn panel(question: &Question<'_>, own: &LevelMoves, sheet: &mut Sheet) -> Result<(), ReportError> {
    let rows = question.asked.rows;
    let Some(Answer { rows: words, left_out }) = &own.words else {
        sheet.text(&format!(
            "Too rare to say: hardly any word occurs {} times here.",
            question.least()
        ));
        return Ok(());
    };
    sheet.many_points(&scatter(words)?);
    let mut topical: Vec<&Moved> = words.iter().collect();
    topical.sort_by(|a, b| b.topical.total_cmp(&a.topical));
    sheet.beside(&[
        table("Moved most by their own use", words.iter().take(rows)),
        table("Moved most with their topics", topical.into_iter().take(rows)),
    ]);
    let lists: Vec<Table> = [MovedBy::Own, MovedBy::Topical]
        .into_iter()
        .flat_map(|part| [Direction::Closer, Direction::Further].map(|towards| (part, towards)))
        .map(|(part, towards)| pairs(&own.pairs, part, towards))
        .collect();
    sheet.small("Pairs of words that moved");
    sheet.beside(&lists);
    sheet.note(&format!(
        "× is how many times their distance in the base two words are apart here; below 1 is closer. {} too \
         rare to say here or in the base ({} times).",
        match left_out {
            1 => "1 word is".to_owned(),
            n => format!("{} are", counted(*n as u64, "word")),
        },
        question.least(),
    ));
    Ok(())
}

/// The words that moved most, and every so many-th of the others.
fn scatter(words: &[Moved]) -> Result<Chart, ChartError> {
    let rest = words.len().saturating_sub(FIRST);
    let step = rest.div_ceil(POINTS - FIRST).max(1);
    let shown = words.iter().take(FIRST).chain(words.iter().skip(FIRST).step_by(step));
    let points = shown.map(|row| Point {
        label: row.word.clone(),
        x: row.count_to.max(1) as f64,
        y: row.own,
        ..Point::default()
    });
    let scatter =
        Scatter { points: points.collect(), log_x: true, labels: 30, ..Scatter::default() };
    let to = words.first().map_or("", |row| row.to.as_str());
    let mut subtitle = "How far each moved by its own use, against how often it occurs".to_owned();
    if step > 1 {
        subtitle += &format!("; below the {FIRST} that moved most, one of {step} is drawn");
    }
    Ok(Chart::new(format!("Words from the base to {to}"), scatter)?
        .with_subtitle(subtitle)
        .with_x_label(format!("occurrences in {to}"))
        .with_y_label("own drift"))
}

fn table<'a>(caption: &str, rows: impl Iterator<Item = &'a Moved>) -> Table {
    let mut table =
        Table::new(["word", "own", "topical", "overlap", "occurs"]).with_caption(caption);
    for row in rows {
        table.push(vec![
            Cell::text(&row.word),
            Cell::number(&format!("{:.2}", row.own)),
            Cell::number(&format!("{:.2}", row.topical)),
            Cell::number(&format!("{:.2}", row.overlap)),
            Cell::number(&count(row.count_to)),
        ]);
    }
    table
}

fn pairs(rows: &[MovedPair], part: MovedBy, towards: Direction) -> Table {
    let (by, factor): (_, fn(&MovedPair) -> f64) = match part {
        MovedBy::Topical => ("with their topics", |row| row.topical),
        MovedBy::Own => ("by own use", |row| row.own),
    };
    let caption = match towards {
        Direction::Closer => format!("Closer {by}"),
        Direction::Further => format!("Further {by}"),
    };
    let mut table = Table::new(["pair", "×"]).with_caption(&caption);
    for row in rows.iter().filter(|row| row.part == part && row.direction == towards) {
        table.push(vec![
            Cell::text(&format!(
                "{} ({}) – {} ({})",
                row.a,
                count(row.a_count_to),
                row.b,
                count(row.b_count_to)
            )),
            Cell::number(&format!("{:.2}", factor(row))),
        ]);
    }
    table
}
