//! How good the vectors are, by the usual test sets.

use std::path::Path;

use covec::analyse::{Answer, View};
use covec::evaluate::{EvaluateParameters, Kind, Scored, TestSet, evaluate, held_out};
use covec::model::Model;
use covec::tensor::Tensor;
use covec::{Error, Work};

use crate::question::refused;
use crate::{Question, Told};

/// The kinds of test sets: name, kind, what a file of it holds.
pub const KINDS: [(&str, Kind, &str); 3] = [
    ("similarity", Kind::Similarity, "Pairs of words with a rating: word, word, number"),
    ("categories", Kind::Categories, "Words in categories: word, category"),
    ("analogies", Kind::Analogies, "Analogies: four words; A is to B as C is to D"),
];

pub(crate) fn answer(question: &Question<'_>) -> Result<Told, Error> {
    let Question { model, asked, work, .. } = question;
    let mut parameters = EvaluateParameters::default();
    asked.take(EvaluateParameters::TABLE, |name, text| parameters.set(name, text))?;
    let mut tests = Vec::new();
    for (name, kind, _) in KINDS {
        for path in asked.paths(name) {
            tests.push(TestSet::read(&path, kind)?);
        }
    }
    let tensor = asked.paths("held_out");
    let (tensor, levels) = (tensor.first().map(std::path::PathBuf::as_path), asked.texts("in"));
    let rows = scores(model, &tests, tensor, levels, &parameters, work)?;
    Ok(question.told(&Answer { rows, left_out: 0 }))
}

/// Tests under levels (`each` for all of them), and pairs of a tensor that were held out. Where no levels are named, tests are
/// of the base, and pairs of all levels.
pub fn scores(
    model: &Model,
    tests: &[TestSet],
    tensor: Option<&Path>,
    levels: &[String],
    parameters: &EvaluateParameters,
    work: &Work<'_>,
) -> Result<Vec<Scored>, Error> {
    if tests.is_empty() && tensor.is_none() {
        return Err(refused(
            "no test to hold the model to",
            "--similarity FILE, --categories FILE, --analogies FILE or --held-out TENSOR",
            "give one of them",
        ));
    }
    let mut views = Vec::new();
    for level in levels {
        match level.as_str() {
            "each" => views.extend(View::each(model)),
            level => views.push(View::named(model, level)?),
        }
    }
    let mut pairs = views.clone();
    if views.is_empty() {
        pairs = View::each(model);
        // Of one level all is said.
        if pairs.len() != 1 {
            pairs.push(View::base());
        }
        views = if model.has_base() { vec![View::base()] } else { View::each(model) };
    }
    let mut rows = evaluate(model, tests, &views, parameters, work)?;
    if let Some(tensor) = tensor {
        rows.extend(held_out(model, &Tensor::open(tensor)?, &pairs, parameters, work)?);
    }
    Ok(rows)
}
