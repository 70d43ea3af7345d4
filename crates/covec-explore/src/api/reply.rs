//! An answer, and the forms it can be had in.

use axum::body::Bytes;
use axum::http::StatusCode;
use covec::Observer;
use covec_report::{Chart, ChartError};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::parameters::Asked;
use crate::Desk;
use crate::fault::Fault;
use crate::questions::Question;

/// A form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Rows, and what else there is to say.
    Json,
    /// Rows alone.
    Csv,
    /// A picture.
    Svg,
    /// The same as pixels.
    Png,
    /// The same for plotly.js to draw.
    Plotly,
}

impl Format {
    /// Where there are rows alone.
    pub(crate) const ROWS: &[Self] = &[Self::Json, Self::Csv];
    /// Where there is a picture too.
    pub(crate) const ALL: &[Self] = &[Self::Json, Self::Csv, Self::Svg, Self::Png, Self::Plotly];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Plotly => "plotly",
        }
    }

    pub(crate) fn named(text: &str, allowed: &[Self]) -> Result<Self, Fault> {
        allowed.iter().find(|format| format.name() == text).copied().ok_or_else(|| {
            let names: Vec<&str> = allowed.iter().map(|format| format.name()).collect();
            Fault::unreadable(format!("format is '{text}'\nexpected: {}", names.join(", ")))
        })
    }

    /// What a file of it ends in.
    pub(crate) fn ending(self) -> &'static str {
        if self == Self::Plotly { "json" } else { self.name() }
    }

    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Json | Self::Plotly => "application/json",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
        }
    }

    /// Whether pages read it; the others are files to keep.
    pub(crate) fn is_for_pages(self) -> bool {
        matches!(self, Self::Json | Self::Plotly)
    }

    fn is_picture(self) -> bool {
        !matches!(self, Self::Json | Self::Csv)
    }
}

/// An answer.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    rows: Vec<Map<String, Value>>,
    more: Map<String, Value>,
    chart: Option<Chart>,
}

impl Reply {
    /// These rows.
    pub(crate) fn of<R: Serialize>(rows: impl IntoIterator<Item = R>) -> Result<Self, Fault> {
        let mut own = Vec::new();
        for row in rows {
            match serde_json::to_value(row) {
                Ok(Value::Object(fields)) => own.push(fields),
                other => return Err(broken(&format!("not a row: {other:?}"))),
            }
        }
        Ok(Self { rows: own, ..Self::default() })
    }

    /// And something beside them.
    pub(crate) fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.more.insert(name.to_owned(), json!(value));
        self
    }

    /// And a picture, where one was asked for.
    pub(crate) fn drawn(
        mut self,
        asked: &Asked,
        chart: impl FnOnce() -> Result<Chart, ChartError>,
    ) -> Result<Self, Fault> {
        if asked.format.is_picture() {
            self.chart = Some(chart()?);
        }
        Ok(self)
    }

    fn content(self, format: Format) -> Result<Vec<u8>, Fault> {
        let chart = || self.chart.as_ref().ok_or_else(|| broken("there is no picture of this"));
        match format {
            Format::Json => {
                let mut all = Map::new();
                all.insert("rows".to_owned(), self.rows.into_iter().map(Value::Object).collect());
                all.extend(self.more);
                Ok(Value::Object(all).to_string().into_bytes())
            }
            Format::Csv => {
                let first =
                    self.rows.first().map_or_else(Vec::new, |row| row.keys().cloned().collect());
                let rows: Vec<Vec<Value>> = self
                    .rows
                    .into_iter()
                    .map(|row| row.into_iter().map(|(_, value)| value).collect())
                    .collect();
                let text = covec_report::rows::csv(&first, rows.iter().map(Vec::as_slice));
                text.map(String::into_bytes).map_err(|error| broken(&error.to_string()))
            }
            Format::Svg => Ok(chart()?.svg().into_bytes()),
            Format::Png => Ok(chart()?.png()?),
            Format::Plotly => Ok(chart()?.plotly_json().into_bytes()),
        }
    }
}

fn broken(problem: &str) -> Fault {
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, problem)
}

/// An answer in the form that was asked for.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) format: Format,
    pub(crate) content: Bytes,
}

pub(crate) fn rendered(
    question: &Question,
    desk: &Desk,
    asked: &Asked,
    observer: &dyn Observer,
) -> Result<Rendered, Fault> {
    let reply = (question.answer)(desk, asked, &super::work(observer))?;
    Ok(Rendered { format: asked.format, content: reply.content(asked.format)?.into() })
}
