//! Words to hold against those of the text: drawn by their count to the power of 0.75.

use crate::lots::Lots;

/// The power that word2vec found good.
const POWER: f64 = 0.75;

/// Walker's alias table: a draw is two lots, whatever the size of the vocabulary.
#[derive(Debug)]
pub(super) struct Noise {
    /// By word: up to which share of its place the word itself is drawn, and who is beyond.
    places: Vec<(f64, u32)>,
    /// How likely each word is.
    pub(super) shares: Vec<f64>,
}

impl Noise {
    pub(super) fn new(counts: &[u64]) -> Self {
        let powers: Vec<f64> = counts.iter().map(|&n| libm::pow(n as f64, POWER)).collect();
        let sum: f64 = powers.iter().sum();
        let shares: Vec<f64> = powers.iter().map(|power| power / sum).collect();
        let mut left: Vec<f64> = shares.iter().map(|share| share * counts.len() as f64).collect();
        let mut places: Vec<(f64, u32)> = (0..counts.len() as u32).map(|w| (1.0, w)).collect();
        let (mut few, mut many): (Vec<usize>, Vec<usize>) =
            (0..counts.len()).partition(|&word| left[word] < 1.0);
        while let (Some(poor), Some(&rich)) = (few.pop(), many.last()) {
            places[poor] = (left[poor], rich as u32);
            left[rich] -= 1.0 - left[poor];
            if left[rich] < 1.0 {
                many.pop();
                few.push(rich);
            }
        }
        Self { places, shares }
    }

    pub(super) fn draw(&self, lots: &mut impl Lots) -> u32 {
        let place = lots.below(self.places.len());
        let (own, other) = self.places[place];
        if lots.share() < own { place as u32 } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lots::PlaceLots;

    #[test]
    fn words_are_drawn_as_often_as_their_share_says() {
        let noise = Noise::new(&[1000, 200, 50, 0, 50, 1]);
        assert!((noise.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((noise.shares[0] / noise.shares[1] - 5_f64.powf(0.75)).abs() < 1e-9);
        let (mut seen, draws) = ([0_u32; 6], 200_000);
        for place in 0..draws {
            seen[noise.draw(&mut PlaceLots::new(3, place)) as usize] += 1;
        }
        for (seen, share) in seen.into_iter().zip(&noise.shares) {
            let (mean, got) = (share * draws as f64, f64::from(seen));
            assert!((got - mean).abs() <= 5.0 * mean.sqrt(), "{got} for {mean}");
        }
    }
}
