//! The counting rule.
//!
//! For the words `x_1 … x_n` of a document in cell k,
//!
//! ```text
//! A_ijk = Σ over p ≠ q with |p − q| ≤ window, x_p = i, x_q = j of w(|p − q|)
//! w(d)  = 1/d (--weights inverse) or 1 (--weights flat)
//! ```
//!
//! so A is symmetric, a word beside itself counts from both sides, and no window crosses the end
//! of a document. Weights are whole multiples of `1/unit`, with `unit` the least common multiple of
//! `1..=window`, so sums are exact and no order of summing can change a bit of them.

use crate::parameters::{ParameterError, choice, parameters};

choice! {
    /// How much a pair of words counts at a distance.
    pub enum Weights {
        /// 1/distance.
        Inverse = "inverse",
        /// 1 at every distance.
        Flat = "flat",
    }
}

choice! {
    /// What a word outside the vocabulary leaves behind.
    pub enum Gaps {
        /// It keeps its place: words around it are as far apart as they were.
        Keep = "keep",
        /// Its place closes up, as in Stanford's GloVe.
        Close = "close",
    }
}

parameters! {
    /// How pairs of words are counted.
    pub struct WindowParameters {
        window: u32 = 8, "N", "8",
            "1 to 20 with inverse weights, 1 to 1000 with flat ones" if |w: &u32| (1..=1000).contains(w),
            "Words to each side that count as near";
        weights: Weights = Weights::Inverse, "RULE", "inverse",
            "inverse or flat" if |_: &Weights| true,
            "inverse: a pair counts 1/distance; flat: 1 at every distance";
        gaps: Gaps = Gaps::Keep, "RULE", "keep",
            "keep or close" if |_: &Gaps| true,
            "Words outside the vocabulary keep their place, or close up as in Stanford's GloVe";
        min_entry: f64 = 0.0, "X", "0: every pair that was seen",
            "a number, 0 or more" if |x: &f64| x.is_finite() && *x >= 0.0,
            "Drop entries of the tensor below this (the paper: 10)";
    }
}

/// Beyond this the least common multiple leaves too little room for exact sums.
const WIDEST_INVERSE: u32 = 20;

impl WindowParameters {
    /// The ranges that concern several parameters at once.
    pub(crate) fn check_together(&self) -> Result<(), ParameterError> {
        if self.weights == Weights::Inverse && self.window > WIDEST_INVERSE {
            return Err(crate::parameters::refusal(
                Self::TABLE,
                "window",
                &self.window.to_string(),
            ));
        }
        Ok(())
    }

    /// What 1 is made of: entries are whole multiples of `1/unit`.
    pub fn unit(&self) -> u64 {
        match self.weights {
            Weights::Inverse => {
                (1..=u64::from(self.window)).fold(1, |lcm, d| lcm / gcd(lcm, d) * d)
            }
            Weights::Flat => 1,
        }
    }

    /// The weight of every distance from 1 on, in units.
    pub(crate) fn units_by_distance(&self) -> Vec<u64> {
        let unit = self.unit();
        (1..=u64::from(self.window))
            .map(|d| if self.weights == Weights::Inverse { unit / d } else { unit })
            .collect()
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_makes_every_weight_whole() {
        let window = WindowParameters::default();
        assert_eq!(window.unit(), 840);
        assert_eq!(window.units_by_distance(), [840, 420, 280, 210, 168, 140, 120, 105]);
        let flat = WindowParameters { weights: Weights::Flat, window: 3, ..window };
        assert_eq!(flat.units_by_distance(), [1, 1, 1]);
        let widest = WindowParameters { window: 20, ..WindowParameters::default() };
        assert_eq!(widest.unit(), 232_792_560);
    }
}
