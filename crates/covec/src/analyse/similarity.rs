//! How near two words are, level by level.
//!
//! `cosine` is that of their vectors under the level, `topical` that of `c_k ∘ v`, without the
//! words' own deviations: what their difference is beyond reweighted topics is the rest.

use serde::Serialize;

use super::neighbors::cosine;
use super::{Answer, Part, SupportParameters, View};
use crate::error::Error;
use crate::model::Model;

/// Two words under a view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Similarity {
    /// Under which levels.
    pub level: String,
    /// One word.
    pub a: String,
    /// The other.
    pub b: String,
    /// Cosine of their vectors; none where one of them is too rare.
    pub cosine: Option<f64>,
    /// The same by the levels' weights alone.
    pub topical: Option<f64>,
    /// How often the first occurs there.
    pub a_count: u64,
    /// How often the second does.
    pub b_count: u64,
}

/// The similarity of two words under every view.
pub fn similarity(
    model: &Model,
    a: &str,
    b: &str,
    views: &[View],
    support: &SupportParameters,
) -> Result<Answer<Similarity>, Error> {
    View::possible(model, "similarity", views)?;
    let (a_id, b_id) = (model.word(a)?, model.word(b)?);
    let row = |view: &View| {
        let (a_count, b_count) = (view.count(model, a_id), view.count(model, b_id));
        let enough = a_count.min(b_count) >= support.min_support.0;
        let cosine = |part| enough.then(|| cosine(model, a_id, b_id, view, part));
        Similarity {
            level: view.name.clone(),
            a: a.to_owned(),
            b: b.to_owned(),
            cosine: cosine(Part::Whole),
            topical: cosine(Part::Topical),
            a_count,
            b_count,
        }
    };
    Ok(Answer { rows: views.iter().map(row).collect(), left_out: 0 })
}
