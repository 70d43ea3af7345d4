//! The weight that every level gives a dimension.

use covec::Work;
use covec::analyse::topics::{Topic, topics};
use covec::resample::measures::of_weights;
use covec_report::answers::topics as charts;

use super::{DIMENSION, Question, dimensions, resamples};
use crate::Desk;
use crate::api::parameters::{Asked, FACTOR, SURE};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "weights",
    "The squared weight that every level of a factor gives a dimension, or each of them",
    &[FACTOR, DIMENSION, SURE],
    answer,
);

/// Words that name a dimension in a picture.
const NAMED: usize = 2;

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let model = &desk.model;
    let (factor, wanted) = dimensions(desk, asked)?;
    let found = topics(model, factor, wanted, NAMED, &desk.support, work)?.rows;
    let rows: Vec<_> = found.iter().flat_map(Topic::weights).collect();
    let reply = match resamples(desk, asked)? {
        Some(resamples) => Reply::of(resamples.sure(model, rows, of_weights, work)?)?,
        None => Reply::of(rows)?,
    };
    reply.drawn(asked, || charts::heatmap(&found, found.len()))
}
