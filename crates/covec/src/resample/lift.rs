//! How much more fits from the start find by chance than refits from where the model stands do.
//!
//! The axes of a model were turned for its labels, and refits to shuffled labels keep them: they find less in the shuffles than a
//! fit from the start would, and the model looks larger than chance beside them. So some shuffles are fitted afresh as well, and
//! what refits find is lifted to what those find. In squares P of what chance makes larger:
//!
//! ```text
//! r  = ln(sum of P over all rows, fitted afresh / the same of the refit to the same shuffle),   mean r̄ and variance s² over n fits
//! P' = exp(r̄ + m + a · (ln P − m)),   a² = 1 + s² (1 + 1/n) / σ²,   m and σ² mean and variance of ln P in the row
//! ```
//!
//! Rows of an answer rise and fall together where axes matter (what is topical moves all words), so that they have one r̄. A fit from
//! the start varies by s² beyond what the shuffle does, and r̄ is known from n of them only. Where fits from the start find no more
//! than refits there is nothing to lift; nor is anything but what comes of the levels' weights alone: words' own deviations, which every refit
//! makes anew, do not hang on the axes.

use super::interval::Scale;
use super::widening::{Widening, moments};

/// What makes of a shuffle's refit what a fit from the start would be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lift {
    /// r̄.
    by: f64,
    /// s² (1 + 1/n).
    variance: f64,
}

impl Lift {
    /// Of the places of one measure in the answers of both; `pairs` are fits from the start and refits to the same shuffle. None
    /// where too few fits tell, or they find no more.
    pub(super) fn of(scale: Scale, places: &[usize], pairs: &[(&[f64], &[f64])]) -> Option<Self> {
        if pairs.len() < Widening::LEAST {
            return None;
        }
        let ratio = |(afresh, refit): &(&[f64], &[f64])| {
            let both = places.iter().map(|&at| [afresh[at], refit[at]].map(|x| scale.power(x)));
            let known = both.filter(|both| !both.iter().any(|x| x.is_nan()));
            let [above, below] =
                known.fold([0.0, 0.0], |sums, both| [sums[0] + both[0], sums[1] + both[1]]);
            libm::log(above / below)
        };
        let ratios: Vec<f64> = pairs.iter().map(ratio).collect();
        let (by, variance) = moments(&ratios)?;
        let finite = by.is_finite() && variance.is_finite();
        (finite && by > 0.0)
            .then(|| Self { by, variance: variance * (1.0 + 1.0 / pairs.len() as f64) })
    }

    /// One row's shuffles, as fits from the start would have them.
    pub(super) fn lifted(&self, scale: Scale, shuffled: &[f64]) -> Vec<f64> {
        let logs: Vec<f64> = shuffled.iter().map(|&x| libm::log(scale.power(x))).collect();
        let known: Vec<f64> = logs.iter().copied().filter(|x| x.is_finite()).collect();
        let (mean, variance) = moments(&known).unwrap_or((0.0, 0.0));
        let apart = if variance > 0.0 { (1.0 + self.variance / variance).sqrt() } else { 1.0 };
        let lifted = |&x: &f64| {
            let power = libm::exp(self.by + mean + apart * (x - mean));
            if scale == Scale::Distance { power.sqrt() } else { power }
        };
        logs.iter().map(lifted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::significance::one_sided;
    use super::*;
    use crate::lots::{End, Lots, Stream};

    const ROWS: usize = 50;

    /// Squared distances of a refit to a shuffle, and of a fit from the start: all rows share much of what chance does.
    fn fits(lots: &mut impl Lots) -> [Vec<f64>; 2] {
        let common: f64 = (0..20).map(|_| lots.normal().powi(2)).sum::<f64>() / 20.0;
        let more = libm::exp(0.4 + 0.2 * lots.normal());
        let refit: Vec<f64> =
            (0..ROWS).map(|_| common * (1.0 + 0.1 * lots.normal().powi(2))).collect();
        let afresh = refit.iter().map(|x| more * x).collect();
        [refit, afresh]
    }

    #[test]
    fn what_a_fit_from_the_start_finds_is_as_rare_as_it_says() {
        let mut lots = Stream::new(7, End::Sample, 0);
        let (mut plain, mut lifted) = (0.0, 0.0);
        let times = 400;
        let places: Vec<usize> = (0..ROWS).collect();
        for _ in 0..times {
            let [_, found] = fits(&mut lots);
            let shuffles: Vec<[Vec<f64>; 2]> = (0..39).map(|_| fits(&mut lots)).collect();
            let pairs: Vec<(&[f64], &[f64])> = shuffles
                .iter()
                .step_by(8)
                .map(|[refit, afresh]| (&afresh[..], &refit[..]))
                .collect();
            let lift = Lift::of(Scale::Square, &places, &pairs).unwrap();
            let own: Vec<f64> = shuffles.iter().map(|[refit, _]| refit[3]).collect();
            let rare = |null: &[f64]| one_sided(found[3], null).is_some_and(|p| p <= 0.05);
            plain += f64::from(u8::from(rare(&own)));
            lifted += f64::from(u8::from(rare(&lift.lifted(Scale::Square, &own))));
        }
        let (plain, lifted) = (plain / f64::from(times), lifted / f64::from(times));
        assert!(plain > 0.2, "{plain}");
        assert!((0.02..0.09).contains(&lifted), "{lifted}");
    }

    #[test]
    fn too_few_fits_lift_nothing_nor_do_those_that_find_no_more() {
        let (one, two) = ([1.0], [2.0]);
        let pair: (&[f64], &[f64]) = (&two, &one);
        let of = |pairs: &[_]| Lift::of(Scale::Distance, &[0], pairs);
        assert_eq!(of(&[pair; 2]), None);
        assert_eq!(of(&[(&one[..], &two[..]); 3]), None);
        assert_eq!(of(&[(&one[..], &[0.0][..]); 3]), None);
        let lifted = of(&[pair; 3]).unwrap().lifted(Scale::Distance, &[0.0, 1.0, 3.0]);
        for (lifted, expected) in lifted.iter().zip([0.0, 2.0, 6.0]) {
            assert!((lifted - expected).abs() < 1e-9, "{lifted} {expected}");
        }
    }
}
