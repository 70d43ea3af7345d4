//! What every number in a chart must be.

use super::estimate::Interval;
use crate::ChartError;

/// Beyond this, the width of a range may overflow.
const LARGEST: f64 = 1e100;

/// Refuses what has no place on an axis; `what` is only made when it does.
pub(crate) fn number(value: f64, what: impl FnOnce() -> String) -> Result<(), ChartError> {
    if value.is_finite() && value.abs() <= LARGEST {
        Ok(())
    } else {
        Err(ChartError::Number { what: what(), value })
    }
}

/// Refuses an interval with ends that are no numbers, or in the wrong order.
pub(crate) fn interval(
    interval: Option<Interval>,
    what: impl Fn() -> String,
) -> Result<(), ChartError> {
    let Some(Interval { low, high }) = interval else { return Ok(()) };
    number(low, || format!("the lower end of {}", what()))?;
    number(high, || format!("the upper end of {}", what()))?;
    if low <= high { Ok(()) } else { Err(ChartError::Interval { what: what(), low, high }) }
}

/// Refuses more than can be read.
pub(crate) fn at_most(got: usize, most: usize, what: &'static str) -> Result<(), ChartError> {
    if got <= most { Ok(()) } else { Err(ChartError::TooMany { what, most, got }) }
}

/// Refuses lists of unlike length.
pub(crate) fn length(
    got: usize,
    expected: usize,
    what: impl FnOnce() -> String,
) -> Result<(), ChartError> {
    if got == expected { Ok(()) } else { Err(ChartError::Length { what: what(), expected, got }) }
}
