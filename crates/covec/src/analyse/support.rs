//! How often a word must occur under a level before anything is said of it there.

use serde::Serialize;

use super::{AnalyseError, View};
use crate::model::Model;
use crate::parameters::{Whole, parameters};

parameters! {
    /// What is said of rare words: nothing.
    pub struct SupportParameters {
        min_support: Whole = Whole(20), "N", "20",
            "a whole number" if |_: &Whole| true,
            "Words that occur less often in a level are left out there";
    }
}

/// Rows, and how many words had to be left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer<R> {
    /// The rows.
    pub rows: Vec<R>,
    /// Words that are too rare to be spoken of.
    pub left_out: usize,
}

impl<R> Default for Answer<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), left_out: 0 }
    }
}

impl<R> Answer<R> {
    /// Adds the rows of another; of what each left out, the most.
    pub fn join(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.left_out = self.left_out.max(other.left_out);
    }
}

impl SupportParameters {
    /// The words that occur often enough under every one of the views.
    pub fn words(&self, model: &Model, views: &[&View]) -> Vec<u32> {
        let enough = |&word: &u32| {
            views.iter().all(|view| view.count(model, word as usize) >= self.min_support.0)
        };
        (0..model.vocabulary.len() as u32).filter(enough).collect()
    }

    /// How many words can be picked under some levels, of each those that occur often enough there. The base counts for nothing: no
    /// shuffle of labels says anything of it.
    pub fn picks(&self, model: &Model, views: &[View]) -> usize {
        let levels = views.iter().filter(|view| !view.levels.is_empty());
        levels.map(|view| self.words(model, &[view]).len()).sum()
    }

    /// An error unless all of some words occur often enough together in one of the views at least.
    pub fn anywhere(
        &self,
        model: &Model,
        words: &[usize],
        views: &[View],
    ) -> Result<(), AnalyseError> {
        let rarest = |view: &'_ View| {
            words.iter().map(|&word| (view.count(model, word), word)).min().unwrap_or((u64::MAX, 0))
        };
        // The best of them, of equal ones the first.
        let Some(best) = views.iter().rev().max_by_key(|view| rarest(view).0) else {
            return Ok(());
        };
        let ((count, word), least) = (rarest(best), self.min_support.0);
        if count >= least {
            return Ok(());
        }
        let word = model.vocabulary.words[word].clone();
        Err(AnalyseError::TooRare { word, level: best.name.clone(), count, least })
    }
}
