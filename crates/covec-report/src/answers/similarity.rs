//! How near two words are, level by level.

use covec::analyse::View;
use covec::analyse::similarity::Similarity;
use covec::resample::Bar as Sureness;

use super::{estimate, interval, short};
use crate::{Bar, Bars, Chart, ChartError, Lines, Marker, Series};

const SUBTITLE: &str = "Cosine of the two words' vectors; topical: by the levels' weights alone";

/// Whole and topical cosine over the levels: of one factor as lines, with the base across; of several, which
/// nothing joins, as bars. Both have the intervals that replicates gave.
pub fn levels(rows: &[Similarity], sureness: &[Vec<Sureness>]) -> Result<Chart, ChartError> {
    let (a, b) = rows.first().map_or(("", ""), |row| (&row.a, &row.b));
    let title = format!("'{a}' and '{b}'");
    let factor = |row: &Similarity| match row.level.matches('=').count() {
        1 => row.level.split_once('=').map(|(factor, _)| factor.to_owned()),
        _ => None,
    };
    let own: Vec<(usize, &Similarity)> =
        rows.iter().enumerate().filter(|(_, row)| row.level != View::BASE).collect();
    let first = own.first().and_then(|(_, row)| factor(row));
    if first.is_none() || own.iter().any(|(_, row)| factor(row) != first) {
        let bar = |(at, row): (usize, &Similarity)| {
            let interval = interval(sureness, at, "cosine");
            let bar = Bar { label: row.level.clone(), interval, ..Bar::default() };
            row.cosine.map(|value| Bar { value, second: row.topical, group: factor(row), ..bar })
        };
        let bars = Bars {
            bars: rows.iter().enumerate().filter_map(bar).collect(),
            value_name: "whole".to_owned(),
            second_name: "topical".to_owned(),
            ..Bars::default()
        };
        return Ok(Chart::new(title, bars)?.with_subtitle(SUBTITLE).with_x_label("cosine"));
    }
    let series = |name: &str, measure: &str, of: fn(&Similarity) -> Option<f64>| Series {
        name: name.to_owned(),
        values: own.iter().map(|(at, row)| estimate(of(row), sureness, *at, measure)).collect(),
    };
    let base = rows.iter().find(|row| row.level == View::BASE).and_then(|row| row.cosine);
    let lines = Lines {
        categories: own.iter().map(|(_, row)| short(&row.level).to_owned()).collect(),
        series: vec![
            series("whole", "cosine", |row| row.cosine),
            series("topical", "topical", |row| row.topical),
        ],
        markers: base.map(|value| Marker { value, label: "base".to_owned() }).into_iter().collect(),
    };
    Ok(Chart::new(title, lines)?.with_subtitle(SUBTITLE).with_y_label("cosine"))
}
