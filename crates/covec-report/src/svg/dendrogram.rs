//! A tree of merges, the root at the left and the leaves at the right.

use super::bars::row_height;
use super::canvas::{Canvas, Style};
use super::colour::{self, Groups};
use super::sheet::{self, Key, LABEL, PAD, Room, Sheet, WIDTH};
use super::ticks::Scale;
use crate::Chart;
use crate::kinds::dendrogram::{Dendrogram, Merge};

const LARGEST_NAME: f64 = 320.0;

pub(crate) fn draw(chart: &Chart, it: &Dendrogram) -> Canvas {
    let scale = Scale::from_base(it.merges.iter().map(|m| m.height), 0.0, 7);
    let (row, size) = row_height(it.leaves.len());
    let name = Style { size, ..LABEL };
    let widest = it.leaves.iter().map(|l| name.width(&l.label)).fold(0.0, f64::max);
    let groups = Groups::of(it.leaves.iter().map(|l| l.group.as_deref()));
    let left = PAD + 14.0 + if chart.y_label().is_empty() { 0.0 } else { 20.0 };
    let room = Room {
        width: WIDTH,
        left,
        right: PAD + 18.0 + widest.min(LARGEST_NAME),
        above: 0.0,
        height: it.leaves.len() as f64 * row,
        below: sheet::below_of(chart.x_label()),
    };
    let mut sheet = Sheet::begin(chart, &sheet::legend(&groups.names, Key::Point), &room);
    let area = sheet.area;
    // Heights grow from the leaves at the right to the root at the left.
    let x = |height: f64| area.right - scale.place(height) * area.width();
    sheet.x_axis(&scale, chart.x_label(), |_, height| x(height));
    sheet.y_label(chart.y_label());

    let places = it.places();
    let y = |node: usize| area.top + (places[node] + 0.5) * row;
    let whole = groups_of_nodes(it, &groups);
    let count = it.leaves.len();
    for (k, merge) in it.merges.iter().enumerate() {
        for child in [merge.a, merge.b] {
            let corner = (x(merge.height), y(child));
            let points = [(x(it.height(child)), y(child)), corner, (x(merge.height), y(count + k))];
            let ink = whole[child].map_or(colour::MUTED, colour::of);
            let look = format!(
                "fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.5\" stroke-linejoin=\"round\""
            );
            sheet.canvas.path(&points, false, &look);
        }
    }
    if let Some(root) = it.merges.len().checked_sub(1).map(|k| count + k) {
        let end = (area.left - 4.0, y(root));
        sheet.canvas.line(
            (x(it.height(root)), y(root)),
            end,
            colour::MUTED,
            "stroke-width=\"1.5\"",
        );
    }
    for (leaf, it) in it.leaves.iter().enumerate() {
        let group = groups.number(it.group.as_deref());
        let fill = format!("fill=\"{}\"", colour::of(group));
        let radius = (row * 0.2).min(4.0);
        sheet.canvas.symbol(colour::shape(group), (area.right + 6.0, y(leaf)), radius, &fill, None);
        let place = (area.right + 15.0, y(leaf) + 0.35 * size);
        sheet.canvas.text_within(place.0, place.1, &it.label, name, LARGEST_NAME);
    }
    sheet.canvas
}

/// The group that all leaves below a node share, if they do.
fn groups_of_nodes(it: &Dendrogram, groups: &Groups) -> Vec<Option<usize>> {
    let mut shared: Vec<Option<usize>> =
        it.leaves.iter().map(|l| Some(groups.number(l.group.as_deref()))).collect();
    for &Merge { a, b, .. } in &it.merges {
        let group = if shared[a] == shared[b] { shared[a] } else { None };
        shared.push(group);
    }
    shared
}
