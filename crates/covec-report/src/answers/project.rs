//! Words on an axis of the user's, level by level.

use covec::analyse::View;
use covec::analyse::project::Position;
use covec::resample::Bar as Sureness;

use super::{estimate, short};
use crate::{Chart, ChartError, Lines, Marker, Series};

/// A line for every word, with the intervals that replicates gave; `axis` is what the user wrote.
pub fn positions(
    rows: &[Position],
    sureness: &[Vec<Sureness>],
    axis: &str,
) -> Result<Chart, ChartError> {
    let mut lines =
        Lines { markers: vec![Marker { value: 0.0, label: String::new() }], ..Lines::default() };
    // The base is no point of a trend; alone it is all there is.
    let levels = rows.iter().any(|row| row.level != View::BASE);
    let rows: Vec<(usize, &Position)> =
        rows.iter().enumerate().filter(|(_, row)| !levels || row.level != View::BASE).collect();
    for own in rows.chunk_by(|(_, a), (_, b)| a.word == b.word) {
        lines.categories = own.iter().map(|(_, row)| short(&row.level).to_owned()).collect();
        let value =
            |(at, row): &(usize, &Position)| estimate(row.position, sureness, *at, "position");
        let values = own.iter().map(value).collect();
        lines.series.push(Series { name: own[0].1.word.clone(), values });
    }
    let (left, right) = axis.split_once(':').unwrap_or((axis, ""));
    Ok(Chart::new(format!("From {left} to {right}"), lines)?
        .with_subtitle("Cosine with the difference of the two ends; a gap where a word is too rare")
        .with_y_label(format!("{left} ← → {right}")))
}
