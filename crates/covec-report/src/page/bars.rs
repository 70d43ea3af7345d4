//! Horizontal bars.

use serde_json::{Value, json};

use super::plot::{self, Figure};
use crate::Chart;
use crate::kinds::bars::{Bar, Bars};
use crate::svg::colour::{self, Groups};
use crate::svg::ticks;

/// Counts up to this are all marked.
const FEW: f64 = 7.0;

pub(crate) fn figure(chart: &Chart, it: &Bars) -> Figure {
    let groups = Groups::of(it.bars.iter().map(|b| b.group.as_deref()));
    let mut members: std::collections::BTreeMap<usize, Vec<(usize, &Bar)>> = Default::default();
    for (row, bar) in it.bars.iter().enumerate() {
        let group = groups.number(bar.group.as_deref()).min(colour::DISTINCT);
        members.entry(group).or_default().push((row, bar));
    }
    let seconds: Vec<(usize, &Bar)> =
        it.bars.iter().enumerate().filter(|(_, bar)| bar.second.is_some()).collect();
    let mut data = Vec::new();
    for (group, bars) in &members {
        let (name, shown) = if groups.names.is_empty() {
            (it.value_name.as_str(), !seconds.is_empty() && !it.value_name.is_empty())
        } else if *group < colour::DISTINCT {
            (groups.names[*group], true)
        } else {
            ("others", true)
        };
        data.push(trace(it, bars, *group, name, shown));
    }
    if !seconds.is_empty() {
        data.push(second_values(it, &seconds));
    }
    let mut rows = plot::named_rows(chart.y_label(), it.bars.iter().map(|b| b.label.as_str()));
    rows["fixedrange"] = json!(true);
    let mut columns = plot::axis(chart.x_label());
    if it.counts() && it.bars.iter().all(|bar| (bar.value - it.baseline).abs() <= FEW) {
        // Between counts there is nothing to mark.
        columns["dtick"] = json!(1);
    }
    let layout = json!({
        "xaxis": columns,
        "yaxis": rows,
        "barmode": "overlay",
        "bargap": 0.3,
        "hovermode": "closest",
        "shapes": [{
            "type": "line", "yref": "paper", "x0": it.baseline, "x1": it.baseline, "y0": 0, "y1": 1,
            "line": { "width": 1.2, "color": "#808080" },
        }],
    });
    Figure { data, layout, height: 130.0 + it.bars.len() as f64 * 24.0, rows: true }
}

fn trace(it: &Bars, bars: &[(usize, &Bar)], group: usize, name: &str, shown: bool) -> Value {
    let tip = |(_, bar): &(usize, &Bar)| {
        let mut tip = format!(
            "<b>{}</b><br>{}",
            plot::text(&bar.label),
            plot::words(bar.value, bar.interval)
        );
        if let Some(second) = bar.second {
            let name = plot::text(&it.second_name);
            tip += &format!("<br>{name} {}", ticks::short(second));
        }
        tip
    };
    let mut trace = json!({
        "type": "bar",
        "orientation": "h",
        "name": plot::text(name),
        "showlegend": shown,
        "y": bars.iter().map(|(row, _)| row).collect::<Vec<_>>(),
        "x": bars.iter().map(|(_, bar)| bar.value - it.baseline).collect::<Vec<_>>(),
        "base": it.baseline,
        "hovertext": bars.iter().map(tip).collect::<Vec<_>>(),
        "hoverinfo": "text",
        "marker": { "color": colour::of(group), "opacity": 0.85 },
    });
    let ends = bars.iter().map(|(_, bar)| (bar.value, bar.interval));
    if let Some(errors) = plot::errors(ends, 1.3, Some("#808080")) {
        trace["error_x"] = errors;
    }
    trace
}

fn second_values(it: &Bars, bars: &[(usize, &Bar)]) -> Value {
    json!({
        "type": "scatter",
        "mode": "markers",
        "name": plot::text(&it.second_name),
        "showlegend": !it.second_name.is_empty(),
        "y": bars.iter().map(|(row, _)| row).collect::<Vec<_>>(),
        "x": bars.iter().map(|(_, bar)| bar.second).collect::<Vec<_>>(),
        "hoverinfo": "skip",
        "marker": {
            "symbol": "diamond", "size": 9, "color": "#ffffff",
            "line": { "color": "#303030", "width": 1.6 },
        },
    })
}
