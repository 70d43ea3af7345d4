//! Stage 8: how good are the vectors, by the usual tests.
//!
//! * **In:** a model, the views it is looked at under, and test sets: pairs of words that people rated
//!   ([`Kind::Similarity`]), words in categories ([`Kind::Categories`]), analogies ([`Kind::Analogies`]).
//! * **Out:** for every test, view and measure a score, its interval from a bootstrap over the test's items,
//!   and how many of the items the vocabulary covers.
//!   Or the tensor the model was trained on, and how well pairs that were kept out are predicted ([`held_out()`]).
//! * **Invariants:** the same rows at any number of threads. A word counts as known if the vocabulary has
//!   it, however rare it is under a level: a joint model has a vector for it everywhere. Baselines whose levels stand apart have
//!   none for words that a level does not have.
//! * **Cost:** analogies take a product of their words with the whole vocabulary; the others are small.

mod analogies;
mod calibration;
mod categories;
mod error;
mod held_out;
mod resampled;
mod set;
mod similarity;

use serde::Serialize;

pub use error::EvaluateError;
pub use held_out::held_out;
pub use set::{Item, Kind, TestSet};

use crate::analyse::{Lens, Part, View, normalise};
use crate::error::Error;
use crate::model::Model;
use crate::parallel;
use crate::parameters::{Whole, choice, parameters};
use crate::work::Work;
use resampled::Resampling;

parameters! {
    /// How vectors are tested.
    pub struct EvaluateParameters {
        missing: Missing = Missing::Omit, "omit|mean", "omit",
            "omit or mean" if |_: &Missing| true,
            "Words that the model does not have: leave their items out, or take the mean vector for them";
        resamples: Whole = Whole(1000), "N", "1000",
            "a whole number from 0 to 1000000" if |n: &Whole| n.0 <= 1_000_000,
            "Draws of a test's items that intervals are made from; 0 for none";
        confidence: f64 = 0.95, "SHARE", "0.95",
            "a number between 0.5 and 0.999" if |x: &f64| (0.5..=0.999).contains(x),
            "How sure intervals are";
        seed: Whole = Whole(1), "N", "1",
            "a whole number" if |_: &Whole| true,
            "Where the clusters start, and what is drawn";
    }
}

choice! {
    /// What becomes of items with words that the model does not have.
    pub enum Missing {
        /// They are left out.
        Omit = "omit",
        /// The mean of all vectors stands for the word.
        Mean = "mean",
    }
}

/// A score.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Scored {
    /// The test set.
    pub test: String,
    /// Under which levels; or of how many levels this is the mean.
    pub level: String,
    /// What is measured.
    pub measure: &'static str,
    /// The score; none where no item can be used.
    pub score: Option<f64>,
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Items that were used.
    pub used: usize,
    /// Items of the test.
    pub items: usize,
    /// Share of the items whose words the model has.
    pub coverage: f64,
}

/// A measure of a test: what it is called, its score, and what it is under draws of the items.
pub(crate) struct Measure {
    pub(crate) name: &'static str,
    pub(crate) score: Option<f64>,
    pub(crate) draws: Vec<f64>,
}

/// The words' vectors as a test asks for them, of length 1.
pub(crate) struct Space<'a> {
    pub(crate) model: &'a Model,
    lens: Lens<'a>,
    /// What stands for words that are missing.
    mean: Option<Vec<f32>>,
}

impl<'a> Space<'a> {
    fn new(
        model: &'a Model,
        view: &View,
        missing: Missing,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let lens = Lens::new(model, view, Part::Whole);
        let mean = match missing {
            Missing::Omit => None,
            Missing::Mean => {
                work.proceed()?;
                let mut sums = vec![0.0_f64; model.dim];
                let mut vector = vec![0.0; model.dim];
                for word in 0..model.vocabulary.len() {
                    lens.write(word, &mut vector);
                    sums.iter_mut().zip(&vector).for_each(|(sum, x)| *sum += f64::from(*x));
                }
                let mut mean: Vec<f32> = sums.iter().map(|sum| *sum as f32).collect();
                normalise(&mut mean);
                Some(mean)
            }
        };
        Ok(Self { model, lens, mean })
    }

