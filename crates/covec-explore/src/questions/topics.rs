//! The dimensions as topics, and what every level makes of them.

use covec::Work;
use covec::analyse::clusters::order;
use covec::analyse::topics::{Topic, topics};
use covec_report::answers::topics as charts;

use super::{DIMENSION, Question, dimensions};
use crate::Desk;
use crate::api::parameters::{Asked, FACTOR, Kind, MIN_SUPPORT, Parameter, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "topics",
    "The dimensions, those first that tell the levels apart most: their words, and the weight every level gives them",
    &[
        FACTOR,
        DIMENSION,
        rows(8, 100),
        Parameter {
            name: "order",
            about: "spread: those first that tell levels apart; alike: dimensions that go together side by side",
            kind: Kind::Choice(&["spread", "alike"]),
        },
        MIN_SUPPORT,
    ],
    answer,
);

/// Dimensions of a picture.
const DRAWN: usize = 40;

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let model = &desk.model;
    let (factor, wanted) = dimensions(desk, asked)?;
    let support = asked.support(desk);
    let mut found = topics(model, factor, wanted, asked.number("n"), &support, work)?;
    let all = found.rows.len();
    let profile = |topic: &Topic| topic.levels.iter().map(|level| level.square).collect();
    let profiles: Vec<Vec<f64>> = found.rows.iter().map(profile).collect();
    // The levels in an order in which what is alike stands together; those of an ordered factor have theirs.
    let levels = match model.covariates.factors[factor].ordered {
        true => (0..profiles.first().map_or(0, Vec::len)).collect(),
        false => {
            let count = profiles.first().map_or(0, Vec::len);
            let column = |level: usize| profiles.iter().map(|row| row[level]).collect();
            order(&(0..count).map(column).collect::<Vec<Vec<f64>>>())
        }
    };
    if asked.text("order") == "alike" {
        let mut rows: Vec<Option<Topic>> = found.rows.into_iter().map(Some).collect();
        found.rows = order(&profiles).into_iter().filter_map(|at| rows[at].take()).collect();
    }
    let drawn = &found.rows[..all.min(DRAWN)];
    Reply::of(found.rows.iter())?
        .with("left_out", found.left_out)
        .with("levels", levels)
        .drawn(asked, || charts::heatmap(drawn, all))
}
