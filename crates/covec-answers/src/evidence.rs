//! Lines of the corpus beside the rows that speak of two words.

use covec::Error;
use covec::analyse::concordance::{Evidence, Line, Request, evidence};
use covec::analyse::drift::Mover;
use covec::analyse::explain::Explanation;
use covec::analyse::moved::MovedPair;
use covec::analyse::neighbors::Neighbor;
use covec::analyse::{Answer, View};
use covec::model::Model;
use covec::resample::{Sure, plain};
use serde::Serialize;

use crate::{Question, Table, Told};

/// Characters shown to either side of a word.
pub const WIDTH: usize = 40;

/// A row that speaks of two words under a level.
pub trait Pair {
    /// A word, the other, the level.
    fn pair(&self) -> [&str; 3];
}

impl Pair for Neighbor {
    fn pair(&self) -> [&str; 3] {
        [&self.word, &self.neighbor, &self.level]
    }
}

impl Pair for Mover {
    fn pair(&self) -> [&str; 3] {
        [&self.word, &self.other, &self.to]
    }
}

impl Pair for MovedPair {
    fn pair(&self) -> [&str; 3] {
        [&self.a, &self.b, &self.to]
    }
}

impl Pair for Explanation {
    fn pair(&self) -> [&str; 3] {
        [&self.a, &self.b, &self.to]
    }
}

/// What to look for in the corpus: for every row, lines in which both words occur.
pub fn requests<R: Pair>(model: &Model, rows: &[R]) -> Result<Vec<Request>, Error> {
    let mut requests = Vec::with_capacity(rows.len());
    for row in rows {
        let [word, near, level] = row.pair();
        let (word, near) = (model.word(word)?, Some(model.word(near)?));
        requests.push(Request { view: View::named(model, level)?, word, near });
    }
    Ok(requests)
}

/// A row with lines of the corpus in which both words occur.
#[derive(Debug, Default, Serialize)]
pub struct Shown<R> {
    #[serde(flatten)]
    row: R,
    /// How many there are.
    lines: u64,
    /// Some of them.
    evidence: Vec<String>,
}

/// Every row with its lines.
pub fn shown<R>(rows: Vec<R>, evidence: Vec<Evidence>) -> Vec<Shown<R>> {
    let text = |line: Line| format!("{}{}{}", line.left, line.written, line.right);
    let shown = rows.into_iter().zip(evidence).map(|(row, found)| Shown {
        row,
        lines: found.found,
        evidence: found.lines.into_iter().map(text).collect(),
    });
    shown.collect()
}

/// Lines for rows, if they are wanted.
pub(crate) fn wanted<R: Pair>(
    question: &Question<'_>,
    rows: &[R],
) -> Result<Option<Vec<Evidence>>, Error> {
    let Some(n) = question.asked.number("evidence")? else { return Ok(None) };
    let requests = requests(question.model, rows)?;
    find(question, &requests, n).map(Some)
}

/// At most `n` lines for every request; one pass over the corpus that was given.
pub(crate) fn find(
    question: &Question<'_>,
    requests: &[Request],
    n: usize,
) -> Result<Vec<Evidence>, Error> {
    question.needed("corpus", "the corpus the model was counted from")?;
    let corpus = question.asked.paths("corpus");
    let width = question.asked.number("width")?.unwrap_or(WIDTH);
    evidence(question.model, &corpus, requests, n, width, &question.work)
}

/// All rows with error bars, with lines of the corpus where they are wanted.
pub(crate) fn told_sure<R: Pair + Serialize + Clone>(
    question: &Question<'_>,
    answer: Answer<Sure<R>>,
) -> Result<Told, Error> {
    let table = match wanted(question, &plain(&answer.rows))? {
        None => Table::of_some(&answer.rows),
        Some(found) => Table::of_some(&shown(answer.rows, found)),
    };
    Ok(Told { left_out: answer.left_out, ..table.into() })
}

/// All rows, with lines of the corpus where they are wanted.
pub(crate) fn told<R: Pair + Serialize + Default>(
    question: &Question<'_>,
    answer: Answer<R>,
) -> Result<Told, Error> {
    match wanted(question, &answer.rows)? {
        None => Ok(question.told(&answer)),
        Some(found) => {
            let rows = shown(answer.rows, found);
            Ok(question.told(&Answer { rows, left_out: answer.left_out }))
        }
    }
}
