//! Horizontal bars with names.

use super::check;
use super::estimate::Interval;
use crate::ChartError;

const MOST_BARS: usize = 1000;

/// A bar.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bar {
    /// Its name.
    pub label: String,
    /// Where it ends.
    pub value: f64,
    /// From where to where the value may lie.
    pub interval: Option<Interval>,
    /// A second value to compare with, drawn as a diamond.
    pub second: Option<f64>,
    /// Bars of one group share a colour and an entry in the legend.
    pub group: Option<String>,
}

/// Horizontal bars, the first at the top.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bars {
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
    /// Where bars begin: 0, or 1 for weights around 1.
    pub baseline: f64,
    /// What the bars show, for the legend; only used where a bar has a second value.
    pub value_name: String,
    /// What the second values show, for the legend.
    pub second_name: String,
}

impl Bars {
    /// Whether all bars are counts, between which there is nothing.
    pub(crate) fn counts(&self) -> bool {
        let whole =
            |bar: &Bar| bar.interval.is_none() && bar.second.is_none() && bar.value.fract() == 0.0;
        self.baseline.fract() == 0.0 && self.bars.iter().all(whole)
    }

    pub(crate) fn check(&self) -> Result<(), ChartError> {
        check::at_most(self.bars.len(), MOST_BARS, "bars")?;
        check::number(self.baseline, || "the baseline".to_owned())?;
        for bar in &self.bars {
            let name = &bar.label;
            check::number(bar.value, || format!("the value of '{name}'"))?;
            check::interval(bar.interval, || format!("'{name}'"))?;
            check::number(bar.second.unwrap_or(0.0), || format!("the second value of '{name}'"))?;
        }
        Ok(())
    }
}
