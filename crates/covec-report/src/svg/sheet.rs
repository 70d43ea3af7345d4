//! The paper around a drawing: title, subtitle, legend, axes.

use super::canvas::{Anchor, Canvas, Frame, Style, extent};
use super::ticks::Scale;
use super::{colour, font};
use crate::Chart;
use crate::kinds::estimate::Marker;

/// The width of a chart, unless what it shows asks for another.
pub(crate) const WIDTH: f64 = 960.0;
/// What stays free at the edges.
pub(crate) const PAD: f64 = 20.0;

pub(crate) const TICK: Style = Style::new(12.5).fill(colour::MUTED);
pub(crate) const LABEL: Style = Style::new(13.0);
const TITLE: Style = Style { bold: true, ..Style::new(19.0) };
const SUBTITLE: Style = Style::new(13.5).fill(colour::MUTED);
/// From one line of text to the next, in sizes.
const LEADING: f64 = 1.35;

/// What stands in front of a name in the legend.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Key {
    /// A point of the group with this number.
    Point(usize),
    /// A box in the colour of the group with this number.
    Box(usize),
    /// A black diamond.
    Diamond,
    /// A crossed-out cell.
    Zero,
    /// A grey cell.
    Missing,
}

/// An entry of the legend.
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) name: String,
}

/// The legend of groups that have names; those beyond the palette share one entry.
pub(crate) fn legend(names: &[&str], key: impl Fn(usize) -> Key) -> Vec<Entry> {
    let shown = names.iter().take(colour::DISTINCT).enumerate();
    let mut entries: Vec<Entry> =
        shown.map(|(k, name)| Entry { key: key(k), name: (*name).to_owned() }).collect();
    if let Some(more) = names.len().checked_sub(colour::DISTINCT).filter(|more| *more > 0) {
        let name = format!("{more} more");
        entries.push(Entry { key: key(colour::DISTINCT), name });
    }
    entries
}

/// How large the parts are.
pub(crate) struct Room {
    pub(crate) width: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    /// Between the legend and the drawing.
    pub(crate) above: f64,
    /// Of the drawing itself.
    pub(crate) height: f64,
    pub(crate) below: f64,
}

/// Paper with title and legend, and an area that is still empty.
pub(crate) struct Sheet {
    pub(crate) canvas: Canvas,
    pub(crate) area: Frame,
}

impl Sheet {
    pub(crate) fn begin(chart: &Chart, entries: &[Entry], room: &Room) -> Self {
        let text_width = room.width - 2.0 * PAD;
        let titles = [(chart.title(), TITLE, 3), (chart.subtitle(), SUBTITLE, 4)];
        let mut texts = Vec::new();
        let mut y = PAD - 4.0;
        for (text, style, most) in titles {
            for line in font::wrap(text, style.size, style.bold, text_width, most) {
                y += style.size * LEADING;
                texts.push((y, line, style));
            }
            y += if text.is_empty() { 0.0 } else { 4.0 };
        }
        let legend_top = y + 8.0;
        let rows = flow(entries, text_width);
        let rows_high = rows.last().map_or(0.0, |last| (last.row + 1) as f64 * 22.0);
        let top = legend_top + rows_high + 12.0 + room.above;
        let area = Frame {
            left: room.left,
            top,
            right: room.width - room.right,
            bottom: top + room.height,
        };
        let mut canvas = Canvas::new(room.width, area.bottom + room.below);
        for (y, line, style) in texts {
            canvas.text(PAD, y, &line, style);
        }
        for (entry, place) in entries.iter().zip(rows) {
            let (x, y) = (PAD + place.x, legend_top + place.row as f64 * 22.0 + 11.0);
            draw_key(&mut canvas, entry.key, x + 7.0, y);
            canvas.text(x + 20.0, y + 4.5, &place.name, LABEL);
        }
        Self { canvas, area }
    }

    /// From left to right.
    pub(crate) fn x(&self, scale: &Scale, value: f64) -> f64 {
        self.area.left + scale.place(value) * self.area.width()
    }

    /// From bottom to top.
    pub(crate) fn y(&self, scale: &Scale, value: f64) -> f64 {
        self.area.bottom - scale.place(value) * self.area.height()
    }

    /// Lines and numbers for a horizontal scale; `place` says where a value stands.
    pub(crate) fn x_axis(&mut self, scale: &Scale, label: &str, place: impl Fn(&Self, f64) -> f64) {
        let Frame { left, top, right, bottom } = self.area;
        let mut taken = f64::NEG_INFINITY;
        let mut ticks: Vec<(f64, &String)> =
            scale.ticks.iter().map(|(value, name)| (place(self, *value), name)).collect();
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (x, name) in ticks {
            self.canvas.line((x, top), (x, bottom), colour::GRID, "");
            self.canvas.line((x, bottom), (x, bottom + 4.0), colour::AXIS, "");
            let half = TICK.width(name) / 2.0;
            // Numbers that would touch the one before are left out; their line stays.
            if x - half > taken + 6.0 && x - half > 2.0 && x + half < self.canvas.width - 2.0 {
                self.canvas.text(x, bottom + 18.0, name, TICK.anchor(Anchor::Middle));
                taken = x + half;
            }
        }
        self.canvas.line((left, bottom), (right, bottom), colour::AXIS, "");
        self.x_label(label, bottom + 40.0);
    }

