//! What moved: all words by how often they occur, or the words around one.

use covec::analyse::drift::Mover;
use covec::analyse::moved::Moved;
use covec::resample::{Bar as Sureness, Sure};

use super::{bars, interval};
use crate::{Bar, Bars, Chart, ChartError, Point, Scatter};

/// All words: how far each moved by its own part, against how often it occurs.
pub fn words(rows: &[Moved]) -> Result<Chart, ChartError> {
    let mut rows: Vec<&Moved> = rows.iter().collect();
    rows.sort_by(|a, b| b.own.total_cmp(&a.own));
    let points = rows.iter().map(|row| Point {
        label: row.word.clone(),
        x: row.count_to.max(1) as f64,
        y: row.own,
        ..Point::default()
    });
    let scatter = Scatter { points: points.collect(), log_x: true, ..Scatter::default() };
    let (from, to) = rows.first().map_or(("", ""), |row| (&row.from, &row.to));
    Ok(Chart::new(format!("Words that moved from {from} to {to}"), scatter)?
        .with_subtitle("Root mean square change of the predicted log counts of a word's company, by its own deviation")
        .with_x_label(format!("occurrences in {to}"))
        .with_y_label("own drift"))
}

/// Some words with the intervals of their own drift.
pub fn sure_words<'a>(
    rows: impl IntoIterator<Item = &'a Sure<Moved>>,
) -> Result<Chart, ChartError> {
    let rows: Vec<&Sure<Moved>> = rows.into_iter().collect();
    let (from, to) = rows.first().map_or(("", ""), |sure| (&sure.row.from, &sure.row.to));
    let bars = Bars { bars: bars(rows.iter().copied(), |row| row.word.clone()), ..Bars::default() };
    let drawn = rows.iter().any(|sure| sure.bars.iter().any(|bar| bar.interval.is_some()));
    let subtitle = match drawn {
        true => {
            "Own drift without what chance adds, and its interval; one that reaches 0 cannot be told from no change"
        }
        false => "Own drift, with what chance adds to it",
    };
    Ok(Chart::new(format!("Words that moved from {from} to {to}"), bars)?
        .with_subtitle(subtitle)
        .with_x_label("own drift"))
}

/// What moved closer to a word and further from it, with the intervals that replicates gave.
pub fn movers(rows: &[Mover], sureness: &[Vec<Sureness>]) -> Result<Chart, ChartError> {
    let bars = rows.iter().enumerate().map(|(at, row)| Bar {
        label: row.other.clone(),
        value: row.ratio,
        interval: interval(sureness, at, "ratio"),
        second: Some(row.topical),
        ..Bar::default()
    });
    let bars = Bars {
        bars: bars.collect(),
        baseline: 1.0,
        value_name: "ratio of distances".to_owned(),
        second_name: "by the levels' weights alone".to_owned(),
    };
    let (word, from, to) = rows.first().map_or(("", "", ""), |row| (&row.word, &row.from, &row.to));
    Ok(Chart::new(format!("What moved around '{word}' from {from} to {to}"), bars)?
        .with_subtitle("Left of 1: closer than before; right of 1: further")
        .with_x_label("distance after / distance before"))
}
