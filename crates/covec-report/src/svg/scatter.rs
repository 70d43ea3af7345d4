//! Points in a plane.

use super::canvas::{Canvas, Style};
use super::colour::{self, Groups};
use super::labels::{self, Placed};
use super::sheet::{self, Key, LABEL, Room, Sheet, WIDTH};
use super::ticks::{self, Scale};
use crate::Chart;
use crate::kinds::scatter::{Point, Scatter};

const HEIGHT: f64 = 540.0;
const LARGEST_LABEL: f64 = 260.0;
/// Where points crowd, others than the first may have a name; so many are asked.
const APPLICANTS: usize = 10_000;
/// Tips make files large; where there are more points, only named ones have one.
const MOST_TIPS: usize = 2000;

/// Radius and opacity that keep this many points apart.
fn look(points: usize) -> (f64, f64) {
    match points {
        0..=60 => (4.5, 0.9),
        61..=400 => (3.6, 0.75),
        401..=2000 => (2.8, 0.5),
        2001..=8000 => (2.2, 0.35),
        _ => (1.7, 0.25),
    }
}

pub(crate) fn draw(chart: &Chart, it: &Scatter) -> Canvas {
    let x_scale = if it.log_x {
        Scale::log(it.points.iter().map(|p| p.x), 8)
    } else {
        Scale::linear(it.points.iter().map(|p| p.x), 8)
    };
    let y_scale = Scale::linear(y_values(it), 7);
    let groups = Groups::of(it.points.iter().map(|p| p.group.as_deref()));
    let entries = sheet::legend(&groups.names, Key::Point);
    let left = sheet::left_of(&y_scale, chart.y_label());
    let below = sheet::below_of(chart.x_label());
    let room = Room { width: WIDTH, left, right: 36.0, above: 0.0, height: HEIGHT, below };
    let mut sheet = Sheet::begin(chart, &entries, &room);
    sheet.x_axis(&x_scale, chart.x_label(), |sheet, value| sheet.x(&x_scale, value));
    sheet.y_axis(&y_scale, chart.y_label());
    sheet.marker_lines(&y_scale, &it.markers);

    let (radius, opacity) = look(it.points.len());
    let places: Vec<(f64, f64)> =
        it.points.iter().map(|p| (sheet.x(&x_scale, p.x), sheet.y(&y_scale, p.y))).collect();
    let (names, placed) = place_names(it, &places, radius, &sheet, &y_scale);
    let mut named = vec![false; it.points.len()];
    for name in &placed {
        named[name.point] = true;
    }
    // The most important last, on top.
    for (k, point) in it.points.iter().enumerate().rev() {
        let group = groups.number(point.group.as_deref());
        let (x, y) = places[k];
        if let Some(interval) = point.interval {
            let ends = (sheet.y(&y_scale, interval.low), sheet.y(&y_scale, interval.high));
            let faint = format!("stroke-opacity=\"{}\" stroke-width=\"1.2\"", opacity * 0.6);
            sheet.canvas.line((x, ends.0), (x, ends.1), colour::of(group), &faint);
        }
        let opacity = if named[k] { 1.0 } else { opacity };
        let fill = format!("fill=\"{}\" fill-opacity=\"{opacity}\"", colour::of(group));
        let tip = (named[k] || it.points.len() <= MOST_TIPS).then(|| tip(point));
        sheet.canvas.symbol(colour::shape(group), (x, y), radius, &fill, tip.as_deref());
    }
    for name in placed {
        if let Some(end) = name.leader {
            sheet.canvas.line(places[name.point], end, colour::AXIS, "stroke-width=\"0.8\"");
        }
        let style = Style { anchor: name.anchor, halo: true, ..LABEL };
        sheet.canvas.text(name.x, name.y, &names[name.point], style);
    }
    sheet.marker_names(&y_scale, &it.markers);
    sheet.canvas
}

fn y_values(it: &Scatter) -> impl Iterator<Item = f64> {
    let ends = |p: &Point| p.interval.map(|i| [i.low, i.high]).into_iter().flatten();
    let points = it.points.iter().flat_map(move |p| ends(p).chain([p.y]));
    points.chain(it.markers.iter().map(|m| m.value))
}

fn place_names(
    it: &Scatter,
    places: &[(f64, f64)],
    radius: f64,
    sheet: &Sheet,
    y_scale: &Scale,
) -> (Vec<String>, Vec<Placed>) {
    let shorten = |p: &Point| super::font::shorten(&p.label, LABEL.size, LABEL.bold, LARGEST_LABEL);
    let applicants = if it.labels == 0 { 0 } else { APPLICANTS };
    let names: Vec<String> = it.points.iter().take(applicants).map(shorten).collect();
    let mut spots = places.to_vec();
    // A name should not stand across an interval either.
    for (point, &(x, _)) in it.points.iter().zip(places) {
        let Some(interval) = point.interval else { continue };
        let (top, bottom) = (sheet.y(y_scale, interval.high), sheet.y(y_scale, interval.low));
        let steps = ((bottom - top) / 6.0).clamp(0.0, 200.0) as usize;
        spots.extend((0..=steps).map(|k| (x, top + k as f64 * 6.0)));
    }
    let reserved = sheet.marker_frames(y_scale, &it.markers);
    let placed = labels::place(&spots, &names, radius, LABEL, sheet.area, it.labels, &reserved);
    (names, placed)
}

fn tip(point: &Point) -> String {
    format!("{}: {}, {}", point.label, ticks::short(point.x), ticks::short(point.y))
}
