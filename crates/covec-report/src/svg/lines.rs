//! Series over ordered categories, named at their ends.

use super::canvas::{Canvas, Style};
use super::categories::Names;
use super::colour;
use super::font;
use super::labels;
use super::sheet::{self, LABEL, PAD, Room, Sheet, WIDTH};
use super::ticks::{self, Scale};
use crate::Chart;
use crate::kinds::estimate::Estimate;
use crate::kinds::lines::{Lines, Series};

const HEIGHT: f64 = 420.0;
const LARGEST_NAME: f64 = 230.0;
const NAME_GAP: f64 = 16.0;
/// More ribbons than this hide each other: intervals are then bars.
const MOST_RIBBONS: usize = 3;

/// The drawing under way.
struct Drawing<'a> {
    sheet: Sheet,
    scale: Scale,
    it: &'a Lines,
    apart: f64,
}

pub(crate) fn draw(chart: &Chart, it: &Lines) -> Canvas {
    let scale = Scale::linear(values(it), 7);
    let left = sheet::left_of(&scale, chart.y_label());
    let widest = it.series.iter().map(|s| LABEL.width(&short_name(s))).fold(0.0, f64::max);
    let right = PAD + widest + 18.0;
    let apart = (WIDTH - left - right) / it.categories.len() as f64;
    let names = Names::fit(&it.categories, apart, left + apart / 2.0);
    let x_label = if chart.x_label().is_empty() { 10.0 } else { 34.0 };
    let room = Room {
        width: WIDTH,
        left,
        right,
        above: 0.0,
        height: HEIGHT.max(it.series.len() as f64 * NAME_GAP),
        below: names.height() + x_label,
    };
    let mut sheet = Sheet::begin(chart, &[], &room);
    sheet.y_axis(&scale, chart.y_label());
    let area = sheet.area;
    sheet.canvas.line((area.left, area.bottom), (area.right, area.bottom), colour::AXIS, "");
    let middle = |k: usize| area.left + (k as f64 + 0.5) * apart;
    names.below(&mut sheet.canvas, area.bottom, middle);
    sheet.x_label(chart.x_label(), area.bottom + names.height() + 20.0);
    sheet.marker_lines(&scale, &it.markers);
    let mut drawing = Drawing { sheet, scale, it, apart };
    for group in 0..it.series.len() {
        drawing.intervals(group);
    }
    for group in 0..it.series.len() {
        drawing.line(group);
    }
    drawing.end_names();
    drawing.sheet.marker_names(&drawing.scale, &it.markers);
    drawing.sheet.canvas
}

fn values(it: &Lines) -> impl Iterator<Item = f64> {
    let ends = |e: &Estimate| e.interval.map(|i| [i.low, i.high]).into_iter().flatten();
    let estimates = it.series.iter().flat_map(|s| s.values.iter().flatten());
    let all = estimates.flat_map(move |e| ends(e).chain([e.value]));
    all.chain(it.markers.iter().map(|m| m.value))
}

fn short_name(series: &Series) -> String {
    font::shorten(&series.name, LABEL.size, false, LARGEST_NAME)
}

impl Drawing<'_> {
    fn x(&self, category: usize) -> f64 {
        self.sheet.area.left + (category as f64 + 0.5) * self.apart
    }

    fn y(&self, value: f64) -> f64 {
        self.sheet.y(&self.scale, value)
    }

    /// Stretches without a gap in which `part` is there: where each stands, and its part.
    fn stretches<T>(
        &self,
        group: usize,
        part: impl Fn(&Estimate) -> Option<T>,
    ) -> Vec<Vec<(f64, T)>> {
        let mut all = vec![Vec::new()];
        for (k, estimate) in self.it.series[group].values.iter().enumerate() {
            match (estimate.as_ref().and_then(&part), all.last_mut()) {
                (Some(part), Some(last)) => last.push((self.x(k), part)),
                _ => all.push(Vec::new()),
            }
        }
        all.retain(|stretch| !stretch.is_empty());
        all
    }

    /// Ribbons, or bars where there are many lines or a value stands alone.
    fn intervals(&mut self, group: usize) {
        let ink = colour::of(group);
        let count = self.it.series.len();
        for stretch in self.stretches(group, |e| e.interval) {
            if count <= MOST_RIBBONS && stretch.len() > 1 {
                let upper = stretch.iter().map(|(x, i)| (*x, self.y(i.high)));
                let lower = stretch.iter().rev().map(|(x, i)| (*x, self.y(i.low)));
                let edge: Vec<(f64, f64)> = upper.chain(lower).collect();
                let look = format!("fill=\"{ink}\" fill-opacity=\"0.16\"");
                self.sheet.canvas.path(&edge, true, &look);
                continue;
            }
            for (x, interval) in stretch {
                let (low, high) = (self.y(interval.low), self.y(interval.high));
                let look = "stroke-width=\"1.4\" stroke-opacity=\"0.4\"";
                self.sheet.canvas.line((x, low), (x, high), ink, look);
            }
        }
    }

    fn line(&mut self, group: usize) {
        let ink = colour::of(group);
        for stretch in self.stretches(group, |e| Some(e.value)) {
            let points: Vec<(f64, f64)> = stretch.iter().map(|(x, v)| (*x, self.y(*v))).collect();
            let look = format!(
                "fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke-dasharray=\"{}\"",
                colour::dashes(group)
            );
            self.sheet.canvas.path(&points, false, &look);
        }
        let radius = if self.apart < 12.0 { 1.6 } else { 3.2 };
        let Series { name, values } = &self.it.series[group];
        for (k, estimate) in values.iter().enumerate() {
            let Some(Estimate { value, .. }) = *estimate else { continue };
            let place = (self.x(k), self.y(value));
            let tip = format!("{name}, {}: {}", self.it.categories[k], ticks::short(value));
            let fill = format!("fill=\"{ink}\"");
            self.sheet.canvas.symbol(colour::shape(group), place, radius, &fill, Some(&tip));
        }
    }

    /// Names at the right, each as near as possible to where its line ends.
    fn end_names(&mut self) {
        let mut ends: Vec<(usize, f64, f64)> = Vec::new();
        for (group, series) in self.it.series.iter().enumerate() {
            let last = series.values.iter().enumerate().rev().find_map(|(k, e)| Some((k, (*e)?)));
            if let Some((k, estimate)) = last {
                ends.push((group, self.x(k), self.y(estimate.value)));
            }
        }
        ends.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)));
        let area = self.sheet.area;
        let wanted: Vec<f64> = ends.iter().map(|end| end.2).collect();
        let places = labels::spread(&wanted, NAME_GAP, area.top + 6.0, area.bottom - 6.0);
        for ((group, x, y), place) in ends.into_iter().zip(places) {
            let (from, to) = ((x + 6.0, y), (area.right + 8.0, place));
            let look = "stroke-width=\"0.8\" stroke-opacity=\"0.7\" stroke-dasharray=\"2 2\"";
            self.sheet.canvas.line(from, to, colour::of(group), look);
            let fill = format!("fill=\"{}\"", colour::of(group));
            self.sheet.canvas.symbol(
                colour::shape(group),
                (area.right + 10.0, place),
                3.2,
                &fill,
                None,
            );
            let style = Style { halo: false, ..LABEL };
            let name = &self.it.series[group].name;
            self.sheet.canvas.text_within(
                area.right + 18.0,
                place + 4.5,
                name,
                style,
                LARGEST_NAME,
            );
        }
    }
}
