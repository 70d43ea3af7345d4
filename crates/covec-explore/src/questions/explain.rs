//! Why two words moved: which dimensions brought them together, or drove them apart.

use covec::Work;
use covec::analyse::SupportParameters;
use covec::analyse::explain::{CauseRow, explain};
use covec::model::Model;
use covec::resample::measures::of_causes;
use covec::resample::{bars, picked_from};
use covec_report::answers::explain as charts;

use super::{Question, compared, resamples};
use crate::Desk;
use crate::api::parameters::{Asked, FROM, Kind, MIN_SUPPORT, Parameter, SURE, TO, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "explain",
    "Which dimensions brought two words together, or drove them apart, from one level to another",
    &[
        Parameter { name: "a", about: "One word", kind: Kind::Needed },
        Parameter { name: "b", about: "The other", kind: Kind::Needed },
        FROM,
        TO,
        rows(6, 100),
        MIN_SUPPORT,
        SURE,
    ],
    answer,
);

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let (model, support) = (&desk.model, asked.support(desk));
    let (from, to) = compared(desk, asked)?;
    let told = explain(model, asked.text("a"), asked.text("b"), &from, &to, &support)?;
    let told = told.first(model, asked.number("n"), &support, work)?;
    let rows: Vec<CauseRow<'_>> = told.rows().collect();
    let (reply, sureness) = match resamples(desk, asked)? {
        Some(resamples) => {
            let ask = |model: &Model, rows: &[CauseRow<'_>]| {
                of_causes(model, rows, &SupportParameters::clone(&support))
            };
            let rows = picked_from(resamples.sure(model, rows, ask, work)?, model.dim);
            let sureness = bars(&rows);
            (Reply::of(rows)?, sureness)
        }
        None => (Reply::of(rows)?, Vec::new()),
    };
    reply
        .with("paragraph", told.paragraph())
        .with("distance_from", told.distance_from)
        .with("distance_to", told.distance_to)
        .with("distance_topical", told.distance_topical)
        .drawn(asked, || charts::causes(&told, &sureness))
}
