//! Points in a plane, the most important ones with their names.

use super::check;
use super::estimate::{Interval, Marker};
use crate::ChartError;

const MOST_POINTS: usize = 200_000;

/// A point.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Point {
    /// Its name.
    pub label: String,
    /// Where it stands from left to right.
    pub x: f64,
    /// Where it stands from bottom to top.
    pub y: f64,
    /// From where to where `y` may lie.
    pub interval: Option<Interval>,
    /// Points of one group share a colour and an entry in the legend.
    pub group: Option<String>,
}

/// Points in a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// The points, the most important first: names are written in this order while there is room.
    pub points: Vec<Point>,
    /// How many names to write at most.
    pub labels: usize,
    /// Whether the horizontal axis is logarithmic; every `x` must then be above 0.
    pub log_x: bool,
    /// Values of `y` to draw as lines across.
    pub markers: Vec<Marker>,
}

impl Default for Scatter {
    fn default() -> Self {
        Self { points: Vec::new(), labels: 40, log_x: false, markers: Vec::new() }
    }
}

impl Scatter {
    pub(crate) fn check(&self) -> Result<(), ChartError> {
        check::at_most(self.points.len(), MOST_POINTS, "points")?;
        for point in &self.points {
            let name = &point.label;
            check::number(point.x, || format!("x of '{name}'"))?;
            check::number(point.y, || format!("y of '{name}'"))?;
            check::interval(point.interval, || format!("'{name}'"))?;
            if self.log_x && point.x <= 0.0 {
                let what = format!("x of '{name}'");
                return Err(ChartError::NotPositive { what, value: point.x });
            }
        }
        for marker in &self.markers {
            check::number(marker.value, || format!("the line '{}'", marker.label))?;
        }
        Ok(())
    }
}
