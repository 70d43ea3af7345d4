//! What all figures for plotly.js share: axes, names, symbols.

use serde_json::{Value, json};

use crate::kinds::estimate::Interval;
use crate::svg::{colour, ticks};

/// A figure for plotly.js. Colours of text and grid are the page's business.
pub(crate) struct Figure {
    pub(crate) data: Vec<Value>,
    pub(crate) layout: Value,
    /// In pixels, on a wide screen.
    pub(crate) height: f64,
    /// Whether the height is that of named rows, which a narrow screen must not press together.
    pub(crate) rows: bool,
}

impl Figure {
    pub(crate) fn json(&self) -> String {
        let Self { data, layout, height, rows } = self;
        json!({ "data": data, "layout": layout, "height": height, "rows": rows }).to_string()
    }
}

/// plotly.js reads some HTML in its texts: what a user wrote is shown as it is. It knows no
/// entities for quotation marks, and needs none.
pub(crate) fn text(raw: &str) -> String {
    let mut safe = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// An axis with a name.
pub(crate) fn axis(label: &str) -> Value {
    json!({ "title": { "text": text(label) }, "automargin": true, "zeroline": false })
}

/// An axis whose places 0, 1, … have names. Names may repeat, so they are no categories.
pub(crate) fn named_axis<'a>(label: &str, names: impl Iterator<Item = &'a str>) -> Value {
    let names: Vec<String> = names.map(text).collect();
    let mut axis = axis(label);
    axis["tickvals"] = json!((0..names.len()).collect::<Vec<_>>());
    axis["range"] = json!([-0.6, names.len() as f64 - 0.4]);
    axis["ticktext"] = json!(names);
    axis["showgrid"] = json!(false);
    axis
}

/// The same from top to bottom.
pub(crate) fn named_rows<'a>(label: &str, names: impl Iterator<Item = &'a str>) -> Value {
    let mut axis = named_axis(label, names);
    if let Some(range) = axis["range"].as_array_mut() {
        range.reverse();
    }
    axis["ticklen"] = json!(4);
    axis["tickcolor"] = json!("rgba(0,0,0,0)");
    axis
}

pub(crate) fn symbol(group: usize) -> &'static str {
    ["circle", "square", "diamond"][colour::shape(group)]
}

pub(crate) fn dash(group: usize) -> &'static str {
    ["solid", "dash", "dot"][colour::shape(group)]
}

/// Bars for intervals around `values`, if there are any.
pub(crate) fn errors(
    values: impl Iterator<Item = (f64, Option<Interval>)>,
    thickness: f64,
    ink: Option<&str>,
) -> Option<Value> {
    let (up, down): (Vec<f64>, Vec<f64>) = values
        .map(|(value, interval)| interval.map_or((0.0, 0.0), |i| (i.high - value, value - i.low)))
        .unzip();
    if up.iter().chain(&down).all(|d| *d == 0.0) {
        return None;
    }
    let mut errors = json!({
        "type": "data", "symmetric": false, "array": up, "arrayminus": down,
        "thickness": thickness, "width": 3,
    });
    if let Some(ink) = ink {
        errors["color"] = json!(ink);
    }
    Some(errors)
}

/// A value with its interval, in words.
pub(crate) fn words(value: f64, interval: Option<Interval>) -> String {
    let value = ticks::short(value);
    interval.map_or(value.clone(), |i| {
        format!("{value} ({} to {})", ticks::short(i.low), ticks::short(i.high))
    })
}

/// A dashed line across at `value`, with its name.
pub(crate) fn marker_across(value: f64, label: &str) -> Value {
    json!({
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value,
        "line": { "dash": "dash", "width": 1.3, "color": "#808080" },
        "label": { "text": text(label), "textposition": "end", "yanchor": "bottom" },
    })
}
