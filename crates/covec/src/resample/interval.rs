//! Intervals from replicates.
//!
//! With x̂ the model's value, x̂₀ that of the reference (the corpus as it is, refitted like every replicate)
//! and x_b those of the replicates, e_b = x_b − x̂₀ is what drawing documents again does. With q(p) the
//! quantiles of e, at confidence 1 − α:
//!
//! ```text
//! percentile   x̂ + q(α/2)     …  x̂ + q(1 − α/2)
//! basic        x̂ − q(1 − α/2) …  x̂ − q(α/2)
//! ```
//!
//! Refits from the model stay near it. So where some draws were fitted afresh as well, quantiles are moved away from the mean of e by
//! what `widening.rs` makes of those.
//!
//! A **distance** is never below 0, and chance alone makes it larger, the more so the rarer a word and the
//! smaller a level; a draw of a draw adds the same again. Its square does so additively, so distances are dealt
//! with squared: mean e is what chance added, `corrected` is √max(0, x̂² − mean e), and the interval is about
//! that. One that reaches down to 0 cannot be told from no distance at all. A square varies the less the smaller it happens to be, so
//! that corpora in which a distance looks small would be the surest of it; the distance itself does not. Near 0 it is the other way round.
//! So both are asked, the quantiles of the squares about the corrected square and those of the distances about the corrected
//! distance, and each end is the one farther out. A distance that comes of the levels' weights alone is large for all words of a corpus at once or
//! small for all of them, and varies the more the larger it is: there each end is also the farther one of basic and percentile. What fits from the start
//! add to a word's own drift is mostly how far words may deviate: one factor for all of them, which takes none of them down to nothing. So it is
//! added above only.

use super::sure::Measure;
use super::widening::Widening;
use crate::parameters::{choice, parameters};

choice! {
    /// How an interval is made of replicates.
    pub enum IntervalKind {
        /// What drawing again does, turned around: corrects for what it adds.
        Basic = "basic",
        /// What drawing again does, as it is.
        Percentile = "percentile",
    }
}

parameters! {
    /// What is said of how sure an answer is.
    pub struct SureParameters {
        confidence: f64 = 0.95, "SHARE", "0.95",
            "a number between 0.5 and 0.999" if |x: &f64| (0.5..=0.999).contains(x),
            "How sure intervals are";
        interval: IntervalKind = IntervalKind::Basic, "KIND", "basic",
            "basic or percentile" if |_: &IntervalKind| true,
            "How intervals are made of the replicates";
    }
}

/// What kind of number a measure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Any number.
    Plain,
    /// From −1 to 1.
    Cosine,
    /// A weight or a ratio: never below 0.
    Positive,
    /// Never below 0, and larger by chance.
    Distance,
    /// The square of such a thing, or 1 − a cosine, which is one.
    Square,
}

impl Scale {
    /// The number in the form in which chance adds to it.
    pub(super) fn power(self, x: f64) -> f64 {
        if self == Self::Distance { x * x } else { x }
    }

    /// The distance, of what is one or its square.
    pub(super) fn root(self, x: f64) -> f64 {
        if self == Self::Square { x.max(0.0).sqrt() } else { x }
    }

    /// Whether chance makes it larger.
    pub fn grows_by_chance(self) -> bool {
        matches!(self, Self::Distance | Self::Square)
    }

    /// The nearest number that it can be at all.
    fn possible(self, x: f64) -> f64 {
        match self {
            Self::Plain => x,
            Self::Cosine => x.clamp(-1.0, 1.0),
            Self::Positive | Self::Distance | Self::Square => x.max(0.0),
        }
    }
}

