//! What was trained, on what, and how well it fits.

use covec::Work;
use covec::resample::{Replicates, Resamples};
use covec_report::answers::fit;
use serde::Serialize;
use serde_json::json;

use super::Question;
use crate::Desk;
use crate::api::parameters::Asked;
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "model",
    "What was trained, on what, and how well it fits: a row for every level",
    &[],
    answer,
);

/// A level, and how well the model fits there.
#[derive(Serialize)]
struct Level<'a> {
    factor: &'a str,
    /// As questions name it.
    level: &'a str,
    name: &'a str,
    group: Option<&'a str>,
    documents: u64,
    tokens: u64,
    /// Squared error on pairs that were kept out of training.
    held_out: Option<f64>,
    /// How much of what tells the level apart the shared dimensions say.
    explained: Option<f64>,
    /// Words that deviate from their base vector there.
    own_words: usize,
}

fn answer(desk: &Desk, asked: &Asked, _: &Work<'_>) -> Result<Reply, Fault> {
    let model = &desk.model;
    let (record, training) = (&model.record, &model.record.training);
    let names = model.covariates.level_names();
    let last = training.sweeps.last();
    let mut own_words = vec![0; names.len().max(1)];
    model.deviations.levels.iter().for_each(|&level| own_words[level as usize] += 1);
    let mut rows = Vec::new();
    for (f, factor) in model.covariates.factors.iter().enumerate() {
        for (index, level) in factor.levels.iter().enumerate() {
            let place = rows.len();
            let inside = |cell: usize| model.covariates.cells[cell].levels[f] as usize == index;
            let groups = desk.groups.as_ref().filter(|groups| groups.factor == f);
            rows.push(Level {
                factor: &factor.name,
                level: &names[place],
                name: &level.name,
                group: groups.and_then(|groups| groups.of_level[index].as_deref()),
                documents: level.documents,
                tokens: level.tokens,
                held_out: last
                    .and_then(|sweep| sweep.held_out_levels.get(place).copied().flatten()),
                explained: model.off_diagonal(inside).map(|share| 1.0 - share),
                own_words: own_words[place],
            });
        }
    }
    let factors = model.covariates.factors.iter().map(|factor| {
        json!({ "name": factor.name, "ordered": factor.ordered, "levels": factor.levels.len() })
    });
    let cells = &model.covariates.cells;
    let sweeps = training.sweeps.iter().map(
        |sweep| json!({ "sweep": sweep.sweep, "loss": sweep.loss, "held_out": sweep.held_out }),
    );
    let inputs = record.tensor.inputs.iter().map(|input| input.name.as_str());
    let replicates = |of: fn(&Resamples) -> &Option<Replicates>| {
        let found = desk.resamples.as_ref().and_then(|resamples| of(resamples).as_ref());
        found.map(|found| json!({ "count": found.numbers.len(), "factor": found.plan.factor }))
    };
    Reply::of(rows)?
        .with("name", &desk.name)
        .with("covec", &record.covec)
        .with("inputs", inputs.collect::<Vec<_>>())
        .with("words", model.vocabulary.len())
        .with("dimensions", model.dim)
        .with("documents", cells.iter().map(|cell| cell.documents).sum::<u64>())
        .with("tokens", cells.iter().map(|cell| cell.tokens).sum::<u64>())
        .with("factors", factors.collect::<Vec<_>>())
        .with("sweeps", sweeps.collect::<Vec<_>>())
        .with("stopped", &training.stopped)
        .with("loss", last.map(|sweep| sweep.loss))
        .with("held_out", last.and_then(|sweep| sweep.held_out))
        .with("ridge", training.ridge)
        .with("deviations", model.deviations.len())
        .with("seeds", training.agreement.as_ref().map(|agreement| agreement.seeds.len() + 1))
        .with("fingerprint", &record.fingerprint)
        .with("min_support", desk.support.min_support.0)
        .with("has_corpus", !desk.corpus.is_empty())
        .with("drawn", replicates(|resamples| &resamples.drawn))
        .with("shuffled", replicates(|resamples| &resamples.shuffled))
        .with("cautions", desk.resamples.as_ref().map(Resamples::cautions).unwrap_or_default())
        .with("confidence", desk.confidence)
        .with("groups", desk.groups.as_ref().map(|groups| &groups.name))
        .with("common", model.vocabulary.words.iter().take(12).collect::<Vec<_>>())
        .drawn(asked, || fit::losses(model))
}
