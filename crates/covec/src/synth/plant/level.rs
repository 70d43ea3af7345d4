//! The level in which words are swapped.

use super::PlantError;
use crate::corpus::{Document, FactorPlan, Plan};
use crate::error::Error;
use crate::suggest::did_you_mean;

/// A level of one factor.
#[derive(Debug)]
pub(super) struct Target {
    /// `factor=level`.
    pub(super) name: String,
    /// The factor's name.
    pub(super) factor: String,
    /// Its place in the plan.
    place: usize,
    level: String,
}

impl Target {
    /// What a user means by `factor=level`, or by `level` where there is one factor.
    pub(super) fn named(text: &str, factors: &[FactorPlan]) -> Result<Self, PlantError> {
        let level_of = |factor: &FactorPlan| text.strip_prefix(&factor.name)?.strip_prefix('=');
        let named = factors.iter().enumerate().find_map(|(f, own)| Some((f, level_of(own)?)));
        let alone = (factors.len() == 1 && !text.contains('=')).then_some((0, text));
        let Some((place, level)) = named.or(alone) else {
            let names: Vec<&str> = factors.iter().map(|factor| factor.name.as_str()).collect();
            let given = text.split_once('=').map_or(text, |(factor, _)| factor);
            let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let suggestion = did_you_mean(given, names.into_iter());
            return Err(PlantError::UnknownFactor { given: text.to_owned(), suggestion, there });
        };
        let factor = factors[place].name.clone();
        Ok(Self { name: format!("{factor}={level}"), factor, place, level: level.to_owned() })
    }

    /// The level a document has in the factor, and whether it is this one.
    pub(super) fn look(
        &self,
        plan: &Plan,
        document: &Document<'_>,
    ) -> Result<(String, bool), Error> {
        let level = document.level(plan, self.place)?.name;
        let here = level == self.level;
        Ok((level, here))
    }
}
