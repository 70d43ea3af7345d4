//! How often numbers fall into equal bins.

use serde::Serialize;

/// A bin: from (inclusive) to (exclusive, but for the last).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Bin {
    /// Its lower end.
    pub from: f64,
    /// Its upper end.
    pub to: f64,
    /// How many numbers are in it.
    pub count: u64,
}

/// Equal bins from the smallest number to the largest.
pub fn histogram(numbers: &[f64], bins: usize) -> Vec<Bin> {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if numbers.is_empty() || bins == 0 {
        return Vec::new();
    }
    // All numbers the same: one bin with some width.
    let (bins, width) = if high > low { (bins, (high - low) / bins as f64) } else { (1, 1.0) };
    let mut all: Vec<Bin> = (0..bins)
        .map(|bin| Bin {
            from: low + bin as f64 * width,
            to: low + (bin + 1) as f64 * width,
            count: 0,
        })
        .collect();
    for x in numbers {
        all[(((x - low) / width) as usize).min(bins - 1)].count += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_one_bin() {
        let bins = histogram(&[0.0, 0.1, 0.5, 1.0], 4);
        assert_eq!(bins.iter().map(|bin| bin.count).collect::<Vec<_>>(), [2, 0, 1, 1]);
        assert_eq!(histogram(&[2.0, 2.0], 9), [Bin { from: 2.0, to: 3.0, count: 2 }]);
        assert!(histogram(&[], 3).is_empty());
    }
}
