//! Named series over ordered categories, such as eras or decades.

use super::check;
use super::estimate::{Estimate, Marker};
use crate::ChartError;

const MOST_SERIES: usize = 60;
const MOST_CATEGORIES: usize = 1000;

/// A line: a value for every category, or none where there is a gap.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// A value for each category; none is drawn as a gap.
    pub values: Vec<Option<Estimate>>,
}

/// Series over ordered categories.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lines {
    /// The categories, in order.
    pub categories: Vec<String>,
    /// The lines.
    pub series: Vec<Series>,
    /// Values to draw as lines across.
    pub markers: Vec<Marker>,
}

impl Lines {
    pub(crate) fn check(&self) -> Result<(), ChartError> {
        check::at_most(self.series.len(), MOST_SERIES, "lines")?;
        check::at_most(self.categories.len(), MOST_CATEGORIES, "categories")?;
        for Series { name, values } in &self.series {
            let what = || format!("values of the line '{name}'");
            check::length(values.len(), self.categories.len(), what)?;
            for (estimate, category) in values.iter().zip(&self.categories) {
                let Some(Estimate { value, interval }) = *estimate else { continue };
                let what = || format!("'{name}' at '{category}'");
                check::number(value, what)?;
                check::interval(interval, what)?;
            }
        }
        for marker in &self.markers {
            check::number(marker.value, || format!("the line '{}'", marker.label))?;
        }
        Ok(())
    }
}
