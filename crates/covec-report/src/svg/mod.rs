//! Charts as SVG: a file for each kind, over a canvas, a sheet with axes, and measured text.
//!
//! Drawn by hand: names are measured in the font they are drawn in, so none is clipped or covers
//! another, which plotting crates leave to luck.

mod bars;
pub(crate) mod canvas;
mod categories;
pub(crate) mod colour;
mod dendrogram;
pub(crate) mod font;
mod heatmap;
mod histogram;
mod labels;
mod lines;
mod scatter;
mod sheet;
#[cfg(test)]
mod tests;
pub(crate) mod ticks;

use crate::{Chart, Kind};
use canvas::{Anchor, Canvas};
use sheet::{LABEL, PAD, Room, Sheet, WIDTH};

/// Draws a chart.
pub(crate) fn draw(chart: &Chart) -> Canvas {
    match chart.kind() {
        kind if kind.is_empty() => draw_nothing(chart),
        Kind::Scatter(it) => scatter::draw(chart, it),
        Kind::Lines(it) => lines::draw(chart, it),
        Kind::Bars(it) => bars::draw(chart, it),
        Kind::Histogram(it) => histogram::draw(chart, it),
        Kind::Heatmap(it) => heatmap::draw(chart, it),
        Kind::Dendrogram(it) => dendrogram::draw(chart, it),
    }
}

/// Said where a chart has no data.
pub(crate) const NOTHING: &str = "There is nothing to show.";

fn draw_nothing(chart: &Chart) -> Canvas {
    let room = Room { width: WIDTH, left: PAD, right: PAD, above: 0.0, height: 120.0, below: PAD };
    let Sheet { mut canvas, area } = Sheet::begin(chart, &[], &room);
    canvas.rect(area, "#f5f5f5", "", None);
    let y = (area.top + area.bottom) / 2.0 + 4.0;
    canvas.text(WIDTH / 2.0, y, NOTHING, LABEL.fill(colour::MUTED).anchor(Anchor::Middle));
    canvas
}
