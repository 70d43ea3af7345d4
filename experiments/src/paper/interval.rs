//! How far a mean over books may be trusted: 95 % intervals from books drawn again.

use crate::lots::Lots;
use crate::numbers::mean;

const DRAWS: usize = 2000;

/// The mean of some numbers, from where to where it may lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// Of numbers that are drawn again; none of no numbers. Always the same draws.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        if numbers.is_empty() {
            return None;
        }
        let mut lots = Lots::new(29);
        let mut draw = || {
            let drawn: Vec<f64> =
                numbers.iter().map(|_| numbers[lots.below(numbers.len())]).collect();
            mean(&drawn)
        };
        let mut means: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
        means.sort_by(f64::total_cmp);
        let at = |share: f64| means[(share * (DRAWS - 1) as f64).round() as usize];
        Some(Self { mean: mean(numbers), low: at(0.025), high: at(0.975) })
    }

    pub fn text(&self) -> String {
        format!("{:+.3} [{:+.3}, {:+.3}]", self.mean, self.low, self.high)
    }
}

/// Mean ± standard deviation, or the number if there is one; – of none.
pub fn spread(numbers: &[f64], digits: usize) -> String {
    match numbers {
        [] => "–".to_owned(),
        [one] => format!("{one:.digits$}"),
        many => {
            let middle = mean(many);
            let square = many.iter().map(|x| (x - middle).powi(2)).sum::<f64>();
            let deviation = (square / (many.len() - 1) as f64).sqrt();
            format!("{middle:.digits$} ± {deviation:.digits$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_its_mean_and_narrows_with_more_numbers() {
        let few: Vec<f64> = (0..8).map(f64::from).collect();
        let many: Vec<f64> = few.iter().cycle().take(200).copied().collect();
        let [few, many] = [few, many].map(|numbers| Interval::of(&numbers));
        let width = |interval: Option<Interval>| interval.map_or(0.0, |i| i.high - i.low);
        assert!(few.is_some_and(|i| i.low < i.mean && i.mean < i.high));
        assert!(width(many) < width(few));
        assert_eq!(Interval::of(&[]), None);
        assert_eq!(spread(&[1.0, 3.0], 1), "2.0 ± 1.4");
    }
}