    /// The word, as it is written or in small letters, if it has a vector here.
    pub(crate) fn find(&self, word: &str) -> Option<usize> {
        let vocabulary = &self.model.vocabulary;
        let id = vocabulary.id(word).or_else(|| vocabulary.id(&word.to_lowercase()));
        // Where levels have no base, words that one does not have have no vector there.
        let there = |id: &usize| {
            self.model.has_base() || self.lens.direction(*id).iter().any(|x| *x != 0.0)
        };
        id.map(|id| id as usize).filter(there)
    }

    /// Whether a word that was looked for has a vector, or something stands for it.
    pub(crate) fn covers(&self, word: Option<usize>) -> bool {
        word.is_some() || self.mean.is_some()
    }

    /// The vector of a word that was looked for; none where it is missing and nothing stands for it.
    pub(crate) fn vector(&self, word: Option<usize>) -> Option<Vec<f32>> {
        word.map(|word| self.lens.direction(word)).or_else(|| self.mean.clone())
    }

    /// Vectors of words in a row.
    pub(crate) fn directions(&self, words: &[u32], work: &Work<'_>) -> Result<Vec<f32>, Error> {
        self.lens.directions(words, work)
    }
}

/// Every test under every view. With several views that are levels, a row for each measure says what they are
/// on average, with an interval over the levels.
pub fn evaluate(
    model: &Model,
    tests: &[TestSet],
    views: &[View],
    parameters: &EvaluateParameters,
    work: &Work<'_>,
) -> Result<Vec<Scored>, Error> {
    parameters.check()?;
    View::possible(model, "eval", views)?;
    let mut rows = Vec::new();
    for test in tests {
        let of_views = parallel::tasks(work.threads, views.len(), |place| {
            work.proceed()?;
            // Views share the threads; within one there is but one.
            let alone = Work { threads: std::num::NonZeroUsize::MIN, ..*work };
            under(
                model,
                test,
                &views[place],
                parameters,
                if views.len() > 1 { &alone } else { work },
            )
        })?;
        let levels: Vec<&Vec<Scored>> = of_views
            .iter()
            .zip(views)
            .filter(|(_, view)| !view.levels.is_empty())
            .map(|(rows, _)| rows)
            .collect();
        let means = if levels.len() > 1 { means(&levels, parameters) } else { Vec::new() };
        rows.extend(of_views.concat());
        rows.extend(means);
    }
    Ok(rows)
}

/// A test under a view.
fn under(
    model: &Model,
    test: &TestSet,
    view: &View,
    parameters: &EvaluateParameters,
    work: &Work<'_>,
) -> Result<Vec<Scored>, Error> {
    let space = Space::new(model, view, parameters.missing, work)?;
    let resampling = Resampling { draws: parameters.resamples.0 as usize, seed: parameters.seed.0 };
    let known = test.items.iter().filter(|item| item.words.iter().all(|w| space.find(w).is_some()));
    let known = known.count();
    let (used, measures) = match test.kind {
        Kind::Similarity => similarity::measures(test, &space, &resampling),
        Kind::Categories => {
            categories::measures(test, &space, parameters.seed.0, &resampling, work)?
        }
        Kind::Analogies => analogies::measures(test, &space, &resampling, work)?,
    };
    let items = test.items.len();
    Ok(measures
        .into_iter()
        .map(|Measure { name, score, draws }| {
            let (low, high) = resampled::interval(draws, parameters.confidence);
            let (test, level) = (test.name.clone(), view.name.clone());
            let coverage = known as f64 / items as f64;
            Scored { test, level, measure: name, score, low, high, used, items, coverage }
        })
        .collect())
}

/// The mean of every measure over levels, with an interval over draws of the levels.
fn means(levels: &[&Vec<Scored>], parameters: &EvaluateParameters) -> Vec<Scored> {
    let resampling = Resampling { draws: parameters.resamples.0 as usize, seed: parameters.seed.0 };
    (0..levels[0].len())
        .map(|measure| {
            let rows = || levels.iter().map(|rows| &rows[measure]);
            let scores: Vec<f64> = rows().filter_map(|row| row.score).collect();
            let draws = resampling.of(scores.len(), |times| resampled::mean(&scores, times));
            let (low, high) = resampled::interval(draws, parameters.confidence);
            Scored {
                level: format!("mean of {} levels", scores.len()),
                score: resampled::mean(&scores, &vec![1; scores.len()]),
                low,
                high,
                ..levels[0][measure].clone()
            }
        })
        .collect()
}
