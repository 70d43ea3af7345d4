//! Pages that draw charts with plotly.js, which they carry within: they need no network.
//!
//! A chart becomes a figure: caption, an empty place, and its data as JSON. One script at the end
//! of the page draws all figures in the light or dark colours of the reader, and on paper in light
//! ones. Readers without scripts see the SVG.

mod bars;
mod dendrogram;
mod heatmap;
mod histogram;
mod lines;
mod plot;
mod scatter;

use std::fmt::Write as _;

use plotly::Plot;

use crate::svg::canvas::escape;
use crate::{Chart, Kind};
use plot::Figure;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page with texts and charts; plotly.js is in it once, and only if there is a chart.
#[derive(Debug, Clone)]
pub struct Page {
    title: String,
    pub(crate) body: String,
    charts: usize,
    /// Beyond what every page has.
    pub(crate) style: &'static str,
    pub(crate) script: &'static str,
}

impl Page {
    /// An empty page; `title` is what the browser shows.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), body: String::new(), charts: 0, style: "", script: "" }
    }

    /// Adds the heading of the page.
    pub fn heading(&mut self, text: &str) -> &mut Self {
        self.element("h1", text)
    }

    /// Adds the heading of a section.
    pub fn section(&mut self, text: &str) -> &mut Self {
        self.element("h2", text)
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) -> &mut Self {
        self.element("p", text)
    }

    fn element(&mut self, name: &str, text: &str) -> &mut Self {
        let _ = writeln!(self.body, "<{name}>{}</{name}>", escape(text));
        self
    }

    /// Adds HTML as it is: the caller has escaped what is not his own.
    pub fn raw(&mut self, html: &str) -> &mut Self {
        self.body.push_str(html);
        self.body.push('\n');
        self
    }

    /// Adds a chart.
    pub fn chart(&mut self, chart: &Chart) -> &mut Self {
        self.charts += 1;
        self.body.push_str(&figure_html(chart, &chart.svg()));
        self
    }

    /// Adds a chart of many points, of which readers without scripts see a sentence: as SVG it
    /// would be most of the page.
    pub(crate) fn chart_for_scripts(&mut self, chart: &Chart) -> &mut Self {
        self.charts += 1;
        self.body.push_str(&figure_html(chart, "<p>This chart needs scripts.</p>"));
        self
    }

    /// The page as a file.
    pub fn html(&self) -> String {
        let mut scripts = match self.script {
            "" => String::new(),
            own => format!("<script>\n{own}</script>\n"),
        };
        if self.charts > 0 {
            let _ = write!(
                scripts,
                "<script>{}</script>\n<script>{SCRIPT}</script>\n",
                plotly_script()
            );
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
             <style>\n{STYLE}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n{scripts}</body>\n</html>\n",
            escape(&self.title),
            self.style,
            self.body,
        )
    }
}

/// plotly.js without the formula typesetter that comes with it.
pub fn plotly_script() -> String {
    let sources = Plot::offline_js_sources();
    let begin = sources.find('>').map_or(0, |k| k + 1);
    let end = sources.find("</script>").unwrap_or(sources.len());
    sources[begin..end].to_owned()
}

/// `instead` is what readers without scripts see.
fn figure_html(chart: &Chart, instead: &str) -> String {
    let mut html = String::from("<figure class=\"chart\">\n<figcaption>\n");
    let colours = match chart.kind() {
        Kind::Heatmap(it) if !it.value_name.is_empty() => format!("Colours: {}", it.value_name),
        _ => String::new(),
    };
    for (name, text) in [("h3", chart.title()), ("p", chart.subtitle()), ("p", &colours)] {
        if !text.is_empty() {
            let _ = writeln!(html, "<{name}>{}</{name}>", escape(text));
        }
    }
    html.push_str("</figcaption>\n");
    if chart.kind().is_empty() {
        let _ = writeln!(html, "<p class=\"nothing\">{}</p>", crate::svg::NOTHING);
    } else {
        let _ = writeln!(
            html,
            "<div class=\"plot\" role=\"img\" aria-label=\"{}\"></div>\n\
             <script type=\"application/json\">{}</script>\n<noscript>{instead}</noscript>",
            escape(chart.title()),
            plotly_json(chart),
        );
    }
    html.push_str("</figure>\n");
    html
}

pub(crate) fn plotly_json(chart: &Chart) -> String {
    let figure = match chart.kind() {
        Kind::Scatter(it) => scatter::figure(chart, it),
        Kind::Lines(it) => lines::figure(chart, it),
        Kind::Bars(it) => bars::figure(chart, it),
        Kind::Histogram(it) => histogram::figure(chart, it),
        Kind::Heatmap(it) => heatmap::figure(chart, it),
        Kind::Dendrogram(it) => dendrogram::figure(chart, it),
    };
    script_safe(&figure)
}

/// JSON that cannot end the script element it stands in.
fn script_safe(figure: &Figure) -> String {
    let json = figure.json();
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        // Outside of strings JSON has none of these.
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(safe, "\\u{:04x}", u32::from(c));
            }
            c => safe.push(c),
        }
    }
    safe
}
