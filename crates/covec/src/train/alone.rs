//! One text fitted to a model that stands fast, alone, as if it were a level of its own.
//!
//! Its weights and biases are those that [`super::extend`] would find for a new level that no other
//! factor speaks of; nothing is written but temporary files.

use super::blocks::Trainer;
use super::examples::Examples;
use super::extend::{Fit, rules};
use super::state::{Layout, State, independence};
use super::table::Table;
use crate::corpus::Source;
use crate::error::{Error, IoContext};
use crate::model::Model;
use crate::tensor::{self, Tensor};
use crate::work::Work;

/// What a text is by itself.
#[derive(Debug, Clone)]
pub(crate) struct Alone {
    /// How often every word of the model occurs in it.
    pub(crate) counts: Vec<u64>,
    /// Its squared weights.
    pub(crate) squares: Vec<f32>,
}

/// Counts a text by the rules of the model and fits its weights; `enough` looks at the words' counts
/// first and may refuse them.
pub(crate) fn alone(
    model: &Model,
    text: Source,
    enough: impl FnOnce(&[u64]) -> Result<(), Error>,
    work: &Work<'_>,
) -> Result<Alone, Error> {
    let mut rules = rules(model)?;
    // Whose it is, is not known; nor need it have an id.
    rules.corpus.by = Vec::new();
    rules.corpus.id = None;
    let here = std::env::temp_dir();
    let home = tempfile::tempdir_in(&here).at("make a temporary folder in", &here)?;
    let folder = home.path().join("tensor");
    let tensor = tensor::count_file(text, &rules, &model.vocabulary.words, &folder, work)?;
    enough(&tensor.vocabulary.counts)?;
    let examples = Examples::load(&tensor, &model.record.parameters, home.path(), work)?;
    let mut state = start(model, &tensor, &examples);
    let parameters = &model.record.parameters;
    let trainer = Trainer { examples: &examples, parameters, work };
    let strengths = trainer.strengths(model.record.training.ridge);
    let new = [false, true];
    let fit = Fit { examples: &examples, parameters, new: &new, strengths, work };
    fit.run(&mut state)?;
    let squares = state.squares.row(1)[..model.dim].to_vec();
    Ok(Alone { counts: tensor.vocabulary.counts, squares })
}

/// Two levels: what the model knows, taken together, which stands fast, and the text.
fn start(model: &Model, tensor: &Tensor, examples: &Examples) -> State {
    let (words, dim) = (model.vocabulary.len(), model.dim);
    let layout = Layout { cells: vec![vec![1]], factors: vec![(0..2, false)] };
    let counts: u64 = tensor.vocabulary.counts.iter().sum();
    // What the model's text added up to is not kept; its words' counts tell it nearly.
    let pairs = tensor.record.entries.total / counts.max(1) as f64;
    let mut sums: Vec<f32> =
        model.vocabulary.counts.iter().map(|&count| (count as f64 * pairs) as f32).collect();
    sums.extend(&examples.sums[..words]);
    let prior = independence(&layout, &sums, words);
    let mut state = State {
        layout,
        vectors: Table::unpack(&model.vectors, dim),
        squares: Table::filled(2, dim, 1.0),
        cell_squares: Table::new(1, dim),
        biases: prior.to_vec(),
        prior,
    };
    state.multiply_squares();
    state
}
