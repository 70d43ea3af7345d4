//! How near two words are, level by level.

use covec::analyse::similarity::Similarity;

use super::short;
use crate::{Chart, ChartError, Lines, Series};

/// Whole and topical cosine over the levels.
pub fn levels(rows: &[Similarity]) -> Result<Chart, ChartError> {
    let series = |name: &str, of: fn(&Similarity) -> Option<f64>| Series {
        name: name.to_owned(),
        values: rows.iter().map(|row| of(row).map(Into::into)).collect(),
    };
    let lines = Lines {
        categories: rows.iter().map(|row| short(&row.level).to_owned()).collect(),
        series: vec![series("whole", |row| row.cosine), series("topical", |row| row.topical)],
        ..Lines::default()
    };
    let (a, b) = rows.first().map_or(("", ""), |row| (&row.a, &row.b));
    Ok(Chart::new(format!("'{a}' and '{b}'"), lines)?
        .with_subtitle("Cosine of the two words' vectors; topical: by the levels' weights alone")
        .with_y_label("cosine"))
}
