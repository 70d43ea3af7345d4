//! Words that moved, and whether that is more than chance.

use std::collections::HashMap;

use serde::Serialize;

use super::{ResampleError, Resamples, Shifted, Sure};
use crate::analyse::View;
use crate::analyse::moved::Moved;
use crate::error::Error;
use crate::model::Model;

/// What is said of a word that may not have moved at all.
pub const NOTHING: &str = "not distinguishable from no change";
/// What is said of one whose company elsewhere says nothing.
pub const UNTESTED: &str = "not tested: too rare elsewhere";
/// q up to which a word is said to have moved.
pub const MOST: f64 = 0.1;

/// A word that moved, and how sure that is.
#[derive(Debug, Clone, Serialize)]
pub struct Tested {
    /// The word.
    #[serde(flatten)]
    pub sure: Sure<Moved>,
    /// What shuffled labels say, where there are some.
    #[serde(flatten)]
    pub test: Option<Test>,
    /// [`NOTHING`] or [`UNTESTED`], if that is what can be said.
    pub verdict: Option<&'static str>,
}

/// How a word's company shifted, by labels shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Test {
    /// How far its company is off, without what chance adds.
    pub shift: Option<f64>,
    /// What it is ranked by.
    pub score: Option<f64>,
    /// How often words of like frequency reach that score by chance.
    pub p: Option<f64>,
    /// The same over all words and levels that were tested.
    pub q: Option<f64>,
}

/// What shuffled labels say of words, by the name of the level and the word.
#[derive(Debug)]
pub struct Tests(HashMap<(String, String), Shifted>);

impl Tests {
    /// Of every word, for each of some comparisons of the base with one level; none where no labels were shuffled.
    pub fn new(
        resamples: &Resamples,
        model: &Model,
        comparisons: &[(View, View)],
    ) -> Result<Option<Self>, Error> {
        if resamples.shuffled.is_none() {
            return Ok(None);
        }
        let mut levels = Vec::new();
        for (from, to) in comparisons {
            let ([level], []) = (&to.levels[..], &from.levels[..]) else {
                let several = if from.levels.is_empty() { to } else { from };
                return Err(only_levels(&several.name).into());
            };
            levels.push(*level);
        }
        let names = model.covariates.level_names();
        let found = resamples.shifted(model, &levels)?.into_iter().flatten();
        let named = |row: Shifted| {
            ((names[row.level].clone(), model.vocabulary.words[row.word].clone()), row)
        };
        Ok(Some(Self(found.map(named).collect())))
    }

    fn of(&self, row: &Moved) -> Test {
        let found = self.0.get(&(row.to.clone(), row.word.clone()));
        let of = |value: fn(&Shifted) -> f64| found.map(value);
        Test {
            shift: of(|row| row.shift),
            score: of(|row| row.score),
            p: of(|row| row.p),
            q: of(|row| row.q),
        }
    }
}

fn only_levels(name: &str) -> ResampleError {
    ResampleError::Question {
        problem: format!(
            "shuffled labels tell one level from all others of its factor, not {name}"
        ),
        expected: "the base compared with one level".to_owned(),
        way_out: "--in LEVEL with one level, or a --boot of covec bootstrap alone".to_owned(),
    }
}

/// A verdict for every word: by its q where labels were shuffled, by its interval where documents were drawn.
pub fn tested(rows: Vec<Sure<Moved>>, tests: Option<&Tests>) -> Vec<Tested> {
    let row = |sure: Sure<Moved>| {
        let test = tests.map(|tests| tests.of(&sure.row));
        let verdict = match test.map(|test| test.q) {
            Some(None) => Some(UNTESTED),
            Some(Some(q)) => (q > MOST).then_some(NOTHING),
            None => (sure.may_be_nothing("own") != Some(false)).then_some(NOTHING),
        };
        Tested { sure, test, verdict }
    };
    rows.into_iter().map(row).collect()
}
