//! Words that fit an analogy far better in one level than in another.

use covec::Work;
use covec::analyse::analogy::enriched;

use super::Question;
use super::analogy::{A, B, C, SCORE, question};
use crate::Desk;
use crate::api::parameters::{Asked, LEVELS, MIN_SUPPORT, MOST_LEVELS, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "enriched",
    "The words D of an analogy whose rank differs most between levels",
    &[A, B, C, LEVELS, SCORE, rows(20, 1000), MIN_SUPPORT],
    answer,
)
.without_picture();

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let (abc, parameters) = question(asked)?;
    let mut views = desk.views(asked.texts("in"), MOST_LEVELS)?;
    views.retain(|view| !view.levels.is_empty());
    let support = asked.support(desk);
    let mut found = enriched(&desk.model, abc, &views, &parameters, &support, work)?;
    found.rows.truncate(asked.number("n"));
    Ok(Reply::of(found.rows)?.with("left_out", found.left_out))
}