/// An interval, and the value it is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Of a distance: without what chance added to it.
    pub corrected: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl SureParameters {
    /// Replicates that the confidence needs: the outermost would lie outside of it.
    pub fn least(&self) -> usize {
        // 95 %: 39 replicates cut the line into 40 equal parts.
        ((2.0 / (1.0 - self.confidence)) - 1.0 - 1e-9).ceil() as usize
    }

    /// The interval of a value, so many times as wide as replicates say; none where there are too few that have one.
    pub fn interval(
        &self,
        measure: Measure,
        estimate: f64,
        reference: f64,
        replicates: &[f64],
        widening: Widening,
    ) -> Option<Interval> {
        if replicates.len() < self.least() || reference.is_nan() {
            return None;
        }
        let scale = measure.scale;
        let (middle, reference) = (scale.power(estimate), scale.power(reference));
        let powers = self.spread(replicates.iter().map(|&x| scale.power(x)), widening.powers);
        if !scale.grows_by_chance() {
            let (low, high) = (middle - powers.below, middle + powers.above);
            // Replicates may lie to one side of the reference.
            let shift = powers.mean - reference;
            let shift = if self.interval == IntervalKind::Basic { -shift } else { shift };
            let ends = [low + shift, high + shift];
            let [low, high] = match ends.map(|end| scale.possible(end)) {
                possible if possible == ends => ends,
                // All of an interval may lie beyond what is possible; the estimate does not.
                [low, high] => [low.min(middle), high.max(middle)],
            };
            return Some(Interval { corrected: middle, low, high });
        }
        // About the corrected value: what was added is not added again.
        let corrected = middle - (powers.mean - reference);
        let roots = self.spread(replicates.iter().map(|&x| scale.root(x)), widening.roots);
        let [powers, roots] = match (measure.by_weights, scale) {
            (true, _) => [powers.into_even(), roots.into_even()],
            (false, Scale::Distance) => {
                [powers.narrow_below(widening.powers), roots.narrow_below(widening.roots)]
            }
            (false, _) => [powers, roots],
        };
        let root = corrected.max(0.0).sqrt();
        let low = (corrected - powers.below).min((root - roots.below).max(0.0).powi(2));
        let high = (corrected + powers.above).max((root + roots.above).powi(2));
        let back = |x: f64| {
            let x = scale.possible(x);
            if scale == Scale::Distance { x.sqrt() } else { x }
        };
        Some(Interval { corrected: back(corrected), low: back(low), high: back(high) })
    }

    /// How far an interval goes to each side, by how replicates lie about their mean.
    fn spread(&self, replicates: impl Iterator<Item = f64>, widening: f64) -> Spread {
        let mut sorted: Vec<f64> = replicates.collect();
        sorted.sort_by(f64::total_cmp);
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        let tail = (1.0 - self.confidence) / 2.0;
        let below = widening * (mean - quantile(&sorted, tail));
        let above = widening * (quantile(&sorted, 1.0 - tail) - mean);
        match self.interval {
            IntervalKind::Percentile => Spread { mean, below, above },
            IntervalKind::Basic => Spread { mean, below: above, above: below },
        }
    }
}

struct Spread {
    mean: f64,
    below: f64,
    above: f64,
}

impl Spread {
    /// As far to either side as to the farther one: what basic and percentile reach together.
    fn into_even(self) -> Self {
        let far = self.below.max(self.above);
        Self { below: far, above: far, ..self }
    }

    /// Below as far as refits say.
    fn narrow_below(self, widening: f64) -> Self {
        Self { below: self.below / widening, ..self }
    }
}

