//! A model's corpus, read again: by the rules it was counted by, with the levels the model numbers.

use std::collections::HashMap;

use super::question;
use crate::corpus::{Document, Plan};
use crate::error::Error;
use crate::model::Model;
use crate::tensor::CountParameters;

/// The rules a model's corpus was counted by.
pub(super) fn rules(model: &Model) -> Result<&CountParameters, Error> {
    let record = &model.record.tensor;
    record.parameters.as_ref().ok_or_else(|| {
        let stage = &record.stage;
        question(
            format!(
                "the model's tensor is of stage '{stage}' and says no rules of reading a corpus"
            ),
            "a model trained on what covec count made",
            "count the corpus with covec and train again",
        )
        .into()
    })
}

/// The levels of documents, as the model numbers them.
pub(super) struct Levels<'a> {
    model: &'a Model,
    /// For every factor of the plan: a raw value's level, which the model may not know.
    known: Vec<HashMap<String, Option<usize>>>,
}

impl<'a> Levels<'a> {
    pub(super) fn new(model: &'a Model, plan: &Plan) -> Self {
        Self { model, known: vec![HashMap::new(); plan.factors.len()] }
    }

    pub(super) fn of(
        &mut self,
        plan: &Plan,
        document: &Document<'_>,
    ) -> Result<Vec<Option<usize>>, Error> {
        let mut levels = Vec::with_capacity(self.known.len());
        for (f, known) in self.known.iter_mut().enumerate() {
            let value = &*document.covariates[f];
            let level = match known.get(value) {
                Some(level) => *level,
                None => {
                    let name = document.level(plan, f)?.name;
                    let level = place(self.model, &plan.factors[f].name, &name);
                    known.insert(value.to_owned(), level);
                    level
                }
            };
            levels.push(level);
        }
        Ok(levels)
    }
}

/// A level's place among all levels.
fn place(model: &Model, factor: &str, level: &str) -> Option<usize> {
    let name = format!("{factor}={level}");
    model.covariates.level_names().iter().position(|own| *own == name)
}
