//! A table in colours.

use serde_json::{Value, json};

use super::plot::{self, Figure};
use crate::Chart;
use crate::kinds::heatmap::Heatmap;
use crate::svg::{colour, ticks};

pub(crate) fn figure(chart: &Chart, it: &Heatmap) -> Figure {
    let columns = it.columns.len().max(1);
    // The colours of the values there are: those of others would only be on the scale.
    let ((low, high), (first, last)) = (it.ends(), it.range());
    let rows = || it.values.chunks(columns);
    let tips: Vec<Vec<String>> = rows()
        .zip(&it.rows)
        .map(|(values, row)| {
            let tip = |(value, column): (&Option<f64>, &String)| {
                let value = value.map_or_else(|| "no value".to_owned(), ticks::short);
                format!("<b>{}</b>, {}<br>{value}", plot::text(row), plot::text(column))
            };
            values.iter().zip(&it.columns).map(tip).collect()
        })
        .collect();
    let steps = 24;
    let scale: Vec<(f64, String)> = (0..=steps)
        .map(|k| f64::from(k) / f64::from(steps))
        .map(|part| {
            let of_all = (low + part * (high - low) - first) / (last - first);
            (part, colour::shade(of_all.clamp(0.0, 1.0), it.diverging()).0)
        })
        .collect();
    let mut data = vec![json!({
        "type": "heatmap",
        "x": (0..it.columns.len()).collect::<Vec<_>>(),
        "y": (0..it.rows.len()).collect::<Vec<_>>(),
        "z": rows().map(shown).collect::<Vec<_>>(),
        "zmin": low,
        "zmax": high,
        "colorscale": scale,
        "hovertext": tips,
        "hoverinfo": "text",
        "hoverongaps": true,
        "xgap": 1,
        "ygap": 1,
        "colorbar": {
            // What the colours show is said in the caption, where it has room.
            "thickness": 12, "outlinewidth": 0, "xpad": 6,
        },
    })];
    data.extend(signs(it, Some(0.0), "exactly 0", "x-thin"));
    data.extend(signs(it, None, "no value", "line-ew"));
    let mut names = plot::named_axis(chart.x_label(), it.columns.iter().map(String::as_str));
    names["range"] = json!([-0.5, columns as f64 - 0.5]);
    let mut row_names = plot::named_rows(chart.y_label(), it.rows.iter().map(String::as_str));
    row_names["range"] = json!([it.rows.len() as f64 - 0.5, -0.5]);
    let layout = json!({ "xaxis": names, "yaxis": row_names, "hovermode": "closest" });
    Figure { data, layout, height: (160.0 + it.rows.len() as f64 * 22.0).max(300.0), rows: true }
}

/// What gets a colour: zeros get a cross on the bare page instead.
fn shown(values: &[Option<f64>]) -> Vec<Option<f64>> {
    values.iter().map(|value| value.filter(|v| *v != 0.0)).collect()
}

/// A sign on every cell without a colour of its own.
fn signs(it: &Heatmap, cell: Option<f64>, name: &str, symbol: &str) -> Option<Value> {
    let columns = it.columns.len().max(1);
    let cells = it.values.iter().enumerate().filter(|(_, value)| **value == cell);
    let (x, y): (Vec<usize>, Vec<usize>) = cells.map(|(k, _)| (k % columns, k / columns)).unzip();
    (!x.is_empty()).then(|| {
        json!({
            "type": "scatter",
            "mode": "markers",
            "name": name,
            "showlegend": true,
            "x": x,
            "y": y,
            "hoverinfo": "skip",
            "marker": { "symbol": symbol, "size": 6, "color": "#8a8a8a",
                        "line": { "width": 1.4, "color": "#8a8a8a" } },
        })
    })
}
