//! Topics by level: which dimensions a level stresses, and which it does without.

use covec::analyse::topics::{DimensionWeight, Topic, TopicWord};
use covec::resample::Sure;

use super::{bars, short};
use crate::{Bars, Chart, ChartError, Heatmap, Shades};

/// Levels that are drawn.
const COLUMNS: usize = 60;
/// Words of each end.
const NAMED: usize = 2;

/// A row for each of the topics, which are some of `all`, and a column for each level.
pub fn heatmap(topics: &[Topic], all: usize) -> Result<Chart, ChartError> {
    let levels = topics.first().map_or(&[][..], |topic| &topic.levels);
    let shown = &levels[..levels.len().min(COLUMNS)];
    let name = |topic: &Topic| {
        let unsure = if topic.unstable == Some(true) { "? " } else { "" };
        format!("{unsure}{}: {} | {}", topic.dimension, words(&topic.above), words(&topic.below))
    };
    let map = Heatmap {
        rows: topics.iter().map(name).collect(),
        columns: shown.iter().map(|level| short(&level.level).to_owned()).collect(),
        values: topics
            .iter()
            .flat_map(|topic| topic.levels.iter().take(COLUMNS).map(|level| Some(level.square)))
            .collect(),
        shades: Shades::Diverging { centre: 1.0 },
        value_name: "squared weight; 1 is the average of the levels".to_owned(),
    };
    let mut subtitle = format!("The {} of {all} dimensions that differ most", topics.len());
    if levels.len() > COLUMNS {
        subtitle += &format!("; the first {COLUMNS} levels");
    }
    Ok(Chart::new("Topics by level", map)?.with_subtitle(subtitle))
}

/// The weights that levels give one dimension, with their intervals.
pub fn sure_weights(topic: &Topic, weights: &[Sure<DimensionWeight>]) -> Result<Chart, ChartError> {
    let bars = bars(weights, |row| short(&row.level).to_owned());
    let bars = Bars { bars, baseline: 1.0, ..Bars::default() };
    Ok(Chart::new(format!("Dimension {} by level", topic.dimension), bars)?
        .with_subtitle(format!("{} | {}", words(&topic.above), words(&topic.below)))
        .with_x_label("squared weight; 1 is the average of the levels"))
}

fn words(words: &[TopicWord]) -> String {
    words.iter().take(NAMED).map(|word| word.word.as_str()).collect::<Vec<_>>().join(", ")
}
