//! What moved most under every level: words, by their own and by the topical part, and pairs.

use covec::analyse::drift::{Direction, DriftParameters};
use covec::analyse::moved::{self, Moved, MovedBy, MovedPair};
use covec::analyse::{AnalyseError, Answer, View, factor_named, levels_of};
use covec::resample::Sure;
use covec::resample::measures::{of_moved, of_pairs};
use covec::resample::tested::{NOTHING, Tested, Tests, tested};

use super::figures::{count, counted};
use super::sheet::{Sheet, drawn};
use super::sure::{Sureness, estimate};
use super::table::{Cell, Table};
use super::{Question, ReportError};
use crate::answers::drift::sure_words;
use crate::{Chart, ChartError, Point, Scatter};

/// Words of a scatter: all that moved most, and some of the rest.
const FIRST: usize = 400;
const POINTS: usize = 1500;

/// What moved from the base to a level.
pub(super) struct LevelMoves {
    pub(super) view: View,
    /// All words, by their own part; none where too few occur often enough.
    pub(super) words: Option<Answer<Moved>>,
    /// The same with how sure that is; empty where nothing tells.
    pub(super) tested: Vec<Tested>,
    pairs: Vec<MovedPair>,
    sureness: Sureness,
}

/// Asks for every level that is compared.
pub(super) fn ask(question: &Question<'_>) -> Result<Vec<LevelMoves>, ReportError> {
    let Question { model, asked, work, .. } = question;
    let (base, parameters) = (View::base(), DriftParameters::default());
    let all = question.compared().count().max(1) as f64;
    let tests = tests(question)?;
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
        let sureness = question.sureness(&pairs, of_pairs)?;
        let tested = match &words {
            Some(words) => sure(question, view, &words.rows, tests.as_ref())?,
            None => Vec::new(),
        };
        moves.push(LevelMoves { view: view.clone(), words, tested, pairs, sureness });
    }
    Ok(moves)
}

/// The levels whose labels were shuffled, and what that says of words there.
fn tests(question: &Question<'_>) -> Result<Option<(Vec<usize>, Tests)>, ReportError> {
    let Question { model, asked, views, .. } = question;
    let resamples = asked.resamples.filter(|resamples| resamples.shuffled.is_some());
    let Some((resamples, shuffled)) = resamples.and_then(|own| Some((own, own.shuffled.as_ref()?)))
    else {
        return Ok(None);
    };
    let factor = factor_named(model, shuffled.plan.factor.as_deref())?;
    let own = views.get(factor).map_or(&[][..], Vec::as_slice);
    let comparisons: Vec<(View, View)> =
        own.iter().map(|view| (View::base(), view.clone())).collect();
    let tests = Tests::new(resamples, model, &comparisons)?;
    Ok(tests.map(|tests| (levels_of(model, factor).collect(), tests)))
}

/// How sure the moves of words are, where replicates tell.
fn sure(
    question: &Question<'_>,
    view: &View,
    words: &[Moved],
    tests: Option<&(Vec<usize>, Tests)>,
) -> Result<Vec<Tested>, ReportError> {
    let Question { model, asked, work, .. } = question;
    let Some(resamples) = asked.resamples else { return Ok(Vec::new()) };
    let tests = tests.filter(|(levels, _)| view.levels.iter().all(|level| levels.contains(level)));
    if resamples.drawn.is_none() && tests.is_none() {
        return Ok(Vec::new());
    }
    let base = View::base();
    let measure =
        |model: &_, rows: &[Moved]| of_moved(model, rows, (&base, view), &asked.support, work);
    let sure = resamples.sure(model, words.to_vec(), measure, work)?;
    Ok(tested(sure, tests.map(|(_, tests)| tests)))
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
    let mut listed = Listed::all(words, &own.tested);
    sheet.many_points(&scatter(&listed)?);
    if !own.tested.is_empty() {
        let moved = own.tested.iter().filter(|row| row.verdict.is_none()).count();
        sheet.text(&format!(
            "{} of {}: {}; those marked with ? are {NOTHING}.",
            count(moved as u64),
            counted(words.len() as u64, "word"),
            moved_by(&own.tested[0])
        ));
    }
    let by_own = table("Moved most by their own use", listed.iter().take(rows));
    let bars: Vec<&Sure<Moved>> =
        listed.iter().take(rows).filter_map(|own| Some(&own.tested?.sure)).collect();
    if bars.iter().any(|sure| sure.bars.iter().any(|bar| bar.interval.is_some())) {
        drawn(sheet, sure_words(bars))?;
    }
    listed.sort_by(|a, b| b.row.topical.total_cmp(&a.row.topical));
    sheet.beside(&[by_own, table("Moved most with their topics", listed.iter().take(rows))]);
    let lists: Vec<Table> = [MovedBy::Own, MovedBy::Topical]
        .into_iter()
        .flat_map(|part| [Direction::Closer, Direction::Further].map(|towards| (part, towards)))
        .map(|(part, towards)| pairs(own, part, towards))
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

/// What is said of a word that moved: shuffled labels tell of all words together, an interval of its own one.
fn moved_by(tested: &Tested) -> &'static str {
    match tested.test {
        Some(_) => "moved by more than chance",
        None => "interval above 0, each by itself, so some by chance",
    }
}

