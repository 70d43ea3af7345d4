//! Questions as people put them to a model, and their answers as tables.
//!
//! A question is a name and named texts, as on the command line: `drift`, word `freedom`, in
//! `party=R`. What comes back is a [`Table`] and what is to be known beside it. The command line, the
//! Python package and whatever else asks a model share this, so that the same question has the same
//! answer everywhere.
//!
//! ```
//! use covec_answers::Asked;
//!
//! let asked = Asked::new().with("word", "freedom").with("in", "party=R").with("in", "party=D");
//! assert_eq!(asked.texts("in"), ["party=R", "party=D"]);
//! ```

mod analogy;
mod asked;
pub mod attribute;
pub mod collocates;
mod concordance;
pub mod covariates;
pub mod drift;
mod eval;
pub mod evidence;
pub mod explain;
pub mod info;
mod neighbors;
mod project;
mod question;
mod similarity;
mod sparsity;
pub mod specificity;
mod stability;
mod table;
pub mod topics;

pub use asked::Asked;
pub use eval::{KINDS as TEST_KINDS, scores};
pub use question::{Question, Told, comparisons, resamples, views_with_base};
pub use table::Table;

use covec::Error;
use covec::Work;
use covec::analyse::View;
use covec::model::Model;
use covec::resample::Resamples;

type Answering = fn(&Question<'_>) -> Result<Told, Error>;

/// Every question that can be put to a model, and how many rows its answer has unless more are asked
/// for.
const QUESTIONS: &[(&str, usize, Answering)] = &[
    ("analogy", 10, analogy::answer),
    ("attribute", 10, attribute::answer),
    ("concordance", 20, concordance::answer),
    ("covariates", 1, covariates::answer),
    ("drift", 10, drift::answer),
    ("eval", 100_000, eval::answer),
    ("explain", 8, explain::answer),
    ("info", 20, info::answer),
    ("neighbors", 10, neighbors::answer),
    ("project", 1000, project::answer),
    ("similarity", 1000, similarity::answer),
    ("sparsity", 1000, sparsity::answer),
    ("specificity", 20, specificity::answer),
    ("stability", 1000, stability::answer),
    ("topics", 20, topics::answer),
];

/// How many rows an answer has unless `n` says otherwise; none for a question that does not exist.
pub fn rows_of(name: &str) -> Option<usize> {
    QUESTIONS.iter().find(|(own, ..)| *own == name).map(|(_, rows, _)| *rows)
}

/// Puts a question to a model.
pub fn ask(model: &Model, name: &str, asked: &Asked, work: &Work<'_>) -> Result<Told, Error> {
    let Some((_, rows, answer)) = QUESTIONS.iter().find(|(own, ..)| *own == name) else {
        let names: Vec<&str> = QUESTIONS.iter().map(|(own, ..)| *own).collect();
        return Err(question::refused(
            format!("'{name}' is no question to a model"),
            names.join(", "),
            "one of these",
        ));
    };
    let question = Question::new(model, asked, *rows, work)?;
    let mut told = answer(&question)?;
    told.notes.extend(question.resamples.iter().flat_map(Resamples::cautions));
    for name in ["in", "between"] {
        told.notes.extend(View::cautions(model, asked.texts(name)));
    }
    Ok(told)
}