/// The quantile of sorted numbers that lies at `share · (n + 1)`, between neighbours in proportion.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() + 1) as f64 - 1.0;
    let last = sorted.len() - 1;
    let below = (place.max(0.0).floor() as usize).min(last);
    let above = (below + 1).min(last);
    let part = (place - below as f64).clamp(0.0, 1.0);
    sorted[below] + part * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Widening = Widening::NONE;

    fn measure(scale: Scale) -> Measure {
        Measure { name: "it", scale, by_weights: false }
    }

    #[test]
    fn quantiles_cut_the_line_into_equal_parts() {
        let numbers: Vec<f64> = (1..=39).map(f64::from).collect();
        assert_eq!(quantile(&numbers, 0.025), 1.0);
        assert_eq!(quantile(&numbers, 0.5), 20.0);
        assert_eq!(quantile(&numbers, 0.975), 39.0);
        assert!((quantile(&numbers, 0.03125) - 1.25).abs() < 1e-12);
        assert_eq!(quantile(&numbers, 0.0), 1.0);
        assert_eq!(quantile(&numbers, 1.0), 39.0);
        assert_eq!(SureParameters::default().least(), 39);
    }

    #[test]
    fn basic_turns_the_percentiles_around_and_too_few_replicates_give_none() {
        let replicates: Vec<f64> = (0..39).map(|b| 9.0 + f64::from(b * b) / 100.0).collect();
        let sure = |interval| SureParameters { interval, ..SureParameters::default() };
        let of = |interval| {
            sure(interval).interval(measure(Scale::Plain), 10.5, 10.0, &replicates, NONE)
        };
        let (basic, percentile) =
            (of(IntervalKind::Basic).unwrap(), of(IntervalKind::Percentile).unwrap());
        assert!((percentile.low - 9.5).abs() < 1e-12, "{percentile:?}");
        assert!((percentile.high - (10.5 - 1.0 + 14.44)).abs() < 1e-12);
        assert!((basic.high - 11.5).abs() < 1e-12);
        assert!((basic.low - (10.5 + 1.0 - 14.44)).abs() < 1e-12);
        let twice = Widening { powers: 2.0, ..NONE };
        let wide = sure(IntervalKind::Basic).interval(
            measure(Scale::Plain),
            10.5,
            10.0,
            &replicates,
            twice,
        );
        let wide = wide.unwrap();
        assert!((wide.high - wide.low - 2.0 * (basic.high - basic.low)).abs() < 1e-12);
        let few = sure(IntervalKind::Basic).interval(
            measure(Scale::Plain),
            1.0,
            1.0,
            &replicates[..38],
            NONE,
        );
        assert_eq!(few, None);
    }

    /// Nobody believes a cosine of 1.1 or a weight below 0.
    #[test]
    fn intervals_end_where_the_numbers_do() {
        let replicates: Vec<f64> = (0..39).map(|b| f64::from(b) / 20.0 - 0.5).collect();
        let sure = SureParameters::default();
        let of = |scale, estimate| {
            sure.interval(measure(scale), estimate, 0.5, &replicates, NONE).unwrap()
        };
        let plain = of(Scale::Plain, 0.5);
        assert!(plain.low < 0.0 && plain.high > 1.0, "{plain:?}");
        let cosine = of(Scale::Cosine, 0.5);
        assert_eq!((cosine.low, cosine.high), (plain.low, 1.0));
        assert_eq!(of(Scale::Cosine, -0.5).low, -1.0);
        let weight = of(Scale::Positive, 0.5);
        assert_eq!((weight.low, weight.high), (0.0, plain.high));
        // All of it beyond 1, but for the estimate.
        let skewed: Vec<f64> = (0..39).map(|b| 0.5 + f64::from(b) / 1000.0).collect();
        let beyond = sure.interval(measure(Scale::Cosine), 0.99, 0.9, &skewed, NONE).unwrap();
        assert_eq!((beyond.low, beyond.high), (0.99, 1.0));
        assert_eq!(sure.interval(measure(Scale::Cosine), 0.5, f64::NAN, &replicates, NONE), None);
    }

    /// Replicates that lie far out to one side only.
    #[test]
    fn a_distance_by_weights_reaches_as_far_as_either_kind() {
        let replicates: Vec<f64> = (0..39).map(|b| 2.0 + f64::from(b * b) / 1000.0).collect();
        let of = |interval, by_weights| {
            let sure = SureParameters { interval, ..SureParameters::default() };
            let measure = Measure { by_weights, ..measure(Scale::Square) };
            sure.interval(measure, 3.0, 2.5, &replicates, NONE).unwrap()
        };
        let kinds = [IntervalKind::Basic, IntervalKind::Percentile];
        let [basic, percentile] = kinds.map(|kind| of(kind, false));
        assert!(basic.low < percentile.low && basic.high < percentile.high);
        for both in kinds.map(|kind| of(kind, true)) {
            assert_eq!((both.low, both.high), (basic.low, percentile.high));
        }
    }

    #[test]
    fn what_fits_from_the_start_add_to_own_drift_is_added_above() {
        let replicates: Vec<f64> = (0..39).map(|b| 2.0 + f64::from(b) / 100.0).collect();
        let sure = SureParameters::default();
        let twice = Widening { powers: 2.0, roots: 2.0 };
        let of = |measure, widening| sure.interval(measure, 2.3, 2.2, &replicates, widening);
        let [narrow, wide] =
            [NONE, twice].map(|widening| of(measure(Scale::Distance), widening).unwrap());
        assert!((wide.low - narrow.low).abs() < 1e-12 && wide.high > narrow.high);
        let square = of(measure(Scale::Square), twice).unwrap();
        assert!(square.low < of(measure(Scale::Square), NONE).unwrap().low);
    }

    /// A vector of 20 numbers that are 0 but for chance, and one that is not.
    #[test]
    fn a_distance_made_by_chance_is_corrected_away_and_a_real_one_is_kept() {
        use crate::lots::{End, Lots, Stream};
        let mut lots = Stream::new(1, End::Sample, 0);
        let sure = SureParameters::default();
        for (truth, told) in [(0.0, false), (3.0, true)] {
            let once: Vec<f64> =
                (0..20).map(|t| if t == 0 { truth } else { 0.0 } + 0.3 * lots.normal()).collect();
            let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
            let again: Vec<f64> = (0..99)
                .map(|_| length(&once.iter().map(|x| x + 0.3 * lots.normal()).collect::<Vec<_>>()))
                .collect();
            let estimate = length(&once);
            let found =
                sure.interval(measure(Scale::Distance), estimate, estimate, &again, NONE).unwrap();
            assert_eq!(found.low > 0.0, told, "{found:?} of {estimate}");
            assert!((found.corrected - truth).abs() < 1.0, "{found:?} of {estimate}");
            assert!(found.low <= found.corrected && found.corrected <= found.high);
        }
    }
}
