//! The words nearest to a word, level beside level.

use covec::Work;
use covec::analyse::neighbors::{nearness, neighbors};
use covec::resample::steady::steady_neighbors;
use covec_report::answers::neighbors as charts;

use super::{Question, resamples, seen};
use crate::Desk;
use crate::api::parameters::{Asked, LEVELS, MIN_SUPPORT, MOST_LEVELS, SURE, WORD, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "neighbors",
    "The words nearest to a word in every view, and which were gained and lost since the first",
    &[WORD, LEVELS, rows(10, 200), MIN_SUPPORT, SURE],
    answer,
);

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let (model, support, n) = (&desk.model, asked.support(desk), asked.number("n"));
    let word = asked.text("word");
    let id = model.word(word)?;
    let views = desk.views(asked.texts("in"), MOST_LEVELS)?;
    let levels = seen(desk, asked, id, &views);
    if let Some(resamples) = resamples(desk, asked)? {
        let found =
            steady_neighbors(model, &[word.to_owned()], &views, n, &support, resamples, work)?;
        let reply =
            Reply::of(found.rows.iter())?.with("left_out", found.left_out).with("levels", levels);
        let plain: Vec<_> = found.rows.into_iter().map(|row| row.sure.row).collect();
        return reply.drawn(asked, || {
            charts::nearness(
                word,
                &nearness(model, word, &plain, &views, &support).unwrap_or_default(),
            )
        });
    }
    let found = neighbors(model, word, &views, n, &support, work)?;
    let near = nearness(model, word, &found.rows, &views, &support)?;
    Reply::of(found.rows)?
        .with("left_out", found.left_out)
        .with("levels", levels)
        .drawn(asked, || charts::nearness(word, &near))
}
