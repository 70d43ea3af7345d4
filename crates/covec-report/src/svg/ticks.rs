//! Scales and their round numbers.

/// The round number (1, 2 or 5 times a power of ten) at or above `rough`.
pub(crate) fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let rest = rough / power;
    // Rounding must not push an exact 2 to 5.
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| rest <= f * (1.0 + 1e-9)).unwrap_or(10.0);
    factor * power
}

/// The round number nearest to `rough`, in ratio.
fn tick_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let rest = rough / power;
    let steps = [(1.5, 1.0), (3.5, 2.0), (7.5, 5.0)];
    steps.into_iter().find(|(up_to, _)| rest < *up_to).map_or(10.0, |(_, factor)| factor) * power
}

/// Numbers that are closer together than this have no steps between them.
const CLOSEST: f64 = 1e-290;

/// A range of numbers, linear or logarithmic, with ticks.
#[derive(Debug, Clone)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    /// Values and how they are written.
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Scale {
    /// A linear scale that holds all `values` with some room at both ends, and about `count` ticks.
    pub(crate) fn linear(values: impl Iterator<Item = f64>, count: usize) -> Self {
        let (low, high) = range(values);
        let room = 0.04 * (high - low);
        Self::exact(low - room, high + room, count)
    }

    /// A linear scale that holds all `values` and begins or ends at `base` exactly where no value
    /// lies beyond it.
    pub(crate) fn from_base(values: impl Iterator<Item = f64>, base: f64, count: usize) -> Self {
        let values: Vec<f64> = values.chain([base]).collect();
        if values.iter().all(|value| (value - base).abs() < CLOSEST) {
            return Self::exact(base, base + base.abs().max(1.0), count);
        }
        let (low, high) = range(values.into_iter());
        let room = 0.04 * (high - low);
        let low = if low < base { low - room } else { low };
        let high = if high > base { high + room } else { high };
        Self::exact(low, high, count)
    }

    /// The linear scale from `low` to `high`, which must differ.
    pub(crate) fn exact(low: f64, high: f64, count: usize) -> Self {
        let step = tick_step((high - low) / count.max(1) as f64);
        let first = (low / step - 1e-6).ceil();
        let last = (high / step + 1e-6).floor();
        let ticks = (0..=(last - first).max(0.0) as usize)
            // Adding 0 turns −0 into 0.
            .map(|k| (first + k as f64) * step + 0.0)
            .map(|value| (value, write(value, step)))
            .collect();
        Self { low, high, log: false, ticks }
    }

    /// A logarithmic scale that holds all `values`, which must be above 0.
    pub(crate) fn log(values: impl Iterator<Item = f64>, count: usize) -> Self {
        let (low, high) = range(values.map(f64::log10));
        let room = 0.03 * (high - low);
        let (low, high) = (low - room, high + room);
        // Powers of ten alone, or 1, 2, 5 where these are too few; every n-th power where too many.
        let powers = (high.floor() - low.ceil()).max(0.0) as usize + 1;
        let factors: &[f64] = if powers < 4 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = powers.div_ceil(count.max(1)).max(1);
        let mut ticks = Vec::new();
        for power in (low.floor() as i32..=high.ceil() as i32).step_by(every) {
            for factor in factors {
                let value = factor * 10f64.powi(power);
                if (low..=high).contains(&value.log10()) {
                    ticks.push((value, write(value, value)));
                }
            }
        }
        if ticks.len() < 2 {
            // Less than between two round numbers: ticks as on a linear scale.
            let linear = Self::exact(10f64.powf(low), 10f64.powf(high), count);
            ticks = linear.ticks.into_iter().filter(|(value, _)| *value > 0.0).collect();
        }
        Self { low, high, log: true, ticks }
    }

    /// Where `value` stands between the ends, which are at 0 and 1.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let value = if self.log { value.log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }
}

/// The ends of `values`; apart even where all are equal, or equal but for rounding.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return (0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    if size < CLOSEST {
        (-1.0, 1.0)
    } else if high - low > 1e-9 * size {
        (low, high)
    } else {
        (low - 0.1 * size, high + 0.1 * size)
    }
}

