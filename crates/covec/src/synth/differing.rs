//! Words whose use differs in one level.
//!
//! Two words of about the same frequency go towards each other's vector in one level of the first
//! factor, so neither their frequency nor the level's topics give them away.

use super::parameters::SynthParameters;
use crate::lots::{End, Lots, Stream};

/// A word that is used differently in one level of the first factor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Differing {
    pub(super) word: usize,
    pub(super) partner: usize,
    pub(super) level: usize,
    /// Its vector there.
    pub(super) vector: Vec<f64>,
}

/// How many ranks away a partner is sought.
const NEAR: usize = 8;

/// Chooses the words, two and two, from the middle of the frequencies.
pub(super) fn choose(
    parameters: &SynthParameters,
    vectors: &[Vec<f64>],
    weights: &[Vec<f64>],
) -> Vec<Differing> {
    let asked = parameters.differing as usize;
    if asked == 0 || weights.len() < 2 {
        return Vec::new();
    }
    let first = vectors.len() / 50;
    let end = (vectors.len() / 5).max(first + 2 * asked).min(vectors.len());
    let mut lots = Stream::new(parameters.seed.0, End::Differing, 0);
    let mut candidates: Vec<usize> = (first..end).collect();
    lots.shuffle(&mut candidates);
    let mut levels: Vec<usize> = (0..weights.len()).collect();
    lots.shuffle(&mut levels);
    let mut free = vec![false; vectors.len()];
    free[first..end].fill(true);
    let mut chosen = Vec::with_capacity(asked);
    for word in candidates {
        if chosen.len() == asked {
            break;
        }
        if !std::mem::take(&mut free[word]) {
            continue;
        }
        let level = levels[chosen.len() / 2 % levels.len()];
        let Some(partner) = partner(word, &free, vectors, &weights[level]) else { continue };
        free[partner] = false;
        for (word, partner) in [(word, partner), (partner, word)] {
            let towards = vectors[word].iter().zip(&vectors[partner]);
            let vector =
                towards.map(|(own, other)| own + parameters.strength * (other - own)).collect();
            chosen.push(Differing { word, partner, level, vector });
        }
    }
    chosen
}

/// Of the nearest free ranks, the word that is furthest off in this level; the nearest free one
/// where none is near.
fn partner(word: usize, free: &[bool], vectors: &[Vec<f64>], weights: &[f64]) -> Option<usize> {
    let apart = |other: usize| -> f64 {
        let pairs = vectors[word].iter().zip(&vectors[other]);
        pairs.zip(weights).map(|((a, b), c)| (c * (a - b)) * (c * (a - b))).sum()
    };
    let near = word.saturating_sub(NEAR)..(word + NEAR + 1).min(free.len());
    let near = near.filter(|&other| free[other]).max_by(|&a, &b| apart(a).total_cmp(&apart(b)));
    near.or_else(|| {
        (0..free.len()).filter(|&other| free[other]).min_by_key(|&other| other.abs_diff(word))
    })
}
