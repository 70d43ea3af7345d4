//! What moved closer to a word, and what moved away from it.

use covec::Work;
use covec::analyse::drift::{DriftParameters, drift};
use covec::resample::measures::of_movers;
use covec::resample::{bars, picked_from};
use covec_report::answers::drift as charts;

use super::{Question, compared, resamples};
use crate::Desk;
use crate::api::parameters::{Asked, FROM, MIN_SUPPORT, SURE, TO, WORD, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "drift",
    "What moved closer to a word, and what moved away from it, from one level to another",
    &[WORD, FROM, TO, rows(10, 200), MIN_SUPPORT, SURE],
    answer,
);

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let (model, support) = (&desk.model, asked.support(desk));
    let (from, to) = compared(desk, asked)?;
    let parameters = DriftParameters::default();
    let n = asked.number("n");
    let found = drift(model, asked.text("word"), (&from, &to), n, &parameters, &support, work)?;
    let plain = found.rows.clone();
    let (reply, sureness) = match resamples(desk, asked)? {
        Some(resamples) => {
            let others = support.words(model, &[&from, &to]).len().saturating_sub(1);
            let rows = resamples.sure(model, found.rows, of_movers, work)?;
            let rows = picked_from(rows, others);
            let sureness = bars(&rows);
            (Reply::of(rows)?, sureness)
        }
        None => (Reply::of(found.rows)?, Vec::new()),
    };
    reply
        .with("left_out", found.left_out)
        .with("overlap", plain.first().map(|row| row.overlap))
        .with("nearest", parameters.overlap.0)
        .drawn(asked, || charts::movers(&plain, &sureness))
}
