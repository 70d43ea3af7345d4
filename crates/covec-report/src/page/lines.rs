//! Series over ordered categories.

use serde_json::{Value, json};

use super::plot::{self, Figure};
use crate::Chart;
use crate::kinds::estimate::{Estimate, Interval};
use crate::kinds::lines::{Lines, Series};
use crate::svg::colour;

/// More ribbons than this hide each other: intervals are then bars.
const MOST_RIBBONS: usize = 3;

pub(crate) fn figure(chart: &Chart, it: &Lines) -> Figure {
    let mut data = Vec::new();
    let ribbons = it.series.len() <= MOST_RIBBONS;
    if ribbons {
        for (group, series) in it.series.iter().enumerate() {
            data.extend(stretches(series).iter().map(|stretch| ribbon(group, stretch)));
        }
    }
    for (group, series) in it.series.iter().enumerate() {
        data.push(line(it, group, series, ribbons));
    }
    let shapes: Vec<Value> =
        it.markers.iter().map(|m| plot::marker_across(m.value, &m.label)).collect();
    let layout = json!({
        "xaxis": plot::named_axis(chart.x_label(), it.categories.iter().map(String::as_str)),
        "yaxis": plot::axis(chart.y_label()),
        "shapes": shapes,
        "hovermode": "closest",
    });
    let height = 480.0f64.max(80.0 + it.series.len() as f64 * 20.0);
    Figure { data, layout, height, rows: false }
}

fn line(it: &Lines, group: usize, series: &Series, ribbons: bool) -> Value {
    let ink = colour::of(group);
    let name = plot::text(&series.name);
    let tips: Vec<String> = series
        .values
        .iter()
        .zip(&it.categories)
        .map(|(estimate, category)| {
            let words = estimate.map_or(String::new(), |e| plot::words(e.value, e.interval));
            format!("<b>{name}</b>, {}<br>{words}", plot::text(category))
        })
        .collect();
    let mut trace = json!({
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "legendgroup": format!("line {group}"),
        "showlegend": true,
        "connectgaps": false,
        "x": (0..series.values.len()).collect::<Vec<_>>(),
        "y": series.values.iter().map(|e| e.map(|e| e.value)).collect::<Vec<_>>(),
        "hovertext": tips,
        "hoverinfo": "text",
        "line": { "color": ink, "width": 2.2, "dash": plot::dash(group) },
        "marker": { "color": ink, "size": 7, "symbol": plot::symbol(group) },
    });
    // A value that stands alone has no ribbon, but a bar.
    let alone = |k: usize| {
        let has = |k: usize| series.values.get(k).is_some_and(|e| e.is_some_and(has_interval));
        !(has(k + 1) || (k > 0 && has(k - 1)))
    };
    let bars = series.values.iter().enumerate().map(|(k, estimate)| {
        let estimate = estimate.unwrap_or(Estimate::from(0.0));
        (estimate.value, estimate.interval.filter(|_| !ribbons || alone(k)))
    });
    if let Some(errors) = plot::errors(bars, 1.2, Some(ink)) {
        trace["error_y"] = errors;
    }
    trace
}

fn has_interval(estimate: Estimate) -> bool {
    estimate.interval.is_some()
}

/// Neighbouring categories with intervals, two or more in a row.
fn stretches(series: &Series) -> Vec<Vec<(usize, Interval)>> {
    let mut all = vec![Vec::new()];
    for (k, estimate) in series.values.iter().enumerate() {
        match (estimate.and_then(|e| e.interval), all.last_mut()) {
            (Some(interval), Some(last)) => last.push((k, interval)),
            _ => all.push(Vec::new()),
        }
    }
    all.retain(|stretch| stretch.len() > 1);
    all
}

fn ribbon(group: usize, stretch: &[(usize, Interval)]) -> Value {
    let there = stretch.iter().map(|(k, interval)| (*k, interval.high));
    let back = stretch.iter().rev().map(|(k, interval)| (*k, interval.low));
    let (x, y): (Vec<usize>, Vec<f64>) = there.chain(back).unzip();
    json!({
        "type": "scatter",
        "mode": "lines",
        "legendgroup": format!("line {group}"),
        "showlegend": false,
        "x": x,
        "y": y,
        "fill": "toself",
        "opacity": 0.25,
        "fillcolor": colour::of(group),
        "line": { "width": 0 },
        "hoverinfo": "skip",
    })
}
