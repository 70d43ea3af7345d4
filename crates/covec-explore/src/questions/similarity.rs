//! How near two words are, level by level.

use covec::Work;
use covec::analyse::similarity::{Similarity, similarity};
use covec::model::Model;
use covec::resample::{as_in, bars, plain};
use covec_report::answers::similarity as charts;

use super::{Question, resamples};
use crate::Desk;
use crate::api::parameters::{Asked, Kind, LEVELS, MIN_SUPPORT, MOST_LEVELS, Parameter, SURE};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "similarity",
    "How near two words are in every view",
    &[
        Parameter { name: "a", about: "One word", kind: Kind::Needed },
        Parameter { name: "b", about: "The other", kind: Kind::Needed },
        LEVELS,
        MIN_SUPPORT,
        SURE,
    ],
    answer,
);

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let support = asked.support(desk);
    let views = desk.views(asked.texts("in"), MOST_LEVELS)?;
    let of = |model: &Model| similarity(model, asked.text("a"), asked.text("b"), &views, &support);
    let rows = of(&desk.model)?.rows;
    let Some(resamples) = resamples(desk, asked)? else {
        let reply = Reply::of(rows.iter())?;
        return reply.drawn(asked, || charts::levels(&rows, &[]));
    };
    let ask = |model: &Model, rows: &[Similarity]| Ok(as_in(rows, &of(model)?.rows));
    let sure = resamples.sure(&desk.model, rows, ask, work)?;
    let reply = Reply::of(sure.iter())?;
    reply.drawn(asked, || charts::levels(&plain(&sure), &bars(&sure)))
}
