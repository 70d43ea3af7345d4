//! What a word is near to, level beside level.

use covec::analyse::neighbors::Nearness;

use super::short;
use crate::{Chart, ChartError, Heatmap, Shades};

/// A row for every word that is near under some level, a column for every level.
pub fn nearness(word: &str, near: &Nearness) -> Result<Chart, ChartError> {
    let map = Heatmap {
        rows: near.words.clone(),
        columns: near.levels.iter().map(|(level, _)| short(level).to_owned()).collect(),
        values: near.cosines.clone(),
        shades: Shades::Sequential,
        value_name: "cosine".to_owned(),
    };
    Ok(Chart::new(format!("What '{word}' is near to"), map)?.with_subtitle(
        "Words among the nearest under some level, by the level in which they are nearest; grey: too rare to say",
    ))
}
