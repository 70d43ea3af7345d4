//! Charts of what the analyses answer: one file a question, rows in, a chart out.

pub mod analogy;
pub mod attribute;
pub mod covariates;
pub mod drift;
pub mod explain;
pub mod fit;
pub mod neighbors;
pub mod project;
pub mod similarity;
pub mod sparsity;
pub mod specificity;
pub mod topics;

use covec::resample::{Bar as Sureness, Measured, Sure};

use crate::{Bar, Estimate, Interval};

/// A measure of a row, with the interval that replicates gave it; `sureness` is of all rows, or empty where there
/// were no replicates.
fn estimate(
    value: Option<f64>,
    sureness: &[Vec<Sureness>],
    row: usize,
    measure: &str,
) -> Option<Estimate> {
    value.map(|value| Estimate { value, interval: interval(sureness, row, measure) })
}

/// The interval of a measure of a row, where replicates gave one.
fn interval(sureness: &[Vec<Sureness>], row: usize, measure: &str) -> Option<Interval> {
    let bar = sureness.get(row)?.iter().find(|bar| bar.name == measure)?;
    bar.interval.map(|interval| Interval { low: interval.low, high: interval.high })
}

/// A value as replicates have it: with its interval, and of a distance without what chance adds.
pub(crate) fn corrected(value: f64, sureness: &Sureness) -> Estimate {
    let Some(own) = sureness.interval else { return value.into() };
    let value = if sureness.scale.grows_by_chance() { own.corrected } else { value };
    Estimate { value, interval: Some(Interval { low: own.low, high: own.high }) }
}

/// A bar for the first measure of every row, as replicates have it.
fn bars<'a, R: Measured + 'a>(
    rows: impl IntoIterator<Item = &'a Sure<R>>,
    label: fn(&R) -> String,
) -> Vec<Bar> {
    let bar = |sure: &Sure<R>| {
        let (sureness, value) = (sure.bars.first()?, sure.row.measures().first().copied()??);
        let Estimate { value, interval } = corrected(value, sureness);
        Some(Bar { label: label(&sure.row), value, interval, ..Bar::default() })
    };
    rows.into_iter().filter_map(bar).collect()
}

/// `era=1790-1860` → `1790-1860`, for axes whose factor is named elsewhere.
pub(crate) fn short(level: &str) -> &str {
    match level.matches('=').count() {
        1 => level.split_once('=').map_or(level, |(_, name)| name),
        _ => level,
    }
}
