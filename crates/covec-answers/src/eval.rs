//! How good the vectors are, by the usual test sets.

use covec::Error;
use covec::analyse::{Answer, View};
use covec::evaluate::{EvaluateParameters, Kind, TestSet, evaluate};

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
    if tests.is_empty() {
        return Err(refused(
            "no test to hold the model to",
            "--similarity FILE, --categories FILE or --analogies FILE",
            "give one of them",
        ));
    }
    let mut views = Vec::new();
    for level in asked.texts("in") {
        match level.as_str() {
            "each" => views.extend(View::each(model)),
            level => views.push(View::named(model, level)?),
        }
    }
    if views.is_empty() {
        views.push(View::base());
    }
    let rows = evaluate(model, &tests, &views, &parameters, work)?;
    Ok(question.told(&Answer { rows, left_out: 0 }))
}
