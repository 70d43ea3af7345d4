//! Under which levels a model is looked at.

use super::factor::levels_of;
use super::{AnalyseError, question};
use crate::error::Error;
use crate::model::{Model, ModelError, Need};

/// Levels that hold together, at most one of each factor; none for the base, the average of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// `base`, `party=R`, or `party=R,year=2010s`.
    pub name: String,
    /// The levels, among all factors' levels in a row.
    pub levels: Vec<usize>,
}

impl View {
    /// No levels: the base vectors.
    pub const BASE: &'static str = "base";

    /// The base.
    pub fn base() -> Self {
        Self { name: Self::BASE.to_owned(), levels: Vec::new() }
    }

    /// What a user means by `factor=level`, `level`, several of them joined by commas, or `base`.
    pub fn named(model: &Model, text: &str) -> Result<Self, Error> {
        match model.levels_named(text) {
            Ok(levels) => Ok(Self::of(model, levels)),
            Err(_) if text == Self::BASE => Ok(Self::base()),
            Err(error) => Err(error),
        }
    }

    /// A view for each text; every level of the first factor where there are none.
    pub fn all_named<S: AsRef<str>>(model: &Model, texts: &[S]) -> Result<Vec<Self>, Error> {
        if texts.is_empty() {
            return Ok(Self::of_factor(model, 0));
        }
        texts.iter().map(|text| Self::named(model, text.as_ref())).collect()
    }

    /// Every level of a factor; none where there is no such factor.
    pub fn of_factor(model: &Model, factor: usize) -> Vec<Self> {
        if factor >= model.covariates.factors.len() {
            return Vec::new();
        }
        levels_of(model, factor).map(|level| Self::of(model, vec![level])).collect()
    }

    /// Every level of every factor.
    pub fn each(model: &Model) -> Vec<Self> {
        (0..model.covariates.factors.len()).flat_map(|f| Self::of_factor(model, f)).collect()
    }

    fn of(model: &Model, levels: Vec<usize>) -> Self {
        let names = model.covariates.level_names();
        let name: Vec<&str> = levels.iter().map(|&level| names[level].as_str()).collect();
        Self { name: name.join(","), levels }
    }

    /// An error where the method that made the model says nothing under one of some views.
    pub(crate) fn possible<'a>(
        model: &Model,
        question: &'static str,
        views: impl IntoIterator<Item = &'a Self>,
    ) -> Result<(), ModelError> {
        views.into_iter().try_for_each(|view| match view.levels.len() {
            0 => model.gives(Need::Base, question),
            1 => Ok(()),
            _ => model.gives(Need::Combination, question),
        })
    }

    /// An error where it does not say how two views differ.
    pub(crate) fn comparable(
        model: &Model,
        question: &'static str,
        views: [&Self; 2],
    ) -> Result<(), ModelError> {
        model.gives(Need::Comparison, question)?;
        Self::possible(model, question, views)
    }

    /// An error where a view would be compared with itself.
    pub fn differs_from(&self, other: &Self) -> Result<(), AnalyseError> {
        if self.levels == other.levels {
            return Err(question(
                format!("'{}' is compared with itself", self.name),
                "two different levels",
                "--between A B with A and B apart, or --in LEVEL",
            ));
        }
        Ok(())
    }

    /// What is to be known of views of several levels, by their names: that no text is of all of them, or that counts of words
    /// there are not known. Names that are none say nothing.
    pub fn cautions<S: AsRef<str>>(model: &Model, texts: &[S]) -> Vec<String> {
        let cells = model.covariates.flat_levels();
        let views = texts.iter().filter_map(|text| Self::named(model, text.as_ref()).ok());
        let several = views.filter(|view| view.levels.len() > 1);
        let caution = several.map(|view| {
            let heard = cells.iter().any(|own| view.levels.iter().all(|level| own.contains(level)));
            if heard {
                format!("how often a word occurs in {} is at most what is told: the least of its levels'", view.name)
            } else {
                format!("there is no text of {}: what is told is what its levels make one expect", view.name)
            }
        });
        caution.collect()
    }

    /// Levels that are compared and in which no word deviates, though it does in others: own parts are about the mean of all
    /// levels, and there say nothing but that.
    pub fn lacking_own(model: &Model, comparisons: &[(Self, Self)]) -> Vec<String> {
        let deviations = &model.deviations.levels;
        if deviations.is_empty() {
            return Vec::new();
        }
        let compared = comparisons.iter().flat_map(|(from, to)| [from, to]);
        let mut lacking: Vec<usize> = compared.flat_map(|view| view.levels.clone()).collect();
        lacking.retain(|level| deviations.binary_search(&(*level as u32)).is_err());
        lacking.sort_unstable();
        lacking.dedup();
        let names = model.covariates.level_names();
        let caution = |level: usize| {
            format!(
                "no word deviates in {}, where that predicts held-out pairs no better: what is told as own there is how far the other levels are from their mean",
                names[level]
            )
        };
        lacking.into_iter().map(caution).collect()
    }

    /// How often a word occurs here; with several levels, at most as often as in each.
    pub fn count(&self, model: &Model, word: usize) -> u64 {
        model.count_in(word, &self.levels)
    }
}
