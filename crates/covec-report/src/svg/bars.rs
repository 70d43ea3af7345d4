//! Horizontal bars.

use super::canvas::{Anchor, Canvas, Frame, Style};
use super::colour::{self, Groups};
use super::sheet::{self, Entry, Key, LABEL, PAD, Room, Sheet, WIDTH};
use super::ticks::{self, Scale};
use crate::Chart;
use crate::kinds::bars::{Bar, Bars};

/// About how many ticks there are.
const TICKS: usize = 7;
const LARGEST_NAME: f64 = 300.0;

/// The height of a row and of the text in it.
pub(crate) fn row_height(rows: usize) -> (f64, f64) {
    match rows {
        0..=40 => (25.0, 13.0),
        41..=120 => (20.0, 12.5),
        _ => (15.0, 11.0),
    }
}

pub(crate) fn draw(chart: &Chart, it: &Bars) -> Canvas {
    let scale = Scale::from_base(values(it), it.baseline, tick_count(it));
    let (row, size) = row_height(it.bars.len());
    let name = Style { size, ..LABEL }.anchor(Anchor::End);
    let widest = it.bars.iter().map(|b| name.width(&b.label)).fold(0.0, f64::max).min(LARGEST_NAME);
    let left = PAD + widest + 10.0 + if chart.y_label().is_empty() { 0.0 } else { 24.0 };
    let groups = Groups::of(it.bars.iter().map(|b| b.group.as_deref()));
    let room = Room {
        width: WIDTH,
        left,
        right: 40.0,
        above: 0.0,
        height: it.bars.len() as f64 * row + 8.0,
        below: sheet::below_of(chart.x_label()),
    };
    let mut sheet = Sheet::begin(chart, &entries(it, &groups), &room);
    sheet.x_axis(&scale, chart.x_label(), |sheet, value| sheet.x(&scale, value));
    sheet.y_label(chart.y_label());
    let base = sheet.x(&scale, it.baseline);
    for (k, bar) in it.bars.iter().enumerate() {
        let middle = sheet.area.top + 4.0 + (k as f64 + 0.5) * row;
        let end = sheet.x(&scale, bar.value);
        let thick = 0.34 * row;
        let frame = Frame {
            left: base.min(end),
            top: middle - thick,
            right: base.max(end),
            bottom: middle + thick,
        };
        let ink = colour::of(groups.number(bar.group.as_deref()));
        // Paler than in the legend, so that whiskers can be seen; the grid must not shine through.
        sheet.canvas.rect(frame, "#ffffff", "", None);
        sheet.canvas.rect(frame, ink, "fill-opacity=\"0.82\"", Some(&tip(bar)));
        if let Some(interval) = bar.interval {
            let (low, high) = (sheet.x(&scale, interval.low), sheet.x(&scale, interval.high));
            whisker(&mut sheet.canvas, low, high, middle, 0.16 * row);
        }
        if let Some(second) = bar.second {
            let x = sheet.x(&scale, second);
            sheet::diamond(&mut sheet.canvas, x, middle);
        }
        let y = middle + 0.35 * size;
        sheet.canvas.text_within(sheet.area.left - 8.0, y, &bar.label, name, LARGEST_NAME);
    }
    let Frame { top, bottom, .. } = sheet.area;
    sheet.canvas.line((base, top), (base, bottom), colour::MUTED, "stroke-width=\"1.2\"");
    sheet.canvas
}

fn values(it: &Bars) -> impl Iterator<Item = f64> {
    it.bars.iter().flat_map(|bar| {
        let ends = bar.interval.map(|i| [i.low, i.high]).into_iter().flatten();
        ends.chain(bar.second).chain([bar.value])
    })
}

/// Groups by colour; what the diamonds mean, where there are any.
fn entries(it: &Bars, groups: &Groups) -> Vec<Entry> {
    let mut entries = sheet::legend(&groups.names, Key::Box);
    if it.bars.iter().any(|bar| bar.second.is_some()) {
        if groups.names.is_empty() && !it.value_name.is_empty() {
            entries.push(Entry { key: Key::Box(0), name: it.value_name.clone() });
        }
        if !it.second_name.is_empty() {
            entries.push(Entry { key: Key::Diamond, name: it.second_name.clone() });
        }
    }
    entries
}

fn whisker(canvas: &mut Canvas, low: f64, high: f64, y: f64, half: f64) {
    let look = "stroke-width=\"1.3\"";
    canvas.line((low, y), (high, y), colour::TEXT, look);
    for x in [low, high] {
        canvas.line((x, y - half), (x, y + half), colour::TEXT, look);
    }
}

fn tip(bar: &Bar) -> String {
    let mut tip = format!("{}: {}", bar.label, ticks::short(bar.value));
    if let Some(i) = bar.interval {
        tip += &format!(" ({} to {})", ticks::short(i.low), ticks::short(i.high));
    }
    tip
}

/// About how many ticks: of counts no more than there are steps.
fn tick_count(it: &Bars) -> usize {
    let furthest = it.bars.iter().map(|bar| (bar.value - it.baseline).abs()).fold(1.0, f64::max);
    if it.counts() { TICKS.min(furthest as usize) } else { TICKS }
}
