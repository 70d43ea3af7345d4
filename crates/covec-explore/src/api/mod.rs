//! `/api/v1`: every question of [`crate::questions`] at an address of its own.
//!
//! An answer that is not there within the blink of an eye is worked on while the asker is told so (202) and asks
//! again; so no request waits for another.

mod kept;
mod openapi;
pub(crate) mod parameters;
pub(crate) mod reply;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Query};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use covec::{Observer, Progress, Work};
use sha2::{Digest, Sha256};

use crate::Desk;
use crate::fault::Fault;
use crate::questions::{ALL, Question};
use kept::{Job, Kept, Kind};
use parameters::Asked;

pub(crate) const PREFIX: &str = "/api/v1";
/// Bytes of a text that is sent.
pub(crate) const LONGEST_TEXT: usize = 4 << 20;

/// All questions, the document that describes them, and a plain word for all other addresses.
pub(crate) fn router(desk: &Arc<Desk>) -> Router {
    let kept = Arc::new(Kept::new());
    let described =
        get(|| async { ([(header::CONTENT_TYPE, "application/json")], openapi::document()) });
    let mut router = Router::new().route("/openapi.json", described);
    for question in ALL {
        let (desk, kept) = (Arc::clone(desk), Arc::clone(&kept));
        let handler = move |query: Result<Query<Vec<(String, String)>>, QueryRejection>,
                            body: Result<Bytes, BytesRejection>| {
            answer(question, Arc::clone(&desk), Arc::clone(&kept), query, body)
        };
        let route = if question.takes_text { post(handler) } else { get(handler) };
        router = router.route(&format!("/{}", question.name), route);
    }
    let unknown = || async {
        let names: Vec<&str> = ALL.iter().map(|question| question.name).collect();
        let expected = format!("expected: {PREFIX}/ and one of {}", names.join(", "));
        Fault::new(StatusCode::NOT_FOUND, format!("no such question\n{expected}"))
    };
    let wrong = || async {
        Fault::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "asked by another method\nexpected: GET; POST for attribute",
        )
    };
    router
        .fallback(unknown)
        .method_not_allowed_fallback(wrong)
        .layer(DefaultBodyLimit::max(LONGEST_TEXT))
}

async fn answer(
    question: &'static Question,
    desk: Arc<Desk>,
    kept: Arc<Kept>,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    match asked(question, query, body) {
        Err(fault) => fault.into_response(),
        Ok(asked) => {
            let kind = if question.is_long(&asked) { Kind::Long } else { Kind::Quick };
            let key = key(question, &asked);
            let work = move |job: &Job| reply::rendered(question, &desk, &asked, &of(&desk, job));
            match kept.ask(key, kind, work).await {
                Ok(kept::Answer::Ready(rendered)) => {
                    let name = format!("covec-{}.{}", question.name, rendered.format.ending());
                    let disposition = match rendered.format.is_for_pages() {
                        true => "inline".to_owned(),
                        false => format!("attachment; filename=\"{name}\""),
                    };
                    let headers = [
                        (header::CONTENT_TYPE, rendered.format.media_type().to_owned()),
                        (header::CONTENT_DISPOSITION, disposition),
                    ];
                    (headers, rendered.content.clone()).into_response()
                }
                Ok(kept::Answer::Working { stage, share }) => {
                    let body = serde_json::json!({ "working": stage, "share": share }).to_string();
                    let headers =
                        [(header::CONTENT_TYPE, "application/json"), (header::RETRY_AFTER, "1")];
                    (StatusCode::ACCEPTED, headers, body).into_response()
                }
                Err(fault) => fault.into_response(),
            }
        }
    }
}

/// What was asked, if it can be read.
fn asked(
    question: &Question,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Asked, Fault> {
    let Query(pairs) = query.map_err(|error| Fault::unreadable(error.body_text()))?;
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Fault::new(
            error.status(),
            format!("a text of more than {} MB\nway out: a part of it", LONGEST_TEXT >> 20),
        ),
        _ => Fault::unreadable(error.body_text()),
    })?;
    let mut asked = Asked::read(question.parameters, question.formats, &pairs)?;
    if question.takes_text {
        let text = String::from_utf8(body.into())
            .map_err(|_| Fault::unreadable("the text is not UTF-8\nway out: save it as UTF-8"))?;
        asked.body = text;
    }
    Ok(asked)
}

/// The same for the same question.
fn key(question: &Question, asked: &Asked) -> String {
    let digest = match question.takes_text {
        true => format!("{:?}", Sha256::digest(asked.body.as_bytes()).as_slice()),
        false => String::new(),
    };
    format!("{}\0{asked:?}\0{digest}", question.name)
}

/// Tells a job's asker how far it is, and stops it when the server ends.
struct Watch<'a> {
    desk: &'a Desk,
    job: &'a Job,
}

impl Observer for Watch<'_> {
    fn progress(&self, progress: Progress) {
        self.job.tell(progress.stage, progress.share);
    }

    fn stop(&self) -> bool {
        self.desk.is_closing()
    }
}

fn of<'a>(desk: &'a Desk, job: &'a Job) -> Watch<'a> {
    Watch { desk, job }
}

/// How the work of a question is done.
pub(crate) fn work(observer: &dyn Observer) -> Work<'_> {
    Work { observer, ..Work::default() }
}
