//! What can be drawn: a file for each kind, with its data and what is refused.

pub(crate) mod bars;
pub(crate) mod check;
pub(crate) mod dendrogram;
pub(crate) mod estimate;
pub(crate) mod heatmap;
pub(crate) mod histogram;
pub(crate) mod lines;
pub(crate) mod scatter;

use crate::ChartError;
use bars::Bars;
use dendrogram::Dendrogram;
use heatmap::Heatmap;
use histogram::Histogram;
use lines::Lines;
use scatter::Scatter;

/// The data of a chart.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// Points in a plane.
    Scatter(Scatter),
    /// Series over ordered categories.
    Lines(Lines),
    /// Horizontal bars.
    Bars(Bars),
    /// Counts in bins.
    Histogram(Histogram),
    /// A table in colours.
    Heatmap(Heatmap),
    /// A tree of merges.
    Dendrogram(Dendrogram),
}

impl Kind {
    pub(crate) fn check(&self) -> Result<(), ChartError> {
        match self {
            Self::Scatter(it) => it.check(),
            Self::Lines(it) => it.check(),
            Self::Bars(it) => it.check(),
            Self::Histogram(it) => it.check(),
            Self::Heatmap(it) => it.check(),
            Self::Dendrogram(it) => it.check(),
        }
    }

    /// Whether there is nothing to draw.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Scatter(it) => it.points.is_empty(),
            Self::Lines(it) => it.series.iter().all(|s| s.values.iter().all(Option::is_none)),
            Self::Bars(it) => it.bars.is_empty(),
            Self::Histogram(it) => it.groups.is_empty() || it.edges.len() < 2,
            Self::Heatmap(it) => it.values.is_empty(),
            Self::Dendrogram(it) => it.leaves.is_empty(),
        }
    }
}

macro_rules! into_kind {
    ($($kind:ident)*) => {$(
        impl From<$kind> for Kind {
            fn from(it: $kind) -> Self {
                Self::$kind(it)
            }
        }
    )*};
}
into_kind!(Scatter Lines Bars Histogram Heatmap Dendrogram);
