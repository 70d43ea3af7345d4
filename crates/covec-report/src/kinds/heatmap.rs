//! A table of numbers in colours.

use super::check;
use crate::ChartError;

const MOST_ROWS: usize = 1000;
const MOST_COLUMNS: usize = 300;

/// How numbers become colours.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Shades {
    /// From pale (lowest) to dark (highest).
    #[default]
    Sequential,
    /// White at the centre, blue below, red above; both ends equally far away.
    Diverging {
        /// The value that is white.
        centre: f64,
    },
}

/// A table of numbers in colours. Exact zeros are crossed out, missing values left grey.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Heatmap {
    /// The names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The values, row by row; none where there is none.
    pub values: Vec<Option<f64>>,
    /// How they become colours.
    pub shades: Shades,
    /// What the colours show, for the legend.
    pub value_name: String,
}

impl Heatmap {
    pub(crate) fn check(&self) -> Result<(), ChartError> {
        check::at_most(self.rows.len(), MOST_ROWS, "rows")?;
        check::at_most(self.columns.len(), MOST_COLUMNS, "columns")?;
        let expected = self.rows.len() * self.columns.len();
        check::length(self.values.len(), expected, || "values of the table".to_owned())?;
        if let Shades::Diverging { centre } = self.shades {
            check::number(centre, || "the centre of the colours".to_owned())?;
        }
        for (k, value) in self.values.iter().enumerate() {
            let (row, column) = (k / self.columns.len(), k % self.columns.len());
            let what = || format!("'{}' at '{}'", self.rows[row], self.columns[column]);
            check::number(value.unwrap_or(0.0), what)?;
        }
        Ok(())
    }

    /// The lowest and the highest value, or the range of the colours where they do not differ.
    pub(crate) fn ends(&self) -> (f64, f64) {
        let (low, high) = self.extremes();
        if apart(low, high) { (low, high) } else { self.range() }
    }

    fn extremes(&self) -> (f64, f64) {
        self.values
            .iter()
            .flatten()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
    }

    /// The values at the two ends of the colours; apart even where all values are equal.
    pub(crate) fn range(&self) -> (f64, f64) {
        let (low, high) = self.extremes();
        match self.shades {
            _ if low > high => (0.0, 1.0),
            Shades::Diverging { centre } => {
                let reach = (centre - low).max(high - centre);
                let reach = if apart(centre - reach, centre + reach) {
                    reach
                } else {
                    centre.abs().max(1.0)
                };
                (centre - reach, centre + reach)
            }
            Shades::Sequential if apart(low, high) => (low, high),
            Shades::Sequential if apart(0.0, high) && low > 0.0 => (0.0, high),
            Shades::Sequential => (low, low + low.abs().max(1.0)),
        }
    }

    pub(crate) fn diverging(&self) -> bool {
        matches!(self.shades, Shades::Diverging { .. })
    }
}

/// Whether two numbers differ by more than rounding.
fn apart(low: f64, high: f64) -> bool {
    high - low > 1e-9 * low.abs().max(high.abs()) && high - low > f64::MIN_POSITIVE
}
