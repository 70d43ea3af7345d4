//! How much meanings depend on the level.

use covec::analyse::specificity::{PREPOSITIONS, Specificity, means};

use crate::{Chart, ChartError, Histogram, Marker};

const BINS: usize = 40;

/// How many words have which specificity; the mean of the reference is drawn in.
pub fn histogram(rows: &[Specificity]) -> Result<Chart, ChartError> {
    let numbers: Vec<f64> = rows.iter().map(|row| row.specificity).collect();
    let mut histogram = Histogram::of(&[("", &numbers)], BINS)?;
    let (all, reference) = means(rows);
    histogram.markers.push(Marker { value: all, label: "all words".to_owned() });
    if let Some(value) = reference {
        let usual = |row: &&Specificity| PREPOSITIONS.contains(&row.word.as_str());
        let label = match rows.iter().filter(|row| row.reference).all(|row| usual(&row)) {
            true => "common prepositions",
            false => "reference words",
        };
        histogram.markers.push(Marker { value, label: label.to_owned() });
    }
    Ok(Chart::new("How much meanings depend on the level", histogram)?
        .with_subtitle("Mean cosine distance of a word's vectors over pairs of levels")
        .with_x_label("specificity")
        .with_y_label("words"))
}
