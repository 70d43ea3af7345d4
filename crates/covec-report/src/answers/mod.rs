//! Charts of what the analyses answer: one file a question, rows in, a chart out.

pub mod attribute;
pub mod covariates;
pub mod drift;
pub mod explain;
pub mod neighbors;
pub mod project;
pub mod similarity;
pub mod sparsity;
pub mod specificity;
pub mod topics;

use covec::resample::Bar as Sureness;

use crate::{Estimate, Interval};

/// A measure of a row, with the interval that replicates gave it; `sureness` is of all rows, or empty where there
/// were no replicates.
fn estimate(
    value: Option<f64>,
    sureness: &[Vec<Sureness>],
    row: usize,
    measure: &str,
) -> Option<Estimate> {
    let bar = sureness.get(row).and_then(|bars| bars.iter().find(|bar| bar.name == measure));
    let interval = bar.and_then(|bar| bar.interval);
    let interval = interval.map(|interval| Interval { low: interval.low, high: interval.high });
    value.map(|value| Estimate { value, interval })
}

/// `era=1790-1860` → `1790-1860`, for axes whose factor is named elsewhere.
pub(crate) fn short(level: &str) -> &str {
    match level.matches('=').count() {
        1 => level.split_once('=').map_or(level, |(_, name)| name),
        _ => level,
    }
}