/// `value` with as many digits as ticks `step` apart need.
pub(crate) fn write(value: f64, step: f64) -> String {
    let size = value.abs().max(step.abs());
    let text = if value == 0.0 {
        "0".to_owned()
    } else if size >= 1e7 || step.abs() < 1e-4 {
        let digits = (size.log10().floor() - step.abs().log10().floor()).clamp(0.0, 12.0) as usize;
        format!("{:.digits$e}", value.abs())
    } else {
        let digits = (-(step.abs() * (1.0 + 1e-9)).log10().floor()).clamp(0.0, 9.0) as usize;
        grouped(&format!("{:.digits$}", value.abs()))
    };
    if value < 0.0 { format!("−{text}") } else { text }
}

/// `value` with about three digits that count, for tips and cells.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if size >= 1000.0 { write(value, 1.0) } else { write(value, (size / 100.0).max(0.001)) }
}

/// Digits in groups of three.
pub(crate) fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.split_once('.').map_or((digits, None), |(w, r)| (w, Some(r)));
    let mut text = String::new();
    for (k, digit) in whole.chars().enumerate() {
        if k > 0 && (whole.len() - k) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(rest) = rest {
        text.push('.');
        text.push_str(rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|(_, name)| name.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_written_with_the_digits_they_need() {
        assert_eq!(names(&Scale::exact(0.0, 1.0, 5)), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(names(&Scale::exact(-1.0, 1.0, 4)), ["−1.0", "−0.5", "0", "0.5", "1.0"]);
        assert_eq!(names(&Scale::exact(0.0, 10_000.0, 2)), ["0", "5,000", "10,000"]);
        assert_eq!(names(&Scale::exact(0.0, 4e-6, 2)), ["0", "2e-6", "4e-6"]);
        assert_eq!(names(&Scale::exact(0.0, 2e9, 2)), ["0", "1e9", "2e9"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten_or_finer() {
        assert_eq!(
            names(&Scale::log([1.0, 1e4].into_iter(), 8)),
            ["1", "10", "100", "1,000", "10,000"]
        );
        assert_eq!(names(&Scale::log([10.0, 100.0].into_iter(), 8)), ["10", "20", "50", "100"]);
        assert!(Scale::log([3.0, 3.2].into_iter(), 6).ticks.len() >= 2);
        assert!(Scale::log([7.0].into_iter(), 6).ticks.len() >= 2);
        assert!(Scale::log([1e-90, 1e90].into_iter(), 6).ticks.len() <= 8);
    }

    #[test]
    fn equal_values_get_a_range_around_them() {
        for value in [0.0, 1.0, -3.5, 1e90, 1e-200] {
            let scale = Scale::linear([value, value].into_iter(), 5);
            assert!((scale.place(value) - 0.5).abs() < 1e-9, "{value}");
            assert!(scale.ticks.len() >= 2, "{value}");
        }
    }

    #[test]
    fn a_scale_from_a_base_ends_there_unless_a_value_lies_beyond() {
        let scale = Scale::from_base([1.0, 2.0].into_iter(), 0.0, 5);
        assert_eq!(scale.place(0.0), 0.0);
        let scale = Scale::from_base([-1.0, -2.0].into_iter(), 0.0, 5);
        assert_eq!(scale.place(0.0), 1.0);
        let scale = Scale::from_base([0.0, 0.0].into_iter(), 0.0, 5);
        assert_eq!((scale.place(0.0), scale.place(1.0)), (0.0, 1.0));
        let scale = Scale::from_base([-1.0, 2.0].into_iter(), 0.0, 5);
        assert!(scale.place(-1.0) > 0.0 && scale.place(2.0) < 1.0);
    }

    #[test]
    fn short_numbers() {
        assert_eq!(short(1234.6), "1,235");
        assert_eq!(short(0.0), "0");
        assert_eq!(short(1.0), "1.00");
        assert_eq!(short(-12.34), "−12.3");
        assert_eq!(short(0.05), "0.050");
    }
}
