//! Counts in bins, with lines at values that matter.

use super::canvas::{Anchor, Canvas, Frame, Style};
use super::colour;
use super::font;
use super::sheet::{self, Entry, Key, LABEL, Room, Sheet, WIDTH};
use super::ticks::Scale;
use crate::Chart;
use crate::kinds::histogram::{Counts, Histogram};

const HEIGHT: f64 = 380.0;
const LARGEST_NAME: f64 = 260.0;
/// From one row of names to the next.
const ROW: f64 = 18.0;

pub(crate) fn draw(chart: &Chart, it: &Histogram) -> Canvas {
    let places = it.edges.iter().copied().chain(it.markers.iter().map(|m| m.value));
    let x_scale = Scale::linear(places, 9);
    let counts = it.groups.iter().flat_map(|g| g.counts.iter().copied());
    let y_scale = Scale::from_base(counts, 0.0, 6);
    let left = sheet::left_of(&y_scale, chart.y_label());
    let right = 36.0;
    let width = WIDTH - left - right;
    let names = place_names(it, |value| left + x_scale.place(value) * width);
    let rows = names.iter().map(|name| name.row + 1).max().unwrap_or(0);
    let room = Room {
        width: WIDTH,
        left,
        right,
        above: rows as f64 * ROW,
        height: HEIGHT,
        below: sheet::below_of(chart.x_label()),
    };
    let named = it.groups.iter().enumerate().filter(|(_, g)| !g.name.is_empty());
    let entries: Vec<Entry> =
        named.map(|(k, g)| Entry { key: Key::Box(k), name: g.name.clone() }).collect();
    let mut sheet = Sheet::begin(chart, &entries, &room);
    sheet.y_axis(&y_scale, chart.y_label());
    sheet.x_axis(&x_scale, chart.x_label(), |sheet, value| sheet.x(&x_scale, value));
    for (k, group) in it.groups.iter().enumerate() {
        draw_group(&mut sheet, it, group, k, &x_scale, &y_scale);
    }
    for (marker, name) in it.markers.iter().zip(names) {
        let x = sheet.x(&x_scale, marker.value);
        let Frame { top, bottom, .. } = sheet.area;
        let from = top - name.row as f64 * ROW - 2.0;
        let look = "stroke-width=\"1.6\" stroke-dasharray=\"6 3\"";
        sheet.canvas.line((x, from), (x, bottom), colour::TEXT, look);
        sheet.canvas.text(name.x, from - 4.0, &name.text, LABEL.anchor(Anchor::Middle));
    }
    sheet.canvas
}

/// Pale bars below an outline in steps, so that groups can be seen through each other.
fn draw_group(sheet: &mut Sheet, it: &Histogram, group: &Counts, k: usize, x: &Scale, y: &Scale) {
    let ink = colour::of(k);
    let opacity = if it.groups.len() == 1 { 0.75 } else { 0.28 };
    let bottom = sheet.area.bottom;
    let fill = format!("fill-opacity=\"{opacity}\"");
    let mut outlines: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut open = false;
    for (edges, &count) in it.edges.windows(2).zip(&group.counts) {
        let (left, right) = (sheet.x(x, edges[0]), sheet.x(x, edges[1]));
        let top = sheet.y(y, count);
        // A hair of white between bars, unless bars are hairs themselves.
        let gap = if it.groups.len() == 1 && right - left > 5.0 { 0.5 } else { 0.0 };
        let bar = Frame { left: left + gap, top, right: right - gap, bottom };
        if count == 0.0 {
            open = false;
            continue;
        }
        sheet.canvas.rect(bar, ink, &fill, None);
        // An outline rises from the ground after a bin without counts, and falls back before one.
        if !std::mem::replace(&mut open, true) {
            outlines.push(vec![(left, bottom), (left, bottom)]);
        }
        if let Some(outline) = outlines.last_mut() {
            outline.pop();
            outline.extend([(left, top), (right, top), (right, bottom)]);
        }
    }
    if it.groups.len() > 1 {
        let dashes = colour::dashes(k);
        let look = format!(
            "fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.8\" stroke-dasharray=\"{dashes}\""
        );
        for outline in outlines {
            sheet.canvas.path(&outline, false, &look);
        }
    }
}

struct Name {
    text: String,
    x: f64,
    row: usize,
}

/// Names of lines above the area, in as many rows as they need not to touch each other.
fn place_names(it: &Histogram, x: impl Fn(f64) -> f64) -> Vec<Name> {
    let mut rows: Vec<Vec<(f64, f64)>> = Vec::new();
    let style = Style { ..LABEL };
    let mut names = Vec::with_capacity(it.markers.len());
    for marker in &it.markers {
        let text = font::shorten(&marker.label, style.size, false, LARGEST_NAME);
        let half = style.width(&text) / 2.0;
        let place = x(marker.value).clamp(half + 4.0, WIDTH - half - 4.0);
        let (from, to) = (place - half - 8.0, place + half + 8.0);
        let free = |row: &Vec<(f64, f64)>| row.iter().all(|(a, b)| to < *a || *b < from);
        let row = rows.iter().position(free).unwrap_or(rows.len());
        if row == rows.len() {
            rows.push(Vec::new());
        }
        rows[row].push((from, to));
        names.push(Name { text, x: place, row });
    }
    names
}
