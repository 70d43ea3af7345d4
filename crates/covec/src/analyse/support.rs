//! How often a word must occur under a level before anything is said of it there.

use serde::Serialize;

use super::View;
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

impl SupportParameters {
    /// The words that occur often enough under every one of the views.
    pub fn words(&self, model: &Model, views: &[&View]) -> Vec<u32> {
        let enough = |&word: &u32| {
            views.iter().all(|view| view.count(model, word as usize) >= self.min_support.0)
        };
        (0..model.vocabulary.len() as u32).filter(enough).collect()
    }
}
