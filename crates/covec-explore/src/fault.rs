//! Why a request gets no answer.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request gets no answer.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) status: StatusCode,
    /// What is wrong; further lines say what was expected and what to do.
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// A request that cannot be read.
    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// A question that has no answer here.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    pub(crate) fn json(&self) -> String {
        let mut lines = self.message.lines().map(str::trim);
        let error = lines.next().unwrap_or_default();
        json!({ "error": error, "more": lines.collect::<Vec<_>>() }).to_string()
    }
}

impl From<covec::Error> for Fault {
    fn from(error: covec::Error) -> Self {
        let status = match &error {
            error if error.is_interruption() => StatusCode::SERVICE_UNAVAILABLE,
            error if error.is_refusal() => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}

impl From<covec::analyse::AnalyseError> for Fault {
    fn from(error: covec::analyse::AnalyseError) -> Self {
        covec::Error::from(error).into()
    }
}

impl From<covec_report::ChartError> for Fault {
    fn from(error: covec_report::ChartError) -> Self {
        let status = match error.is_refusal() {
            true => StatusCode::UNPROCESSABLE_ENTITY,
            false => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        (self.status, [(header::CONTENT_TYPE, "application/json")], self.json()).into_response()
    }
}