/// A word that moved, with how sure that is, if that is known.
struct Listed<'a> {
    row: &'a Moved,
    tested: Option<&'a Tested>,
}

impl<'a> Listed<'a> {
    /// All words, those that moved most by their own use first, or by the test where there is one.
    fn all(words: &'a [Moved], tested: &'a [Tested]) -> Vec<Self> {
        let listed = words.iter().enumerate();
        let mut listed: Vec<Self> =
            listed.map(|(at, row)| Self { row, tested: tested.get(at) }).collect();
        let score = |own: &Self| own.tested.and_then(|own| own.test?.score);
        if listed.iter().any(|own| score(own).is_some()) {
            let score = |own: &Self| score(own).unwrap_or(0.0);
            listed.sort_by(|a, b| score(b).total_cmp(&score(a)));
        }
        listed
    }

    /// What cannot be told from nothing is marked.
    fn name(&self) -> String {
        let mark = if self.tested.is_some_and(|own| own.verdict.is_some()) { " ?" } else { "" };
        format!("{}{mark}", self.row.word)
    }

    fn q(&self) -> Option<f64> {
        self.tested?.test?.q
    }
}

/// The words that moved most, and every so many-th of the others.
fn scatter(words: &[Listed<'_>]) -> Result<Chart, ChartError> {
    let rest = words.len().saturating_sub(FIRST);
    let step = rest.div_ceil(POINTS - FIRST).max(1);
    let shown = words.iter().take(FIRST).chain(words.iter().skip(FIRST).step_by(step));
    let group = |tested: &Tested| tested.verdict.unwrap_or(moved_by(tested)).to_owned();
    let points = shown.map(|own| Point {
        label: own.row.word.clone(),
        x: own.row.count_to.max(1) as f64,
        y: own.row.own,
        group: own.tested.map(group),
        ..Point::default()
    });
    let scatter =
        Scatter { points: points.collect(), log_x: true, labels: 30, ..Scatter::default() };
    let to = words.first().map_or("", |own| own.row.to.as_str());
    let mut subtitle = "How far each moved by its own use, against how often it occurs".to_owned();
    if step > 1 {
        subtitle += &format!("; below the {FIRST} that moved most, one of {step} is drawn");
    }
    Ok(Chart::new(format!("Words from the base to {to}"), scatter)?
        .with_subtitle(subtitle)
        .with_x_label(format!("occurrences in {to}"))
        .with_y_label("own drift"))
}

fn table<'l, 'a: 'l>(caption: &str, rows: impl Iterator<Item = &'l Listed<'a>> + Clone) -> Table {
    let mut columns = vec!["word", "own", "topical", "overlap", "occurs"];
    let tested = rows.clone().any(|own| own.q().is_some());
    if tested {
        columns.push("q");
    }
    let mut table = Table::new(columns).with_caption(caption);
    for own in rows {
        let (row, bars) = (own.row, own.tested.map(|own| &own.sure.bars));
        let mut cells = vec![
            Cell::text(&own.name()),
            Cell::estimate(estimate(row.own, bars, "own"), two),
            Cell::estimate(estimate(row.topical, bars, "topical"), two),
            Cell::number(&two(row.overlap)),
            Cell::number(&count(row.count_to)),
        ];
        if tested {
            cells.push(Cell::maybe(own.q(), |q| format!("{q:.3}")));
        }
        table.push(cells);
    }
    table
}

fn pairs(moves: &LevelMoves, part: MovedBy, towards: Direction) -> Table {
    let (by, measure, factor): (_, _, fn(&MovedPair) -> f64) = match part {
        MovedBy::Topical => ("with their topics", "topical", |row| row.topical),
        MovedBy::Own => ("by own use", "own", |row| row.own),
    };
    let caption = match towards {
        Direction::Closer => format!("Closer {by}"),
        Direction::Further => format!("Further {by}"),
    };
    let mut table = Table::new(["pair", "×"]).with_caption(&caption);
    for (at, row) in moves.pairs.iter().enumerate() {
        if row.part != part || row.direction != towards {
            continue;
        }
        table.push(vec![
            Cell::text(&format!(
                "{} ({}) – {} ({})",
                row.a,
                count(row.a_count_to),
                row.b,
                count(row.b_count_to)
            )),
            Cell::estimate(estimate(factor(row), moves.sureness.get(at), measure), two),
        ]);
    }
    table
}

fn two(number: f64) -> String {
    format!("{number:.2}")
}
