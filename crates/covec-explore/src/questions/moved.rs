//! All words by how far they moved from one level to another.

use covec::Work;
use covec::analyse::drift::DriftParameters;
use covec::analyse::moved::{self, Moved};
use covec::analyse::{Answer, SupportParameters, View, factor_named, levels_of};
use covec::resample::Resamples;
use covec::resample::measures::of_moved;
use covec::resample::tested::{Tests, tested};
use covec_report::answers::drift as charts;

use super::{Question, compared, resamples};
use crate::Desk;
use crate::api::parameters::{Asked, FROM, MIN_SUPPORT, SURE, TO};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "moved",
    "All words that occur often enough in both levels by how far they moved; overlap is left out where \
            there are more than 12,000",
    &[FROM, TO, MIN_SUPPORT, SURE],
    answer,
).long();

/// Words up to which all are multiplied with all, to find the share of its nearest that each keeps.
const COUNTED: usize = 12_000;

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let (model, support) = (&desk.model, asked.support(desk));
    let views = compared(desk, asked)?;
    let found = words(desk, &views, &support, work)?;
    let plain = found.rows.clone();
    let reply = match resamples(desk, asked)? {
        None => Reply::of(found.rows)?,
        Some(resamples) => {
            let (from, to) = (&views.0, &views.1);
            let ask = |model: &_, rows: &[Moved]| of_moved(model, rows, (from, to), &support, work);
            let sure = resamples.sure(model, found.rows, ask, work)?;
            let tests = match speaks_of(resamples, desk, &views)? {
                true => Tests::new(resamples, model, std::slice::from_ref(&views))?,
                false => None,
            };
            Reply::of(tested(sure, tests.as_ref()))?
        }
    };
    reply.with("left_out", found.left_out).drawn(asked, || charts::words(&plain))
}

fn words(
    desk: &Desk,
    (from, to): &(View, View),
    support: &SupportParameters,
    work: &Work<'_>,
) -> Result<Answer<Moved>, Fault> {
    let model = &desk.model;
    if support.words(model, &[from, to]).len() <= COUNTED {
        return Ok(moved::words(model, from, to, &DriftParameters::default(), support, work)?);
    }
    let moves = moved::moves(model, from, to, support, work)?;
    let left_out = model.vocabulary.len() - moves.len();
    let row = |own: moved::Move| Moved {
        from: from.name.clone(),
        to: to.name.clone(),
        word: model.vocabulary.words[own.word as usize].clone(),
        own: own.own,
        topical: own.topical,
        // Nothing, in JSON.
        overlap: f64::NAN,
        count_from: from.count(model, own.word as usize),
        count_to: to.count(model, own.word as usize),
    };
    let mut rows: Vec<Moved> = moves.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.own.total_cmp(&a.own));
    Ok(Answer { rows, left_out })
}

/// Whether shuffled labels say something of a comparison: of the base with one level of the factor they are of.
fn speaks_of(resamples: &Resamples, desk: &Desk, (from, to): &(View, View)) -> Result<bool, Fault> {
    let Some(shuffled) = &resamples.shuffled else { return Ok(false) };
    let factor = factor_named(&desk.model, shuffled.plan.factor.as_deref())?;
    let own = levels_of(&desk.model, factor);
    Ok(from.levels.is_empty() && matches!(to.levels[..], [level] if own.contains(&level)))
}
