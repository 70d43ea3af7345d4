//! Lines of the corpus in which a word occurs.

use covec::Work;
use covec::analyse::View;
use covec::analyse::concordance::{Request, evidence};

use super::Question;
use crate::Desk;
use crate::api::parameters::{Asked, Kind, Parameter, WORD, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "evidence",
    "Lines of the corpus in which a word occurs, if wanted near another; some of many, drawn by lot",
    &[
        WORD,
        Parameter { name: "near", about: "A word that stands near it", kind: Kind::Text },
        Parameter {
            name: "level",
            about: "In documents of this level; by default all",
            kind: Kind::Text,
        },
        Parameter {
            name: "width",
            about: "Characters to either side",
            kind: Kind::Number(0, 80, 500),
        },
        rows(8, 200),
    ],
    answer,
).without_picture().long();

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let model = &desk.model;
    let word = model.word(asked.text("word"))?;
    let near = asked.given("near").map(|near| model.word(near)).transpose()?;
    let view = match asked.given("level") {
        Some(level) => View::named(model, level)?,
        None => View::base(),
    };
    if desk.corpus.is_empty() {
        return Err(Fault::refused(
            "a model does not hold its corpus, and none was given\n\
             way out: covec explore MODEL --corpus FILE",
        ));
    }
    let requests = [Request { view, word, near }];
    let width = asked.number("width");
    let found = evidence(model, &desk.corpus, &requests, asked.number("n"), width, work)?;
    let found = found.into_iter().next().unwrap_or_default();
    Ok(Reply::of(found.lines)?.with("found", found.found))
}
