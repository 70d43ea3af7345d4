//! A is to B as C is to which word, level by level.

use covec::Work;
use covec::analyse::View;
use covec::analyse::analogy::{Analogy, AnalogyParameters, analogy};
use covec::model::Model;
use covec::resample::{as_in, picked_from};
use covec_report::answers::analogy as charts;

use super::{Question, resamples, seen};
use crate::Desk;
use crate::api::parameters::{
    Asked, Kind, LEVELS, MIN_SUPPORT, MOST_LEVELS, Parameter, SURE, rows,
};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const A: Parameter = Parameter { name: "a", about: "A is", kind: Kind::Needed };
pub(super) const B: Parameter = Parameter { name: "b", about: "to B", kind: Kind::Needed };
pub(super) const C: Parameter = Parameter { name: "c", about: "as C is to", kind: Kind::Needed };
pub(super) const SCORE: Parameter = Parameter {
    name: "score",
    about: "What words are ranked by: cosine with b − a + c, product of similarities, cosine of the differences",
    kind: Kind::Choice(&["add", "mul", "difference"]),
};

pub(super) const QUESTION: Question = Question::new(
    "analogy",
    "A is to B as C is to which word, in every view in which the three occur often enough",
    &[A, B, C, LEVELS, SCORE, rows(8, 200), MIN_SUPPORT, SURE],
    answer,
);

/// The three words, and how answers are ranked.
pub(super) fn question(asked: &Asked) -> Result<([&str; 3], AnalogyParameters), Fault> {
    let mut parameters = AnalogyParameters::default();
    parameters.set("score", asked.text("score")).map_err(covec::Error::from)?;
    Ok((["a", "b", "c"].map(|name| asked.text(name)), parameters))
}

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let (model, support) = (&desk.model, asked.support(desk));
    let (abc, parameters) = question(asked)?;
    let mut views = desk.views(asked.texts("in"), MOST_LEVELS)?;
    let mut ids = Vec::new();
    for word in abc {
        ids.push(model.word(word)?);
    }
    // The rarest of the three says whether a view can answer.
    let rarest = |view: &View| ids.iter().copied().min_by_key(|&id| view.count(model, id));
    let levels: Vec<_> = views
        .iter()
        .flat_map(|view| seen(desk, asked, rarest(view).unwrap_or(0), std::slice::from_ref(view)))
        .collect();
    support.anywhere(model, &ids, &views)?;
    let mut enough = levels.iter().map(|seen| seen.enough);
    views.retain(|_| enough.next() == Some(true));
    let n = asked.number("n");
    let of = |model: &Model, n: usize| analogy(model, abc, &views, n, &parameters, &support, work);
    let found = of(model, n)?;
    let plain = found.rows.clone();
    let reply = match resamples(desk, asked)? {
        Some(resamples) => {
            let ask =
                |model: &Model, rows: &[Analogy]| Ok(as_in(rows, &of(model, usize::MAX)?.rows));
            let rows = resamples.sure(model, found.rows, ask, work)?;
            Reply::of(picked_from(rows, support.picks(model, &views)))?
        }
        None => Reply::of(found.rows)?,
    };
    reply
        .with("left_out", found.left_out)
        .with("levels", levels)
        .drawn(asked, || charts::answers(abc, &plain, parameters.score))
}
