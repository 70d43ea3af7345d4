//! Counts in bins, with lines at values that matter.

use serde_json::{Value, json};

use super::plot::{self, Figure};
use crate::Chart;
use crate::kinds::estimate::Marker;
use crate::kinds::histogram::{Counts, Histogram};
use crate::svg::colour;
use crate::svg::ticks::short;

pub(crate) fn figure(chart: &Chart, it: &Histogram) -> Figure {
    let data = it.groups.iter().enumerate().map(|(k, group)| trace(it, k, group)).collect();
    let shapes: Vec<Value> = it.markers.iter().map(marker).collect();
    let mut counts = plot::axis(chart.y_label());
    counts["rangemode"] = json!("tozero");
    let layout = json!({
        "xaxis": plot::axis(chart.x_label()),
        "yaxis": counts,
        "barmode": "overlay",
        "bargap": 0,
        "hovermode": "closest",
        "shapes": shapes,
    });
    Figure { data, layout, height: 460.0, rows: false }
}

fn trace(it: &Histogram, k: usize, group: &Counts) -> Value {
    let bins = || it.edges.windows(2);
    let name = plot::text(&group.name);
    let tip = |(edges, count): (&[f64], &f64)| {
        format!("<b>{name}</b> {} to {}<br>{}", short(edges[0]), short(edges[1]), short(*count))
    };
    let ink = colour::of(k);
    json!({
        "type": "bar",
        "name": name,
        "showlegend": !group.name.is_empty(),
        "x": bins().map(|e| (e[0] + e[1]) / 2.0).collect::<Vec<_>>(),
        "width": bins().map(|e| e[1] - e[0]).collect::<Vec<_>>(),
        "y": group.counts,
        "hovertext": bins().zip(&group.counts).map(tip).collect::<Vec<_>>(),
        "hoverinfo": "text",
        "marker": {
            "color": ink,
            "opacity": if it.groups.len() == 1 { 0.8 } else { 0.45 },
            "line": { "color": ink, "width": if it.groups.len() == 1 { 0.0 } else { 1.0 } },
        },
    })
}

/// A vertical line with its name along it: names of lines that stand close do not touch.
fn marker(it: &Marker) -> Value {
    json!({
        "type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": it.value, "x1": it.value,
        "line": { "dash": "dash", "width": 1.8, "color": "#808080" },
        "label": {
            "text": plot::text(&it.label), "textposition": "end", "textangle": -90,
            "xanchor": "right", "yanchor": "bottom",
        },
    })
}
