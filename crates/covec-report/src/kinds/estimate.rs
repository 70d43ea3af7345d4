//! A number, how sure it is, and a value to compare it with.

/// From where to where a value may lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end; not below the lower.
    pub high: f64,
}

/// A value, with an interval if one is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// From where to where it may lie.
    pub interval: Option<Interval>,
}

impl From<f64> for Estimate {
    fn from(value: f64) -> Self {
        Self { value, interval: None }
    }
}

/// A value that is drawn as a line across the chart, with its meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// Where the line stands.
    pub value: f64,
    /// What it means; may be empty.
    pub label: String,
}
