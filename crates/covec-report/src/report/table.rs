//! A table that scrolls within itself where the screen is narrow.

use std::fmt::Write as _;

use crate::svg::canvas::escape;
use crate::{Estimate, Interval};

/// A cell; what it shows is HTML already.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    html: String,
    class: &'static str,
}

impl Cell {
    /// A text.
    pub(super) fn text(text: &str) -> Self {
        Self { html: escape(text), class: "" }
    }

    /// A number, which stands at the right.
    pub(super) fn number(text: &str) -> Self {
        Self { html: escape(text), class: "number" }
    }

    /// A number, or a dash where there is none.
    pub(super) fn maybe(number: Option<f64>, write: impl Fn(f64) -> String) -> Self {
        Self::number(&number.map_or_else(|| "–".to_owned(), write))
    }

    /// A number with its interval, if it has one.
    pub(super) fn estimate(estimate: Estimate, write: impl Fn(f64) -> String) -> Self {
        let html = escape(&write(estimate.value)) + &interval(estimate, write);
        Self { html, class: "number" }
    }

    /// Whose number it is, the number, and below it the interval.
    pub(super) fn of(name: &str, estimate: Estimate, write: impl Fn(f64) -> String) -> Self {
        let told = escape(&format!("{name} ({})", write(estimate.value)));
        Self { html: told + &interval(estimate, write), class: "stacked" }
    }

    /// HTML in which everything was escaped.
    pub(super) fn html(html: String) -> Self {
        Self { html, class: "" }
    }

    /// A long text, which may use several lines.
    pub(super) fn long(text: &str) -> Self {
        Self { html: escape(text), class: "long" }
    }

    /// The same in grey.
    pub(super) fn faint(text: &str) -> Self {
        Self { html: escape(text), class: "faint" }
    }
}

/// From where to where a number may lie, if that is known.
fn interval(estimate: Estimate, write: impl Fn(f64) -> String) -> String {
    estimate.interval.map_or_else(String::new, |Interval { low, high }| {
        format!("<small>[{}, {}]</small>", escape(&write(low)), escape(&write(high)))
    })
}

/// Rows of named columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    caption: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new<S: AsRef<str>>(columns: impl IntoIterator<Item = S>) -> Self {
        let columns = columns.into_iter().map(|name| name.as_ref().to_owned()).collect();
        Self { columns, ..Self::default() }
    }

    /// The same with a line above it.
    pub(super) fn with_caption(self, caption: &str) -> Self {
        Self { caption: caption.to_owned(), ..self }
    }

    pub(super) fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A column is aligned as its first cell is.
    pub(super) fn html(&self) -> String {
        let mut html = String::from("<div class=\"table\">");
        let mut label = String::new();
        if !self.caption.is_empty() {
            let caption = escape(&self.caption);
            // Outside of what scrolls, so that all of it can be read.
            let _ = writeln!(html, "<p class=\"caption\">{caption}</p>");
            label = format!(" aria-label=\"{caption}\"");
        }
        let _ = writeln!(html, "<div class=\"scroll\" tabindex=\"0\"><table{label}>");
        html.push_str("<thead><tr>");
        for (place, name) in self.columns.iter().enumerate() {
            let number = |row: &Vec<Cell>| row.get(place).is_some_and(|c| c.class == "number");
            let class = if self.rows.first().is_some_and(number) { "number" } else { "" };
            let _ = write!(html, "<th scope=\"col\"{}>{}</th>", attribute(class), escape(name));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            html.push_str("<tr>");
            for Cell { html: cell, class } in row {
                let _ = write!(html, "<td{}>{cell}</td>", attribute(class));
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div></div>\n");
        html
    }
}

fn attribute(class: &str) -> String {
    if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") }
}
