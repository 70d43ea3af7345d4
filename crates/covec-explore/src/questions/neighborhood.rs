//! The words around a word on a plane, level beside level.

use covec::Work;
use covec::analyse::neighborhood::neighborhood;
use covec::analyse::neighbors::{Change, nearness, neighbors};
use covec_report::answers::neighbors as charts;

use super::{Question, seen};
use crate::Desk;
use crate::api::parameters::{Asked, LEVELS, MIN_SUPPORT, MOST_LEVELS, WORD, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "neighborhood",
    "Where the words lie around a word that are near it in some view: how far in every view, and in which \
            direction, which is the same in all",
    &[WORD, LEVELS, rows(8, 50), MIN_SUPPORT],
    answer,
);

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let (model, support) = (&desk.model, asked.support(desk));
    let word = asked.text("word");
    let views = desk.views(asked.texts("in"), MOST_LEVELS)?;
    let levels = seen(desk, asked, model.word(word)?, &views);
    let mut found = neighbors(model, word, &views, asked.number("n"), &support, work)?;
    found.rows.retain(|row| row.change != Some(Change::Lost));
    let near = nearness(model, word, &found.rows, &views, &support)?;
    Reply::of(neighborhood(model, word, &near)?)?
        .with("left_out", found.left_out)
        .with("levels", levels)
        .drawn(asked, || charts::nearness(word, &near))
}
