//! Why two words moved: what each dimension contributed.

use covec::analyse::explain::Explanation;
use covec::resample::Bar as Sureness;

use super::interval;
use crate::{Bar, Bars, Chart, ChartError};

/// A bar for every dimension of an explanation, with the intervals that replicates gave.
pub fn causes(told: &Explanation, sureness: &[Vec<Sureness>]) -> Result<Chart, ChartError> {
    let bars = told.dimensions.iter().enumerate().map(|(at, cause)| Bar {
        label: format!("{}: {}", cause.dimension, cause.words),
        value: cause.contribution,
        interval: interval(sureness, at, "contribution"),
        second: Some(cause.topical),
        ..Bar::default()
    });
    let bars = Bars {
        bars: bars.collect(),
        value_name: "contribution".to_owned(),
        second_name: "by the levels' weights alone".to_owned(),
        ..Bars::default()
    };
    let title =
        format!("Why '{}' and '{}' moved from {} to {}", told.a, told.b, told.from, told.to);
    let subtitle = format!(
        "Distance {:.2} before, {:.2} after; dimensions told by their words, positive end | negative end",
        told.distance_from, told.distance_to
    );
    Ok(Chart::new(title, bars)?
        .with_subtitle(subtitle)
        .with_x_label("change of the squared distance (negative: together)"))
}
