//! How much meanings depend on the level.

use covec::analyse::specificity::{PREPOSITIONS, Specificity, means};
use covec::resample::Sure;

use super::bars;
use crate::{Bars, Chart, ChartError, Histogram, Marker};

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

/// Some words with the intervals of their specificity.
pub fn sure_words(rows: &[Sure<Specificity>]) -> Result<Chart, ChartError> {
    let bars = Bars { bars: bars(rows, |row| row.word.clone()), ..Bars::default() };
    Ok(Chart::new("How much meanings depend on the level", bars)?
        .with_subtitle("Mean cosine distance of a word's vectors over pairs of levels, without what chance adds, and its interval")
        .with_x_label("specificity"))
}
