//! Points in a plane; the page writes names beside as many as have room, anew after each zoom.

use serde_json::{Value, json};

use super::plot::{self, Figure};
use crate::Chart;
use crate::kinds::scatter::{Point, Scatter};
use crate::svg::colour::{self, Groups};
use crate::svg::ticks;

/// Above this, points are drawn by the graphics card.
const MOST_SHAPES: usize = 4000;
/// Names the page may choose from: more appear when zooming in.
const MOST_NAMES: usize = 400;

pub(crate) fn figure(chart: &Chart, it: &Scatter) -> Figure {
    let groups = Groups::of(it.points.iter().map(|p| p.group.as_deref()));
    let kinds = groups.names.len().min(colour::DISTINCT) + 1;
    let mut members: Vec<Vec<&Point>> = vec![Vec::new(); kinds];
    for point in it.points.iter().rev() {
        let group = groups.number(point.group.as_deref()).min(kinds - 1);
        members[group].push(point);
    }
    let mut data = Vec::new();
    for (k, points) in members.iter().enumerate().filter(|(_, points)| !points.is_empty()) {
        // The last of several is what shares the grey.
        let group = if k + 1 == kinds && kinds > 1 { colour::DISTINCT } else { k };
        let name = match groups.names.get(k) {
            Some(name) if group < colour::DISTINCT => plot::text(name),
            _ => "others".to_owned(),
        };
        data.push(trace(it, points, group, &name));
        if !groups.names.is_empty() {
            data.push(legend_entry(group, &name));
        }
    }
    data.push(names(it));
    let mut x_axis = plot::axis(chart.x_label());
    if it.log_x {
        x_axis["type"] = json!("log");
        // Whole numbers at every tick, not the lone digits that are the default.
        x_axis["tickformat"] = json!(",~r");
    }
    let shapes: Vec<Value> =
        it.markers.iter().map(|m| plot::marker_across(m.value, &m.label)).collect();
    let layout = json!({
        "xaxis": x_axis,
        "yaxis": plot::axis(chart.y_label()),
        "shapes": shapes,
        "hovermode": "closest",
    });
    Figure { data, layout, height: 600.0, rows: false }
}

fn trace(it: &Scatter, points: &[&Point], group: usize, name: &str) -> Value {
    let (size, opacity) = match it.points.len() {
        0..=400 => (8.0, 0.8),
        401..=4000 => (6.0, 0.5),
        _ => (4.5, 0.35),
    };
    let ink = colour::of(group);
    let tip = |p: &&Point| {
        let name = plot::text(&p.label);
        format!("<b>{name}</b><br>{}, {}", ticks::short(p.x), plot::words(p.y, p.interval))
    };
    let mut trace = json!({
        "type": if it.points.len() > MOST_SHAPES { "scattergl" } else { "scatter" },
        "mode": "markers",
        "name": name,
        "showlegend": false,
        "legendgroup": name,
        "x": points.iter().map(|p| p.x).collect::<Vec<_>>(),
        "y": points.iter().map(|p| p.y).collect::<Vec<_>>(),
        "hovertext": points.iter().map(tip).collect::<Vec<_>>(),
        "hoverinfo": "text",
        "marker": { "color": ink, "size": size, "opacity": opacity, "symbol": plot::symbol(group) },
    });
    let bars = points.iter().map(|p| (p.y, p.interval));
    if let Some(errors) = plot::errors(bars, 1.0, Some(ink)) {
        trace["error_y"] = errors;
    }
    trace
}

/// A point in full colour for the legend: those of the chart are faint.
fn legend_entry(group: usize, name: &str) -> Value {
    json!({
        "type": "scatter", "mode": "markers", "x": [null], "y": [null],
        "name": name, "legendgroup": name, "showlegend": true,
        "marker": { "color": colour::of(group), "size": 9, "symbol": plot::symbol(group) },
    })
}

/// Names without points; the page decides which of them are shown, and on which side.
fn names(it: &Scatter) -> Value {
    let most = if it.labels == 0 { 0 } else { MOST_NAMES.max(it.labels) };
    let named = it.points.iter().take(most).filter(|p| !p.label.is_empty());
    let named: Vec<&Point> = named.collect();
    json!({
        "type": "scatter",
        "mode": "markers+text",
        // Unseen, but text keeps its distance from a marker.
        "marker": { "size": 8, "opacity": 0 },
        "meta": { "names": it.labels },
        "x": named.iter().map(|p| p.x).collect::<Vec<_>>(),
        "y": named.iter().map(|p| p.y).collect::<Vec<_>>(),
        "text": named.iter().map(|p| plot::text(&p.label)).collect::<Vec<_>>(),
        "hoverinfo": "skip",
        "showlegend": false,
    })
}
