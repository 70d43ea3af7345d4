//! How much wider intervals must be than refits from where the model stands say.
//!
//! A refit begins at the model and stays near it. Some draws are fitted afresh as well, from the start and with another seed: they
//! differ from each other as much as models of other corpora would. Their variance over that of the refits, s², is how much too
//! narrow intervals would be; but a dozen fits tell it poorly, with d = fits − 1 degrees of freedom. So the rows of an answer help
//! each other (empirical Bayes, after Smyth 2004): from how the s² of all rows lie, a common s₀² is found and how many degrees of freedom
//! d₀ it is worth, and
//!
//! ```text
//! s̃²       = (d₀ s₀² + d s²) / (d₀ + d)
//! widening = max(1, s̃ · t(d₀ + d) / z)
//! ```
//!
//! with the quantiles of Student's t and of the normal distribution, because s̃ is itself uncertain. Rows of an answer rise and fall together
//! (what is topical moves all words), so all of them are not worth more than one row is: d₀ ≤ d.

use crate::special::{digamma, inverse_trigamma, normal_quantile, t_quantile, trigamma};

/// How many times as wide an interval is as refits say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Widening {
    /// Of numbers, or of the squares of distances.
    pub powers: f64,
    /// Of distances.
    pub roots: f64,
}

impl Widening {
    /// As wide as they say.
    pub const NONE: Self = Self { powers: 1.0, roots: 1.0 };
    /// Fits from the start that say anything of their variance.
    pub const LEAST: usize = 3;
}

/// Variance of fits from the start over that of refits, and its degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ratio {
    square: f64,
    freedom: f64,
}

impl Ratio {
    /// None where there are too few numbers, or refits do not differ.
    pub(super) fn new(afresh: &[f64], refits: &[f64]) -> Option<Self> {
        if afresh.len() < Widening::LEAST || refits.len() < Widening::LEAST {
            return None;
        }
        let square = moments(afresh)?.1 / moments(refits)?.1;
        let tells = square.is_finite() && square > 0.0;
        tells.then_some(Self { square, freedom: (afresh.len() - 1) as f64 })
    }
}

/// Mean and variance; none of fewer than two numbers.
pub(super) fn moments(numbers: &[f64]) -> Option<(f64, f64)> {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let square = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    (n >= 2.0).then(|| (mean, square / (n - 1.0)))
}

/// By how much each row's interval is wider at this confidence; 1 where nothing tells.
pub(super) fn widenings(rows: &[Option<Ratio>], confidence: f64) -> Vec<f64> {
    let known: Vec<Ratio> = rows.iter().copied().flatten().collect();
    let Some(most) = known.iter().map(|ratio| ratio.freedom).max_by(f64::total_cmp) else {
        return vec![1.0; rows.len()];
    };
    let common = Common::of(&known);
    let share = f64::midpoint(1.0, confidence);
    let z = normal_quantile(share);
    // Mostly the same for all rows.
    let mut last = (f64::NAN, 1.0);
    let mut factor = |freedom: f64| {
        if last.0 != freedom {
            last = (freedom, t_quantile(share, freedom) / z);
        }
        last.1
    };
    let mut of = |row: &Option<Ratio>| {
        // Where a row does not tell, it is like the others.
        let (square, freedom) = row.map_or((0.0, 0.0), |own| (own.square, own.freedom));
        let limit = if row.is_some() { freedom } else { most };
        let common = Common { freedom: common.freedom.min(limit), ..common };
        let all = common.freedom + freedom;
        if all <= 0.0 {
            return 1.0;
        }
        let square = (common.freedom * common.square + freedom * square) / all;
        // Where rows are very unlike each other, they hardly tell of one that does not tell itself.
        (square.sqrt() * factor(all.max((Widening::LEAST - 1) as f64))).max(1.0)
    };
    rows.iter().map(&mut of).collect()
}

/// What rows have in common.
#[derive(Debug, Clone, Copy)]
struct Common {
    square: f64,
    freedom: f64,
}

impl Common {
    /// By the moments of their logarithms.
    fn of(rows: &[Ratio]) -> Self {
        let n = rows.len() as f64;
        let logs: Vec<f64> = rows
            .iter()
            .map(|row| {
                libm::log(row.square) - digamma(row.freedom / 2.0) + libm::log(row.freedom / 2.0)
            })
            .collect();
        let Some((mean, variance)) = moments(&logs) else {
            return Self { square: 1.0, freedom: 0.0 };
        };
        let own = rows.iter().map(|row| trigamma(row.freedom / 2.0)).sum::<f64>() / n;
        let between = variance - own;
        // One row less: a row does not help itself.
        let part = 1.0 - 1.0 / n;
        if between <= 0.0 {
            let most = rows.iter().map(|row| row.freedom).fold(0.0, f64::max);
            return Self { square: libm::exp(mean), freedom: part * most };
        }
        let half = inverse_trigamma(between);
        let square = libm::exp(mean + digamma(half) - libm::log(half));
        Self { square, freedom: part * 2.0 * half }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lots::{End, Lots, Stream};

    /// Rows whose fits from the start vary `times` as much as their refits.
    fn rows(times: &[f64], fits: usize) -> Vec<Option<Ratio>> {
        let mut lots = Stream::new(5, End::Sample, 0);
        let mut draw =
            |n: usize, times: f64| -> Vec<f64> { (0..n).map(|_| times * lots.normal()).collect() };
        times.iter().map(|&times| Ratio::new(&draw(fits, times), &draw(99, 1.0))).collect()
    }

    #[test]
    fn rows_that_vary_alike_are_widened_alike_and_about_as_much_as_they_should() {
        let found = widenings(&rows(&[3.0; 400], 9), 0.95);
        let mean = found.iter().sum::<f64>() / 400.0;
        // Of t with 16 degrees of freedom: 1.08.
        assert!((mean / (3.0 * 1.08) - 1.0).abs() < 0.08, "{mean}");
        let apart = found.iter().fold(0.0_f64, |most, x| most.max((x / mean - 1.0).abs()));
        assert!(apart < 0.5, "{apart}");
        // None is made narrower.
        assert!(widenings(&rows(&[0.2; 50], 9), 0.95).iter().all(|&x| x >= 1.0));
    }

    #[test]
    fn a_row_that_varies_by_itself_keeps_most_of_that() {
        let mut times = vec![1.0; 60];
        times[7] = 20.0;
        let found = widenings(&rows(&times, 9), 0.95);
        assert!(found[7] > 8.0, "{}", found[7]);
        assert!(found[8] < 2.5, "{}", found[8]);
    }

    #[test]
    fn few_fits_say_little_and_too_few_nothing() {
        let wide = widenings(&rows(&[2.0], 4), 0.95);
        assert!(wide[0] > 1.0);
        assert_eq!(widenings(&rows(&[2.0; 3], 2), 0.95), [1.0; 3]);
        assert_eq!(widenings(&[], 0.95), [0.0; 0]);
        // A row that says nothing is like the others.
        let mut some = rows(&[3.0; 30], 9);
        some.push(None);
        assert!(widenings(&some, 0.95)[30] > 2.0);
        let mut unlike =
            rows(&(0..40).map(|i| libm::exp(f64::from(i % 20) - 10.0)).collect::<Vec<_>>(), 9);
        unlike.push(None);
        let found = widenings(&unlike, 0.95);
        assert!(found.iter().all(|x| x.is_finite()) && found[40] < 50.0, "{}", found[40]);
    }
}
