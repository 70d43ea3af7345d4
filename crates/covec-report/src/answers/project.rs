//! Words on an axis of the user's, level by level.

use covec::analyse::View;
use covec::analyse::project::Position;

use super::short;
use crate::{Chart, ChartError, Lines, Marker, Series};

/// A line for every word; `axis` is what the user wrote.
pub fn positions(rows: &[Position], axis: &str) -> Result<Chart, ChartError> {
    let mut lines =
        Lines { markers: vec![Marker { value: 0.0, label: String::new() }], ..Lines::default() };
    // The base is no point of a trend; alone it is all there is.
    let levels = rows.iter().any(|row| row.level != View::BASE);
    let rows: Vec<&Position> =
        rows.iter().filter(|row| !levels || row.level != View::BASE).collect();
    for own in rows.chunk_by(|a, b| a.word == b.word) {
        lines.categories = own.iter().map(|row| short(&row.level).to_owned()).collect();
        let values = own.iter().map(|row| row.position.map(Into::into)).collect();
        lines.series.push(Series { name: own[0].word.clone(), values });
    }
    let (left, right) = axis.split_once(':').unwrap_or((axis, ""));
    Ok(Chart::new(format!("From {left} to {right}"), lines)?
        .with_subtitle("Cosine with the difference of the two ends; a gap where a word is too rare")
        .with_y_label(format!("{left} ← → {right}")))
}
