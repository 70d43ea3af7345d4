//! Chance that is the same on every machine.
//!
//! Numbers come from ChaCha, a stream for every document, so it does not matter which thread draws
//! them; for pairs of words from a mixed counter, so that a pair's lot can be drawn in either order.
//! Logarithms and the like are `libm`'s, which does not change with the system.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What a stream of numbers is for: streams for different ends share nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    Vectors = 1,
    Weights = 2,
    Biases = 3,
    Differing = 4,
    Documents = 5,
    Pairs = 6,
    /// Where training starts, and in which order it visits words.
    Start = 7,
    Order = 8,
    HeldOut = 9,
    Sample = 10,
    Deviations = 11,
    /// Units drawn again, and labels shuffled.
    Bootstrap = 12,
    Permutation = 13,
    /// Axes turned at random, and counts thinned, to compare a model with chance.
    Rotation = 21,
    Thinning = 22,
    /// Which words of real text are swapped, and where.
    PlantedPairs = 31,
    Swaps = 32,
    /// Where clusters start, and which items of a test are drawn.
    Clusters = 41,
    Items = 42,
    /// Which words of a text are passed over and which are drawn against them; networks and topics at
    /// their start.
    Places = 61,
    Networks = 62,
    Topics = 63,
}

/// A source of random numbers.
pub(crate) trait Lots {
    /// 64 random bits.
    fn bits(&mut self) -> u64;

    /// A number in [0, 1).
    fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A number in [from, to).
    fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.share()
    }

    /// One of `0..n`.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A standard normal number (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.share()));
        radius * libm::cos(std::f64::consts::TAU * self.share())
    }

    /// A Poisson count of this mean.
    fn poisson(&mut self, mean: f64) -> f64 {
        if mean < 10.0 { few(self, mean) } else { many(self, mean) }
    }

    /// Puts the items in random order.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Counts how many uniform factors it takes to fall below exp(−mean).
fn few<L: Lots + ?Sized>(lots: &mut L, mean: f64) -> f64 {
    let least = libm::exp(-mean);
    let mut product = lots.share();
    let mut count = 0.0;
    while product > least {
        product *= lots.share();
        count += 1.0;
    }
    count
}

/// Hörmann's transformed rejection with squeeze (PTRS, 1993), exact for means from 10 on.
fn many<L: Lots + ?Sized>(lots: &mut L, mean: f64) -> f64 {
    let b = 0.931 + 2.53 * libm::sqrt(mean);
    let a = -0.059 + 0.02483 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let squeeze = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = lots.share() - 0.5;
        let v = 1.0 - lots.share();
        let us = 0.5 - u.abs();
        let count = ((2.0 * a / us + b) * u + mean + 0.43).floor();
        if us >= 0.07 && v <= squeeze {
            return count;
        }
        if count < 0.0 || (us < 0.013 && v > us) {
            continue;
        }
        let left = libm::log(v) + libm::log(inverse_alpha) - libm::log(a / (us * us) + b);
        if left <= count * libm::log(mean) - mean - libm::lgamma(count + 1.0) {
            return count;
        }
    }
}

/// One stream of the seed.
#[derive(Debug)]
pub(crate) struct Stream(ChaCha12Rng);

impl Stream {
    pub(crate) fn new(seed: u64, end: End, number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = end as u8;
        let mut rng = ChaCha12Rng::from_seed(key);
        rng.set_stream(number);
        Self(rng)
    }
}

impl Lots for Stream {
    fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// The lots of one unordered pair of words: SplitMix64 from a state that mixes key and pair.
#[derive(Debug)]
pub(crate) struct PairLots(u64);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl PairLots {
    pub(crate) fn new(key: u64, a: u32, b: u32) -> Self {
        let pair = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        Self(mix(key ^ mix(pair.wrapping_mul(GOLDEN).wrapping_add(key.rotate_left(29)))))
    }
}

impl Lots for PairLots {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }
}

/// The lots of one place of a text, whoever looks at it: SplitMix64 from a state that mixes key and place.
#[derive(Debug)]
pub(crate) struct PlaceLots(u64);

impl PlaceLots {
    pub(crate) fn new(key: u64, place: u64) -> Self {
        Self(mix(key ^ mix(place.wrapping_mul(GOLDEN).wrapping_add(key.rotate_left(29)))))
    }
}

impl Lots for PlaceLots {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }
}

/// The finaliser of SplitMix64.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance.
    fn moments(draws: usize, mut draw: impl FnMut(u32) -> f64) -> (f64, f64) {
        let x: Vec<f64> = (0..draws as u32).map(&mut draw).collect();
        let mean = x.iter().sum::<f64>() / draws as f64;
        (mean, x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / draws as f64)
    }

    #[test]
    fn poisson_counts_have_mean_and_variance_of_the_mean() {
        for mean in [0.1, 3.0, 9.9, 10.0, 40.0, 1e4] {
            let draws = 200_000;
            let (m, v) = moments(draws, |i| PairLots::new(7, i, 3).poisson(mean));
            let error = (mean / draws as f64).sqrt();
            assert!((m - mean).abs() < 5.0 * error, "mean {m} for {mean}");
            let error = ((mean + 2.0 * mean * mean) / draws as f64).sqrt();
            assert!((v - mean).abs() < 5.0 * error, "variance {v} for {mean}");
        }
    }

    #[test]
    fn poisson_counts_follow_the_law_on_both_sides_of_the_change() {
        for mean in [9.99, 10.0] {
            let draws = 400_000;
            let mut seen = [0.0; 41];
            for i in 0..draws {
                seen[(PairLots::new(1, i, 1).poisson(mean) as usize).min(40)] += 1.0;
            }
            let (mut law, mut chi) = ((-mean).exp(), 0.0);
            for (k, seen) in seen.iter().enumerate().take(25) {
                let expected = law * f64::from(draws);
                chi += (seen - expected) * (seen - expected) / expected;
                law *= mean / (k + 1) as f64;
            }
            // 25 degrees of freedom: mean 25, spread 7.
            assert!(chi < 60.0, "chi-square {chi} for {mean}");
        }
    }

    #[test]
    fn normal_numbers_are_standard_and_streams_differ() {
        let mut stream = Stream::new(1, End::Documents, 0);
        let (mean, variance) = moments(100_000, |_| stream.normal());
        assert!(mean.abs() < 0.016 && (variance - 1.0).abs() < 0.023, "{mean} {variance}");
        let first = |seed, end, number| Stream::new(seed, end, number).bits();
        let one = first(1, End::Documents, 0);
        assert!(
            [first(1, End::Documents, 1), first(2, End::Documents, 0), first(1, End::Pairs, 0)]
                .iter()
                .all(|other| *other != one)
        );
    }

    #[test]
    fn a_pair_has_one_lot_in_either_order() {
        assert_eq!(PairLots::new(5, 1, 2).bits(), PairLots::new(5, 2, 1).bits());
        assert_ne!(PairLots::new(5, 1, 2).bits(), PairLots::new(5, 1, 3).bits());
        assert_ne!(PairLots::new(5, 1, 2).bits(), PairLots::new(6, 1, 2).bits());
    }
}
