//! The pages: files that are part of the program, each at its own address, and nothing else.

use std::sync::OnceLock;

use axum::Router;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

const PAGE: &str = include_str!("../site/index.html");
/// Each shows a view, which the page finds by the address.
const VIEWS: [&str; 6] = ["/", "/word", "/compare", "/topics", "/analogies", "/text"];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Address, type and content.
macro_rules! files {
    ($($name:literal $kind:expr),+ $(,)?) => {
        [$((concat!("/assets/", $name), $kind, include_str!(concat!("../site/", $name)))),+]
    };
}

const FILES: [(&str, &str, &str); 21] = files![
    "style.css" "text/css; charset=utf-8",
    "icon.svg" "image/svg+xml",
    "app.js" SCRIPT,
    "api.js" SCRIPT,
    "dom.js" SCRIPT,
    "format.js" SCRIPT,
    "help.js" SCRIPT,
    "levels.js" SCRIPT,
    "plot.js" SCRIPT,
    "rays.js" SCRIPT,
    "redraw.js" SCRIPT,
    "save.js" SCRIPT,
    "scatter.js" SCRIPT,
    "search.js" SCRIPT,
    "table.js" SCRIPT,
    "views/analogies.js" SCRIPT,
    "views/compare.js" SCRIPT,
    "views/overview.js" SCRIPT,
    "views/text.js" SCRIPT,
    "views/topics.js" SCRIPT,
    "views/word.js" SCRIPT,
];

/// All pages and files; for any other address the page says that there is nothing.
pub(crate) fn router() -> Router {
    let mut router = Router::new();
    for view in VIEWS {
        router = router.route(view, get(|| async { page(StatusCode::OK) }));
    }
    for (address, kind, content) in FILES {
        let file = move || async move { ([(header::CONTENT_TYPE, kind)], content) };
        router = router.route(address, get(file));
    }
    router
        .route("/assets/plotly.js", get(plotly))
        .fallback(|| async { page(StatusCode::NOT_FOUND) })
        .method_not_allowed_fallback(|| async { page(StatusCode::METHOD_NOT_ALLOWED) })
}

fn page(status: StatusCode) -> Response {
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], PAGE).into_response()
}

/// plotly.js as its crate carries it. It is large, and the same for as long as the program is.
async fn plotly() -> Response {
    static SCRIPT_TEXT: OnceLock<Bytes> = OnceLock::new();
    let script = SCRIPT_TEXT.get_or_init(|| covec_report::plotly_script().into());
    let headers =
        [(header::CONTENT_TYPE, SCRIPT), (header::CACHE_CONTROL, "private, max-age=86400")];
    (headers, script.clone()).into_response()
}
