//! Whose is this text?

use std::io::Write;

use axum::http::StatusCode;
use covec::Work;
use covec::analyse::attribute::{AttributeParameters, Attributed, attribute};
use covec::parameters::Whole;
use covec::resample::steady::chosen;
use covec_report::answers::attribute as charts;

use super::{Question, resamples};
use crate::Desk;
use crate::api::parameters::{Asked, FACTOR, Kind, Parameter, SURE, rows};
use crate::api::reply::Reply;
use crate::fault::Fault;

pub(super) const QUESTION: Question = Question::new(
    "attribute",
    "Which level of a factor, or group of levels, a text is closest to; and how often that is right for what is known",
    &[
        FACTOR,
        Parameter {
            name: "score",
            about: "What candidates are ranked by",
            kind: Kind::Choice(&["likelihood", "closeness", "combined"]),
        },
        Parameter {
            name: "min_words",
            about: "Refuse texts with fewer words that the model knows",
            kind: Kind::Number(1, 1000, 1_000_000),
        },
        rows(30, 1000),
        SURE,
    ],
    answer,
).long().with_text();

/// What the text is called.
const NAME: &str = "your text";

fn answer(desk: &Desk, asked: &Asked, work: &Work<'_>) -> Result<Reply, Fault> {
    let model = &desk.model;
    let mut parameters = AttributeParameters {
        min_words: Whole(asked.number("min_words") as u64),
        ..AttributeParameters::default()
    };
    parameters.set("score", asked.text("score")).map_err(covec::Error::from)?;
    let failed = |error: std::io::Error| {
        Fault::new(StatusCode::INTERNAL_SERVER_ERROR, format!("cannot keep the text: {error}"))
    };
    let mut file = tempfile::Builder::new().suffix(".txt").tempfile().map_err(failed)?;
    file.write_all(asked.body.as_bytes()).map_err(failed)?;
    file.flush().map_err(failed)?;
    let texts = [file.path().to_owned()];
    let named = |fault: covec::Error| {
        let fault = Fault::from(fault);
        let path = file.path().display().to_string();
        Fault { message: fault.message.replace(&path, NAME), ..fault }
    };
    let factor = asked.given("factor");
    let place = covec::analyse::factor_named(model, factor)?;
    let groups = desk.groups.as_ref().filter(|groups| groups.factor == place);
    let told = attribute(model, &texts, factor, groups, &parameters, work).map_err(named)?;
    let Attributed { mut rows, trust } = told;
    let n = asked.number("n");
    rows.truncate(n);
    let drawn = match resamples(desk, asked)? {
        Some(resamples) => {
            chosen(model, &rows, &texts, (factor, groups), &parameters, resamples, work)
                .map_err(named)?
        }
        None => None,
    };
    rows.iter_mut().for_each(|row| NAME.clone_into(&mut row.text));
    let reply = match drawn {
        Some(mut drawn) => {
            drawn.iter_mut().for_each(|chosen| NAME.clone_into(&mut chosen.row.text));
            Reply::of(drawn)?
        }
        None => Reply::of(rows.iter())?,
    };
    let told = Attributed { rows, trust };
    reply.with("trust", &told.trust).drawn(asked, || charts::candidates(&told, parameters.score, n))
}
