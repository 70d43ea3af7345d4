//! Drift with error bars: which moves are more than chance.

use std::collections::HashMap;

use covec::analyse::drift::{DriftParameters, drift};
use covec::analyse::moved::{self, Moved};
use covec::analyse::{Answer, View};
use covec::resample::measures::{of_moved, of_movers, of_pairs};
use covec::resample::{Resamples, Shifted, Sure};
use serde::Serialize;

use super::sort;
use crate::failure::Failure;
use crate::question::Question;
use crate::table::{Format, thousands};

/// What is said of a word that may not have moved at all.
const NOTHING: &str = "not distinguishable from no change";
/// q up to which a word is said to have moved.
const MOST: f64 = 0.1;

/// A word that moved, and how sure that is.
#[derive(Serialize)]
struct Tested {
    #[serde(flatten)]
    sure: Sure<Moved>,
    #[serde(flatten)]
    test: Option<Test>,
    verdict: Option<&'static str>,
}

/// How its company shifted, by labels shuffled.
#[derive(Clone, Copy, Serialize)]
struct Test {
    shift: Option<f64>,
    score: Option<f64>,
    p: Option<f64>,
    q: Option<f64>,
}

/// Words that moved most, over the whole vocabulary.
pub(super) fn words(
    question: &Question<'_>,
    resamples: &Resamples,
    comparisons: &[(View, View)],
    parameters: &DriftParameters,
) -> Result<(), Failure> {
    let Question { model, support, work, most, .. } = question;
    let tests = tests(question, resamples, comparisons)?;
    let (mut rows, mut left_out) = (Vec::new(), 0);
    let mut told = Vec::new();
    for (from, to) in comparisons {
        let mut own = moved::words(model, from, to, parameters, support, work)?;
        left_out = left_out.max(own.left_out);
        let by = question.text("by").unwrap_or("own");
        sort(&mut own.rows, by);
        let measure = |model: &_, rows: &[Moved]| of_moved(model, rows, (from, to), support, work);
        let sure = resamples.sure(model, own.rows, measure, work)?;
        let mut tested: Vec<Tested> = sure
            .into_iter()
            .map(|sure| {
                let test = tests.as_ref().map(|tests| test(tests, &sure.row));
                let nothing = match test {
                    Some(test) => test.q.map(|q| q > MOST),
                    None => sure.may_be_nothing("own"),
                };
                let verdict = (nothing != Some(false)).then_some(NOTHING);
                Tested { sure, test, verdict }
            })
            .collect();
        if tests.is_some() && by == "own" {
            let score = |row: &Tested| row.test.and_then(|test| test.score).unwrap_or(0.0);
            tested.sort_by(|a, b| score(b).total_cmp(&score(a)));
        }
        let moved = tested.iter().filter(|row| row.verdict.is_none()).count();
        told.push(format!(
            "{}: {} of {} words moved by more than chance",
            to.name,
            thousands(moved as u64),
            thousands(tested.len() as u64)
        ));
        tested.truncate(*most);
        rows.extend(tested);
    }
    if question.format == Format::Table {
        told.iter().for_each(|line| question.screen.say(line));
    }
    question.print_bars(&rows, left_out, usize::MAX)
}

/// By the name of the view and the word.
type Tests = HashMap<(String, String), Shifted>;

/// What shuffled labels say of every word, where there are some.
fn tests(
    question: &Question<'_>,
    resamples: &Resamples,
    comparisons: &[(View, View)],
) -> Result<Option<Tests>, Failure> {
    if resamples.shuffled.is_none() {
        return Ok(None);
    }
    let model = &question.model;
    let mut levels = Vec::new();
    for (from, to) in comparisons {
        let [level] = to.levels[..] else {
            return Err(only_levels(&to.name));
        };
        if !from.levels.is_empty() {
            return Err(only_levels(&from.name));
        }
        levels.push(level);
    }
    let names = model.covariates.level_names();
    let found = resamples.shifted(model, &levels)?.into_iter().flatten();
    let named =
        |row: Shifted| ((names[row.level].clone(), model.vocabulary.words[row.word].clone()), row);
    Ok(Some(found.map(named).collect()))
}

fn only_levels(name: &str) -> Failure {
    Failure::Usage(format!(
        "shuffled labels tell one level from all others of its factor, not {name}\n  \
         way out: --in LEVEL with one level, or a --boot of covec bootstrap alone"
    ))
}

fn test(tests: &Tests, row: &Moved) -> Test {
    let found = tests.get(&(row.to.clone(), row.word.clone()));
    let of = |value: fn(&Shifted) -> f64| found.map(value);
    Test {
        shift: of(|row| row.shift),
        score: of(|row| row.score),
        p: of(|row| row.p),
        q: of(|row| row.q),
    }
}

/// Pairs of words that moved most.
pub(super) fn pairs(
    question: &Question<'_>,
    resamples: &Resamples,
    comparisons: &[(View, View)],
) -> Result<(), Failure> {
    let Question { model, support, work, most, .. } = question;
    let mut answer = Answer::default();
    for (from, to) in comparisons {
        answer.join(moved::pairs(model, from, to, *most, support, work)?);
    }
    let rows = resamples.sure(model, answer.rows, of_pairs, work)?;
    question.print_bars(&rows, answer.left_out, usize::MAX)
}

/// What moved relative to words.
pub(super) fn of_words(
    question: &Question<'_>,
    resamples: &Resamples,
    words: &[String],
    comparisons: &[(View, View)],
    parameters: &DriftParameters,
) -> Result<(), Failure> {
    let Question { model, support, work, most, .. } = question;
    let mut answer = Answer::default();
    for word in words {
        let id = model.word(word)?;
        for (from, to) in comparisons {
            let least = from.count(model, id).min(to.count(model, id));
            if least >= support.min_support.0 || comparisons.len() == 1 {
                answer.join(drift(model, word, (from, to), *most, parameters, support, work)?);
            }
        }
    }
    let rows = resamples.sure(model, answer.rows, of_movers, work)?;
    question.print_bars(&rows, answer.left_out, usize::MAX)
}
