//! f(count) = (min(count, x_max) / x_max)^α, computed from ln(count) whenever it is needed: a weight
//! that is not stored saves a third of the memory, for some vector instructions an entry.
//!
//! Written without branches and tables, so that loops over it become vector instructions, and
//! without fused operations, so that every machine computes the same.

use super::parameters::TrainParameters;

/// The function f.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weighting {
    /// ln x_max.
    most: f32,
    /// α / ln 2.
    slope: f32,
}

impl Weighting {
    pub(crate) fn new(parameters: &TrainParameters) -> Self {
        let slope = parameters.alpha / std::f64::consts::LN_2;
        Self { most: libm::log(parameters.x_max) as f32, slope: slope as f32 }
    }

    /// The weight of an entry by ln(count); never 0.
    #[inline(always)]
    pub(crate) fn of(self, target: f32) -> f32 {
        exp2((target - self.most).min(0.0) * self.slope)
    }
}

/// The count of an entry by ln(count).
#[inline(always)]
pub(crate) fn count(target: f32) -> f32 {
    exp2(target.min(MOST) * std::f32::consts::LOG2_E)
}

/// Beyond this a count is not a number any more; its logarithm.
const MOST: f32 = 80.0;

/// 2^power, for powers up to 120.
#[inline(always)]
fn exp2(power: f32) -> f32 {
    /// Below this it is next to nothing, and its exponent still a number's.
    const LEAST: f32 = -120.0;
    /// Added to a number it leaves no room for what is behind the point.
    const ROUND: f32 = 12_582_912.0;
    /// ln(2)^n / n!
    const SERIES: [f32; 7] = [
        1.0,
        std::f32::consts::LN_2,
        0.240_226_5,
        0.055_504_11,
        0.009_618_129,
        0.001_333_355_8,
        0.000_154_035_3,
    ];
    let power = power.max(LEAST);
    let rounded = power + ROUND;
    let part = power - (rounded - ROUND);
    let mut sum = SERIES[6];
    for term in SERIES[..6].iter().rev() {
        sum = sum * part + term;
    }
    // The last bits of `rounded` are the whole part, which is added to the exponent.
    f32::from_bits(sum.to_bits().wrapping_add(rounded.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counts_come_back_from_their_logarithms(log in -30.0_f64..60.0) {
            let count = f64::from(count(log as f32));
            prop_assert!((count / libm::exp(log) - 1.0).abs() < 1e-5, "{} {}", log, count);
        }

        #[test]
        fn weights_are_powers_of_shares(
            alpha in prop_oneof![Just(0.0), Just(1.0), 0.0..4.0],
            x_max in 0.01..1e6,
            log in -30.0_f64..30.0,
        ) {
            let weighting =
                Weighting::new(&TrainParameters { alpha, x_max, ..TrainParameters::default() });
            let exact = libm::pow(libm::exp(log).min(x_max) / x_max, alpha);
            let weight = f64::from(weighting.of(log as f32));
            if log > libm::log(x_max) + 1e-3 {
                prop_assert_eq!(weight, 1.0);
            }
            // What rounding makes of the logarithm is all there is between them.
            let rounding = 1e-6 * (1.0 + alpha * 10.0);
            prop_assert!(weight > 0.0);
            prop_assert!((weight - exact).abs() <= rounding * exact + 1e-35, "{} {}", weight, exact);
        }
    }
}
