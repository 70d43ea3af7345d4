//! Which factor of a model a question is about.

use std::ops::Range;

use super::question;
use crate::error::Error;
use crate::model::Model;
use crate::suggest::did_you_mean;

/// The place of the factor of this name; of the first one where none is named.
pub fn factor_named(model: &Model, name: Option<&str>) -> Result<usize, Error> {
    let factors = &model.covariates.factors;
    if factors.is_empty() {
        let problem = "the model has no factor: all its documents are of one kind";
        let way_out = "count the corpus again with --by, and train on that";
        return Err(question(problem, "a model whose levels can be compared", way_out).into());
    }
    let Some(name) = name else { return Ok(0) };
    factors.iter().position(|factor| factor.name == name).ok_or_else(|| {
        let names: Vec<&str> = factors.iter().map(|factor| factor.name.as_str()).collect();
        let suggestion = did_you_mean(name, names.iter().copied());
        let expected = format!("one of {}", names.join(", "));
        let problem = format!("the model has no factor '{name}'{suggestion}");
        question(problem, expected, "--factor with one of these").into()
    })
}

/// The levels of a factor, among all factors' levels in a row.
pub fn levels_of(model: &Model, factor: usize) -> Range<usize> {
    let before = |factor: usize| -> usize {
        model.covariates.factors[..factor].iter().map(|f| f.levels.len()).sum()
    };
    before(factor)..before(factor + 1)
}
