//! A table in colours.

use super::bars::row_height;
use super::canvas::{Anchor, Canvas, Frame, Style};
use super::categories::Names;
use super::colour;
use super::sheet::{self, Entry, Key, LABEL, PAD, Room, Sheet, TICK, WIDTH};
use super::ticks::{self, Scale};
use crate::Chart;
use crate::kinds::heatmap::Heatmap;

const LARGEST_NAME: f64 = 260.0;
const NARROWEST_SHEET: f64 = 560.0;
const BAR_WIDTH: f64 = 240.0;
/// The colour bar with its numbers.
const BAR_ROOM: f64 = 46.0;

pub(crate) fn draw(chart: &Chart, it: &Heatmap) -> Canvas {
    let (row, size) = row_height(it.rows.len());
    let name = Style { size, ..LABEL }.anchor(Anchor::End);
    let widest = it.rows.iter().map(|n| name.width(n)).fold(0.0, f64::max).min(LARGEST_NAME);
    let left = PAD + widest + 10.0 + if chart.y_label().is_empty() { 0.0 } else { 24.0 };
    let columns = it.columns.len() as f64;
    // Below 17 there is no room for every name.
    let narrowest = if columns <= 120.0 { 17.0 } else { 10.0 };
    let cell = ((WIDTH - left - PAD - 60.0) / columns).clamp(narrowest, 72.0);
    let names = Names::fit(&it.columns, cell, 130.0);
    let right = PAD + names.reach();
    let width = (left + cell * columns + right).max(NARROWEST_SHEET);
    let right = width - left - cell * columns;
    let x_label = if chart.x_label().is_empty() { PAD } else { 44.0 };
    let room = Room {
        width,
        left,
        right,
        above: BAR_ROOM + names.height(),
        height: row * it.rows.len() as f64,
        below: x_label,
    };
    let mut sheet = Sheet::begin(chart, &entries(it), &room);
    let area = sheet.area;
    names.above(&mut sheet.canvas, area.top, |k| area.left + (k as f64 + 0.5) * cell);
    draw_bar(&mut sheet, it, names.height());
    for (k, label) in it.rows.iter().enumerate() {
        let y = area.top + (k as f64 + 0.5) * row + 0.35 * size;
        sheet.canvas.text_within(area.left - 8.0, y, label, name, LARGEST_NAME);
    }
    let range = it.range();
    for (k, value) in it.values.iter().enumerate() {
        let (down, across) = (k / it.columns.len(), k % it.columns.len());
        let (x, y) = (area.left + across as f64 * cell, area.top + down as f64 * row);
        let frame = Frame { left: x, top: y, right: x + cell, bottom: y + row };
        let tip = || {
            let value = value.map_or_else(|| "no value".to_owned(), ticks::short);
            format!("{}, {}: {value}", it.rows[down], it.columns[across])
        };
        draw_cell(&mut sheet.canvas, it.diverging(), range, *value, frame, &tip());
    }
    sheet.y_label(chart.y_label());
    sheet.x_label(chart.x_label(), area.bottom + 26.0);
    sheet.canvas
}

fn draw_cell(
    canvas: &mut Canvas,
    diverging: bool,
    (low, high): (f64, f64),
    value: Option<f64>,
    frame: Frame,
    tip: &str,
) {
    let edge = "stroke=\"#ffffff\" stroke-width=\"1\"";
    let Some(value) = value else {
        return canvas.rect(frame, colour::MISSING, edge, Some(tip));
    };
    if value == 0.0 {
        let edge = format!("stroke=\"{}\" stroke-width=\"0.6\"", colour::GRID);
        canvas.rect(frame, "#ffffff", &edge, Some(tip));
        return sheet::zero(canvas, frame);
    }
    let (fill, dark) = colour::shade((value - low) / (high - low), diverging);
    canvas.rect(frame, &fill, edge, Some(tip));
    let number = ticks::short(value);
    let ink = if dark { "#ffffff" } else { colour::TEXT };
    let style = Style::new(11.0).fill(ink).anchor(Anchor::Middle);
    if style.width(&number) < frame.width() - 6.0 && frame.height() >= 18.0 {
        let (x, y) = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        canvas.text(x, y + 4.0, &number, style);
    }
}

fn entries(it: &Heatmap) -> Vec<Entry> {
    let mut entries = Vec::new();
    if it.values.contains(&Some(0.0)) {
        entries.push(Entry { key: Key::Zero, name: "exactly 0".to_owned() });
    }
    if it.values.contains(&None) {
        entries.push(Entry { key: Key::Missing, name: "no value".to_owned() });
    }
    entries
}

/// The bar that says which colour is which number.
fn draw_bar(sheet: &mut Sheet, it: &Heatmap, names: f64) {
    let top = sheet.area.top - names - BAR_ROOM + 4.0;
    let steps = 60;
    let (low, high) = it.range();
    // No more of the colours than the table has.
    let (from, to) = it.ends();
    for k in 0..steps {
        let value = from + (f64::from(k) + 0.5) / f64::from(steps) * (to - from);
        let (fill, _) = colour::shade((value - low) / (high - low), it.diverging());
        let left = PAD + f64::from(k) * BAR_WIDTH / f64::from(steps);
        // Steps overlap a little, or hairlines show between them.
        let right = (left + BAR_WIDTH / f64::from(steps) + 0.4).min(PAD + BAR_WIDTH);
        sheet.canvas.rect(Frame { left, top, right, bottom: top + 11.0 }, &fill, "", None);
    }
    let frame = Frame { left: PAD, top, right: PAD + BAR_WIDTH, bottom: top + 11.0 };
    let look = format!("stroke=\"{}\" stroke-width=\"0.6\"", colour::AXIS);
    sheet.canvas.rect(frame, "none", &look, None);
    let mut taken = f64::NEG_INFINITY;
    for (value, text) in &Scale::exact(from, to, 4).ticks {
        let x = PAD + (value - from) / (to - from) * BAR_WIDTH;
        let half = TICK.width(text) / 2.0;
        sheet.canvas.line((x, top + 11.0), (x, top + 15.0), colour::AXIS, "");
        if x - half > taken + 4.0 && x - half > 2.0 {
            sheet.canvas.text(x, top + 27.0, text, TICK.anchor(Anchor::Middle));
            taken = x + half;
        }
    }
    let room = sheet.canvas.width - BAR_WIDTH - 2.0 * PAD - 14.0;
    sheet.canvas.text_within(PAD + BAR_WIDTH + 14.0, top + 10.0, &it.value_name, LABEL, room);
}
