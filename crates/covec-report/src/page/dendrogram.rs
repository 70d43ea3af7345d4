//! A tree of merges, the root at the left and the leaves at the right.

use std::collections::BTreeMap;

use serde_json::json;

use super::plot::{self, Figure};
use crate::Chart;
use crate::kinds::dendrogram::Dendrogram;
use crate::svg::colour::{self, Groups};
use crate::svg::ticks;

pub(crate) fn figure(chart: &Chart, it: &Dendrogram) -> Figure {
    let groups = Groups::of(it.leaves.iter().map(|l| l.group.as_deref()));
    let mut shared: Vec<Option<usize>> =
        it.leaves.iter().map(|l| Some(groups.number(l.group.as_deref()))).collect();
    let places = it.places();
    let leaves = it.leaves.len();
    // Branches of one colour are one line with gaps; what holds several groups is grey.
    let mut branches: BTreeMap<Option<usize>, Branches> = BTreeMap::new();
    for (k, merge) in it.merges.iter().enumerate() {
        for child in [merge.a, merge.b] {
            let branch = branches.entry(shared[child]).or_default();
            let height = it.height(child);
            branch.x.extend([Some(height), Some(merge.height), Some(merge.height), None]);
            let (from, to) = (places[child], places[leaves + k]);
            branch.y.extend([Some(from), Some(from), Some(to), None]);
            let tip = format!("joined at {}", ticks::short(merge.height));
            branch.tips.extend(std::iter::repeat_n(tip, 4));
        }
        let group = if shared[merge.a] == shared[merge.b] { shared[merge.a] } else { None };
        shared.push(group);
    }
    let mut data: Vec<_> = branches
        .into_iter()
        .map(|(group, branch)| {
            json!({
                "type": "scatter", "mode": "lines", "x": branch.x, "y": branch.y,
                "hovertext": branch.tips, "hoverinfo": "text", "showlegend": false,
                "line": { "color": group.map_or("#8a8a8a", colour::of), "width": 1.7 },
            })
        })
        .collect();
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (leaf, it) in it.leaves.iter().enumerate() {
        let group = groups.number(it.group.as_deref()).min(colour::DISTINCT);
        members.entry(group).or_default().push(leaf);
    }
    for (group, members) in members {
        let name = groups.names.get(group).copied().filter(|_| group < colour::DISTINCT);
        let tip = |leaf: &usize| format!("<b>{}</b>", plot::text(&it.leaves[*leaf].label));
        data.push(json!({
            "type": "scatter", "mode": "markers", "cliponaxis": false,
            "name": name.map_or_else(|| "others".to_owned(), plot::text),
            "showlegend": !groups.names.is_empty(),
            "x": vec![0.0; members.len()],
            "y": members.iter().map(|leaf| places[*leaf]).collect::<Vec<_>>(),
            "hovertext": members.iter().map(tip).collect::<Vec<_>>(),
            "hoverinfo": "text",
            "marker": { "color": colour::of(group), "size": 8, "symbol": plot::symbol(group) },
        }));
    }
    let order = it.order();
    let names = order.iter().map(|leaf| it.leaves[*leaf].label.as_str());
    let mut rows = plot::named_rows(chart.y_label(), names);
    rows["side"] = json!("right");
    let highest = it.merges.iter().map(|m| m.height).fold(0.0, f64::max);
    let highest = if highest > 0.0 { highest * 1.04 } else { 1.0 };
    let mut heights = plot::axis(chart.x_label());
    heights["range"] = json!([highest, 0.0]);
    let layout = json!({ "xaxis": heights, "yaxis": rows, "hovermode": "closest" });
    Figure { data, layout, height: 130.0 + leaves as f64 * 22.0, rows: true }
}

#[derive(Default)]
struct Branches {
    x: Vec<Option<f64>>,
    y: Vec<Option<f64>>,
    tips: Vec<String>,
}