    /// The name of the horizontal axis, in the middle of the area or of the sheet.
    pub(crate) fn x_label(&mut self, label: &str, y: f64) {
        if label.is_empty() {
            return;
        }
        let middle = (self.area.left + self.area.right) / 2.0;
        // Long names may use the margins, but no more than both sides have.
        let half = (middle - 4.0).min(self.canvas.width - 4.0 - middle);
        self.canvas.text_within(middle, y, label, LABEL.anchor(Anchor::Middle), 2.0 * half);
    }

    /// Lines and numbers for a vertical scale.
    pub(crate) fn y_axis(&mut self, scale: &Scale, label: &str) {
        let Frame { left, right, .. } = self.area;
        for (value, name) in &scale.ticks {
            let y = self.y(scale, *value);
            self.canvas.line((left, y), (right, y), colour::GRID, "");
            self.canvas.text(left - 8.0, y + 4.0, name, TICK.anchor(Anchor::End));
        }
        self.y_label(label);
    }

    /// The name of the vertical axis, read from below.
    pub(crate) fn y_label(&mut self, label: &str) {
        if label.is_empty() {
            return;
        }
        let middle = (self.area.top + self.area.bottom) / 2.0;
        let half = (middle - 4.0).min(self.canvas.height - 4.0 - middle);
        let style = Style { turn: -90.0, ..LABEL.anchor(Anchor::Middle) };
        self.canvas.text_within(PAD + 8.0, middle, label, style, 2.0 * half);
    }

    /// Dashed lines across.
    pub(crate) fn marker_lines(&mut self, scale: &Scale, markers: &[Marker]) {
        let Frame { left, right, .. } = self.area;
        for marker in markers {
            let y = self.y(scale, marker.value);
            self.canvas.line((left, y), (right, y), colour::MUTED, "stroke-dasharray=\"5 4\"");
        }
    }

    /// Their names at the right end, on top of what is drawn.
    pub(crate) fn marker_names(&mut self, scale: &Scale, markers: &[Marker]) {
        for (marker, place) in markers.iter().zip(self.marker_frames(scale, markers)) {
            if !marker.label.is_empty() {
                let (y, room) = (place.bottom - 0.25 * TICK.size, self.area.width() - 16.0);
                let style = Style { halo: true, ..TICK.anchor(Anchor::End) };
                self.canvas.text_within(place.right, y, &marker.label, style, room);
            }
        }
    }

    /// Where the names of lines across will stand.
    pub(crate) fn marker_frames(&self, scale: &Scale, markers: &[Marker]) -> Vec<Frame> {
        let room = self.area.width() - 16.0;
        let frame = |marker: &Marker| {
            let y = self.y(scale, marker.value);
            // Below the line where there is no room above.
            let y = if y - 18.0 < self.area.top { y + 14.0 } else { y - 5.0 };
            let name = font::shorten(&marker.label, TICK.size, TICK.bold, room);
            extent(self.area.right - 6.0, y, &name, TICK.anchor(Anchor::End))
        };
        markers.iter().map(frame).collect()
    }
}

/// The left margin that numbers and the name of a vertical axis need.
pub(crate) fn left_of(scale: &Scale, label: &str) -> f64 {
    let widest = scale.ticks.iter().map(|(_, name)| TICK.width(name)).fold(0.0, f64::max);
    PAD + widest + 10.0 + if label.is_empty() { 0.0 } else { 24.0 }
}

/// The room that numbers and the name of a horizontal axis need.
pub(crate) fn below_of(label: &str) -> f64 {
    if label.is_empty() { 32.0 } else { 56.0 }
}

struct Placed {
    x: f64,
    row: usize,
    name: String,
}

/// Entries side by side, in rows no wider than `limit`.
fn flow(entries: &[Entry], limit: f64) -> Vec<Placed> {
    let (mut x, mut row) = (0.0, 0);
    let mut placed = Vec::with_capacity(entries.len());
    for entry in entries {
        let name = font::shorten(&entry.name, LABEL.size, false, 280.0);
        let width = 20.0 + LABEL.width(&name);
        if x > 0.0 && x + width > limit {
            (x, row) = (0.0, row + 1);
        }
        placed.push(Placed { x, row, name });
        x += width + 20.0;
    }
    placed
}

fn draw_key(canvas: &mut Canvas, key: Key, x: f64, y: f64) {
    let cell = Frame { left: x - 6.0, top: y - 6.0, right: x + 6.0, bottom: y + 6.0 };
    match key {
        Key::Point(group) => {
            let fill = format!("fill=\"{}\"", colour::of(group));
            canvas.symbol(colour::shape(group), (x, y), 5.0, &fill, None);
        }
        Key::Box(group) => canvas.rect(cell, colour::of(group), "", None),
        Key::Diamond => diamond(canvas, x, y),
        Key::Zero => {
            canvas.rect(cell, "#ffffff", &format!("stroke=\"{}\"", colour::AXIS), None);
            zero(canvas, cell);
        }
        Key::Missing => canvas.rect(cell, colour::MISSING, "", None),
    }
}

/// A second value.
pub(crate) fn diamond(canvas: &mut Canvas, x: f64, y: f64) {
    let look = format!("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.6\"", colour::TEXT);
    canvas.symbol(2, (x, y), 4.0, &look, None);
}

/// A cross in a cell: exactly 0.
pub(crate) fn zero(canvas: &mut Canvas, cell: Frame) {
    let (x, y) = ((cell.left + cell.right) / 2.0, (cell.top + cell.bottom) / 2.0);
    let r = (cell.width().min(cell.height()) * 0.22).min(4.0);
    for s in [r, -r] {
        canvas.line((x - r, y - s), (x + r, y + s), colour::MUTED, "stroke-width=\"1.3\"");
    }
}
