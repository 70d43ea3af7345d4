//! How often values fall into bins, with lines at values that matter.

use super::check;
use super::estimate::Marker;
use crate::ChartError;
use crate::svg::ticks::nice_step;

const MOST_BINS: usize = 1000;
const MOST_GROUPS: usize = 12;

/// The counts of one group.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Counts {
    /// The group's name; may be empty where there is only one.
    pub name: String,
    /// A count (or density) for each bin.
    pub counts: Vec<f64>,
}

/// Counts in bins.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    /// The edges of the bins, rising: one more than there are bins.
    pub edges: Vec<f64>,
    /// The groups, drawn over each other.
    pub groups: Vec<Counts>,
    /// Values to draw as vertical lines.
    pub markers: Vec<Marker>,
}

impl Histogram {
    /// Counts `groups` of values into about `bins` bins of one round width, the same for all
    /// groups. A bin holds its lower edge, and the last one also its upper.
    ///
    /// # Errors
    /// If a value is not finite.
    pub fn of(groups: &[(&str, &[f64])], bins: usize) -> Result<Self, ChartError> {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for (name, values) in groups {
            for &value in *values {
                check::number(value, || format!("a value of '{name}'"))?;
                low = low.min(value);
                high = high.max(value);
            }
        }
        if low > high {
            return Ok(Self::default());
        }
        let bins = bins.clamp(1, MOST_BINS / 4);
        // Equal values, or values that differ by rounding only, share one bin.
        let spread = if high - low > 1e-9 * low.abs().max(high.abs()) {
            high - low
        } else if low == 0.0 {
            1.0
        } else {
            low.abs()
        };
        let step = nice_step(spread / bins as f64);
        let first = (low / step).floor();
        let count = ((high / step).floor() - first) as usize + 1;
        // A highest value that stands on an edge needs no bin of its own.
        let count = if count > 1 && (first + count as f64 - 1.0) * step >= high {
            count - 1
        } else {
            count
        };
        let edges: Vec<f64> = (0..=count).map(|k| (first + k as f64) * step).collect();
        let groups = groups
            .iter()
            .map(|(name, values)| {
                let mut counts = vec![0.0; count];
                for value in *values {
                    // The edges decide, not a division that may round the other way.
                    let bin = edges.partition_point(|edge| edge <= value).saturating_sub(1);
                    counts[bin.min(count - 1)] += 1.0;
                }
                Counts { name: (*name).to_owned(), counts }
            })
            .collect();
        Ok(Self { edges, groups, markers: Vec::new() })
    }

    pub(crate) fn check(&self) -> Result<(), ChartError> {
        let bins = self.edges.len().saturating_sub(1);
        check::at_most(bins, MOST_BINS, "bins")?;
        check::at_most(self.groups.len(), MOST_GROUPS, "groups")?;
        for &edge in &self.edges {
            check::number(edge, || "an edge of a bin".to_owned())?;
        }
        if let Some(pair) = self.edges.windows(2).find(|pair| pair[0] >= pair[1]) {
            let problem = format!("expected rising edges, got {} after {}", pair[1], pair[0]);
            return Err(ChartError::Bins(problem));
        }
        for Counts { name, counts } in &self.groups {
            check::length(counts.len(), bins, || format!("counts of '{name}'"))?;
            for &count in counts {
                check::number(count, || format!("a count of '{name}'"))?;
                if count < 0.0 {
                    let problem = format!("expected counts of '{name}' from 0, got {count}");
                    return Err(ChartError::Bins(problem));
                }
            }
        }
        for marker in &self.markers {
            check::number(marker.value, || format!("the line '{}'", marker.label))?;
        }
        Ok(())
    }
}
